// Whole files as text.
#define _POSIX_C_SOURCE 200809L // O_CLOEXEC
#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pli_status fail(pli_error* error, const char* path, const char* reason) {
    return pli_fail(error, PLI_E_IO, "%.300s: %s", path, reason);
}

static pli_status check(int file, const char* path, size_t limit, size_t* size, pli_error* error) {
    struct stat info;
    if (fstat(file, &info) != 0) return fail(error, path, strerror(errno));
    if (S_ISDIR(info.st_mode)) return fail(error, path, "is a folder, must be a file");
    if (!S_ISREG(info.st_mode)) return fail(error, path, "is not a regular file, must be one");
    if ((uint64_t)info.st_size > limit)
        return pli_fail(error, PLI_E_IO, "%.300s: has %lld bytes, must have at most %zu", path,
                        (long long)info.st_size, limit);
    *size = (size_t)info.st_size;
    return PLI_OK;
}

// All of `size` bytes; a file that became shorter meanwhile is a failure.
static pli_status fill(int file, const char* path, char* text, size_t size, pli_error* error) {
    for (size_t used = 0; used < size;) {
        ssize_t n = read(file, text + used, size - used);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(error, path, strerror(errno));
        if (n == 0) return fail(error, path, "became shorter while it was read");
        used += (size_t)n;
    }
    return PLI_OK;
}

pli_status pli_read_file(pli_memory* memory, const char* path, size_t limit, char** text,
                         size_t* size, pli_error* error) {
    // O_NONBLOCK: opening a pipe that nobody writes to returns at once.
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return fail(error, path, strerror(errno));
    char* buffer = NULL;
    size_t bytes = 0;
    pli_status status;
    PLI_TRY_CLEANUP(status, check(file, path, limit, &bytes, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, buffer, bytes + 1, error));
    PLI_TRY_CLEANUP(status, fill(file, path, buffer, bytes, error));
    *text = buffer;
    *size = bytes + 1;
cleanup:
    if (status != PLI_OK && buffer) PLI_FREE(memory, buffer, bytes + 1);
    close(file);
    return status;
}
