// The set of pairs: it misses nothing on the certified segment, depends on nothing but the state,
// is bounded, and changes only when it must.
#include "contact/pair_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "contact/distance.h"
#include "contact/scene.h"

static bool has_stencil(const pli_term* term, int32_t point, int32_t e0) {
    const int32_t* v = term->ops->vertices(term->self);
    for (int i = 0; i < term->ops->count(term->self); ++i)
        if (v[3 * i] == point && v[3 * i + 1] == e0) return true;
    return false;
}

// Every pair closer than dhat at the positions y is a stencil.
static int expect_superset(const pli_term* term, const contact_scene* s, const double* y,
                           double dhat) {
    int close = 0;
    for (int32_t p = 0; p < s->vertex_count; ++p)
        for (int e = 0; e < s->edge_count; ++e) {
            int32_t e0 = s->edges[2 * e], e1 = s->edges[2 * e + 1];
            if (p == e0 || p == e1) continue;
            pli_point_edge pair;
            pli_point_edge_closest(2, y + 3 * p, y + 3 * e0, y + 3 * e1, &pair);
            if (pair.distance >= dhat) continue;
            close++;
            if (!has_stencil(term, p, e0))
                fail_msg("point %d is %g from edge %d-%d", (int)p, pair.distance, (int)e0, (int)e1);
        }
    return close;
}

static void move(const contact_scene* s, double t, double* y) {
    for (int i = 0; i < 3 * s->vertex_count; ++i) y[i] = s->x[i] + t * s->p[i];
}

static void test_superset_on_the_certified_segment(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {33};
    int shortened = 0, close = 0;
    for (int trial = 0; trial < 60; ++trial) {
        contact_scene s = make_scene(&random, 5, trial % 6 * 0.5);
        double dhat = trial % 2 ? 0.02 : 0.2, alpha = trial % 5 ? 1 : 0.6, given = alpha;
        double* y = calloc((size_t)(3 * s.vertex_count), sizeof *y);
        pli_term term;
        pli_error error = {0};
        assert_int_equal(make_barrier(&memory, &s, dhat, &term, &error), PLI_OK);
        pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x};
        assert_int_equal(term.ops->refresh(term.self, &view, s.p, &alpha, &error), PLI_OK);
        assert_true(alpha > 0 && alpha <= given);
        shortened += alpha < given;
        for (int sample = 0; sample <= 16; ++sample) {
            move(&s, sample == 16 ? alpha : alpha * sample / 16, y);
            close += expect_superset(&term, &s, y, dhat);
            pli_view there = {.dim = 2, .vertex_count = s.vertex_count, .x = y};
            if (pli_barrier_check(&term, &there, &error) != PLI_OK) fail_msg("%s", error.message);
        }
        term.ops->destroy(term.self);
        free(y);
        free_scene(&s);
    }
    assert_true(shortened > 20 && close > 1000);
    assert_int_equal(memory.bytes, 0);
}

// Many steps one after the other, each as far as it is certified: nothing ever crosses, although
// all triangles rush to one place.
static void test_nothing_passes_through(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {90};
    contact_scene s = make_scene(&random, 5, 1);
    pli_term term;
    pli_error error = {0};
    assert_int_equal(make_barrier(&memory, &s, 0.01, &term, &error), PLI_OK);
    pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x};
    double travelled = 0;
    for (int step = 0; step < 200; ++step) {
        for (int v = 0; v < s.vertex_count; ++v)
            for (int k = 0; k < 2; ++k)
                s.p[3 * v + k] = 0.3 * (2 - s.x[3 * v + k]) + 0.1 * pli_random_in(&random, -1, 1);
        double alpha = 1;
        assert_int_equal(term.ops->refresh(term.self, &view, s.p, &alpha, &error), PLI_OK);
        assert_true(alpha >= 0);
        move(&s, alpha, s.x);
        travelled += alpha;
        if (pli_barrier_check(&term, &view, &error) != PLI_OK)
            fail_msg("step %d: %s", step, error.message);
    }
    assert_true(travelled > 0.5);
    term.ops->destroy(term.self);
    free_scene(&s);
    assert_int_equal(memory.bytes, 0);
}

static void test_threads_do_not_matter(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {7};
    contact_scene s = make_scene(&random, 30, 1.5);
    int first_count = 0;
    double first_alpha = 0;
    int32_t* first = NULL;
    for (int threads = 1; threads <= 3; ++threads) {
        pli_pool* pool;
        pli_term term;
        pli_error error = {0};
        double alpha = 1;
        assert_int_equal(pli_pool_create(&memory, threads, &pool, &error), PLI_OK);
        assert_int_equal(make_barrier(&memory, &s, 0.3, &term, &error), PLI_OK);
        pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x, .pool = pool};
        assert_int_equal(term.ops->refresh(term.self, &view, s.p, &alpha, &error), PLI_OK);
        int count = term.ops->count(term.self);
        size_t size = 3 * (size_t)count * sizeof *first;
        if (!first) {
            first_count = count;
            first_alpha = alpha;
            first = malloc(size);
            memcpy(first, term.ops->vertices(term.self), size);
            assert_true(count > 1000 && alpha < 1);
        }
        assert_int_equal(count, first_count);
        assert_true(alpha == first_alpha);
        assert_memory_equal(term.ops->vertices(term.self), first, size);
        term.ops->destroy(term.self);
        pli_pool_destroy(pool);
    }
    free(first);
    free_scene(&s);
    assert_int_equal(memory.bytes, 0);
}

static void test_epoch_grows_only_with_changes(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {70};
    contact_scene s = make_scene(&random, 12, 0.4);
    pli_term term;
    pli_error error = {0};
    double alpha = 1;
    assert_int_equal(make_barrier(&memory, &s, 0.2, &term, &error), PLI_OK);
    pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x};
    assert_int_equal(term.ops->refresh(term.self, &view, NULL, NULL, &error), PLI_OK);
    int at_rest = term.ops->count(term.self);
    uint64_t epoch = term.ops->epoch(term.self);
    assert_true(at_rest > 0 && epoch == 1);
    assert_int_equal(term.ops->refresh(term.self, &view, NULL, NULL, &error), PLI_OK);
    assert_int_equal(term.ops->epoch(term.self), epoch); // same state, same set
    assert_int_equal(term.ops->refresh(term.self, &view, s.p, &alpha, &error), PLI_OK);
    int moving = term.ops->count(term.self);
    assert_true(moving > at_rest && term.ops->epoch(term.self) == epoch + 1);
    double shorter = 0.9 * alpha; // needs less: the set stays
    assert_int_equal(term.ops->refresh(term.self, &view, s.p, &shorter, &error), PLI_OK);
    assert_int_equal(term.ops->count(term.self), moving);
    assert_int_equal(term.ops->epoch(term.self), epoch + 1);
    // The set at a point is a function of the point, not of what was before.
    assert_int_equal(term.ops->refresh(term.self, &view, NULL, NULL, &error), PLI_OK);
    assert_int_equal(term.ops->count(term.self), at_rest);
    assert_int_equal(term.ops->epoch(term.self), epoch + 2);
    term.ops->destroy(term.self);
    free_scene(&s);
    assert_int_equal(memory.bytes, 0);
}

// One half goes around the other, closely: the boxes of all pairs meet, a hundred thousand. So it
// is done in parts. What a half has in common does not count.
static void test_pairs_are_bounded(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {41};
    contact_scene s = make_scene(&random, 15, 0);
    for (int v = 0; v < s.vertex_count; ++v) {
        bool left = v / 3 % 15 < 7;
        if (left) s.x[3 * v] -= 20;
        s.p[3 * v] = s.p[3 * v + 1] = left ? 30 : 0;
    }
    pli_term term;
    pli_error error = {0};
    double alpha = 1;
    assert_int_equal(make_barrier(&memory, &s, 0.01, &term, &error), PLI_OK);
    pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x};
    assert_int_equal(term.ops->refresh(term.self, &view, s.p, &alpha, &error), PLI_OK);
    assert_true(alpha == 1);
    assert_true(memory.peak < 1000000);
    for (int v = 0; v < s.vertex_count; ++v) s.p[3 * v] = s.p[3 * v + 1] = 1000;
    assert_int_equal(term.ops->refresh(term.self, &view, s.p, &alpha, &error), PLI_OK);
    assert_true(alpha == 1);
    // All rush about: far too many, and CCD ends it soon.
    for (int v = 0; v < 3 * s.vertex_count; ++v) s.p[v] = pli_random_in(&random, -1000, 1000);
    assert_int_equal(term.ops->refresh(term.self, &view, s.p, &alpha, &error), PLI_OK);
    assert_true(alpha > 0 && alpha < 0.1);
    assert_true(memory.peak < 1000000);
    term.ops->destroy(term.self);
    free_scene(&s);
    assert_int_equal(memory.bytes, 0);
}

static void test_not_finite_is_refused(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {2};
    contact_scene s = make_scene(&random, 2, 1);
    pli_term term;
    pli_error error = {0};
    double alpha = 1;
    assert_int_equal(make_barrier(&memory, &s, 0.01, &term, &error), PLI_OK);
    pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x};
    s.p[3 * 4 + 1] = NAN;
    assert_int_equal(term.ops->refresh(term.self, &view, s.p, &alpha, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "vertex 4"));
    assert_true(alpha == 1);
    term.ops->destroy(term.self);
    free_scene(&s);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_superset_on_the_certified_segment),
        cmocka_unit_test(test_nothing_passes_through),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_epoch_grows_only_with_changes),
        cmocka_unit_test(test_pairs_are_bounded),
        cmocka_unit_test(test_not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
