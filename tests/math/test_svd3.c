// 3x3 singular values and eigenvalues: random matrices at all scales,
// repeated, zero and nearly equal values, reflections.
#include "oracle/near.h"

#include <float.h>

#include "math/small.h"
#include "oracle/random.h"

static double det3(const double A[9]) {
    return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
           A[2] * (A[3] * A[7] - A[4] * A[6]);
}

// C = A B^T
static void times_transposed(const double A[9], const double B[9], double C[9]) {
    for (int i = 0; i < 9; ++i) {
        C[i] = 0;
        for (int k = 0; k < 3; ++k) C[i] += A[3 * (i / 3) + k] * B[3 * (i % 3) + k];
    }
}

static void assert_rotation(const double A[9]) {
    double product[9];
    times_transposed(A, A, product);
    for (int i = 0; i < 9; ++i) ASSERT_NEAR(product[i], i % 4 == 0, 32 * DBL_EPSILON);
    ASSERT_NEAR(det3(A), 1, 32 * DBL_EPSILON);
}

// U diag(s) V^T
static void compose(const double U[9], const double s[3], const double V[9], double F[9]) {
    double US[9];
    for (int i = 0; i < 9; ++i) US[i] = U[i] * s[i % 3];
    times_transposed(US, V, F);
}

static void check_svd(const double F[9], double s[3]) {
    double U[9], V[9], again[9];
    pli_svd3(F, U, s, V);
    assert_rotation(U);
    assert_rotation(V);
    compose(U, s, V, again);
    double size = 0;
    for (int i = 0; i < 9; ++i) size = fmax(size, fabs(F[i]));
    double tiny = 64 * DBL_EPSILON * size; // products of three matrices that are right to 16 ulps
    for (int i = 0; i < 9; ++i) ASSERT_NEAR(again[i], F[i], tiny);
    assert_true(s[0] >= s[1] && s[1] >= 0 && s[1] >= fabs(s[2]) - tiny);
}

static void svd_of_random_matrices(void** state) {
    (void)state;
    pli_random r = {31};
    for (int i = 0; i < 40000; ++i) {
        double F[9], s[3], scale = pow(10, i % 41 * 5 - 100);
        for (int k = 0; k < 9; ++k) F[k] = scale * pli_random_in(&r, -1, 1);
        check_svd(F, s);
        double product = s[0] / scale * (s[1] / scale) * (s[2] / scale);
        for (int k = 0; k < 9; ++k) F[k] /= scale;
        ASSERT_NEAR(product, det3(F), 256 * DBL_EPSILON); // entries are below 1
    }
}

// Known values, also repeated, nearly so, zero and negative.
static void svd_of_known_values(void** state) {
    (void)state;
    static const double values[][3] = {
        {1, 1, 1},           {1, 1, 1 - 1e-15}, {1, 1 - 1e-12, 1 - 1e-8},
        {2, 2, 1},           {2, 1, 1},         {1, 1, 0},
        {1, 0, 0},           {0, 0, 0},         {1, 1, -1},
        {2, 1, -1},          {1, 1e-8, 0},      {1, 1e-20, 1e-40},
        {1, 1e-60, -1e-120}, {3, 2, -1e-10},    {1, 1e-160, 0},
        {1, 0.5, 0.5},       {5, 5, -5},        {1, 1 - 1e-7, -1e-7},
        {1, 1e-3, 1e-3}};
    pli_random r = {32};
    for (size_t k = 0; k < sizeof values / sizeof *values; ++k)
        for (int i = 0; i < 1500; ++i) {
            double U[9], V[9], F[9], s[3], expected[3], scale = pow(10, i % 5 * 50 - 100);
            pli_random_rotation(&r, 3, U);
            if (i % 3 == 0)
                memcpy(V, U, sizeof V); // symmetric
            else
                pli_random_rotation(&r, 3, V);
            for (int j = 0; j < 3; ++j) expected[j] = values[k][j] * scale;
            compose(U, expected, V, F);
            check_svd(F, s);
            for (int j = 0; j < 3; ++j) // composing rounds, and near equal values may change places
                ASSERT_NEAR(s[j], expected[j], 32 * DBL_EPSILON * expected[0]);
        }
}

static void svd_of_special_matrices(void** state) {
    (void)state;
    double s[3];
    for (int code = 0; code < 19683; ++code) { // all matrices of -1, 0 and 1
        double F[9];
        for (int k = 0, rest = code; k < 9; ++k, rest /= 3) F[k] = rest % 3 - 1;
        check_svd(F, s);
    }
    for (int axis = 0; axis < 9; ++axis) { // a single entry
        double F[9] = {0};
        F[axis] = -1e-100;
        check_svd(F, s);
        assert_true(s[0] == 1e-100 && s[1] == 0 && s[2] == 0);
    }
    // Columns of very different size: U stays a rotation.
    check_svd((const double[9]){1, 1e-50, 0, 0, 1e-50, 1e-90, 0, 0, 1e-90}, s);
    check_svd((const double[9]){1e100, 1, 1e-100, 1e100, -1, 1e-100, 1e100, 1, -1e-100}, s);
}

// The identity, a rotation and a projection with the last bits disturbed: what bodies at rest have.
static void svd_of_noise(void** state) {
    (void)state;
    pli_random r = {34};
    for (int i = 0; i < 60000; ++i) {
        double F[9], s[3], R[9], unit = ldexp(1, -54 + i % 12);
        pli_random_rotation(&r, 3, R);
        for (int k = 0; k < 9; ++k) {
            double base = i % 3 == 0 ? k % 4 == 0 : i % 3 == 1 ? R[k] : k == 0 || k == 4;
            F[k] = base + unit * (pli_random_below(&r, 7) - 3);
        }
        check_svd(F, s);
        ASSERT_NEAR(s[0], 1, 32 * unit + 32 * DBL_EPSILON);
        double A[9], values[3], V[9];
        for (int k = 0; k < 9; ++k) A[k] = 0.5 * (F[k] + F[3 * (k % 3) + k / 3]);
        pli_eigen3(A, values, V);
        assert_rotation(V);
    }
}

// Against the cyclic Jacobi method for any size.
static void eigen3_equals_the_general_routine(void** state) {
    (void)state;
    pli_random r = {33};
    for (int i = 0; i < 20000; ++i) {
        double A[9], values[3], V[9], expected[3], scale = pow(10, i % 41 * 5 - 100), product[9];
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j <= k; ++j) {
                double entry = i % 3 ? pli_random_in(&r, -1, 1) : pli_random_below(&r, 3) - 1;
                A[3 * k + j] = A[3 * j + k] = scale * entry;
            }
        pli_eigen3(A, values, V);
        pli_eigen_symmetric(3, A, expected, NULL);
        assert_rotation(V);
        for (int k = 0; k < 3; ++k) ASSERT_NEAR(values[k], expected[k], 32 * DBL_EPSILON * scale);
        compose(V, values, V, product);
        for (int k = 0; k < 9; ++k) ASSERT_NEAR(product[k], A[k], 64 * DBL_EPSILON * scale);
        assert_true(values[0] <= values[1] && values[1] <= values[2]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svd_of_random_matrices),
        cmocka_unit_test(svd_of_known_values),
        cmocka_unit_test(svd_of_special_matrices),
        cmocka_unit_test(svd_of_noise),
        cmocka_unit_test(eigen3_equals_the_general_routine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
