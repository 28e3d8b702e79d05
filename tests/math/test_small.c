// Decompositions: reconstruction on random, degenerate, huge and tiny matrices.
#include <float.h>

#include "math/small.h"
#include "oracle/near.h"
#include "oracle/random.h"

static const double scales[] = {1, 1e-150, 1e150, 1e-20, 3e7};
enum { SCALE_COUNT = sizeof scales / sizeof *scales };

static double largest(int n, const double* a) {
    double m = 0;
    for (int i = 0; i < n; ++i) m = fmax(m, fabs(a[i]));
    return m;
}

static void check_svd(const double F[4]) {
    double U[4], s[2], V[4], size = largest(4, F);
    pli_svd2(F, U, s, V);
    const double tiny = 16 * DBL_EPSILON; // about ten operations on numbers of size 1
    ASSERT_NEAR(U[0] * U[3] - U[1] * U[2], 1, tiny);
    ASSERT_NEAR(V[0] * V[3] - V[1] * V[2], 1, tiny);
    ASSERT_NEAR(U[0] * U[1] + U[2] * U[3], 0, tiny);
    ASSERT_NEAR(V[0] * V[1] + V[2] * V[3], 0, tiny);
    assert_true(s[0] * (1 + tiny) >= fabs(s[1]));
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            double f = U[2 * i] * s[0] * V[2 * j] + U[2 * i + 1] * s[1] * V[2 * j + 1];
            ASSERT_NEAR(f, F[2 * i + j], tiny * size);
        }
}

static void svd_of_random_matrices(void** state) {
    (void)state;
    pli_random r = {1};
    for (int i = 0; i < 4000; ++i) {
        double F[4], scale = scales[i % SCALE_COUNT];
        for (int k = 0; k < 4; ++k) F[k] = scale * pli_random_in(&r, -1, 1);
        if (i % 7 == 0) F[pli_random_below(&r, 4)] = 0;
        check_svd(F);
    }
}

static void svd_of_special_matrices(void** state) {
    (void)state;
    static const double special[][4] = {
        {0, 0, 0, 0},         {1, 0, 0, 1},          {-1, 0, 0, -1},      {1, 0, 0, -1},
        {0, 1, 1, 0},         {0, -1, 1, 0},         {0, 1, -1, 0},       {2, 0, 0, 0},
        {0, 3, 0, 0},         {0, 0, -3, 0},         {1, 1, 1, 1},        {1, -1, 1, -1},
        {1, 0, 0, 1 + 1e-15}, {1, 1e-200, 0, 1},     {1e-200, 0, 0, 1},   {-2, 0, 0, 3},
        {3, 0, 0, -2},        {0.6, -0.8, 0.8, 0.6}, {1, 1e-9, -1e-9, 1},
    };
    for (size_t i = 0; i < sizeof special / sizeof *special; ++i) {
        check_svd(special[i]);
        for (int k = 0; k < SCALE_COUNT; ++k) {
            double F[4];
            for (int j = 0; j < 4; ++j) F[j] = special[i][j] * scales[k];
            check_svd(F);
        }
    }
}

// The small singular value has the sign and the digits of det F even if F is nearly singular.
static void svd_keeps_the_small_value(void** state) {
    (void)state;
    for (int e = 1; e <= 40; ++e) {
        double tiny = ldexp(1, -e), F[4] = {1, 1, 1, 1 + tiny}, U[4], s[2], V[4];
        pli_svd2(F, U, s, V); // det = tiny exactly, s0^2 + s1^2 = |F|^2
        ASSERT_NEAR(s[0] * s[1] / tiny, 1, 8 * DBL_EPSILON);
        F[3] = 1 - tiny;
        pli_svd2(F, U, s, V);
        ASSERT_NEAR(s[0] * s[1] / tiny, -1, 8 * DBL_EPSILON);
        double G[4] = {1, 1 + tiny, 1 - tiny, 1}; // det = tiny^2, both products round to 1
        pli_svd2(G, U, s, V);
        if (e <= 26) ASSERT_NEAR(s[0] * s[1] / (tiny * tiny), 1, 8 * DBL_EPSILON);
        if (e <= 50) assert_true(s[1] > 0);
    }
}

static void random_symmetric(pli_random* r, int n, double scale, double* A) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) A[i * n + j] = A[j * n + i] = scale * pli_random_in(r, -1, 1);
}

static void check_eigen(int n, const double* A) {
    double values[PLI_SMALL_MAX], V[PLI_SMALL_MAX * PLI_SMALL_MAX], alone[PLI_SMALL_MAX];
    pli_eigen_symmetric(n, A, values, V);
    pli_eigen_symmetric(n, A, alone, NULL);
    const double tiny = 64 * n * DBL_EPSILON; // some ten sweeps of n rotations per entry
    double size = largest(n * n, A);
    for (int i = 0; i < n; ++i) {
        assert_true(values[i] == alone[i]);
        if (i > 0) assert_true(values[i - 1] <= values[i]);
        for (int j = 0; j < n; ++j) {
            double product = 0, entry = 0;
            for (int k = 0; k < n; ++k) {
                product += V[k * n + i] * V[k * n + j];
                entry += V[i * n + k] * values[k] * V[j * n + k];
            }
            ASSERT_NEAR(product, i == j ? 1.0 : 0.0, tiny);
            ASSERT_NEAR(entry, A[i * n + j], tiny * size);
        }
    }
}

static void eigen_reconstructs(void** state) {
    (void)state;
    pli_random r = {2};
    double A[PLI_SMALL_MAX * PLI_SMALL_MAX];
    for (int n = 1; n <= PLI_SMALL_MAX; ++n)
        for (int i = 0; i < 60; ++i) {
            random_symmetric(&r, n, scales[i % SCALE_COUNT], A);
            check_eigen(n, A);
        }
}

static void eigen_of_special_matrices(void** state) {
    (void)state;
    double A[PLI_SMALL_MAX * PLI_SMALL_MAX];
    for (int n = 1; n <= PLI_SMALL_MAX; ++n) {
        memset(A, 0, sizeof A);
        check_eigen(n, A); // all zero
        for (int i = 0; i < n; ++i) A[i * n + i] = 3;
        check_eigen(n, A); // one eigenvalue n times
        for (int i = 0; i < n * n; ++i) A[i] = 1;
        check_eigen(n, A); // rank one
        for (int i = 0; i < n * n; ++i) A[i] = i % n == i / n ? 0 : 1;
        check_eigen(n, A); // zero diagonal
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) A[i * n + j] = ldexp(1 + (i == j), -20 * (i + j));
        check_eigen(n, A); // graded over many orders of magnitude
    }
}

// Eigenvalues of the chain matrix [2 -1; -1 2 -1; ...] are 2 - 2 cos(k pi / (n + 1)).
static void eigen_of_a_chain(void** state) {
    (void)state;
    enum { N = PLI_SMALL_MAX };
    double A[N * N] = {0}, values[N];
    for (int i = 0; i < N; ++i) A[i * N + i] = 2;
    for (int i = 1; i < N; ++i) A[i * N + i - 1] = A[(i - 1) * N + i] = -1;
    pli_eigen_symmetric(N, A, values, NULL);
    for (int k = 0; k < N; ++k)
        ASSERT_NEAR(values[k], 2 - 2 * cos((k + 1) * acos(-1.0) / (N + 1)), 1e-14);
}

// The projection is positive, and what it added is positive and orthogonal to it.
static void check_projection(int n, const double* A) {
    double P[PLI_SMALL_MAX * PLI_SMALL_MAX], D[PLI_SMALL_MAX * PLI_SMALL_MAX],
        values[PLI_SMALL_MAX];
    memcpy(P, A, (size_t)(n * n) * sizeof *P);
    pli_project_psd(n, P);
    double size = largest(n * n, A), tiny = 200 * n * DBL_EPSILON;
    if (size == 0) size = 1;
    for (int i = 0; i < n * n; ++i) {
        D[i] = (P[i] - A[i]) / size;
        P[i] /= size;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double product = 0;
            for (int k = 0; k < n; ++k) product += P[i * n + k] * D[k * n + j];
            ASSERT_NEAR(product, 0, tiny);
            assert_true(P[i * n + j] == P[j * n + i]);
        }
    pli_eigen_symmetric(n, P, values, NULL);
    assert_true(values[0] >= -tiny);
    pli_eigen_symmetric(n, D, values, NULL);
    assert_true(values[0] >= -tiny);
}

static void projection(void** state) {
    (void)state;
    pli_random r = {3};
    double A[PLI_SMALL_MAX * PLI_SMALL_MAX];
    for (int n = 1; n <= PLI_SMALL_MAX; ++n)
        for (int i = 0; i < 60; ++i) {
            random_symmetric(&r, n, scales[i % SCALE_COUNT], A);
            check_projection(n, A);
        }
    static const double special[][4] = {{0, 0, 0, 0},   {1, 0, 0, 1},  {-1, 0, 0, -1},
                                        {1, 0, 0, -1},  {-1, 0, 0, 1}, {1, 1, 1, 1},
                                        {-1, 1, 1, -1}, {0, 1, 1, 0},  {-1e-300, 0, 0, 1e300}};
    for (size_t i = 0; i < sizeof special / sizeof *special; ++i) check_projection(2, special[i]);
}

// A positive matrix keeps its bits.
static void projection_leaves_positive_matrices(void** state) {
    (void)state;
    double A[4] = {2, 0.3, 0.3, 1}, B[9] = {4, 1, 0.1, 1, 3, 0.2, 0.1, 0.2, 2}, A0[4], B0[9];
    memcpy(A0, A, sizeof A);
    memcpy(B0, B, sizeof B);
    pli_project_psd(2, A);
    pli_project_psd(3, B);
    assert_memory_equal(A, A0, sizeof A);
    assert_memory_equal(B, B0, sizeof B);
}

static void check_root(double a, double b, double c, double expected) {
    double t = pli_smallest_positive_root2(a, b, c);
    if (expected == HUGE_VAL)
        assert_true(t == HUGE_VAL);
    else // the formula rounds about six times
        ASSERT_NEAR(t / expected, 1, 8 * DBL_EPSILON);
}

static void root_cases(void** state) {
    (void)state;
    check_root(0, 0, 0, HUGE_VAL);          // every t is a root: none is the smallest
    check_root(0, 0, 1, HUGE_VAL);          // no root
    check_root(0, 2, -1, 0.5);              // a line
    check_root(0, 2, 1, HUGE_VAL);          // its root is negative
    check_root(1, 0, 1, HUGE_VAL);          // no real root
    check_root(1, 1, 1, HUGE_VAL);          //
    check_root(1, -2, 1, 1);                // a double root
    check_root(1, 2, 1, HUGE_VAL);          // a negative double root
    check_root(1, -3, 2, 1);                // two positive: the smaller
    check_root(-1, 3, -2, 1);               //
    check_root(1, 3, 2, HUGE_VAL);          // two negative
    check_root(1, 1, -2, 1);                // one of each sign
    check_root(1, -1, -2, 2);               //
    check_root(-1, 0, 4, 2);                // b = 0
    check_root(1, -1, 0, 1);                // 0 is a root but not in the interval
    check_root(1, 1, 0, HUGE_VAL);          //
    check_root(1, 0, 0, HUGE_VAL);          //
    check_root(0, 1, 0, HUGE_VAL);          //
    check_root(1, -1e8, 1, 1e-8 + 1e-24);   // cancellation: b^2 dwarfs 4ac
    check_root(1e-300, -1, 0.9, 0.9);       // nearly a line
    check_root(1e-20, 1, -0.9, 0.9);        //
    check_root(1, -1e160, 1e160, 1);        // b^2 would overflow
    check_root(1e-160, -3e-160, 2e-160, 1); // b^2 would underflow
    check_root(1e200, -3e200, 2e200, 1);    //
    check_root(1e-200, -3, 2e200, 1e200);   // the roots are far from 1
    check_root(1e200, -3, 2e-200, 1e-200);  //
    check_root(1e-200, 0, -1e-200, 1);      //
}

static void root_of_random_factors(void** state) {
    (void)state;
    pli_random r = {4};
    for (int i = 0; i < 5000; ++i) { // (t - u)(t - v) on a grid where the coefficients are exact
        double u = (pli_random_below(&r, 4001) - 2000) / 64.0;
        double v = (pli_random_below(&r, 4001) - 2000) / 64.0;
        double scale = ldexp(1, pli_random_below(&r, 400) - 200);
        double low = fmin(u, v), high = fmax(u, v);
        double expected = low > 0 ? low : high > 0 ? high : HUGE_VAL;
        check_root(scale, -(u + v) * scale, u * v * scale, expected);
    }
}

// t^3 (or scaled) with the given roots, from its value 1 at 0.
static void check_first_root(const double roots[3], double expected) {
    double r[3], c[4];
    for (int i = 0; i < 3; ++i) r[i] = 1 / roots[i];
    c[0] = -r[0] * r[1] * r[2];
    c[1] = r[0] * r[1] + r[1] * r[2] + r[2] * r[0];
    c[2] = -(r[0] + r[1] + r[2]);
    c[3] = 1;
    double t = pli_first_root3(c[0], c[1], c[2], c[3]);
    if (expected > 1) {
        assert_true(t == HUGE_VAL);
        return;
    }
    // A double root is found to half the digits only.
    ASSERT_NEAR(t, expected, 1e-7);
    for (int i = 0; i <= 100; ++i) { // never negative before, but for rounding of the sum
        double u = t * i / 100;
        assert_true(((c[0] * u + c[1]) * u + c[2]) * u + c[3] >
                    -1e-15 * (1 + fabs(c[0]) + fabs(c[1]) + fabs(c[2])));
    }
}

static void first_root(void** state) {
    (void)state;
    assert_true(pli_first_root3(0, 0, 0, 1) == HUGE_VAL);
    ASSERT_NEAR(pli_first_root3(0, 0, -2, 1), 0.5, 1e-16);
    ASSERT_NEAR(pli_first_root3(0, -4, 0, 1), 0.5, 1e-16);
    ASSERT_NEAR(pli_first_root3(-8, 0, 0, 1), 0.5, 1e-16);
    assert_true(pli_first_root3(0, 4, -4, 1.0000001) == HUGE_VAL); // just above 0
    ASSERT_NEAR(pli_first_root3(0, 4, -4, 1), 0.5, 1e-7);          // touches 0
    ASSERT_NEAR(pli_first_root3(0, 0, -1, 1), 1, 1e-15);           // at the very end
    ASSERT_NEAR(pli_first_root3(1e200, 1e200, -3e200, 1) * 3e200, 1, 1e-12);
    pli_random r = {5};
    for (int i = 0; i < 20000; ++i) {
        double roots[3], expected = HUGE_VAL;
        for (int k = 0; k < 3; ++k) {
            roots[k] = exp(pli_random_in(&r, -6, 3)) * (pli_random_below(&r, 3) ? 1 : -1);
            if (k > 0 && i % 10 == 0) roots[k] = roots[0];
            if (roots[k] > 0 && roots[k] < expected) expected = roots[k];
        }
        if (i % 10 && fabs(expected - 1) > 1e-6) check_first_root(roots, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svd_of_random_matrices),
        cmocka_unit_test(svd_of_special_matrices),
        cmocka_unit_test(svd_keeps_the_small_value),
        cmocka_unit_test(eigen_reconstructs),
        cmocka_unit_test(eigen_of_special_matrices),
        cmocka_unit_test(eigen_of_a_chain),
        cmocka_unit_test(projection),
        cmocka_unit_test(projection_leaves_positive_matrices),
        cmocka_unit_test(root_cases),
        cmocka_unit_test(root_of_random_factors),
        cmocka_unit_test(first_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
