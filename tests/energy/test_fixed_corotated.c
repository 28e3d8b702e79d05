// Fixed corotated solid: the contract, the projection, small strains, plane stress, uniaxial
// tension.
#include "energy/solid_fixture.h"

static const pli_setting settings[] = {{"young", 1e5}, {"poisson", 0.4}};
static const pli_setting sheet[] = {{"young", 1e5}, {"poisson", 0.4}, {"plane_stress", 1}};
static const solid_case corotated = {"fixed-corotated", settings, 2, .inverts = true};
static const solid_case thin = {"fixed-corotated", sheet, 3, .sheet = true};
static const double mu = 1e5 / 2.8, lam = 1e5 * 0.4 / (1.4 * 0.2);

static void contract(void** state) {
    (void)state;
    check_contract_of_solid(&corotated);
    check_contract_of_solid(&thin);
}

static void projection(void** state) {
    (void)state;
    check_projection_of_solid(&corotated, 500);
    check_projection_of_solid(&thin, 100);
}

static void small_strains(void** state) {
    (void)state;
    check_small_strains(&corotated, mu, lam);
    check_small_strains(&thin, mu, lam);
}

static void all_states(void** state) {
    (void)state;
    check_all_states(&corotated);
}

// From the minimum of Psi over the lateral stretch, with digits from an independent computation.
static void uniaxial_tension(void** state) {
    (void)state;
    static const double rows[][3] = {{0.5, 1.259921050, -82497.143},
                                     {0.8, 1.089081178, -22947.914},
                                     {1.1, 0.961987198, 9517.391},
                                     {1.5, 0.841700752, 42059.076},
                                     {2.0, 0.737843259, 78336.807}};
    check_uniaxial("fixed-corotated", rows, 5);
}

// Plane stress: F_zz = (2 mu + lam a) / (2 mu + lam a^2) with a = det F in the plane.
static void thickness(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    patch p = make_patch(PLI_TRIANGLE, 0);
    pli_term term = make_solid(&memory, "fixed-corotated", sheet, 3, &p);
    double F[9] = {1.4, 0, 0, 0, 1.1, 0, 0, 0, 1}, x[3 * PATCH_MAX], a = 1.4 * 1.1;
    double zz = (2 * mu + lam * a) / (2 * mu + lam * a * a), J = a * zz;
    deform(&p, F, x);
    double expected = mu * (0.16 + 0.01 + (zz - 1) * (zz - 1)) + 0.5 * lam * (J - 1) * (J - 1);
    double energy = eval_first(&term, 2, x, false, NULL, NULL), stress[6];
    ASSERT_NEAR(energy / (0.35 * expected), 1, 1e-13);
    stress_at(&term, &p, F, stress);
    ASSERT_NEAR(stress[2], 0, 1e-9); // rounding of stresses of 1e5
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),         cmocka_unit_test(projection),
        cmocka_unit_test(small_strains),    cmocka_unit_test(all_states),
        cmocka_unit_test(uniaxial_tension), cmocka_unit_test(thickness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
