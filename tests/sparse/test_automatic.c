// The choice between a factor and conjugate gradients. What holds for every linear solver is in
// test_linear.c.
#include "matrices.h"

#include "sparse/linear.h"

enum { SIDE = 40, WIDTH = 3 };

typedef struct fixture {
    pli_memory memory;
    matrix m;
    void* solver;
    int n;
    double *b, *x;
} fixture;

// A sheet of springs, every vertex held by `anchor`, whose stiffest springs are of size 10.
static void set_up(fixture* f, double anchor, int max_iterations) {
    pli_linear_def def = {.max_iterations = max_iterations};
    uint32_t seed = 12;
    pli_memory_init(&f->memory, NULL);
    matrix_init(&f->m, &f->memory);
    matrix_grid(&f->m, SIDE, WIDTH, anchor, &seed);
    f->n = f->m.pattern.unknown_count;
    f->b = random_vector(f->n, &seed);
    f->x = random_vector(f->n, &seed);
    assert_int_equal(pli_automatic.create(&f->memory, NULL, &def, &f->solver, NULL), PLI_OK);
    assert_int_equal(pli_automatic.analyze(f->solver, &f->m.pattern, NULL), PLI_OK);
}

static void tear_down(fixture* f) {
    pli_automatic.destroy(f->solver);
    matrix_free(&f->m);
    test_free(f->b);
    test_free(f->x);
    assert_int_equal(f->memory.bytes, 0);
}

// Solves, compares with the factorization alone and gives what the solver tells.
static pli_linear_info solve(fixture* f) {
    pli_linear_verdict verdict = PLI_LINEAR_NOT_CONVERGED;
    assert_int_equal(pli_automatic.factorize(f->solver, f->m.values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    assert_int_equal(pli_automatic.solve(f->solver, f->b, 1e-10, f->x, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);

    void* direct;
    double* expected = test_calloc((size_t)f->n, sizeof *expected);
    assert_int_equal(pli_multifrontal.create(&f->memory, NULL, NULL, &direct, NULL), PLI_OK);
    assert_int_equal(pli_multifrontal.analyze(direct, &f->m.pattern, NULL), PLI_OK);
    assert_int_equal(pli_multifrontal.factorize(direct, f->m.values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(pli_multifrontal.solve(direct, f->b, 1e-10, expected, &verdict, NULL), PLI_OK);
    // The tolerance of pcg, and its matrices have a condition below 100.
    assert_true(relative_error(f->n, f->x, expected) < 1e-8);
    pli_multifrontal.destroy(direct);
    test_free(expected);

    pli_linear_info info;
    pli_automatic.info(f->solver, &info);
    return info;
}

static void test_inertia_iterates(void** state) {
    (void)state;
    fixture f;
    set_up(&f, 100, 10000);
    pli_linear_info info = solve(&f);
    assert_true(info.iterations > 0);
    assert_true(info.residual <= 1e-10);
    tear_down(&f);
}

static void test_loose_sheet_is_factorized(void** state) {
    (void)state;
    fixture f;
    set_up(&f, 1e-6, 10000);
    pli_linear_info info = solve(&f);
    assert_int_equal(info.iterations, 0);
    assert_false(info.loose);
    // The choice is one of the values, not of the pattern.
    add_diagonal(&f.m, 100);
    assert_true(solve(&f).iterations > 0);
    tear_down(&f);
}

// One vertex on a wall deceives the rule: all others are loose. pcg gives up, the factor takes over
// and stays; that is remembered over some analyses.
static void test_factor_takes_over(void** state) {
    (void)state;
    fixture f;
    set_up(&f, 1e-6, 10000);
    for (int c = 0; c < WIDTH; ++c) *block_entry(&f.m, 0, 0, c, c) += 1e9;
    pli_linear_info info = solve(&f);
    assert_true(info.iterations > 0);
    assert_false(info.loose);
    double* first = test_calloc((size_t)f.n, sizeof *first);
    memcpy(first, f.x, (size_t)f.n * sizeof *first);
    assert_int_equal(solve(&f).iterations, 0);
    assert_memory_equal(f.x, first, (size_t)f.n * sizeof *first);
    assert_int_equal(pli_automatic.analyze(f.solver, &f.m.pattern, NULL), PLI_OK);
    assert_int_equal(solve(&f).iterations, 0);
    for (int i = 0; i < 20; ++i)
        assert_int_equal(pli_automatic.analyze(f.solver, &f.m.pattern, NULL), PLI_OK);
    assert_int_equal(solve(&f).iterations, info.iterations);
    assert_memory_equal(f.x, first, (size_t)f.n * sizeof *first);
    test_free(first);
    tear_down(&f);
}

static void test_iteration_cap_is_kept(void** state) {
    (void)state;
    fixture f;
    set_up(&f, 100, 1);
    assert_int_equal(solve(&f).iterations, 1); // and then the factor
    tear_down(&f);
}

// A matrix that is indefinite in truth is no reason to give up pcg for good.
static void test_indefinite_in_between(void** state) {
    (void)state;
    fixture f;
    set_up(&f, 100, 10000);
    pli_linear_verdict verdict = PLI_LINEAR_OK;
    *block_entry(&f.m, 0, 0, 0, 0) -= 1000;
    assert_int_equal(pli_automatic.factorize(f.solver, f.m.values, NULL, &verdict, NULL), PLI_OK);
    if (verdict == PLI_LINEAR_OK)
        assert_int_equal(pli_automatic.solve(f.solver, f.b, 1e-10, f.x, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_NOT_POSITIVE_DEFINITE);
    *block_entry(&f.m, 0, 0, 0, 0) += 1000;
    assert_true(solve(&f).iterations > 0);
    tear_down(&f);
}

// A stiff cube of some size: too expensive a factor, too many iterations with incomplete Cholesky.
static void test_multilevel_for_stiff_cubes(void** state) {
    (void)state;
    enum { N = 24 };
    pli_memory memory;
    matrix m;
    void* solver;
    uint32_t seed = 6;
    int32_t* offset = test_calloc(N * N * N + 1, sizeof *offset);
    pli_pair* pairs = test_calloc(3 * N * N * N, sizeof *pairs);
    int count = 0;
    for (int i = 0; i < N * N * N; ++i) {
        offset[i + 1] = WIDTH * (i + 1);
        if (i % N > 0) pairs[count++] = (pli_pair){i, i - 1};
        if (i / N % N > 0) pairs[count++] = (pli_pair){i, i - N};
        if (i / N / N > 0) pairs[count++] = (pli_pair){i, i - N * N};
    }
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_build(&m, N * N * N, offset, count, pairs);
    for (int j = 0; j < N * N * N; ++j) // isotropic springs
        for (int k = m.pattern.block_start[j] + 1; k < m.pattern.block_start[j + 1]; ++k)
            for (int c = 0; c < WIDTH; ++c) {
                int i = m.pattern.block_row[k];
                *block_entry(&m, k, j, c, c) -= 1;
                *block_entry(&m, m.pattern.block_start[j], j, c, c) += 1;
                *block_entry(&m, m.pattern.block_start[i], i, c, c) += 1;
            }
    add_diagonal(&m, 1e-5);
    pli_linear_def def = {.max_iterations = 10000};
    pli_linear_verdict verdict;
    pli_linear_info info;
    double* b = random_vector(m.pattern.unknown_count, &seed);
    double* x = random_vector(m.pattern.unknown_count, &seed);
    assert_int_equal(pli_automatic.create(&memory, NULL, &def, &solver, NULL), PLI_OK);
    assert_int_equal(pli_automatic.analyze(solver, &m.pattern, NULL), PLI_OK);
    assert_int_equal(pli_automatic.factorize(solver, m.values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(pli_automatic.solve(solver, b, 1e-8, x, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    pli_automatic.info(solver, &info);
    assert_in_range(info.iterations, 1, 40);
    assert_true(info.factor_nonzeros > m.pattern.value_count); // levels, but no factor
    assert_true(info.factor_nonzeros < 2 * m.pattern.value_count);
    pli_automatic.destroy(solver);
    matrix_free(&m);
    test_free(offset);
    test_free(pairs);
    test_free(b);
    test_free(x);
    assert_int_equal(memory.bytes, 0);
}

// Random couplings fill in: the factor would have panels of more than 2^31 numbers. Conjugate
// gradients need none.
static void test_too_large_a_factor(void** state) {
    (void)state;
    enum { GROUPS = 20000, EACH = 8, UNKNOWNS = 6 };
    pli_memory memory;
    matrix m;
    uint32_t seed = 5;
    int32_t* offset = test_calloc(GROUPS + 1, sizeof *offset);
    pli_pair* pairs = test_calloc(EACH * GROUPS, sizeof *pairs);
    for (int i = 0; i < GROUPS; ++i) offset[i + 1] = UNKNOWNS * (i + 1);
    for (int i = 0; i < EACH * GROUPS; ++i) {
        int a = i / EACH, b = random_below(&seed, GROUPS);
        pairs[i] = (pli_pair){pli_max_int(a, b), pli_min_int(a, b)};
    }
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_build(&m, GROUPS, offset, EACH * GROUPS, pairs);
    add_diagonal(&m, 4);
    const pli_linear_def def = {.max_iterations = 10};
    double* b = random_vector(m.pattern.unknown_count, &seed);
    double* x = random_vector(m.pattern.unknown_count, &seed);
    pli_linear_verdict verdict = PLI_LINEAR_NOT_CONVERGED;
    pli_error error = {0};
    void* solver;
    assert_int_equal(pli_multifrontal.create(&memory, NULL, &def, &solver, NULL), PLI_OK);
    size_t rest; // without the analysis, which would take all memory if the panels were smaller
    assert_int_equal(pli_multifrontal.plan(solver, &m.pattern, NULL, &rest, &error), PLI_E_MEMORY);
    assert_non_null(strstr(error.message, "too large"));
    pli_multifrontal.destroy(solver);
    assert_int_equal(pli_automatic.create(&memory, NULL, &def, &solver, NULL), PLI_OK);
    assert_int_equal(pli_automatic.analyze(solver, &m.pattern, NULL), PLI_OK);
    assert_int_equal(pli_automatic.factorize(solver, m.values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(pli_automatic.solve(solver, b, 1e-8, x, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    for (int i = 0; i < m.pattern.unknown_count; ++i) assert_true(fabs(4 * x[i] - b[i]) < 1e-6);
    pli_automatic.destroy(solver);
    matrix_free(&m);
    test_free(offset);
    test_free(pairs);
    test_free(b);
    test_free(x);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inertia_iterates),
        cmocka_unit_test(test_loose_sheet_is_factorized),
        cmocka_unit_test(test_factor_takes_over),
        cmocka_unit_test(test_iteration_cap_is_kept),
        cmocka_unit_test(test_indefinite_in_between),
        cmocka_unit_test(test_multilevel_for_stiff_cubes),
        cmocka_unit_test(test_too_large_a_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
