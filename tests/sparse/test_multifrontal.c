// The own sparse Cholesky against CHOLMOD and against the dense oracle, on graphs of many kinds.
// What holds for every linear solver is in test_linear.c.
#include "matrices.h"

#include "oracle/dense.h"
#include "reference.h"

__attribute__((weak)) int openblas_get_num_threads(void);

typedef struct fixture {
    pli_memory memory;
    matrix m;
    void* solver;
    uint32_t seed;
} fixture;

static void set_up(fixture* f) {
    *f = (fixture){.seed = 51};
    pli_memory_init(&f->memory, NULL);
    matrix_init(&f->m, &f->memory);
    assert_int_equal(pli_multifrontal.create(&f->memory, NULL, NULL, &f->solver, NULL), PLI_OK);
}

static void tear_down(fixture* f) {
    pli_multifrontal.destroy(f->solver);
    matrix_free(&f->m);
    assert_int_equal(f->memory.bytes, 0);
}

static pli_linear_verdict run(const pli_linear_ops* ops, void* solver, const matrix* m,
                              const double* b, double* x) {
    pli_linear_verdict verdict = PLI_LINEAR_NOT_CONVERGED, again = PLI_LINEAR_NOT_CONVERGED;
    assert_int_equal(ops->factorize(solver, m->values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(ops->solve(solver, b, 1e-12, x, &again, NULL), PLI_OK);
    assert_int_equal(again, verdict);
    return verdict;
}

// The solution of CHOLMOD within `tolerance`.
static void check_against_cholmod(fixture* f, const double* b, const double* x, double tolerance) {
    const pli_linear_ops* ops = find_cholmod();
    if (!ops) return;
    int n = f->m.pattern.unknown_count;
    double* expected = random_vector(n, &f->seed);
    void* cholmod = NULL;
    assert_int_equal(ops->create(&f->memory, NULL, NULL, &cholmod, NULL), PLI_OK);
    assert_int_equal(ops->analyze(cholmod, &f->m.pattern, NULL), PLI_OK);
    assert_int_equal(run(ops, cholmod, &f->m, b, expected), PLI_LINEAR_OK);
    assert_true(relative_error(n, x, expected) < tolerance);
    ops->destroy(cholmod);
    test_free(expected);
}

// Fresh analysis; the solution of CHOLMOD within `tolerance`, and a backward error near rounding.
static void check(fixture* f, double tolerance) {
    int n = f->m.pattern.unknown_count;
    double *b = random_vector(n, &f->seed), *x = random_vector(n, &f->seed);
    double* y = random_vector(n, &f->seed);
    assert_int_equal(pli_multifrontal.analyze(f->solver, &f->m.pattern, NULL), PLI_OK);
    assert_int_equal(run(&pli_multifrontal, f->solver, &f->m, b, x), PLI_LINEAR_OK);
    check_against_cholmod(f, b, x, tolerance);
    double residual = 0, size_a = 0, size_x = 0;
    pli_pattern_multiply(&f->m.pattern, f->m.values, x, y);
    for (int i = 0; i < n; ++i) {
        residual = fmax(residual, fabs(b[i] - y[i]));
        size_x = fmax(size_x, fabs(x[i]));
    }
    for (int i = 0; i < f->m.pattern.value_count; ++i)
        if (!isnan(f->m.values[i])) size_a = fmax(size_a, fabs(f->m.values[i]));
    // Cholesky is backward stable: a few units of the last place, whatever the condition.
    assert_true(residual <= 1e-14 * size_a * size_x);
    test_free(b);
    test_free(x);
    test_free(y);
}

static void check_against_dense(fixture* f) {
    int n = f->m.pattern.unknown_count;
    double* dense = matrix_to_dense(&f->m);
    double *b = random_vector(n, &f->seed), *x = random_vector(n, &f->seed);
    double* expected = random_vector(n, &f->seed);
    assert_true(pli_dense_cholesky(n, dense));
    pli_dense_solve(n, dense, b, expected);
    assert_int_equal(run(&pli_multifrontal, f->solver, &f->m, b, x), PLI_LINEAR_OK);
    assert_true(relative_error(n, x, expected) < 1e-10); // condition some 100
    test_free(dense);
    test_free(b);
    test_free(x);
    test_free(expected);
}

static void test_random(void** state) {
    (void)state;
    fixture f;
    set_up(&f);
    for (int count = 1; count <= 200; count += 1 + count / 2) {
        matrix_random(&f.m, count, &f.seed);
        check(&f, 1e-10);
        check_against_dense(&f);
        add_rank_ones(&f.m, false, &f.seed); // other values, same analysis
        check_against_dense(&f);
    }
    tear_down(&f);
}

// The largest has fronts that go to BLAS.
static void test_grids(void** state) {
    (void)state;
    fixture f;
    set_up(&f);
    for (int side = 2; side <= 40; side += side / 2)
        for (int width = 1; width <= 3; ++width) {
            matrix_grid(&f.m, side, width, 0.1, &f.seed);
            check(&f, 1e-10);
        }
    matrix_grid(&f.m, 45, 5, 0.1, &f.seed);
    check(&f, 1e-10);
    tear_down(&f);
}

// side^3 groups of width 3 that couple to their 26 neighbours.
static void build_cube(fixture* f, int side) {
    int count = side * side * side, pair_count = 0;
    int32_t* offset = test_malloc(((size_t)count + 1) * sizeof *offset);
    pli_pair* pairs = test_malloc(13 * (size_t)count * sizeof *pairs);
    for (int j = 0; j <= count; ++j) offset[j] = 3 * j;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j)
            if (abs(i % side - j % side) < 2 && abs(i / side % side - j / side % side) < 2 &&
                abs(i / side / side - j / side / side) < 2)
                pairs[pair_count++] = (pli_pair){i, j};
    matrix_build(&f->m, count, offset, pair_count, pairs);
    add_rank_ones(&f->m, true, &f->seed);
    add_diagonal(&f->m, 0.1);
    test_free(offset);
    test_free(pairs);
}

// Two grids that nothing couples: what has not changed keeps its factor, and the solution has the
// bits of a fresh one. A factor that failed is not kept.
static void test_unchanged_trees(void** state) {
    (void)state;
    enum { SIDE = 12, HALF = SIDE * SIDE, N = 2 * HALF };
    fixture f;
    set_up(&f);
    int32_t offset[N + 1];
    pli_pair pairs[2 * N];
    int pair_count = 0;
    for (int j = 0; j <= N; ++j) offset[j] = 3 * j;
    for (int i = 0; i < N; ++i) {
        if (i % SIDE + 1 < SIDE) pairs[pair_count++] = (pli_pair){i + 1, i};
        if (i % HALF + SIDE < HALF) pairs[pair_count++] = (pli_pair){i + SIDE, i};
    }
    matrix_build(&f.m, N, offset, pair_count, pairs);
    add_rank_ones(&f.m, true, &f.seed);
    add_diagonal(&f.m, 0.1);
    uint8_t changed[N];
    for (int i = 0; i < N; ++i) changed[i] = i >= HALF;
    double *b = random_vector(3 * N, &f.seed), *x = random_vector(3 * N, &f.seed);
    double* expected = random_vector(3 * N, &f.seed);
    assert_int_equal(pli_multifrontal.analyze(f.solver, &f.m.pattern, NULL), PLI_OK);
    assert_int_equal(run(&pli_multifrontal, f.solver, &f.m, b, x), PLI_LINEAR_OK);
    static const double last[3] = {2, -1e6, 3}; // on the diagonal of the last group
    for (int k = 0; k < 3; ++k) {
        pli_linear_verdict verdict, again;
        *block_entry(&f.m, f.m.pattern.block_start[N - 1], N - 1, 2, 2) = last[k] + 10;
        assert_int_equal(pli_multifrontal.factorize(f.solver, f.m.values, changed, &verdict, NULL),
                         PLI_OK);
        assert_int_equal(verdict, k == 1 ? PLI_LINEAR_NOT_POSITIVE_DEFINITE : PLI_LINEAR_OK);
        if (k == 1) continue;
        assert_int_equal(pli_multifrontal.solve(f.solver, b, 1e-12, x, &again, NULL), PLI_OK);
        void* fresh = NULL;
        assert_int_equal(pli_multifrontal.create(&f.memory, NULL, NULL, &fresh, NULL), PLI_OK);
        assert_int_equal(pli_multifrontal.analyze(fresh, &f.m.pattern, NULL), PLI_OK);
        assert_int_equal(run(&pli_multifrontal, fresh, &f.m, b, expected), PLI_LINEAR_OK);
        assert_memory_equal(x, expected, 3 * N * sizeof *x);
        pli_multifrontal.destroy(fresh);
    }
    test_free(b);
    test_free(x);
    test_free(expected);
    tear_down(&f);
}

static void test_cubes(void** state) {
    (void)state;
    fixture f;
    set_up(&f);
    for (int side = 2; side <= 10; side += 4) {
        build_cube(&f, side);
        check(&f, 1e-10);
    }
    tear_down(&f);
}

// Condition above 1e10, which both solutions may lose from 16 digits.
static void test_ill_conditioned(void** state) {
    (void)state;
    fixture f;
    set_up(&f);
    matrix_grid(&f.m, 30, 2, 1e-10, &f.seed);
    check(&f, 1e-4);
    tear_down(&f);
}

// One group couples to all; first it is eliminated last, then no order helps: two such groups.
static void test_arrow(void** state) {
    (void)state;
    enum { COUNT = 300 };
    fixture f;
    int32_t offset[COUNT + 1];
    pli_pair pairs[2 * COUNT];
    for (int j = 0; j <= COUNT; ++j) offset[j] = 2 * j;
    for (int j = 0; j < COUNT; ++j) {
        pairs[j] = (pli_pair){j, 0};
        pairs[COUNT + j] = (pli_pair){COUNT - 1, j};
    }
    set_up(&f);
    for (int pair_count = COUNT; pair_count <= 2 * COUNT; pair_count += COUNT) {
        matrix_build(&f.m, COUNT, offset, pair_count, pairs);
        add_rank_ones(&f.m, false, &f.seed);
        add_diagonal(&f.m, 1);
        check(&f, 1e-10);
        check_against_dense(&f);
    }
    tear_down(&f);
}

static void test_diagonal_and_disconnected(void** state) {
    (void)state;
    enum { COUNT = 40 };
    fixture f;
    pli_linear_info info;
    int32_t offset[COUNT + 1];
    pli_pair pairs[COUNT];
    int pair_count = 0;
    offset[0] = 0;
    for (int j = 0; j < COUNT; ++j) offset[j + 1] = offset[j] + j % 4; // some without unknowns
    for (int j = 1; j < COUNT; ++j)
        if (j % 7 != 0) pairs[pair_count++] = (pli_pair){j, j - 1};
    set_up(&f);
    matrix_build(&f.m, COUNT, offset, 0, NULL);
    add_diagonal(&f.m, 2);
    check(&f, 1e-15);
    pli_multifrontal.info(f.solver, &info);
    assert_int_equal(info.factor_nonzeros, COUNT / 4 * (0 + 1 + 3 + 6));
    matrix_build(&f.m, COUNT, offset, pair_count, pairs);
    add_rank_ones(&f.m, false, &f.seed);
    add_diagonal(&f.m, 1);
    check(&f, 1e-10);
    check_against_dense(&f);
    tear_down(&f);
}

// The factor holds at least what CHOLMOD's holds without zeros, and not much more.
static void test_info(void** state) {
    (void)state;
    fixture f;
    pli_linear_info info;
    set_up(&f);
    pli_multifrontal.info(f.solver, &info);
    assert_int_equal(info.factor_nonzeros, 0);
    matrix_grid(&f.m, 20, 2, 0.1, &f.seed);
    check(&f, 1e-10);
    pli_multifrontal.info(f.solver, &info);
    assert_in_range(info.factor_nonzeros, f.m.pattern.value_count, 60000);
    tear_down(&f);
}

// A grid that `count` random pairs of groups couple besides.
static void build_coupled(fixture* f, int side, int count) {
    uint32_t seed = 11;
    matrix_grid(&f->m, side, 2, 0.1, &seed);
    const pli_pattern* p = &f->m.pattern;
    int groups = p->group_count, pair_count = 0;
    int32_t* offset = test_calloc((size_t)groups + 1, sizeof *offset);
    pli_pair* pairs = test_calloc((size_t)(p->block_count + count), sizeof *pairs);
    for (int j = 0; j < groups; ++j) {
        offset[j + 1] = 2 * (j + 1);
        for (int k = p->block_start[j]; k < p->block_start[j + 1]; ++k)
            pairs[pair_count++] = (pli_pair){p->block_row[k], j};
    }
    for (int k = 0; k < count; ++k) {
        int a = random_below(&seed, groups), b = random_below(&seed, groups);
        pairs[pair_count++] = (pli_pair){a > b ? a : b, a > b ? b : a};
    }
    matrix_build(&f->m, groups, offset, pair_count, pairs);
    add_rank_ones(&f->m, true, &seed);
    add_diagonal(&f->m, 0.1);
    test_free(offset);
    test_free(pairs);
}

// Couplings come and go: the solution is right, and the factor, in an order that may be an older
// one, not much larger than in an order found for it.
static void test_order_is_kept(void** state) {
    (void)state;
    static const int counts[] = {0, 1, 2, 5, 6, 8, 3, 50, 51, 200, 190, 10, 0, 1};
    fixture f;
    set_up(&f);
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); ++i) {
        fixture fresh;
        pli_linear_info info, best;
        build_coupled(&f, 30, counts[i]);
        check(&f, 1e-10);
        pli_multifrontal.info(f.solver, &info);
        set_up(&fresh);
        build_coupled(&fresh, 30, counts[i]);
        assert_int_equal(pli_multifrontal.analyze(fresh.solver, &fresh.m.pattern, NULL), PLI_OK);
        pli_multifrontal.info(fresh.solver, &best);
        tear_down(&fresh);
        assert_true((double)info.factor_nonzeros < 1.6 * (double)best.factor_nonzeros);
    }
    tear_down(&f);
}

// Nested dissection draws random numbers: not the caller's.
// NOLINTBEGIN(cert-msc*)
static void test_callers_random_numbers(void** state) {
    (void)state;
    fixture f;
    set_up(&f);
    build_cube(&f, 18); // expensive enough
    srand(42);
    const int first = rand(), second = rand();
    srand(42);
    assert_int_equal(rand(), first);
    assert_int_equal(pli_multifrontal.analyze(f.solver, &f.m.pattern, NULL), PLI_OK);
    assert_int_equal(rand(), second);
    tear_down(&f);
}
// NOLINTEND(cert-msc*)

// An indefinite matrix anywhere in the tree, and good values again: the first bits come back.
static void test_usable_after_failure(void** state) {
    (void)state;
    fixture f;
    set_up(&f);
    matrix_grid(&f.m, 25, 2, 0.1, &f.seed);
    int n = f.m.pattern.unknown_count;
    double *b = random_vector(n, &f.seed), *x = random_vector(n, &f.seed);
    double* first = random_vector(n, &f.seed);
    assert_int_equal(pli_multifrontal.analyze(f.solver, &f.m.pattern, NULL), PLI_OK);
    assert_int_equal(run(&pli_multifrontal, f.solver, &f.m, b, first), PLI_LINEAR_OK);
    for (int group = 0; group < 625; group += 48) {
        double* diagonal = block_entry(&f.m, f.m.pattern.block_start[group], group, 1, 1);
        const double saved = *diagonal;
        const double bad[] = {-saved, 0, (double)NAN};
        for (int k = 0; k < 3; ++k) {
            *diagonal = bad[k];
            assert_int_equal(run(&pli_multifrontal, f.solver, &f.m, b, x),
                             PLI_LINEAR_NOT_POSITIVE_DEFINITE);
        }
        *diagonal = saved;
        assert_int_equal(run(&pli_multifrontal, f.solver, &f.m, b, x), PLI_LINEAR_OK);
        assert_memory_equal(x, first, (size_t)n * sizeof *x);
    }
    test_free(b);
    test_free(x);
    test_free(first);
    tear_down(&f);
}

// The same bits for any number of threads, below and above the size from which they are used; a
// bad pivot is found wherever it is.
static void check_threads(fixture* f) {
    int n = f->m.pattern.unknown_count;
    double *b = random_vector(n, &f->seed), *x = random_vector(n, &f->seed);
    double* first = random_vector(n, &f->seed);
    assert_int_equal(pli_multifrontal.analyze(f->solver, &f->m.pattern, NULL), PLI_OK);
    assert_int_equal(run(&pli_multifrontal, f->solver, &f->m, b, first), PLI_LINEAR_OK);
    for (int threads = 2; threads <= 6; threads += 2) {
        pli_pool* pool = NULL;
        void* solver = NULL;
        assert_int_equal(pli_pool_create(&f->memory, threads, &pool, NULL), PLI_OK);
        assert_int_equal(pli_multifrontal.create(&f->memory, pool, NULL, &solver, NULL), PLI_OK);
        assert_int_equal(pli_multifrontal.analyze(solver, &f->m.pattern, NULL), PLI_OK);
        int64_t calls = f->memory.calls;
        for (int group = 0; group < f->m.pattern.group_count; group += 397) {
            double* diagonal = block_entry(&f->m, f->m.pattern.block_start[group], group, 0, 0);
            *diagonal *= -1;
            assert_int_equal(run(&pli_multifrontal, solver, &f->m, b, x),
                             PLI_LINEAR_NOT_POSITIVE_DEFINITE);
            *diagonal *= -1;
        }
        assert_int_equal(run(&pli_multifrontal, solver, &f->m, b, x), PLI_LINEAR_OK);
        assert_memory_equal(x, first, (size_t)n * sizeof *x);
        assert_int_equal(f->memory.calls, calls);
        pli_multifrontal.destroy(solver);
        pli_pool_destroy(pool);
    }
    test_free(b);
    test_free(x);
    test_free(first);
}

static void test_threads(void** state) {
    (void)state;
    fixture f;
    set_up(&f);
    matrix_grid(&f.m, 20, 2, 0.1, &f.seed);
    check_threads(&f);
    matrix_grid(&f.m, 45, 5, 0.1, &f.seed);
    check_threads(&f);
    build_cube(&f, 10); // large fronts above the subtrees
    check_threads(&f);
    tear_down(&f);
}

// By the BLAS: other bits, the same solution; it gets its threads back.
static void test_blas(void** state) {
    (void)state;
    fixture f;
    set_up(&f);
    build_cube(&f, 10);
    int n = f.m.pattern.unknown_count;
    double *b = random_vector(n, &f.seed), *x = random_vector(n, &f.seed);
    double* own = random_vector(n, &f.seed);
    void* solver = NULL;
    pli_linear_def def = {.blas = true};
    int threads = openblas_get_num_threads ? openblas_get_num_threads() : 1;
    assert_int_equal(pli_multifrontal.analyze(f.solver, &f.m.pattern, NULL), PLI_OK);
    assert_int_equal(run(&pli_multifrontal, f.solver, &f.m, b, own), PLI_LINEAR_OK);
    assert_int_equal(pli_multifrontal.create(&f.memory, NULL, &def, &solver, NULL), PLI_OK);
    assert_int_equal(pli_multifrontal.analyze(solver, &f.m.pattern, NULL), PLI_OK);
    assert_int_equal(run(&pli_multifrontal, solver, &f.m, b, x), PLI_LINEAR_OK);
    assert_true(relative_error(n, x, own) < 1e-11); // condition some 1000
    if (openblas_get_num_threads) assert_int_equal(openblas_get_num_threads(), threads);
    pli_multifrontal.destroy(solver);
    test_free(b);
    test_free(x);
    test_free(own);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_unchanged_trees),
        cmocka_unit_test(test_ill_conditioned),
        cmocka_unit_test(test_arrow),
        cmocka_unit_test(test_diagonal_and_disconnected),
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_usable_after_failure),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_order_is_kept),
        cmocka_unit_test(test_blas),
        cmocka_unit_test(test_callers_random_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
