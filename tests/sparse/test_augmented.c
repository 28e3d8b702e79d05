// Equations by an augmented matrix against the dense complement and the residuals of both systems;
// rows that follow from others; time along a chain, counted in solves and fill.
#include "matrices.h"

#include "sparse/augmented.h"

enum { LINKS = 20, WIDTH = 4, GROUPS = LINKS * WIDTH, DIM = 3, N = GROUPS * DIM, ROWS = 6 * LINKS };

typedef struct chain {
    pli_memory memory;
    matrix m;
    pli_equations e;
    int entries;
    double g[N], r[ROWS + 8], p[N], dense[N], lambda[ROWS + 8];
    pli_augmented augmented;
    pli_woodbury woodbury;
    void* solver;
} chain;

static void add_entry(chain* c, int unknown, double weight) {
    c->e.unknown[c->entries] = unknown;
    c->e.weight[c->entries++] = weight;
}

static void end_row(chain* c) { c->e.start[++c->e.count] = c->entries; }

// Component `axis` of a point of link a and one of link a + 1 (the world for the last), as affine
// bodies with four controls.
static void add_joint_row(chain* c, int a, double at[2][WIDTH], int axis) {
    for (int s = 0; s < 2 && a + s < LINKS; ++s)
        for (int i = 0; i < WIDTH; ++i)
            add_entry(c, DIM * (WIDTH * (a + s) + i) + axis, s == 0 ? at[0][i] : -at[1][i]);
    end_row(c);
}

// Two points per pair of links: hinges.
static void add_rows(chain* c, uint32_t* seed) {
    for (int a = 0; a < LINKS; ++a)
        for (int point = 0; point < 2; ++point) {
            double at[2][WIDTH];
            for (int s = 0; s < 2; ++s) {
                double rest = 1;
                for (int i = 1; i < WIDTH; ++i) rest -= at[s][i] = random_number(seed);
                at[s][0] = rest;
            }
            for (int axis = 0; axis < DIM; ++axis) add_joint_row(c, a, at, axis);
        }
}

// Links whose own stiffness is `stiff` times that of their surroundings.
static void chain_create(chain* c, double stiff, uint32_t* seed) {
    int32_t offset[GROUPS + 1];
    pli_pair* pairs = NULL;
    int count = 0, capacity = 0;
    *c = (chain){.augmented = {0}};
    pli_memory_init(&c->memory, NULL);
    pli_augmented_init(&c->augmented, &c->memory);
    pli_woodbury_init(&c->woodbury, &c->memory);
    matrix_init(&c->m, &c->memory);
    for (int j = 0; j <= GROUPS; ++j) offset[j] = DIM * j;
    c->e.start = test_calloc(ROWS + 9, sizeof *c->e.start);
    c->e.unknown = test_calloc(64 * ROWS, sizeof *c->e.unknown);
    c->e.weight = test_calloc(64 * ROWS, sizeof *c->e.weight);
    c->e.dropped = test_calloc(ROWS + 8, 1);
    c->e.held = test_calloc(N, 1);
    c->e.multipliers = c->lambda;
    add_rows(c, seed);
    assert_int_equal(
        pli_equations_pairs(&c->e, GROUPS, offset, &c->memory, &pairs, &count, &capacity, NULL),
        PLI_OK);
    for (int a = 0; a < LINKS; ++a)
        for (int i = 0; i < WIDTH; ++i)
            for (int j = 0; j < i; ++j, ++count) {
                assert_int_equal(PLI_GROW(&c->memory, pairs, capacity, count + 1, NULL), PLI_OK);
                pairs[count] = (pli_pair){.row = WIDTH * a + i, .column = WIDTH * a + j};
            }
    matrix_build(&c->m, GROUPS, offset, count, pairs);
    PLI_FREE(&c->memory, pairs, capacity);
    const pli_pattern* p = &c->m.pattern;
    for (int j = 0; j < GROUPS; ++j)
        for (int k = p->block_start[j]; k < p->block_start[j + 1]; ++k)
            if (p->block_row[k] / WIDTH == j / WIDTH) // springs within a link
                for (int d = 0; d < DIM; ++d)
                    *block_entry(&c->m, k, j, d, d) +=
                        p->block_row[k] == j ? stiff * (WIDTH - 1) : -stiff;
    add_diagonal(&c->m, 1);
    for (int i = 0; i < N; ++i) c->g[i] = random_number(seed);
    for (int i = 0; i < c->e.count; ++i) c->r[i] = 1e-3 * random_number(seed);
}

static void factorize(chain* c, const double* values) {
    pli_linear_def def = {0};
    pli_linear_verdict verdict;
    if (!c->solver)
        assert_int_equal(pli_multifrontal.create(&c->memory, NULL, &def, &c->solver, NULL), PLI_OK);
    assert_int_equal(pli_multifrontal.analyze(c->solver, &c->m.pattern, NULL), PLI_OK);
    assert_int_equal(pli_multifrontal.factorize(c->solver, values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    assert_int_equal(pli_woodbury_factorize(&c->woodbury, &pli_multifrontal, c->solver,
                                            &c->m.pattern, values, NULL, &verdict, NULL),
                     PLI_OK);
}

static void solve(chain* c) {
    pli_linear_verdict verdict;
    assert_int_equal(pli_augmented_analyze(&c->augmented, &c->e, &c->m.pattern, NULL), PLI_OK);
    pli_augmented_weigh(&c->augmented, c->m.values, NULL);
    factorize(c, c->augmented.sum);
    assert_int_equal(
        pli_augmented_solve(&c->augmented, &c->woodbury, c->g, c->r, c->p, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
}

// The same by the dense complement, without balancing first: its p is as accurate as H allows.
static void solve_densely(chain* c, double* lambda) {
    pli_schur schur;
    pli_linear_verdict verdict;
    double* known = c->e.multipliers;
    factorize(c, c->m.values);
    pli_schur_init(&schur, &c->memory);
    c->e.multipliers = lambda;
    assert_int_equal(pli_schur_factorize(&schur, &c->e, &c->woodbury, &verdict, NULL), PLI_OK);
    pli_schur_balance(&schur, c->g);
    double b[N];
    for (int i = 0; i < N; ++i) b[i] = -c->g[i];
    pli_equations_pull(&c->e, -1, lambda, b);
    assert_int_equal(pli_woodbury_solve(&c->woodbury, b, 1e-12, c->dense, &verdict, NULL), PLI_OK);
    pli_schur_correct(&schur, c->r, c->dense);
    c->e.multipliers = known;
    pli_schur_free(&schur);
}

static void chain_destroy(chain* c) {
    if (c->solver) pli_multifrontal.destroy(c->solver);
    pli_augmented_free(&c->augmented);
    pli_woodbury_free(&c->woodbury);
    matrix_free(&c->m);
    test_free(c->e.start), test_free(c->e.unknown), test_free(c->e.weight);
    test_free(c->e.dropped), test_free(c->e.held);
    assert_int_equal(c->memory.bytes, 0);
}

static double largest(const double* x, int n) {
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

static double worst_row(const chain* c) {
    double worst = 0;
    for (int i = 0; i < c->e.count; ++i)
        if (!c->e.dropped[i])
            worst = fmax(worst, fabs(pli_equations_row(&c->e, i, c->p) - c->r[i]));
    return worst;
}

// |H p + g + A^T lambda|
static double worst_force(chain* c) {
    double net[N], worst = 0;
    pli_pattern_multiply(&c->m.pattern, c->m.values, c->p, net);
    pli_equations_pull(&c->e, 1, c->lambda, net);
    for (int i = 0; i < N; ++i)
        if (!c->e.held[i]) worst = fmax(worst, fabs(net[i] + c->g[i]));
    return worst;
}

// Links of every stiffness: both systems hold to rounding, and the dense way agrees.
static void test_agrees(void** state) {
    (void)state;
    uint32_t seed = 3;
    for (double stiff = 1; stiff < 1e9; stiff *= 1e2) {
        chain c;
        double lambda[ROWS + 8];
        chain_create(&c, stiff, &seed);
        solve(&c);
        assert_true(worst_row(&c) < 1e-14 * (1 + largest(c.p, N)));
        // The forces of springs cancel: their rounding stays.
        assert_true(worst_force(&c) < 1e-13 + 1e-15 * stiff * largest(c.p, N));
        assert_true(c.augmented.solves <= 30);
        solve_densely(&c, lambda);
        for (int i = 0; i < N; ++i) // as accurate as the dense one, which loses digits of H
            assert_true(fabs(c.p[i] - c.dense[i]) < 1e-12 * (1 + 1e-3 * stiff));
        chain_destroy(&c);
    }
}

// Multipliers without p, from those of another gradient.
static void test_balance(void** state) {
    (void)state;
    uint32_t seed = 5;
    chain c;
    double lambda[ROWS + 8];
    pli_linear_verdict verdict;
    chain_create(&c, 1e4, &seed);
    solve(&c);
    for (int i = 0; i < N; ++i) c.g[i] += random_number(&seed);
    assert_int_equal(pli_augmented_balance(&c.augmented, &c.woodbury, c.g, &verdict, NULL), PLI_OK);
    memset(c.r, 0, sizeof c.r);
    solve_densely(&c, lambda);
    for (int i = 0; i < c.e.count; ++i)
        assert_true(fabs(lambda[i] - c.lambda[i]) < 1e-8 * largest(lambda, c.e.count));
    chain_destroy(&c);
}

// Rows that repeat others are found; used all the same, they change nothing. A row of held unknowns
// alone cannot be kept and disturbs no other.
static void test_redundant(void** state) {
    (void)state;
    uint32_t seed = 9;
    chain c;
    chain_create(&c, 1e3, &seed);
    int first = c.e.count;
    for (int twice = 0; twice < 2; ++twice) {
        for (int k = c.e.start[7 + twice]; k < c.e.start[8 + twice]; ++k)
            add_entry(&c, c.e.unknown[k], (2 - 5 * twice) * c.e.weight[k]);
        end_row(&c);
        c.r[first + twice] = (2 - 5 * twice) * c.r[7 + twice];
    }
    assert_int_equal(pli_equations_drop(&c.e, N, &c.memory, NULL), PLI_OK);
    for (int i = 0; i < c.e.count; ++i) assert_int_equal(c.e.dropped[i], i >= first);
    solve(&c);
    assert_true(worst_row(&c) < 1e-14);
    double p[N];
    memcpy(p, c.p, sizeof p);
    memset(c.e.dropped, 0, (size_t)c.e.count); // all used: the least multipliers, the same p
    solve(&c);
    for (int i = 0; i < N; ++i) assert_true(fabs(p[i] - c.p[i]) < 1e-12);
    assert_true(worst_row(&c) < 1e-13 && worst_force(&c) < 1e-10);
    for (int k = c.e.start[12]; k < c.e.start[13]; ++k) c.e.held[c.e.unknown[k]] = 1;
    c.r[12] = 1;
    solve(&c);
    for (int i = 0; i < c.e.count; ++i) {
        bool held = true;
        for (int k = c.e.start[i]; k < c.e.start[i + 1]; ++k)
            held = held && c.e.held[c.e.unknown[k]];
        if (!held) assert_true(fabs(pli_equations_row(&c.e, i, c.p) - c.r[i]) < 1e-13);
    }
    chain_destroy(&c);
}

// A sum of rows that are not next to each other; a row that is nearly one but not quite.
static void test_drop(void** state) {
    (void)state;
    uint32_t seed = 1;
    chain c;
    chain_create(&c, 1, &seed);
    int first = c.e.count, from[3] = {2, 40, 77};
    for (int s = 0; s < 3; ++s)
        for (int k = c.e.start[from[s]]; k < c.e.start[from[s] + 1]; ++k)
            add_entry(&c, c.e.unknown[k], (s + 1) * c.e.weight[k]);
    end_row(&c);
    for (int k = c.e.start[first]; k < c.e.start[first + 1]; ++k)
        add_entry(&c, c.e.unknown[k], c.e.weight[k]);
    add_entry(&c, c.e.unknown[0], 1e-3);
    end_row(&c);
    assert_int_equal(pli_equations_drop(&c.e, N, &c.memory, NULL), PLI_OK);
    assert_int_equal(c.e.dropped[first], 1);
    assert_int_equal(c.e.dropped[first + 1], 0);
    for (int i = 0; i < first; ++i) assert_int_equal(c.e.dropped[i], 0);
    chain_destroy(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
