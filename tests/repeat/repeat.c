// Do runs repeat? Runs the rows of a table and compares a hash of what they end in with the one the
// table has, for several numbers of threads.
// usage: pliant_repeat [-t THREADS]... [-f] [-r] TABLE FOLDER
//   FOLDER  what the scenes in the table are relative to
//   -t      number of threads; several are run one after the other; default: 1, 2, 3 and 8
//   -f      in full: rows that begin with + too
//   -r      renew: prints the table with the hashes of this build instead of comparing
// A row: scene, number of steps, hash (or -: only the numbers of threads are compared), overrides.
#define _POSIX_C_SOURCE 200809L
#include "pliant/pliant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 12, FIXED_WORDS = 3, LINE = 512 };

typedef struct outcome {
    uint64_t hash;
    int contacts, iterations;
} outcome;

// FNV-1a over the bits, lowest byte first whatever the machine.
static uint64_t hash_numbers(uint64_t hash, const double* x, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        for (int byte = 0; byte < 8; ++byte)
            hash = (hash ^ (bits >> 8 * byte & 255)) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static bool complain(const char* scene, const char* message) {
    fprintf(stderr, "%s: %s\n", scene, message);
    return false;
}

static bool step(pli_world* world, int steps, const char* name, outcome* out) {
    pli_error error = {0};
    *out = (outcome){.hash = UINT64_C(0xcbf29ce484222325)};
    for (int i = 0; i < steps; ++i) {
        pli_step_info info;
        if (pli_world_step(world, &info, &error) != PLI_OK) return complain(name, error.message);
        if (!info.kept) return complain(name, pli_reason_text(info.reason));
        out->contacts = info.contact_count;
        out->iterations += info.iterations;
    }
    size_t count = 3 * (size_t)pli_world_vertex_count(world);
    double time = pli_world_time(world);
    out->hash = hash_numbers(out->hash, &time, 1);
    out->hash = hash_numbers(out->hash, pli_world_positions(world), count);
    out->hash = hash_numbers(out->hash, pli_world_velocities(world), count);
    return true;
}

static bool run(const char* folder, char* const* words, int count, int threads, outcome* out) {
    char path[2 * LINE];
    snprintf(path, sizeof path, "%s/%s", folder, words[0]);
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.overrides = (const char* const*)(words + FIXED_WORDS);
    def.override_count = count - FIXED_WORDS;
    def.thread_count = threads;
    pli_scene* scene = NULL;
    pli_error error = {0};
    if (pli_scene_create(&def, &scene, &error) != PLI_OK) return complain(path, error.message);
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        if (pli_scene_finding(scene, i)->severity == PLI_ERROR)
            complain(path, pli_scene_finding(scene, i)->message);
    pli_world* world = pli_scene_world(scene);
    bool done = world && step(world, atoi(words[1]), words[0], out);
    pli_scene_destroy(scene);
    return done;
}

typedef struct options {
    const char* folder;
    int threads[8], thread_counts;
    bool full, renew;
} options;

// One row; `line` is cut into words.
static bool check_row(const options* o, char* line) {
    char *words[MOST_WORDS], *rest = NULL, found[24] = "-";
    int count = 0;
    for (char* w = strtok_r(line, " \n", &rest); w && count < MOST_WORDS;
         w = strtok_r(NULL, " \n", &rest))
        words[count++] = w;
    if (count < FIXED_WORDS) return complain("table", "a row has a scene, steps and a hash");
    const char* mark = words[0][0] == '+' ? "+" : "";
    words[0] += strlen(mark);
    bool golden = strcmp(words[2], "-") != 0, same = true;
    outcome first = {0};
    for (int i = 0; i < o->thread_counts; ++i) {
        outcome now;
        if (!run(o->folder, words, count, o->threads[i], &now)) return false;
        if (i == 0) first = now;
        if (golden || !o->renew) snprintf(found, sizeof found, "%016" PRIx64, now.hash);
        if (now.hash != first.hash) {
            printf("%s: %d threads give %s\n", words[0], o->threads[i], found);
            same = false;
        }
        if (golden && !o->renew && strcmp(found, words[2]) != 0) {
            printf("%s: %s with %d threads, the table has %s\n", words[0], found, o->threads[i],
                   words[2]);
            same = false;
        }
    }
    if (o->renew) {
        printf("%s%s %s %s", mark, words[0], words[1], golden ? found : "-");
        for (int i = FIXED_WORDS; i < count; ++i) printf(" %s", words[i]);
        printf("\n");
        fprintf(stderr, "%s: %d iterations, %d contacts\n", words[0], first.iterations,
                first.contacts);
    }
    return same;
}

// CHOLMOD is not linked by default.
static bool is_known(const char* line) {
#ifdef PLIANT_CHOLMOD
    (void)line;
    return true;
#else
    return strstr(line, "solver.linear=\"cholesky\"") == NULL;
#endif
}

static bool check_table(const options* o, const char* path) {
    FILE* file = fopen(path, "r");
    if (!file) return complain(path, "cannot be opened");
    char line[LINE];
    int rows = 0, bad = 0;
    while (fgets(line, sizeof line, file)) {
        bool skip =
            line[0] == '#' || line[0] == '\n' || (line[0] == '+' && !o->full) || !is_known(line);
        if (skip && o->renew) fputs(line, stdout);
        if (skip) continue;
        rows++;
        bad += !check_row(o, line);
        fflush(stdout);
    }
    fclose(file);
    if (!o->renew && bad > 0)
        printf("other bits: if they are wanted, `make repeat-renew` takes them into the table\n");
    if (!o->renew) printf("%d of %d rows repeat\n", rows - bad, rows);
    return bad == 0;
}

int main(int argc, char** argv) {
    options o = {.threads = {1, 2, 3, 8}, .thread_counts = 4};
    bool given = false;
    for (int c; (c = getopt(argc, argv, "t:fr")) != -1;) {
        if (c == 't' && !given) o.thread_counts = 0;
        if (c == 't' && o.thread_counts < 8) o.threads[o.thread_counts++] = atoi(optarg);
        given |= c == 't';
        o.full |= c == 'f';
        o.renew |= c == 'r';
        if (c == '?') return 2;
    }
    if (argc - optind != 2) {
        fprintf(stderr, "usage: pliant_repeat [-t THREADS]... [-f] [-r] TABLE FOLDER\n");
        return 2;
    }
    o.folder = argv[optind + 1];
    return check_table(&o, argv[optind]) ? 0 : 1;
}
