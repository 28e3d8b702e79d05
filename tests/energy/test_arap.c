// As rigid as possible: the contract, the projection, small strains, closed forms.
#include "energy/solid_fixture.h"

static const pli_setting settings[] = {{"young", 1e5}, {"poisson", 0.4}};
static const solid_case arap = {"arap", settings, 2, .inverts = true};

static void contract(void** state) {
    (void)state;
    check_contract_of_solid(&arap);
}

static void projection(void** state) {
    (void)state;
    check_projection_of_solid(&arap, 500);
}

static void small_strains(void** state) {
    (void)state;
    check_small_strains(&arap, 1e5 / 2.8, 0);
}

static void all_states(void** state) {
    (void)state;
    check_all_states(&arap);
}

// Psi = mu sum (s_i - 1)^2, whatever the frames; the last stretch carries the sign of det F.
static void closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {1};
    const pli_setting mu = {"lame_mu", 50};
    static const double s[][3] = {{2, 0.5, 0.25}, {1, 1, 1}, {1.5, 1, -0.5}, {3, 0.1, 0}};
    for (int i = 0; i < 4; ++i) {
        patch p = make_patch(PLI_TETRAHEDRON, 0);
        pli_term term = make_solid(&memory, "arap", &mu, 1, &p);
        double F[9], x[3 * PATCH_MAX], expected = 0;
        random_f(&r, 3, s[i], F);
        deform(&p, F, x);
        for (int a = 0; a < 3; ++a) expected += 50.0 / 6 * (s[i][a] - 1) * (s[i][a] - 1);
        ASSERT_NEAR(eval_first(&term, 3, x, false, NULL, NULL), expected, 1e-12);
        end_term(&memory, &term);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),      cmocka_unit_test(projection),
        cmocka_unit_test(small_strains), cmocka_unit_test(all_states),
        cmocka_unit_test(closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
