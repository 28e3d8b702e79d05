// The yardsticks and the process that measures them.
#define _GNU_SOURCE
#include "yardstick.h"

#include <pliant/pliant.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dynamics/world.h"
#include "measure.h"
#include "sparse/foreign.h"
#include "sparse/linear.h"

// On the peers' machine, a 2.8 GHz Xeon.
static const struct {
    const char *name, *unit, *what;
    double there;
    bool seconds; // less is faster
} yards[BENCH_YARD_COUNT] = {
    {"cholmod", "s", "numeric factorization of a cube of 10,648 vertices", 0.61, true},
    {"dgemm", "GF/s", "n = 2048", 72, false},
    {"triad", "GB/s", "a = b + s c, 24 bytes per entry", 12.9, false},
};

enum { GEMM_SIZE = 2048, TRIAD_SIZE = 8 << 20, TRIAD_REPEATS = 5 };

// OpenBLAS, as the library itself links it.
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
            const int* k, const double* alpha, const double* a, const int* lda, const double* b,
            const int* ldb, const double* beta, double* c, const int* ldc);

typedef struct workshop {
    pli_scene* scene;
    void* solver; // CHOLMOD, analyzed
    const double* matrix;
    double *gemm[3], *triad[3];
} workshop;

// A free cube of 22^3 vertices, neo-Hookean with inertia, at rest.
static const char cube[] =
    "{\"dimension\": 3, \"time\": {\"step\": 0.01, \"steps\": 1}, \"contact\": {\"bodies\": false},"
    " \"solver\": {\"linear\": \"pcg\"},"
    " \"bodies\": [{\"mesh\": {\"type\": \"box\", \"size\": [1, 1, 1], \"segments\": [21, 21, 21]},"
    " \"energies\": [{\"type\": \"neo-hookean\"}]}]}";

static pli_status make_matrix(workshop* w, pli_error* error) {
    pli_scene_def def = pli_default_scene_def();
    def.text = cube;
    def.thread_count = 1;
    PLI_TRY(pli_scene_create(&def, &w->scene, error));
    pli_world* world = pli_scene_world(w->scene);
    PLI_TRY(pli_world_prepare(world, error));
    pli_assembly* a = &world->assembly;
    PLI_TRY(pli_assembly_update(a, error));
    pli_assembly_evaluate(a, world->model.positions, &(pli_hessian_wish){.project = true});
    pli_assembly_matrix(a, 1e4, NULL); // 1 / h^2
    w->matrix = a->values;
    pli_linear_def linear = {.max_iterations = 1};
    PLI_TRY(pli_cholmod.create(&world->memory, world->pool, &linear, &w->solver, error));
    return pli_cholmod.analyze(w->solver, &a->pattern, error);
}

static bool open_workshop(workshop* w) {
    pli_error error = {0};
    pli_single_threaded_enter(); // for good
    if (make_matrix(w, &error) != PLI_OK) {
        fprintf(stderr, "bench: yardstick: %s\n", error.message);
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        w->gemm[i] = malloc(sizeof(double) * GEMM_SIZE * GEMM_SIZE);
        w->triad[i] = malloc(sizeof(double) * TRIAD_SIZE);
        if (!w->gemm[i] || !w->triad[i]) return false;
        for (int k = 0; k < GEMM_SIZE * GEMM_SIZE; ++k) w->gemm[i][k] = 1e-3 * (k % 7);
        for (int k = 0; k < TRIAD_SIZE; ++k) w->triad[i][k] = k % 5;
    }
    return true;
}

static double time_cholmod(workshop* w) {
    pli_linear_verdict verdict;
    pli_error error = {0};
    double start = bench_thread_cpu();
    if (pli_cholmod.factorize(w->solver, w->matrix, NULL, &verdict, &error) != PLI_OK) return 0;
    return bench_thread_cpu() - start;
}

static double time_dgemm(workshop* w) {
    const int n = GEMM_SIZE;
    const double one = 1, none = 0;
    double start = bench_thread_cpu();
    dgemm_("N", "N", &n, &n, &n, &one, w->gemm[0], &n, w->gemm[1], &n, &none, w->gemm[2], &n);
    return 2e-9 * n * n * (double)n / (bench_thread_cpu() - start);
}

static double time_triad(workshop* w) {
    double *a = w->triad[0], start = bench_thread_cpu();
    const double *b = w->triad[1], *c = w->triad[2];
    for (int i = 0; i < TRIAD_REPEATS; ++i) {
        double s = 0.1 * (i + 1);
        for (int k = 0; k < TRIAD_SIZE; ++k) a[k] = b[k] + s * c[k];
    }
    return 24e-9 * TRIAD_SIZE * TRIAD_REPEATS / (bench_thread_cpu() - start);
}

// In the process: one answer per question, until there are no more.
static void serve(int ask, int answer) {
    workshop w = {0};
    char question;
    if (!open_workshop(&w)) return;
    time_cholmod(&w); // the first touches new memory
    while (read(ask, &question, 1) == 1) {
        double values[BENCH_YARD_COUNT] = {time_cholmod(&w), time_dgemm(&w), time_triad(&w)};
        if (write(answer, values, sizeof values) != (ssize_t)sizeof values) return;
    }
}

bool bench_yard_start(bench_yard* yard) {
    int ask[2], answer[2];
    *yard = (bench_yard){0};
    if (pipe2(ask, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0) return false;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        close(ask[1]);
        close(answer[0]);
        serve(ask[0], answer[1]);
        _exit(0);
    }
    close(ask[0]);
    close(answer[1]);
    yard->pid = pid > 0 ? pid : 0;
    yard->ask = ask[1];
    yard->answer = answer[0];
    return pid > 0;
}

void bench_yard_measure(bench_yard* yard) {
    double values[BENCH_YARD_COUNT];
    if (yard->pid == 0 || yard->count == BENCH_YARD_MOST) return;
    if (write(yard->ask, "?", 1) != 1) return;
    if (read(yard->answer, values, sizeof values) != (ssize_t)sizeof values) return;
    for (int i = 0; i < BENCH_YARD_COUNT; ++i) yard->values[i][yard->count] = values[i];
    yard->count++;
}

void bench_yard_measure_up_to(bench_yard* yard, int count) {
    for (int i = yard->count; i < count; ++i) bench_yard_measure(yard);
}

void bench_yard_stop(bench_yard* yard) {
    if (yard->pid == 0) return;
    close(yard->ask);
    close(yard->answer);
    waitpid(yard->pid, NULL, 0);
    yard->pid = 0;
}

double bench_yard_print(bench_yard* yard) {
    if (yard->count == 0) {
        printf("scale 1  (the yardsticks failed)\n");
        return 1;
    }
    double speed[BENCH_YARD_COUNT];
    for (int i = 0; i < BENCH_YARD_COUNT; ++i) {
        double here = bench_median(yard->values[i], yard->count), there = yards[i].there;
        speed[i] = yards[i].seconds ? there / here : here / there;
        printf(
            "yardstick %-8s %7.3g %7.3g %-4s %6.3f  (here, there, speed here / there; %s; median "
            "of %d, spread %.0f %%)\n",
            yards[i].name, here, there, yards[i].unit, speed[i], yards[i].what, yard->count,
            100 * bench_spread(yard->values[i], yard->count));
    }
    double scale = bench_geometric_mean(speed, BENCH_YARD_COUNT);
    printf("scale %.3f  (geometric mean of the speeds)\n", scale);
    return scale;
}
