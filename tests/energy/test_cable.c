// Cables: the contract on both sides of the kink, the closed form, nothing while slack.
#include "energy/fixture.h"

static const double params[] = {420, 1.25}; // stiffness, slack
static const double rest[] = {0, 0, 0, 0.7, 0.2, 0.4, -0.3, 0.9, -0.2, 1.1, 1.2, 0.3};
static const int32_t segments[] = {0, 1, 1, 2, 2, 0, 3, 1, 0, 3};

static pli_term make_cables(pli_memory* memory, int dim, int count) {
    pli_domain domain = {.dim = dim,
                         .kind = PLI_SEGMENT,
                         .element_count = count,
                         .vertices = segments,
                         .rest = rest};
    pli_memory_init(memory, NULL);
    return make_term(memory, "cable", params, &domain);
}

// Differences must not step across the kink: states within 1e-3 of it are skipped.
static bool near_the_kink(int dim, const double* x) {
    for (int i = 0; i < 5; ++i) {
        double now = 0, then = 0;
        for (int c = 0; c < dim; ++c) {
            now += pow(x[3 * segments[2 * i] + c] - x[3 * segments[2 * i + 1] + c], 2);
            then += pow(rest[3 * segments[2 * i] + c] - rest[3 * segments[2 * i + 1] + c], 2);
        }
        if (fabs(sqrt(now) - params[1] * sqrt(then)) < 1e-3) return true;
    }
    return false;
}

static void contract_at_random_states(void** state) {
    (void)state;
    pli_random r = {71};
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
        double x[12], size = pli_random_in(&r, 0.5, 2.5);
        int dim = 2 + i % 2;
        for (int v = 0; v < 12; ++v) x[v] = size * (rest[v] + pli_random_in(&r, -0.2, 0.2));
        if (near_the_kink(dim, x)) continue;
        pli_memory memory;
        pli_term term = make_cables(&memory, dim, 5);
        pli_check_contract(&term, &(pli_contract){.dim = dim,
                                                  .vertex_count = 4,
                                                  .x = x,
                                                  .step = 1e-5,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .internal = true,
                                                  .objective = true,
                                                  .clamp_tolerance = 1e-12}); // rounding
        end_term(&memory, &term);
        ++checked;
    }
    assert_true(checked > 150);
}

static void pulls_and_never_pushes(void** state) {
    (void)state;
    pli_memory memory;
    pli_term term = make_cables(&memory, 2, 1);
    double length = params[1] * sqrt(0.7 * 0.7 + 0.2 * 0.2), g[4], H[16];
    double taut[6] = {0, 0, 0, length + 0.1, 0, 0}, slack[6] = {0, 0, 0, length - 0.1, 0, 0};
    ASSERT_NEAR(eval_first(&term, 2, taut, false, g, H), 0.5 * params[0] * 0.01, 1e-12);
    ASSERT_NEAR(g[2], 0.1 * params[0], 1e-12 * params[0]);
    ASSERT_NEAR(H[0], params[0], 1e-12 * params[0]);
    assert_true(eval_first(&term, 2, slack, false, g, H) == 0);
    for (int i = 0; i < 16; ++i) assert_true(H[i] == 0 && g[i / 4] == 0);
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(pulls_and_never_pushes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
