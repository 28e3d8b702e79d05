// The exact intersection test in space: known states, and random ones against rational arithmetic.
#include "contact/intersect.h"

#include "oracle/near.h"

#include "contact/shapes.h"
#include "contact/support.h"
#include "oracle/exact_space.h"
#include "oracle/random.h"

enum { CAPACITY = 4096 };

typedef struct found {
    int count;
    pli_crossing crossings[CAPACITY];
} found;

static pli_primitive_lists parts_of(const shapes* s, const pli_filter* filter) {
    return (pli_primitive_lists){s->points, s->edges, s->triangles, filter};
}

static pli_status find_with(pli_memory* memory, pli_pool* pool, const shapes* s,
                            const pli_filter* filter, found* out, pli_error* error) {
    pli_view view = {.dim = 3, .vertex_count = s->vertex_count, .x = s->x, .pool = pool};
    pli_primitive_lists parts = parts_of(s, filter);
    return pli_find_crossings(memory, &view, &parts, CAPACITY, out->crossings, &out->count, error);
}

static int find(const shapes* s, found* out) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    ASSERT_OK(find_with(&memory, NULL, s, NULL, out, &error));
    assert_int_equal(memory.bytes, 0);
    return out->count;
}

static void expect_first(const found* f, int m, int n, const int32_t vertices[5]) {
    assert_true(f->count > 0);
    assert_int_equal(f->crossings[0].width[0], m);
    assert_int_equal(f->crossings[0].width[1], n);
    for (int i = 0; i < 5; ++i) assert_int_equal(f->crossings[0].vertices[i], vertices[i]);
}

static bool shares(const int32_t* a, int m, const int32_t* b, int n) {
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            if (a[i] == b[j]) return true;
    return false;
}

// ---- one triangle and one thin part

static shapes triangle_and(int count, const double (*extra)[3]) {
    shapes s = {0};
    for (int i = 0; i < 3; ++i) add_vertex(&s, i == 1, i == 2, 0);
    add_triangle(&s, 0, 1, 2);
    for (int i = 0; i < count; ++i) add_vertex(&s, extra[i][0], extra[i][1], extra[i][2]);
    if (count == 2) add_edge(&s, 3, 4);
    list_parts(&s);
    return s;
}

static void test_edge_and_triangle(void** state) {
    (void)state;
    static const struct {
        double ends[2][3];
        double place[3];
        bool meet;
    } cases[] = {
        {{{0.25, 0.25, -1}, {0.25, 0.25, 3}}, {0.25, 0.25, 0}, true}, // through
        {{{0.25, 0.25, 0}, {0.25, 0.5, 3}}, {0.25, 0.25, 0}, true},   // an end on it
        {{{0.5, 0.5, -1}, {0.5, 0.5, 1}}, {0.5, 0.5, 0}, true},       // through its side
        {{{1, 0, -1}, {1, 0, 1}}, {1, 0, 0}, true},                   // through its corner
        {{{-1, 0.25, 0}, {2, 0.25, 0}}, {0.75, 0.25, 0}, true},       // across, in its plane
        {{{0.1, 0.1, 0}, {0.2, 0.1, 0}}, {0.1, 0.1, 0}, true},        // inside it
        {{{-1, 0, 0}, {-0.5, 0, 0}}, {0}, false},                     // in its plane, beside
        {{{0.25, 0.25, 1e-80}, {0.25, 0.25, 3}}, {0}, false},         // above
        {{{0.5, 0.5, -1}, {0.5000000000000001, 0.5, 1}}, {0}, false}, // beside its side
        {{{2, 2, -1}, {2, 2, 1}}, {0}, false},
    };
    found f;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        shapes s = triangle_and(2, cases[i].ends);
        assert_int_equal(find(&s, &f) > 0, cases[i].meet);
        if (cases[i].meet) {
            expect_first(&f, 2, 3, (int32_t[5]){3, 4, 0, 1, 2});
            for (int k = 0; k < 3; ++k) // a few roundings of numbers near 1
                ASSERT_NEAR(f.crossings[0].point[k], cases[i].place[k], 1e-15);
        }
        free_shapes(&s);
    }
}

static void test_thin_parts(void** state) {
    (void)state;
    found f;
    shapes s = triangle_and(1, (const double[1][3]){{0.25, 0.5, 0}}); // a point on the triangle
    assert_int_equal(find(&s, &f), 1);
    expect_first(&f, 1, 3, (int32_t[5]){3, 0, 1, 2, -1});
    s.x[11] = 1e-80;
    assert_int_equal(find(&s, &f), 0);
    free_shapes(&s);
    // Two segments that cross, exactly in one plane and then not.
    static const double ends[4][3] = {{0, 0, 0.1}, {1, 1, 0.1}, {0, 1, 0.1}, {1, 0, 0.1}};
    for (int v = 0; v < 4; ++v) add_vertex(&s, ends[v][0], ends[v][1], ends[v][2]);
    add_edge(&s, 0, 1);
    add_edge(&s, 2, 3);
    list_parts(&s);
    assert_int_equal(find(&s, &f), 1);
    expect_first(&f, 2, 2, (int32_t[5]){0, 1, 2, 3, -1});
    ASSERT_NEAR(f.crossings[0].point[0], 0.5, 1e-15);
    s.x[3 * 1 + 2] = nextafter(0.1, 1);
    assert_int_equal(find(&s, &f), 0);
    free_shapes(&s);
    // A point on a segment, and two points in one place.
    static const double line[4][3] = {{0, 0, 0}, {4, 2, 6}, {2, 1, 3}, {7, 0, 0}};
    for (int v = 0; v < 4; ++v) add_vertex(&s, line[v][0], line[v][1], line[v][2]);
    add_edge(&s, 0, 1);
    list_parts(&s);
    assert_int_equal(find(&s, &f), 1);
    expect_first(&f, 1, 2, (int32_t[5]){2, 0, 1, -1, -1});
    for (int k = 0; k < 3; ++k) s.x[6 + k] = s.x[9 + k];
    assert_int_equal(find(&s, &f), 1);
    expect_first(&f, 1, 1, (int32_t[5]){2, 3, -1, -1, -1});
    free_shapes(&s);
}

// ---- neighbours

// Two triangles with a common edge, the second turned by `angle` from flat.
static int hinge(double angle, double length) {
    shapes s = {0};
    found f;
    add_vertex(&s, 0, 0, 0);
    add_vertex(&s, 0, 1, 0);
    add_vertex(&s, -1, 0.5, 0);
    add_vertex(&s, length * cos(angle), 0.5, length * sin(angle));
    if (angle > 3.14159) s.x[11] = 0; // exactly folded
    add_triangle(&s, 0, 1, 2);
    add_triangle(&s, 1, 0, 3);
    list_parts(&s);
    int count = find(&s, &f);
    free_shapes(&s);
    return count;
}

static void test_folded_sheets(void** state) {
    (void)state;
    for (int i = -9; i <= 9; ++i) assert_int_equal(hinge(0.34 * i, 1), 0);
    assert_int_equal(hinge(3.1415, 1), 0);
    assert_true(hinge(3.141592653589793, 0.5) > 0); // one in the other
    assert_true(hinge(3.141592653589793, 2) > 0);
    // A common vertex: the second triangle stands on the first, passes through it, lies in it.
    static const struct {
        double corners[2][3];
        bool meet;
    } cases[] = {
        {{{1, 1, 1}, {1, -1, 1}}, false}, {{{1, 1, -1}, {1, -1, 1}}, true},
        {{{1, 0, 0}, {1, 0, 1}}, true},   {{{-1, 0.1, -1}, {-1, -0.1, 1}}, false},
        {{{9, 1, 0}, {9, -1, 0}}, true},  {{{-9, 1, 0}, {-9, -1, 0}}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        shapes s = {0};
        found f;
        add_vertex(&s, 0, 0, 0);
        add_vertex(&s, 3, 3, 0);
        add_vertex(&s, 3, -3, 0);
        for (int j = 0; j < 2; ++j)
            add_vertex(&s, cases[i].corners[j][0], cases[i].corners[j][1], cases[i].corners[j][2]);
        add_triangle(&s, 0, 1, 2);
        add_triangle(&s, 0, 3, 4);
        list_parts(&s);
        assert_int_equal(find(&s, &f) > 0, cases[i].meet);
        free_shapes(&s);
    }
}

// ---- bodies

// Boxes on each other: faces that touch are found, a gap of one unit in the last place is free.
static void test_stacked_boxes(void** state) {
    (void)state;
    static const double scales[] = {1, 1e-6, 1e-3, 1e3, 1e6};
    for (int i = 0; i < 5; ++i)
        for (int shift = 0; shift < 3; ++shift) {
            double h = 0.3 * scales[i], side = 0.1 * shift * scales[i];
            shapes s = {0};
            found f;
            add_box(&s, (double[3]){0, 0, 0}, (double[3]){h, h, h});
            add_box(&s, (double[3]){side, side, h}, (double[3]){side + h, side + h, 2 * h});
            list_parts(&s);
            assert_true(find(&s, &f) > 0);
            for (int v = 8; v < 12; ++v) s.x[3 * v + 2] = nextafter(h, 1e9);
            assert_int_equal(find(&s, &f), 0);
            for (int v = 8; v < 12; ++v) s.x[3 * v + 2] = nextafter(h, 0);
            assert_true(find(&s, &f) > 0);
            free_shapes(&s);
        }
}

// Linked tori that nearly touch; then one vertex of the one is pushed into the other.
static void test_linked_tori(void** state) {
    (void)state;
    static const double scales[] = {1, 1e-6, 1e6};
    for (int i = 0; i < 3; ++i) {
        shapes s = {0};
        found f;
        add_torus(&s, 60, 30, (double[3]){0, 0, 0}, 2, 1, 0.4999);
        add_torus(&s, 60, 30, (double[3]){1, 0, 0}, 1, 1, 0.4999);
        list_parts(&s);
        for (int k = 0; k < 3 * s.vertex_count; ++k) s.x[k] *= scales[i];
        assert_int_equal(find(&s, &f), 0);
        const int32_t pushed = 1815; // on the inner rim at (1, 0, 0.5001): now inside the other
        s.x[3 * pushed + 2] *= 0.7;
        assert_true(find(&s, &f) > 3);
        for (int k = 0; k < f.count; ++k)
            assert_true(shares(&pushed, 1, f.crossings[k].vertices, 5));
        free_shapes(&s);
    }
}

// Needles: a thin triangle through a sheet, its sides nearly parallel.
static void test_needles(void** state) {
    (void)state;
    pli_random r = {4};
    for (int trial = 0; trial < 200; ++trial) {
        shapes s = {0};
        found f;
        double thin = ldexp(1, -1 - pli_random_below(&r, 50));
        for (int i = 0; i < 3; ++i) add_vertex(&s, i == 1, i == 2, 0);
        double x = pli_random_in(&r, 0.1, 0.4), y = pli_random_in(&r, 0.1, 0.4);
        double side = trial % 2 ? 1 : -1;
        add_vertex(&s, x, y, 1);
        add_vertex(&s, x + thin, y, 1);
        add_vertex(&s, x, y, side * thin);
        add_triangle(&s, 0, 1, 2);
        add_triangle(&s, 3, 4, 5);
        list_parts(&s);
        assert_int_equal(find(&s, &f) > 0, side < 0);
        free_shapes(&s);
    }
}

// ---- random soups

static bool meet_exactly(const shapes* s, const int32_t* a, int m, const int32_t* b, int n) {
    const double *p[3], *q[3];
    for (int i = 0; i < m; ++i) p[i] = s->x + 3 * a[i];
    for (int i = 0; i < n; ++i) q[i] = s->x + 3 * b[i];
    for (int k = 0; k < 3; ++k) { // most are far apart
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int i = 0; i < m + n; ++i) {
            double x = i < m ? p[i][k] : q[i - m][k];
            low[i >= m] = fmin(low[i >= m], x);
            high[i >= m] = fmax(high[i >= m], x);
        }
        if (low[0] > high[1] || low[1] > high[0]) return false;
    }
    return pli_exact_hulls_meet(m, p, n, q);
}

// All crossings, in order, are those of brute force.
static int expect_all(const shapes* s, const found* f) {
    static const int kinds[5][2] = {{2, 3}, {1, 3}, {2, 2}, {1, 2}, {1, 1}};
    const pli_primitives* lists[4] = {NULL, &s->points, &s->edges, &s->triangles};
    int at = 0;
    for (int kind = 0; kind < 5; ++kind) {
        int m = kinds[kind][0], n = kinds[kind][1];
        for (int i = 0; i < lists[m]->count; ++i)
            for (int j = m == n ? i + 1 : 0; j < lists[n]->count; ++j) {
                const int32_t *a = lists[m]->vertices + m * i, *b = lists[n]->vertices + n * j;
                if (shares(a, m, b, n) || !meet_exactly(s, a, m, b, n)) continue;
                assert_true(at < f->count);
                assert_int_equal(f->crossings[at].width[0] * 4 + f->crossings[at].width[1],
                                 m * 4 + n);
                assert_int_equal(f->crossings[at].number[0], i);
                assert_int_equal(f->crossings[at].number[1], j);
                at++;
            }
    }
    assert_int_equal(at, f->count);
    return at;
}

// Triangles that meet without a common vertex are seen by one of their parts.
static void expect_triangles(const shapes* s, const found* f) {
    for (int i = 0; i < s->triangles.count; ++i)
        for (int j = 0; j < i; ++j) {
            const int32_t* a = s->triangles.vertices + 3 * i;
            const int32_t* b = s->triangles.vertices + 3 * j;
            if (shares(a, 3, b, 3) || !meet_exactly(s, a, 3, b, 3)) continue;
            bool seen = false;
            for (int k = 0; k < f->count && !seen; ++k) {
                const pli_crossing* c = &f->crossings[k];
                if (c->width[1] != 3 || c->width[0] != 2) continue;
                const int32_t* edge = c->vertices;
                const int32_t* other = c->number[1] == i ? b : c->number[1] == j ? a : NULL;
                seen = other && shares(edge, 1, other, 3) && shares(edge + 1, 1, other, 3);
            }
            assert_true(seen);
        }
}

static void test_random_soups(void** state) {
    (void)state;
    static const double scales[] = {1, 1e-6, 1e6};
    pli_random r = {12};
    int crossings = 0, quiet = 0;
    for (int trial = 0; trial < 60; ++trial) {
        shapes s = {0};
        found f;
        int count = 8 + trial % 12;
        double size = trial % 3 == 0 ? 0.2 : 0.5, scale = scales[trial % 3];
        for (int v = 0; v < count; ++v) { // every other soup on a coarse grid
            double x[3];
            for (int k = 0; k < 3; ++k)
                x[k] =
                    scale * (trial % 2 ? 0.1 * pli_random_below(&r, 4) : pli_random_in(&r, 0, 1));
            add_vertex(&s, x[0], x[1], x[2]);
        }
        for (int t = 0; t < (int)(size * count); ++t) {
            int v[3];
            for (int i = 0; i < 3; ++i) v[i] = pli_random_below(&r, count);
            if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) add_triangle(&s, v[0], v[1], v[2]);
        }
        add_edge(&s, 0, count - 1);
        list_parts(&s);
        find(&s, &f);
        int all = expect_all(&s, &f);
        expect_triangles(&s, &f);
        crossings += all;
        quiet += all == 0;
        free_shapes(&s);
    }
    if (crossings < 500 || quiet < 3) fail_msg("%d crossings, %d without", crossings, quiet);
}

// ---- how it is asked

static void test_threads_capacity_and_filter(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    shapes s = {0};
    add_torus(&s, 40, 20, (double[3]){0, 0, 0}, 2, 1, 0.4);
    add_torus(&s, 40, 20, (double[3]){0.3, 0.2, 0.1}, 2, 1, 0.4);
    list_parts(&s);
    static found first, other;
    ASSERT_OK(find_with(&memory, NULL, &s, NULL, &first, &error));
    assert_true(first.count > 200);
    for (int threads = 2; threads <= 3; ++threads) {
        pli_pool* pool;
        ASSERT_OK(pli_pool_create(&memory, threads, &pool, &error));
        ASSERT_OK(find_with(&memory, pool, &s, NULL, &other, &error));
        pli_pool_destroy(pool);
        assert_int_equal(other.count, first.count);
        assert_memory_equal(other.crossings, first.crossings,
                            (size_t)first.count * sizeof *first.crossings);
    }
    pli_view view = {.dim = 3, .vertex_count = s.vertex_count, .x = s.x};
    pli_primitive_lists parts = parts_of(&s, NULL);
    int count;
    ASSERT_OK(pli_find_crossings(&memory, &view, &parts, 7, other.crossings, &count, &error));
    assert_int_equal(count, 7); // the same first ones
    assert_memory_equal(other.crossings, first.crossings, 7 * sizeof *first.crossings);
    uint64_t key = pli_body_pair_key(1, 0);
    const pli_body_pairs pairs = {.count = 1, .keys = &key};
    pli_filter filter = {.body = s.body, .exempt = &pairs};
    ASSERT_OK(find_with(&memory, NULL, &s, &filter, &other, &error));
    assert_int_equal(other.count, 0);
    s.x[3 * 11 + 1] = NAN;
    assert_int_equal(find_with(&memory, NULL, &s, NULL, &other, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "vertex 11"));
    assert_int_equal(memory.bytes, 0);
    free_shapes(&s);
}

// 1500 triangles in one place: pairs are looked at in portions.
static void test_memory_is_bounded(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    shapes s = {0};
    for (int t = 0; t < 1500; ++t) { // boxes all overlap, triangles are parallel
        double z = t / 1e5;
        int v = add_vertex(&s, 0, 0, z);
        add_vertex(&s, 1, 0, z + 1);
        add_vertex(&s, 0, 1, z + 1);
        add_primitive(&s.triangles, 3, (int[3]){v, v + 1, v + 2});
        add_edge(&s, v, v + 1);
    }
    s.points.width = 1;
    static found f;
    ASSERT_OK(find_with(&memory, NULL, &s, NULL, &f, &error));
    assert_int_equal(f.count, 0);
    assert_true(memory.peak < 24 << 20); // 2.25 million pairs of edges and triangles, 1.1 of edges
    free_shapes(&s);
}

static void test_out_of_memory(void** state) {
    (void)state;
    shapes s = {0};
    add_box(&s, (double[3]){0, 0, 0}, (double[3]){1, 1, 1});
    add_box(&s, (double[3]){0.5, 0.5, 0.5}, (double[3]){2, 2, 2});
    list_parts(&s);
    static found f;
    for (int n = 0;; ++n) {
        failing_allocator failing = {n};
        pli_memory memory;
        pli_error error = {0};
        pli_memory_init(&memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        pli_status status = find_with(&memory, NULL, &s, NULL, &f, &error);
        assert_int_equal(memory.bytes, 0);
        if (status == PLI_OK) {
            assert_true(n >= 10 && f.count > 0);
            break;
        }
        assert_int_equal(status, PLI_E_MEMORY);
    }
    shapes empty = {0};
    empty.points.width = 1;
    empty.edges.width = 2;
    empty.triangles.width = 3;
    assert_int_equal(find(&empty, &f), 0);
    free_shapes(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edge_and_triangle),
        cmocka_unit_test(test_thin_parts),
        cmocka_unit_test(test_folded_sheets),
        cmocka_unit_test(test_stacked_boxes),
        cmocka_unit_test(test_linked_tori),
        cmocka_unit_test(test_needles),
        cmocka_unit_test(test_random_soups),
        cmocka_unit_test(test_threads_capacity_and_filter),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
