// Small-strain solid: the contract, Hooke's law at any size of strain, a constant positive Hessian.
#include "energy/solid_fixture.h"

static const pli_setting settings[] = {{"young", 1e5}, {"poisson", 0.3}};
static const pli_setting sheet[] = {{"young", 1e5}, {"poisson", 0.3}, {"plane_stress", 1}};
static const solid_case linear = {"linear", settings, 2, .inverts = true, .not_objective = true};
static const solid_case thin = {"linear", sheet, 3, .sheet = true, .not_objective = true};

static void contract(void** state) {
    (void)state;
    check_contract_of_solid(&linear);
    check_contract_of_solid(&thin);
}

static void small_strains(void** state) {
    (void)state;
    double mu = 1e5 / 2.6, lam = 1e5 * 0.3 / (1.3 * 0.4);
    check_small_strains(&linear, mu, lam);
    check_small_strains(&thin, mu, lam);
}

// In plane stress sigma_xx = E / (1 - nu^2) (e_xx + nu e_yy), also for large strains.
static void plane_stress(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    patch p = make_patch(PLI_TRIANGLE, 0);
    pli_term term = make_solid(&memory, "linear", sheet, 3, &p);
    double F[9] = {1.5, 0, 0, 0, 0.9, 0, 0, 0, 1}, stress[6];
    stress_at(&term, &p, F, stress);
    ASSERT_NEAR(stress[0], 1e5 / 0.91 * (0.5 + 0.3 * -0.1), 1e-9);
    ASSERT_NEAR(stress[1], 1e5 / 0.91 * (-0.1 + 0.3 * 0.5), 1e-9);
    ASSERT_NEAR(stress[2], 0, 1e-9);
    end_term(&memory, &term);
}

static void hessian_is_constant_and_positive(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {2};
    for (size_t k = 0; k < 4; ++k) {
        patch p = make_patch(solid_kinds[k], 0.03);
        pli_term term = make_solid(&memory, "linear", settings, 2, &p);
        enum { N = PLI_LOCAL_MAX };
        double x[3 * PATCH_MAX], H[N * N], first[N * N], values[N];
        int n = p.dim * pli_element_size(p.kind), zeros = 0;
        eval_first(&term, p.dim, p.rest, false, NULL, first);
        for (int i = 0; i < 3 * p.vertex_count; ++i) x[i] = pli_random_in(&r, -2, 2);
        eval_first(&term, p.dim, x, true, NULL, H);
        assert_memory_equal(H, first, (size_t)(n * n) * sizeof *H);
        // Nothing but rigid motion has no energy: the rules have points enough.
        pli_eigen_symmetric(n, H, values, NULL);
        for (int i = 0; i < n; ++i) zeros += fabs(values[i]) < 1e-10 * values[n - 1];
        assert_int_equal(zeros, p.dim == 2 ? 3 : 6);
        assert_true(values[0] > -1e-12 * values[n - 1]);
        end_term(&memory, &term);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),
        cmocka_unit_test(small_strains),
        cmocka_unit_test(plane_stress),
        cmocka_unit_test(hessian_is_constant_and_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
