// What is particular to CHOLMOD: accuracy on bad matrices, both modes and orderings, and the global
// state of the libraries under it.
#include "matrices.h"

#include "sparse/foreign.h"
#include "sparse/linear.h"

#include <pthread.h>
#include <suitesparse/SuiteSparse_config.h>

__attribute__((weak)) void openblas_set_num_threads(int count);
__attribute__((weak)) int openblas_get_num_threads(void);
__attribute__((weak)) int omp_get_max_active_levels(void);
#pragma weak SuiteSparse_config // the libraries under CHOLMOD are not linked by name

static void* create(pli_memory* memory) {
    void* solver = NULL;
    assert_int_equal(pli_cholmod.create(memory, NULL, NULL, &solver, NULL), PLI_OK);
    return solver;
}

static void factorize_and_solve(void* solver, const matrix* m, const double* b, double* x) {
    pli_linear_verdict verdict = PLI_LINEAR_NOT_CONVERGED;
    assert_int_equal(pli_cholmod.analyze(solver, &m->pattern, NULL), PLI_OK);
    assert_int_equal(pli_cholmod.factorize(solver, m->values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    assert_int_equal(pli_cholmod.solve(solver, b, 1e-12, x, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
}

// |b - A x| / (|A| |x|) in the maximum norm, |A| taken as its largest entry.
static double backward_error(const matrix* m, const double* b, const double* x, uint32_t* seed) {
    int n = m->pattern.unknown_count;
    double* y = random_vector(n, seed);
    double residual = 0, size_a = 0, size_x = 0;
    pli_pattern_multiply(&m->pattern, m->values, x, y);
    for (int i = 0; i < n; ++i) {
        residual = fmax(residual, fabs(b[i] - y[i]));
        size_x = fmax(size_x, fabs(x[i]));
    }
    for (int i = 0; i < m->pattern.value_count; ++i) size_a = fmax(size_a, fabs(m->values[i]));
    test_free(y);
    return residual / (size_a * size_x);
}

static void check_grid(int side, int width, double anchor) {
    pli_memory memory;
    matrix m;
    uint32_t seed = 12;
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_grid(&m, side, width, anchor, &seed);
    int n = m.pattern.unknown_count;
    double* b = random_vector(n, &seed);
    double* x = random_vector(n, &seed);
    void* solver = create(&memory);
    factorize_and_solve(solver, &m, b, x);
    // Cholesky is backward stable: a few units of the last place, whatever the condition.
    assert_true(backward_error(&m, b, x, &seed) < 1e-14);
    pli_cholmod.destroy(solver);
    test_free(b);
    test_free(x);
    matrix_free(&m);
    assert_int_equal(memory.bytes, 0);
}

static void test_modes(void** state) {
    (void)state;
    check_grid(3, 1, 0.1);  // simplicial
    check_grid(60, 3, 0.1); // supernodal
}

// Springs of stiffness ~1 on an anchor of 1e-10: condition above 1e10.
static void test_ill_conditioned(void** state) {
    (void)state;
    check_grid(4, 2, 1e-10);
    check_grid(30, 2, 1e-10);
}

// All groups couple: so many flops that nested dissection is asked.
static void test_dissection(void** state) {
    (void)state;
    enum { COUNT = 220, WIDTH = 12 };
    pli_memory memory;
    matrix m;
    uint32_t seed = 13;
    int32_t offset[COUNT + 1];
    pli_pair* pairs = test_malloc(COUNT * COUNT * sizeof *pairs);
    int pair_count = 0;
    for (int i = 0; i <= COUNT; ++i) offset[i] = i * WIDTH;
    for (int i = 0; i < COUNT; ++i)
        for (int j = 0; j < i; ++j) pairs[pair_count++] = (pli_pair){i, j};
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_build(&m, COUNT, offset, pair_count, pairs);
    add_diagonal(&m, 1);
    for (int k = 0; k < m.pattern.value_count; ++k) m.values[k] += 1e-5 * random_number(&seed);
    int n = m.pattern.unknown_count;
    double* b = random_vector(n, &seed);
    double* x = random_vector(n, &seed);
    double* again = random_vector(n, &seed);
    void* solver = create(&memory);
    factorize_and_solve(solver, &m, b, x);
    assert_true(backward_error(&m, b, x, &seed) < 1e-14);
    factorize_and_solve(solver, &m, b, again); // the random numbers of METIS start anew
    assert_memory_equal(x, again, (size_t)n * sizeof *x);
    pli_cholmod.destroy(solver);
    test_free(pairs);
    test_free(b);
    test_free(x);
    test_free(again);
    matrix_free(&m);
    assert_int_equal(memory.bytes, 0);
}

static void test_guard(void** state) {
    (void)state;
    int threads = openblas_get_num_threads ? openblas_get_num_threads() : 1;
    int levels = omp_get_max_active_levels ? omp_get_max_active_levels() : 0;
    int outer = pli_single_threaded_enter();
    int inner = pli_single_threaded_enter();
    if (openblas_get_num_threads) assert_int_equal(openblas_get_num_threads(), 1);
    if (omp_get_max_active_levels) assert_int_equal(omp_get_max_active_levels(), 0);
    pli_single_threaded_leave(inner);
    if (openblas_get_num_threads) assert_int_equal(openblas_get_num_threads(), 1);
    if (omp_get_max_active_levels) assert_int_equal(omp_get_max_active_levels(), 0);
    pli_single_threaded_leave(outer);
    if (openblas_get_num_threads) assert_int_equal(openblas_get_num_threads(), threads);
    if (omp_get_max_active_levels) assert_int_equal(omp_get_max_active_levels(), levels);
}

enum { SIDE = 40, GRID_WIDTH = 3, GRID_UNKNOWNS = SIDE * SIDE * GRID_WIDTH };

// Solves one grid problem several times; runs on any thread, hence no assertions of cmocka.
typedef struct job {
    const matrix* m;
    const double* b;
    double x[GRID_UNKNOWNS];
    bool ok;
} job;

static void* run_job(void* argument) {
    job* j = argument;
    pli_memory memory;
    void* solver = NULL;
    pli_memory_init(&memory, NULL);
    j->ok = pli_cholmod.create(&memory, NULL, NULL, &solver, NULL) == PLI_OK;
    for (int round = 0; j->ok && round < 3; ++round) {
        pli_linear_verdict verdict = PLI_LINEAR_OK;
        j->ok = pli_cholmod.analyze(solver, &j->m->pattern, NULL) == PLI_OK &&
                pli_cholmod.factorize(solver, j->m->values, NULL, &verdict, NULL) == PLI_OK &&
                pli_cholmod.solve(solver, j->b, 1e-12, j->x, &verdict, NULL) == PLI_OK &&
                verdict == PLI_LINEAR_OK;
    }
    pli_cholmod.destroy(solver);
    return NULL;
}

// Two solvers on two threads, and BLAS set to other thread counts by the host: the same bits, and
// the host's setting comes back.
static void test_threads(void** state) {
    (void)state;
    pli_memory memory;
    matrix m;
    uint32_t seed = 14;
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_grid(&m, SIDE, GRID_WIDTH, 0.1, &seed);
    double* b = random_vector(GRID_UNKNOWNS, &seed);
    job* jobs = test_calloc(3, sizeof *jobs);
    for (int i = 0; i < 3; ++i) {
        jobs[i].m = &m;
        jobs[i].b = b;
    }
    int threads = openblas_get_num_threads ? openblas_get_num_threads() : 1;
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    run_job(&jobs[0]);
    if (openblas_set_num_threads) openblas_set_num_threads(2);
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, run_job, &jobs[1]), 0);
    run_job(&jobs[2]);
    pthread_join(other, NULL);
    if (openblas_get_num_threads) assert_int_equal(openblas_get_num_threads(), 2);
    if (openblas_set_num_threads) openblas_set_num_threads(threads);
    for (int i = 0; i < 3; ++i) {
        assert_true(jobs[i].ok);
        assert_memory_equal(jobs[i].x, jobs[0].x, sizeof jobs[0].x);
    }
    test_free(jobs);
    test_free(b);
    matrix_free(&m);
    assert_int_equal(memory.bytes, 0);
}

// CHOLMOD's memory comes from functions of SuiteSparse's own; here the n-th call fails.
static int foreign_calls, foreign_fail_at, foreign_blocks;

static void* foreign_count(void* block) {
    if (block) foreign_blocks++;
    return block;
}

static bool foreign_fails(void) { return foreign_calls++ == foreign_fail_at; }

static void* foreign_malloc(size_t size) {
    return foreign_fails() ? NULL : foreign_count(malloc(size));
}

static void* foreign_calloc(size_t count, size_t size) {
    return foreign_fails() ? NULL : foreign_count(calloc(count, size));
}

static void* foreign_realloc(void* block, size_t size) {
    return foreign_fails() ? NULL : realloc(block, size);
}

static void foreign_free(void* block) {
    if (block) foreign_blocks--;
    free(block);
}

// Everything once; the status of the first step that fails.
static pli_status whole_run(void* solver, const matrix* m, const double* b, double* x) {
    pli_linear_verdict verdict;
    PLI_TRY(pli_cholmod.analyze(solver, &m->pattern, NULL));
    PLI_TRY(pli_cholmod.factorize(solver, m->values, NULL, &verdict, NULL));
    return pli_cholmod.solve(solver, b, 1e-12, x, &verdict, NULL);
}

static void check_no_memory(int side) {
    pli_memory memory;
    matrix m;
    uint32_t seed = 15;
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_grid(&m, side, 2, 0.1, &seed);
    double* b = random_vector(m.pattern.unknown_count, &seed);
    double* x = random_vector(m.pattern.unknown_count, &seed);
    bool failed = true;
    foreign_blocks = 0;
    for (int fail_at = 0; failed; ++fail_at) {
        void* solver = create(&memory);
        foreign_calls = 0;
        foreign_fail_at = fail_at;
        pli_status status = whole_run(solver, &m, b, x);
        failed = status != PLI_OK;
        if (failed) assert_int_equal(status, PLI_E_MEMORY);
        foreign_fail_at = -1;
        factorize_and_solve(solver, &m, b, x); // memory is back
        assert_true(backward_error(&m, b, x, &seed) < 1e-14);
        pli_cholmod.destroy(solver);
        assert_int_equal(foreign_blocks, 0);
    }
    test_free(b);
    test_free(x);
    matrix_free(&m);
    assert_int_equal(memory.bytes, 0);
}

static void test_no_memory(void** state) {
    (void)state;
    struct SuiteSparse_config_struct saved = SuiteSparse_config;
    SuiteSparse_config.malloc_func = foreign_malloc;
    SuiteSparse_config.calloc_func = foreign_calloc;
    SuiteSparse_config.realloc_func = foreign_realloc;
    SuiteSparse_config.free_func = foreign_free;
    check_no_memory(3);  // simplicial
    check_no_memory(24); // supernodal
    SuiteSparse_config = saved;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),      cmocka_unit_test(test_ill_conditioned),
        cmocka_unit_test(test_dissection), cmocka_unit_test(test_guard),
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
