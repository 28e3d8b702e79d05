// Incomplete Cholesky of a chain leaves nothing out: it is the factor. By domains it is that of the
// parts without what couples them, so that each can be solved by itself.
#include "sparse/matrices.h"
#include "sparse/preconditioner.h"

enum { GROUPS = 3 * 8192 + 5, DOMAINS = 3, WIDTH = 2, UNKNOWNS = GROUPS * WIDTH };

// Coupled neighbours, the diagonal large enough.
static void build_chain(matrix* m, uint32_t* seed) {
    int32_t* offset = malloc((GROUPS + 1) * sizeof *offset);
    pli_pair* pairs = malloc((GROUPS - 1) * sizeof *pairs);
    for (int i = 0; i <= GROUPS; ++i) offset[i] = WIDTH * i;
    for (int i = 0; i + 1 < GROUPS; ++i) pairs[i] = (pli_pair){i + 1, i};
    matrix_build(m, GROUPS, offset, GROUPS - 1, pairs);
    add_rank_ones(m, false, seed);
    add_diagonal(m, 1);
    free(offset);
    free(pairs);
}

// y = A x without the blocks between two domains.
static void multiply_domains(const matrix* m, const double* x, double* y) {
    matrix cut = {.pattern = m->pattern};
    const pli_pattern* p = &m->pattern;
    cut.values = malloc((size_t)p->value_count * sizeof *cut.values);
    memcpy(cut.values, m->values, (size_t)p->value_count * sizeof *cut.values);
    for (int d = 1; d < DOMAINS; ++d) {
        int last = (int)((int64_t)GROUPS * d / DOMAINS) - 1; // of the domain before
        for (int r = 0; r < WIDTH; ++r)
            for (int c = 0; c < WIDTH; ++c)
                *block_entry(&cut, p->block_start[last] + 1, last, r, c) = 0;
    }
    pli_pattern_multiply(p, cut.values, x, y);
    free(cut.values);
}

static void check(const pli_preconditioner_ops* ops, pli_memory* memory, pli_pool* pool,
                  const matrix* m, bool domains) {
    static double r[UNKNOWNS], z[UNKNOWNS], back[UNKNOWNS];
    void* self = NULL;
    bool definite = false;
    uint32_t seed = 8;
    assert_int_equal(ops->create(memory, pool, NULL, &self, NULL), PLI_OK);
    assert_int_equal(ops->analyze(self, &m->pattern, NULL), PLI_OK);
    assert_int_equal(ops->factorize(self, m->values, NULL, &definite, NULL), PLI_OK);
    assert_true(definite);
    for (int i = 0; i < UNKNOWNS; ++i) r[i] = random_number(&seed);
    ops->apply(self, r, z);
    if (domains)
        multiply_domains(m, z, back);
    else
        pli_pattern_multiply(&m->pattern, m->values, z, back);
    for (int i = 0; i < UNKNOWNS; ++i)
        if (!(fabs(back[i] - r[i]) < 1e-13)) // rounding: eigenvalues are from 1 to some 10
            fail_msg("unknown %d: %.17g, not %.17g", i, back[i], r[i]);
    ops->destroy(self);
}

static void test_chain(void** state) {
    (void)state;
    pli_memory memory;
    pli_pool* pool = NULL;
    matrix m;
    uint32_t seed = 5;
    pli_memory_init(&memory, NULL);
    assert_int_equal(pli_pool_create(&memory, 2, &pool, NULL), PLI_OK);
    matrix_init(&m, &memory);
    build_chain(&m, &seed);
    check(&pli_incomplete_cholesky, &memory, pool, &m, false);
    check(&pli_domain_cholesky, &memory, pool, &m, true);
    check(&pli_domain_cholesky, &memory, NULL, &m, true); // nobody helps: the same domains
    matrix_free(&m);
    pli_pool_destroy(pool);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
