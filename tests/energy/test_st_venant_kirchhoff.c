// St. Venant-Kirchhoff solid: the contract, the projection, small strains, plane stress, uniaxial
// tension in closed form.
#include "energy/solid_fixture.h"

static const pli_setting settings[] = {{"young", 1e5}, {"poisson", 0.4}};
static const pli_setting sheet[] = {{"young", 1e5}, {"poisson", 0.4}, {"plane_stress", 1}};
static const solid_case green = {"st-venant-kirchhoff", settings, 2, .inverts = true};
static const solid_case thin = {"st-venant-kirchhoff", sheet, 3, .sheet = true};
static const double mu = 1e5 / 2.8, lam = 1e5 * 0.4 / (1.4 * 0.2);

static void contract(void** state) {
    (void)state;
    check_contract_of_solid(&green);
    check_contract_of_solid(&thin);
}

static void projection(void** state) {
    (void)state;
    check_projection_of_solid(&green, 500);
    check_projection_of_solid(&thin, 100);
}

static void small_strains(void** state) {
    (void)state;
    check_small_strains(&green, mu, lam);
    check_small_strains(&thin, mu, lam);
}

static void all_states(void** state) {
    (void)state;
    check_all_states(&green);
}

// P = l E (l^2 - 1) / 2, lateral^2 = 1 - nu (l^2 - 1)
static void uniaxial_tension(void** state) {
    (void)state;
    double rows[5][3] = {{0.8}, {0.9}, {1.1}, {1.3}, {1.6}};
    for (int i = 0; i < 5; ++i) {
        double l = rows[i][0], square = l * l - 1;
        rows[i][1] = sqrt(1 - 0.4 * square);
        rows[i][2] = l * 1e5 * square / 2;
    }
    check_uniaxial("st-venant-kirchhoff", (const double(*)[3])rows, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),         cmocka_unit_test(projection),
        cmocka_unit_test(small_strains),    cmocka_unit_test(all_states),
        cmocka_unit_test(uniaxial_tension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
