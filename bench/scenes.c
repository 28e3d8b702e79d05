// Benchmark scenes: time per Newton iteration and where it goes, beside CHOLMOD's own seconds for
// the same matrices (a run with solver.linear "cholesky", interleaved; only in a build with
// PLIANT_CHOLMOD) and the whole with solver.linear "auto"; for tetrahedra the same per element, and
// the memory against its bound. The ratio is to the published peer of bench/peers.txt.
// usage: pliant_bench_scenes FOLDER_WITH_SCENES
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { MAX_REPEATS = 5, MAX_SCENES = 100, MAX_THREADS = 2 };

// The solvers that are compared; the first is the default.
enum { OURS, CHOLMOD, AUTO, SOLVER_COUNT };
static const char* const solver_settings[SOLVER_COUNT] = {
    "solver.linear=multifrontal", "solver.linear=cholesky", "solver.linear=auto"};

static bool is_linked(int solver) {
#ifdef PLIANT_CHOLMOD
    (void)solver;
    return true;
#else
    return solver != CHOLMOD;
#endif
}

// The bound of the memory: local matrices, gather lists, matrix and mesh are in proportion to
// vertices and tetrahedra [bytes each]; to the factor come zeros in its fronts and update matrices
// that wait, more of them with threads.
static const double vertex_bytes = 4500, tetrahedron_bytes = 1600, factor_part = 3;

typedef struct result {
    int vertices, tetrahedra, steps, iterations, analyses, linear_iterations;
    double factor_nonzeros, memory; // memory: at its peak [bytes]
    pli_phase_times seconds;
} result;

static void add_step(result* r, const pli_step_info* info) {
    pli_phase_times* s = &r->seconds;
    r->steps++;
    r->iterations += info->iterations;
    r->analyses += info->symbolic_count;
    r->linear_iterations += info->linear_iterations;
    r->factor_nonzeros = (double)info->factor_nonzeros;
    s->gradient += info->seconds.gradient;
    s->hessian += info->seconds.hessian;
    s->assembly += info->seconds.assembly;
    s->symbolic += info->seconds.symbolic;
    s->numeric += info->seconds.numeric;
    s->solve += info->seconds.solve;
    s->collision += info->seconds.collision;
    s->line_search += info->seconds.line_search;
    s->total += info->seconds.total;
}

// Runs a scene once. Returns false and says why if it cannot.
static bool run_scene(const char* path, int threads, int solver, result* r) {
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.thread_count = threads;
    def.overrides = &solver_settings[solver];
    def.override_count = 1;
    pli_scene* scene = NULL;
    pli_error error = {0};
    *r = (result){0};
    if (pli_scene_create(&def, &scene, &error) != PLI_OK || pli_scene_error_count(scene) > 0) {
        fprintf(stderr, "bench: %s: %s\n", path, error.message);
        pli_scene_destroy(scene);
        return false;
    }
    pli_world* world = pli_scene_world(scene);
    r->vertices = pli_world_vertex_count(world);
    r->tetrahedra = pli_world_element_count(world, PLI_TETRAHEDRON);
    for (int n = 0; n < pli_scene_run(scene)->steps; ++n) {
        pli_step_info info;
        if (pli_world_step(world, &info, &error) != PLI_OK || !info.kept) {
            fprintf(stderr, "bench: %s stopped at step %d\n", path, n);
            break;
        }
        add_step(r, &info);
    }
    r->memory = (double)pli_world_memory_peak(world);
    pli_scene_destroy(scene);
    return r->iterations > 0;
}

static int by_total(const void* a, const void* b) {
    double x = ((const result*)a)->seconds.total, y = ((const result*)b)->seconds.total;
    return (x > y) - (x < y);
}

// Seconds per iteration of the peer on this scene, 0 if none is known.
static double peer_seconds(const char* folder, const char* name) {
    char path[600], line[400], scene[200];
    double seconds;
    snprintf(path, sizeof path, "%s/../peers.txt", folder);
    FILE* file = fopen(path, "r");
    double found = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%199s %lf", scene, &seconds) == 2 && strcmp(scene, name) == 0)
            found = seconds;
    if (file) fclose(file);
    return found;
}

// The median runs of one scene on so many threads.
typedef struct row {
    const char* name;
    int threads;
    result run[SOLVER_COUNT];
} row;

// Large scenes run less often: noise is a smaller part of them.
static int repeats(int vertices) {
    return vertices < 15000 ? MAX_REPEATS : vertices < 50000 ? 3 : 1;
}

// False if a run fails.
static bool measure(const char* path, row* r) {
    static result runs[SOLVER_COUNT][MAX_REPEATS];
    memset(runs, 0, sizeof runs);
    int count = MAX_REPEATS;
    for (int i = 0; i < count; ++i)
        for (int solver = 0; solver < SOLVER_COUNT; ++solver) {
            if (!is_linked(solver)) continue;
            if (!run_scene(path, r->threads, solver, &runs[solver][i])) return false;
            count = repeats(runs[solver][i].vertices);
        }
    for (int solver = 0; solver < SOLVER_COUNT; ++solver) {
        qsort(runs[solver], (size_t)count, sizeof(result), by_total);
        r->run[solver] = runs[solver][count / 2];
    }
    return true;
}

// Seconds of CHOLMOD per iteration; NaN: it is not linked.
static double cholmod_seconds(const row* r) {
    const result* c = &r->run[CHOLMOD];
    if (c->iterations == 0) return NAN;
    return (c->seconds.numeric + c->seconds.solve) / c->iterations;
}

static void print_times_head(void) {
    printf("milliseconds per Newton iteration, median of %d runs (3 from 15,000, 1 from 50,000 "
           "vertices);\nsymb n: symbolic analyses in all; cholmod: its numeric + solve alone "
           "(nan: build with -DPLIANT_CHOLMOD=ON), tot/chol: all of ours over that;\nauto: total "
           "with solver.linear auto, and its "
           "iterations of pcg per Newton iteration;\nratio: the peer's time per iteration "
           "(bench/peers.txt) over ours\n\n",
           MAX_REPEATS);
    printf("%-21s %6s %2s %5s %5s %6s %9s %7s %8s %8s %7s %9s %7s %7s %7s %9s %8s %9s %5s %6s\n",
           "scene", "verts", "th", "steps", "iters", "symb n", "total", "grad", "hess", "assem",
           "symb", "numer", "solve", "coll", "search", "cholmod", "tot/chol", "auto", "pcg",
           "ratio");
}

static void print_times(const char* folder, const row* at) {
    const result *r = &at->run[OURS], *a = &at->run[AUTO];
    const pli_phase_times* s = &r->seconds;
    double n = 1e-3 * r->iterations; // milliseconds per iteration
    double cholmod = 1e3 * cholmod_seconds(at);
    printf("%-21s %6d %2d %5d %5d %6d %9.3f %7.3f %8.3f %8.3f %7.3f %9.3f %7.3f %7.3f %7.3f "
           "%9.3f %8.2f %9.3f %5.0f",
           at->name, r->vertices, at->threads, r->steps, r->iterations, r->analyses, s->total / n,
           s->gradient / n, s->hessian / n, s->assembly / n, s->symbolic / n, s->numeric / n,
           s->solve / n, s->collision / n, s->line_search / n, cholmod, s->total / n / cholmod,
           a->seconds.total / (1e-3 * a->iterations), (double)a->linear_iterations / a->iterations);
    double peer = peer_seconds(folder, at->name);
    if (peer > 0) printf(" %6.0f", peer / (s->total / r->iterations));
    printf("\n");
    fflush(stdout);
}

static void print_elements_head(void) {
    printf("\nmicroseconds per tetrahedron and Newton iteration; memory at its peak [kB per "
           "vertex], its bound\n(%.1f kB + %.1f kB per tetrahedron + %.1f of the factor), the "
           "factor's nonzeros, and the peak with auto\n\n",
           1e-3 * vertex_bytes, 1e-3 * tetrahedron_bytes, factor_part);
    printf("%-21s %7s %2s %7s %6s %6s %6s %6s %7s %6s %6s %8s %8s %8s %8s %8s\n", "scene", "tets",
           "th", "total", "grad", "hess", "assem", "symb", "numer", "solve", "search", "cholmod",
           "memory", "bound", "factor", "auto");
}

static void print_elements(const row* at) {
    const result* r = &at->run[OURS];
    const pli_phase_times* s = &r->seconds;
    double n = 1e-6 * r->iterations * r->tetrahedra, kilo = 1e3 * r->vertices;
    double factor = 8 * r->factor_nonzeros;
    double bound = vertex_bytes * r->vertices + tetrahedron_bytes * r->tetrahedra;
    printf("%-21s %7d %2d %7.2f %6.3f %6.3f %6.3f %6.3f %7.2f %6.3f %6.3f %8.2f %8.2f %8.2f %8.2f "
           "%8.2f\n",
           at->name, r->tetrahedra, at->threads, s->total / n, s->gradient / n, s->hessian / n,
           s->assembly / n, s->symbolic / n, s->numeric / n, s->solve / n, s->line_search / n,
           1e6 * cholmod_seconds(at) / r->tetrahedra, r->memory / kilo,
           (bound + factor_part * factor) / kilo, factor / kilo, at->run[AUTO].memory / kilo);
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: pliant_bench_scenes FOLDER_WITH_SCENES\n");
        return 2;
    }
    const char* names[MAX_SCENES];
    static row rows[MAX_THREADS * MAX_SCENES];
    int count = bench_list_scenes(argv[1], names, MAX_SCENES), row_count = 0;
    print_times_head();
    for (int i = 0; i < count; ++i) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s.json", argv[1], names[i]);
        for (int threads = 1; threads <= MAX_THREADS; ++threads) {
            row* r = &rows[row_count];
            *r = (row){.name = names[i], .threads = threads};
            if (!measure(path, r)) continue;
            print_times(argv[1], r);
            row_count++;
        }
    }
    print_elements_head();
    for (int i = 0; i < row_count; ++i)
        if (rows[i].run[OURS].tetrahedra > 0) print_elements(&rows[i]);
    return 0;
}
