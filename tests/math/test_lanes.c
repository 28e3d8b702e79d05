// Numbers in lanes: logarithm, masks, transposition; singular values do not depend on neighbours.
#include "oracle/near.h"

#include <float.h>

#include "math/lanes_svd3.h"
#include "oracle/random.h"

// ln x beside the C library's, in ulps of the result.
static void check_log(double x, double x1) {
    pli_lanes found = pli_lanes_log(pli_lanes_all(x), pli_lanes_all(x1));
    double expected = fabs(x1) < 0.4 ? log1p(x1) : log(x);
    for (int l = 0; l < PLI_LANE_COUNT; ++l)
        ASSERT_NEAR(found[l], expected, 2 * DBL_EPSILON * fabs(expected)); // two roundings or so
}

static void logarithm(void** state) {
    (void)state;
    pli_random r = {51};
    for (int i = 0; i < 200000; ++i) {
        double x = pow(10, pli_random_in(&r, -307, 308)), x1 = pli_random_in(&r, -0.9, 3);
        check_log(x, x - 1);
        check_log(1 + x1, x1);
        x1 = pow(10, pli_random_in(&r, -300, -1));
        check_log(1 + x1, x1);
        check_log(1 - x1, -x1);
    }
    check_log(1, 0);
    check_log(DBL_MIN, DBL_MIN - 1);
    check_log(DBL_TRUE_MIN, DBL_TRUE_MIN - 1);
    check_log(1e-310, 1e-310 - 1);
    check_log(DBL_MAX, DBL_MAX);
    check_log(sqrt(0.5), sqrt(0.5) - 1);
    check_log(sqrt(2), sqrt(2) - 1);
}

static void masks(void** state) {
    (void)state;
    pli_lanes a = pli_lanes_all(-2), b = pli_lanes_all(3);
    a[0] = 5;
    pli_lane_mask larger = a > b, none = a > 10;
    assert_true(pli_lanes_any(larger) && !pli_lanes_any(none));
    pli_lanes chosen = pli_lanes_select(larger, a, b), kept = pli_lanes_where(larger, a);
    assert_true(chosen[0] == 5 && chosen[1] == 3 && kept[0] == 5 && kept[1] == 0);
    pli_lanes size = pli_lanes_abs(a), sign = pli_lanes_copysign(b, a), root = pli_lanes_sqrt(b);
    assert_true(size[0] == 5 && size[1] == 2 && sign[0] == 3 && sign[1] == -3);
    assert_true(root[0] == sqrt(3));
}

static void transposition(void** state) {
    (void)state;
    pli_lanes t[PLI_LANE_COUNT];
    for (int i = 0; i < PLI_LANE_COUNT; ++i)
        for (int l = 0; l < PLI_LANE_COUNT; ++l) t[i][l] = 10 * i + l;
    pli_lanes_transpose(t);
    for (int i = 0; i < PLI_LANE_COUNT; ++i)
        for (int l = 0; l < PLI_LANE_COUNT; ++l) assert_true(t[i][l] == 10 * l + i);
}

// Each lane another kind of matrix: as if it were alone.
static void neighbours_play_no_part(void** state) {
    (void)state;
    static const double values[][3] = {{1, 1, 1},         {2, 1, 0.5},  {1, 1, -1},   {0, 0, 0},
                                       {1e-30, 1e-31, 0}, {1, 1e-9, 0}, {1e40, 1, 0}, {NAN, 1, 1}};
    pli_random r = {52};
    for (int i = 0; i < 2000; ++i) {
        pli_lanes F[9], U[9], s[3], V[9], lambda[3], W[9];
        double single[PLI_LANE_COUNT][9];
        for (int l = 0; l < PLI_LANE_COUNT; ++l) {
            const double* known = values[pli_random_below(&r, 8)];
            double A[9], B[9];
            pli_random_rotation(&r, 3, A);
            pli_random_rotation(&r, 3, B);
            for (int k = 0; k < 9; ++k) {
                single[l][k] = 0;
                for (int j = 0; j < 3; ++j)
                    single[l][k] += A[k / 3 * 3 + j] * known[j] * B[k % 3 * 3 + j];
                F[k][l] = single[l][k];
            }
        }
        pli_svd3_lanes(F, U, s, V);
        for (int k = 0; k < 9; ++k) F[k] = F[k / 3 * 3 + k % 3] + F[k % 3 * 3 + k / 3];
        for (int k = 0; k < 9; ++k) F[k] = k / 3 > k % 3 ? F[k % 3 * 3 + k / 3] : F[k];
        pli_eigen3_lanes(F, lambda, W);
        for (int l = 0; l < PLI_LANE_COUNT; ++l) {
            double u[9], t[3], v[9], A[9];
            pli_svd3(single[l], u, t, v);
            for (int k = 0; k < 9; ++k) {
                if (isnan(single[l][0])) continue;
                assert_true(U[k][l] == u[k] && V[k][l] == v[k] && s[k % 3][l] == t[k % 3]);
                A[k] = F[k][l];
            }
            if (isnan(single[l][0])) continue;
            pli_eigen3(A, t, v);
            for (int k = 0; k < 9; ++k)
                assert_true(W[k][l] == v[k] && lambda[k % 3][l] == t[k % 3]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithm),
        cmocka_unit_test(masks),
        cmocka_unit_test(transposition),
        cmocka_unit_test(neighbours_play_no_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
