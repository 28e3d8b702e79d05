// The lines of stats.jsonl, one record at a time, also while a run still writes it.
#ifndef PLI_RESULT_STATS_READER_H
#define PLI_RESULT_STATS_READER_H

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"

typedef struct pli_stats_reader {
    pli_memory* memory;
    int descriptor;
    char* text; // read and not yet returned
    int used, end, capacity;
    int64_t size, given; // bytes of the file at the start, and returned so far
    int64_t number;      // of the current line, from 1
    char path[PLI_PATH_SIZE + 16];
} pli_stats_reader;

// Opens folder/stats.jsonl. PLI_E_IO: it cannot be read.
pli_status pli_stats_reader_open(pli_stats_reader* reader, pli_memory* memory, const char* folder,
                                 pli_error* error);
void pli_stats_reader_close(pli_stats_reader* reader);

// Reads the next line, which must be complete: a run may still be writing its last one. *line NULL:
// no more.
pli_status pli_stats_reader_next(pli_stats_reader* reader, const char** line, int* length,
                                 pli_error* error);
// A line as a JSON object, to be released. PLI_E_SCENE: it is not one.
pli_status pli_stats_reader_parse(const pli_stats_reader* reader, const char* line, int length,
                                  json_t** record, pli_error* error);
// The next line as a JSON object; *record NULL: no more.
pli_status pli_stats_reader_record(pli_stats_reader* reader, json_t** record, pli_error* error);

#endif
