// Rays and places against points, segments and triangles, thick and thin: by closed forms, by
// marching along the ray, and through the edges of meshes.
#include "contact/ray.h"

#include "math/vec.h"
#include "oracle/near.h"
#include "oracle/random.h"

static pli_line line_of(const double origin[3], const double direction[3]) {
    pli_line line;
    double length = pli_norm(direction, 3);
    for (int c = 0; c < 3; ++c) {
        line.origin[c] = origin[c];
        line.direction[c] = direction[c] / length;
        line.far[c] = origin[c] + 100 * line.direction[c];
    }
    return line;
}

static void random_point(pli_random* r, int dim, double size, double x[3]) {
    for (int c = 0; c < 3; ++c) x[c] = c < dim ? pli_random_in(r, -size, size) : 0;
}

// The distance from p to the part without its radius, by the seven regions of a triangle
// [Ericson05]: an edge at a time, then the inside.
static double edge_distance(const double* p, const double* a, const double* b) {
    double u[3], w[3], d[3];
    pli_sub(b, a, u, 3);
    pli_sub(p, a, w, 3);
    double square = pli_dot(u, u, 3), s = square > 0 ? pli_dot(u, w, 3) / square : 0;
    s = fmin(1, fmax(0, s));
    for (int c = 0; c < 3; ++c) d[c] = w[c] - s * u[c];
    return pli_norm(d, 3);
}

static double part_distance(const pli_part* part, const double* p) {
    double u[3], v[3], n[3], w[3], best;
    if (part->count == 1) return edge_distance(p, part->x[0], part->x[0]);
    if (part->count == 2) return edge_distance(p, part->x[0], part->x[1]);
    best = fmin(edge_distance(p, part->x[0], part->x[1]), edge_distance(p, part->x[1], part->x[2]));
    best = fmin(best, edge_distance(p, part->x[2], part->x[0]));
    pli_sub(part->x[1], part->x[0], u, 3);
    pli_sub(part->x[2], part->x[0], v, 3);
    pli_sub(p, part->x[0], w, 3);
    pli_cross3(u, v, n);
    double uu = pli_dot(u, u, 3), uv = pli_dot(u, v, 3), vv = pli_dot(v, v, 3);
    double wu = pli_dot(w, u, 3), wv = pli_dot(w, v, 3), det = uu * vv - uv * uv;
    double s = (wu * vv - wv * uv) / det, t = (wv * uu - wu * uv) / det;
    if (s >= 0 && t >= 0 && s + t <= 1) best = fmin(best, fabs(pli_dot(w, n, 3)) / pli_norm(n, 3));
    return best;
}

// Marching: no step goes farther than the distance left. Short of the surface by 1e-9 m counts.
static double march(const pli_line* line, const pli_part* part) {
    double t = 0, p[3];
    for (int i = 0; i < 20000 && t < 50; ++i) {
        for (int c = 0; c < 3; ++c) p[c] = line->origin[c] + t * line->direction[c];
        double d = part_distance(part, p) - part->radius;
        if (d < 1e-9) return t;
        t += d;
    }
    return HUGE_VAL;
}

static void test_thick_parts(void** state) {
    (void)state;
    pli_random r = {11};
    int met = 0, missed = 0;
    for (int i = 0; i < 6000; ++i) {
        int dim = 2 + i % 2;
        double x[3][3], origin[3], direction[3];
        for (int v = 0; v < 3; ++v) random_point(&r, dim, 1, x[v]);
        random_point(&r, dim, 4, origin);
        for (int c = 0; c < 3; ++c)
            direction[c] = -origin[c] + (c < dim ? pli_random_in(&r, -1.5, 1.5) : 0);
        pli_part part = {.dim = dim,
                         .count = 1 + i / 2 % dim,
                         .x = {x[0], x[1], x[2]},
                         .radius = pli_random_in(&r, 0.01, 0.6)};
        pli_line line = line_of(origin, direction);
        pli_meeting out;
        double t = pli_line_meets(&line, &part, &out), expected = march(&line, &part);
        if (t < HUGE_VAL && expected < HUGE_VAL) {
            // Along a grazing ray 1e-9 m short of the surface is up to sqrt(2 r 1e-9) short of t.
            ASSERT_NEAR(t, expected, 1e-4);
            ASSERT_NEAR(part_distance(&part, out.point),
                        t > 0 ? part.radius : part_distance(&part, origin), 1e-12);
            ASSERT_NEAR(out.weights[0] + out.weights[1] + out.weights[2], 1, 1e-12);
            ASSERT_NEAR(pli_norm(out.normal, 3), 1, 1e-12);
            if (t > 0) assert_true(pli_dot(out.normal, line.direction, 3) < 1e-9);
            met++;
        } else if (t != expected) { // one of them grazes
            double nearest = HUGE_VAL;
            for (double s = 0; s < 10; s += 1e-3) {
                double p[3];
                for (int c = 0; c < 3; ++c) p[c] = origin[c] + s * line.direction[c];
                nearest = fmin(nearest, part_distance(&part, p));
            }
            ASSERT_NEAR(nearest, part.radius, 1e-5);
        } else {
            missed++;
        }
    }
    assert_true(met > 1000 && missed > 1000);
}

static void test_closed_forms(void** state) {
    (void)state;
    const double a[3] = {0, 0, 0}, b[3] = {2, 0, 0}, c[3] = {0, 0, 2}, o[3] = {0.5, 3, 0.5},
                 inside[3] = {0.5, 0.05, 0.5}, down[3] = {0, -1, 0}, up[3] = {0, 1, 0};
    pli_meeting out;
    pli_line line = line_of(o, down);
    pli_part part = {.dim = 3, .count = 3, .x = {a, b, c}};
    assert_true(pli_line_meets(&line, &part, &out) == 3);
    ASSERT_NEAR(out.normal[1], -1, 0); // a, b, c turn clockwise seen from above
    ASSERT_NEAR(out.weights[0], 0.5, 1e-15);
    ASSERT_NEAR(out.weights[1], 0.25, 1e-15);
    part.radius = 0.1;
    ASSERT_NEAR(pli_line_meets(&line, &part, &out), 2.9, 1e-15);
    ASSERT_NEAR(out.normal[1], 1, 1e-15);
    ASSERT_NEAR(pli_part_closest(&part, o, &out), 2.9, 1e-15);
    ASSERT_NEAR(pli_part_closest(&part, inside, &out), -0.05, 1e-15);
    line = line_of(inside, up);
    assert_true(pli_line_meets(&line, &part, &out) == 0);
    line = line_of(o, up);
    assert_true(pli_line_meets(&line, &part, &out) == HUGE_VAL);
    part = (pli_part){.dim = 3, .count = 2, .x = {a, b}}; // never met without a radius
    line = line_of((double[3]){1, 1, 0}, down);
    assert_true(pli_line_meets(&line, &part, &out) == HUGE_VAL);
    part.dim = 2;
    assert_true(pli_line_meets(&line, &part, &out) == 1);
    ASSERT_NEAR(out.normal[1], -1, 0);
    line = line_of((double[3]){-1, 0, 0}, (double[3]){1, 0, 0}); // along it
    assert_true(pli_line_meets(&line, &part, &out) == 1);
    line = line_of((double[3]){1, 0, 0}, (double[3]){1, 0, 0}); // begins on it
    assert_true(pli_line_meets(&line, &part, &out) == 0);
    part = (pli_part){.dim = 3, .count = 1, .x = {b}, .radius = 0.5};
    line = line_of(a, (double[3]){1, 0, 0});
    ASSERT_NEAR(pli_line_meets(&line, &part, &out), 1.5, 1e-15);
    ASSERT_NEAR(pli_part_closest(&part, b, &out), -0.5, 0); // its middle
    ASSERT_NEAR(pli_norm(out.normal, 3), 1, 0);
}

static void test_closest(void** state) {
    (void)state;
    pli_random r = {5};
    for (int i = 0; i < 5000; ++i) {
        int dim = 2 + i % 2;
        double x[3][3], place[3], off[3];
        for (int v = 0; v < 3; ++v) random_point(&r, dim, 1, x[v]);
        random_point(&r, dim, 2, place);
        pli_part part = {.dim = dim,
                         .count = 1 + i / 2 % dim,
                         .x = {x[0], x[1], x[2]},
                         .radius = i % 3 ? pli_random_in(&r, 0.01, 0.6) : 0};
        pli_meeting out;
        double d = pli_part_closest(&part, place, &out);
        ASSERT_NEAR(d, part_distance(&part, place) - part.radius, 1e-12);
        pli_sub(place, out.point, off, 3);
        ASSERT_NEAR(pli_norm(off, 3), fabs(d), 1e-12);
    }
}

// Rays exactly through vertices and edges of a fan of triangles, from far away, meet it: none slips between two of them.
static void test_watertight(void** state) {
    (void)state;
    enum { RIM = 7 };
    pli_random r = {23};
    for (int i = 0; i < 20000; ++i) {
        double rim[RIM][3], middle[3], origin[3], target[3], direction[3];
        for (int k = 0; k < RIM; ++k) {
            rim[k][0] = cos(6.283185307179586 * k / RIM) + pli_random_in(&r, -0.1, 0.1);
            rim[k][1] = sin(6.283185307179586 * k / RIM) + pli_random_in(&r, -0.1, 0.1);
            rim[k][2] = pli_random_in(&r, -0.1, 0.1);
        }
        random_point(&r, 3, 0.1, middle);
        random_point(&r, 3, 5, origin); // steep enough that no triangle hides another
        origin[2] = 20 + fabs(origin[2]);
        double s = pli_random_in(&r, 0, 0.9);
        if (i % 3 == 0) s = 0; // the vertex in the middle
        int spoke = pli_random_below(&r, RIM);
        for (int c = 0; c < 3; ++c) {
            target[c] = middle[c] + s * (rim[spoke][c] - middle[c]);
            direction[c] = target[c] - origin[c];
        }
        pli_line line = line_of(origin, direction);
        double least = HUGE_VAL, distance = pli_norm(direction, 3);
        for (int k = 0; k < RIM; ++k) {
            pli_meeting out;
            pli_part part = {.dim = 3, .count = 3, .x = {middle, rim[k], rim[(k + 1) % RIM]}};
            least = fmin(least, fabs(pli_line_meets(&line, &part, &out) - distance));
        }
        ASSERT_NEAR(least, 0, 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thick_parts),
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_closest),
        cmocka_unit_test(test_watertight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
