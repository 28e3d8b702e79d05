// What is kept of each hard scene: one line of a CSV file (record.c), and the tables made of many
// (tables.c).
#ifndef TESTS_NASTY_RECORD_H
#define TESTS_NASTY_RECORD_H

#include <stdio.h>

#include "nasty/nasty.h"

typedef struct nasty_record {
    char family[24];
    uint64_t seed;
    nasty_run run;
} nasty_record;

void pli_nasty_write_head(FILE* file);
void pli_nasty_write_record(FILE* file, const nasty_record* record);

// Reads all records of a file; to be freed. NULL: it cannot be read, or a line has another number
// of fields; `line` says which.
nasty_record* pli_nasty_read_records(FILE* file, int* count, int* line);

// One row per family, and why scenes stopped.
void pli_nasty_print_table(FILE* out, const nasty_record* records, int count);
// The scenes that both have, before and after.
void pli_nasty_print_comparison(FILE* out, const nasty_record* before, int before_count,
                                const nasty_record* after, int after_count);

#endif
