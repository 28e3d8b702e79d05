// Principal stretches of elements of all kinds.
#include "oracle/near.h"
#include "oracle/random.h"

#include "mesh/measure.h"

// Corners anywhere, middles halfway; x = F X + shift in the first `dim` directions.
static void make_element(int dim, pli_element_kind kind, const double F[9], double* rest,
                         double* x) {
    static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    static const double corners[12] = {0.1, 0.2, -0.3, 1.3,  0.1, 0.2,
                                       0.3, 1.1, 0.4,  -0.2, 0.3, 0.9};
    int count = pli_element_dimension(kind) + 1;
    for (int v = 0; v < pli_element_size(kind); ++v)
        for (int c = 0; c < 3; ++c)
            rest[3 * v + c] = v < count ? corners[3 * v + c]
                                        : 0.5 * (corners[3 * ends[v - count][0] + c] +
                                                 corners[3 * ends[v - count][1] + c]);
    for (int v = 0; v < pli_element_size(kind); ++v)
        for (int a = 0; a < 3; ++a) {
            x[3 * v + a] = a < dim ? 5 + a : rest[3 * v + a];
            for (int b = 0; b < dim && a < dim; ++b) x[3 * v + a] += F[3 * a + b] * rest[3 * v + b];
        }
}

static const int32_t all[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

// F = R diag(s) with a rotation R about (1, 2, 2) / 3 by a right angle (in the plane about z).
static void rotated(int dim, const double s[3], double F[9]) {
    static const double space[9] = {1.0 / 9, -4.0 / 9, 8.0 / 9, 8.0 / 9, 4.0 / 9,
                                    1.0 / 9, -4.0 / 9, 7.0 / 9, 4.0 / 9};
    static const double plane[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    for (int i = 0; i < 9; ++i) F[i] = (dim == 2 ? plane : space)[i] * s[i % 3];
}

static void elements_that_fill_space(void** state) {
    (void)state;
    static const pli_element_kind kinds[4] = {PLI_TRIANGLE, PLI_TRIANGLE6, PLI_TETRAHEDRON,
                                              PLI_TETRAHEDRON10};
    for (int k = 0; k < 8; ++k) {
        int dim = k % 4 < 2 ? 2 : 3;
        // In ascending order; the second round turns the element over.
        const double s[3] = {k < 4 ? 0.5 : -0.5, 1.25, 3};
        double F[9], rest[30], x[30], got[3];
        rotated(dim, s, F);
        make_element(dim, kinds[k % 4], F, rest, x);
        pli_element_stretches(dim, kinds[k % 4], all, rest, x, got);
        // Some roundings of numbers around 5.
        ASSERT_NEAR(got[0], dim == 2 ? 1.25 : 3, 1e-13);
        ASSERT_NEAR(got[1], dim == 2 ? s[0] : 1.25, 1e-13);
        ASSERT_NEAR(got[2], dim == 2 ? 1 : s[0], 1e-13);
    }
}

// Triangles and segments in space: what is along them alone.
static void elements_that_do_not(void** state) {
    (void)state;
    double F[9], rest[30], x[30], got[3];
    const double same[3] = {1.5, 1.5, 1.5};
    rotated(3, same, F);
    make_element(3, PLI_TRIANGLE, F, rest, x);
    pli_element_stretches(3, PLI_TRIANGLE, all, rest, x, got);
    ASSERT_NEAR(got[0], 1.5, 1e-13);
    ASSERT_NEAR(got[1], 1.5, 1e-13);
    assert_true(got[2] == 1);
    make_element(3, PLI_SEGMENT, F, rest, x);
    pli_element_stretches(3, PLI_SEGMENT, all, rest, x, got);
    ASSERT_NEAR(got[0], 1.5, 1e-13);
    assert_true(got[1] == 1 && got[2] == 1);
}

// Against tr F^T F and det F of random gradients.
static void random_gradients(void** state) {
    (void)state;
    pli_random random = {3};
    for (int i = 0; i < 200; ++i) {
        double F[9], rest[30], x[30], got[3], square = 0;
        for (int k = 0; k < 9; ++k) F[k] = pli_random_in(&random, -1, 1);
        for (int k = 0; k < 9; ++k) square += F[k] * F[k];
        double det = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
                     F[2] * (F[3] * F[7] - F[4] * F[6]);
        make_element(3, PLI_TETRAHEDRON10, F, rest, x);
        pli_element_stretches(3, PLI_TETRAHEDRON10, all, rest, x, got);
        assert_true(got[0] >= got[1] && got[1] >= fabs(got[2]));
        ASSERT_NEAR(got[0] * got[0] + got[1] * got[1] + got[2] * got[2], square, 1e-12);
        ASSERT_NEAR(got[0] * got[1] * got[2], det, 1e-12); // roundings of numbers around 5
    }
}

static void nothing_to_stretch(void** state) {
    (void)state;
    const double rest[9] = {1, 1, 1, 1, 1, 1, 2, 2, 2}, x[9] = {0, 0, 0, 3, 4, 5, 1, 0, 0};
    static const pli_element_kind kinds[3] = {PLI_VERTEX, PLI_SEGMENT, PLI_TRIANGLE};
    for (int k = 0; k < 3; ++k) {
        double got[3] = {7, 7, 7};
        pli_element_stretches(3, kinds[k], all, rest, x, got);
        for (int i = 0; i < 3; ++i) assert_true(got[i] == 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_that_fill_space),
        cmocka_unit_test(elements_that_do_not),
        cmocka_unit_test(random_gradients),
        cmocka_unit_test(nothing_to_stretch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
