// Dashpots keep the contract, are what their formula says, and do not resist rigid motion.
#include "energy/fixture.h"

static const double damping[] = {7};
static const double rest[] = {0, 0, 0, 3, 4, 0, -1, 0.5, 2};
static const int32_t segments[] = {0, 1, 1, 2};

// At velocities 10 (x - x_still).
static pli_term make_dashpots(pli_memory* memory, int dim, const double* x_still) {
    pli_domain domain = {
        .dim = dim, .kind = PLI_SEGMENT, .element_count = 2, .vertices = segments, .rest = rest};
    pli_memory_init(memory, NULL);
    pli_term term = make_term(memory, "dashpot", damping, &domain);
    assert_int_equal(term.ops->role, PLI_DISSIPATION);
    pli_step step = {.h = 0.1, .velocity_rate = 10, .x_n = rest, .x_still = x_still};
    assert_int_equal(term.ops->begin_step(term.self, &step, NULL), PLI_OK);
    return term;
}

static void contract_at_random_states(void** state) {
    (void)state;
    pli_random r = {81};
    for (int i = 0; i < 50; ++i) {
        double x[9], x_still[9];
        int dim = 2 + i % 2;
        for (int v = 0; v < 9; ++v) {
            x[v] = pli_random_in(&r, -3, 3);
            x_still[v] = pli_random_in(&r, -3, 3);
        }
        pli_memory memory;
        pli_term term = make_dashpots(&memory, dim, x_still);
        pli_check_contract(&term, &(pli_contract){.dim = dim,
                                                  .vertex_count = 3,
                                                  .x = x,
                                                  .step = 1e-4,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .clamp_tolerance = 1e-12}); // rounding
        end_term(&memory, &term);
    }
}

// v_a = (5, 0) along n = -(3, 4) / 5: the length of 5 m shrinks by 3 m/s. D is R h for a velocity
// that is 10 (x - x_still): R / 10.
static void closed_form(void** state) {
    (void)state;
    double still[9], g[6], H[36];
    pli_memory memory;
    memcpy(still, rest, sizeof still);
    still[0] -= 0.5;
    pli_term term = make_dashpots(&memory, 2, still);
    ASSERT_NEAR(eval_first(&term, 2, rest, false, g, H), 0.5 * damping[0] * 9 / 10, 1e-12);
    ASSERT_NEAR(g[0], damping[0] * 3 * 0.6, 1e-12);
    ASSERT_NEAR(g[1], damping[0] * 3 * 0.8, 1e-12);
    ASSERT_NEAR(g[2] + g[0], 0.0, 1e-12);
    ASSERT_NEAR(H[0], 10 * damping[0] * 0.36, 1e-11);
    end_term(&memory, &term);
}

static void rigid_motion_is_free(void** state) {
    (void)state;
    double still[9], g[6];
    pli_memory memory;
    for (int v = 0; v < 3; ++v) { // v = (1, 2) + (-y, x)
        still[3 * v] = rest[3 * v] - 0.1 * (1 - rest[3 * v + 1]);
        still[3 * v + 1] = rest[3 * v + 1] - 0.1 * (2 + rest[3 * v]);
        still[3 * v + 2] = rest[3 * v + 2];
    }
    pli_term term = make_dashpots(&memory, 2, still);
    ASSERT_NEAR(eval_first(&term, 2, rest, false, g, NULL), 0.0, 1e-24);
    for (int i = 0; i < 4; ++i) ASSERT_NEAR(g[i], 0.0, 1e-12);
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(closed_form),
        cmocka_unit_test(rigid_motion_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
