// Stable neo-Hookean solid: the contract, the projection, small strains, plane stress, closed form.
#include "energy/solid_fixture.h"

static const pli_setting settings[] = {{"young", 1e5}, {"poisson", 0.45}};
static const pli_setting sheet[] = {{"young", 1e5}, {"poisson", 0.45}, {"plane_stress", 1}};
static const pli_setting auxetic[] = {{"young", 1e5}, {"poisson", -0.8}};
static const solid_case stable = {"stable-neo-hookean", settings, 2, .inverts = true};
static const solid_case thin = {"stable-neo-hookean", sheet, 3, .sheet = true};
static const double mu = 1e5 / 2.9, lam = 1e5 * 0.45 / (1.45 * 0.1);

static void contract(void** state) {
    (void)state;
    check_contract_of_solid(&stable);
    check_contract_of_solid(&thin);
}

static void projection(void** state) {
    (void)state;
    check_projection_of_solid(&stable, 500);
    check_projection_of_solid(&thin, 100);
}

static void small_strains(void** state) {
    (void)state;
    check_small_strains(&stable, mu, lam);
    check_small_strains(&thin, mu, lam);
    const solid_case odd = {"stable-neo-hookean", auxetic, 2, .inverts = true};
    check_small_strains(&odd, 1e5 / 0.4, 1e5 * -0.8 / (0.2 * 2.6));
}

static void all_states(void** state) {
    (void)state;
    check_all_states(&stable);
}

// The paper's form: mu'/2 (I - 3) + lam'/2 (J - alpha)^2 - mu'/2 ln(I + 1), less its value at rest.
static void closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    patch p = make_patch(PLI_TETRAHEDRON, 0);
    pli_term term = make_solid(&memory, "stable-neo-hookean", settings, 2, &p);
    double F[9] = {1.2, 0.3, 0, -0.1, 0.8, 0.2, 0.4, 0, -1.5}, x[3 * PATCH_MAX];
    double m = 4.0 / 3 * mu, l = lam + 5.0 / 6 * mu, alpha = 1 + 0.75 * m / l, I = 0;
    for (int i = 0; i < 9; ++i) I += F[i] * F[i];
    double J = 1.2 * (0.8 * -1.5) - 0.3 * (-0.1 * -1.5 - 0.2 * 0.4);
    double paper = m / 2 * (I - 3) + l / 2 * (J - alpha) * (J - alpha) - m / 2 * log(I + 1);
    double rest = l / 2 * (1 - alpha) * (1 - alpha) - m / 2 * log(4);
    deform(&p, F, x);
    ASSERT_NEAR(eval_first(&term, 3, x, false, NULL, NULL) * 6 / (paper - rest), 1, 1e-13);
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),      cmocka_unit_test(projection),
        cmocka_unit_test(small_strains), cmocka_unit_test(all_states),
        cmocka_unit_test(closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
