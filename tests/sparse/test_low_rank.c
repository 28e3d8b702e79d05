// Matrices with a part that stays factors: products, expansion and solves against a dense sum.
#include "matrices.h"

#include "sparse/linear.h"
#include "sparse/woodbury.h"

enum { GROUPS = 40, WIDE = 12, GLOBAL = 3, MAX_N = 12 * GROUPS };

typedef struct problem {
    pli_memory memory;
    pli_pool* pool;
    matrix m;
    pli_low_rank low;
    uint32_t seed;
    int n;
    double* dense; // of the whole matrix, n x n
} problem;

// A block over about `share` of all groups.
static void add_block(problem* p, int rank, double share) {
    int32_t groups[GROUPS];
    int count = 0;
    for (int g = 0; g < GROUPS; ++g)
        if (random_number(&p->seed) < 2 * share - 1) groups[count++] = g;
    if (count == 0) groups[count++] = random_below(&p->seed, GROUPS);
    assert_int_equal(
        pli_low_rank_add(&p->low, rank, count, groups, p->m.pattern.group_offset, NULL), PLI_OK);
}

static pli_status note_pair(void* context, int row, int column, pli_error* error) {
    (void)error;
    const problem* p = context;
    assert_true(row >= column);
    assert_true(pli_pattern_find(&p->m.pattern, row, column) >= 0);
    return PLI_OK;
}

// All entries of A, from its lower triangle.
static void copy_dense(problem* p) {
    const pli_pattern* pattern = &p->m.pattern;
    for (int c = 0; c < p->n; ++c)
        for (int i = pattern->start[c]; i < pattern->start[c + 1]; ++i)
            if (pattern->row[i] >= c)
                p->dense[c * p->n + pattern->row[i]] = p->dense[pattern->row[i] * p->n + c] =
                    p->m.values[i];
}

// dense += the factors
static void add_dense(problem* p) {
    const pli_low_rank* low = &p->low;
    for (int b = 0; b < low->block_count; ++b) {
        const pli_low_rank_block* block = &low->blocks[b];
        for (int k = 0; k < block->rank; ++k) {
            double g[MAX_N] = {0};
            for (int i = block->group_start; i < block->group_end; ++i)
                for (int at = low->group_offset[low->groups[i]], c = 0;
                     at + c < low->group_offset[low->groups[i] + 1]; ++c)
                    g[at + c] =
                        low->values[block->value_start + k * block->length + low->offset[i] + c];
            for (int i = 0; i < p->n; ++i)
                for (int j = 0; j < p->n; ++j)
                    p->dense[i * p->n + j] += low->weights[block->row_start + k] * g[i] * g[j];
        }
    }
}

// A random matrix with WIDE blocks and GLOBAL ones, of which the first are expanded or, if
// `multiplies`, none.
static void start(problem* p, uint32_t seed, int threads, bool multiplies) {
    *p = (problem){.seed = seed};
    pli_memory_init(&p->memory, NULL);
    assert_int_equal(pli_pool_create(&p->memory, threads, &p->pool, NULL), PLI_OK);
    matrix_init(&p->m, &p->memory);
    int32_t offset[GROUPS + 1];
    pli_pair pairs[GROUPS * GROUPS];
    int pair_count = 0;
    for (int g = 0; g <= GROUPS; ++g) offset[g] = 3 * g - (g > 7) - (g > 20);
    for (int i = 0; i < GROUPS; ++i)
        for (int j = 0; j <= i; ++j) // few pairs where nothing is expanded
            if (!multiplies || i - j < 3) pairs[pair_count++] = (pli_pair){i, j};
    matrix_build(&p->m, GROUPS, offset, pair_count, pairs);
    for (int j = 0; j < GROUPS; ++j)
        for (int c = 0; c < offset[j + 1] - offset[j]; ++c)
            *block_entry(&p->m, p->m.pattern.block_start[j], j, c, c) =
                1.5 + random_number(&p->seed);
    p->n = p->m.pattern.unknown_count;
    pli_low_rank_init(&p->low, &p->memory, p->pool);
    for (int b = 0; b < WIDE; ++b) add_block(p, 1 + b % 3, 0.2);
    if (!multiplies) p->low.expanded = p->low.block_count;
    for (int b = 0; b < GLOBAL; ++b) add_block(p, 1 + b % 2, 0.8);
    assert_int_equal(
        pli_low_rank_finish(&p->low, GROUPS, p->m.pattern.group_offset, multiplies, NULL), PLI_OK);
    assert_int_equal(pli_low_rank_pairs(&p->low, note_pair, p, NULL), PLI_OK);
    for (int i = 0; i < p->low.value_count; ++i) p->low.values[i] = random_number(&p->seed);
    for (int i = 0; i < p->low.row_count; ++i) p->low.weights[i] = 1 + random_number(&p->seed);
    p->dense = test_calloc((size_t)(p->n * p->n), sizeof *p->dense);
    copy_dense(p);
}

// After `start` and changes of the weights: the dense sum, and A with what belongs into it.
static void finish(problem* p) {
    add_dense(p);
    for (int J = 0; J < GROUPS; ++J) pli_low_rank_expand(&p->low, &p->m.pattern, J, p->m.values);
}

static void end(problem* p) {
    test_free(p->dense);
    pli_low_rank_free(&p->low);
    matrix_free(&p->m);
    pli_pool_destroy(p->pool);
    assert_int_equal(p->memory.bytes, 0);
}

// |b - H x| / |b| by the dense matrix
static double residual(const problem* p, const double* b, const double* x) {
    double sum = 0, size = 0;
    for (int i = 0; i < p->n; ++i) {
        double r = b[i];
        for (int j = 0; j < p->n; ++j) r -= p->dense[i * p->n + j] * x[j];
        sum += r * r;
        size += b[i] * b[i];
    }
    return sqrt(sum / size);
}

static void test_product(void** state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        double y[2][MAX_N];
        for (int threads = 1; threads <= 2; ++threads) {
            problem p;
            start(&p, seed, 3 * threads - 2, seed % 2);
            finish(&p);
            double* x = random_vector(p.n, &p.seed);
            double* out = y[threads - 1];
            pli_pattern_multiply(&p.m.pattern, p.m.values, x, out);
            pli_low_rank_multiply(&p.low, x, out);
            for (int i = 0; i < p.n; ++i) {
                double sum = 0;
                for (int j = 0; j < p.n; ++j) sum += p.dense[i * p.n + j] * x[j];
                assert_true(fabs(sum - out[i]) <= 1e-11); // sums of about 100 numbers of size 1
            }
            if (threads == 2)
                assert_memory_equal(y[0], y[1], sizeof(double) * (size_t)p.n); // the same bits
            test_free(x);
            end(&p);
        }
    }
}

static pli_linear_verdict solve(problem* p, const pli_linear_ops* ops, const double* b, double* x) {
    pli_linear_def def = {.max_iterations = 10000};
    void* solver = NULL;
    pli_linear_verdict verdict;
    pli_woodbury woodbury;
    pli_woodbury_init(&woodbury, &p->memory);
    assert_int_equal(ops->create(&p->memory, p->pool, &def, &solver, NULL), PLI_OK);
    assert_int_equal(ops->analyze(solver, &p->m.pattern, NULL), PLI_OK);
    if (ops->add) ops->add(solver, &p->low);
    assert_int_equal(ops->factorize(solver, p->m.values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(pli_woodbury_factorize(&woodbury, ops, solver, &p->m.pattern, p->m.values,
                                            ops->add ? NULL : &p->low, &verdict, NULL),
                     PLI_OK);
    if (verdict == PLI_LINEAR_OK)
        assert_int_equal(pli_woodbury_solve(&woodbury, b, 1e-11, x, &verdict, NULL), PLI_OK);
    pli_woodbury_free(&woodbury);
    ops->destroy(solver);
    return verdict;
}

static void test_solvers(void** state) {
    (void)state;
    for (int i = 0; pli_linear_at(i); ++i)
        for (uint32_t seed = 1; seed <= 10; ++seed) {
            const pli_linear_ops* ops = pli_linear_at(i);
            problem p;
            start(&p, seed, 2, ops->multiplies);
            // large ones take digits of a factor, which refinement restores
            for (int k = 0; k < p.low.row_count; ++k)
                if (seed % 3 == 0 && k % 5 == 0) p.low.weights[k] *= 1e4;
            finish(&p);
            double *b = random_vector(p.n, &p.seed), *x = random_vector(p.n, &p.seed);
            assert_int_equal(solve(&p, ops, b, x), PLI_LINEAR_OK);
            assert_true(residual(&p, b, x) <= 1e-10);
            test_free(b);
            test_free(x);
            end(&p);
        }
}

// A negative weight may leave the sum positive definite or not; the verdict tells, in any order.
static void test_negative(void** state) {
    (void)state;
    for (int i = 0; pli_linear_at(i); ++i)
        for (int strong = 0; strong < 2; ++strong)
            for (uint32_t seed = 1; seed <= 6; ++seed) {
                const pli_linear_ops* ops = pli_linear_at(i);
                problem p;
                start(&p, seed, 1, ops->multiplies);
                int row = p.low.blocks[WIDE + seed % GLOBAL].row_start;
                p.low.weights[row] = strong ? -50 : -1e-3;
                finish(&p);
                double *b = random_vector(p.n, &p.seed), *x = random_vector(p.n, &p.seed);
                pli_linear_verdict verdict = solve(&p, ops, b, x);
                assert_int_equal(verdict,
                                 strong ? PLI_LINEAR_NOT_POSITIVE_DEFINITE : PLI_LINEAR_OK);
                if (!strong) assert_true(residual(&p, b, x) <= 1e-10);
                test_free(b);
                test_free(x);
                end(&p);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
