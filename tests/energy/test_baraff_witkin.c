// Cloth of warp and weft: contract, closed forms, and the eigenvalues of its shear.
#include "energy/sheet_fixture.h"

static const pli_setting settings[] = {
    {"stretch", 300}, {"stretch_weft", 200}, {"shear", 50}, {"cubic", 900}};

static void test_contract(void** state) {
    (void)state;
    const pli_setting turned[] = {{"stretch", 300}, {"shear", 50}};
    check_woven("baraff-witkin", 31, (sheet_settings){settings, 4}, (sheet_settings){turned, 2});
}

// The image of the warp is (A00, A10), that of the weft (A01, A11).
static void test_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_term term = make_sheet(&memory, "baraff-witkin", settings, 4, flat_rest);
    const double A[4] = {1.2, 0.3, 0.1, 0.8};
    double x[9], V = flat_area * sheet_thickness, y = hypot(1.2, 0.1), z = hypot(0.3, 0.8);
    place(flat_rest, A, eye, x);
    double e = 300 * pow(y - 1, 2) + 900 * pow(y - 1, 3) + 200 * pow(z - 1, 2) +
               50 * pow(1.2 * 0.3 + 0.1 * 0.8, 2);
    ASSERT_NEAR(eval_first(&term, 3, x, false, NULL, NULL), V * e, 1e-14 * V * e);
    double g[9];
    ASSERT_NEAR(eval_first(&term, 3, flat_rest, false, g, NULL), 0, 1e-28);
    for (int i = 0; i < 9; ++i) ASSERT_NEAR(g[i], 0, 1e-13);
    end_term(&memory, &term);
}

// With the corners (0,0), (1,0), (0,1) at rest the vertices 1 and 2 move the warp and the weft
// alone, and their 6x6 part of the Hessian is that in (y, z). Without stretch its eigenvalues are 2
// s twice, -2 s twice, and those of [2 s + |y+z|^2, |y+z| |y-z|; ., -2 s + |y-z|^2].
static void test_shear_eigenvalues(void** state) {
    (void)state;
    static const double rest[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const pli_setting only[] = {{"stretch", 1e-12}, {"shear", 1 / (0.5 * sheet_thickness)}};
    pli_random r = {32};
    pli_memory memory;
    pli_term term = make_sheet(&memory, "baraff-witkin", only, 2, rest);
    for (int i = 0; i < 40; ++i) {
        double x[9] = {0}, H[81], part[36], values[6], expected[6], plane[4], pair[2];
        for (int k = 3; k < 9; ++k) x[k] = pli_random_in(&r, -1, 1);
        const double *y = x + 3, *z = x + 6;
        double s = pli_dot(y, z, 3), plus = 0, minus = 0;
        for (int k = 0; k < 3; ++k) {
            plus += (y[k] + z[k]) * (y[k] + z[k]);
            minus += (y[k] - z[k]) * (y[k] - z[k]);
        }
        plane[0] = 2 * s + plus, plane[1] = plane[2] = sqrt(plus * minus), plane[3] = minus - 2 * s;
        pli_eigen_symmetric(2, plane, pair, NULL);
        const double all[6] = {2 * s, 2 * s, -2 * s, -2 * s, pair[0], pair[1]};
        memset(part, 0, sizeof part);
        for (int k = 0; k < 6; ++k) part[7 * k] = all[k];
        pli_eigen_symmetric(6, part, expected, NULL); // sorts
        for (int project = 0; project < 2; ++project) {
            eval_first(&term, 3, x, project, NULL, H);
            for (int k = 0; k < 36; ++k) part[k] = H[9 * (3 + k / 6) + 3 + k % 6];
            pli_eigen_symmetric(6, part, values, NULL);
            for (int k = 0; k < 6; ++k)
                ASSERT_NEAR(values[k], project ? fmax(expected[k], 0) : expected[k], 1e-9);
        }
    }
    end_term(&memory, &term);
}

// Threads without length and parallel threads: finite numbers, and a projection without negative
// eigenvalues.
static void test_degenerate(void** state) {
    (void)state;
    static const double shapes[][4] = {{0, 0, 0, 1}, {1, 1, 0, 0}, {1, -1, 0, 0}, {0, 0, 0, 0}};
    pli_memory memory;
    pli_term term = make_sheet(&memory, "baraff-witkin", settings, 4, flat_rest);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        double x[9], g[9], H[81], values[9];
        place(flat_rest, shapes[i], eye, x);
        assert_true(isfinite(eval_first(&term, 3, x, true, g, H)));
        for (int k = 0; k < 81; ++k) assert_true(isfinite(H[k]));
        for (int k = 0; k < 9; ++k) assert_true(isfinite(g[k]));
        pli_eigen_symmetric(9, H, values, NULL);
        assert_true(values[0] > -1e-10);
    }
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_shear_eigenvalues),
        cmocka_unit_test(test_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
