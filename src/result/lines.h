// The lines of stats.jsonl, one record at a time, also while a run still writes it.
#ifndef PLI_RESULT_LINES_H
#define PLI_RESULT_LINES_H

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"

typedef struct pli_lines {
    pli_memory* memory;
    int descriptor;
    char* text; // what was read and not yet given
    int used, end, capacity;
    int64_t size, given; // bytes of the file at the start, and given so far
    int64_t number;      // of the present line, from 1
    char path[PLI_PATH_SIZE + 16];
} pli_lines;

// Opens folder/stats.jsonl. PLI_E_IO: it cannot be read.
pli_status pli_lines_open(pli_lines* lines, pli_memory* memory, const char* folder,
                          pli_error* error);
void pli_lines_close(pli_lines* lines);

// Goes on to the next line, which must have its end: a run may be just writing its last one. *line
// NULL: there are no more.
pli_status pli_lines_next(pli_lines* lines, const char** line, int* length, pli_error* error);
// A line as a JSON object, to be released. PLI_E_SCENE: it is none.
pli_status pli_lines_parse(const pli_lines* lines, const char* line, int length, json_t** record,
                           pli_error* error);
// The next line as a JSON object; *record NULL: there are no more.
pli_status pli_lines_record(pli_lines* lines, json_t** record, pli_error* error);

#endif
