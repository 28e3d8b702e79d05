// Sheets: axes, singular values, and the eigensystem of isotropic laws.
#include "energy/sheet.h"
#include "energy/sheet_fixture.h"

static pli_element element_of(const double* rest) {
    return (pli_element){.dim = 3,
                         .kind = PLI_TRIANGLE,
                         .vertex_count = 3,
                         .vertices = sheet_vertices,
                         .rest = rest,
                         .thickness = sheet_thickness};
}

static void expect_vector(const double a[3], double x, double y, double z) {
    const double b[3] = {x, y, z};
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(a[i], b[i], 1e-14);
}

// Warp along x, or the given direction, projected into the plane; in triangles normal to x along y.
static void test_axes(void** state) {
    (void)state;
    double a[3], b[3];
    pli_error error = {0};
    pli_element flat = element_of(flat_rest);
    assert_int_equal(pli_sheet_axes(&flat, NULL, a, b, &error), PLI_OK);
    expect_vector(a, 1, 0, 0);
    expect_vector(b, 0, 1, 0);
    const double none[3] = {0}, slant[3] = {0, 3, 5}, up[3] = {0, 0, 2};
    assert_int_equal(pli_sheet_axes(&flat, none, a, b, &error), PLI_OK);
    expect_vector(a, 1, 0, 0);
    assert_int_equal(pli_sheet_axes(&flat, slant, a, b, &error), PLI_OK);
    expect_vector(a, 0, 1, 0);
    expect_vector(b, -1, 0, 0);
    assert_int_equal(pli_sheet_axes(&flat, up, a, b, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "normal to the triangle"));
    const double wall[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, slope[9] = {0, 0, 0, 1, 0, 1, 0, 1, 0};
    pli_element upright = element_of(wall), tilted = element_of(slope);
    assert_int_equal(pli_sheet_axes(&upright, NULL, a, b, &error), PLI_OK);
    expect_vector(a, 0, 1, 0);
    expect_vector(b, 0, 0, 1);
    assert_int_equal(pli_sheet_axes(&tilted, NULL, a, b, &error), PLI_OK);
    expect_vector(a, sqrt(0.5), 0, sqrt(0.5));
    expect_vector(b, 0, 1, 0);
}

static void test_refusals(void** state) {
    (void)state;
    pli_sheet sheet;
    pli_error error = {0};
    const double line[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    pli_element thin = element_of(line), none = element_of(flat_rest);
    assert_int_equal(pli_sheet_prepare(&thin, NULL, &sheet, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no area"));
    none.thickness = 0;
    assert_int_equal(pli_sheet_prepare(&none, NULL, &sheet, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no thickness"));
}

// With a pattern the rest shape is that of the pattern, wherever the triangle lies: F, warp and
// weft are the same as of a flat triangle with these corners.
static void test_pattern(void** state) {
    (void)state;
    pli_random r = {8};
    static const double pattern[6] = {0.1, 0.2, 1.1, 0.3, 0.4, 0.83}, along[3] = {1, 2, 0},
                        up[3] = {0, 0, 1};
    double A[4] = {1, 0, 0, 1}, R[9], placed[9], x[9], F[6], G[6];
    random_rotation(&r, R);
    place(flat_rest, A, R, placed);
    placed[4] += 0.3; // another shape than that of the pattern
    pli_element flat = element_of(flat_rest), sewn = element_of(placed);
    sewn.pattern = pattern;
    for (int k = 0; k < 9; ++k) x[k] = pli_random_in(&r, -1, 1);
    for (int i = 0; i < 2; ++i) {
        pli_sheet one, other;
        assert_int_equal(pli_sheet_prepare(&flat, i ? along : NULL, &one, NULL), PLI_OK);
        assert_int_equal(pli_sheet_prepare(&sewn, i ? along : NULL, &other, NULL), PLI_OK);
        ASSERT_NEAR(one.volume, other.volume, 1e-16);
        pli_sheet_gradient(&one, sheet_vertices, x, F);
        pli_sheet_gradient(&other, sheet_vertices, x, G);
        for (int k = 0; k < 6; ++k) ASSERT_NEAR(F[k], G[k], 1e-13);
    }
    pli_error error = {0};
    pli_sheet sheet;
    assert_int_equal(pli_sheet_prepare(&sewn, up, &sheet, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "normal to the pattern"));
}

// F of a turned and stretched triangle, and its volume.
static void test_gradient(void** state) {
    (void)state;
    pli_random r = {5};
    pli_sheet sheet;
    pli_element element = element_of(flat_rest);
    assert_int_equal(pli_sheet_prepare(&element, NULL, &sheet, NULL), PLI_OK);
    ASSERT_NEAR(sheet.volume, flat_area * sheet_thickness, 1e-16);
    for (int i = 0; i < 20; ++i) {
        double A[4], R[9], x[9], F[6];
        for (int k = 0; k < 4; ++k) A[k] = pli_random_in(&r, -2, 2);
        random_rotation(&r, R);
        place(flat_rest, A, R, x);
        pli_sheet_gradient(&sheet, sheet_vertices, x, F);
        for (int k = 0; k < 6; ++k) {
            double expected = R[3 * (k % 3)] * A[k / 3] + R[3 * (k % 3) + 1] * A[2 + k / 3];
            ASSERT_NEAR(F[k], expected, 1e-13);
        }
    }
}

// Any singular values, also equal, tiny and zero ones: F comes back, frames are orthonormal.
static void test_singular_values(void** state) {
    (void)state;
    static const double pairs[][2] = {{2, 1}, {1, 1}, {1, 1 - 1e-9}, {3, 1e-6},     {1, 1e-20},
                                      {1, 0}, {0, 0}, {1e-9, 1e-10}, {1e6, 0.999e6}};
    pli_random r = {6};
    for (int i = 0; i < 200; ++i) {
        const double* s = pairs[i % (int)(sizeof pairs / sizeof *pairs)];
        double A[4], R[9], F[6];
        pli_sheet_svd svd;
        random_stretch(&r, s[0], s[1], A);
        random_rotation(&r, R);
        for (int k = 0; k < 6; ++k)
            F[k] = R[3 * (k % 3)] * A[k / 3] + R[3 * (k % 3) + 1] * A[2 + k / 3];
        pli_sheet_decompose(F, &svd);
        for (int k = 0; k < 2; ++k) ASSERT_NEAR(svd.s[k], s[k], 1e-14 * s[0]);
        for (int k = 0; k < 6; ++k) {
            double sum = 0;
            for (int n = 0; n < 2; ++n) sum += svd.s[n] * svd.u[n][k % 3] * svd.v[n][k / 3];
            ASSERT_NEAR(F[k], sum, 1e-8 * svd.s[1] + 1e-14 * s[0]); // tiny values: any second axis
        }
        for (int k = 0; k < 9; ++k)
            ASSERT_NEAR(pli_dot(svd.u[k / 3], svd.u[k % 3], 3), k / 3 == k % 3, 1e-8);
        for (int k = 0; k < 4; ++k)
            ASSERT_NEAR(pli_dot(svd.v[k / 2], svd.v[k % 2], 2), k / 2 == k % 2, 1e-14);
    }
}

// psi = s1^3 + s2^3 + s1 s2^2: the stiffness by eigenpairs is the derivative of the stress, and its
// projection is the eigen-clamp of the 6x6 matrix.
static pli_sheet_slopes cubic(const double s[2]) {
    pli_sheet_slopes at = {
        .first = {3 * s[0] * s[0] + s[1] * s[1], 3 * s[1] * s[1] + 2 * s[0] * s[1]},
        .second = {6 * s[0], 6 * s[1] + 2 * s[0]},
        .mixed = 2 * s[1]};
    at.first[1] -= 9; // so that some eigenvalues are negative
    at.quotient = (at.first[0] - at.first[1]) / (s[0] - s[1]);
    return at;
}

static void test_eigensystem(void** state) {
    (void)state;
    pli_random r = {7};
    for (int i = 0; i < 50; ++i) {
        double F[6], K[36], projected[36], clamped[36], P[2][6];
        pli_sheet_svd svd;
        for (int k = 0; k < 6; ++k) F[k] = pli_random_in(&r, -1.5, 1.5);
        pli_sheet_decompose(F, &svd);
        if (svd.s[0] - svd.s[1] < 0.1 || svd.s[1] < 0.1) continue;
        pli_sheet_slopes slopes = cubic(svd.s);
        pli_sheet_isotropic_stiffness(&svd, &slopes, false, K);
        pli_sheet_isotropic_stiffness(&svd, &slopes, true, projected);
        memcpy(clamped, K, sizeof K);
        pli_project_psd(6, clamped);
        for (int k = 0; k < 36; ++k) ASSERT_NEAR(projected[k], clamped[k], 1e-11);
        for (int k = 0; k < 6; ++k) {
            const double h = 1e-5;
            for (int side = 0; side < 2; ++side) {
                double moved[6];
                memcpy(moved, F, sizeof F);
                moved[k] += side ? h : -h;
                pli_sheet_decompose(moved, &svd);
                slopes = cubic(svd.s);
                // psi is not symmetric, but the order of the values does not change here.
                pli_sheet_isotropic_stress(&svd, &slopes, P[side]);
            }
            for (int j = 0; j < 6; ++j)
                ASSERT_NEAR(K[6 * k + j], (P[1][j] - P[0][j]) / (2 * h), 1e-6); // h^2 and eps/h
        }
    }
}

// The Cauchy stress of a pull along x: force per present width, thickness constant.
static void test_stress(void** state) {
    (void)state;
    const double F[6] = {2, 0, 0, 0, 0, 1.5}, P[6] = {7, 0, 0, 0, 0, 0};
    double out[6] = {0};
    pli_sheet_add_stress(F, P, out);
    ASSERT_NEAR(out[0], 7 / 1.5, 1e-14);
    for (int i = 1; i < 6; ++i) assert_true(out[i] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_singular_values),
        cmocka_unit_test(test_eigensystem),
        cmocka_unit_test(test_stress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
