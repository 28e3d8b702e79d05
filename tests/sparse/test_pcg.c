// What is particular to conjugate gradients: iteration counts, stopping, break-down.
#include "matrices.h"

#include "sparse/linear.h"
#include "sparse/preconditioner.h"

static void* create(pli_memory* memory, const char* preconditioner, int cap) {
    pli_linear_def def = {.preconditioner = preconditioner, .max_iterations = cap};
    void* solver = NULL;
    assert_int_equal(pli_pcg.create(memory, NULL, &def, &solver, NULL), PLI_OK);
    return solver;
}

static pli_linear_verdict solve(void* solver, const matrix* m, const double* b, double tolerance,
                                double* x) {
    pli_linear_verdict verdict;
    assert_int_equal(pli_pcg.analyze(solver, &m->pattern, NULL), PLI_OK);
    assert_int_equal(pli_pcg.factorize(solver, m->values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    assert_int_equal(pli_pcg.solve(solver, b, tolerance, x, &verdict, NULL), PLI_OK);
    return verdict;
}

// |b - A x| / |b|
static double residual(const matrix* m, const double* b, const double* x, uint32_t* seed) {
    int n = m->pattern.unknown_count;
    double* y = random_vector(n, seed);
    double sum = 0, size = 0;
    pli_pattern_multiply(&m->pattern, m->values, x, y);
    for (int i = 0; i < n; ++i) {
        sum += (b[i] - y[i]) * (b[i] - y[i]);
        size += b[i] * b[i];
    }
    test_free(y);
    return sqrt(sum / size);
}

typedef struct grid {
    pli_memory memory;
    matrix m;
    uint32_t seed;
    double *b, *x;
} grid;

static void grid_init(grid* g, int side, int width, double anchor) {
    g->seed = 21;
    pli_memory_init(&g->memory, NULL);
    matrix_init(&g->m, &g->memory);
    matrix_grid(&g->m, side, width, anchor, &g->seed);
    g->b = random_vector(g->m.pattern.unknown_count, &g->seed);
    g->x = random_vector(g->m.pattern.unknown_count, &g->seed);
}

static void grid_free(grid* g) {
    test_free(g->b);
    test_free(g->x);
    matrix_free(&g->m);
    assert_int_equal(g->memory.bytes, 0);
}

static void test_grid(void** state) {
    (void)state;
    for (int width = 1; width <= 5; ++width) {
        grid g;
        pli_linear_info info[2];
        grid_init(&g, 30, width, 1e-3);
        for (int i = 0; i < 2; ++i) {
            void* solver = create(&g.memory, pli_preconditioner_name(i), 10000);
            assert_int_equal(solve(solver, &g.m, g.b, 1e-8, g.x), PLI_LINEAR_OK);
            pli_pcg.info(solver, &info[i]);
            double true_residual = residual(&g.m, g.b, g.x, &g.seed);
            assert_true(true_residual <= 1e-8);
            // The same number but for the rounding of the norms.
            // Rounding of b - A x, whose parts are 1e8 times larger, in another order.
            assert_true(fabs(info[i].residual - true_residual) <= 1e-6 * true_residual);
            assert_true(info[i].factor_nonzeros > 0);
            pli_pcg.destroy(solver);
        }
        // Incomplete Cholesky comes first in the table and needs far fewer iterations.
        assert_true(info[0].iterations > 0);
        assert_true(2 * info[0].iterations < info[1].iterations);
        assert_true(info[0].factor_nonzeros > info[1].factor_nonzeros);
        grid_free(&g);
    }
}

// The factor is exact where no fill is dropped: one iteration.
static void test_tree_is_exact(void** state) {
    (void)state;
    pli_memory memory;
    matrix m;
    uint32_t seed = 22;
    int32_t offset[] = {0, 3, 5, 17, 18, 23, 28};
    // Every group has one neighbour with a larger number at most: elimination makes no fill.
    pli_pair pairs[] = {{2, 0}, {2, 1}, {5, 2}, {4, 3}, {5, 4}};
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_build(&m, 6, offset, 5, pairs);
    add_rank_ones(&m, false, &seed);
    add_diagonal(&m, 0.1);
    double* b = random_vector(28, &seed);
    double* x = random_vector(28, &seed);
    void* solver = create(&memory, "incomplete-cholesky", 10);
    pli_linear_info info;
    assert_int_equal(solve(solver, &m, b, 1e-12, x), PLI_LINEAR_OK);
    pli_pcg.info(solver, &info);
    assert_int_equal(info.iterations, 1);
    pli_pcg.destroy(solver);
    test_free(b);
    test_free(x);
    matrix_free(&m);
    assert_int_equal(memory.bytes, 0);
}

static void test_iteration_cap(void** state) {
    (void)state;
    grid g;
    pli_linear_info info;
    grid_init(&g, 20, 2, 1e-3);
    double last = 1;
    for (int cap = 5; cap <= 40; cap *= 2) {
        void* solver = create(&g.memory, "block-jacobi", cap);
        assert_int_equal(solve(solver, &g.m, g.b, 1e-12, g.x), PLI_LINEAR_NOT_CONVERGED);
        pli_pcg.info(solver, &info);
        assert_int_equal(info.iterations, cap);
        // The error in the norm of H, |x - x*|_H^2 = x^T H x - 2 b^T x + const, must fall.
        int n = g.m.pattern.unknown_count;
        double* y = random_vector(n, &g.seed);
        double energy = 0;
        pli_pattern_multiply(&g.m.pattern, g.m.values, g.x, y);
        for (int i = 0; i < n; ++i) energy += g.x[i] * (y[i] - 2 * g.b[i]);
        assert_true(energy < last);
        last = energy;
        test_free(y);
        pli_pcg.destroy(solver);
    }
    grid_free(&g);
}

// Condition above 1e10: a residual of 1e-6 can be had, one of 1e-16 cannot; both must end.
static void test_ill_conditioned(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        grid g;
        grid_init(&g, 20, 2, 1e-10);
        void* solver = create(&g.memory, pli_preconditioner_name(i), 100000);
        assert_int_equal(solve(solver, &g.m, g.b, 1e-6, g.x), PLI_LINEAR_OK);
        assert_true(residual(&g.m, g.b, g.x, &g.seed) <= 1e-6);
        pli_pcg.destroy(solver);
        solver = create(&g.memory, pli_preconditioner_name(i), 100000);
        assert_int_equal(solve(solver, &g.m, g.b, 1e-16, g.x), PLI_LINEAR_NOT_CONVERGED);
        pli_linear_info info;
        pli_pcg.info(solver, &info);
        assert_true(info.iterations < 100000); // it saw that it does not get on
        pli_pcg.destroy(solver);
        grid_free(&g);
    }
}

// Kershaw's matrix is positive definite (eigenvalues 3 +- sqrt 8), but its incomplete factor has a
// negative pivot: only the shift saves it.
static void test_break_down(void** state) {
    (void)state;
    static const double a[] = {3, -2, 0, 2, -2, 3, -2, 0, 0, -2, 3, -2, 2, 0, -2, 3};
    static const double b[] = {1, 2, 3, 5};
    pli_memory memory;
    matrix m;
    double x[4];
    uint32_t seed = 23;
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_from_dense(&m, 4, a);
    void* solver = create(&memory, "incomplete-cholesky", 100);
    assert_int_equal(solve(solver, &m, b, 1e-12, x), PLI_LINEAR_OK);
    assert_true(residual(&m, b, x, &seed) <= 1e-12);
    pli_pcg.destroy(solver);
    matrix_free(&m);
    assert_int_equal(memory.bytes, 0);
}

// Loads whose squares are no numbers: the solution is as exact as for ordinary ones.
static void test_tiny_and_huge(void** state) {
    (void)state;
    static const double sizes[] = {1e-300, 1e-170, 1e-158, 1e-101, 1e101, 1e160, 1e300};
    grid g;
    grid_init(&g, 10, 2, 0.1);
    int n = g.m.pattern.unknown_count;
    double *b = random_vector(n, &g.seed), *x = random_vector(n, &g.seed);
    void* solver = create(&g.memory, "block-jacobi", 1000);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        for (int i = 0; i < n; ++i) b[i] = sizes[k] * g.b[i];
        assert_int_equal(solve(solver, &g.m, b, 1e-10, x), PLI_LINEAR_OK);
        for (int i = 0; i < n; ++i) x[i] /= sizes[k];
        assert_true(residual(&g.m, g.b, x, &g.seed) <= 1.01e-10); // with the rounding of b
    }
    for (int i = 0; i < n; ++i) b[i] = 0;
    assert_int_equal(solve(solver, &g.m, b, 1e-10, x), PLI_LINEAR_OK);
    for (int i = 0; i < n; ++i) assert_true(x[i] == 0);
    pli_pcg.destroy(solver);
    test_free(b);
    test_free(x);
    grid_free(&g);
}

static int iterations(void* solver, const grid* g, const uint8_t* changed) {
    pli_linear_verdict verdict;
    pli_linear_info info;
    assert_int_equal(pli_pcg.factorize(solver, g->m.values, changed, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    assert_int_equal(pli_pcg.solve(solver, g->b, 1e-8, g->x, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    pli_pcg.info(solver, &info);
    return info.iterations;
}

// Some diagonal blocks grow by up to a million, as contacts do. A preconditioner that is mended
// there is nearly as good as a new one; where all has changed, or nothing, it has the bits of a new
// one.
static void test_mended(void** state) {
    (void)state;
    grid g;
    grid_init(&g, 40, 3, 1e-3);
    int groups = g.m.pattern.group_count, n = g.m.pattern.unknown_count;
    uint8_t *changed = calloc((size_t)groups, 1), *all = malloc((size_t)groups),
            *none = calloc((size_t)groups, 1);
    double* x = malloc(sizeof *x * (size_t)n);
    assert_true(changed && all && none && x);
    memset(all, 1, (size_t)groups);
    void *mended = create(&g.memory, "incomplete-cholesky", 10000),
         *fresh = create(&g.memory, "incomplete-cholesky", 10000);
    void* solvers[2] = {mended, fresh};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(pli_pcg.analyze(solvers[i], &g.m.pattern, NULL), PLI_OK);
        (void)iterations(solvers[i], &g, all); // the first one is always whole
    }
    for (int round = 0; round < 5; ++round) {
        memset(changed, 0, (size_t)groups);
        for (int k = 0; k < groups / 50; ++k) {
            int j = random_below(&g.seed, groups), block = g.m.pattern.block_start[j];
            double growth = pow(10, 3 * (1 + random_number(&g.seed)));
            for (int c = 0; c < 3; ++c) *block_entry(&g.m, block, j, c, c) *= growth;
            changed[j] = 1;
        }
        int best = iterations(fresh, &g, NULL);
        // seen: 4 to 5 more than 50 to 90
        assert_true(iterations(mended, &g, changed) <= best + best / 8);
        assert_true(residual(&g.m, g.b, g.x, &g.seed) <= 1e-8);
    }
    (void)iterations(fresh, &g, NULL);
    memcpy(x, g.x, sizeof *x * (size_t)n);
    (void)iterations(mended, &g, all);
    assert_memory_equal(x, g.x, sizeof *x * (size_t)n);
    (void)iterations(mended, &g, none);
    assert_memory_equal(x, g.x, sizeof *x * (size_t)n);
    for (int i = 0; i < 2; ++i) pli_pcg.destroy(solvers[i]);
    free(changed);
    free(all);
    free(none);
    free(x);
    grid_free(&g);
}

static void test_bad_definition(void** state) {
    (void)state;
    static const pli_linear_def bad[] = {
        {.preconditioner = "jacobi", .max_iterations = 100},
        {.max_iterations = 0},
    };
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); ++i) {
        void* solver = NULL;
        pli_error error = {0};
        assert_int_equal(pli_pcg.create(&memory, NULL, &bad[i], &solver, &error), PLI_E_ARGUMENT);
        assert_null(solver);
        assert_true(strlen(error.message) > 0);
        assert_int_equal(memory.bytes, 0);
    }
    assert_null(pli_preconditioner_find("jacobi"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),           cmocka_unit_test(test_tree_is_exact),
        cmocka_unit_test(test_iteration_cap),  cmocka_unit_test(test_ill_conditioned),
        cmocka_unit_test(test_break_down),     cmocka_unit_test(test_mended),
        cmocka_unit_test(test_bad_definition), cmocka_unit_test(test_tiny_and_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
