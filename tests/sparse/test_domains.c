// Domains and separators, and incomplete Cholesky on them.
#include "matrices.h"

#include "sparse/domains.h"
#include "sparse/linear.h"
#include "sparse/preconditioner.h"

enum { LEAST = 8192 }; // groups of a domain

typedef struct subject {
    pli_memory memory;
    matrix m;
    uint32_t seed;
} subject;

static void begin(subject* s) {
    s->seed = 31;
    pli_memory_init(&s->memory, NULL);
    matrix_init(&s->m, &s->memory);
}

static void end(subject* s) {
    matrix_free(&s->m);
    assert_int_equal(s->memory.bytes, 0);
}

// Groups of mixed widths, each coupled to the one before it.
static void make_chain(subject* s, int count) {
    int32_t* offset = malloc(sizeof *offset * (size_t)(count + 1));
    pli_pair* pairs = malloc(sizeof *pairs * (size_t)count);
    assert_true(offset && pairs);
    offset[0] = 0;
    for (int g = 0; g < count; ++g) {
        offset[g + 1] = offset[g] + 1 + random_below(&s->seed, 5);
        pairs[g] = (pli_pair){g, g > 0 ? g - 1 : 0};
    }
    matrix_build(&s->m, count, offset, count, pairs);
    add_rank_ones(&s->m, false, &s->seed);
    add_diagonal(&s->m, 0.1);
    free(offset);
    free(pairs);
}

static int domain_of(const pli_domains* d, int group) {
    int k = 0;
    while (d->place[group] >= d->first[k + 1]) ++k;
    return k;
}

// No two domains couple, there are few separators, and the order is one.
static void test_grid(void** state) {
    (void)state;
    subject s;
    pli_domains d;
    begin(&s);
    matrix_grid(&s.m, 160, 2, 1, &s.seed);
    const pli_pattern* p = &s.m.pattern;
    pli_domains_init(&d, &s.memory);
    assert_int_equal(pli_domains_cut(&d, p, LEAST, NULL, NULL), PLI_OK);
    assert_int_equal(d.count, 3);
    assert_int_equal(d.first[d.count + 1], p->group_count);
    // Two cuts of 160 lines; the neighbours across a cut that is no whole line count once more.
    int separators = d.first[d.count + 1] - d.first[d.count];
    assert_true(separators >= 320 && separators <= 330);
    for (int g = 0; g < p->group_count; ++g) assert_int_equal(d.order[d.place[g]], g);
    for (int j = 0; j < p->group_count; ++j)
        for (int b = p->block_start[j]; b < p->block_start[j + 1]; ++b) {
            int one = domain_of(&d, j), two = domain_of(&d, p->block_row[b]);
            assert_true(one == two || one == d.count || two == d.count);
        }
    pli_domains_free(&d);
    end(&s);
}

// Where neighbours are strewn over the numbering, or there is little, nothing is cut.
static void test_whole(void** state) {
    (void)state;
    enum { COUNT = 20000 };
    subject s;
    pli_domains d;
    pli_pair* pairs = malloc(sizeof *pairs * COUNT);
    int32_t* offset = malloc(sizeof *offset * (COUNT + 1));
    assert_true(pairs && offset);
    begin(&s);
    pli_domains_init(&d, &s.memory);
    for (int g = 0; g < COUNT; ++g) {
        int other = random_below(&s.seed, COUNT);
        pairs[g] = (pli_pair){g > other ? g : other, g > other ? other : g};
        offset[g + 1] = offset[g] = g;
    }
    offset[COUNT] = COUNT;
    matrix_build(&s.m, COUNT, offset, COUNT, pairs);
    assert_int_equal(pli_domains_cut(&d, &s.m.pattern, LEAST, NULL, NULL), PLI_OK);
    assert_int_equal(d.count, 1);
    assert_int_equal(d.first[1], COUNT);
    matrix_build(&s.m, 2 * LEAST - 1, offset, 0, NULL);
    assert_int_equal(pli_domains_cut(&d, &s.m.pattern, LEAST, NULL, NULL), PLI_OK);
    assert_int_equal(d.count, 1);
    assert_int_equal(d.first[1], 2 * LEAST - 1);
    pli_domains_free(&d);
    free(pairs);
    free(offset);
    end(&s);
}

// Solves for the same right-hand side; returns the iterations.
static int solve(const subject* s, int threads, double tolerance, double* x) {
    pli_memory memory;
    pli_pool* pool;
    void* solver;
    pli_linear_verdict verdict;
    pli_linear_info info;
    pli_linear_def def = {.preconditioner = "incomplete-cholesky", .max_iterations = 1000};
    uint32_t seed = 5;
    double* b = random_vector(s->m.pattern.unknown_count, &seed);
    pli_memory_init(&memory, NULL);
    assert_int_equal(pli_pool_create(&memory, threads, &pool, NULL), PLI_OK);
    assert_int_equal(pli_pcg.create(&memory, pool, &def, &solver, NULL), PLI_OK);
    assert_int_equal(pli_pcg.analyze(solver, &s->m.pattern, NULL), PLI_OK);
    assert_int_equal(pli_pcg.factorize(solver, s->m.values, NULL, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    assert_int_equal(pli_pcg.solve(solver, b, tolerance, x, &verdict, NULL), PLI_OK);
    assert_int_equal(verdict, PLI_LINEAR_OK);
    pli_pcg.info(solver, &info);
    assert_true(info.residual <= tolerance); // of b - A x itself
    pli_pcg.destroy(solver);
    pli_pool_destroy(pool);
    assert_int_equal(memory.bytes, 0);
    test_free(b);
    return info.iterations;
}

// One separator between two chains: elimination makes no fill, so the factor is exact.
static void test_chain_is_exact(void** state) {
    (void)state;
    subject s;
    begin(&s);
    make_chain(&s, 25000);
    double* x = random_vector(s.m.pattern.unknown_count, &s.seed);
    assert_int_equal(solve(&s, 2, 1e-10, x), 1);
    test_free(x);
    end(&s);
}

// The same bits for any number of threads, and not many more iterations than a grid that is not cut
// takes.
static void test_threads(void** state) {
    (void)state;
    subject s, part;
    begin(&s);
    begin(&part);
    matrix_grid(&s.m, 195, 3, 0.05, &s.seed);   // three domains
    matrix_grid(&part.m, 90, 3, 0.05, &s.seed); // one
    int n = s.m.pattern.unknown_count;
    double *one = random_vector(n, &s.seed), *many = random_vector(n, &s.seed);
    int iterations = solve(&s, 1, 1e-8, one), whole = solve(&part, 1, 1e-8, many);
    assert_true(iterations <= whole + whole / 4); // seen: 35, and 29 for a quarter of it
    for (int threads = 2; threads < 5; ++threads) {
        assert_int_equal(solve(&s, threads, 1e-8, many), iterations);
        assert_memory_equal(one, many, sizeof *one * (size_t)n);
    }
    test_free(one);
    test_free(many);
    end(&s);
    end(&part);
}

// Diagonal blocks grow; what is mended solves, and mended everywhere it is a new one.
static void test_mended(void** state) {
    (void)state;
    subject s;
    begin(&s);
    matrix_grid(&s.m, 160, 2, 0.05, &s.seed);
    const pli_pattern* p = &s.m.pattern;
    int n = p->unknown_count;
    bool definite;
    uint8_t *all = malloc((size_t)p->group_count), *some = calloc((size_t)p->group_count, 1);
    double *r = random_vector(n, &s.seed), *z[2];
    void* factors[2];
    assert_true(all && some);
    memset(all, 1, (size_t)p->group_count);
    for (int i = 0; i < 2; ++i) {
        z[i] = random_vector(n, &s.seed);
        assert_int_equal(pli_incomplete_cholesky.create(&s.memory, NULL, NULL, &factors[i], NULL),
                         PLI_OK);
        assert_int_equal(pli_incomplete_cholesky.analyze(factors[i], p, NULL), PLI_OK);
        assert_int_equal(
            pli_incomplete_cholesky.factorize(factors[i], s.m.values, NULL, &definite, NULL),
            PLI_OK);
        assert_true(definite);
    }
    for (int k = 0; k < 100; ++k) {
        int j = random_below(&s.seed, p->group_count);
        for (int c = 0; c < 2; ++c) *block_entry(&s.m, p->block_start[j], j, c, c) *= 100;
        some[j] = 1;
    }
    const uint8_t* changes[2][2] = {{all, NULL}, {some, NULL}};
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(pli_incomplete_cholesky.factorize(factors[i], s.m.values,
                                                               changes[round][i], &definite, NULL),
                             PLI_OK);
            assert_true(definite);
            pli_incomplete_cholesky.apply(factors[i], r, z[i]);
        }
        // After all columns are made anew, making some again changes nothing.
        assert_memory_equal(z[0], z[1], sizeof *r * (size_t)n);
    }
    for (int i = 0; i < 2; ++i) {
        pli_incomplete_cholesky.destroy(factors[i]);
        test_free(z[i]);
    }
    test_free(r);
    free(all);
    free(some);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),           cmocka_unit_test(test_whole),
        cmocka_unit_test(test_chain_is_exact), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_mended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
