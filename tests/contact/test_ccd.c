// CCD: known cases, an exact oracle on integer coordinates, rounding.
#include "contact/ccd.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/distance.h"
#include "math/predicates.h"
#include "oracle/random.h"
#include "oracle/rational.h"

typedef struct motion {
    double x[3][3], p[3][3]; // point, e0, e1
} motion;

static double point_edge(int dim, const motion* m, double t_max) {
    const double* x[3] = {m->x[0], m->x[1], m->x[2]};
    const double* p[3] = {m->p[0], m->p[1], m->p[2]};
    return pli_ccd_point_edge(dim, x, p, t_max, 0);
}

// Never late; and not early by more than the distance that is left free (a tenth) allows.
static void expect_hit(const motion* m, double toi) {
    motion flipped = *m;
    for (int k = 0; k < 3; ++k) {
        flipped.x[1][k] = m->x[2][k];
        flipped.x[2][k] = m->x[1][k];
        flipped.p[1][k] = m->p[2][k];
        flipped.p[2][k] = m->p[1][k];
    }
    double t = point_edge(2, m, 1), u = point_edge(2, &flipped, 1);
    assert_true(t < toi && t > 0.8 * toi);
    assert_true(fabs(u - t) < 1e-9); // which end is called first is a matter of rounding only
    assert_true(fabs(point_edge(3, m, 1) - t) < 1e-9);
}

static void test_point_point(void** state) {
    (void)state;
    double a[3] = {0, 0, 0}, b[3] = {1, 1, 0}, u[3] = {1, 1, 1}, v[3] = {-1, -1, 1};
    const double *x[2] = {a, b}, *p[2] = {u, v};
    double t = pli_ccd_point_point(3, x, p, 1, 0);
    assert_true(t < 0.5 && t > 0.4);
    assert_true(pli_ccd_point_point(3, x, p, 0.25, 0) == 0.25);
    const double* same[2] = {u, u};
    assert_true(pli_ccd_point_point(3, x, same, 1, 0) == 1);
    const double* touching[2] = {a, a};
    assert_true(pli_ccd_point_point(3, touching, p, 1, 0) == 0);
}

// The edge shrinks to a point at 1/4 (before the point arrives) or at 2/3 (after).
static void test_edge_degenerates(void** state) {
    (void)state;
    motion before = {{{0, 1}, {-1, 0}, {1, 0}}, {{0, -2}, {4, 0}, {-4, 0}}};
    motion after = {{{0, 1}, {-1, 0}, {1, 0}}, {{0, -2}, {1.5, 0}, {-1.5, 0}}};
    expect_hit(&before, 0.5);
    expect_hit(&after, 0.5);
}

static void test_collinear_approach(void** state) {
    (void)state;
    motion m = {{{0, 0}, {0, 1}, {0, 2}}, {{0, 2}}};
    expect_hit(&m, 0.5);
}

static void test_parallel_motion(void** state) {
    (void)state;
    motion m = {{{0, 1}, {-1, 0}, {1, 0}}, {{1e6, 0}}};
    assert_true(point_edge(2, &m, 1) == 1);
    motion rigid = {{{0, 1e-9}, {-1, 0}, {1, 0}}, {{3, -7}, {3, -7}, {3, -7}}};
    assert_true(point_edge(2, &rigid, 1) == 1);
    motion still = {{{0, 1e-9}, {-1, 0}, {1, 0}}, {{0}}};
    assert_true(point_edge(2, &still, 1) == 1);
}

// Approach at speed v shared between point and edge, the edge stretching or shrinking: 1 / v.
static void test_perpendicular(void** state) {
    (void)state;
    const double speeds[3] = {1 + 1e-6, 2, 4}, stretch[3] = {0.5, 0, -0.5};
    for (int i = 0; i < 3; ++i)
        for (int share = 0; share < 5; ++share)
            for (int k = 0; k < 3; ++k) {
                double v = speeds[i], down = (3 - share) * v / 2, up = (share - 1) * v / 2;
                motion m = {{{0, 1}, {-1, 0}, {1, 0}},
                            {{0, -down}, {-stretch[k], up}, {stretch[k], up}}};
                expect_hit(&m, 1 / v);
                motion tangential = {{{0.5, 0}, {-0.5, 0}, {-1.5, 0}},
                                     {{-down, 0}, {up, 0}, {up, stretch[k]}}};
                expect_hit(&tangential, 1 / v);
            }
}

static void test_double_impact(void** state) {
    (void)state;
    motion m = {{{0, 0.5}, {-1, 0}, {1, 0}},
                {{0, -1},
                 {1.6730970740318298, 0.8025388419628143},
                 {-1.616142749786377, -0.6420311331748962}}};
    expect_hit(&m, 0.44829009629863538);
}

static double distance_at(const motion* m, double t) {
    double y[3][3] = {{0}};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 2; ++k) y[i][k] = m->x[i][k] + t * m->p[i][k];
    pli_point_edge pair;
    pli_point_edge_closest(2, y[0], y[1], y[2], &pair);
    return pair.distance;
}

static double smallest_distance(const motion* m) {
    double smallest = HUGE_VAL;
    for (int s = 0; s <= 256; ++s) smallest = fmin(smallest, distance_at(m, s / 256.0));
    return smallest;
}

// Integer motions, small ranges so that degenerate cases are frequent. An exact oracle says who is
// hit: none may be missed; and the answer must not be obtained by giving up.
static void test_against_exact_oracle(void** state) {
    (void)state;
    pli_random random = {2024};
    int hits = 0, good = 0, clear = 0, clear_answered = 0;
    for (int trial = 0; trial < 200000; ++trial) {
        int x[3][2], p[3][2], range = trial % 3 == 0 ? 3 : trial % 3 == 1 ? 9 : 41;
        motion m = {{{0}}, {{0}}};
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 2; ++k) {
                m.x[i][k] = x[i][k] = pli_random_below(&random, range) - range / 2;
                m.p[i][k] = p[i][k] = pli_random_below(&random, range) - range / 2;
            }
        double d0 = distance_at(&m, 0), t = point_edge(2, &m, 1);
        assert_true(t >= 0 && t <= 1);
        if (d0 == 0) {
            assert_true(t == 0);
            continue;
        }
        pli_exact_hit exact = pli_exact_point_edge(x, p);
        if (exact.hit) {
            if (!(t < exact.time)) fail_msg("missed: t = %.17g, contact at %.17g", t, exact.time);
            hits++;
            good += t >= 0.5 * exact.time;
        } else if (trial % 16 == 0 && smallest_distance(&m) > 0.15 * d0) {
            clear++;
            clear_answered += t == 1;
        }
    }
    assert_true(hits > 20000 && clear > 2000);
    assert_true(good >= 0.95 * hits);
    assert_int_equal(clear, clear_answered);
}

// A 200th of the first distance is never undercut.
static void test_gap_is_left(void** state) {
    (void)state;
    pli_random random = {8};
    for (int trial = 0; trial < 2000; ++trial) {
        motion m = {{{0}}, {{0}}};
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 2; ++k) {
                m.x[i][k] = pli_random_in(&random, -1, 1);
                m.p[i][k] = pli_random_in(&random, -2, 2);
            }
        double d0 = distance_at(&m, 0), t = point_edge(2, &m, 1);
        for (int s = 0; s <= 64; ++s) assert_true(distance_at(&m, t * s / 64) > 0.00499 * d0);
    }
}

// Far from the origin and close together: after rounding the point must still be on its side, at
// the returned t and at any smaller one.
static void test_rounded_positions(void** state) {
    (void)state;
    pli_random random = {404};
    for (int trial = 0; trial < 20000; ++trial) {
        double offset = pow(10, pli_random_in(&random, -1, 6)),
               angle = pli_random_in(&random, 0, 7);
        double u[2] = {cos(angle), sin(angle)},
               d = offset * pow(10, pli_random_in(&random, -15, -9));
        double along = pli_random_in(&random, 0.2, 0.8);
        motion m = {{{0}}, {{0}}};
        for (int k = 0; k < 2; ++k) {
            double n = k == 0 ? -u[1] : u[0];
            m.x[1][k] = offset + 0.3 * k;
            m.x[2][k] = m.x[1][k] + u[k];
            m.x[0][k] = m.x[1][k] + along * u[k] + d * n;
            m.p[0][k] = -pli_random_in(&random, 0, 1) * n;
            m.p[1][k] = m.p[2][k] = 0.5 * pli_random_in(&random, 0, 1) * n;
        }
        int side = pli_orient2d(m.x[1], m.x[2], m.x[0]);
        double t = point_edge(2, &m, 1);
        if (side == 0) assert_true(t == 0);
        if (t == 0) continue;
        const double shares[5] = {1, 0.9, 0.5, 0.25, 1e-3};
        for (int s = 0; s < 5; ++s) {
            double y[3][2];
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 2; ++k) y[i][k] = m.x[i][k] + t * shares[s] * m.p[i][k];
            assert_int_equal(pli_orient2d(y[1], y[2], y[0]), side);
        }
    }
}

static void test_not_a_number_is_refused(void** state) {
    (void)state;
    for (int i = 0; i < 12; ++i) {
        motion m = {{{0, 1}, {-1, 0}, {1, 0}}, {{0}}};
        (i < 6 ? m.x : m.p)[i % 6 / 2][i % 2] = NAN;
        assert_true(point_edge(2, &m, 1) == 0);
    }
}

static void test_clearance(void** state) {
    (void)state;
    pli_random random = {31};
    int seen = 0, missed = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        motion m = {{{0}}, {{0}}};
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 2; ++k) {
                m.x[i][k] = pli_random_in(&random, -1, 1);
                m.p[i][k] = pli_random_in(&random, -0.3, 0.3);
            }
        const double *x[3] = {m.x[0], m.x[1], m.x[2]}, *p[3] = {m.p[0], m.p[1], m.p[2]};
        double smallest = smallest_distance(&m), distance = pli_random_in(&random, 0, 0.5);
        bool apart = pli_point_edge_clearance(2, x, p, 1, distance) > distance;
        if (apart) assert_true(smallest > distance);
        if (smallest > distance) {
            seen++;
            missed += !apart;
        }
        assert_int_equal(pli_point_edge_clearance(2, x, NULL, 0, distance) > distance,
                         distance_at(&m, 0) > distance);
    }
    assert_true(seen > 1000 && missed < 0.1 * seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_point),          cmocka_unit_test(test_edge_degenerates),
        cmocka_unit_test(test_collinear_approach),   cmocka_unit_test(test_parallel_motion),
        cmocka_unit_test(test_perpendicular),        cmocka_unit_test(test_double_impact),
        cmocka_unit_test(test_against_exact_oracle), cmocka_unit_test(test_gap_is_left),
        cmocka_unit_test(test_rounded_positions),    cmocka_unit_test(test_not_a_number_is_refused),
        cmocka_unit_test(test_clearance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
