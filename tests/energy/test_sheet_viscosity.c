// Viscosity of sheets: contract, rigid motion costs nothing, closed form.
#include "energy/sheet_fixture.h"

static const pli_setting settings[] = {{"shear", 30}, {"bulk", 50}};

static pli_term make_viscous(pli_memory* memory, double rate, const double* x_n,
                             const double* x_still) {
    pli_error error = {0};
    pli_term term = make_sheet(memory, "sheet-viscosity", settings, 2, flat_rest);
    assert_int_equal(term.ops->role, PLI_DISSIPATION);
    pli_step step = {.h = 0.1, .velocity_rate = rate, .x_n = x_n, .x_still = x_still};
    assert_int_equal(term.ops->begin_step(term.self, &step, &error), PLI_OK);
    return term;
}

static void test_contract(void** state) {
    (void)state;
    pli_random r = {61};
    for (int i = 0; i < 40; ++i) {
        pli_memory memory;
        double x[9], x_n[9], x_still[9];
        for (int k = 0; k < 9; ++k) {
            x[k] = flat_rest[k] + pli_random_in(&r, -0.5, 0.5);
            x_n[k] = flat_rest[k] + pli_random_in(&r, -0.5, 0.5);
            x_still[k] = flat_rest[k] + pli_random_in(&r, -0.5, 0.5);
        }
        pli_term term = make_viscous(&memory, 7, x_n, x_still);
        pli_check_contract(&term, &(pli_contract){.dim = 3,
                                                  .vertex_count = 3,
                                                  .x = x,
                                                  .step = 1e-2, // quadratic in x
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .clamp_tolerance = 1e-10}); // rounding
        assert_true(eval_first(&term, 3, x, false, NULL, NULL) > 0);
        end_term(&memory, &term);
    }
}

// v = w x x_n + b: nothing is dissipated and no force acts. For any velocity the net force and
// torque at x_n vanish.
static void test_rigid_motion(void** state) {
    (void)state;
    pli_random r = {62};
    const double spin[3] = {2, -1, 3};
    for (int i = 0; i < 20; ++i) {
        pli_memory memory;
        double x_n[9], still[9], g[9], force[3] = {0}, torque[3] = {0};
        for (int k = 0; k < 9; ++k) x_n[k] = flat_rest[k] + pli_random_in(&r, -0.3, 0.3);
        for (int v = 0; v < 3; ++v) {
            double velocity[3];
            pli_cross3(spin, x_n + 3 * v, velocity);
            for (int c = 0; c < 3; ++c) still[3 * v + c] = x_n[3 * v + c] - (velocity[c] + 5) / 10;
        }
        pli_term term = make_viscous(&memory, 10, x_n, still);
        ASSERT_NEAR(eval_first(&term, 3, x_n, false, g, NULL), 0, 1e-26); // squares of rounding
        for (int k = 0; k < 9; ++k) ASSERT_NEAR(g[k], 0, 1e-12);
        end_term(&memory, &term);
        for (int k = 0; k < 9; ++k) still[k] += pli_random_in(&r, -0.3, 0.3);
        term = make_viscous(&memory, 10, x_n, still);
        eval_first(&term, 3, x_n, false, g, NULL);
        for (int v = 0; v < 3; ++v) {
            double moment[3];
            pli_cross3(x_n + 3 * v, g + 3 * v, moment);
            pli_axpy(1, g + 3 * v, force, 3);
            pli_axpy(1, moment, torque, 3);
        }
        for (int c = 0; c < 3; ++c) {
            ASSERT_NEAR(force[c], 0, 1e-12);
            ASSERT_NEAR(torque[c], 0, 1e-12);
        }
        end_term(&memory, &term);
    }
}

// At rest with v = A X in the plane: R = V (eta |sym A|^2 + zeta/2 (tr A)^2).
static void test_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    const double A[4] = {0.3, 0.5, 0.1, -0.4};
    double v[9], still[9], V = flat_area * sheet_thickness;
    place(flat_rest, A, eye, v);
    for (int k = 0; k < 9; ++k) still[k] = flat_rest[k] - v[k] / 4;
    pli_term term = make_viscous(&memory, 4, flat_rest, still);
    double square = 0.09 + 0.16 + 2 * 0.3 * 0.3, trace = -0.1;
    double R = V * (30 * square + 25 * trace * trace);
    ASSERT_NEAR(eval_first(&term, 3, flat_rest, false, NULL, NULL), R / 4, 1e-12 * R);
    end_term(&memory, &term);
}

static void test_settings(void** state) {
    (void)state;
    const pli_setting none[] = {{"shear", 0}, {"bulk", 0}};
    expect_refused("sheet-viscosity", none, 2, "both 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_rigid_motion),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
