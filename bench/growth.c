// How time grows with size, on one thread, in processor time. For scripts:
//   growth NAME EXPONENT LIMIT  (...)
// of c n^EXPONENT through the readings. Solvers: seconds per Newton iteration of the second step of
// a bar (the first analyses the matrix) against its vertices; the factor as far as memory allows.
// broad_phase, ccd: heaps of more and more cubes (heap.h) against their pairs, see contact_units.c
// for what is timed. The readings are drawn into FOLDER/growth_solvers.svg and growth_contact.svg.
// usage: pliant_bench_growth SCENE_OF_A_BAR [--full] [--svg FOLDER]
#define _GNU_SOURCE
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contact_cost.h"
#include "heap.h"
#include "measure.h"
#include "render/chart.h"
#include "runner.h"

enum { MAX_SIZES = 5, RUNS = 3 };

// ---- solvers

enum { QUICK_SIZES = 3 };
static const int bar_cells[MAX_SIZES] = {6, 9, 13, 19, 30}; // across; ten times as many along

static const struct solver {
    const char* name;
    double limit; // of the exponent; 0: none
    int sizes;    // as far as memory and minutes allow
    const char* settings[2];
} solvers[] = {
    {"multifrontal", 0, 4, {"solver.linear=multifrontal"}},
#ifdef PLIANT_CHOLMOD
    {"cholesky", 0, 4, {"solver.linear=cholesky"}},
#endif
    {"pcg", 1.25, 5, {"solver.linear=pcg"}},
    {"multilevel", 1.25, 5, {"solver.linear=pcg", "solver.preconditioner=multilevel"}},
    {"auto", 1.25, 5, {"solver.linear=auto"}},
};
enum { SOLVER_COUNT = sizeof solvers / sizeof *solvers };

// Readings against sizes.
typedef struct curve {
    char name[60];
    int count;
    double x[MAX_SIZES], y[MAX_SIZES];
} curve;

static bool run_bar(const char* path, const struct solver* solver, int cells, bench_run* run) {
    char segments[80];
    snprintf(segments, sizeof segments, "bodies[0].mesh.segments=[%d,%d,%d]", 10 * cells, cells,
             cells);
    const char* const overrides[] = {segments, solver->settings[0], solver->settings[1]};
    *run = (bench_run){.def = pli_default_scene_def(), .steps = 2, .warm_up = 1};
    run->def.path = path;
    run->def.thread_count = 1;
    run->def.overrides = overrides;
    run->def.override_count = solver->settings[1] ? 3 : 2;
    if (bench_measure(run) && run->all.iterations > 0) return true;
    fprintf(stderr, "bench: growth: %s, %d cells: %s\n", solver->name, cells, run->problem);
    return false;
}

static void add_reading(const char* path, const struct solver* solver, int size, curve* c) {
    double seconds[RUNS];
    bench_run run;
    int runs = size < 2 ? RUNS : 1;
    for (int i = 0; i < runs; ++i) {
        if (!run_bar(path, solver, bar_cells[size], &run)) return;
        seconds[i] = run.all.cpu / run.all.iterations;
    }
    c->x[c->count] = run.vertices;
    c->y[c->count] = bench_median(seconds, runs);
    printf("# %-12s %7d vertices %9.4f s per iteration, %d iterations, %.0f of pcg each, %.0f MB\n",
           solver->name, run.vertices, c->y[c->count], run.all.iterations,
           (double)run.all.linear_iterations / run.all.iterations, run.memory);
    fflush(stdout);
    c->count++;
}

static void print_growth(const curve* c, const char* name, double limit) {
    char bound[20] = "-";
    if (limit > 0) snprintf(bound, sizeof bound, "%.2f", limit);
    if (c->count < 2) return;
    printf("growth %-12s %5.2f %s  (%d sizes, %.3g to %.3g; the last two alone %.2f)\n", name,
           bench_fit_exponent(c->count, c->x, c->y), bound, c->count, c->x[0], c->x[c->count - 1],
           bench_fit_exponent(2, c->x + c->count - 2, c->y + c->count - 2));
}

static void name_curve(curve* c, const char* name) {
    snprintf(c->name, sizeof c->name, "%s, n^%.2f", name, bench_fit_exponent(c->count, c->x, c->y));
}

// ---- contact

typedef struct contact_reading {
    bool done;
    bench_contact_cost cost;
} contact_reading;

enum { HEAP_SEGMENTS = 7 }; // of each cube; there are more and more cubes

// At the start, along the motion of a step.
static void run_heap(int side, contact_reading* out) {
    pli_scene* scene = NULL;
    pli_error error = {0};
    pli_scene_def def = pli_default_scene_def();
    def.text = bench_heap(side, HEAP_SEGMENTS);
    def.thread_count = 1;
    *out = (contact_reading){0};
    if (pli_scene_create(&def, &scene, &error) != PLI_OK) return;
    pli_world* world = pli_scene_world(scene);
    double alpha = 0;
    if (pli_scene_error_count(scene) > 0 || pli_world_prepare(world, &error) != PLI_OK ||
        pli_world_refresh(world, NULL, &alpha, &error) != PLI_OK)
        return;
    double* p = malloc(3 * (size_t)world->model.vertex_count * sizeof *p);
    for (int i = 0; p && i < 3 * world->model.vertex_count; ++i)
        p[i] = 0.01 * world->model.velocities[i];
    out->done = p && bench_contact_cost_of(world, p, &out->cost, &error);
}

// In a process of its own, which ends with all its memory.
static contact_reading measure_heap(int side) {
    contact_reading out = {0};
    int ends[2];
    if (pipe(ends) != 0) return out;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        run_heap(side, &out);
        _exit(write(ends[1], &out, sizeof out) == (ssize_t)sizeof out ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &out, sizeof out) != (ssize_t)sizeof out) out.done = false;
    close(ends[0]);
    if (pid > 0) waitpid(pid, NULL, 0);
    return out;
}

static void add_heaps(bool full, curve* broad, curve* ccd) {
    static const int sides[MAX_SIZES] = {2, 3, 4, 6, 8};
    for (int i = 0; i < (full ? MAX_SIZES : MAX_SIZES - 1); ++i) {
        contact_reading r = measure_heap(sides[i]);
        if (!r.done) continue;
        broad->x[broad->count] = r.cost.candidates;
        broad->y[broad->count++] = r.cost.search;
        ccd->x[ccd->count] = r.cost.candidates;
        ccd->y[ccd->count++] = r.cost.refresh;
        printf("# heap of %d cubes: search %.4f s, refresh %.4f s, %.0f candidates\n",
               sides[i] * sides[i] * sides[i], r.cost.search, r.cost.refresh, r.cost.candidates);
    }
}

// ---- pictures

static bool draw(const char* folder, const char* file, pli_chart_def def, const curve* curves) {
    char path[600];
    pli_error error = {0};
    pli_series series[MAX_SIZES + 1];
    for (int i = 0; i < def.series_count; ++i)
        series[i] =
            (pli_series){curves[i].name, curves[i].count, curves[i].x, curves[i].y, true, false};
    def.series = series;
    def.log_x = def.log_y = true;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (pli_chart_write(&def, path, &error) == PLI_OK) return true;
    fprintf(stderr, "bench: %s: %s\n", path, error.message);
    return false;
}

static void draw_all(const char* folder, curve* bars, curve* contact) {
    pli_chart_def def = pli_default_chart_def();
    for (int i = 0; i < SOLVER_COUNT; ++i) name_curve(&bars[i], solvers[i].name);
    name_curve(&contact[0], "search");
    name_curve(&contact[1], "refresh with CCD");
    def.title = "One Newton iteration of a bar, one thread";
    def.x_label = "vertices";
    def.y_label = "processor time [s]";
    def.series_count = SOLVER_COUNT;
    draw(folder, "growth_solvers.svg", def, bars);
    def.title = "Collision detection of a heap of cubes, one thread";
    def.x_label = "pairs";
    def.series_count = 2;
    draw(folder, "growth_contact.svg", def, contact);
}

int main(int argc, char** argv) {
    const char* folder = NULL;
    bool full = false;
    for (int i = 2; i < argc; ++i) {
        if (strcmp(argv[i], "--full") == 0) full = true;
        if (strcmp(argv[i], "--svg") == 0 && i + 1 < argc) folder = argv[++i];
    }
    if (argc < 2) {
        fprintf(stderr, "usage: pliant_bench_growth SCENE_OF_A_BAR [--full] [--svg FOLDER]\n");
        return 2;
    }
    curve bars[SOLVER_COUNT] = {0}, contact[2] = {0};
    for (int size = 0; size < MAX_SIZES; ++size) // interleaved
        for (int i = 0; i < SOLVER_COUNT; ++i)
            if (size < (full ? solvers[i].sizes : QUICK_SIZES))
                add_reading(argv[1], &solvers[i], size, &bars[i]);
    add_heaps(full, &contact[0], &contact[1]);
    for (int i = 0; i < SOLVER_COUNT; ++i)
        print_growth(&bars[i], solvers[i].name, solvers[i].limit);
    print_growth(&contact[0], "broad_phase", 1);
    print_growth(&contact[1], "ccd", 1);
    if (folder) draw_all(folder, bars, contact);
    return 0;
}
