// Quadratic bending: the contract, its value without stretch, and rest shapes that are not flat.
#include "energy/fixture.h"

static const double k[] = {35, 0, NAN, NAN, 0, 0, 0};
static const int32_t hinge[] = {0, 1, 2, 3};
// The edge is 2 m long on the y axis; the apexes are 1 m to the left and to the right of it.
static const double flat[] = {-1, 1.3, 0, 0, 0, 0, 0, 2, 0, 1, 0.4, 0};
static const double w = 3 * 4 / 2.0; // 3 |e|^2 / (A1 + A2)

static pli_domain domain_of(const double* rest) {
    return (pli_domain){
        .dim = 3, .kind = PLI_STENCIL, .element_count = 1, .vertices = hinge, .rest = rest};
}

static void contract_at_random_states(void** state) {
    (void)state;
    pli_random r = {61};
    for (int i = 0; i < 50; ++i) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        double rest[12], x[12];
        for (int v = 0; v < 12; ++v) {
            rest[v] = flat[v] + (v % 3 < 2 ? pli_random_in(&r, -0.4, 0.4) : 0);
            x[v] = rest[v] + pli_random_in(&r, -0.6, 0.6);
        }
        pli_domain domain = domain_of(rest);
        pli_term term = make_term(&memory, "quadratic-bending", k, &domain);
        pli_check_contract(&term, &(pli_contract){.dim = 3,
                                                  .vertex_count = 4,
                                                  .x = x,
                                                  .step = 1e-5,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .internal = true,
                                                  .objective = true,
                                                  .clamp_tolerance = 1e-12});
        end_term(&memory, &term);
    }
}

// Folded by any angle: (k/2) w (2 sin(theta/2))^2.
static void value_without_stretch(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = domain_of(flat);
    pli_term term = make_term(&memory, "quadratic-bending", k, &domain);
    for (int i = -17; i <= 17; ++i) {
        double a = i * 0.17, x[12], bend = 2 * sin(a / 2);
        memcpy(x, flat, sizeof x);
        x[9] = cos(a);
        x[11] = sin(a);
        double e = eval_first(&term, 3, x, false, NULL, NULL);
        ASSERT_NEAR(e, 0.5 * k[0] * w * bend * bend, 1e-12 * k[0] * w);
    }
    end_term(&memory, &term);
}

static void must_be_flat(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double x[12];
    pli_error error = {0};
    pli_term term;
    memcpy(x, flat, sizeof x);
    x[11] = 0.01;
    pli_domain domain = domain_of(x);
    const pli_energy_type* type = find_type("quadratic-bending");
    assert_int_equal(pli_element_term_create(&memory, type, k, &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not flat at rest"));
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(value_without_stretch),
        cmocka_unit_test(must_be_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
