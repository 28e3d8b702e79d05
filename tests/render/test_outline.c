// Border loops of triangles.
#include "result/fixture.h"

#include "render/plane.h"

static pli_outline outline_of(pli_memory* memory, const int32_t* triangles, int count) {
    pli_outline outline;
    pli_error error = {0};
    const pli_elements all = pli_elements_of_triangles(9, count, triangles);
    assert_int_equal(pli_outline_init(&outline, memory, &all, &error), PLI_OK);
    return outline;
}

static void square_of_two_triangles(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const int32_t triangles[] = {0, 1, 2, 0, 2, 3}, border[] = {0, 1, 2, 3};
    pli_outline o = outline_of(&memory, triangles, 2);
    assert_int_equal(o.loop_count, 1);
    assert_int_equal(o.loop_start[1], 4);
    assert_memory_equal(o.loop_vertices, border, sizeof border);
    assert_int_equal(o.edge_count, 1);
    assert_int_equal(o.edges[0], 0);
    assert_int_equal(o.edges[1], 2);
    pli_outline_free(&o);
    assert_int_equal(memory.bytes, 0);
}

static void no_triangles_no_loops(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_outline o = outline_of(&memory, NULL, 0);
    assert_int_equal(o.loop_count, 0);
    assert_int_equal(o.edge_count, 0);
    pli_outline_free(&o);
    assert_int_equal(memory.bytes, 0);
}

// Two 6-node triangles: the border goes by the middles, the inner edge is in two halves.
static void quadratic_square(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const int32_t six[] = {0, 1, 2, 4, 5, 6, 0, 2, 3, 6, 7, 8};
    const int32_t border[] = {0, 4, 1, 5, 2, 7, 3, 8}, inner[] = {0, 6, 2, 6};
    pli_elements all = {.vertex_limit = 9};
    all.count[PLI_TRIANGLE6] = 2;
    all.elements[PLI_TRIANGLE6] = six;
    pli_outline o;
    assert_int_equal(pli_outline_init(&o, &memory, &all, NULL), PLI_OK);
    assert_int_equal(o.loop_count, 1);
    assert_int_equal(o.loop_start[1], 8);
    assert_memory_equal(o.loop_vertices, border, sizeof border);
    assert_int_equal(o.edge_count, 2);
    assert_memory_equal(o.edges, inner, sizeof inner);
    pli_outline_free(&o);
    assert_int_equal(memory.bytes, 0);
}

// A ring of eight triangles around a square hole: outer vertices 0-3, inner 4-7.
static void hole_is_a_loop_of_its_own(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    int32_t triangles[24];
    for (int i = 0; i < 4; ++i) {
        const int next = (i + 1) % 4;
        const int32_t pair[] = {i, next, 4 + next, i, 4 + next, 4 + i};
        memcpy(triangles + 6 * i, pair, sizeof pair);
    }
    pli_outline o = outline_of(&memory, triangles, 8);
    const int32_t loops[] = {0, 1, 2, 3, 4, 7, 6, 5}; // the hole runs the other way round
    assert_int_equal(o.loop_count, 2);
    assert_int_equal(o.loop_start[1], 4);
    assert_int_equal(o.loop_start[2], 8);
    assert_memory_equal(o.loop_vertices, loops, sizeof loops);
    assert_int_equal(o.edge_count, 8);
    pli_outline_free(&o);
}

// Flipped, repeated and touching triangles: every loop still closes and no edge is lost.
static void any_triangles_give_closed_loops(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    enum { TRIANGLES = 40, VERTICES = 9 };
    uint32_t seed = 7; // LCG, fixed
    for (int round = 0; round < 200; ++round) {
        int32_t triangles[3 * TRIANGLES];
        int balance[VERTICES * VERTICES] = {0}; // directed edges of the triangles
        for (int t = 0; t < TRIANGLES; ++t) {
            int32_t* v = triangles + 3 * t;
            do {
                for (int k = 0; k < 3; ++k) {
                    seed = seed * 1664525u + 1013904223u;
                    v[k] = (int32_t)((seed >> 16) % VERTICES);
                }
            } while (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]);
            for (int k = 0; k < 3; ++k) {
                balance[v[k] * VERTICES + v[(k + 1) % 3]]++;
                balance[v[(k + 1) % 3] * VERTICES + v[k]]--;
            }
        }
        pli_outline o = outline_of(&memory, triangles, TRIANGLES);
        for (int i = 0; i < o.loop_count; ++i)
            for (int k = o.loop_start[i]; k < o.loop_start[i + 1]; ++k) {
                int next = k + 1 < o.loop_start[i + 1] ? k + 1 : o.loop_start[i];
                int a = o.loop_vertices[k], b = o.loop_vertices[next];
                balance[a * VERTICES + b]--;
                balance[b * VERTICES + a]++;
            }
        for (int i = 0; i < VERTICES * VERTICES; ++i) assert_int_equal(balance[i], 0);
        pli_outline_free(&o);
    }
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_of_two_triangles),
        cmocka_unit_test(no_triangles_no_loops),
        cmocka_unit_test(quadratic_square),
        cmocka_unit_test(hole_is_a_loop_of_its_own),
        cmocka_unit_test(any_triangles_give_closed_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
