// Seams: the contract, the length that closes step by step, where it ends.
#include "energy/fixture.h"

static const double rest[] = {0, 0, 0, 0.7, 0.2, 0.4, -0.3, 0.9, -0.2, 1.1, 1.2, 0.3};
static const int32_t segments[] = {0, 1, 1, 2, 2, 0, 3, 1, 0, 3};

static double* length_of(const pli_term* term) {
    size_t size;
    const void* initial;
    return term->ops->state(term->self, &size, &initial);
}

static pli_term make_seams(pli_memory* memory, int dim, double close, double gap,
                           const double* offset) {
    const double params[] = {300, close, gap};
    pli_domain domain = {.dim = dim,
                         .kind = PLI_SEGMENT,
                         .element_count = 5,
                         .vertices = segments,
                         .rest = rest,
                         .offset = offset};
    pli_memory_init(memory, NULL);
    return make_term(memory, "seam", params, &domain);
}

static void contract_at_random_states(void** state) {
    (void)state;
    pli_random r = {61};
    for (int i = 0; i < 100; ++i) {
        pli_memory memory;
        int dim = 2 + i % 2;
        pli_term term = make_seams(&memory, dim, 1, NAN, NULL);
        double x[12];
        for (int v = 0; v < 12; ++v) x[v] = rest[v] + pli_random_in(&r, -0.2, 0.2);
        for (int s = 0; s < 5; ++s) length_of(&term)[s] = pli_random_in(&r, 0, 1);
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
    }
}

// Nothing at rest; then the length falls by the same amount in each step, and stays at the gap.
static void closes_in_time(void** state) {
    (void)state;
    const double gaps[] = {0, 0.1, 2}, h = 0.1; // the last one opens
    for (int i = 0; i < 3; ++i) {
        pli_memory memory;
        pli_term term = make_seams(&memory, 3, 1, gaps[i], NULL);
        double start = sqrt(0.49 + 0.04 + 0.16), *length = length_of(&term);
        pli_error error = {0};
        assert_true(eval_first(&term, 3, rest, false, NULL, NULL) < 1e-30);
        for (int step = 0; step < 15; ++step) {
            double part = fmin(step * h, 1);
            ASSERT_NEAR(length[0], (1 - part) * start + part * gaps[i], 1e-12); // rounding
            pli_step s = {.h = h};
            ASSERT_OK(term.ops->begin_step(term.self, &s, &error));
            term.ops->commit(term.self, rest);
        }
        assert_true(length[0] == gaps[i]);
        end_term(&memory, &term);
    }
}

static void default_gap_is_where_contact_begins(void** state) {
    (void)state;
    const double offset[] = {0.01, 0.02, 0.03, 0.04};
    pli_memory memory;
    pli_term term = make_seams(&memory, 3, 0, NAN, offset); // at once
    ASSERT_NEAR(length_of(&term)[0], 0.03, 1e-16);
    ASSERT_NEAR(length_of(&term)[3], 0.06, 1e-16);
    end_term(&memory, &term);
    term = make_seams(&memory, 3, 0, NAN, NULL); // no contact
    assert_true(length_of(&term)[0] == 0);
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(closes_in_time),
        cmocka_unit_test(default_gap_is_where_contact_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
