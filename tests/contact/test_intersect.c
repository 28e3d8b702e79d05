// The exact intersection test: known states, and random ones against brute force.
#include "contact/intersect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "contact/support.h"
#include "oracle/brute_force.h"
#include "oracle/random.h"

enum { MAX_VERTICES = 40 };

typedef struct state_2d {
    int vertex_count, edge_count;
    double x[3 * MAX_VERTICES];
    int32_t points[MAX_VERTICES], edges[2 * MAX_VERTICES];
} state_2d;

static pli_intersection find(state_2d* s) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    for (int i = 0; i < s->vertex_count; ++i) s->points[i] = i;
    pli_view view = {.dim = 2, .vertex_count = s->vertex_count, .x = s->x};
    pli_primitives points = {s->vertex_count, 1, s->points}, edges = {s->edge_count, 2, s->edges};
    pli_intersection out;
    assert_int_equal(pli_find_intersection(&memory, &view, &points, &edges, NULL, &out, &error),
                     PLI_OK);
    assert_int_equal(memory.bytes, 0);
    return out;
}

static void test_crossing(void** state) {
    (void)state;
    state_2d s = {4, 2, {0, 0, 5, 2, 2, 5, 0, 2, -5, 2, 0, -5}, {0}, {0, 1, 2, 3}};
    pli_intersection found = find(&s);
    assert_int_equal(found.kind, PLI_EDGES_CROSS);
    const int32_t expected[4] = {0, 1, 2, 3};
    assert_memory_equal(found.vertices, expected, sizeof expected);
    assert_true(found.point[0] == 1 && found.point[1] == 1);
    s.x[9] = 0.9; // the second edge now ends before the first
    s.x[10] = 1;
    assert_int_equal(find(&s).kind, PLI_NO_INTERSECTION);
}

static void test_touching(void** state) {
    (void)state;
    // Vertex 2 exactly inside edge 0-1, then one ulp beside it: closer than positions resolve.
    state_2d s = {4, 2, {0, 0, 0, 2, 0, 0, 0.5, 0, 0, 1, 1, 0}, {0}, {0, 1, 2, 3}};
    pli_intersection found = find(&s);
    assert_int_equal(found.kind, PLI_POINT_TOUCHES);
    assert_int_equal(found.vertices[0], 2);
    assert_true(found.point[0] == 0.5 && found.distance == 0);
    s.x[7] = 1e-16;
    assert_int_equal(find(&s).kind, PLI_POINT_TOUCHES);
    s.x[7] = 1e-9;
    assert_int_equal(find(&s).kind, PLI_NO_INTERSECTION);
    // Two vertices in one place.
    memcpy(&s.x[6], &s.x[3], 2 * sizeof(double));
    assert_int_equal(find(&s).kind, PLI_POINT_TOUCHES);
}

static void test_neighbours(void** state) {
    (void)state;
    // Edges 0-1 and 1-2 share a vertex: no intersection unless one folds back onto the other.
    state_2d s = {3, 2, {0, 0, 0, 1, 0, 0, 2, 0, 0}, {0}, {0, 1, 1, 2}};
    assert_int_equal(find(&s).kind, PLI_NO_INTERSECTION);
    s.x[6] = 0.25;
    pli_intersection found = find(&s);
    assert_int_equal(found.kind, PLI_POINT_TOUCHES);
    assert_int_equal(found.vertices[0], 2);
}

// A point without edges is found too.
static void test_lonely_point(void** state) {
    (void)state;
    state_2d s = {3, 1, {0, 0, 0, 2, 2, 0, 1, 1, 0}, {0}, {0, 1}};
    assert_int_equal(find(&s).kind, PLI_POINT_TOUCHES);
    state_2d empty = {0};
    assert_int_equal(find(&empty).kind, PLI_NO_INTERSECTION);
}

static void test_against_brute_force(void** state) {
    (void)state;
    pli_random random = {17};
    int seen[2] = {0};
    for (int trial = 0; trial < 2000; ++trial) {
        state_2d s = {.vertex_count = 2 * (2 + trial % 10)};
        s.edge_count = s.vertex_count / 2;
        for (int v = 0; v < s.vertex_count; ++v)
            for (int k = 0; k < 2; ++k) s.x[3 * v + k] = pli_random_in(&random, -1, 1);
        for (int e = 0; e < s.edge_count; ++e) {
            s.edges[2 * e] = 2 * e;
            s.edges[2 * e + 1] = 2 * e + 1;
            for (int k = 0; k < 2; ++k) // short edges, so that about half of the states are free
                s.x[6 * e + 3 + k] = s.x[6 * e + k] + pli_random_in(&random, -0.6, 0.6);
        }
        bool meet = false;
        for (int e = 0; e < s.edge_count; ++e)
            for (int f = 0; f < e; ++f)
                meet = meet || pli_brute_segments_meet(&s.x[6 * e], &s.x[6 * e + 3], &s.x[6 * f],
                                                       &s.x[6 * f + 3]);
        pli_intersection found = find(&s);
        assert_int_equal(found.kind == PLI_EDGES_CROSS, meet);
        seen[meet]++;
        if (!meet) continue;
        for (int side = 0; side < 4; side += 2) { // the point is on both edges
            const double *a = &s.x[3 * found.vertices[side]],
                         *b = &s.x[3 * found.vertices[side + 1]];
            double area =
                (b[0] - a[0]) * (found.point[1] - a[1]) - (b[1] - a[1]) * (found.point[0] - a[0]);
            assert_true(fabs(area) < 1e-12);
        }
    }
    assert_true(seen[0] > 300 && seen[1] > 300);
}

static void test_out_of_memory(void** state) {
    (void)state;
    for (int n = 0;; ++n) {
        failing_allocator failing = {n};
        pli_memory memory;
        pli_memory_init(&memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        double x[12] = {0, 0, 5, 2, 2, 5, 0, 2, -5, 2, 0, -5};
        int32_t p[4] = {0, 1, 2, 3};
        pli_primitives points = {4, 1, p}, edges = {2, 2, p};
        pli_view view = {.dim = 2, .vertex_count = 4, .x = x};
        pli_intersection out;
        pli_error error = {0};
        pli_status status =
            pli_find_intersection(&memory, &view, &points, &edges, NULL, &out, &error);
        assert_int_equal(memory.bytes, 0);
        if (status == PLI_OK) {
            assert_true(n >= 9);
            return;
        }
        assert_int_equal(status, PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossing),
        cmocka_unit_test(test_touching),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_lonely_point),
        cmocka_unit_test(test_against_brute_force),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
