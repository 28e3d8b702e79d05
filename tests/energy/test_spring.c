// Springs in the squared length: the contract, closed forms, refused elements.
#include "energy/fixture.h"

static const double k[] = {350};
static const double rest[] = {0, 0, 0, 0.7, 0.2, 0.4, -0.3, 0.9, -0.2, 1.1, 1.2, 0.3};
static const int32_t segments[] = {0, 1, 1, 2, 2, 0, 3, 1, 0, 3};

static pli_domain make_domain(int dim) {
    return (pli_domain){.dim = dim, .kind = PLI_SEGMENT, .element_count = 5, .vertices = segments, .rest = rest};
}

static void contract_at(int dim, const double* x) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = make_domain(dim);
    pli_term term = make_term(&memory, "spring", k, &domain);
    pli_check_contract(&term, &(pli_contract){.dim = dim,
                                              .vertex_count = 4,
                                              .x = x,
                                              .step = 1e-4,
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
    pli_random r = {11};
    for (int i = 0; i < 200; ++i) {
        // from nearly collapsed over compressed to stretched five times
        double x[12], size = 5 * pow(0.5, i % 12);
        for (int v = 0; v < 12; ++v) x[v] = rest[v] * size + pli_random_in(&r, -0.3, 0.3) * size;
        contract_at(2, x);
        contract_at(3, x);
    }
}

static void contract_at_rest_and_collapsed(void** state) {
    (void)state;
    static const double point[12] = {0};
    contract_at(2, rest);
    contract_at(3, rest);
    contract_at(2, point);
    contract_at(3, point);
}

// One spring of rest length 2 along x, stretched to length 3: q = 9/4,
// P = 4 k/2 (5/4)^2, force 2 k (5/4) 3.
static void closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    static const double from[] = {0, 0, 0, 2, 0, 0}, to[] = {1, 1, 0, 4, 1, 0};
    pli_domain domain = {.dim = 2, .kind = PLI_SEGMENT, .element_count = 1, .vertices = segments, .rest = from};
    pli_term term = make_term(&memory, "spring", k, &domain);
    double g[12], H[144], e = eval_first(&term, 2, to, false, g, H);
    ASSERT_NEAR(e, 3.125 * k[0], 1e-12 * e); // a few roundings
    ASSERT_NEAR(g[2], 7.5 * k[0], 1e-12 * e);
    ASSERT_NEAR(g[0], -7.5 * k[0], 1e-12 * e);
    ASSERT_NEAR(g[1], 0.0, 0);
    ASSERT_NEAR(H[0], k[0] * (2.5 + 9), 1e-12 * H[0]);   // 2k (q - 1) + (4k/l^2) d^2
    ASSERT_NEAR(H[4 * 1 + 1], k[0] * 2.5, 1e-12 * H[0]); // 2k (q - 1)
    ASSERT_NEAR(H[4 * 3 + 1], -k[0] * 2.5, 1e-12 * H[0]);
    eval_first(&term, 2, from, false, g, H); // at rest: stiffness 4 k along, nothing across
    ASSERT_NEAR(H[0], 4 * k[0], 1e-12 * k[0]);
    ASSERT_NEAR(H[4 * 1 + 1], 0.0, 0);
    assert_null(term.ops->max_step);
    end_term(&memory, &term);
}

static void zero_length_is_refused(void** state) {
    (void)state;
    static const double flat[] = {0, 0, 0, 1, 0, 0, 1, 0, 5};
    static const int32_t chain[] = {0, 1, 1, 2};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {.dim = 2, .kind = PLI_SEGMENT, .element_count = 2, .vertices = chain, .rest = flat};
    pli_term term = {0};
    pli_error error = {0};
    assert_int_equal(
        pli_element_term_create(&memory, find_type("spring"), k, &domain, &term, &error),
        PLI_E_ARGUMENT);
    assert_string_equal(error.message,
                        "segment 1: two vertices are at the same position at rest: the "
                        "rest length must be > 0");
    assert_null(term.self);
    assert_int_equal(memory.bytes, 0);
    domain.dim = 3; // in space z tells them apart
    term = make_term(&memory, "spring", k, &domain);
    end_term(&memory, &term);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(contract_at_rest_and_collapsed),
        cmocka_unit_test(closed_form),
        cmocka_unit_test(zero_length_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
