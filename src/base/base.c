// Errors and wall time.
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fill(pli_error* error, pli_status status, int line, int column, const char* format,
                 va_list args) {
    if (!error) return;
    error->status = status;
    error->line = line;
    error->column = column;
    error->object = PLI_OBJECT_NONE;
    error->index = -1;
    error->key[0] = '\0';
    vsnprintf(error->message, sizeof error->message, format, args);
}

void pli_error_fill(pli_error* error, pli_status status, const char* format, ...) {
    va_list args;
    va_start(args, format);
    fill(error, status, 0, 0, format, args);
    va_end(args);
}

void pli_error_fill_at(pli_error* error, pli_status status, int line, int column,
                       const char* format, ...) {
    va_list args;
    va_start(args, format);
    fill(error, status, line, column, format, args);
    va_end(args);
}

// Appends as much as fits.
static void append(char* text, size_t size, const char* more) {
    size_t used = strlen(text), n = strlen(more);
    if (n > size - 1 - used) n = size - 1 - used;
    memcpy(text + used, more, n);
    text[used + n] = 0;
}

void pli_error_prefix(pli_error* error, const char* format, ...) {
    if (!error) return;
    char old[sizeof error->message];
    memcpy(old, error->message, sizeof old);
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    append(error->message, sizeof error->message, ": ");
    append(error->message, sizeof error->message, old);
}

pli_status pli_error_place(pli_status status, pli_error* error, pli_object object, int index,
                           const char* key) {
    if (status == PLI_OK || !error) return status;
    if (error->object == PLI_OBJECT_NONE) {
        error->object = object;
        error->index = index;
    }
    if (key && !error->key[0]) append(error->key, sizeof error->key, key);
    return status;
}

pli_status pli_error_key(pli_status status, pli_error* error, const char* key) {
    return pli_error_place(status, error, PLI_OBJECT_NONE, -1, key);
}

#ifdef PLI_ASSERTS
void pli_assert_failed(const char* expression, const char* file, int line) {
    fprintf(stderr, "%s:%d: PLI_ASSERT(%s) failed: a bug in Pliant\n", file, line, expression);
    abort();
}
#endif

// ---- time

double pli_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
