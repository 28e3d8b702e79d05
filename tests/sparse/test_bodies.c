// Every solver against CHOLMOD on matrices as the benchmarks have them; nearly singular and
// indefinite ones are told apart.
#include "bodies.h"

#include "reference.h"

// Of the unknowns: cubes, bars, slabs; soft and stiff against inertia; in contact; pinned.
static const body_def defs[] = {
    {.cells = {7, 7, 7}, .young = 1e2, .poisson = 0.3, .inertia = 1},
    {.cells = {7, 7, 7}, .young = 1e4, .poisson = 0.45, .inertia = 1, .pinned = true},
    {.cells = {40, 3, 3}, .young = 1e3, .poisson = 0.4, .inertia = 1, .pinned = true},
    {.cells = {20, 20, 1}, .young = 1e3, .poisson = 0.4, .inertia = 1},
    {.cells = {8, 8, 8},
     .young = 1e2,
     .poisson = 0.4,
     .inertia = 1,
     .contact_count = 60,
     .barrier = 1e2},
    {.cells = {24, 12, 1},
     .young = 1e2,
     .poisson = 0.4,
     .inertia = 1,
     .contact_count = 12,
     .barrier = 1e4,
     .pinned = true},
};
enum { DEF_COUNT = sizeof defs / sizeof *defs };

typedef struct solver_row {
    const char *solver, *preconditioner;
    double error; // largest difference from CHOLMOD, relative
} solver_row;

static const solver_row rows[] = {
    {"multifrontal", NULL, 1e-10},
    {"pcg", "incomplete-cholesky", 1e-7}, // the residual of 1e-11 times a condition of 1e4
    {"pcg", "multilevel", 1e-7},
    {"auto", NULL, 1e-7},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

// The worse verdict of the three calls.
static pli_linear_verdict solve(const pli_linear_ops* ops, const char* preconditioner,
                                const matrix* m, const double* b, double* x) {
    pli_linear_def def = {.preconditioner = preconditioner, .max_iterations = 20000};
    pli_linear_verdict verdict;
    pli_memory memory;
    void* solver;
    pli_memory_init(&memory, NULL);
    assert_int_equal(ops->create(&memory, NULL, &def, &solver, NULL), PLI_OK);
    assert_int_equal(ops->analyze(solver, &m->pattern, NULL), PLI_OK);
    assert_int_equal(ops->factorize(solver, m->values, NULL, &verdict, NULL), PLI_OK);
    if (verdict == PLI_LINEAR_OK)
        assert_int_equal(ops->solve(solver, b, 1e-11, x, &verdict, NULL), PLI_OK);
    ops->destroy(solver);
    assert_int_equal(memory.bytes, 0);
    return verdict;
}

typedef struct fixture {
    pli_memory memory;
    matrix m;
    int n;
    double *b, *x, *expected;
} fixture;

static void set_up(fixture* f, const body_def* def) {
    uint32_t seed = 31;
    pli_memory_init(&f->memory, NULL);
    matrix_init(&f->m, &f->memory);
    matrix_body(&f->m, def);
    f->n = f->m.pattern.unknown_count;
    f->b = random_vector(f->n, &seed);
    f->x = random_vector(f->n, &seed);
    f->expected = random_vector(f->n, &seed);
}

static void tear_down(fixture* f) {
    test_free(f->b);
    test_free(f->x);
    test_free(f->expected);
    matrix_free(&f->m);
    assert_int_equal(f->memory.bytes, 0);
}

static void test_same_solution(void** state) {
    (void)state;
    const pli_linear_ops* cholmod = find_cholmod();
    if (!cholmod) skip();
    for (int i = 0; i < DEF_COUNT; ++i) {
        fixture f;
        set_up(&f, &defs[i]);
        assert_int_equal(solve(cholmod, NULL, &f.m, f.b, f.expected), PLI_LINEAR_OK);
        for (int k = 0; k < ROW_COUNT; ++k) {
            const pli_linear_ops* ops = pli_linear_find(rows[k].solver);
            assert_int_equal(solve(ops, rows[k].preconditioner, &f.m, f.b, f.x), PLI_LINEAR_OK);
            assert_true(relative_error(f.n, f.x, f.expected) < rows[k].error);
        }
        tear_down(&f);
    }
}

// max |b - A x| / (max |b| + max |A| max |x|): how far x is from a solution of a matrix next to A.
static double backward_error(const fixture* f, const double* x) {
    uint32_t seed = 1;
    double *y = random_vector(f->n, &seed), size = 0, solution = 0, right = 0, residual = 0;
    pli_pattern_multiply(&f->m.pattern, f->m.values, x, y);
    for (int k = 0; k < f->m.pattern.value_count; ++k)
        if (!isnan(f->m.values[k])) size = fmax(size, fabs(f->m.values[k]));
    for (int i = 0; i < f->n; ++i) {
        solution = fmax(solution, fabs(x[i]));
        right = fmax(right, fabs(f->b[i]));
        residual = fmax(residual, fabs(f->b[i] - y[i]));
    }
    test_free(y);
    return residual / (right + size * solution);
}

// A free body with next to no inertia: six motions cost 1e-10 of the others. Direct solvers give a
// solution of a matrix within rounding, and the same one up to their condition.
static void test_nearly_singular(void** state) {
    (void)state;
    fixture f;
    set_up(&f, &(body_def){.cells = {6, 6, 6}, .young = 1, .poisson = 0.3, .inertia = 1e-10});
    const pli_linear_ops* direct[] = {&pli_multifrontal, find_cholmod()};
    for (int k = 0; k < 2 && direct[k]; ++k) {
        double* x = k == 0 ? f.x : f.expected;
        assert_int_equal(solve(direct[k], NULL, &f.m, f.b, x), PLI_LINEAR_OK);
        assert_true(backward_error(&f, x) < 1e-14);
    }
    if (direct[1]) // condition 1e11 times rounding
        assert_true(relative_error(f.n, f.x, f.expected) < 1e-4);
    tear_down(&f);
}

// The same body with a negative inertia, small or large, anywhere: no solver gives a solution.
static void test_indefinite(void** state) {
    (void)state;
    const solver_row all[] = {
        {.solver = "cholesky"},
        {.solver = "multifrontal"},
        {.solver = "pcg", .preconditioner = "incomplete-cholesky"},
        {.solver = "pcg", .preconditioner = "block-jacobi"},
        {.solver = "pcg", .preconditioner = "multilevel"},
        {.solver = "auto"},
    };
    for (int trial = 0; trial < 3; ++trial) {
        fixture f;
        set_up(&f, &(body_def){.cells = {6, 6, 6},
                               .young = 1,
                               .poisson = 0.3,
                               .inertia = trial == 0 ? -1e-3 : 1e-2});
        int j = f.m.pattern.group_count / 2;
        if (trial > 0) // one vertex, a little beyond what its neighbours hold, and far
            *block_entry(&f.m, f.m.pattern.block_start[j], j, 1, 1) -= trial == 1 ? 2 : 1e3;
        for (int k = 0; k < (int)(sizeof all / sizeof *all); ++k) {
            const pli_linear_ops* ops = find_solver(all[k].solver);
            if (!ops) continue;
            assert_int_equal(solve(ops, all[k].preconditioner, &f.m, f.b, f.x),
                             PLI_LINEAR_NOT_POSITIVE_DEFINITE);
        }
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_solution),
        cmocka_unit_test(test_nearly_singular),
        cmocka_unit_test(test_indefinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
