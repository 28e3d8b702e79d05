// Scenes with contact beside what other simulators need for them (bench/contact_peers.txt). First a
// table of single runs: time, Newton iterations, where the time goes, pairs, memory. Then, for
// scripts, one line per scene and peer:
//   ratio SCENE PEER X  (raw: peer S s, ours S s, scale Y, frames N)
//   whole SCENE PEER X  (...)
//   output SCENE MS 0.5 PERCENT 5  (...)
// ratio: CPU seconds of the peer for as many frames, brought to this machine by the yardsticks,
// over those of our steps (median of the runs; short scenes run several times; scenes and
// yardsticks are interleaved). whole: the same with the CPU seconds of `pliant run`, from its start
// to its end, reading the scene and writing the results included. output: what writing adds, in ms
// per frame and 1,000 vertices and in % of the steps; one of the two is to be within its limit.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bars.h"
#include "command.h"
#include "measure.h"
#include "runner.h"
#include "yardstick.h"

enum { MAX_SCENES = 100, MAX_PEERS = 100, MAX_OVERRIDES = 20, MAX_RUNS = 5, YARD_LEAST = 5 };

// ---- options

typedef struct options {
    const char* folder; // with the scenes
    int steps;          // at most so many; 0: all
    int threads;
    bool quick, list, verify;
    char command[600];                    // pliant, which lies beside this program
    const char* svg;                      // time by phase is drawn here; NULL: nowhere
    const char* overrides[MAX_OVERRIDES]; // key.path=value
    int override_count;
    const char* names[MAX_SCENES];
    int name_count; // 0: all scenes of the folder
} options;

static const char usage[] =
    "usage: pliant_bench_contact FOLDER_WITH_SCENES [NAME...] [--quick] [--steps N] [--threads N]\n"
    "           [--set KEY=VALUE]... [--verify] [--list] [--svg FILE] [--command PLIANT]\n";

static bool read_options(int argc, char** argv, options* o) {
    *o = (options){.threads = 1};
    const char* slash = strrchr(argv[0], '/');
    snprintf(o->command, sizeof o->command, "%.*spliant", slash ? (int)(slash + 1 - argv[0]) : 0,
             argv[0]);
    for (int i = 1; i < argc; ++i) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(word, "--quick") == 0)
            o->quick = true;
        else if (strcmp(word, "--list") == 0)
            o->list = true;
        else if (strcmp(word, "--verify") == 0)
            o->verify = true;
        else if (strcmp(word, "--steps") == 0 && next)
            o->steps = atoi(argv[++i]);
        else if (strcmp(word, "--command") == 0 && next)
            snprintf(o->command, sizeof o->command, "%s", argv[++i]);
        else if (strcmp(word, "--svg") == 0 && next)
            o->svg = argv[++i];
        else if (strcmp(word, "--threads") == 0 && next)
            o->threads = atoi(argv[++i]);
        else if (strcmp(word, "--set") == 0 && next && o->override_count < MAX_OVERRIDES)
            o->overrides[o->override_count++] = argv[++i];
        else if (word[0] == '-')
            return false;
        else if (!o->folder)
            o->folder = word;
        else if (o->name_count < MAX_SCENES)
            o->names[o->name_count++] = word;
    }
    return o->folder != NULL;
}

// ---- peers

typedef struct peer {
    char scene[40], name[20];
    int frames, quick;
    double seconds, newton; // CPU s in all, iterations per frame
} peer;

static int read_peers(const char* folder, peer* peers) {
    char path[600], line[400];
    snprintf(path, sizeof path, "%s/../contact_peers.txt", folder);
    FILE* file = fopen(path, "r");
    int count = 0;
    while (file && count < MAX_PEERS && fgets(line, sizeof line, file)) {
        peer* p = &peers[count];
        count += line[0] != '#' && sscanf(line, "%39s %19s %d %lf %lf %d", p->scene, p->name,
                                          &p->frames, &p->seconds, &p->newton, &p->quick) == 6;
    }
    if (file) fclose(file);
    return count;
}

static const peer* find_peer(const peer* peers, int count, const char* scene, int skip) {
    for (int i = 0; i < count; ++i)
        if (strcmp(peers[i].scene, scene) == 0 && skip-- == 0) return &peers[i];
    return NULL;
}

// ---- table

static void print_legend(const options* o) {
    printf(
        "%d thread%s; symb: symbolic analyses in all; then %% of the steps: gradient, hessian, "
        "assembly, symbolic, numeric,\nsolve, collision, line search, the rest; d/dhat: smallest "
        "distance; then the peer's CPU s for as many frames, its Newton\niterations per step, and "
        "its CPU s over ours as they are\n\n",
        o->threads, o->threads > 1 ? "s" : "");
}

static void print_head(void) {
    printf("%-14s %6s %6s %5s %8s %8s %6s %6s %4s %8s %4s  %3s %3s %3s %3s %3s %3s %3s %3s "
           "%3s  %6s %6s %8s %6s  %-5s %8s %6s %6s\n",
           "scene", "verts", "tets", "steps", "wall s", "CPU s", "Newton", "/step", "most", "ms/it",
           "symb", "gr", "he", "as", "sy", "nu", "so", "co", "ls", "..", "pairs", "most", "d/dhat",
           "MB", "peer", "CPU s", "/step", "ratio");
}

static void print_phases(const pli_phase_times* s) {
    double part = 100 / s->total;
    double rest = s->total - s->gradient - s->hessian - s->assembly - s->symbolic - s->numeric -
                  s->solve - s->collision - s->line_search;
    printf("  %3.0f %3.0f %3.0f %3.0f %3.0f %3.0f %3.0f %3.0f %3.0f", part * s->gradient,
           part * s->hessian, part * s->assembly, part * s->symbolic, part * s->numeric,
           part * s->solve, part * s->collision, part * s->line_search, part * rest);
}

static void print_line(const char* name, const bench_run* r, const peer* peers, int count) {
    if (r->all.iterations == 0) {
        printf("%-14s %s\n", name, r->problem[0] ? r->problem : "no iterations");
        return;
    }
    int steps = r->all.steps;
    printf("%-14s %6d %6d %5d %8.2f %8.2f %6d %6.1f %4d %8.2f %4d", name, r->vertices,
           r->tetrahedra, steps, r->all.wall, r->all.cpu, r->all.iterations,
           (double)r->all.iterations / steps, r->most_iterations,
           1e3 * r->all.cpu / r->all.iterations, r->analyses);
    print_phases(&r->seconds);
    printf("  %6.0f %6d %8.1e %6.0f", r->pairs / steps, r->most_pairs,
           r->most_pairs > 0 ? r->min_distance / r->dhat : 0, r->memory);
    const peer* p;
    for (int i = 0; (p = find_peer(peers, count, name, i)); ++i) {
        double seconds = p->seconds * steps / p->frames;
        printf("  %-5s %8.2f %6.1f %6.1f", p->name, seconds, p->newton, seconds / r->all.cpu);
    }
    printf("\n");
    if (r->problem[0]) printf("%-14s   %d of %d steps; %s\n", "", steps, r->planned, r->problem);
    fflush(stdout);
}

// ---- scenes

typedef struct entry {
    const char* name;
    char path[600];
    bool skipped;
    int runs, wanted;
    double cpu[MAX_RUNS];   // of the steps [s]
    double whole[MAX_RUNS]; // of `pliant run` [s]
    double bare[MAX_RUNS];  // of the same without most of its files [s]
    int whole_runs;
    bench_whole command; // the last
    bench_run run;
} entry;

// A scene that reads meshes from the data folder where there is none.
static bool needs_data(const char* path) {
    const char* data = getenv("PLIANT_DATA");
    if (data && access(data, R_OK) == 0) return false;
    char line[4000];
    bool needs = false;
    FILE* file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) needs = needs || strstr(line, "$PLIANT_DATA");
    if (file) fclose(file);
    return needs;
}

static void open_entry(const options* o, const peer* p, const char* name, entry* e) {
    *e = (entry){.name = name, .wanted = 1};
    snprintf(e->path, sizeof e->path, "%s/%s.json", o->folder, name);
    e->skipped = needs_data(e->path);
    e->run.def = pli_default_scene_def();
    e->run.def.path = e->path;
    e->run.def.thread_count = o->threads;
    e->run.def.overrides = o->overrides;
    e->run.def.override_count = o->override_count;
    e->run.steps = o->steps > 0 ? o->steps : o->quick && p ? p->quick : 0;
    e->run.verify = o->verify;
}

// What is short runs more often: noise is a larger part of it.
static int runs_wanted(const options* o, double cpu) {
    double few = o->quick ? 3 : 20, many = o->quick ? 1 : 5; // [s]
    return cpu < many ? MAX_RUNS : cpu < few ? 3 : 1;
}

// The same by the command, with all that it writes, and with two frames and the statistics alone.
static void run_command(const options* o, entry* e, int steps) {
    const char* overrides[MAX_OVERRIDES + 3];
    static const char* const silent[3] = {"output.every=1000000000", "output.preview_frames=0",
                                          "output.checkpoint_every=0"};
    int count = o->override_count;
    for (int i = 0; i < count + 3; ++i)
        overrides[i] = i < count ? o->overrides[i] : silent[i - count];
    bench_whole bare = {.command = o->command,
                        .scene = e->path,
                        .steps = steps,
                        .threads = o->threads,
                        .overrides = overrides,
                        .override_count = count + 3};
    e->command = bare;
    e->command.override_count = count;
    if (!bench_run_whole(&e->command) || !bench_run_whole(&bare)) {
        fprintf(stderr, "bench: %s run %s failed\n", o->command, e->path);
        return;
    }
    e->whole[e->whole_runs] = e->command.cpu;
    e->bare[e->whole_runs++] = bare.cpu;
}

// The difference of two times needs several of each, however long they are.
static void run_commands(const options* o, entry* e, const bench_run* run) {
    enum { LEAST_PAIRS = 3 };
    if (run->all.iterations == 0 || access(o->command, X_OK) != 0) return;
    int count = e->wanted == 1 ? LEAST_PAIRS : 1;
    for (int i = 0; i < count; ++i) run_command(o, e, run->all.steps);
}

static void run_entry(const options* o, const peer* peers, int peer_count, entry* e) {
    bench_run run = e->run;
    if (e->skipped) {
        printf("%-14s is skipped: there is no folder of meshes; set PLIANT_DATA\n", e->name);
        e->wanted = 0;
        return;
    }
    if (!bench_measure(&run)) {
        printf("%-14s the process died\n", e->name);
        e->wanted = 0;
        return;
    }
    e->cpu[e->runs] = run.all.cpu;
    if (e->runs++ == 0) {
        e->run = run;
        print_line(e->name, &run, peers, peer_count);
        e->wanted = run.all.iterations > 0 ? runs_wanted(o, run.all.cpu) : 0;
    }
    run_commands(o, e, &run);
}

// Round by round, so that the runs of one scene are spread over the time of all.
static void run_all(const options* o, const peer* peers, int peer_count, entry* entries,
                    bench_yard* yard) {
    if (access(o->command, X_OK) != 0)
        fprintf(stderr, "bench: there is no %s: only the steps are measured\n", o->command);
    print_legend(o);
    print_head();
    for (int round = 0; round < MAX_RUNS; ++round)
        for (int i = 0; i < o->name_count; ++i) {
            if (entries[i].wanted <= round) continue;
            if (round == 0) bench_yard_measure(yard);
            run_entry(o, peers, peer_count, &entries[i]);
        }
    bench_yard_measure_up_to(yard, YARD_LEAST);
}

static void print_ratios(const options* o, const peer* peers, int peer_count, entry* entries,
                         double scale) {
    const peer* p;
    for (int i = 0; i < o->name_count; ++i) {
        entry* e = &entries[i];
        double ours = bench_median(e->cpu, e->runs);
        for (int k = 0; ours > 0 && (p = find_peer(peers, peer_count, e->name, k)); ++k) {
            double theirs = p->seconds * e->run.all.steps / p->frames;
            printf("ratio %-14s %-5s %7.2f  (raw: peer %.3g s, ours %.3g s, scale %.3f; %d of %d "
                   "frames, %d run%s, spread %.0f %%)\n",
                   e->name, p->name, theirs / scale / ours, theirs, ours, scale, e->run.all.steps,
                   p->frames, e->runs, e->runs > 1 ? "s" : "", 100 * bench_spread(e->cpu, e->runs));
        }
    }
}

static void print_wholes(const options* o, const peer* peers, int peer_count, entry* entries,
                         double scale) {
    const peer* p;
    for (int i = 0; i < o->name_count; ++i) {
        entry* e = &entries[i];
        double whole = bench_median(e->whole, e->whole_runs);
        for (int k = 0; whole > 0 && (p = find_peer(peers, peer_count, e->name, k)); ++k) {
            double theirs = p->seconds * e->run.all.steps / p->frames;
            printf("whole %-14s %-5s %7.2f  (raw: peer %.3g s, ours %.3g s, scale %.3f; %d run%s, "
                   "spread %.0f %%)\n",
                   e->name, p->name, theirs / scale / whole, theirs, whole, scale, e->whole_runs,
                   e->whole_runs > 1 ? "s" : "", 100 * bench_spread(e->whole, e->whole_runs));
        }
    }
}

static double least(const double* times, int count) {
    double best = times[0];
    for (int i = 1; i < count; ++i) best = times[i] < best ? times[i] : best;
    return best;
}

static void print_outputs(const options* o, entry* entries) {
    for (int i = 0; i < o->name_count; ++i) {
        entry* e = &entries[i];
        const bench_whole* w = &e->command;
        if (e->whole_runs == 0 || w->frames == 0) continue;
        double added = least(e->whole, e->whole_runs) - least(e->bare, e->whole_runs);
        double steps = bench_median(e->cpu, e->runs);
        printf("output %-14s %7.3f 0.5 %6.1f 5  (%.3g s added to %.3g s, %d frames, %d vertices, "
               "%.0f bytes per frame)\n",
               e->name, 1e6 * added / w->frames / e->run.vertices, 100 * added / steps, added,
               steps, w->frames, e->run.vertices, w->frame_bytes / w->frames);
    }
}

// Milliseconds per iteration, by phase.
static bool draw_phases(const char* path, const options* o, const entry* entries) {
    const bench_bars bars = {.title = "Time of one Newton iteration per 1,000 vertices, by phase",
                             .unit = "ms",
                             .part_count = 9,
                             .parts = {"gradient", "Hessian", "assembly", "symbolic", "numeric",
                                       "solve", "collision", "line search", "rest"},
                             .stacked = true};
    static bench_bar rows[MAX_SCENES];
    int count = 0;
    for (int i = 0; i < o->name_count; ++i) {
        const bench_run* r = &entries[i].run;
        if (r->all.iterations == 0) continue;
        const pli_phase_times* s = &r->seconds;
        double unit = 1e6 / r->all.iterations / r->vertices,
               rest = s->total; // 1e3 ms, 1e3 vertices
        double parts[8] = {s->gradient, s->hessian, s->assembly,  s->symbolic,
                           s->numeric,  s->solve,   s->collision, s->line_search};
        bench_bar* row = &rows[count++];
        snprintf(row->name, sizeof row->name, "%s", entries[i].name);
        for (int k = 0; k < 8; ++k) {
            row->values[k] = unit * parts[k];
            rest -= parts[k];
        }
        row->values[8] = unit * rest;
    }
    return bench_draw_bars(path, &bars, rows, count);
}

int main(int argc, char** argv) {
    options o;
    if (!read_options(argc, argv, &o)) {
        fputs(usage, stderr);
        return 2;
    }
    static peer peers[MAX_PEERS];
    static entry entries[MAX_SCENES];
    static bench_yard yard;
    int peer_count = read_peers(o.folder, peers);
    if (o.name_count == 0) o.name_count = bench_list_scenes(o.folder, o.names, MAX_SCENES);
    for (int i = 0; o.list && i < o.name_count; ++i) puts(o.names[i]);
    if (o.list) return 0;
#ifdef PLIANT_DATA
    setenv("PLIANT_DATA", PLIANT_DATA, 0);
#endif
    for (int i = 0; i < o.name_count; ++i)
        open_entry(&o, find_peer(peers, peer_count, o.names[i], 0), o.names[i], &entries[i]);
    bench_yard_start(&yard);
    run_all(&o, peers, peer_count, entries, &yard);
    printf("\n");
    double scale = bench_yard_print(&yard);
    print_ratios(&o, peers, peer_count, entries, scale);
    print_wholes(&o, peers, peer_count, entries, scale);
    print_outputs(&o, entries);
    bench_yard_stop(&yard);
    if (o.svg && !draw_phases(o.svg, &o, entries)) {
        fprintf(stderr, "bench: cannot write %s\n", o.svg);
        return 1;
    }
    return 0;
}
