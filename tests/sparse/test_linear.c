// What every linear solver must do, with every preconditioner.
#include "matrices.h"

#include "oracle/dense.h"
#include "reference.h"
#include "sparse/preconditioner.h"

typedef struct config {
    const char* solver;
    const char* preconditioner;
    // Largest relative error against the dense solution: rounding of a factor of condition ~100
    // for direct solvers, the tolerance below times that condition for pcg.
    double error;
} config;

static const config configs[] = {
#ifdef HAS_CHOLMOD
    {"cholesky", NULL, 1e-10},
#endif
    {"pcg", "incomplete-cholesky", 1e-9},
    {"pcg", "block-jacobi", 1e-9},
    {"multifrontal", NULL, 1e-10},
    {"auto", NULL, 1e-9},
    {"pcg", "multilevel", 1e-9},
};
enum { CONFIG_COUNT = sizeof configs / sizeof *configs };

typedef struct fixture {
    pli_memory memory;
    matrix m;
    const pli_linear_ops* ops;
    void* solver;
    double error;
} fixture;

static void set_up(fixture* f, const config* c) {
    pli_linear_def def = {.preconditioner = c->preconditioner, .max_iterations = 10000};
    pli_memory_init(&f->memory, NULL);
    matrix_init(&f->m, &f->memory);
    f->ops = find_solver(c->solver);
    f->error = c->error;
    assert_non_null(f->ops);
    assert_int_equal(f->ops->create(&f->memory, NULL, &def, &f->solver, NULL), PLI_OK);
}

static void tear_down(fixture* f) {
    f->ops->destroy(f->solver);
    matrix_free(&f->m);
    assert_int_equal(f->memory.bytes, 0);
}

static void analyze(fixture* f) {
    assert_int_equal(f->ops->analyze(f->solver, &f->m.pattern, NULL), PLI_OK);
}

// The worse verdict of factorize and solve.
static pli_linear_verdict solve(fixture* f, const double* b, double* x) {
    pli_linear_verdict verdict = PLI_LINEAR_NOT_CONVERGED, again = PLI_LINEAR_NOT_CONVERGED;
    assert_int_equal(f->ops->factorize(f->solver, f->m.values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(f->ops->solve(f->solver, b, 1e-12, x, &again, NULL), PLI_OK);
    if (verdict != PLI_LINEAR_OK) assert_int_equal(again, verdict);
    return again;
}

static void check_against_dense(fixture* f, uint32_t* seed) {
    int n = f->m.pattern.unknown_count;
    double* dense = matrix_to_dense(&f->m);
    double* b = random_vector(n, seed);
    double* x = random_vector(n, seed);
    double* expected = random_vector(n, seed);
    assert_true(pli_dense_cholesky(n, dense));
    pli_dense_solve(n, dense, b, expected);
    assert_int_equal(solve(f, b, x), PLI_LINEAR_OK);
    assert_true(relative_error(n, x, expected) < f->error);
    // A second right side with the same factor.
    pli_linear_verdict verdict = PLI_LINEAR_NOT_CONVERGED;
    for (int i = 0; i < n; ++i) b[i] *= -3;
    assert_int_equal(f->ops->solve(f->solver, b, 1e-12, x, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    for (int i = 0; i < n; ++i) expected[i] *= -3;
    assert_true(relative_error(n, x, expected) < f->error);
    test_free(dense);
    test_free(b);
    test_free(x);
    test_free(expected);
}

// Mixed widths, a new pattern in every round, new values in between.
static void test_against_dense(void** state) {
    (void)state;
    for (int i = 0; i < CONFIG_COUNT; ++i) {
        fixture f;
        uint32_t seed = 5;
        set_up(&f, &configs[i]);
        for (int round = 0; round < 8; ++round) {
            matrix_random(&f.m, 1 + 9 * round, &seed);
            analyze(&f);
            check_against_dense(&f, &seed);
            add_rank_ones(&f.m, false, &seed);
            check_against_dense(&f, &seed);
            add_diagonal(&f.m, 0.25);
            check_against_dense(&f, &seed);
        }
        tear_down(&f);
    }
}

// Once a matrix of a pattern was solved, work on it takes no more memory of ours.
static void test_memory(void** state) {
    (void)state;
    for (int i = 0; i < CONFIG_COUNT; ++i) {
        fixture f;
        uint32_t seed = 9;
        set_up(&f, &configs[i]);
        matrix_random(&f.m, 30, &seed);
        analyze(&f);
        check_against_dense(&f, &seed);
        int64_t calls = f.memory.calls;
        check_against_dense(&f, &seed);
        analyze(&f);
        check_against_dense(&f, &seed);
        assert_int_equal(f.memory.calls, calls);
        tear_down(&f);
    }
}

static void test_empty(void** state) {
    (void)state;
    for (int i = 0; i < CONFIG_COUNT; ++i) {
        fixture f;
        uint32_t seed = 1;
        pli_linear_info info;
        set_up(&f, &configs[i]);
        matrix_build(&f.m, 0, NULL, 0, NULL);
        analyze(&f);
        assert_int_equal(solve(&f, NULL, NULL), PLI_LINEAR_OK);
        f.ops->info(f.solver, &info);
        assert_int_equal(info.factor_nonzeros, 0);
        // Groups without unknowns.
        matrix_build(&f.m, 3, (int32_t[]){0, 0, 0, 0}, 1, &(pli_pair){2, 1});
        analyze(&f);
        assert_int_equal(solve(&f, NULL, NULL), PLI_LINEAR_OK);
        matrix_build(&f.m, 3, (int32_t[]){0, 2, 2, 4}, 2, (pli_pair[]){{2, 1}, {2, 0}});
        add_rank_ones(&f.m, false, &seed);
        add_diagonal(&f.m, 1);
        analyze(&f);
        check_against_dense(&f, &seed);
        f.ops->info(f.solver, &info);
        assert_true(info.factor_nonzeros > 0);
        tear_down(&f);
    }
}

static void test_zero_right_side(void** state) {
    (void)state;
    for (int i = 0; i < CONFIG_COUNT; ++i) {
        fixture f;
        uint32_t seed = 2;
        set_up(&f, &configs[i]);
        matrix_random(&f.m, 4, &seed);
        analyze(&f);
        int n = f.m.pattern.unknown_count;
        double* b = test_calloc((size_t)n, sizeof *b);
        double* x = random_vector(n, &seed);
        assert_int_equal(solve(&f, b, x), PLI_LINEAR_OK);
        for (int k = 0; k < n; ++k) assert_true(x[k] == 0);
        test_free(b);
        test_free(x);
        tear_down(&f);
    }
}

// Small matrices that are not positive definite, each with a right side that shows it, and what
// iterative solvers may answer: singular ones can also end without converging.
static void test_not_positive_definite_small(void** state) {
    (void)state;
    static const struct {
        int n;
        bool singular;
        double a[9], b[3];
    } cases[] = {
        {2, false, {1, 2, 2, 1}, {1, -1}},                    // positive diagonal
        {2, false, {1, 0, 0, -1}, {1, 1}},                    // negative diagonal
        {3, false, {2, 1, 1, 1, 2, -3, 1, -3, 2}, {0, 1, 1}}, // after a good pivot
        {2, true, {1, 1, 1, 1}, {1, -1}},                     // null vector
        {3, true, {1, 0, 0, 0, 0, 0, 0, 0, 1}, {1, 1, 1}},    // zero row
        {1, false, {(double)NAN}, {1}},
        {2, false, {1, (double)NAN, (double)NAN, 1}, {1, 1}},
    };
    for (int i = 0; i < CONFIG_COUNT; ++i) {
        fixture f;
        uint32_t seed = 4;
        set_up(&f, &configs[i]);
        bool iterative = strcmp(configs[i].solver, "pcg") == 0;
        for (int k = 0; k < (int)(sizeof cases / sizeof *cases); ++k) {
            double x[3];
            matrix_from_dense(&f.m, cases[k].n, cases[k].a);
            analyze(&f);
            pli_linear_verdict verdict = solve(&f, cases[k].b, x);
            if (iterative && cases[k].singular)
                assert_int_not_equal(verdict, PLI_LINEAR_OK);
            else
                assert_int_equal(verdict, PLI_LINEAR_NOT_POSITIVE_DEFINITE);
            // Usable afterwards, with the same pattern and with another.
            matrix_from_dense(&f.m, cases[k].n, cases[k].a);
            for (int v = 0; v < f.m.pattern.value_count; ++v) f.m.values[v] = 0.1;
            add_diagonal(&f.m, 2);
            check_against_dense(&f, &seed);
            matrix_random(&f.m, 10, &seed);
            analyze(&f);
            check_against_dense(&f, &seed);
        }
        tear_down(&f);
    }
}

// Grids of both of CHOLMOD's modes (4 x 4 simplicial, 24 x 24 supernodal).
static void test_not_positive_definite_grid(void** state) {
    (void)state;
    for (int i = 0; i < CONFIG_COUNT; ++i)
        for (int side = 4; side <= 24; side += 20) {
            fixture f;
            uint32_t seed = 6;
            pli_linear_verdict verdict;
            set_up(&f, &configs[i]);
            matrix_grid(&f.m, side, 2, 0.1, &seed);
            analyze(&f);
            int n = f.m.pattern.unknown_count;
            double* b = random_vector(n, &seed);
            double* x = random_vector(n, &seed);
            for (int round = 0; round < 3; ++round) {
                assert_int_equal(solve(&f, b, x), PLI_LINEAR_OK);
                // Below zero: the anchor is the smallest eigenvalue but for rounding.
                add_diagonal(&f.m, -0.15);
                assert_int_equal(solve(&f, b, x), PLI_LINEAR_NOT_POSITIVE_DEFINITE);
                add_diagonal(&f.m, 0.15);
            }
            // A zero row in the middle: singular for sure.
            int middle = f.m.pattern.group_count / 2;
            for (int c = 0; c < n; ++c)
                for (int k = f.m.pattern.start[c]; k < f.m.pattern.start[c + 1]; ++k)
                    if (c == 2 * middle || f.m.pattern.row[k] == 2 * middle) f.m.values[k] = 0;
            assert_int_equal(f.ops->factorize(f.solver, f.m.values, NULL, &verdict, NULL), PLI_OK);
            assert_int_equal(verdict, PLI_LINEAR_NOT_POSITIVE_DEFINITE);
            add_diagonal(&f.m, 0.5);
            assert_int_equal(solve(&f, b, x), PLI_LINEAR_OK);
            test_free(b);
            test_free(x);
            tear_down(&f);
        }
}

// The same bits in every run, and after other work in between.
static void test_same_bits(void** state) {
    (void)state;
    for (int i = 0; i < CONFIG_COUNT; ++i) {
        double* first = NULL;
        for (int round = 0; round < 3; ++round) {
            fixture f;
            uint32_t seed = 8;
            set_up(&f, &configs[i]);
            if (round == 1) {
                matrix_random(&f.m, 20, &seed);
                analyze(&f);
                check_against_dense(&f, &seed);
                seed = 8;
            }
            matrix_grid(&f.m, 30, 3, 0.01, &seed);
            analyze(&f);
            int n = f.m.pattern.unknown_count;
            double* b = random_vector(n, &seed);
            double* x = random_vector(n, &seed);
            for (int k = 0; k <= round; ++k) assert_int_equal(solve(&f, b, x), PLI_LINEAR_OK);
            if (first)
                assert_memory_equal(x, first, (size_t)n * sizeof *x);
            else
                first = random_vector(n, &seed);
            memcpy(first, x, (size_t)n * sizeof *x);
            test_free(b);
            test_free(x);
            tear_down(&f);
        }
        test_free(first);
    }
}

// Our own allocations fail one after the other; nothing leaks and the solver can be used when
// memory is back.
static void test_no_memory(void** state) {
    (void)state;
    pli_memory plain;
    matrix small, large;
    uint32_t seed = 10;
    pli_memory_init(&plain, NULL);
    matrix_init(&small, &plain);
    matrix_init(&large, &plain);
    matrix_random(&small, 3, &seed);
    matrix_random(&large, 20, &seed);
    for (int i = 0; i < CONFIG_COUNT; ++i) {
        const pli_linear_ops* ops = find_solver(configs[i].solver);
        pli_linear_def def = {.preconditioner = configs[i].preconditioner, .max_iterations = 1000};
        bool failed = true;
        for (int fail_at = 0; failed; ++fail_at) {
            faulty allocator;
            pli_memory memory;
            void* solver = NULL;
            faulty_memory_init(&memory, &allocator, fail_at);
            pli_status status = ops->create(&memory, NULL, &def, &solver, NULL);
            failed = status != PLI_OK;
            if (failed) {
                assert_int_equal(status, PLI_E_MEMORY);
                assert_null(solver);
                assert_int_equal(memory.bytes, 0);
                continue;
            }
            failed |= ops->analyze(solver, &small.pattern, NULL) != PLI_OK;
            failed |= ops->analyze(solver, &large.pattern, NULL) != PLI_OK;
            pli_linear_verdict verdict = PLI_LINEAR_NOT_CONVERGED;
            assert_int_equal(ops->analyze(solver, &large.pattern, NULL), PLI_OK);
            failed |= ops->factorize(solver, large.values, NULL, &verdict, NULL) != PLI_OK;
            assert_int_equal(ops->factorize(solver, large.values, NULL, &verdict, NULL), PLI_OK);
            assert_int_equal(verdict, PLI_LINEAR_OK);
            ops->destroy(solver);
            assert_int_equal(memory.bytes, 0);
        }
    }
    matrix_free(&small);
    matrix_free(&large);
    assert_int_equal(plain.bytes, 0);
}

static void test_table(void** state) {
    (void)state;
    int count = 0;
    for (; pli_linear_at(count); ++count) {
        const pli_linear_ops* ops = pli_linear_at(count);
        assert_ptr_equal(pli_linear_find(ops->name), ops);
        assert_string_equal(pli_linear_name(count), ops->name);
        assert_true(strlen(ops->help) > 0);
    }
#ifdef PLIANT_CHOLMOD
    assert_non_null(pli_linear_find("cholesky"));
#else
    assert_null(pli_linear_find("cholesky"));
#endif
    assert_non_null(pli_linear_find("pcg"));
    assert_non_null(pli_linear_find("auto"));
    assert_null(pli_linear_at(-1));
    assert_null(pli_linear_name(count));
    assert_null(pli_linear_find("cholesk"));
    assert_string_equal(pli_linear_name(0), "multifrontal");
    assert_string_equal(pli_preconditioner_name(0), "incomplete-cholesky");
    assert_non_null(pli_preconditioner_find("block-jacobi"));
    assert_non_null(pli_preconditioner_find("multilevel"));
    for (count = 0; pli_preconditioner_at(count); ++count)
        assert_ptr_equal(pli_preconditioner_find(pli_preconditioner_name(count)),
                         pli_preconditioner_at(count));
    assert_null(pli_preconditioner_name(count));
    assert_null(pli_preconditioner_name(-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_dense),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_zero_right_side),
        cmocka_unit_test(test_not_positive_definite_small),
        cmocka_unit_test(test_not_positive_definite_grid),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
