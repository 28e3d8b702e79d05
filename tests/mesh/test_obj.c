// The OBJ reader: forms it must take, places it must name.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "oracle/allocator.h"
#include "pliant/mesh.h"

static char path[] = "/tmp/pliant_test_obj_XXXXXX";

static int make_file(void** state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void** state) {
    (void)state;
    return remove(path);
}

static void write_bytes(const char* text, size_t size) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static pli_status read_text(pli_mesh* mesh, const char* text, pli_error* error) {
    write_bytes(text, strlen(text));
    return pli_mesh_read_obj(mesh, path, error);
}

// The text must be refused at this place with this message, and nothing may be left in the mesh.
static void expect_refused(const char* text, int line, int column, const char* message) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    pli_error error = {0};
    assert_int_equal(read_text(&mesh, text, &error), PLI_E_SCENE);
    char expected[600];
    snprintf(expected, sizeof expected, "%s:%d:%d: %s", path, line, column, message);
    assert_string_equal(error.message, expected);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    assert_int_equal(mesh.vertex_count, 0);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE] + mesh.element_count[PLI_SEGMENT], 0);
    pli_mesh_free(&mesh);
}

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static void expect_triangles(const char* text, int count, const int32_t* expected) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    pli_error error = {0};
    if (read_text(&mesh, text, &error) != PLI_OK) fail_msg("%s", error.message);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], count);
    assert_memory_equal(mesh.elements[PLI_TRIANGLE], expected,
                        3 * (size_t)count * sizeof *expected);
    pli_mesh_free(&mesh);
}

static void forms_of_faces(void** state) {
    (void)state;
    static const int32_t one[] = {0, 1, 2}, fan[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    expect_triangles(THREE "f 1 2 3\n", 1, one);
    expect_triangles(THREE "f 1 2 3", 1, one); // no newline at the end
    expect_triangles(THREE "f 1/7 2/8 3/9\n", 1, one);
    expect_triangles(THREE "f 1/7/1 2/8/-1 3/9/1\n", 1, one);
    expect_triangles(THREE "f 1//1 2//1 3//1\n", 1, one);
    expect_triangles(THREE "f 1/ 2// 3/9/\n", 1, one); // nothing behind a slash
    expect_triangles(THREE "f -3 -2 -1\n", 1, one);
    expect_triangles(THREE "f\t+1  2 \t 3 \r\n", 1, one);
    expect_triangles(THREE "f 1 \\\n 2 \\\r\n3\n", 1, one); // a continued line
    expect_triangles("f 1 2 3\n" THREE, 1, one);            // vertices may follow
    expect_triangles("  v 0 0 0 1\n# c\n\n" THREE "f 2 3 4", 1, (const int32_t[]){1, 2, 3});
    expect_triangles(THREE "v -1 1 0\nv -1 0 0\nf 1 2 3 4 5\n", 3, fan);
    expect_triangles(THREE "f 1 2 3\nv 9 9 9\nf -1 1 2\n", 2, (const int32_t[]){0, 1, 2, 3, 0, 1});
    expect_triangles(THREE "vt 0 0\nvn 0 0 1\ng f l v\nfoo 1\np 1\ns off\nf 1 2 3\n", 1, one);
}

// A line that continues another statement is no vertex, whatever it begins with.
static void continued_lines_are_no_vertices(void** state) {
    (void)state;
    static const int32_t one[] = {0, 1, 2};
    expect_refused(THREE "g a \\\nv\ng\nf 1 2 4\n", 7, 7, "vertex 4, must be 1 to 3 or -1 to -3");
    expect_refused(THREE "o \\\nv\nf 1 2 4\n", 6, 7, "vertex 4, must be 1 to 3 or -1 to -3");
    expect_refused(THREE "f 1 2 4 \\\r\nv\n", 4, 7, "vertex 4, must be 1 to 3 or -1 to -3");
    expect_triangles(THREE "g a \\\nv \\\n v\nf 1 2 3\n", 1, one);
    expect_triangles("v 0 0 \\\n0\nv 1 0 0 \\\nv 0 1 0\nf 1 2 3\n", 1, one);
    expect_triangles("# no statement \\\n" THREE "vn \\\n\\\nv 1 1 1\nf 1 2 3\n", 1, one);
}

// Comments end with their line, and names may have their sign.
static void comments(void** state) {
    (void)state;
    static const int32_t one[] = {0, 1, 2};
    expect_triangles("v 0 0 0 # a\nv 1 0 0\nv 0 1 0\nf 1 2 3 # f 1 2\n", 1, one);
    expect_triangles(THREE "f 1 2 3 #\nl 1 2 # x\nf 1 2 3 # \\\n# v", 2,
                     (const int32_t[]){0, 1, 2, 0, 1, 2});
    expect_triangles("v 0 0 0\nf 1 2 3 # \\\nv 1 0 0\nv 0 1 0\n", 1, one);
    expect_refused(THREE "f 1 2 # 3\n", 4, 7,
                   "the line ends after 2 corners, must have at least 3");
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(read_text(&mesh, THREE "g #1\nf 1 2 3\n", NULL), PLI_OK);
    assert_int_equal(pli_mesh_find_group(&mesh, "#1"), 0);
    pli_mesh_free(&mesh);
}

// The mark of UTF-8 at the start, and lines that end with \r alone.
static void marks_and_line_ends(void** state) {
    (void)state;
    static const int32_t one[] = {0, 1, 2};
    expect_triangles("\xef\xbb\xbf" THREE "f 1 2 3\n", 1, one);
    expect_refused("\xef\xbb\xbfv 0 x 0\n", 1, 5, "coordinate \"x\", must be a finite number");
    expect_refused("\xef\xbb", 1, 1, "no vertices (lines \"v x y z\") in the file");
    expect_triangles("v 0 0 0\rv 1 0 0\r\rv 0 1 0\rf 1 2 \\\r3\r", 1, one);
    expect_refused("v 0 0 0\r\rv 1 0 0\rv 0 1 0\rf 1 2 4", 5, 7,
                   "vertex 4, must be 1 to 3 or -1 to -3");
    expect_refused("v 0 0 0\r\r\nv 1 0 0\r\nv 0 1 0\nf 1 2 4\r", 4, 7,
                   "vertex 4, must be 1 to 3 or -1 to -3");
}

static void polylines(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_vertices(&mesh, 1, (const double[3]){5}, NULL, NULL), PLI_OK);
    assert_int_equal(read_text(&mesh, THREE "l 1 2 3 1\nl -1/2 -2\n", NULL), PLI_OK);
    static const int32_t expected[] = {1, 2, 2, 3, 3, 1, 3, 2}; // behind the vertex that was there
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 4);
    assert_memory_equal(mesh.elements[PLI_SEGMENT], expected, sizeof expected);
    pli_mesh_free(&mesh);
}

static void errors_have_places(void** state) {
    (void)state;
    expect_refused("", 1, 1, "no vertices (lines \"v x y z\") in the file");
    expect_refused("# nothing\nvn 0 0 1\n", 1, 1, "no vertices (lines \"v x y z\") in the file");
    expect_refused("v 0 0 0\nv 1 abc 0\n", 2, 5, "coordinate \"abc\", must be a finite number");
    expect_refused("v 0 0 nan\n", 1, 7, "coordinate \"nan\", must be a finite number");
    expect_refused("v 0 -inf 0\n", 1, 5, "coordinate \"-inf\", must be a finite number");
    expect_refused("v 0 1e999 0\n", 1, 5, "coordinate \"1e999\", must be a finite number");
    expect_refused("v 0 1,5 0\n", 1, 5, "coordinate \"1,5\", must be a finite number");
    expect_refused("v 0 0\nv 0 0 0\n", 1, 6,
                   "the line ends after 2 coordinates of a vertex, must have 3");
    expect_refused("v", 1, 2, "the file ends after 0 coordinates of a vertex, must have 3");
    expect_refused(THREE "f 1 2\n", 4, 6, "the line ends after 2 corners, must have at least 3");
    expect_refused(THREE "l 1\n", 4, 4, "the line ends after 1 corners, must have at least 2");
    expect_refused(THREE "f 1 2 4\n", 4, 7, "vertex 4, must be 1 to 3 or -1 to -3");
    expect_refused(THREE "f 1 2 0\n", 4, 7, "vertex 0, must be 1 to 3 or -1 to -3");
    expect_refused(THREE "f 1 2 -4\n", 4, 7, "vertex -4, must be 1 to 3 or -1 to -3");
    expect_refused("v 0 0 0\nf -2 1 1\nv 1 0 0\n", 2, 3, "vertex -2, must be 1 to 2 or -1 to -1");
    expect_refused(THREE "f 1 2 99999999999999999999\n", 4, 7,
                   "vertex 9223372036854775807, must be 1 to 3 or -1 to -3");
    expect_refused(THREE "f 1 2 \\\n  x\n", 5, 3,
                   "corner \"x\", must be a vertex number, v/vt, v//vn or v/vt/vn");
    expect_refused(THREE "f 1/x 2 3\n", 4, 3,
                   "corner \"1/x\", must be a vertex number, v/vt, v//vn or v/vt/vn");
    expect_refused(THREE "f 1/// 2 3\n", 4, 3,
                   "corner \"1///\", must be a vertex number, v/vt, v//vn or v/vt/vn");
    expect_refused(THREE "f 1.5 2 3\n", 4, 3,
                   "corner \"1.5\", must be a vertex number, v/vt, v//vn or v/vt/vn");
    expect_refused(THREE "f 1//1/1 2 3\n", 4, 3,
                   "corner \"1//1/1\", must be a vertex number, v/vt, v//vn or v/vt/vn");
}

static void files_that_cannot_be_read(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    pli_error error = {0};
    assert_int_equal(pli_mesh_read_obj(&mesh, "/nowhere/missing.obj", &error), PLI_E_IO);
    assert_string_equal(error.message, "/nowhere/missing.obj: No such file or directory");
    assert_int_equal(pli_mesh_read_obj(&mesh, "/tmp", &error), PLI_E_IO); // a folder
    write_bytes("v 0 0 0\0v 1 1 1\n", 16);
    assert_int_equal(pli_mesh_read_obj(&mesh, path, &error), PLI_E_SCENE);
    pli_mesh_free(&mesh);
}

// Larger than the buffer, so that it grows; and every allocation fails once.
static void large_file_and_no_memory(void** state) {
    (void)state;
    enum { COUNT = 9000 };
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < COUNT; ++i) fprintf(file, "v %d %d.25 -%d\n", i, i, i);
    for (int i = 2; i < COUNT; ++i) fprintf(file, "f %d %d %d\n", i - 1, i, i + 1);
    assert_int_equal(fclose(file), 0);
    for (int n = 1;; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_mesh mesh;
        pli_mesh_init(&mesh, &hook);
        pli_error error = {0};
        pli_status status = pli_mesh_read_obj(&mesh, path, &error);
        bool done = status == PLI_OK;
        assert_int_equal(mesh.vertex_count, done ? COUNT : 0);
        assert_int_equal(mesh.element_count[PLI_TRIANGLE], done ? COUNT - 2 : 0);
        if (done) assert_true(mesh.positions[3 * 8000 + 1] == 8000.25);
        pli_mesh_free(&mesh);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
        if (done) break;
        assert_int_equal(status, PLI_E_MEMORY);
    }
}

// No bytes make the reader do anything but accept or refuse.
static void broken_bytes(void** state) {
    (void)state;
    const char good[] = "v 0 0 0\nv 1 0 0\r\nv 0 1 0\nf 1/1/1 2//2 -1\nl 1 2 3\n";
    for (size_t cut = 0; cut < sizeof good; ++cut)
        for (int c = 1; c < 256; c += 5) {
            char text[sizeof good];
            memcpy(text, good, sizeof good);
            text[cut] = (char)c;
            pli_mesh mesh;
            pli_mesh_init(&mesh, NULL);
            write_bytes(text, cut % 2 ? cut + 1 : sizeof good - 1);
            pli_error error = {0};
            pli_status status = pli_mesh_read_obj(&mesh, path, &error);
            assert_true(status == PLI_OK || status == PLI_E_SCENE);
            if (status == PLI_E_SCENE) assert_true(error.message[0] && error.line > 0);
            pli_mesh_free(&mesh);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_faces),
        cmocka_unit_test(polylines),
        cmocka_unit_test(continued_lines_are_no_vertices),
        cmocka_unit_test(comments),
        cmocka_unit_test(marks_and_line_ends),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(large_file_and_no_memory),
        cmocka_unit_test(broken_bytes),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
