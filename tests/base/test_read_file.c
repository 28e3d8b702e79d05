// Files are read whole; what is no regular file, or too large, is refused without waiting.
#define _POSIX_C_SOURCE 200809L // mkdtemp, mkfifo
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

static char folder[] = "/tmp/pliant_read_XXXXXX";

static const char* path_of(const char* name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void** state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void** state) {
    (void)state;
    return rmdir(folder);
}

static void refuses(const char* path, size_t limit, const char* reason) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    char* text = NULL;
    size_t size = 7;
    pli_error error = {0};
    assert_int_equal(pli_read_file(&memory, path, limit, &text, &size, &error), PLI_E_IO);
    if (!strstr(error.message, reason)) {
        print_message("%s\n", error.message);
        fail();
    }
    assert_null(text);
    assert_int_equal(size, 7);
    assert_int_equal(memory.bytes, 0);
}

static void whole_text(void** state) {
    (void)state;
    const char* path = path_of("text");
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs("one\ntwo", file);
    fclose(file);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    char* text = NULL;
    size_t size;
    assert_int_equal(pli_read_file(&memory, path, 7, &text, &size, NULL), PLI_OK);
    assert_int_equal(size, 8);
    assert_string_equal(text, "one\ntwo");
    PLI_FREE(&memory, text, size);
    assert_int_equal(memory.bytes, 0);
    refuses(path, 6, "has 7 bytes, must have at most 6");
    unlink(path);
    refuses(path, 6, "No such file");
}

// A huge file costs nothing: its size is looked at before it is read.
static void huge_files(void** state) {
    (void)state;
    const char* path = path_of("huge");
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    int cut = ftruncate(fileno(file), (off_t)1 << 40); // sparse: takes no room
    fclose(file);
    if (cut == 0) refuses(path, 1 << 20, "must have at most 1048576");
    unlink(path);
}

static void what_is_no_file(void** state) {
    (void)state;
    refuses(folder, 100, "is a folder");
    refuses("/dev/null", 100, "not a regular file");
    refuses("/dev/zero", 100, "not a regular file");
    const char* path = path_of("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    refuses(path, 100, "not a regular file"); // nobody writes: an ordinary open would wait
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_text),
        cmocka_unit_test(huge_files),
        cmocka_unit_test(what_is_no_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
