// What tests that write files share: a temporary folder, whole files, a full disk. Include it
// first.
#ifndef PLI_TESTS_BASE_FOLDER_H
#define PLI_TESTS_BASE_FOLDER_H

#define _POSIX_C_SOURCE 200809L

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TEST_PATH_SIZE 512

typedef struct test_folder {
    char path[TEST_PATH_SIZE];
} test_folder;

static inline test_folder make_test_folder(void) {
    test_folder folder = {"/tmp/pliant_test_XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static inline const char* path_in(const test_folder* folder, const char* name,
                                  char path[2 * TEST_PATH_SIZE]) {
    snprintf(path, 2 * TEST_PATH_SIZE, "%s/%s", folder->path, name);
    return path;
}

static inline bool exists_in(const test_folder* folder, const char* name) {
    char path[2 * TEST_PATH_SIZE];
    return access(path_in(folder, name, path), F_OK) == 0;
}

// Number of entries; the names that end in ".tmp" alone if `temporary`.
static inline int count_entries(const test_folder* folder, bool temporary) {
    DIR* stream = opendir(folder->path);
    assert_non_null(stream);
    int count = 0;
    for (const struct dirent* entry; (entry = readdir(stream));) {
        size_t length = strlen(entry->d_name);
        bool dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        bool ends = length > 4 && strcmp(entry->d_name + length - 4, ".tmp") == 0;
        if (!dots && (ends || !temporary)) count++;
    }
    closedir(stream);
    return count;
}

// Removes the folder with its files and empty folders.
static inline void remove_test_folder(const test_folder* folder) {
    DIR* stream = opendir(folder->path);
    assert_non_null(stream);
    for (const struct dirent* entry; (entry = readdir(stream));) {
        char path[2 * TEST_PATH_SIZE];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            assert_int_equal(remove(path_in(folder, entry->d_name, path)), 0);
    }
    closedir(stream);
    assert_int_equal(rmdir(folder->path), 0);
}

// A whole file, with a zero after it; freed by the caller.
static inline char* read_whole(const test_folder* folder, const char* name, size_t* size) {
    char path[2 * TEST_PATH_SIZE];
    FILE* file = fopen(path_in(folder, name, path), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    rewind(file);
    char* text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    text[length] = 0;
    fclose(file);
    if (size) *size = (size_t)length;
    return text;
}

static inline void write_whole(const test_folder* folder, const char* name, const char* text) {
    char path[2 * TEST_PATH_SIZE];
    FILE* file = fopen(path_in(folder, name, path), "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// A disk that is full: until restore_files no file can grow beyond `size` bytes.
typedef struct file_limit {
    struct rlimit limit;
    void (*handler)(int);
} file_limit;

static inline file_limit limit_files(rlim_t size) {
    file_limit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old.limit), 0);
    struct rlimit limit = old.limit;
    limit.rlim_cur = size;
    old.handler = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    return old;
}

// Before any assertion: messages go to a file, too.
static inline void restore_files(const file_limit* old) {
    setrlimit(RLIMIT_FSIZE, &old->limit);
    signal(SIGXFSZ, old->handler);
}

// A locale with a decimal comma; false if this machine has none.
static inline bool use_comma_locale(void) {
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "it_IT.UTF-8", "de_DE",      "es_ES.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (setlocale(LC_ALL, names[i])) return true;
    return false;
}

#endif
