// Point-edge distance against sampling, differences and closed forms.
#include "contact/distance.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/small.h"
#include "math/vec.h"
#include "oracle/brute_force.h"
#include "oracle/random.h"

static void random_triple(pli_random* r, int dim, double y[9]) {
    for (int i = 0; i < 9; ++i) y[i] = i % 3 < dim ? pli_random_in(r, -1, 1) : 0;
}

static double distance2(int dim, const double y[9]) {
    pli_point_edge pair;
    pli_point_edge_closest(dim, y, y + 3, y + 6, &pair);
    return pair.distance * pair.distance;
}

static void test_closed_forms(void** state) {
    (void)state;
    pli_point_edge pair;
    pli_point_edge_closest(2, (double[]){0, 2}, (double[]){-1, 0}, (double[]){1, 0}, &pair);
    assert_int_equal(pair.feature, PLI_NEAR_LINE);
    assert_true(pair.r == 0.5 && pair.distance == 2 && pair.slope == 1);
    assert_true(pair.normal[0] == 0 && pair.normal[1] == 1);
    pli_point_edge_closest(2, (double[]){-4, 4}, (double[]){-1, 0}, (double[]){1, 0}, &pair);
    assert_int_equal(pair.feature, PLI_NEAR_E0);
    assert_true(pair.r == 0 && pair.distance == 5);
    pli_point_edge_closest(3, (double[]){1, 3, 4}, (double[]){-1, 0, 0}, (double[]){0, 0, 0},
                           &pair);
    assert_int_equal(pair.feature, PLI_NEAR_E1);
    assert_true(pair.r == 1 && fabs(pair.distance - sqrt(26.0)) < 1e-15);
    assert_true(pli_point_point_distance2(3, (double[]){1, 2, 3}, (double[]){2, 4, 6}) == 14);
    assert_true(pli_point_point_distance2(2, (double[]){1, 2, 3}, (double[]){2, 4, 6}) == 5);
}

static void test_degenerate_edge_is_a_point(void** state) {
    (void)state;
    double p[3] = {3, 4, 0}, e[3] = {0}, almost[3] = {1e-160, 0, 0};
    pli_point_edge pair;
    pli_point_edge_closest(2, p, e, e, &pair);
    assert_int_equal(pair.feature, PLI_NEAR_E0);
    assert_true(pair.distance == 5);
    pli_point_edge_closest(3, p, e, almost, &pair);
    assert_true(pair.distance == 5);
    pli_point_edge_closest(3, e, e, e, &pair); // everything in one place: still a unit normal
    assert_true(pair.distance == 0 && fabs(pli_norm(pair.normal, 3) - 1) < 1e-15);
}

// A point very close to a line: the distance is as good as the rounding of its products allows, and
// in the plane the normal stays exact.
static void test_precision_when_almost_touching(void** state) {
    (void)state;
    double d = ldexp(1, -40), p[3] = {500, 500 + d, 0}, e0[3] = {0}, e1[3] = {1000, 1000, 0};
    for (int dim = 2; dim <= 3; ++dim) {
        pli_point_edge pair;
        pli_point_edge_closest(dim, p, e0, e1, &pair);
        assert_true(fabs(pair.distance - d / sqrt(2)) < 2 * 707 * DBL_EPSILON); // 2 eps |p - e0|
        assert_true(fabs(pair.normal[1] - sqrt(0.5)) < 1e-15);
        assert_true(fabs(pli_dot(pair.normal, pair.tangent, dim)) < 1e-15);
    }
}

static void test_against_sampling(void** state) {
    (void)state;
    pli_random random = {11};
    for (int trial = 0; trial < 400; ++trial) {
        double y[9];
        int dim = 2 + trial % 2, samples = 2000;
        random_triple(&random, dim, y);
        double sampled = pli_brute_point_edge_distance2(dim, y, y + 3, y + 6, samples);
        double spacing = sqrt(pli_point_point_distance2(dim, y + 3, y + 6)) / samples;
        double exact = distance2(dim, y);
        assert_true(exact <= sampled * (1 + 1e-14));
        assert_true(exact >= sampled - spacing * spacing); // the nearest sample is half a step off
    }
}

// d^2 = psi(d) with psi' / d = 2, psi'' = 2: gradient and Hessian by differences of 4th order.
static void test_derivatives(void** state) {
    (void)state;
    pli_random random = {5};
    int seen[3] = {0};
    const double h = 1e-4; // truncation ~ h^4, round-off ~ 1e-16 / h
    for (int trial = 0; trial < 300; ++trial) {
        double y[9], g[9] = {0}, H[81] = {0};
        int dim = 2 + trial % 2, n = 3 * dim;
        random_triple(&random, dim, y);
        pli_point_edge pair;
        pli_point_edge_closest(dim, y, y + 3, y + 6, &pair);
        if (fabs(pair.r) < 0.02 && pair.r != 0) continue; // the second derivative jumps there
        if (fabs(pair.r - 1) < 0.02 && pair.r != 1) continue;
        if (pli_point_point_distance2(dim, y + 3, y + 6) < 0.04) continue;
        seen[pair.feature]++;
        pli_point_edge_gradient(&pair, dim, 2 * pair.distance, g);
        pli_point_edge_hessian(&pair, dim, 2, 2, H);
        for (int i = 0; i < n; ++i) {
            static const double weights[4] = {1, -8, 8, -1}, places[4] = {-2, -1, 1, 2};
            double de = 0, dg[9] = {0};
            bool same = true;
            for (int s = 0; s < 4; ++s) {
                double z[9], gz[9] = {0};
                for (int k = 0; k < 9; ++k) z[k] = y[k];
                z[3 * (i / dim) + i % dim] += places[s] * h;
                pli_point_edge moved;
                pli_point_edge_closest(dim, z, z + 3, z + 6, &moved);
                same = same && moved.feature == pair.feature;
                pli_point_edge_gradient(&moved, dim, 2 * moved.distance, gz);
                de += weights[s] * distance2(dim, z) / (12 * h);
                for (int k = 0; k < n; ++k) dg[k] += weights[s] * gz[k] / (12 * h);
            }
            if (!same) continue;
            assert_true(fabs(de - g[i]) < 1e-9);
            for (int k = 0; k < n; ++k) assert_true(fabs(dg[k] - H[i * n + k]) < 1e-8);
        }
    }
    for (int f = 0; f < 3; ++f) assert_true(seen[f] > 20);
}

// The closed-form projection is the eigen-clamp of the whole matrix.
static void test_projection(void** state) {
    (void)state;
    pli_random random = {77};
    for (int trial = 0; trial < 600; ++trial) {
        double y[9], H[81] = {0}, P[81] = {0}, largest = 0;
        int dim = 2 + trial % 2, n = 3 * dim;
        random_triple(&random, dim, y);
        pli_point_edge pair;
        pli_point_edge_closest(dim, y, y + 3, y + 6, &pair);
        double second = pow(10, pli_random_in(&random, -6, 6));
        double first_over_d = -pow(10, pli_random_in(&random, -6, 6));
        if (trial % 10 == 0) first_over_d = 0;
        if (trial % 10 == 1) second = 0;
        pli_point_edge_hessian(&pair, dim, second, first_over_d, H);
        pli_point_edge_hessian_psd(&pair, dim, second, first_over_d, P);
        for (int i = 0; i < n * n; ++i) largest = fmax(largest, fabs(H[i]));
        pli_project_psd(n, H);
        // The clamp itself cannot be better than the rounding of the matrix it starts from.
        for (int i = 0; i < n * n; ++i) assert_true(fabs(P[i] - H[i]) <= 1e-13 * largest);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_degenerate_edge_is_a_point),
        cmocka_unit_test(test_precision_when_almost_touching),
        cmocka_unit_test(test_against_sampling),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
