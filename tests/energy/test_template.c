// The example energy: copy this file with src/energy/template.c.
#include "energy/fixture.h"

static const double k[] = {50};
static const double rest[] = {0, 0, 0, 1, 2, 3, -1, 0.5, 2};
static const int32_t vertices[] = {0, 1, 2};

// The shared contract: finite differences, symmetry, positive projection and so on. An energy that
// depends on relative positions only would also be `internal` and `objective`.
static void contract_at(int dim, const double* x) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {.dim = dim, .element_count = 3, .vertices = vertices, .rest = rest};
    pli_term term = make_term(&memory, "anchor", k, &domain);
    pli_check_contract(&term, &(pli_contract){.dim = dim,
                                              .vertex_count = 3,
                                              .x = x,
                                              .step = 1e-3,
                                              .gradient_tolerance = 1e-7,
                                              .hessian_tolerance = 1e-6,
                                              .clamp_tolerance = 1e-12}); // rounding
    end_term(&memory, &term);
}

static void contract_at_random_states(void** state) {
    (void)state;
    pli_random r = {13};
    for (int i = 0; i < 50; ++i) {
        double x[9];
        for (int v = 0; v < 9; ++v) x[v] = pli_random_in(&r, -3, 3);
        contract_at(2, x);
        contract_at(3, x);
    }
    contract_at(2, rest);
    contract_at(3, rest);
}

// One case known from paper and pencil: 3 m right and 4 m up of its place.
static void closed_form(void** state) {
    (void)state;
    static const double x[] = {3, 4, 9};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {.dim = 2, .element_count = 1, .vertices = vertices, .rest = rest};
    pli_term term = make_term(&memory, "anchor", k, &domain);
    double g[12], H[144];
    assert_true(eval_first(&term, 2, x, false, g, H) == 0.5 * k[0] * 25);
    assert_true(g[0] == 3 * k[0] && g[1] == 4 * k[0]);
    assert_true(H[0] == k[0] && H[1] == 0 && H[2] == 0 && H[3] == k[0]);
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
