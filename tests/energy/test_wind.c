// Drag of sheets: contract, closed forms across and along, no energy in still air.
#include "energy/sheet_fixture.h"

static const double quiet[] = {1.2, 1.5, 0.3, 0.4, 0, 0, 0};
static const double windy[] = {1.2, 1.5, 0.3, 0.4, 4, -3, 1}; // rho, C_n, C_t, b, wind

static pli_term make_wind(pli_memory* memory, const double* params, double rate, const double* x_n,
                          const double* x_still) {
    pli_domain domain = {.dim = 3,
                         .kind = PLI_TRIANGLE,
                         .element_count = 1,
                         .vertices = sheet_vertices,
                         .rest = flat_rest,
                         .thickness = sheet_thickness};
    pli_memory_init(memory, NULL);
    pli_term term = make_term(memory, "wind", params, &domain);
    assert_int_equal(term.ops->role, PLI_DISSIPATION);
    pli_error error = {0};
    pli_step step = {.h = 0.1, .velocity_rate = rate, .x_n = x_n, .x_still = x_still};
    assert_int_equal(term.ops->begin_step(term.self, &step, &error), PLI_OK);
    return term;
}

static void test_contract(void** state) {
    (void)state;
    pli_random r = {51};
    for (int i = 0; i < 60; ++i) {
        pli_memory memory;
        double x[9], x_n[9], x_still[9];
        for (int v = 0; v < 9; ++v) {
            x[v] = pli_random_in(&r, -3, 3);
            x_n[v] = pli_random_in(&r, -1, 1);
            x_still[v] = pli_random_in(&r, -3, 3);
        }
        pli_term term = make_wind(&memory, windy, 10, x_n, x_still);
        pli_check_contract(&term, &(pli_contract){.dim = 3,
                                                  .vertex_count = 3,
                                                  .x = x,
                                                  .step = 1e-4,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .clamp_tolerance = 1e-12}); // rounding
        end_term(&memory, &term);
    }
}

// The sheet in the plane z = 0 moves with v: total force, and R.
static void total_force(const double* params, const double v[3], double force[3], double* R) {
    pli_memory memory;
    double still[9], g[9];
    for (int i = 0; i < 9; ++i) still[i] = flat_rest[i] - v[i % 3] / 10;
    pli_term term = make_wind(&memory, params, 10, flat_rest, still);
    *R = 10 * eval_first(&term, 3, flat_rest, false, g, NULL);
    for (int r = 0; r < 3; ++r) force[r] = g[r] + g[3 + r] + g[6 + r];
    end_term(&memory, &term);
}

static void test_closed_form(void** state) {
    (void)state;
    double f[3], R;
    total_force(quiet, (const double[3]){0, 0, -7}, f, &R);
    ASSERT_NEAR(f[2], -flat_area * (0.5 * 1.2 * 1.5 * 49 + 0.4 * 7), 1e-12);
    ASSERT_NEAR(f[0], 0, 1e-14);
    ASSERT_NEAR(R, flat_area * (1.2 / 6 * 1.5 * 343 + 0.2 * 49), 1e-12);
    total_force(quiet, (const double[3]){3, 4, 0}, f, &R); // |u_t| = 5
    ASSERT_NEAR(f[0], flat_area * 3 * (0.5 * 1.2 * 0.3 * 5 + 0.4), 1e-13);
    ASSERT_NEAR(f[1], flat_area * 4 * (0.5 * 1.2 * 0.3 * 5 + 0.4), 1e-13);
    ASSERT_NEAR(f[2], 0, 1e-14);
    total_force(windy, (const double[3]){4, -3, 1}, f, &R); // with the wind
    ASSERT_NEAR(R, 0, 1e-24);
    for (int r = 0; r < 3; ++r) ASSERT_NEAR(f[r], 0, 1e-12);
}

// In still air the force never drives: v . dR/dv >= 0.
static void test_takes_energy(void** state) {
    (void)state;
    pli_random r = {52};
    for (int i = 0; i < 50; ++i) {
        pli_memory memory;
        double x_n[9], still[9], g[9], power = 0;
        for (int k = 0; k < 9; ++k) {
            x_n[k] = pli_random_in(&r, -1, 1);
            still[k] = x_n[k] - pli_random_in(&r, -1, 1);
        }
        pli_term term = make_wind(&memory, quiet, 10, x_n, still);
        eval_first(&term, 3, x_n, false, g, NULL);
        for (int k = 0; k < 9; ++k) power += g[k] * 10 * (x_n[k] - still[k]);
        assert_true(power > 0);
        end_term(&memory, &term);
    }
}

// A triangle without area at the start of the step feels nothing.
static void test_no_area(void** state) {
    (void)state;
    pli_memory memory;
    const double line[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, still[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double g[9];
    pli_term term = make_wind(&memory, quiet, 10, line, still);
    assert_true(eval_first(&term, 3, line, false, g, NULL) == 0);
    for (int i = 0; i < 9; ++i) assert_true(g[i] == 0);
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_takes_energy),
        cmocka_unit_test(test_no_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
