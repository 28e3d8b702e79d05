// Elastic, perfectly plastic springs: the contract on both sides of the yield force, and the state.
#include "energy/fixture.h"

static const double params[] = {400, 60}; // k [N/m], f_y [N]
static const double rest[] = {0, 0, 0, 0.7, 0.2, 0.4, -0.3, 0.9, -0.2, 1.1, 1.2, 0.3};
static const int32_t segments[] = {0, 1, 1, 2, 2, 0, 3, 1, 0, 3};

static pli_domain domain_of(int dim) {
    return (pli_domain){
        .dim = dim, .kind = PLI_SEGMENT, .element_count = 5, .vertices = segments, .rest = rest};
}

static double* slip_of(const pli_term* term) {
    size_t size;
    const void* initial;
    return term->ops->state(term->self, &size, &initial);
}

static void contract_at_random_states(void** state) {
    (void)state;
    pli_random r = {31};
    for (int i = 0; i < 100; ++i) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_domain domain = domain_of(2 + i % 2);
        pli_term term = make_term(&memory, "slider", params, &domain);
        double x[12], size = 2 * pow(0.5, i % 5);
        for (int v = 0; v < 12; ++v) x[v] = (rest[v] + pli_random_in(&r, -0.2, 0.2)) * size;
        for (int s = 0; s < 5; ++s) slip_of(&term)[s] = pli_random_in(&r, -0.3, 0.3);
        pli_check_contract(&term, &(pli_contract){.dim = domain.dim,
                                                  .vertex_count = 4,
                                                  .x = x,
                                                  .step = 1e-5 * size,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .internal = true,
                                                  .objective = true,
                                                  .clamp_tolerance = 1e-12}); // rounding
        end_term(&memory, &term);
    }
}

// Pulled far beyond yield: the force is f_y; what `commit` takes away is f_y times the slip.
static void commit_dissipates(void** state) {
    (void)state;
    static const double from[] = {0, 0, 0, 1, 0, 0}, to[] = {0, 0, 0, 2, 0, 0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {
        .dim = 2, .kind = PLI_SEGMENT, .element_count = 1, .vertices = segments, .rest = from};
    pli_term term = make_term(&memory, "slider", params, &domain);
    double g[4], elastic = params[1] / params[0];
    double before = eval_first(&term, 2, to, false, g, NULL);
    ASSERT_NEAR(g[2], params[1], 1e-12);
    ASSERT_NEAR(before, params[1] * (1 - 0.5 * elastic), 1e-12);
    term.ops->commit(term.self, to);
    ASSERT_NEAR(*slip_of(&term), 1 - elastic, 1e-15);
    double after = eval_first(&term, 2, to, false, g, NULL);
    ASSERT_NEAR(g[2], params[1], 1e-12);
    ASSERT_NEAR(before - after, params[1] * (1 - elastic), 1e-12);
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(commit_dissipates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
