// CCD in space: cases with exact answers, an exact oracle, minimum separation, rounding, and the
// files of queries where they are there.
#include "contact/ccd.h"

#include "contact/closest.h"
#include "math/vec.h"
#include "oracle/exact_motion.h"
#include "oracle/exact_space.h"
#include "oracle/near.h"
#include "oracle/random.h"

#include "ccdq.h"

#include <float.h>
#include <glob.h>
#include <stdlib.h>

enum { TRIANGLE, EDGES, SEGMENT, POINTS }; // rows of pli_space_pairs

typedef struct motion {
    double x[4][3], p[4][3];
} motion;

typedef struct pointers {
    const double *x[4], *p[4];
} pointers;

static pointers pointers_to(const motion* m) {
    return (pointers){{m->x[0], m->x[1], m->x[2], m->x[3]}, {m->p[0], m->p[1], m->p[2], m->p[3]}};
}

static double ccd(int row, const motion* m, double t_max, double apart) {
    pointers y = pointers_to(m);
    return pli_space_pairs[row].kind.ccd(3, y.x, y.p, t_max, apart);
}

// From positions at the start and at the end, 4 x 3.
static motion from_to(const double* start, const double* end) {
    motion m;
    for (int i = 0; i < 12; ++i) {
        m.x[i / 3][i % 3] = start[i];
        m.p[i / 3][i % 3] = end[i] - start[i];
    }
    return m;
}

static double distance_at(int row, const motion* m, double t) {
    double y[4][3];
    const double* x[4] = {y[0], y[1], y[2], y[3]};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) y[i][k] = m->x[i][k] + t * m->p[i][k];
    pli_closest pair;
    pli_space_pairs[row].closest(x, &pair);
    return pair.distance;
}

static double smallest_distance(int row, const motion* m, int samples) {
    double smallest = HUGE_VAL;
    for (int s = 0; s <= samples; ++s)
        smallest = fmin(smallest, distance_at(row, m, (double)s / samples));
    return smallest;
}

// Not late, and not early by more than what is left free allows.
static void expect_hit(int row, const motion* m, double toi) {
    double t = ccd(row, m, 1, 0);
    if (!(t < toi && t > 0.8 * toi)) fail_msg("t = %.17g, contact at %.17g", t, toi);
}

// Point (0, 1, z) against the triangle in y = 0, both moving in y.
static void test_triangle_general(void** state) {
    (void)state;
    const double e = 1.1920928955078125e-07;
    const double down[7] = {-1, 0, 0.5 - e, 0.5, 0.5 + e, 1, 2}, drift[3] = {-e, 0, e};
    for (int i = 0; i < 7 * 7 * 3 * 2 * 2; ++i) {
        double u0 = down[i % 7], u1 = down[i / 7 % 7], z = i / 147 % 2 ? -1 : 0;
        double speed = u0 + u1, w = drift[i / 49 % 3];
        motion m = {{{0, 1, z}, {-1, 0, 1}, {1, 0, 1}, {0, 0, -1}},
                    {{0, -u0, w}, {0, u1, 0}, {0, u1, 0}, {0, u1, 0}}};
        if (i / 294)
            for (int k = 0; k < 3; ++k) { // the other orientation
                double corner = m.x[1][k];
                m.x[1][k] = m.x[2][k];
                m.x[2][k] = corner;
            }
        if (speed >= 1 && z + w / speed >= -1)
            expect_hit(TRIANGLE, &m, 1 / speed);
        else if (speed < 0.9)
            assert_true(ccd(TRIANGLE, &m, 1, 0) == 1);
    }
}

// The triangle turns over, without area at 0.5, where the cubic has a root that is no contact.
static void test_triangle_turns_over(void** state) {
    (void)state;
    const double start[4][3] = {{0.1, 0.1, 0.1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    const double end[4][3] = {{0.1, 0.1, 0.1}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    motion m = from_to(start[0], end[0]);
    expect_hit(TRIANGLE, &m, 0.9);
}

static void test_touching_start(void** state) {
    (void)state;
    const double e = 1.1920928955078125e-07, at[2] = {0, e};
    for (int i = 0; i < 2; ++i) {
        motion m = {{{0, at[i], 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                    {{0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}};
        assert_true(ccd(TRIANGLE, &m, 1, 0) == 0);
    }
    motion beside = {{{0, -e, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                     {{0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}};
    assert_true(ccd(TRIANGLE, &beside, 1, 0) == 1);
}

// Falling together, close: no contact, and the step must not be 0.
static void test_rigid_fall(void** state) {
    (void)state;
    const double start[4][3] = {{0.0133653, 0.100651, -0.0215935},
                                {0.0100485, 0.0950896, -0.0171013},
                                {0.0130388, 0.100666, -0.0218112},
                                {0.015413, 0.100554, -0.0202265}};
    const double end[4][3] = {{0.0133652999767858, 0.099670000268615, -0.0215934999996444},
                              {0.0100484999799995, 0.0941086002577558, -0.0171012999972189},
                              {0.0130387999724314, 0.0996850002629403, -0.0218111999936902},
                              {0.0154129999740718, 0.0995730002646605, -0.020226499996014}};
    motion m = from_to(start[0], end[0]);
    assert_true(ccd(TRIANGLE, &m, 1, 0) == 1);
}

static void test_edges_general(void** state) {
    (void)state;
    const double e = 1.1920928955078125e-07;
    const double at[9] = {-1 - e, -1, -1 + e, -0.5, 0, 0.5, 1 - e, 1, 1 + e};
    const double up[6] = {-1, 0, 1 - e, 1, 1 + e, 2};
    for (int i = 0; i < 9 * 6 * 2; ++i) {
        double x = at[i % 9], u = up[i / 9 % 6];
        motion m = {{{-1, -1, 0}, {1, -1, 0}, {x, 1, -1}, {x, 1, 1}},
                    {{0, u, 0}, {0, u, 0}, {0, -u, 0}, {0, -u, 0}}};
        for (int v = 0; v < 4 && i / 54; ++v) m.p[v][1] = v < 2 ? 2 * u : 0; // one stands still
        if (u >= 1 && fabs(x) <= 1)
            expect_hit(EDGES, &m, 1 / u);
        else if (u < 0.9)
            assert_true(ccd(EDGES, &m, 1, 0) == 1);
    }
}

// The cubic has two roots close together, or a pair of edges turns about a third.
static void test_edges_double_roots(void** state) {
    (void)state;
    const double start[4][3] = {{-3.0022200, 0.2362580, 0.0165247},
                                {-3.2347850, 0.8312380, -0.1151003},
                                {-3.0319900, 0.3148750, 0},
                                {-2.8548800, 0.0900349, 0}};
    const double end[4][3] = {{-2.8995600, 0.0345838, 0.0638580},
                              {-3.1716930, 0.6104858, -0.0713340},
                              {-3.0319900, 0.3148750, 0},
                              {-2.8548800, 0.0900349, 0}};
    motion m = from_to(start[0], end[0]);
    expect_hit(EDGES, &m, 0.13955201993126465);
    const double scale[5] = {0.5, 0.8, 0.88, 0.9, 1};
    const double toi[5] = {0.22540333075851662, 0.14087708172407289, 0.12807007429461172,
                           0.12522407264362035, 0.11270166537925831};
    for (int i = 0; i < 5; ++i) {
        double s = scale[i];
        motion turning = {{{0, 0, 1}, {0, 1, 1}, {0.1, 0.2, 2}, {0.1, 0.2, -1}},
                          {{s, s, -s}, {0, -s, -s}, {0}, {0}}};
        expect_hit(EDGES, &turning, toi[i]);
    }
}

// A miss by 5e-7 with a start of 8e-3 (either answer is right, never later than the closest place
// if it stops), a contact from a start of 2.4e-7, and edges that turn fast while they come slowly.
static void test_edges_slow(void** state) {
    (void)state;
    const double start[4][3] = {{1, 0.50803125, 2.10835646075301e-18},
                                {-2.38233935445388e-18, 0.50803125, 1},
                                {-4.99999999958867e-07, 0.5, 0},
                                {-4.99999999958867e-07, 0.5, 1}};
    const double end[4][3] = {{1, 0.47124375, 4.11078309465837e-18},
                              {-2.8526707189104e-18, 0.47124375, 1},
                              {-4.99999999958867e-07, 0.5, 0},
                              {-4.99999999958867e-07, 0.5, 1}};
    motion miss = from_to(start[0], end[0]);
    double t = ccd(EDGES, &miss, 1, 0);
    assert_true(t == 1 || (t < 0.21831464492015057 && t > 0.2));
    const double start2[4][3] = {{1.00002232466453, 0.500004786049044, -2.06727783590977e-05},
                                 {1.64687846177844e-05, 0.499996645067319, 1.63939999009028e-05},
                                 {1, 0.5, 0},
                                 {0, 0.5, 0}};
    const double end2[4][3] = {{1.00294282700155, 0.498652627047143, 0.003626320742036},
                               {-0.00219276550735626, 0.500871179186644, -0.00315828804921928},
                               {1, 0.5, 0},
                               {0, 0.5, 0}};
    motion slow = from_to(start2[0], end2[0]);
    double exact = 0.0017989057378277404, t2 = ccd(EDGES, &slow, 2.8076171875e-3, 0);
    assert_true(t2 < exact && t2 > 0.5 * exact);
    for (double d0 = 1e-2; d0 > 1e-9; d0 *= 0.01) {
        double s = 1e-3;
        motion turn = {{{-1, -d0 / 2, 0}, {1, -d0 / 2, 0}, {0, d0 / 2, -1}, {0, d0 / 2, 1}},
                       {{-s, d0, -s}, {s, d0, s}, {s, -d0, s}, {-s, -d0, -s}}};
        expect_hit(EDGES, &turn, 0.5);
    }
}

// Points and edges; with a separation that may not be undercut the contact comes earlier.
static void test_separation(void** state) {
    (void)state;
    const double apart[4] = {0, 1e-6, 1e-4, 1e-2};
    motion crossing = {{{0, 0, 0}, {1, 1, 0}}, {{1, 1, 1}, {-1, -1, 1}}};
    for (int i = 0; i < 4; ++i) {
        double exact = 0.5 * (1 - apart[i] / sqrt(2)), t = ccd(POINTS, &crossing, 1, apart[i]);
        assert_true(t < exact && t > 0.9 * exact);
    }
    motion approach = {{{0, 0, 0}, {0, 1, 0}}, {{0, 0.25, 0}, {0, -0.25, 0}}};
    double t = ccd(POINTS, &approach, 1, 0.8); // 1 -> 0.5
    assert_true(t < 0.4 && t > 0.9 * 0.4);
    motion fall = {{{0, 1, 0}, {-1, 0, 0}, {1, 0, 0}}, {{0, -4, 0}}};
    t = ccd(SEGMENT, &fall, 1, 2e-3);
    assert_true(t < 0.2495 && t > 0.9 * 0.2495);
    assert_true(ccd(SEGMENT, &fall, 1, 1) == 0); // already too close
    assert_true(ccd(SEGMENT, &fall, 1, 2) == 0);
}

// A surface that is never undercut: on all of [0, t] more than `apart`.
static void test_separation_is_kept(void** state) {
    (void)state;
    pli_random random = {5};
    int moved = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        motion m;
        int row = trial % 4;
        for (int i = 0; i < 12; ++i) {
            m.x[i / 3][i % 3] = pli_random_in(&random, -1, 1);
            m.p[i / 3][i % 3] = pli_random_in(&random, -2, 2);
        }
        double d0 = distance_at(row, &m, 0), apart = d0 * pli_random_in(&random, 0, 0.99);
        double t = ccd(row, &m, 1, apart), left = apart + 0.00499 * (d0 - apart);
        moved += t > 0;
        for (int s = 0; s <= 64; ++s) assert_true(distance_at(row, &m, t * s / 64) > left);
        // The step that was accepted is accepted again.
        for (int i = 0; i < 12; ++i) m.p[i / 3][i % 3] *= t;
        assert_true(ccd(row, &m, 1, apart) > 0.999);
    }
    assert_int_equal(moved, 4000);
}

// Point and plane: contact at any t, down to 1e-16.
static void test_early_contact(void** state) {
    (void)state;
    for (double toi = 1e-16; toi <= 1; toi *= 10) {
        motion m = {{{0.1, 0.7, 0.2}, {-9, 0, 9}, {9, 0, 9}, {0, 0, -9}}, {{0, -0.7 / toi, 0}}};
        double t = ccd(TRIANGLE, &m, 1, 0);
        assert_true(t > 0 && t < toi);
        if (toi > 1e-11) assert_true(t > 0.9 * toi); // else rounding of so long a way counts
    }
}

typedef pli_exact_contact (*exact_function)(const double* const*, const double* const*);
static const exact_function exact_contact[4] = {
    pli_exact_point_triangle_contact, pli_exact_edge_edge_contact, pli_exact_point_edge_contact,
    pli_exact_point_point_contact};

// The oracle itself, where the answer is known in closed form.
static void test_oracle(void** state) {
    (void)state;
    const double start[4][3] = {{0.125, 0.125, 0.125}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    const double end[4][3] = {{0.125, 0.125, 0.125}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    motion over = from_to(start[0], end[0]);
    pointers y = pointers_to(&over);
    pli_exact_contact hit = pli_exact_point_triangle_contact(y.x, y.p);
    assert_true(hit.hit);
    ASSERT_NEAR(hit.time, 0.875, 1e-15);
    motion turning = {{{0, 0, 1}, {0, 1, 1}, {0.1, 0.2, 2}, {0.1, 0.2, -1}},
                      {{1, 1, -1}, {0, -1, -1}, {0}, {0}}};
    y = pointers_to(&turning);
    hit = pli_exact_edge_edge_contact(y.x, y.p);
    assert_true(hit.hit);
    ASSERT_NEAR(hit.time, 0.11270166537925831, 1e-15);
    motion plane = {{{-1, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{2, 0, 0}}};
    y = pointers_to(&plane); // in the plane of the triangle, to its side at x = 0
    hit = pli_exact_point_triangle_contact(y.x, y.p);
    assert_true(hit.hit && hit.time == 0.5);
    motion line = {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {4, 0, 0}}, {{2, 0, 0}, {2, 0, 0}, {0}, {0}}};
    y = pointers_to(&line); // along one line, end to end
    hit = pli_exact_edge_edge_contact(y.x, y.p);
    assert_true(hit.hit && hit.time == 0.5);
    line.p[0][0] = line.p[1][0] = 0.875;
    assert_true(!pli_exact_edge_edge_contact(y.x, y.p).hit);
}

// Motions: integers of few values, where everything degenerates; multiples of 2^-20; in one plane;
// almost touching at the start; almost rigid.
static void make_motion(pli_random* r, int row, int family, motion* m) {
    int range = family == 0 ? 3 : family == 1 ? 7 : 1 << 20;
    double unit = family < 2 ? 1 : ldexp(1, -20);
    for (int i = 0; i < 12; ++i) {
        m->x[i / 3][i % 3] = unit * (pli_random_below(r, range) - range / 2);
        m->p[i / 3][i % 3] = unit * (pli_random_below(r, range) - range / 2);
        if (family == 3 && i % 3 == 2) m->x[i / 3][2] = m->p[i / 3][2] = 0;
        if (family == 5 && i >= 3) m->p[i / 3][i % 3] = m->p[0][i % 3] + m->p[i / 3][i % 3] / 1024;
    }
    for (int i = 0; i < 4 && row >= SEGMENT && family % 2; ++i) { // or they would seldom meet
        m->x[i][2] = m->p[i][2] = 0;
        if (row == POINTS) m->x[i][1] = m->p[i][1] = 0;
    }
    if (family != 4) return;
    const double c[4] = {1, -0.25, -0.25, -0.5}, d[4] = {0.5, 0.5, -0.25, -0.75};
    for (int k = 0; k < 3; ++k) {
        double w = ldexp(1, -18) * (pli_random_below(r, 9) - 4);
        for (int i = 0; i < 4; ++i) w += (row == EDGES ? d : c)[i] * m->x[i][k];
        m->x[0][k] -= w;
        if (row == EDGES) m->x[1][k] -= w;
    }
}

// None may be missed, and not by giving up.
static void test_against_exact_oracle(void** state) {
    (void)state;
    pli_random random = {2025};
    int hits[4] = {0}, good[4] = {0}, clear = 0, clear_answered = 0;
    for (int trial = 0; trial < 18000; ++trial) {
        motion m;
        int row = trial % 8 < 3 ? TRIANGLE : trial % 8 < 6 ? EDGES : trial % 8 - 4;
        make_motion(&random, row, trial / 8 % 6, &m);
        double d0 = distance_at(row, &m, 0), t = ccd(row, &m, 1, 0);
        assert_true(t >= 0 && t <= 1);
        if (d0 < 1e-14) {
            assert_true(t == 0);
            continue;
        }
        assert_true(t > 0);
        pointers y = pointers_to(&m);
        pli_exact_contact exact = exact_contact[row](y.x, y.p);
        if (exact.hit) {
            if (!(t < exact.time)) fail_msg("missed: t = %.17g, contact at %.17g", t, exact.time);
            hits[row]++;
            good[row] += t >= 0.5 * exact.time;
        } else if (d0 > 0.1 && trial % 8 == 0 && smallest_distance(row, &m, 256) > 0.08 * d0) {
            clear++;
            clear_answered += t == 1;
        }
    }
    for (int row = 0; row < 4; ++row) {
        assert_true(hits[row] > (row >= SEGMENT ? 80 : 800));
        assert_true(good[row] >= 0.95 * hits[row]);
    }
    assert_true(clear > 500);
    assert_int_equal(clear, clear_answered);
}

// Far from the origin and close together: rounded positions at the returned t, and at any smaller
// one, are still on the same side.
static void test_rounded_positions(void** state) {
    (void)state;
    pli_random random = {405};
    int moved = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        double offset = pow(10, pli_random_in(&random, -1, 6));
        double R[9], d = offset * pow(10, pli_random_in(&random, -14, -9));
        bool edges = trial % 2;
        // In a frame that is turned then: point over the triangle, or edge over edge, along y.
        double local[2][4][3] = {{{0, d, 0}, {-1, 0, 1}, {1, 0, 1}, {0, 0, -1}},
                                 {{-1, d, 0}, {1, d, 0}, {0, 0, -1}, {0, 0, 1}}};
        pli_random_rotation(&random, 3, R);
        motion m = {{{0}}, {{0}}};
        for (int i = 0; i < 4; ++i) {
            double speed = pli_random_in(&random, 0, 1) * (i == 0 || (edges && i == 1) ? -1 : 0.5);
            for (int k = 0; k < 3; ++k) {
                m.x[i][k] = offset * (1 + 0.3 * k) + pli_dot(R + 3 * k, local[edges][i], 3);
                m.p[i][k] = speed * R[3 * k + 1];
            }
        }
        int side = pli_exact_orient3d(m.x[0], m.x[1], m.x[2], m.x[3]);
        double t = ccd(edges ? EDGES : TRIANGLE, &m, 1, 0);
        if (side == 0) assert_true(t == 0);
        moved += t > 0;
        const double shares[5] = {1, 0.9, 0.5, 0.25, 1e-3};
        for (int s = 0; s < 5 && t > 0; ++s) {
            double y[4][3];
            for (int i = 0; i < 12; ++i)
                y[i / 3][i % 3] = m.x[i / 3][i % 3] + t * shares[s] * m.p[i / 3][i % 3];
            assert_int_equal(pli_exact_orient3d(y[0], y[1], y[2], y[3]), side);
        }
    }
    assert_true(moved > 2000);
}

static void test_not_a_number_is_refused(void** state) {
    (void)state;
    for (int row = 0; row < 4; ++row)
        for (int i = 0; i < 24; ++i) {
            motion m = {{{0, 1, 0.5}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0}}};
            (i < 12 ? m.x : m.p)[i % 12 / 3][i % 3] = i % 2 ? NAN : INFINITY;
            int width = pli_space_pairs[row].a_width + pli_space_pairs[row].b_width;
            if (i % 12 / 3 < width) assert_true(ccd(row, &m, 1, 0) == 0);
        }
}

static void test_clearance(void** state) {
    (void)state;
    pli_random random = {32};
    int seen = 0, missed = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        motion m;
        int row = trial % 4;
        for (int i = 0; i < 12; ++i) {
            m.x[i / 3][i % 3] = pli_random_in(&random, -1, 1);
            m.p[i / 3][i % 3] = pli_random_in(&random, -0.3, 0.3);
        }
        pointers y = pointers_to(&m);
        double smallest = smallest_distance(row, &m, 64), d = pli_random_in(&random, 0, 0.5);
        bool apart = pli_space_pairs[row].kind.clearance(3, y.x, y.p, 1, d) > d;
        if (apart) assert_true(smallest > d);
        seen += smallest > d;
        missed += smallest > d && !apart;
        assert_int_equal(pli_space_pairs[row].kind.clearance(3, y.x, NULL, 0, d) > d,
                         distance_at(row, &m, 0) > d);
    }
    assert_true(seen > 1000 && missed < 0.1 * seen);
}

// Plain additive CCD [Li21] with gap factor 0.1, the yardstick: no rounding in mind.
static double plain_additive(int row, const motion* motion_of) {
    motion m = *motion_of;
    double mean[3] = {0}, longest[2] = {0};
    for (int i = 0; i < 4; ++i) pli_axpy(0.25, m.p[i], mean, 3);
    for (int i = 0; i < 4; ++i) {
        pli_axpy(-1, mean, m.p[i], 3);
        int primitive = i >= pli_space_pairs[row].a_width;
        longest[primitive] = fmax(longest[primitive], pli_norm(m.p[i], 3));
    }
    double length = longest[0] + longest[1], d = distance_at(row, &m, 0), gap = 0.1 * d, t = 0;
    if (length == 0) return 1;
    for (double step = 0.9 * d / length;; step = 0.9 * d / length) {
        double next = t + step;
        d = distance_at(row, &m, next);
        if (t > 0 && d < gap) return t;
        t = next;
        if (t > 1) return 1;
    }
}

// 0 missed, none late, as many free as the yardstick, half of the time of contact for 95 %.
static void test_query_files(void** state) {
    (void)state;
    const char* data = getenv("PLIANT_DATA");
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/ccd/*.ccdq", data ? data : PLIANT_DATA);
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        print_message("no files %s: skipped\n", pattern);
        skip();
    }
    int contacts = 0, good = 0, ours_free = 0, plain_free = 0;
    for (size_t i = 0; i < found.gl_pathc; ++i) {
        ccdq_file file;
        ccdq q;
        assert_true(ccdq_open(found.gl_pathv[i], &file));
        int row = file.edges ? EDGES : TRIANGLE;
        while (ccdq_next(&file, &q)) {
            motion m = from_to(q.x[0], q.end[0]);
            double t = ccdq_answer(&file, &q);
            assert_true(t >= 0 && t <= 1);
            if (t > 0) assert_true(distance_at(row, &m, t) > 0);
            if (q.label) {
                if (!(t <= q.toi_hi)) fail_msg("%s, %d: late", found.gl_pathv[i], q.index);
                contacts++;
                good += t >= 0.5 * q.toi_lo;
            } else {
                ours_free += t == 1;
                plain_free += plain_additive(row, &m) == 1;
            }
        }
        assert_int_equal(file.left, 0);
        fclose(file.stream);
    }
    globfree(&found);
    assert_true(good >= 0.95 * contacts);
    assert_true(ours_free >= plain_free);
}

// Edges that cross closely while one tilts about the crossing: the direction between them turns, so
// steps by directions are as short as the distance, but the volume sees that nothing happens.
static void test_tilting_edges(void** state) {
    (void)state;
    for (double d = 1e-3; d > 1e-11; d *= 0.1) {
        const double a0[3] = {-1, 0, 0}, a1[3] = {1, 0, 0}, b0[3] = {0, d, -1}, b1[3] = {0, d, 1};
        const double rest[3] = {0}, up[3] = {0.1, 0.5, 0}, down[3] = {0.1, -0.5, 0};
        const double *x[4] = {a0, a1, b0, b1}, *p[4] = {rest, rest, up, down};
        assert_true(pli_ccd_edge_edge(3, x, p, 1, 0) == 1);
    }
}

// Primitives of size 1 that are `gap` apart over a corner, a side or the inside, in a frame that no
// axis is along, and close half of it. All of the motion is free.
static motion close_pair(int row, const double over[2], double gap, pli_random* random) {
    double flat[2][4][3] = {
        {{over[0], over[1], gap}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        {{over[0], over[1] - 1, gap}, {over[0], over[1] + 1, gap}, {0, 0, 0}, {1, 0, 0}}};
    double R[9], end[3] = {0, 0, -0.5 * gap};
    pli_random_rotation(random, 3, R);
    motion m = {0};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) {
            m.x[i][k] = pli_dot(R + 3 * k, flat[row == EDGES][i], 3);
            if (i == 0 || (row == EDGES && i == 1)) m.p[i][k] = pli_dot(R + 3 * k, end, 3);
        }
    return m;
}

// The direction between closest points is lost in rounding long before the distance is.
static void test_tiny_gaps(void** state) {
    (void)state;
    static const double over[][2] = {{0, 0}, {1, 0}, {0.5, 0}, {0.3, 0.3}, {0.5, 0.5}, {1e-9, 0}};
    pli_random random = {7};
    for (int i = 0; i < 2 * 6 * 5 * 20; ++i) {
        int row = i % 2 ? EDGES : TRIANGLE;
        double gap = 1e-6 * pow(0.1, i / 2 / 6 % 5);
        motion m = close_pair(row, over[i / 2 % 6], gap, &random);
        assert_true(ccd(row, &m, 1, 0) > 0.9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tilting_edges),
        cmocka_unit_test(test_triangle_general),
        cmocka_unit_test(test_triangle_turns_over),
        cmocka_unit_test(test_touching_start),
        cmocka_unit_test(test_rigid_fall),
        cmocka_unit_test(test_edges_general),
        cmocka_unit_test(test_edges_double_roots),
        cmocka_unit_test(test_edges_slow),
        cmocka_unit_test(test_separation),
        cmocka_unit_test(test_separation_is_kept),
        cmocka_unit_test(test_early_contact),
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_against_exact_oracle),
        cmocka_unit_test(test_rounded_positions),
        cmocka_unit_test(test_not_a_number_is_refused),
        cmocka_unit_test(test_clearance),
        cmocka_unit_test(test_tiny_gaps),
        cmocka_unit_test(test_query_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
