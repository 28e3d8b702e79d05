// Two threads against one, on scenes of 30,000 vertices and more: a bar (elements and
// factorization) and a heap of cubes that are pressed together (contact), wall time, medians of
// interleaved runs. Since machines are shared, two threads that only count are timed beside every
// run: what they gain is all that can be gained at that time. For scripts:
//   threads SCENE PHASE X SHARE  (...)
// X: seconds with one thread over seconds with two; SHARE: X over what the counting threads gain.
// The phase `processor` needs no idle machine: processor seconds with one thread over those of the
// busier of two. It leaves out waiting, so it is a bound from above. usage: pliant_bench_threads
// FOLDER_WITH_SCENES [--full] [--svg FILE]
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "heap.h"
#include "measure.h"
#include "runner.h"

enum { RUNS = 3, FULL_RUNS = 5, SPIN_TURNS = 150000000 };

// ---- what the machine gives

static void* spin(void* context) {
    volatile uint32_t* seed = context;
    uint32_t s = *seed;
    for (int i = 0; i < SPIN_TURNS; ++i) s = s * 1664525u + 1013904223u;
    *seed = s;
    return NULL;
}

// How much faster two threads that share nothing are than one: 2 on two idle processors.
static double spin_gain(void) {
    uint32_t seeds[2] = {1, 2};
    pthread_t thread;
    double start = bench_now();
    spin(&seeds[0]);
    double one = bench_now() - start;
    start = bench_now();
    if (pthread_create(&thread, NULL, spin, &seeds[1]) != 0) return 1;
    spin(&seeds[0]);
    pthread_join(thread, NULL);
    return 2 * one / (bench_now() - start);
}

// ---- phases

typedef enum phase { ELEMENT, CONTACT, LINEAR, OVERALL, PROCESSOR, PHASE_COUNT } phase;
static const char* const phase_names[PHASE_COUNT] = {"element", "contact", "linear", "overall",
                                                     "processor"};

static void phase_seconds(const bench_run* run, double out[PHASE_COUNT]) {
    const pli_phase_times* s = &run->seconds;
    double main_cpu = run->all.main_cpu, other_cpu = run->all.cpu - main_cpu;
    out[ELEMENT] = s->gradient + s->hessian + s->assembly;
    out[CONTACT] = s->collision;
    out[LINEAR] = s->symbolic + s->numeric + s->solve;
    out[OVERALL] = s->total;
    out[PROCESSOR] = main_cpu > other_cpu ? main_cpu : other_cpu;
}

// ---- scenes

typedef struct subject {
    const char *name, *path, *text;
    int steps;
    bool contact; // worth a line
} subject;

static void report(const subject* s, double seconds[2][PHASE_COUNT][FULL_RUNS], double* gains,
                   int runs, bench_bar* bar) {
    double gain = bench_median(gains, runs), load[1] = {0};
    getloadavg(load, 1);
    for (int p = 0; p < PHASE_COUNT; ++p) {
        if (p == CONTACT && !s->contact) continue;
        double one = bench_median(seconds[0][p], runs), two = bench_median(seconds[1][p], runs);
        double most = p == PROCESSOR ? 2 : gain;
        bar->values[p] = one / two;
        printf("threads %-10s %-8s %5.2f %5.2f  (counting threads gain %.2f; one %.3g s, two %.3g "
               "s, spread %.0f, %.0f %%; load %.1f)\n",
               s->name, phase_names[p], one / two, one / two / most, gain, one, two,
               100 * bench_spread(seconds[0][p], runs), 100 * bench_spread(seconds[1][p], runs),
               load[0]);
    }
    fflush(stdout);
}

static bool measure(const subject* s, int runs, bench_bar* bar) {
    snprintf(bar->name, sizeof bar->name, "%s", s->name);
    double seconds[2][PHASE_COUNT][FULL_RUNS], gains[FULL_RUNS];
    for (int i = 0; i < runs; ++i) {
        double before = spin_gain();
        for (int k = 0; k < 2; ++k) {
            int threads = (i + k) % 2 + 1; // so that neither is always the first
            bench_run run = {.def = pli_default_scene_def(), .steps = s->steps, .warm_up = 1};
            run.def.path = s->path;
            run.def.text = s->text;
            run.def.thread_count = threads;
            if (!bench_measure(&run) || run.all.iterations == 0) {
                fprintf(stderr, "bench: threads: %s: %s\n", s->name, run.problem);
                return false;
            }
            double phases[PHASE_COUNT];
            phase_seconds(&run, phases);
            for (int p = 0; p < PHASE_COUNT; ++p) seconds[threads - 1][p][i] = phases[p];
        }
        gains[i] = 0.5 * (before + spin_gain());
    }
    report(s, seconds, gains, runs, bar);
    return true;
}

int main(int argc, char** argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: pliant_bench_threads FOLDER_WITH_SCENES [--full] [--svg FILE]\n");
        return 2;
    }
    bool full = false, done = true;
    const char* svg = NULL;
    for (int i = 2; i < argc; ++i) {
        if (strcmp(argv[i], "--full") == 0) full = true;
        if (strcmp(argv[i], "--svg") == 0 && i + 1 < argc) svg = argv[++i];
    }
    int runs = full ? FULL_RUNS : RUNS;
    char paths[2][600], *heap = bench_heap(3, 10), *large = bench_heap(3, 14);
    snprintf(paths[0], sizeof paths[0], "%s/bar_30k.json", argv[1]);
    snprintf(paths[1], sizeof paths[1], "%s/bar_100k.json", argv[1]);
    const subject subjects[] = {{"bar_30k", paths[0], NULL, 2, false},
                                {"heap_36k", NULL, heap, 2, true},
                                {"bar_100k", paths[1], NULL, 2, false},
                                {"heap_91k", NULL, large, 2, true}};
    bench_bar rows[4] = {0};
    int count = full ? 4 : 2;
    for (int i = 0; i < count; ++i) done &= measure(&subjects[i], runs, &rows[i]);
    const bench_bars bars = {.title = "Two threads against one (2: twice as fast)",
                             .unit = "",
                             .part_count = PHASE_COUNT,
                             .parts = {"element", "contact", "linear", "overall", "processor"},
                             .mark = 2};
    if (svg && done) done = bench_draw_bars(svg, &bars, rows, count);
    free(heap);
    free(large);
    return done ? 0 : 1;
}
