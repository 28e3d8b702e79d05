// Gravity: linear, so the contract at any state and the closed form say everything.
#include "energy/fixture.h"

static const double mass[] = {2, 0.5, 3}, g[] = {1, -9.81, 4};
static const double rest[] = {0, 0, 0, 1, 2, 3, -1, 0.5, 2};
static const int32_t vertices[] = {2, 0, 1};

static void check(int dim) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {
        .dim = dim, .element_count = 3, .vertices = vertices, .rest = rest, .mass = mass};
    pli_term term = make_term(&memory, "gravity", g, &domain);
    assert_true(term.ops->linear);
    pli_check_contract(&term, &(pli_contract){.dim = dim,
                                              .vertex_count = 3,
                                              .x = rest,
                                              .step = 1e-2,
                                              .gradient_tolerance = 1e-7,
                                              .hessian_tolerance = 1e-6,
                                              .clamp_tolerance = 0});
    double force[12], e = eval_first(&term, dim, rest, false, force, NULL); // vertex 2
    double expected = -3 * (-1 * 1 + 0.5 * -9.81 + (dim == 3 ? 2 * 4 : 0));
    ASSERT_NEAR(e, expected, 1e-13 * fabs(expected)); // two or three roundings
    for (int i = 0; i < dim; ++i) assert_true(force[i] == -3 * g[i]);
    end_term(&memory, &term);
}

static void contract_and_closed_form(void** state) {
    (void)state;
    check(2);
    check(3);
}

static void default_is_earth(void** state) {
    (void)state;
    double values[3];
    assert_int_equal(pli_energy_params(find_type("gravity"), NULL, 0, values, NULL), PLI_OK);
    assert_true(values[0] == 0 && values[1] == -9.81 && values[2] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_and_closed_form),
        cmocka_unit_test(default_is_earth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
