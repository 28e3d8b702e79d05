// The lines of stats.jsonl, one record at a time, also while a run still writes it.
#ifndef PLI_RESULT_STATS_READER_H
#define PLI_RESULT_STATS_READER_H

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"

typedef struct pli_stats_reader {
    pli_memory* memory;
    int descriptor;
    char* text; // what was read and not yet given
    int used, end, capacity;
    int64_t size, given; // bytes of the file at the start, and given so far
    int64_t number;      // of the present line, from 1
    char path[PLI_PATH_SIZE + 16];
} pli_stats_reader;

// Opens folder/stats.jsonl. PLI_E_IO: it cannot be read.
pli_status pli_stats_reader_open(pli_stats_reader* reader, pli_memory* memory, const char* folder,
                                 pli_error* error);
void pli_stats_reader_close(pli_stats_reader* reader);

// Goes on to the next line, which must have its end: a run may be just writing its last one. *line
// NULL: there are no more.
pli_status pli_stats_reader_next(pli_stats_reader* reader, const char** line, int* length,
                                 pli_error* error);
// A line as a JSON object, to be released. PLI_E_SCENE: it is none.
pli_status pli_stats_reader_parse(const pli_stats_reader* reader, const char* line, int length,
                                  json_t** record, pli_error* error);
// The next line as a JSON object; *record NULL: there are no more.
pli_status pli_stats_reader_record(pli_stats_reader* reader, json_t** record, pli_error* error);

#endif
