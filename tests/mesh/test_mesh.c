// Mesh storage: adding, refusing, growing, running out of memory.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/allocator.h"
#include "pliant/mesh.h"

static const double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

static void adds_and_numbers(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    int first = -1;
    pli_error error = {0};
    assert_int_equal(pli_mesh_add_vertices(&mesh, 4, square, &first, &error), PLI_OK);
    assert_int_equal(first, 0);
    assert_int_equal(pli_mesh_add_vertices(&mesh, 4, square, &first, &error), PLI_OK);
    assert_int_equal(first, 4);
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3}, tetrahedron[] = {0, 1, 2, 7};
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 2, triangles, &error), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 1, tetrahedron, &error), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 0, NULL, &error), PLI_OK);
    assert_int_equal(mesh.vertex_count, 8);
    assert_memory_equal(mesh.positions + 12, square, sizeof square);
    assert_memory_equal(mesh.elements[PLI_TRIANGLE], triangles, sizeof triangles);
    assert_int_equal(mesh.element_count[PLI_TETRAHEDRON], 1);
    pli_mesh_free(&mesh);
    assert_int_equal(mesh.vertex_count, 0);
    assert_null(mesh.positions);
    pli_mesh_free(&mesh); // twice is fine
}

static void one_by_one(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator hook = pli_test_hook(&counter);
    pli_mesh mesh;
    pli_mesh_init(&mesh, &hook);
    for (int i = 0; i < 5000; ++i) {
        double p[3] = {i, 2 * i, -i};
        int32_t segment[2] = {i / 2, i};
        assert_int_equal(pli_mesh_add_vertices(&mesh, 1, p, NULL, NULL), PLI_OK);
        assert_int_equal(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 1, segment, NULL), PLI_OK);
    }
    for (int i = 0; i < 5000; ++i) {
        assert_true(mesh.positions[3 * i + 1] == 2 * i);
        assert_int_equal(mesh.elements[PLI_SEGMENT][2 * i], i / 2);
    }
    assert_true(counter.requests < 30); // doubling
    pli_mesh_free(&mesh);
    assert_int_equal(counter.bytes, 0);
    assert_false(counter.wrong_size);
}

static void refuses(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    pli_error error = {0};
    assert_int_equal(pli_mesh_add_vertices(&mesh, 4, square, NULL, &error), PLI_OK);
    const double bad[] = {0, 0, 0, 1, NAN, 0};
    assert_int_equal(pli_mesh_add_vertices(&mesh, 2, bad, NULL, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "vertex 5: coordinate y is not finite");
    assert_int_equal(pli_mesh_add_vertices(&mesh, -1, bad, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_vertices(&mesh, INT32_MAX, bad, NULL, &error), PLI_E_ARGUMENT);
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 4}, negative[] = {-1, 0};
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 2, triangles, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, "triangle 1: vertex 4, the mesh has 4");
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 1, negative, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_VERTEX, 1, triangles, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_ELEMENT_KIND_COUNT, 1, triangles, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 0);
    pli_mesh_free(&mesh);
}

// A mesh doubled out of its own arrays, which move.
static void out_of_its_own_arrays(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator hook = pli_test_hook(&counter);
    pli_mesh mesh;
    pli_mesh_init(&mesh, &hook);
    pli_error error = {0};
    assert_int_equal(pli_mesh_add_rectangle(&mesh, 1, 1, 5, 5, PLI_TRIANGLES, &error), PLI_OK);
    int n = mesh.vertex_count, m = mesh.element_count[PLI_TRIANGLE];
    int left = pli_mesh_find_group(&mesh, "left");
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(pli_mesh_add_vertices(&mesh, n - 1, mesh.positions + 3, NULL, &error),
                         PLI_OK);
        assert_int_equal(
            pli_mesh_add_elements(&mesh, PLI_TRIANGLE, m, mesh.elements[PLI_TRIANGLE], &error),
            PLI_OK);
        const pli_mesh_group* g = &mesh.groups[left];
        assert_int_equal(
            pli_mesh_add_group(&mesh, "left", 0, g->dim, g->vertex_count, g->vertices, &error),
            PLI_OK);
    }
    for (int copy = 0; copy < 3; ++copy)
        assert_memory_equal(mesh.positions + 3 * (n + copy * (n - 1)), mesh.positions + 3,
                            3 * sizeof(double) * (size_t)(n - 1));
    for (int copy = 1; copy < 4; ++copy)
        assert_memory_equal(mesh.elements[PLI_TRIANGLE] + 3 * copy * m, mesh.elements[PLI_TRIANGLE],
                            3 * sizeof(int32_t) * (size_t)m);
    assert_int_equal(mesh.groups[left].vertex_count, 6);
    pli_mesh_free(&mesh);
    assert_int_equal(counter.bytes, 0);
}

static void memory_may_run_out_anywhere(void** state) {
    (void)state;
    for (int n = 1;; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_mesh mesh;
        pli_mesh_init(&mesh, &hook);
        pli_error error = {0};
        pli_status status = pli_mesh_add_rectangle(&mesh, 1, 1, 5, 5, PLI_TRIANGLES, &error);
        if (status == PLI_OK) status = pli_mesh_add_disk(&mesh, 1, 4, &error);
        // Either all of a shape is there or nothing of it.
        if (mesh.vertex_count == 0) assert_int_equal(mesh.element_count[PLI_TRIANGLE], 0);
        if (mesh.vertex_count == 36) assert_int_equal(mesh.element_count[PLI_TRIANGLE], 50);
        pli_mesh_free(&mesh);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
        if (status == PLI_OK) break;
        assert_int_equal(status, PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_and_numbers),
        cmocka_unit_test(one_by_one),
        cmocka_unit_test(refuses),
        cmocka_unit_test(out_of_its_own_arrays),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
