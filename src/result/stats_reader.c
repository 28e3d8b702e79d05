// Reads lines of a file that may still grow; only one line is in memory.
#define _POSIX_C_SOURCE 200809L
#include "result/stats_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, LINE_LIMIT = 64 << 20 };

static pli_status fail_lines(const pli_stats_reader* l, const char* what, pli_error* error) {
    return pli_fail(error, PLI_E_IO, "cannot read %.300s: %s", l->path, what);
}

pli_status pli_stats_reader_open(pli_stats_reader* l, pli_memory* memory, const char* folder,
                                 pli_error* error) {
    *l = (pli_stats_reader){.memory = memory};
    pli_format(l->path, sizeof l->path, "%s/stats.jsonl", folder);
    l->descriptor = open(l->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (l->descriptor < 0) return fail_lines(l, strerror(errno), error);
    off_t size = lseek(l->descriptor, 0, SEEK_END);
    if (size < 0 || lseek(l->descriptor, 0, SEEK_SET) < 0) {
        int code = errno;
        close(l->descriptor);
        return fail_lines(l, strerror(code), error);
    }
    l->size = size;
    return PLI_OK;
}

void pli_stats_reader_close(pli_stats_reader* l) {
    close(l->descriptor);
    PLI_FREE(l->memory, l->text, l->capacity);
}

pli_status pli_stats_reader_next(pli_stats_reader* l, const char** line, int* length,
                                 pli_error* error) {
    for (int looked = l->used;;) {
        char* found =
            l->end > looked ? memchr(l->text + looked, '\n', (size_t)(l->end - looked)) : NULL;
        if (found) {
            *line = l->text + l->used;
            *length = (int)(found - *line);
            l->used = (int)(found + 1 - l->text);
            l->given += *length + 1;
            ++l->number;
            return PLI_OK;
        }
        if (l->used > 0) memmove(l->text, l->text + l->used, (size_t)(l->end - l->used));
        l->end -= l->used;
        l->used = 0;
        looked = l->end;
        if (l->end > LINE_LIMIT) return fail_lines(l, "a line of more than 64 MB", error);
        PLI_TRY(PLI_GROW(l->memory, l->text, l->capacity, l->end + CHUNK, error));
        ssize_t n = read(l->descriptor, l->text + l->end, CHUNK);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_lines(l, strerror(errno), error);
        *line = NULL;
        if (n == 0) return PLI_OK;
        l->end += (int)n;
    }
}

pli_status pli_stats_reader_parse(const pli_stats_reader* l, const char* line, int length,
                                  json_t** record, pli_error* error) {
    json_error_t wrong = {.column = 0};
    json_t* row = json_loadb(line, (size_t)length, 0, &wrong);
    if (!json_is_object(row)) {
        json_decref(row);
        return pli_fail_at(error, PLI_E_SCENE, (int)l->number, wrong.column,
                           "%.300s:%lld: not a JSON object", l->path, (long long)l->number);
    }
    *record = row;
    return PLI_OK;
}

pli_status pli_stats_reader_record(pli_stats_reader* l, json_t** record, pli_error* error) {
    const char* line = NULL;
    int length = 0;
    *record = NULL;
    PLI_TRY(pli_stats_reader_next(l, &line, &length, error));
    return line ? pli_stats_reader_parse(l, line, length, record, error) : PLI_OK;
}
