// Patterns against a dense table of who couples with whom.
#include "matrices.h"

#include "oracle/dense.h"

// Every scalar column, block and find() agree with the table `coupled` (group_count squared).
static void check_pattern(const pli_pattern* p, const bool* coupled) {
    int blocks = 0, values = 0;
    for (int j = 0; j < p->group_count; ++j) {
        int width = p->group_offset[j + 1] - p->group_offset[j], height = 0;
        assert_int_equal(p->block_start[j], blocks);
        for (int i = j; i < p->group_count; ++i) {
            bool there = i == j || coupled[i * p->group_count + j];
            assert_int_equal(pli_pattern_find(p, i, j), there ? blocks : -1);
            if (!there) continue;
            assert_int_equal(p->block_row[blocks], i);
            assert_int_equal(p->block_value[blocks], values + height);
            blocks++;
            height += p->group_offset[i + 1] - p->group_offset[i];
        }
        assert_int_equal(p->column_height[j], height);
        for (int c = 0; c < width; ++c) {
            int k = p->start[p->group_offset[j] + c];
            assert_int_equal(k, values + c * height);
            for (int i = j; i < p->group_count; ++i) {
                if (i != j && !coupled[i * p->group_count + j]) continue;
                for (int r = p->group_offset[i]; r < p->group_offset[i + 1]; ++r)
                    assert_int_equal(p->row[k++], r);
            }
        }
        values += width * height;
    }
    assert_int_equal(p->block_start[p->group_count], blocks);
    assert_int_equal(p->block_count, blocks);
    assert_int_equal(p->start[p->unknown_count], values);
    assert_int_equal(p->value_count, values);
}

enum { GROUPS = 40, PAIRS = 300 }; // more pairs than blocks: many repeats

static void random_pairs(int32_t* offset, pli_pair* pairs, bool* coupled, uint32_t* seed) {
    static const int widths[] = {1, 2, 3, 5, 12, 0};
    offset[0] = 0;
    for (int j = 0; j < GROUPS; ++j) offset[j + 1] = offset[j] + widths[random_below(seed, 6)];
    for (int k = 0; k < PAIRS; ++k) {
        int a = random_below(seed, GROUPS), b = random_below(seed, 1 + a);
        pairs[k] = (pli_pair){a, b};
    }
    pairs[PAIRS - 1] = pairs[0];
    memset(coupled, 0, GROUPS * GROUPS * sizeof *coupled);
    for (int k = 0; k < PAIRS; ++k) coupled[pairs[k].row * GROUPS + pairs[k].column] = true;
}

static void test_random(void** state) {
    (void)state;
    int32_t offset[GROUPS + 1];
    pli_pair pairs[PAIRS];
    bool coupled[GROUPS * GROUPS];
    pli_memory memory;
    pli_pattern pattern;
    uint32_t seed = 7;
    pli_memory_init(&memory, NULL);
    pli_pattern_init(&pattern, &memory);
    for (int round = 0; round < 10; ++round) {
        random_pairs(offset, pairs, coupled, &seed);
        assert_int_equal(pli_pattern_build(&pattern, GROUPS, offset, PAIRS, pairs, NULL), PLI_OK);
        check_pattern(&pattern, coupled);
    }
    // The same again needs no memory.
    int64_t calls = memory.calls;
    assert_int_equal(pli_pattern_build(&pattern, GROUPS, offset, PAIRS, pairs, NULL), PLI_OK);
    assert_int_equal(memory.calls, calls);
    check_pattern(&pattern, coupled);
    pli_pattern_free(&pattern);
    assert_int_equal(memory.bytes, 0);
}

static void test_empty(void** state) {
    (void)state;
    pli_memory memory;
    pli_pattern pattern;
    int32_t offset[] = {0, 2, 5};
    bool coupled[4] = {false};
    pli_memory_init(&memory, NULL);
    pli_pattern_init(&pattern, &memory);
    assert_int_equal(pli_pattern_build(&pattern, 0, NULL, 0, NULL, NULL), PLI_OK);
    assert_int_equal(pattern.unknown_count, 0);
    check_pattern(&pattern, coupled);
    pli_pattern_multiply(&pattern, NULL, NULL, NULL);
    // No pairs: the diagonal alone.
    assert_int_equal(pli_pattern_build(&pattern, 2, offset, 0, NULL, NULL), PLI_OK);
    assert_int_equal(pattern.value_count, 4 + 9);
    check_pattern(&pattern, coupled);
    pli_pattern_free(&pattern);
    assert_int_equal(memory.bytes, 0);
}

static void test_too_large(void** state) {
    (void)state;
    pli_memory memory;
    pli_pattern pattern;
    pli_error error = {0};
    int32_t offset[] = {0, 50000, 100000}; // 2 x 2.5e9 values
    pli_memory_init(&memory, NULL);
    pli_pattern_init(&pattern, &memory);
    assert_int_equal(pli_pattern_build(&pattern, 2, offset, 0, NULL, &error), PLI_E_MEMORY);
    assert_int_equal(pattern.group_count, 0);
    assert_non_null(strstr(error.message, "values"));
    assert_int_equal(pli_pattern_build(&pattern, 1, (int32_t[]){0, 3}, 0, NULL, &error), PLI_OK);
    assert_int_equal(pattern.value_count, 9);
    pli_pattern_free(&pattern);
    assert_int_equal(memory.bytes, 0);
}

static void test_multiply(void** state) {
    (void)state;
    pli_memory memory;
    matrix m;
    uint32_t seed = 11;
    pli_memory_init(&memory, NULL);
    matrix_init(&m, &memory);
    for (int round = 0; round < 10; ++round) {
        matrix_random(&m, 5 + 8 * round, &seed);
        int n = m.pattern.unknown_count;
        double* dense = matrix_to_dense(&m);
        double* x = random_vector(n, &seed);
        double* y = random_vector(n, &seed);
        double* expected = random_vector(n, &seed);
        pli_dense_multiply(n, dense, x, expected);
        pli_pattern_multiply(&m.pattern, m.values, x, y);
        // Sums of some 100 terms in another order.
        assert_true(relative_error(n, y, expected) < 1e-14);
        test_free(dense);
        test_free(x);
        test_free(y);
        test_free(expected);
    }
    matrix_free(&m);
    assert_int_equal(memory.bytes, 0);
}

// A random order of the groups.
static void shuffle(int32_t* place, uint32_t* seed) {
    for (int g = 0; g < GROUPS; ++g) place[g] = g;
    for (int g = GROUPS - 1; g > 0; --g) {
        int other = random_below(seed, g + 1);
        int32_t kept = place[g];
        place[g] = place[other];
        place[other] = kept;
    }
}

// In another order the pattern is that of the moved pairs, and each block knows where it was.
static void test_reorder(void** state) {
    (void)state;
    int32_t offset[GROUPS + 1], place[GROUPS], source[GROUPS * GROUPS];
    pli_pair pairs[PAIRS];
    bool coupled[GROUPS * GROUPS];
    pli_memory memory;
    pli_pattern from, to;
    uint32_t seed = 17;
    pli_memory_init(&memory, NULL);
    pli_pattern_init(&from, &memory);
    pli_pattern_init(&to, &memory);
    for (int round = 0; round < 10; ++round) {
        random_pairs(offset, pairs, coupled, &seed);
        shuffle(place, &seed);
        assert_int_equal(pli_pattern_build(&from, GROUPS, offset, PAIRS, pairs, NULL), PLI_OK);
        assert_int_equal(pli_pattern_reorder(&to, &from, place, source, NULL, NULL), PLI_OK);
        memset(coupled, 0, sizeof coupled);
        for (int k = 0; k < PAIRS; ++k) {
            int a = place[pairs[k].row], b = place[pairs[k].column];
            coupled[(a > b ? a : b) * GROUPS + (a > b ? b : a)] = true;
        }
        check_pattern(&to, coupled);
        for (int j = 0; j < GROUPS; ++j) {
            assert_int_equal(to.group_offset[place[j] + 1] - to.group_offset[place[j]],
                             offset[j + 1] - offset[j]);
            for (int b = from.block_start[j]; b < from.block_start[j + 1]; ++b) {
                int one = place[from.block_row[b]], two = place[j];
                int at = pli_pattern_find(&to, one > two ? one : two, one > two ? two : one);
                assert_int_equal(source[at], b);
            }
        }
    }
    pli_pattern_free(&from);
    pli_pattern_free(&to);
    assert_int_equal(memory.bytes, 0);
}

// Blocks come and go: the same as if built anew.
static void test_change(void** state) {
    (void)state;
    int32_t offset[GROUPS + 1], moved[GROUPS * GROUPS], number[GROUPS * GROUPS];
    uint8_t keep[GROUPS * GROUPS];
    pli_pair pairs[PAIRS], fresh[PAIRS];
    bool coupled[GROUPS * GROUPS];
    pli_memory memory;
    pli_pattern pattern, added;
    uint32_t seed = 19;
    pli_memory_init(&memory, NULL);
    pli_pattern_init(&pattern, &memory);
    pli_pattern_init(&added, &memory);
    random_pairs(offset, pairs, coupled, &seed);
    assert_int_equal(pli_pattern_build(&pattern, GROUPS, offset, PAIRS, pairs, NULL), PLI_OK);
    for (int round = 0; round < 20; ++round) {
        int count = 0, blocks = pattern.block_count;
        for (int k = 0; k < 30; ++k) {
            int a = random_below(&seed, GROUPS), b = random_below(&seed, 1 + a);
            if (a != b && !coupled[a * GROUPS + b]) fresh[count++] = (pli_pair){a, b};
        }
        bool all = round % 4 == 0;
        for (int j = 0; j < GROUPS; ++j)
            for (int b = pattern.block_start[j]; b < pattern.block_start[j + 1]; ++b) {
                int i = pattern.block_row[b];
                number[b] = i * GROUPS + j;
                keep[b] = random_below(&seed, 5) > 0; // diagonal blocks stay anyway
                if (!all && !keep[b]) coupled[i * GROUPS + j] = false;
            }
        for (int k = 0; k < count; ++k) coupled[fresh[k].row * GROUPS + fresh[k].column] = true;
        assert_int_equal(pli_pattern_build_blocks(&added, GROUPS, offset, count, fresh, NULL),
                         PLI_OK);
        assert_int_equal(pli_pattern_change(&pattern, &added, all ? NULL : keep, moved, NULL, NULL),
                         PLI_OK);
        check_pattern(&pattern, coupled);
        for (int b = 0; b < blocks; ++b)
            assert_int_equal(moved[b],
                             pli_pattern_find(&pattern, number[b] / GROUPS, number[b] % GROUPS));
    }
    pli_pattern_free(&pattern);
    pli_pattern_free(&added);
    assert_int_equal(memory.bytes, 0);
}

static void test_no_memory(void** state) {
    (void)state;
    int32_t offset[GROUPS + 1];
    pli_pair pairs[PAIRS];
    bool coupled[GROUPS * GROUPS];
    uint32_t seed = 3;
    random_pairs(offset, pairs, coupled, &seed);
    int failures = 0;
    for (int fail_at = 0;; ++fail_at) {
        faulty allocator;
        pli_memory memory;
        pli_pattern pattern;
        faulty_memory_init(&memory, &allocator, fail_at);
        pli_pattern_init(&pattern, &memory);
        // A small build first, so that growing what exists fails too.
        pli_status small = pli_pattern_build(&pattern, 3, (int32_t[]){0, 1, 3, 6}, 0, NULL, NULL);
        pli_status large = pli_pattern_build(&pattern, GROUPS, offset, PAIRS, pairs, NULL);
        bool failed = small != PLI_OK || large != PLI_OK;
        if (large != PLI_OK) {
            assert_int_equal(large, PLI_E_MEMORY);
            assert_int_equal(pattern.group_count, 0);
            assert_int_equal(pli_pattern_build(&pattern, GROUPS, offset, PAIRS, pairs, NULL),
                             PLI_OK);
        }
        assert_int_equal(pattern.group_count, GROUPS);
        pli_pattern_free(&pattern);
        assert_int_equal(memory.bytes, 0);
        if (!failed) break;
        failures++;
    }
    assert_int_equal(failures, 17); // nine arrays twice, but no pairs at first
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),    cmocka_unit_test(test_empty),
        cmocka_unit_test(test_too_large), cmocka_unit_test(test_multiply),
        cmocka_unit_test(test_reorder),   cmocka_unit_test(test_change),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
