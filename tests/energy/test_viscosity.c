// Viscosity keeps the contract, takes no energy from rigid motion, and is what its formula says.
#include "energy/solid_fixture.h"

#include "math/vec.h"

static const pli_setting settings[2] = {{"shear", 30}, {"bulk", 50}};

static void begin(pli_term* term, double rate, const double* x_n, const double* x_still) {
    pli_error error = {0};
    pli_step step = {.h = 0.1, .velocity_rate = rate, .x_n = x_n, .x_still = x_still};
    assert_int_equal(term->ops->begin_step(term->self, &step, &error), PLI_OK);
}

static void test_contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {3};
    for (int k = 0; k < 4; ++k)
        for (int trial = 0; trial < 5; ++trial) {
            patch p = make_patch(solid_kinds[k], 0.05);
            pli_term term = make_solid(&memory, "viscosity", settings, 2, &p);
            assert_int_equal(term.ops->role, PLI_DISSIPATION);
            double x[3 * PATCH_MAX], x_n[3 * PATCH_MAX], x_still[3 * PATCH_MAX];
            for (int i = 0; i < 3 * p.vertex_count; ++i) {
                double plane = i % 3 < p.dim;
                x[i] = p.rest[i] + plane * pli_random_in(&r, -0.2, 0.2);
                x_n[i] = p.rest[i] + plane * pli_random_in(&r, -0.2, 0.2);
                x_still[i] = p.rest[i] + plane * pli_random_in(&r, -0.2, 0.2);
            }
            begin(&term, 7, x_n, x_still);
            pli_check_contract(&term,
                               &(pli_contract){.dim = p.dim,
                                               .vertex_count = p.vertex_count,
                                               .x = x,
                                               .step = 1e-2, // quadratic in x
                                               .gradient_tolerance = 1e-7,
                                               .hessian_tolerance = 1e-6,
                                               .clamp_tolerance = 1e-9}); // rounding of 30x30
            assert_true(eval_first(&term, p.dim, x, false, NULL, NULL) > 0);
            end_term(&memory, &term);
        }
}

// v = w x (x_n - a) + b at a deformed state: nothing is dissipated and no force acts. Net force and
// torque at x_n vanish for any velocity.
static void test_rigid_motion(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {4};
    for (int k = 0; k < 4; ++k) {
        patch p = make_patch(solid_kinds[k], 0.05);
        pli_term term = make_solid(&memory, "viscosity", settings, 2, &p);
        int n = p.dim * pli_element_size(p.kind);
        double x_n[3 * PATCH_MAX], still[3 * PATCH_MAX], g[PLI_LOCAL_MAX];
        const double spin[3] = {p.dim == 3 ? 2 : 0, p.dim == 3 ? -1 : 0, 3};
        for (int i = 0; i < 3 * p.vertex_count; ++i)
            x_n[i] = p.rest[i] + (i % 3 < p.dim ? pli_random_in(&r, -0.2, 0.2) : 0);
        for (int v = 0; v < p.vertex_count; ++v) {
            double velocity[3];
            pli_cross3(spin, x_n + 3 * v, velocity);
            for (int c = 0; c < 3; ++c)
                still[3 * v + c] = x_n[3 * v + c] - (c < p.dim ? velocity[c] + 5 : 0) / 10;
        }
        begin(&term, 10, x_n, still);
        ASSERT_NEAR(eval_first(&term, p.dim, x_n, false, g, NULL), 0, 1e-26); // squares of rounding
        for (int i = 0; i < n; ++i) ASSERT_NEAR(g[i], 0, 1e-12);
        for (int i = 0; i < 3 * p.vertex_count; ++i)
            still[i] += i % 3 < p.dim ? pli_random_in(&r, -0.2, 0.2) : 0;
        begin(&term, 10, x_n, still);
        eval_first(&term, p.dim, x_n, false, g, NULL);
        double force[3] = {0}, torque[3] = {0};
        for (int v = 0; v < n / p.dim; ++v) {
            double f[3] = {0}, moment[3];
            memcpy(f, g + v * p.dim, sizeof(double) * (size_t)p.dim);
            pli_cross3(x_n + 3 * p.vertices[v], f, moment);
            pli_axpy(1, f, force, 3);
            pli_axpy(1, moment, torque, 3);
        }
        for (int c = 0; c < 3; ++c) {
            ASSERT_NEAR(force[c], 0, 1e-11); // forces of some 100 N
            ASSERT_NEAR(torque[c], 0, 1e-11);
        }
        end_term(&memory, &term);
    }
}

// At rest with v = A X: R = V (eta |sym A|^2 + zeta/2 (tr A)^2), on every kind of element.
static void test_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int k = 0; k < 4; ++k) {
        patch p = make_patch(solid_kinds[k], 0);
        pli_term term = make_solid(&memory, "viscosity", settings, 2, &p);
        const double A[9] = {0.3, 0.5, -0.2, 0.1, -0.4, 0.7, 0.6, 0.2, 0.9};
        double moved[3 * PATCH_MAX], still[3 * PATCH_MAX], square = 0, trace = 0;
        deform(&p, A, moved);
        for (int i = 0; i < 3 * p.vertex_count; ++i) still[i] = p.rest[i] - moved[i] / 4;
        for (int i = 0; i < p.dim; ++i) {
            trace += A[4 * i];
            for (int j = 0; j < p.dim; ++j) square += pow(0.5 * (A[3 * i + j] + A[3 * j + i]), 2);
        }
        begin(&term, 4, p.rest, still);
        double volume = p.dim == 2 ? 0.7 / 2 : 1. / 6, g[PLI_LOCAL_MAX];
        double R = volume * (30 * square + 25 * trace * trace);
        ASSERT_NEAR(eval_first(&term, p.dim, p.rest, false, NULL, NULL), R / 4, 1e-13 * R);
        double power = 0; // dR/dv . v = 2 R
        eval_first(&term, p.dim, p.rest, false, g, NULL);
        for (int v = 0; v < pli_element_size(p.kind); ++v)
            power += pli_dot(g + v * p.dim, moved + 3 * p.vertices[v], p.dim);
        ASSERT_NEAR(power, 2 * R, 1e-12 * R);
        end_term(&memory, &term);
    }
}

static void test_settings(void** state) {
    (void)state;
    pli_error error = {0};
    double values[2];
    const pli_setting none[2] = {{"shear", 0}, {"bulk", 0}}, negative[1] = {{"shear", -1}};
    const pli_energy_type* type = find_type("viscosity");
    assert_int_equal(pli_energy_params(type, none, 2, values, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "both 0"));
    assert_int_equal(pli_energy_params(type, negative, 1, values, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_energy_params(type, settings, 2, values, &error), PLI_OK);
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
