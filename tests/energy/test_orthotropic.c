// The orthotropic law of sheets: contract, closed forms, constants, axes.
#include "energy/sheet_fixture.h"

static const pli_setting settings[] = {{"c11", 300}, {"c12", 40}, {"c22", 100}, {"c33", 25}};

static void test_contract(void** state) {
    (void)state;
    const pli_setting turned[] = {
        {"young_warp", 300}, {"young_weft", 90}, {"poisson_warp", 0.4}, {"shear", 20}};
    check_woven("orthotropic", 41, (sheet_settings){settings, 4}, (sheet_settings){turned, 4});
}

static void test_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_term term = make_sheet(&memory, "orthotropic", settings, 4, flat_rest);
    const double A[4] = {1.2, 0.3, 0.1, 0.8};
    double x[9], V = flat_area * sheet_thickness;
    double E11 = 0.5 * (1.45 - 1), E22 = 0.5 * (0.73 - 1), E12 = 0.5 * 0.44;
    place(flat_rest, A, eye, x);
    double e = 150 * E11 * E11 + 40 * E11 * E22 + 50 * E22 * E22 + 50 * E12 * E12;
    ASSERT_NEAR(eval_first(&term, 3, x, false, NULL, NULL), V * e, 1e-13 * V * e);
    end_term(&memory, &term);
}

// A small pull along the warp with a free weft: Young's modulus and Poisson's ratio are those that
// were given, and along the weft the others.
static void test_moduli(void** state) {
    (void)state;
    const pli_setting moduli[] = {
        {"young_warp", 300}, {"young_weft", 90}, {"poisson_warp", 0.4}, {"shear", 20}};
    pli_memory memory;
    pli_term term = make_sheet(&memory, "orthotropic", moduli, 4, flat_rest);
    const double V = flat_area * sheet_thickness, d = 1e-5, young[2] = {300, 90};
    const double nu[2] = {0.4, 0.4 * 90 / 300};
    for (int axis = 0; axis < 2; ++axis) {
        double A[4] = {1, 0, 0, 1}, x[9];
        A[3 * axis] += d;
        A[3 - 3 * axis] -= nu[axis] * d;
        place(flat_rest, A, eye, x);
        double e = eval_first(&term, 3, x, false, NULL, NULL);
        ASSERT_NEAR(e, 0.5 * V * young[axis] * d * d, 1e-3 * e); // strain is not small beside d
    }
    const double shear[4] = {1, d, 0, 1};
    double x[9];
    place(flat_rest, shear, eye, x);
    double e = eval_first(&term, 3, x, false, NULL, NULL);
    ASSERT_NEAR(e, 0.5 * V * 20 * d * d, 1e-3 * e);
    end_term(&memory, &term);
}

// A warp along y exchanges the roles of the axes.
static void test_axes(void** state) {
    (void)state;
    const pli_setting along_y[] = {
        {"c11", 300}, {"c12", 40}, {"c22", 100}, {"c33", 25}, {"warp_y", 1}};
    const pli_setting exchanged[] = {{"c11", 100}, {"c12", 40}, {"c22", 300}, {"c33", 25}};
    pli_random r = {42};
    for (int i = 0; i < 10; ++i) {
        pli_memory memory[2];
        double A[4], R[9], x[9];
        for (int k = 0; k < 4; ++k) A[k] = pli_random_in(&r, -1, 1);
        random_rotation(&r, R);
        place(flat_rest, A, R, x);
        pli_term a = make_sheet(&memory[0], "orthotropic", along_y, 5, flat_rest);
        pli_term b = make_sheet(&memory[1], "orthotropic", exchanged, 4, flat_rest);
        double e = eval_first(&a, 3, x, false, NULL, NULL);
        ASSERT_NEAR(e, eval_first(&b, 3, x, false, NULL, NULL), 1e-12 * e);
        end_term(&memory[0], &a);
        end_term(&memory[1], &b);
    }
}

static void test_settings(void** state) {
    (void)state;
    const pli_setting coupled[] = {{"c11", 300}, {"c12", 180}, {"c22", 100}, {"c33", 25}};
    const pli_setting few[] = {{"c11", 300}, {"c12", 10}};
    const pli_setting mixed[] = {{"c11", 300}, {"young_warp", 10}};
    const pli_setting wide[] = {
        {"young_warp", 300}, {"young_weft", 1200}, {"poisson_warp", 0.6}, {"shear", 20}};
    double params[16];
    assert_int_equal(pli_energy_params(find_type("orthotropic"), NULL, 0, params, NULL), PLI_OK);
    expect_refused("orthotropic", coupled, 4, "c12 = 180 Pa, must be between");
    expect_refused("orthotropic", few, 2, "constants are missing");
    expect_refused("orthotropic", mixed, 2, "two ways");
    expect_refused("orthotropic", wide, 4, "poisson_warp = 0.6, must be between -0.5 and 0.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract), cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_moduli),   cmocka_unit_test(test_axes),
        cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
