// The matrix exponential against closed forms.
#include "math/small.h"
#include "oracle/near.h"
#include "oracle/random.h"

// exp of a rotation generator is a rotation, at any angle.
static void test_rotation(void** state) {
    (void)state;
    static const double angles[] = {0, 1e-9, 0.3, 3, 50};
    for (int i = 0; i < 5; ++i) {
        double t = angles[i], A[4] = {0, -t, t, 0}, E[4], work[16];
        pli_expm(2, A, E, work);
        ASSERT_NEAR(E[0], cos(t), 1e-13 * (1 + t)); // squaring loses a digit per factor 10
        ASSERT_NEAR(E[2], sin(t), 1e-13 * (1 + t));
    }
}

// exp(A) exp(-A) = 1 for random A.
static void test_inverse(void** state) {
    (void)state;
    enum { N = 9 };
    pli_random random = {4};
    double A[N * N], B[N * N], E[N * N], F[N * N], work[4 * N * N];
    for (int i = 0; i < N * N; ++i) {
        A[i] = pli_random_in(&random, -1, 1);
        B[i] = -A[i];
    }
    pli_expm(N, A, E, work);
    pli_expm(N, B, F, work);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = 0;
            for (int k = 0; k < N; ++k) sum += E[i * N + k] * F[k * N + j];
            ASSERT_NEAR(sum, i == j, 1e-11); // entries of both are up to 1e2
        }
}

// A nilpotent matrix: the series ends.
static void test_nilpotent(void** state) {
    (void)state;
    double A[9] = {0, 2, 3, 0, 0, 4, 0, 0, 0}, E[9], work[36];
    pli_expm(3, A, E, work);
    const double expected[9] = {1, 2, 3 + 4, 0, 1, 4, 0, 0, 1};
    for (int i = 0; i < 9; ++i) ASSERT_NEAR(E[i], expected[i], 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_nilpotent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
