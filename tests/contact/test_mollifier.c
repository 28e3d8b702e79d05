// The mollifier of edges against closed forms, differences and the eigen-clamp.
#include "contact/mollifier.h"

#include "math/small.h"
#include "math/vec.h"
#include "oracle/near.h"
#include "oracle/random.h"

typedef struct edges {
    double x[4][3]; // a0, a1, b0, b1
} edges;

static pli_mollifier mollifier(const edges* y, double e) {
    const double* x[4] = {y->x[0], y->x[1], y->x[2], y->x[3]};
    pli_mollifier m;
    pli_mollifier_at(x, e, &m);
    return m;
}

static pli_closest closest(const edges* y) {
    const double* x[4] = {y->x[0], y->x[1], y->x[2], y->x[3]};
    pli_closest pair;
    pli_edge_edge_closest(x, &pair);
    return pair;
}

// Edges of length 2: e = 0.016; perpendicular x = 16; at x = e / 2 it is 3/4.
static void test_values(void** state) {
    (void)state;
    edges y = {{{-1, 0, 0}, {1, 0, 0}, {0, 1, -1}, {0, 1, 1}}};
    const double* rest[4] = {y.x[0], y.x[1], y.x[2], y.x[3]};
    double e = pli_mollifier_scale(rest);
    ASSERT_NEAR(e, 0.016, 1e-17);
    pli_mollifier m = mollifier(&y, e);
    assert_true(m.value == 1 && m.first == 0 && m.second == 0);
    assert_true(pli_dot(m.cross, m.cross, 3) == 16);
    m = mollifier(&y, 32);
    assert_true(m.value == 0.75 && m.first == 1.0 / 32);
    edges parallel = {{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 1, 0}}};
    m = mollifier(&parallel, e);
    assert_true(m.value == 0 && m.first == 2 / e);
    // Value and first derivative meet those of 1 at x = e.
    m = mollifier(&y, 16 * (1 + 1e-12));
    ASSERT_NEAR(m.value, 1, 1e-15);
    ASSERT_NEAR(m.first, 0, 1e-12);
}

// From the angle on whose sine is the root of 1e-3, whatever the lengths.
static void test_almost_parallel(void** state) {
    (void)state;
    const double u[3] = {2e-3, 0, 0}, none[3] = {0};
    const double below[3] = {-500, 0, 15}, above[3] = {-500, 0, 16.5};
    assert_true(pli_almost_parallel(u, u) && pli_almost_parallel(u, none));
    assert_true(pli_almost_parallel(u, below) && pli_almost_parallel(below, u));
    assert_false(pli_almost_parallel(u, above) || pli_almost_parallel(above, u));
}

typedef struct product {
    double value, g[12], H[144];
} product;

// What is differentiated: m alone, or m times a barrier of the distance.
static product evaluate(bool with_barrier, const edges* y, double e, double dhat) {
    product out = {0};
    pli_mollifier m = mollifier(y, e);
    if (!with_barrier) {
        out.value = m.value;
        pli_mollifier_gradient(&m, 1, out.g);
        pli_mollifier_hessian(&m, 1, out.H);
        return out;
    }
    pli_closest pair = closest(y);
    pli_barrier_values psi = pli_barrier_log(pair.distance, dhat, 0);
    out.value = pli_mollified_value(&m, &psi);
    pli_mollified_gradient(&m, &pair, &psi, out.g);
    pli_mollified_hessian(&m, &pair, &psi, out.H);
    return out;
}

// Edges of about length 2 that are up to `angle` from parallel.
static edges near_parallel(pli_random* r, double angle) {
    edges y;
    for (int k = 0; k < 3; ++k) {
        double u = k == 0 ? 2 : pli_random_in(r, -0.2, 0.2), at = pli_random_in(r, -0.5, 0.5);
        y.x[0][k] = pli_random_in(r, -0.5, 0.5);
        y.x[1][k] = y.x[0][k] + u;
        y.x[2][k] = y.x[0][k] + at + 0.3;
        y.x[3][k] = y.x[2][k] + u + (k == 0 ? 0 : angle * pli_random_in(r, -1, 1));
    }
    return y;
}

// Differences of 4th order, h = 1e-4: the truncation is h^4 times derivatives that grow with the
// inverse angle.
static void test_derivatives(void** state) {
    (void)state;
    static const double weights[4] = {1, -8, 8, -1}, places[4] = {-2, -1, 1, 2}, h = 1e-4;
    pli_random random = {17};
    int seen = 0;
    for (int trial = 0; trial < 200; ++trial) {
        edges y = near_parallel(&random, 0.8);
        bool with_barrier = trial % 2;
        double e = 1, dhat = 2;
        pli_mollifier m = mollifier(&y, e);
        unsigned active = closest(&y).active;
        double distance = closest(&y).distance;
        if (m.value == 1 || distance < 0.1) continue;
        product at = evaluate(with_barrier, &y, e, dhat);
        for (int i = 0; i < 12; ++i) {
            double de = 0, dg[12] = {0};
            bool smooth = true;
            for (int s = 0; s < 4; ++s) {
                edges z = y;
                z.x[i / 3][i % 3] += places[s] * h;
                smooth = smooth && closest(&z).active == active && mollifier(&z, e).value < 1;
                product moved = evaluate(with_barrier, &z, e, dhat);
                de += weights[s] * moved.value / (12 * h);
                pli_axpy(weights[s] / (12 * h), moved.g, dg, 12);
            }
            if (!smooth) continue;
            seen++;
            ASSERT_NEAR(at.g[i], de, 1e-7 * (1 + fabs(de)));
            for (int k = 0; k < 12; ++k)
                ASSERT_NEAR(at.H[12 * i + k], dg[k], 1e-5 * (10 + fabs(dg[k])));
        }
    }
    assert_true(seen > 500);
}

static double smallest_eigenvalue(const double A[144]) {
    double values[12];
    pli_eigen_symmetric(12, A, values, NULL);
    return values[0];
}

// The closed form is positive semi-definite and not below the Hessian, up to rounding. Returns how
// far it is from the nearest such matrix, relative to that.
static double check_projection(const edges* y, double e, double dhat) {
    pli_closest pair = closest(y);
    pli_mollifier m = mollifier(y, e);
    pli_barrier_values psi = pli_barrier_log(pair.distance, dhat, 0);
    double H[144] = {0}, P[144] = {0}, D[144], largest = 0, excess = 0, part = 0;
    pli_mollified_hessian(&m, &pair, &psi, H);
    pli_mollified_hessian_psd(&m, &pair, &psi, P);
    for (int i = 0; i < 144; ++i) {
        assert_true(isfinite(P[i]));
        largest = fmax(largest, fmax(fabs(H[i]), fabs(P[i])));
        D[i] = P[i] - H[i];
    }
    assert_true(smallest_eigenvalue(P) >= -1e-13 * largest);
    assert_true(smallest_eigenvalue(D) >= -1e-12 * largest);
    pli_project_psd(12, H);
    for (int i = 0; i < 144; ++i) {
        excess += (P[i] - H[i]) * (P[i] - H[i]);
        part += H[i] * H[i];
    }
    return part > 0 ? sqrt(excess / part) : 0;
}

static void test_projection(void** state) {
    (void)state;
    pli_random random = {23};
    double worst = 0, sum = 0;
    const int trials = 3000;
    for (int trial = 0; trial < trials; ++trial) {
        edges y = near_parallel(&random, trial % 2 ? pow(10, pli_random_in(&random, -12, 0)) : 0.3);
        double dhat = 2 * closest(&y).distance * pli_random_in(&random, 0.51, 20);
        double excess = check_projection(&y, 1, dhat);
        worst = fmax(worst, excess);
        sum += excess;
    }
    assert_true(worst < 1.5 && sum < 0.25 * trials);
}

// Exactly parallel, edges without length, touching: finite, and forbidden stays forbidden.
static void test_degenerate(void** state) {
    (void)state;
    edges parallel = {{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 1, 0}}};
    check_projection(&parallel, 0.016, 1.5);
    edges point = {{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}}};
    check_projection(&point, 0.016, 1.5);
    edges other = {{{0, 1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}}};
    check_projection(&other, 0.016, 1.5);
    edges points = {{{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 0}}};
    check_projection(&points, 0.016, 1.5);
    edges touching = {{{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}, {3, 0, 0}}};
    pli_mollifier m = mollifier(&touching, 0.016);
    pli_barrier_values psi = pli_barrier_log(closest(&touching).distance, 1, 0);
    assert_true(m.value == 0 && pli_mollified_value(&m, &psi) == HUGE_VAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_almost_parallel),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
