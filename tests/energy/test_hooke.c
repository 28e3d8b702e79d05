// Hooke's springs: the contract away from the kink, closed forms, the kink itself.
#include "energy/fixture.h"

static const double k[] = {420};
static const double rest[] = {0, 0, 0, 0.7, 0.2, 0.4, -0.3, 0.9, -0.2, 1.1, 1.2, 0.3};
static const int32_t segments[] = {0, 1, 1, 2, 2, 0, 3, 1, 0, 3};

static void contract_at(int dim, const double* x, double step) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {.dim = dim, .kind = PLI_SEGMENT, .element_count = 5, .vertices = segments, .rest = rest};
    pli_term term = make_term(&memory, "hooke", k, &domain);
    pli_check_contract(&term, &(pli_contract){.dim = dim,
                                              .vertex_count = 4,
                                              .x = x,
                                              .step = step,
                                              .gradient_tolerance = 1e-7,
                                              .hessian_tolerance = 1e-6,
                                              .internal = true,
                                              .objective = true,
                                              // both clamp the same eigenvalues: rounding alone
                                              .clamp_tolerance = 1e-12});
    end_term(&memory, &term);
}

static void contract_at_random_states(void** state) {
    (void)state;
    pli_random r = {12};
    for (int i = 0; i < 200; ++i) {
        double x[12], size = 4 * pow(0.5, i % 10);
        for (int v = 0; v < 12; ++v) x[v] = (rest[v] + pli_random_in(&r, -0.2, 0.2)) * size;
        // differences must stay well away from the kink at length 0
        contract_at(2, x, 1e-4 * size);
        contract_at(3, x, 1e-4 * size);
    }
    contract_at(2, rest, 1e-4);
    contract_at(3, rest, 1e-4);
}

static void closed_form_and_kink(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    static const double from[] = {0, 0, 0, 2, 0, 0};
    static const double longer[] = {0, 0, 0, 0, 3, 0}, shorter[] = {0, 0, 0, 0.5, 0, 0};
    static const double point[6] = {0}, near[] = {0, 0, 0, 1e-150, 0, 0};
    pli_domain domain = {.dim = 2, .kind = PLI_SEGMENT, .element_count = 1, .vertices = segments, .rest = from};
    pli_term term = make_term(&memory, "hooke", k, &domain);
    double g[12], H[144];
    ASSERT_NEAR(eval_first(&term, 2, longer, false, g, H), 0.5 * k[0], 1e-12 * k[0]);
    ASSERT_NEAR(g[3], k[0], 1e-12 * k[0]);     // force = k times the extension of 1
    ASSERT_NEAR(H[0], k[0] / 3, 1e-12 * k[0]); // across: k (1 - l/r)
    ASSERT_NEAR(H[4 + 1], k[0], 1e-12 * k[0]); // along: k
    eval_first(&term, 2, shorter, false, g, H);
    ASSERT_NEAR(H[4 + 1], -3 * k[0], 1e-12 * k[0]); // buckling
    eval_first(&term, 2, shorter, true, g, H);
    ASSERT_NEAR(H[4 + 1], 0.0, 0);
    ASSERT_NEAR(H[0], k[0], 1e-12 * k[0]);
    ASSERT_NEAR(eval_first(&term, 2, point, false, g, H), 2 * k[0], 1e-12 * k[0]);
    for (int i = 0; i < 4; ++i) {
        ASSERT_NEAR(g[i], 0.0, 0);
        ASSERT_NEAR(H[4 * i + i], k[0], 0);
    }
    eval_first(&term, 2, near, false, g, H);
    for (int i = 0; i < 16; ++i) assert_true(isfinite(H[i]));
    ASSERT_NEAR(g[0], 2 * k[0], 1e-12 * k[0]);
    end_term(&memory, &term);
}

static void zero_length_is_refused(void** state) {
    (void)state;
    static const double flat[6] = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {.dim = 2, .kind = PLI_SEGMENT, .element_count = 1, .vertices = segments, .rest = flat};
    pli_term term = {0};
    pli_error error = {0};
    assert_int_equal(
        pli_element_term_create(&memory, find_type("hooke"), k, &domain, &term, &error),
        PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "segment 0: "));
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(closed_form_and_kink),
        cmocka_unit_test(zero_length_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
