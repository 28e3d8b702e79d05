// pliant_nasty: runs hard scenes, each in a process of its own with a limit of processor time, and
// prints a table. The exit code is 1 if something that must hold did not.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nasty/record.h"
#ifdef NASTY_ENERGY_RISE
#include "torture/torture.h"
#endif

static const char usage[] =
    "pliant_nasty [options] SEED COUNT     run the scenes of these seeds, over all families\n"
    "pliant_nasty [--family NAME] SEED     print a scene (pliant run can read it)\n"
    "pliant_nasty --table FILE             the table of a CSV file\n"
    "pliant_nasty --compare BEFORE AFTER   two CSV files, scene by scene\n"
    "  --family NAME   only this family; --families lists them\n"
    "  --csv FILE      one line per scene, as they end\n"
    "  --resume        keep what the CSV file has already, run the rest\n"
    "  --limit S       processor time of a scene's steps [s], 60 by default; 0: none\n"
    "  --jobs N        scenes at a time, 1 by default\n"
    "  --dump FOLDER   write the scenes there as JSON and run nothing\n"
    "  --quiet         no line per scene\n";

typedef struct options {
    const char *family, *csv, *limit, *jobs, *dump, *table, *compare;
    bool quiet, families, resume;
    const char* rest[3];
    int rest_count;
    int family_number; // -1: all
    nasty_limits limits;
    uint64_t seed;
    int count;
} options;

// ---- options

static const struct {
    const char* word;
    size_t value, flag; // offset + 1 of what it sets
} words[] = {
    {"--family", offsetof(options, family) + 1, 0},
    {"--csv", offsetof(options, csv) + 1, 0},
    {"--limit", offsetof(options, limit) + 1, 0},
    {"--jobs", offsetof(options, jobs) + 1, 0},
    {"--dump", offsetof(options, dump) + 1, 0},
    {"--table", offsetof(options, table) + 1, 0},
    {"--compare", offsetof(options, compare) + 1, 0},
    {"--quiet", 0, offsetof(options, quiet) + 1},
    {"--families", 0, offsetof(options, families) + 1},
    {"--resume", 0, offsetof(options, resume) + 1},
};
enum { WORDS = sizeof words / sizeof *words };

// The number of arguments used; 0: wrong ones.
static int read_option(options* o, int count, char** arguments) {
    for (int i = 0; i < WORDS; ++i) {
        if (strcmp(arguments[0], words[i].word) != 0) continue;
        if (words[i].flag) *(bool*)((char*)o + words[i].flag - 1) = true;
        if (words[i].flag) return 1;
        if (count < 2) return 0;
        *(const char**)((char*)o + words[i].value - 1) = arguments[1];
        return 2;
    }
    if (arguments[0][0] == '-' || o->rest_count == 3) return 0;
    o->rest[o->rest_count++] = arguments[0];
    return 1;
}

static bool read_options(options* o, int count, char** arguments) {
    for (int i = 1, used; i < count; i += used) {
        used = read_option(o, count - i, arguments + i);
        if (used == 0) return false;
    }
    o->family_number = o->family ? pli_nasty_find_family(o->family) : -1;
    if (o->family && o->family_number < 0) return false;
    o->limits.seconds = o->limit ? atof(o->limit) : 60;
#ifdef NASTY_ENERGY_RISE
    o->limits.rise = pli_energy_rise;
#endif
    o->seed = o->rest_count > 0 ? strtoull(o->rest[0], NULL, 10) : 1;
    o->count = o->rest_count > 1 ? atoi(o->rest[1]) : 0;
    if (o->resume && !o->csv) return false;
    return o->table || o->families || (o->rest_count > 0 && o->count >= 0);
}

static int family_of(const options* o, uint64_t seed) {
    return o->family_number >= 0 ? o->family_number : pli_nasty_family_of(seed);
}

// ---- running

static nasty_record* read_file(const char* path, int* count) {
    int line = 0;
    FILE* file = fopen(path, "r");
    nasty_record* records = file ? pli_nasty_read_records(file, count, &line) : NULL;
    if (!records) fprintf(stderr, "pliant_nasty: cannot read %s, line %d\n", path, line);
    if (file) fclose(file);
    return records;
}

static void write_line(FILE* out, const nasty_record* r) {
    fprintf(out,
            "%-9s %5llu %3d bodies %5d vertices %2d of %2d steps %6d iterations %6.2f s  %s%s%s\n",
            r->family, (unsigned long long)r->seed, r->run.body_count, r->run.vertex_count,
            r->run.steps, r->run.steps_asked, r->run.iterations, r->run.seconds,
            pli_nasty_end_text(r->run.end), r->run.message[0] ? ": " : "", r->run.message);
    fflush(out);
}

static pid_t start_scene(const options* o, nasty_record* record) {
    static char text[NASTY_TEXT_SIZE];
    int family = family_of(o, record->seed);
    snprintf(record->family, sizeof record->family, "%s", pli_nasty_family(family));
    pid_t child = fork();
    if (child != 0) return child;
    pli_nasty_text(family, record->seed, text);
    pli_nasty_run(text, &o->limits, &record->run);
    _exit(0);
}

// What a process left that was ended from outside.
static void finish_record(const options* o, nasty_record* record, int status) {
    if (!WIFSIGNALED(status)) return;
    if (WTERMSIG(status) == SIGXCPU) {
        record->run.end = NASTY_SLOW;
        record->run.seconds = fmax(record->run.seconds, o->limits.seconds);
        snprintf(record->run.message, sizeof record->run.message, "step %d: %g s are over",
                 record->run.steps + 1, o->limits.seconds);
    } else {
        record->run.end = NASTY_CRASHED;
        snprintf(record->run.message, sizeof record->run.message, "step %d: signal %d",
                 record->run.steps + 1, WTERMSIG(status));
    }
}

static void finish_one(const options* o, nasty_record* records, pid_t* children, FILE* csv) {
    int status = 0;
    pid_t done = wait(&status);
    for (int i = 0; i < o->count; ++i) {
        if (children[i] != done) continue;
        children[i] = 0; // the system gives its number to others
        finish_record(o, &records[i], status);
        if (csv) pli_nasty_write_record(csv, &records[i]);
        if (!o->quiet) write_line(stdout, &records[i]);
    }
}

static bool run_scenes(const options* o, nasty_record* records, FILE* csv) {
    int jobs = o->jobs ? atoi(o->jobs) : 1, running = 0;
    pid_t* children = calloc((size_t)o->count + 1, sizeof *children);
    bool good = children != NULL;
    for (int i = 0; good && i < o->count; ++i) {
        if (records[i].family[0]) continue; // of an earlier run
        if (running == (jobs > 1 ? jobs : 1)) finish_one(o, records, children, csv), running--;
        records[i].seed = o->seed + (uint64_t)i;
        records[i].run.end = NASTY_SLOW;
        children[i] = start_scene(o, &records[i]);
        good = children[i] > 0;
        running += good;
    }
    for (; running > 0; --running) finish_one(o, records, children, csv);
    free(children);
    return good;
}

// Takes the scenes of an earlier run from its file; those without a family are still to run.
static bool take_done(const options* o, nasty_record* records) {
    int count = 0;
    nasty_record* done = read_file(o->csv, &count);
    for (int i = 0; done && i < count; ++i) {
        uint64_t at = done[i].seed - o->seed;
        if (at >= (uint64_t)o->count) continue;
        const char* family = pli_nasty_family(family_of(o, done[i].seed));
        if (strcmp(family, done[i].family) == 0) records[at] = done[i];
    }
    bool good = done != NULL;
    free(done);
    return good;
}

static FILE* open_csv(const options* o, nasty_record* records) {
    if (o->resume && !take_done(o, records)) return NULL;
    FILE* csv = fopen(o->csv, o->resume ? "a" : "w");
    if (!csv) fprintf(stderr, "pliant_nasty: cannot write %s\n", o->csv);
    if (csv && !o->resume) pli_nasty_write_head(csv);
    return csv;
}

// Records are shared with the processes that fill them.
static int run_all(const options* o) {
    size_t size = sizeof(nasty_record) * (size_t)o->count;
    nasty_record* records =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (records == MAP_FAILED) {
        fprintf(stderr, "pliant_nasty: no memory for %d scenes\n", o->count);
        return 2;
    }
    FILE* csv = o->csv ? open_csv(o, records) : NULL;
    if (o->csv && !csv) return 2;
    bool good = run_scenes(o, records, csv);
    if (csv) fclose(csv);
    int faults = !good;
    for (int i = 0; i < o->count; ++i) faults += records[i].run.end >= NASTY_REFUSED;
    pli_nasty_print_table(stdout, records, o->count);
    munmap(records, size);
    return faults > 0;
}

// ---- the other modes

static int dump(const options* o) {
    static char text[NASTY_TEXT_SIZE];
    for (int i = 0; i < (o->count > 0 ? o->count : 1); ++i) {
        uint64_t seed = o->seed + (uint64_t)i;
        int family = family_of(o, seed);
        char path[4096];
        snprintf(path, sizeof path, "%s/%s_%llu.json", o->dump ? o->dump : ".",
                 pli_nasty_family(family), (unsigned long long)seed);
        FILE* file = o->dump ? fopen(path, "w") : stdout;
        if (!file) {
            fprintf(stderr, "pliant_nasty: cannot write %s\n", path);
            return 2;
        }
        pli_nasty_text(family, seed, text);
        fputs(text, file);
        if (o->dump) fclose(file);
    }
    return 0;
}

// One file: its table; two: both compared.
static int show(const char* before, const char* after) {
    int count[2] = {0};
    nasty_record* a = read_file(before, &count[0]);
    nasty_record* b = a && after ? read_file(after, &count[1]) : NULL;
    if (a && b) pli_nasty_print_comparison(stdout, a, count[0], b, count[1]);
    if (a && !after) pli_nasty_print_table(stdout, a, count[0]);
    bool good = a && (b || !after);
    free(a);
    free(b);
    return good ? 0 : 2;
}

static int list_families(void) {
    for (int i = 0; pli_nasty_family(i); ++i) puts(pli_nasty_family(i));
    return 0;
}

int main(int count, char** arguments) {
    options o = {0};
    if (!read_options(&o, count, arguments)) {
        fputs(usage, stderr);
        return 2;
    }
    if (o.families) return list_families();
    if (o.table) return show(o.table, NULL);
    if (o.compare) return show(o.compare, o.rest[0]);
    if (o.dump || o.count == 0) return dump(&o);
    return run_all(&o);
}
