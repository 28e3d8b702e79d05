// Primitives that are close to each other: the same as measuring all with all.
#include "contact/near.h"

#include "contact/closest.h"
#include "oracle/near.h"
#include "oracle/random.h"

#include <math.h>
#include <string.h>

static pli_error error;

enum { CUBES = 24, VERTICES = 8 * CUBES, EDGES = 18 * CUBES, TRIANGLES = 12 * CUBES };

typedef struct cloud {
    double x[3 * VERTICES];
    double radius[VERTICES];
    int32_t body[VERTICES];
    int32_t points[VERTICES], edges[2 * EDGES], triangles[3 * TRIANGLES];
} cloud;

// Random cubes, which may well intersect: distances are then 0 or those of their parts.
static void make_cloud(cloud* c, pli_random* random) {
    static const int corners[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5},
                                       {0, 4, 5}, {0, 5, 1}, {2, 3, 7}, {2, 7, 6},
                                       {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    int edge_count = 0;
    for (int b = 0; b < CUBES; ++b) {
        double centre[3];
        for (int k = 0; k < 3; ++k) centre[k] = pli_random_in(random, 0, 2);
        for (int i = 0; i < 8; ++i) {
            int v = 8 * b + i;
            c->points[v] = v;
            c->body[v] = b;
            c->radius[v] = b % 3 == 0 ? 0.02 : 0;
            for (int k = 0; k < 3; ++k)
                c->x[3 * v + k] =
                    centre[k] + (i >> k & 1 ? 0.1 : -0.1) + pli_random_in(random, -0.01, 0.01);
        }
        for (int t = 0; t < 12; ++t)
            for (int k = 0; k < 3; ++k) {
                c->triangles[3 * (12 * b + t) + k] = 8 * b + corners[t][k];
                int one = corners[t][k], other = corners[t][(k + 1) % 3];
                if (one > other) continue;
                c->edges[2 * edge_count] = 8 * b + one;
                c->edges[2 * edge_count++ + 1] = 8 * b + other;
            }
    }
    assert_int_equal(edge_count, EDGES);
}

typedef struct expectation {
    const cloud* cloud;
    const pli_primitives *a, *b;
    bool symmetric;
    double reach;
    int i, j; // the next pair to look at
    int count;
    double least;
} expectation;

// The distance of primitives i and j by the row's own measure, or HUGE_VAL if they share a vertex.
static double measure(const expectation* e, int i, int j) {
    const int32_t *a = e->a->vertices + i * e->a->width, *b = e->b->vertices + j * e->b->width;
    const double* x[4];
    double radius[2] = {0};
    for (int k = 0; k < e->a->width; ++k) {
        x[k] = e->cloud->x + 3 * a[k];
        radius[0] = fmax(radius[0], e->cloud->radius[a[k]]);
    }
    for (int k = 0; k < e->b->width; ++k) {
        x[e->a->width + k] = e->cloud->x + 3 * b[k];
        radius[1] = fmax(radius[1], e->cloud->radius[b[k]]);
    }
    for (int k = 0; k < e->a->width * e->b->width; ++k)
        if (a[k / e->b->width] == b[k % e->b->width]) return HUGE_VAL;
    pli_closest closest;
    pli_space_pair_of(e->a->width, e->b->width)->closest(x, &closest);
    return closest.distance - (radius[0] + radius[1]);
}

// Steps on to the next pair that is near: it must be the one that was found.
static bool next_expected(expectation* e) {
    for (;;) {
        if (++e->j == e->b->count) {
            e->i++;
            e->j = e->symmetric ? e->i + 1 : 0;
        }
        if (e->i >= e->a->count || (e->symmetric && e->i + 1 >= e->a->count)) return false;
        if (measure(e, e->i, e->j) < e->reach) return true;
    }
}

static void compare(void* context, const pli_near* near) {
    expectation* e = context;
    assert_true(next_expected(e));
    int a = near->width[0], b = near->width[1];
    assert_memory_equal(near->vertices, e->a->vertices + e->i * a, sizeof(int32_t) * (size_t)a);
    assert_memory_equal(near->vertices + a, e->b->vertices + e->j * b, sizeof(int32_t) * (size_t)b);
    assert_true(near->distance == measure(e, e->i, e->j));
    assert_true(fabs(hypot(hypot(near->normal[0], near->normal[1]), near->normal[2]) - 1) < 1e-12);
    e->least = fmin(e->least, near->distance);
    e->count++;
}

static void test_against_all(void** state) {
    (void)state;
    pli_random random = {7};
    cloud c = {0};
    make_cloud(&c, &random);
    pli_primitives points = {VERTICES, 1, c.points}, edges = {EDGES, 2, c.edges},
                   triangles = {TRIANGLES, 3, c.triangles};
    const pli_primitives* lists[4][2] = {
        {&points, &triangles}, {&edges, NULL}, {&points, &edges}, {&points, NULL}};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_pool* pool;
    ASSERT_OK(pli_pool_create(&memory, 3, &pool, &error));
    for (int i = 0; i < 8; ++i) {
        double reach = i < 4 ? 0.03 : 0.15;
        expectation e = {.cloud = &c,
                         .a = lists[i % 4][0],
                         .b = lists[i % 4][1] ? lists[i % 4][1] : lists[i % 4][0],
                         .symmetric = !lists[i % 4][1],
                         .reach = reach,
                         .least = HUGE_VAL};
        e.j = e.symmetric ? 0 : -1;
        pli_near_def def = {
            .a = lists[i % 4][0], .b = lists[i % 4][1], .radius = c.radius, .reach = reach};
        pli_view view = {.dim = 3, .vertex_count = VERTICES, .x = c.x, .pool = pool};
        ASSERT_OK(pli_find_near(&memory, &view, &def, compare, &e, &error));
        assert_false(next_expected(&e));
        assert_true(e.count > 0);
    }
    pli_pool_destroy(pool);
    assert_int_equal(memory.bytes, 0);
}

static void take_first(void* context, const pli_near* near) {
    pli_near* out = context;
    if (out->width[0] == 0 || near->distance < out->distance) *out = *near;
}

// A point 1 mm over the middle of an edge, in the plane; the filter forbids it then.
static void test_plane(void** state) {
    (void)state;
    double x[9] = {0.5, 0.001, 7, 0, 0, -3, 1, 0, 5};
    int32_t point = 0, edge[2] = {1, 2}, body[3] = {0, 1, 1};
    pli_primitives points = {1, 1, &point}, edges = {1, 2, edge};
    uint64_t key = pli_body_pair_key(0, 1);
    pli_body_pairs pairs = {.count = 1, .keys = &key};
    pli_filter filter = {.body = body};
    pli_near_def def = {.a = &points, .b = &edges, .filter = &filter, .reach = 0.01};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_view view = {.dim = 2, .vertex_count = 3, .x = x};
    pli_near near = {0};
    ASSERT_OK(pli_find_near(&memory, &view, &def, take_first, &near, &error));
    assert_int_equal(near.width[0], 1);
    assert_int_equal(near.width[1], 2);
    assert_true(near.distance == 0.001);
    assert_true(near.normal[1] == 1 && near.normal[2] == 0);
    assert_true(near.point[0] == 0.5 && near.point[1] == 0.0005);
    assert_true(near.resolution > 0 && near.resolution < 1e-13);
    filter.exempt = &pairs;
    near = (pli_near){0};
    ASSERT_OK(pli_find_near(&memory, &view, &def, take_first, &near, &error));
    assert_int_equal(near.width[0], 0);
    points.count = 0;
    ASSERT_OK(pli_find_near(&memory, &view, &def, take_first, &near, &error));
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all),
        cmocka_unit_test(test_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
