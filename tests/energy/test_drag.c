// Drag keeps the contract and is what its formula says, also at no speed.
#include "energy/fixture.h"

#include "math/vec.h"

static const double rest[] = {0, 0, 0, 1, 2, 3, -1, 0.5, 2}, area[] = {0.5, 2, 0};
static const int32_t vertices[] = {0, 1, 2};
static const double params[] = {1.2, 0.3, 4, -3, 1}; // c, b, wind

static pli_term make_drag(pli_memory* memory, int dim, double rate, const double* x_still) {
    pli_domain domain = {
        .dim = dim, .element_count = 3, .vertices = vertices, .rest = rest, .area = area};
    pli_term term = make_term(memory, "drag", params, &domain);
    assert_int_equal(term.ops->role, PLI_DISSIPATION);
    pli_error error = {0};
    double g[3];
    assert_true(eval_first(&term, dim, rest, false, g, NULL) == 0); // no velocity is known yet
    assert_true(g[0] == 0 && g[1] == 0);
    pli_step step = {.h = 0.1, .velocity_rate = rate, .x_n = rest, .x_still = x_still};
    assert_int_equal(term.ops->begin_step(term.self, &step, &error), PLI_OK);
    return term;
}

static void test_contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {14};
    for (int i = 0; i < 40; ++i) {
        double x[9], x_still[9];
        for (int v = 0; v < 9; ++v) {
            x[v] = pli_random_in(&r, -3, 3);
            x_still[v] = pli_random_in(&r, -3, 3);
        }
        pli_term term = make_drag(&memory, 2 + i % 2, 10, x_still);
        pli_check_contract(&term, &(pli_contract){.dim = 2 + i % 2,
                                                  .vertex_count = 3,
                                                  .x = x,
                                                  .step = 1e-4,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .clamp_tolerance = 1e-12}); // rounding
        end_term(&memory, &term);
    }
}

// u = v - wind = (3, 4): |u| = 5. At the speed of the wind there is no force, and b A is left of
// the Hessian.
static void test_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double still[9] = {-0.7, -0.1, 0}, g[3], H[9];
    pli_term term = make_drag(&memory, 2, 10, still);
    double R = 0.5 * (1.2 / 6 * 125 + 0.3 / 2 * 25), f = 0.5 * (0.6 * 5 + 0.3);
    ASSERT_NEAR(eval_first(&term, 2, rest, false, g, H), R / 10, 1e-13);
    ASSERT_NEAR(g[0], 3 * f, 1e-13);
    ASSERT_NEAR(g[1], 4 * f, 1e-13);
    ASSERT_NEAR(H[0], 10 * 0.5 * (0.6 * (5 + 9. / 5) + 0.3), 1e-12);
    ASSERT_NEAR(H[1], 10 * 0.5 * 0.6 * 12. / 5, 1e-12);
    end_term(&memory, &term);
    still[0] = -4;
    still[1] = 3;
    term = make_drag(&memory, 2, 1, still);
    assert_true(eval_first(&term, 2, rest, false, g, H) == 0);
    assert_true(g[0] == 0 && g[1] == 0 && H[1] == 0);
    ASSERT_NEAR(H[0], 0.5 * 0.3, 1e-15);
    end_term(&memory, &term);
}

static void test_no_surface(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {.dim = 2, .element_count = 3, .vertices = vertices, .rest = rest};
    pli_term term;
    pli_error error = {0};
    assert_int_equal(
        pli_element_term_create(&memory, find_type("drag"), params, &domain, &term, &error),
        PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no surface"));
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_no_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
