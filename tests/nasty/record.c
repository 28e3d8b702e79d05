// Records as lines of CSV. One table names the columns; texts hold no commas and no quotes.
#include "nasty/record.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_SIZE = 1024 };

typedef struct field {
    const char* name;
    size_t offset, size;
    void (*print)(FILE* file, const void* value);
    void (*parse)(const char* text, void* value, size_t size);
} field;

// ---- kinds of values

static void print_text(FILE* file, const void* value) {
    for (const char* c = value; *c; ++c)
        fputc(*c == ',' ? ';' : *c == '"' ? '\'' : *c == '\n' || *c == '\r' ? ' ' : *c, file);
}
static void parse_text(const char* text, void* value, size_t size) {
    snprintf(value, size, "%s", text);
}

static void print_int(FILE* file, const void* value) { fprintf(file, "%d", *(const int*)value); }
static void parse_int(const char* text, void* value, size_t size) {
    (void)size;
    *(int*)value = atoi(text);
}

static void print_number(FILE* file, const void* value) {
    fprintf(file, "%.6g", *(const double*)value);
}
static void parse_number(const char* text, void* value, size_t size) {
    (void)size;
    *(double*)value = strtod(text, NULL);
}

static void print_seed(FILE* file, const void* value) {
    fprintf(file, "%llu", (unsigned long long)*(const uint64_t*)value);
}
static void parse_seed(const char* text, void* value, size_t size) {
    (void)size;
    *(uint64_t*)value = strtoull(text, NULL, 10);
}

static void print_end(FILE* file, const void* value) {
    fputs(pli_nasty_end_text(*(const nasty_end*)value), file);
}
static void parse_end(const char* text, void* value, size_t size) {
    (void)size;
    for (int i = 0; i < NASTY_END_COUNT; ++i)
        if (strcmp(text, pli_nasty_end_text((nasty_end)i)) == 0) *(nasty_end*)value = (nasty_end)i;
}

// Counts, one after the other: `value` is step_count, the array follows it.
static void print_steps(FILE* file, const void* value) {
    const int* counts = value;
    for (int i = 1; i <= counts[0]; ++i) fprintf(file, "%s%d", i > 1 ? " " : "", counts[i]);
}
static void parse_steps(const char* text, void* value, size_t size) {
    (void)size;
    int* counts = value;
    char* end;
    for (counts[0] = 0; *text && counts[0] < NASTY_STEPS; text = end)
        counts[++counts[0]] = (int)strtol(text, &end, 10);
}
static_assert(offsetof(nasty_run, step_iterations) == offsetof(nasty_run, step_count) + sizeof(int),
              "the counts follow their number");

// ---- columns

#define FIELD(kind, name, member)                                                                  \
    {                                                                                              \
        name, offsetof(nasty_record, member), sizeof((nasty_record*)0)->member, print_##kind,      \
            parse_##kind                                                                           \
    }
static const field fields[] = {
    FIELD(text, "family", family),
    FIELD(seed, "seed", seed),
    FIELD(end, "end", run.end),
    FIELD(text, "reason", run.reason),
    FIELD(int, "bodies", run.body_count),
    FIELD(int, "vertices", run.vertex_count),
    FIELD(int, "steps_asked", run.steps_asked),
    FIELD(int, "steps_done", run.steps),
    FIELD(int, "iterations", run.iterations),
    FIELD(int, "unconverged", run.unconverged),
    FIELD(int, "halved", run.halved),
    FIELD(int, "rejected", run.rejected),
    FIELD(int, "blocked", run.blocked),
    FIELD(number, "cpu_seconds", run.seconds),
    FIELD(number, "ledger", run.ledger),
    FIELD(number, "ledger_sum", run.ledger_sum),
    FIELD(number, "residual", run.residual),
    FIELD(number, "min_distance", run.min_distance),
    FIELD(int, "crossings", run.crossings),
    FIELD(int, "inverted", run.inverted),
    FIELD(steps, "step_iterations", run.step_count),
    FIELD(text, "message", run.message),
};
enum { FIELDS = sizeof fields / sizeof *fields };

void pli_nasty_write_head(FILE* file) {
    for (int i = 0; i < FIELDS; ++i) fprintf(file, "%s%s", i ? "," : "", fields[i].name);
    fputc('\n', file);
}

void pli_nasty_write_record(FILE* file, const nasty_record* record) {
    for (int i = 0; i < FIELDS; ++i) {
        if (i > 0) fputc(',', file);
        fields[i].print(file, (const char*)record + fields[i].offset);
    }
    fputc('\n', file);
    fflush(file);
}

static bool read_record(char* line, nasty_record* record) {
    *record = (nasty_record){0};
    line[strcspn(line, "\r\n")] = 0;
    for (int i = 0; i < FIELDS; ++i) {
        char* comma = strchr(line, ',');
        if (!comma != (i == FIELDS - 1)) return false;
        if (comma) *comma = 0;
        fields[i].parse(line, (char*)record + fields[i].offset, fields[i].size);
        if (comma) line = comma + 1;
    }
    return true;
}

nasty_record* pli_nasty_read_records(FILE* file, int* count, int* line) {
    char text[4 * FIELD_SIZE];
    int room = 1024;
    nasty_record* records = malloc(sizeof *records * (size_t)room);
    *count = *line = 0;
    while (records && fgets(text, sizeof text, file)) {
        if ((*line)++ == 0) continue; // names of the columns
        if (*count == room) {
            void* more = realloc(records, sizeof *records * (size_t)(room *= 2));
            if (!more) break;
            records = more;
        }
        if (!read_record(text, &records[(*count)++])) {
            free(records);
            return NULL;
        }
    }
    return records;
}
