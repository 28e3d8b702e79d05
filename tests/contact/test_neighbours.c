// Thickness: neighbours of one surface at rest, and certificates of motion at a distance.
#include "contact/pair_set.h"

#include "contact/ccd.h"
#include "contact/closest.h"
#include "contact/near.h"
#include "contact/shapes.h"
#include "oracle/near.h"
#include "oracle/random.h"

enum { SIDE = 7 };

// A flat sheet of SIDE x SIDE quads with edges of length 1, alternating diagonals.
static shapes sheet(void) {
    shapes s = {0};
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i)
        add_vertex(&s, i % (SIDE + 1), 0, i / (SIDE + 1));
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + 1, c = b + SIDE + 1, d = a + SIDE + 1;
        bool turned = (i / SIDE + i % SIDE) % 2;
        add_triangle(&s, a, turned ? c : d, b);
        add_triangle(&s, turned ? a : b, d, c);
    }
    list_parts(&s);
    return s;
}

static const pli_primitives* list_of(const shapes* s, int width) {
    return width == 1 ? &s->points : width == 2 ? &s->edges : &s->triangles;
}

static pli_pair_set_def def_of(const shapes* s, const pli_space_pair* row, double dhat) {
    const pli_primitives *a = list_of(s, row->a_width), *b = list_of(s, row->b_width);
    return (pli_pair_set_def){.kind = &row->kind,
                              .dim = 3,
                              .vertex_count = s->vertex_count,
                              .dhat = dhat,
                              .a_count = a->count,
                              .b_count = b->count,
                              .a_width = a->width,
                              .b_width = b->width,
                              .a_vertices = a->vertices,
                              .b_vertices = b->vertices,
                              .symmetric = a == b};
}

// Corners of pair (i, j) at y; false if they share a vertex.
static bool corners(const pli_pair_set* set, int i, int j, const double* y, const double* x[4]) {
    const pli_primitives *a = &set->a, *b = &set->b;
    for (int k = 0; k < a->width; ++k) x[k] = y + 3 * a->vertices[i * a->width + k];
    for (int k = 0; k < b->width; ++k) {
        x[a->width + k] = y + 3 * b->vertices[j * b->width + k];
        for (int l = 0; l < a->width; ++l)
            if (x[l] == x[a->width + k]) return false;
    }
    return true;
}

static bool has_pair(const pli_pair_set* set, int a, int b) {
    for (int i = 0; i < set->count; ++i)
        if (set->pairs[i].query == a && set->pairs[i].primitive == b) return true;
    return false;
}

// All pairs at y are farther apart than the rule says, computed here; those closer than dhat are in
// the set. Returns the number of these.
static int expect_rule(const pli_pair_set* set, const pli_space_pair* row, const double* rest,
                       const double* y, double r) {
    int close = 0;
    for (int i = 0; i < set->a.count; ++i)
        for (int j = set->symmetric ? i + 1 : 0; j < set->b.count; ++j) {
            const double* x[4];
            pli_closest at_rest, now;
            if (!corners(set, i, j, rest, x)) continue;
            row->closest(x, &at_rest);
            corners(set, i, j, y, x);
            row->closest(x, &now);
            double offset = fmin(2 * r, fmax(0, 0.5 * (at_rest.distance - set->dhat)));
            ASSERT_NEAR(pli_pair_offset(set, &(pli_box_pair){i, j}), offset, 1e-12);
            if (!(now.distance > offset))
                fail_msg("%s %d, %d: %g, offset %g", row->name, i, j, now.distance, offset);
            if (now.distance >= offset + set->dhat) continue;
            close++;
            if (!has_pair(set, i, j)) fail_msg("%s %d, %d is missing", row->name, i, j);
        }
    return close;
}

// From thin to thicker than the sheet is wide: nothing is close at rest, and a random crumpling is
// certified as far as the rule allows it; the set has all pairs that the rule makes close.
static void test_rule(void** state) {
    (void)state;
    static const double ratios[] = {0.01, 0.3, 0.5, 1, 2, 5};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {3};
    pli_error error = {0};
    shapes s = sheet();
    int32_t* part = calloc((size_t)s.vertex_count, sizeof *part);
    double* radius = calloc((size_t)s.vertex_count, sizeof *radius);
    double* y = calloc((size_t)(3 * s.vertex_count), sizeof *y);
    int close = 0, shortened = 0;
    for (int trial = 0; trial < 24; ++trial) {
        const pli_space_pair* row = &pli_space_pairs[trial % 2];
        double r = ratios[trial / 2 % 6], dhat = 0.1;
        for (int v = 0; v < s.vertex_count; ++v) radius[v] = r;
        const pli_rest rest = {.x = s.x, .part = part, .dhat = dhat};
        pli_pair_set_def def = def_of(&s, row, dhat);
        def.offset = radius;
        def.rest = &rest;
        pli_pair_set set;
        pli_view view = {.dim = 3, .vertex_count = s.vertex_count, .x = s.x};
        ASSERT_OK(pli_pair_set_init(&set, &memory, &def, &error));
        ASSERT_OK(pli_pair_set_refresh(&set, &view, NULL, NULL, &error));
        assert_int_equal(set.count, 0);
        for (int k = 0; k < 3 * s.vertex_count; ++k) {
            bool fold = trial >= 12; // one half is folded onto the other
            double along = s.x[k - k % 3] - 0.5 * SIDE;
            s.p[k] = (fold ? 0.3 : 1) * pli_random_in(&random, -1, 1);
            if (fold && k % 3 == 0) s.p[k] += along > 0 ? -2 * along : 0;
            if (fold && k % 3 == 1) s.p[k] += along > 0 ? 0.5 * along : 0;
        }
        double alpha = 1;
        ASSERT_OK(pli_pair_set_refresh(&set, &view, s.p, &alpha, &error));
        assert_true(alpha > 0);
        shortened += alpha < 1;
        for (int sample = 0; sample <= 4; ++sample) {
            for (int k = 0; k < 3 * s.vertex_count; ++k)
                y[k] = s.x[k] + 0.25 * sample * alpha * s.p[k];
            close += expect_rule(&set, row, s.x, y, r);
        }
        pli_pair_set_free(&set);
    }
    if (!(close > 300 && shortened > 12)) fail_msg("%d close, %d shortened", close, shortened);
    free(part);
    free(radius);
    free(y);
    free_shapes(&s);
    assert_int_equal(memory.bytes, 0);
}

// Vertices of other parts, and points alone, have the full thickness.
static void test_parts(void** state) {
    (void)state;
    const double x[12] = {0, 0, 0, 1, 0, 0, 0, 0.5, 0, 1, 0.5, 0};
    const int32_t same[4] = {0, 0, 0, 0}, two[4] = {0, 0, 2, 2}, a[2] = {0, 1}, b[2] = {2, 3};
    const int32_t* const edges[2] = {a, b};
    const int widths[2] = {2, 2};
    const pli_pair_kind* kind = &pli_space_pairs[1].kind;
    pli_rest rest = {.x = x, .part = same, .dhat = 0.1};
    ASSERT_NEAR(pli_offset_between(&rest, kind, 3, edges, widths, 1), 0.2, 1e-12);
    ASSERT_NEAR(pli_offset_between(&rest, kind, 3, edges, widths, 0.15), 0.15, 0);
    ASSERT_NEAR(pli_offset_between(&rest, kind, 3, edges, widths, 0), 0, 0);
    ASSERT_NEAR(pli_offset_between(NULL, kind, 3, edges, widths, 1), 1, 0);
    rest.dhat = 0.6;
    ASSERT_NEAR(pli_offset_between(&rest, kind, 3, edges, widths, 1), 0, 0);
    rest.part = two;
    ASSERT_NEAR(pli_offset_between(&rest, kind, 3, edges, widths, 1), 1, 0);
}

static double distance_at(const pli_space_pair* row, double x[4][3], double p[4][3], double t) {
    double y[4][3];
    const double* corner[4] = {y[0], y[1], y[2], y[3]};
    for (int i = 0; i < 12; ++i) y[i / 3][i % 3] = x[i / 3][i % 3] + t * p[i / 3][i % 3];
    pli_closest pair;
    row->closest(corner, &pair);
    return pair.distance;
}

// Pairs a tiny to a large gap beyond `apart`, which is up to 30 times their size, in fast random
// motion: sampled states up to the certified time are apart, whatever the iterations took.
static void test_motion_at_a_distance(void** state) {
    (void)state;
    pli_random random = {11};
    int moved = 0, hits = 0;
    for (int trial = 0; trial < 8000; ++trial) {
        const pli_space_pair* row = &pli_space_pairs[trial % 4];
        int first = row->a_width, width = row->a_width + row->b_width;
        double x[4][3] = {{0}}, p[4][3] = {{0}}, size = pow(10, pli_random_in(&random, -2, 1.5));
        for (int i = 0; i < 3 * width; ++i) {
            x[i / 3][i % 3] =
                pli_random_in(&random, -1, 1) + (i % 3 == 1 && i / 3 < first ? size + 3 : 0);
            p[i / 3][i % 3] = (trial / 4 % 2 ? 1 : size) * pli_random_in(&random, -4, 4);
        }
        double d = distance_at(row, x, p, 0), gap = d * pow(10, pli_random_in(&random, -9, -0.1));
        double apart = d - gap;
        const double *at[4] = {x[0], x[1], x[2], x[3]}, *by[4] = {p[0], p[1], p[2], p[3]};
        double t = row->kind.ccd(3, at, by, 1, apart);
        assert_true(t >= 0 && t <= 1);
        moved += t > 0;
        hits += t < 1;
        for (int i = 0; i <= 400; ++i) {
            double now = distance_at(row, x, p, t * i / 400);
            if (!(now > apart)) fail_msg("%s: %.17g, needed %.17g", row->name, now, apart);
        }
    }
    assert_true(moved > 7900 && hits > 2000);
}

// Head-on, the certified time misses that of contact by the share of the gap that is kept, however
// small the gap is against the thickness.
static void test_head_on(void** state) {
    (void)state;
    for (int i = 0; i < 12; ++i) {
        double apart = 1, gap = pow(10, -i), y = apart + gap;
        const double a[3] = {0.2, y, 0.1}, b0[3] = {-1, 0, -1}, b1[3] = {1, 0, -1},
                     b2[3] = {0, 0, 1};
        const double down[3] = {0, -2 * gap, 0}, none[3] = {0};
        const double *x[4] = {a, b0, b1, b2}, *p[4] = {down, none, none, none};
        double t = pli_ccd_point_triangle(3, x, p, 1, apart);
        // Contact is at t = 1/2; 1/200 to 1/20 of the gap is kept, with a factor of 1.2.
        assert_true(t < 0.5 && t > 0.46);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_motion_at_a_distance),
        cmocka_unit_test(test_head_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
