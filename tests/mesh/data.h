// Files of the data folder (environment variable or definition PLIANT_DATA), and scratch files.
#ifndef TESTS_MESH_DATA_H
#define TESTS_MESH_DATA_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "oracle/near.h"
#include "pliant/mesh.h"

static inline const char* data_folder(void) {
    const char* folder = getenv("PLIANT_DATA");
#ifdef PLIANT_DATA
    if (!folder) folder = PLIANT_DATA;
#endif
    return folder;
}

// The full name of meshes/NAME; the test is skipped where it is not there.
static inline const char* data_path(const char* name, char full[1000]) {
    if (!data_folder()) {
        print_message("PLIANT_DATA is not set: skipped\n");
        skip();
    }
    snprintf(full, 1000, "%s/meshes/%s", data_folder(), name);
    if (access(full, R_OK) != 0) {
        print_message("%s is not there: skipped\n", full);
        skip();
    }
    return full;
}

// A scratch file with this extension and these bytes. Returns its name.
static inline const char* scratch_file(const char* extension, const void* bytes, size_t size) {
    static char path[100];
    snprintf(path, sizeof path, "/tmp/pliant_test_%d%s", (int)getpid(), extension);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    if (size > 0) assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char* scratch_text(const char* extension, const char* text) {
    return scratch_file(extension, text, strlen(text));
}

#endif
