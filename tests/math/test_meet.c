// Whether simplices in space meet, against rational arithmetic; every kind of pair, every order.
#include "math/predicates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/exact_space.h"
#include "oracle/random.h"

typedef double point[3];

static bool meet(int m, int n, point* x) {
    const double *a = x[0], *b = x[1], *c = x[2], *d = x[3], *e = x[4];
    if (m == 1 && n == 1) return pli_points_meet(a, b);
    if (m == 1 && n == 2) return pli_point_meets_segment(a, b, c);
    if (m == 1) return pli_point_meets_triangle(a, b, c, d);
    if (n == 2) return pli_segments_meet(a, b, c, d);
    return pli_segment_meets_triangle(a, b, c, d, e);
}

// The first m points against the next n, and with the points of each turned.
static bool check(int m, int n, point* x) {
    const double* p[5] = {x[0], x[1], x[2], x[3], x[4]};
    bool expected = pli_exact_hulls_meet(m, p, n, p + m);
    for (int turn = 0; turn < m * n; ++turn) {
        point y[5] = {{0}};
        for (int i = 0; i < m; ++i) memcpy(y[i], x[(i + turn) % m], sizeof *y);
        for (int j = 0; j < n; ++j) memcpy(y[m + j], x[m + (j + turn / m) % n], sizeof *y);
        if (meet(m, n, y) != expected)
            fail_msg("%d and %d points, turn %d: expected %d", m, n, turn, expected);
    }
    return expected;
}

static const int kinds[5][2] = {{1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}};

// A coarse grid: points in one plane, on one line and in one place all the time.
static void small_grid(void** state) {
    (void)state;
    pli_random r = {1};
    int met[5] = {0}, apart[5] = {0};
    for (int trial = 0; trial < 8000; ++trial) {
        point x[5];
        int kind = trial % 5, size = 2 + trial / 5 % 3;
        for (int i = 0; i < 15; ++i) x[i / 3][i % 3] = 0.3 * pli_random_below(&r, size);
        if (trial % 7 < 3) // in one plane, seen edge-on by one or two axes
            for (int i = 0; i < 5; ++i) x[i][trial % 3] = trial % 2 ? 0.7 : x[i][(trial + 1) % 3];
        (*(check(kinds[kind][0], kinds[kind][1], x) ? &met[kind] : &apart[kind]))++;
    }
    for (int kind = 0; kind < 5; ++kind) assert_true(met[kind] > 50 && apart[kind] > 100);
}

// A point of one and a point of the other are made to coincide up to rounding, or exactly, or up to
// a few units in the last place.
static void nearly_touching(void** state) {
    (void)state;
    static const double scales[] = {1, 1e-6, 1e6, 0x1p-100};
    pli_random r = {2};
    int met = 0, apart = 0;
    for (int trial = 0; trial < 6000; ++trial) {
        point x[5];
        int kind = trial % 5, m = kinds[kind][0], n = kinds[kind][1];
        double scale = scales[trial / 5 % 4], weight[2][3], place[2][3] = {{0}};
        for (int i = 0; i < 15; ++i) x[i / 3][i % 3] = scale * pli_random_in(&r, -1, 1);
        for (int side = 0; side < 2; ++side) {
            double sum = 0;
            int count = side ? n : m, first = side ? m : 0;
            for (int i = 0; i < count; ++i)
                sum += weight[side][i] = pli_random_below(&r, 4) + 0.001;
            for (int i = 0; i < 3 * count; ++i)
                place[side][i % 3] += weight[side][i / 3] / sum * x[first + i / 3][i % 3];
        }
        for (int i = 0; i < m; ++i) // the first is moved so that the places coincide
            for (int k = 0; k < 3; ++k) {
                x[i][k] += place[1][k] - place[0][k];
                if (trial % 3 == 0) x[i][k] += scale * 0x1p-53 * (pli_random_below(&r, 5) - 2);
            }
        (*(check(m, n, x) ? &met : &apart))++;
    }
    assert_true(met > 300 && apart > 1000);
}

// Far from the origin and thin: needles and slivers.
static void needles(void** state) {
    (void)state;
    pli_random r = {3};
    for (int trial = 0; trial < 3000; ++trial) {
        point x[5];
        int kind = trial % 5;
        for (int i = 0; i < 5; ++i) {
            double along = pli_random_in(&r, 0, 1);
            for (int k = 0; k < 3; ++k)
                x[i][k] = 1000 + along * (k + 1) + 1e-13 * pli_random_below(&r, 9);
        }
        check(kinds[kind][0], kinds[kind][1], x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_grid),
        cmocka_unit_test(nearly_touching),
        cmocka_unit_test(needles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
