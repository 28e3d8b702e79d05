// Volume term: the contract, the projection, small strains, closed form.
#include "energy/solid_fixture.h"

static const pli_setting settings[] = {{"lame_lambda", 1e5}};
static const solid_case volume = {"volume", settings, 1, .inverts = true};

static void contract(void** state) {
    (void)state;
    check_contract_of_solid(&volume);
}

static void projection(void** state) {
    (void)state;
    check_projection_of_solid(&volume, 1500);
}

static void small_strains(void** state) {
    (void)state;
    check_small_strains(&volume, 0, 1e5);
}

static void all_states(void** state) {
    (void)state;
    check_all_states(&volume);
}

static void closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {3};
    for (int i = 0; i < 50; ++i) {
        patch p = make_patch(i % 2 ? PLI_TETRAHEDRON : PLI_TRIANGLE, 0);
        double s[3], F[9], x[3 * PATCH_MAX], J = 1, v = p.dim == 2 ? 0.35 : 1.0 / 6;
        pli_term term = make_solid(&memory, "volume", settings, 1, &p);
        for (int a = 0; a < 3; ++a) s[a] = pli_random_in(&r, -2, 2);
        for (int a = 0; a < p.dim; ++a) J *= s[a];
        random_f(&r, p.dim, s, F);
        deform(&p, F, x);
        // J - 1 is a sum of numbers up to 8
        ASSERT_NEAR(eval_first(&term, p.dim, x, false, NULL, NULL), v * 5e4 * (J - 1) * (J - 1),
                    1e-8);
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
