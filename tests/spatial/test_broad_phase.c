// The tree of boxes equals brute force, for any number of threads, in order, within bounds.
#include "spatial/broad_phase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/support.h"
#include "oracle/brute_force.h"
#include "oracle/random.h"

typedef struct fixture {
    pli_memory memory;
    pli_bvh tree;
    pli_box_pairs pairs;
    pli_error error;
} fixture;

static void start(fixture* f) {
    *f = (fixture){0};
    pli_memory_init(&f->memory, NULL);
    pli_bvh_init(&f->tree, &f->memory);
    pli_box_pairs_init(&f->pairs, &f->memory);
}

static void finish(fixture* f) {
    pli_bvh_free(&f->tree);
    pli_box_pairs_free(&f->pairs);
    assert_int_equal(f->memory.bytes, 0);
}

static void random_boxes(pli_random* random, int count, double size, bool plane, pli_box* out) {
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            // Coordinates on a coarse grid make many boxes touch exactly.
            double low = pli_random_below(random, 64) / 8.0;
            double extent = pli_random_below(random, 4) * size;
            out[i].min[k] = plane && k == 2 ? 0 : low;
            out[i].max[k] = plane && k == 2 ? 0 : low + extent;
        }
}

static void expect_brute_force(const fixture* f, int n, const pli_box* boxes, int m,
                               const pli_box* queries) {
    int at = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            if (pli_brute_overlap(&queries[i], &boxes[j])) {
                assert_true(at < f->pairs.count);
                assert_int_equal(f->pairs.pairs[at].query, i);
                assert_int_equal(f->pairs.pairs[at].primitive, j);
                at++;
            }
    assert_int_equal(at, f->pairs.count);
}

// The boxes of the tree against themselves.
static void expect_each_pair_once(fixture* f, int n, const pli_box* boxes) {
    pli_box_query query = {.count = n, .boxes = boxes, .max_pairs = INT32_MAX, .same = true};
    assert_int_equal(pli_bvh_query(&f->tree, NULL, &query, &f->pairs, &f->error), PLI_OK);
    int at = 0;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            if (!pli_brute_overlap(&boxes[i], &boxes[j])) continue;
            assert_true(at < f->pairs.count && f->pairs.pairs[at].query == i &&
                        f->pairs.pairs[at].primitive == j);
            at++;
        }
    assert_int_equal(at, f->pairs.count);
}

static void test_equals_brute_force(void** state) {
    (void)state;
    fixture f;
    start(&f);
    pli_random random = {3};
    const int counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 100, 333};
    const int kinds = sizeof counts / sizeof *counts;
    static pli_box boxes[333], queries[333];
    for (int trial = 0; trial < 8 * kinds; ++trial) {
        int n = counts[trial % kinds], m = counts[(trial / 3) % kinds];
        random_boxes(&random, n, trial % 3 * 0.25, trial % 2, boxes);
        random_boxes(&random, m, 0.5, trial % 2, queries);
        assert_int_equal(pli_bvh_build(&f.tree, NULL, n, boxes, &f.error), PLI_OK);
        pli_box_query query = {.count = m, .boxes = queries, .max_pairs = INT32_MAX};
        assert_int_equal(pli_bvh_query(&f.tree, NULL, &query, &f.pairs, &f.error), PLI_OK);
        expect_brute_force(&f, n, boxes, m, queries);
        expect_each_pair_once(&f, n, boxes);
    }
    finish(&f);
}

static pli_box between_boxes(const pli_box* start_box, const pli_box* end, int time, int times) {
    pli_box out;
    for (int k = 0; k < 3; ++k) { // eighths of eighths are exact
        double t = (double)time / times;
        out.min[k] = start_box->min[k] + t * (end->min[k] - start_box->min[k]);
        out.max[k] = start_box->max[k] + t * (end->max[k] - start_box->max[k]);
    }
    return out;
}

// The same pairs as by the definition, and all that overlap at any time.
static void test_moving_boxes(void** state) {
    (void)state;
    enum { N = 150, TIMES = 8 };
    fixture f;
    start(&f);
    pli_random random = {13};
    static pli_box boxes[2][N], queries[2][N];
    int64_t found = 0, swept = 0;
    for (int trial = 0; trial < 12; ++trial) {
        for (int end = 0; end < 2; ++end) {
            random_boxes(&random, N, 0.125, trial % 2, boxes[end]);
            random_boxes(&random, N, 0.25, trial % 2, queries[end]);
        }
        assert_int_equal(pli_bvh_build_moving(&f.tree, NULL, N, boxes[0], boxes[1], &f.error),
                         PLI_OK);
        pli_box_query query = {
            .count = N, .boxes = queries[0], .max_pairs = INT32_MAX, .ends = queries[1]};
        assert_int_equal(pli_bvh_query(&f.tree, NULL, &query, &f.pairs, &f.error), PLI_OK);
        int at = 0;
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) {
                bool apart = false, meet = false;
                for (int k = 0; k < 3; ++k) {
                    bool over = true, under = true;
                    for (int end = 0; end < 2; ++end) {
                        over = over && queries[end][i].min[k] > boxes[end][j].max[k];
                        under = under && queries[end][i].max[k] < boxes[end][j].min[k];
                    }
                    apart = apart || over || under;
                }
                for (int time = 0; time <= TIMES; ++time) {
                    pli_box q = between_boxes(&queries[0][i], &queries[1][i], time, TIMES);
                    pli_box b = between_boxes(&boxes[0][j], &boxes[1][j], time, TIMES);
                    meet = meet || pli_brute_overlap(&q, &b);
                }
                if (meet) assert_false(apart);
                swept += meet;
                if (apart) continue;
                assert_true(at < f.pairs.count && f.pairs.pairs[at].query == i &&
                            f.pairs.pairs[at].primitive == j);
                at++;
            }
        assert_int_equal(at, f.pairs.count);
        found += at;
    }
    assert_true(swept > 5000 && found > swept);
    finish(&f);
}

static bool later(const void* context, int query, int primitive) {
    (void)context;
    return query < primitive;
}

// 100 boxes [0.6 i, 0.6 i + 1]: each overlaps only the next.
static void test_row_of_boxes(void** state) {
    (void)state;
    fixture f;
    start(&f);
    pli_box boxes[100];
    for (int i = 0; i < 100; ++i) boxes[i] = (pli_box){{0.6 * i, 0, 0}, {0.6 * i + 1, 1, 1}};
    assert_int_equal(pli_bvh_build(&f.tree, NULL, 100, boxes, &f.error), PLI_OK);
    pli_box_query query = {.count = 100, .boxes = boxes, .keep = later, .max_pairs = INT32_MAX};
    assert_int_equal(pli_bvh_query(&f.tree, NULL, &query, &f.pairs, &f.error), PLI_OK);
    assert_int_equal(f.pairs.count, 99);
    for (int i = 0; i < 99; ++i) assert_int_equal(f.pairs.pairs[i].primitive, i + 1);
    finish(&f);
}

static void test_overflow_is_reported(void** state) {
    (void)state;
    fixture f;
    start(&f);
    pli_box boxes[200];
    for (int i = 0; i < 200; ++i) boxes[i] = (pli_box){{0, 0, 0}, {1, 1, 0}}; // all alike
    assert_int_equal(pli_bvh_build(&f.tree, NULL, 200, boxes, &f.error), PLI_OK);
    pli_box_query query = {.count = 200, .boxes = boxes, .max_pairs = 39999};
    assert_int_equal(pli_bvh_query(&f.tree, NULL, &query, &f.pairs, &f.error), PLI_OK);
    assert_int_equal(f.pairs.count, 0);
    assert_int_equal(f.pairs.found, 40000);
    assert_null(f.pairs.pairs); // nothing was stored
    query.max_pairs = 40000;
    assert_int_equal(pli_bvh_query(&f.tree, NULL, &query, &f.pairs, &f.error), PLI_OK);
    assert_int_equal(f.pairs.count, 40000);
    finish(&f);
}

static void test_threads_do_not_matter(void** state) {
    (void)state;
    enum { N = 9000 }; // several blocks of every loop
    fixture f;
    start(&f);
    pli_box* boxes = calloc(N, sizeof *boxes);
    pli_box_pair* first = NULL;
    int first_count = 0;
    pli_random random = {9};
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < 3; ++k) {
            boxes[i].min[k] = pli_random_in(&random, 0, 1);
            boxes[i].max[k] = boxes[i].min[k] + pli_random_in(&random, 0, 0.1);
        }
    for (int threads = 1; threads <= 3; ++threads) {
        pli_pool* pool;
        assert_int_equal(pli_pool_create(&f.memory, threads, &pool, &f.error), PLI_OK);
        assert_int_equal(pli_bvh_build(&f.tree, pool, N, boxes, &f.error), PLI_OK);
        pli_box_query query = {.count = N, .boxes = boxes, .keep = later, .max_pairs = INT32_MAX};
        assert_int_equal(pli_bvh_query(&f.tree, pool, &query, &f.pairs, &f.error), PLI_OK);
        pli_pool_destroy(pool);
        if (!first) {
            first_count = f.pairs.count;
            first = malloc((size_t)first_count * sizeof *first);
            memcpy(first, f.pairs.pairs, (size_t)first_count * sizeof *first);
            assert_true(first_count > N);
        }
        assert_int_equal(f.pairs.count, first_count);
        assert_memory_equal(f.pairs.pairs, first, (size_t)first_count * sizeof *first);
    }
    free(first);
    free(boxes);
    finish(&f);
}

// What the tree's own coordinates must survive: no extent, far from the origin, one box around all,
// sizes up to those that overflow when they are subtracted.
static void test_extreme_boxes(void** state) {
    (void)state;
    enum { N = 60 };
    fixture f;
    start(&f);
    pli_random random = {14};
    static const double scales[] = {0, 1e-320, 1e-200, 1, 1e200, 1e308};
    static const double centres[] = {0, 1, 1e9, -1e300};
    pli_box boxes[N];
    for (int trial = 0; trial < 48; ++trial) {
        double scale = scales[trial % 6], centre = centres[trial / 6 % 4];
        random_boxes(&random, N, 0.25, false, boxes);
        for (int i = 0; i < N; ++i)
            for (int k = 0; k < 3; ++k) {                        // grid numbers are below 8.75
                double axis = k == 0 && trial >= 24 ? 1e-12 : 1; // thin
                boxes[i].min[k] = centre + axis * scale * (0.2 * boxes[i].min[k] - 0.8);
                boxes[i].max[k] = centre + axis * scale * (0.2 * boxes[i].max[k] - 0.8);
            }
        if (trial % 5 == 0)
            for (int k = 0; k < 3; ++k) {
                boxes[7].min[k] = -1e308;
                boxes[7].max[k] = 1e308;
            }
        assert_int_equal(pli_bvh_build(&f.tree, NULL, N / 2, boxes, &f.error), PLI_OK);
        pli_box_query query = {.count = N, .boxes = boxes, .max_pairs = INT32_MAX};
        assert_int_equal(pli_bvh_query(&f.tree, NULL, &query, &f.pairs, &f.error), PLI_OK);
        expect_brute_force(&f, N / 2, boxes, N, boxes);
    }
    finish(&f);
}

static void test_out_of_memory(void** state) {
    (void)state;
    pli_random random = {21};
    pli_box boxes[50];
    random_boxes(&random, 50, 1, false, boxes);
    for (int n = 0;; ++n) {
        failing_allocator failing = {n};
        fixture f;
        start(&f);
        pli_memory_init(&f.memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        pli_status status = pli_bvh_build(&f.tree, NULL, 50, boxes, &f.error);
        pli_box_query query = {.count = 50, .boxes = boxes, .max_pairs = INT32_MAX};
        if (status == PLI_OK) status = pli_bvh_query(&f.tree, NULL, &query, &f.pairs, &f.error);
        finish(&f);
        if (status == PLI_OK) {
            assert_true(n >= 8); // every allocation has failed once
            return;
        }
        assert_int_equal(status, PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_brute_force),    cmocka_unit_test(test_moving_boxes),
        cmocka_unit_test(test_row_of_boxes),          cmocka_unit_test(test_overflow_is_reported),
        cmocka_unit_test(test_threads_do_not_matter), cmocka_unit_test(test_extreme_boxes),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
