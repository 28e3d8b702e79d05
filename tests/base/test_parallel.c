// The pool: every item exactly once, blocks that depend on count and grain alone.
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "oracle/allocator.h"

static const int thread_counts[] = {1, 2, 3, 8};

static pli_pool* make_pool(pli_memory* memory, int threads) {
    pli_pool* pool = NULL;
    assert_int_equal(pli_pool_create(memory, threads, &pool, NULL), PLI_OK);
    assert_int_equal(pli_pool_thread_count(pool), threads);
    return pool;
}

enum { MAX_ITEMS = 5000 };

typedef struct visit {
    int grain, count;
    int times[MAX_ITEMS];
    int block_end[MAX_ITEMS]; // by first item
} visit;

static void visit_range(void* context, int first, int end) {
    visit* v = context;
    for (int i = first; i < end; ++i) v->times[i]++;
    v->block_end[first] = end;
}

static void check_visit(pli_pool* pool, visit* v, int count, int grain) {
    memset(v, 0, sizeof *v);
    v->count = count;
    v->grain = grain;
    pli_parallel_for(pool, count, grain, visit_range, v);
    for (int i = 0; i < MAX_ITEMS; ++i) {
        assert_int_equal(v->times[i], i < count);
        int end = i % grain || i >= count ? 0 : i + grain < count ? i + grain : count;
        assert_int_equal(v->block_end[i], end);
    }
}

static void every_item_once(void** state) {
    (void)state;
    static const int counts[] = {0, 1, 2, 7, 64, 1000, MAX_ITEMS}, grains[] = {1, 3, 64, 6000};
    static visit v;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int t = -1; t < 4; ++t) {
        pli_pool* pool = t < 0 ? NULL : make_pool(&memory, thread_counts[t]);
        for (int c = 0; c < 7; ++c)
            for (int g = 0; g < 4; ++g) check_visit(pool, &v, counts[c], grains[g]);
        pli_pool_destroy(pool);
    }
    assert_int_equal(memory.bytes, 0);
}

static void add_items(void* context, int first, int end) {
    int64_t* sums = context; // one per block of 16
    for (int i = first; i < end; ++i) sums[first / 16] += i;
}

// Thousands of short loops one after the other: nothing is lost or done twice between them.
static void many_loops(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int t = 0; t < 4; ++t) {
        pli_pool* pool = make_pool(&memory, thread_counts[t]);
        for (int loop = 0; loop < 3000; ++loop) {
            int count = 1 + loop % 200;
            int64_t sums[13] = {0}, total = 0;
            pli_parallel_for(pool, count, 16, add_items, sums);
            for (int b = 0; b < 13; ++b) total += sums[b];
            assert_int_equal(total, (int64_t)count * (count - 1) / 2);
        }
        pli_pool_destroy(pool);
    }
}

static void sum_thirds(void* context, int first, int end) {
    double* sums = context;
    for (int i = first; i < end; ++i) sums[first / 50] += 1.0 / (3 + i);
}

// Sums per block, added in block order, have the same bits for any number of threads.
static void sums_do_not_depend_on_threads(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double expected = 0;
    for (int t = 0; t < 4; ++t) {
        pli_pool* pool = make_pool(&memory, thread_counts[t]);
        double sums[100] = {0}, total = 0;
        pli_parallel_for(pool, 5000, 50, sum_thirds, sums);
        for (int b = 0; b < 100; ++b) total += sums[b];
        if (t == 0) expected = total;
        assert_memory_equal(&total, &expected, sizeof total);
        pli_pool_destroy(pool);
    }
}

static void note_last(void* context, int first, int end) {
    int* last = context;
    if (end == INT_MAX) *last = first;
}

// Counts up to the largest int do not overflow.
static void largest_count(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int t = 0; t < 2; ++t) {
        pli_pool* pool = make_pool(&memory, thread_counts[t]);
        int last = 0;
        pli_parallel_for(pool, INT_MAX, 1 << 30, note_last, &last);
        assert_int_equal(last, 1 << 30);
        pli_pool_destroy(pool);
    }
}

static void two_pools_at_once(void** state) {
    (void)state;
    static visit v;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_pool *a = make_pool(&memory, 2), *b = make_pool(&memory, 3);
    for (int i = 0; i < 20; ++i) check_visit(i % 2 ? a : b, &v, 500 + i, 7);
    pli_pool_destroy(a);
    pli_pool_destroy(b);
    assert_int_equal(memory.bytes, 0);
}

static void creation(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_pool* pool = NULL;
    pli_error error = {0};
    assert_int_equal(pli_pool_create(&memory, -1, &pool, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_pool_create(&memory, 100000, &pool, &error), PLI_E_ARGUMENT);
    assert_null(pool);
    assert_int_equal(pli_pool_create(&memory, 0, &pool, &error), PLI_OK); // all processors
    assert_true(pli_pool_thread_count(pool) >= 1);
    pli_pool_destroy(pool);
    assert_int_equal(pli_pool_thread_count(NULL), 1);
    for (int n = 1; n <= 2; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_memory_init(&memory, &hook);
        pool = NULL;
        assert_int_equal(pli_pool_create(&memory, 3, &pool, &error), PLI_E_MEMORY);
        assert_null(pool);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(many_loops),
        cmocka_unit_test(sums_do_not_depend_on_threads),
        cmocka_unit_test(largest_count),
        cmocka_unit_test(two_pools_at_once),
        cmocka_unit_test(creation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
