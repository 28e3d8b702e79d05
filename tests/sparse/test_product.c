// The product on threads: right, and the same bits for any number of them.
#include "matrices.h"

#include "sparse/product.h"

static void check(const matrix* m, int least_rounds, int most_rounds, pli_memory* memory) {
    uint32_t seed = 5;
    int n = m->pattern.unknown_count;
    double *x = random_vector(n, &seed), *expected = random_vector(n, &seed);
    double *first = random_vector(n, &seed), *y = random_vector(n, &seed);
    pli_pattern_multiply(&m->pattern, m->values, x, expected);
    for (int threads = 1; threads <= 3; ++threads) {
        pli_pool* pool;
        pli_product product;
        assert_int_equal(pli_pool_create(memory, threads, &pool, NULL), PLI_OK);
        pli_product_init(&product, memory, pool);
        assert_int_equal(pli_product_analyze(&product, &m->pattern, NULL), PLI_OK);
        assert_in_range(product.round_count, least_rounds, most_rounds);
        pli_product_multiply(&product, m->values, x, threads == 1 ? first : y);
        if (threads > 1) assert_memory_equal(y, first, (size_t)n * sizeof *y);
        pli_product_free(&product);
        pli_pool_destroy(pool);
    }
    assert_true(relative_error(n, first, expected) < 1e-13); // sums of some 30 terms
    test_free(x);
    test_free(expected);
    test_free(first);
    test_free(y);
}

// Numbered along itself a grid needs few rounds.
static void test_grid(void** state) {
    (void)state;
    for (int side = 2; side <= 200; side *= 10) {
        pli_memory memory;
        matrix m;
        uint32_t seed = 2;
        pli_memory_init(&memory, NULL);
        matrix_init(&m, &memory);
        matrix_grid(&m, side, 3, 1, &seed);
        check(&m, 1, side < 100 ? 1 : 3, &memory);
        matrix_free(&m);
        assert_int_equal(memory.bytes, 0);
    }
}

// Groups of all widths with neighbours anywhere.
static void test_random(void** state) {
    (void)state;
    pli_memory memory;
    matrix m;
    uint32_t seed = 3;
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    for (int groups = 1; groups <= 200; groups += 40) {
        matrix_random(&m, groups, &seed);
        check(&m, 1, PLI_MAX_CHUNKS, &memory);
    }
    matrix_free(&m);
    assert_int_equal(memory.bytes, 0);
}

// Every column couples to the last rows: one chunk after the other.
static void test_arrow(void** state) {
    (void)state;
    enum { GROUPS = 20000 };
    pli_memory memory;
    matrix m;
    int32_t* offset = test_calloc(GROUPS + 1, sizeof *offset);
    pli_pair* pairs = test_calloc(GROUPS, sizeof *pairs);
    for (int j = 0; j < GROUPS; ++j) {
        offset[j + 1] = 3 * (j + 1);
        pairs[j] = (pli_pair){GROUPS - 1, j};
    }
    uint32_t seed = 6;
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    matrix_build(&m, GROUPS, offset, GROUPS, pairs);
    add_rank_ones(&m, false, &seed);
    add_diagonal(&m, 1);
    check(&m, 8, PLI_MAX_CHUNKS, &memory);
    matrix_free(&m);
    test_free(offset);
    test_free(pairs);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_arrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
