// Terms averaged over the way of a step: the contract, and that work is exactly the change of
// potentials up to degree 4.
#include "energy/averaged.h"

#include "energy/fixture.h"
#include "math/vec.h"

static const double k[] = {350};
static const double rest[] = {0, 0, 0, 0.7, 0.2, 0.4, -0.3, 0.9, -0.2, 1.1, 1.2, 0.3};
static const int32_t segments[] = {0, 1, 1, 2, 2, 0, 3, 1, 0, 3};
enum { VERTICES = 4, SEGMENTS = 5 };

static void random_state(pli_random* random, double* x) {
    for (int i = 0; i < 3 * VERTICES; ++i) x[i] = rest[i] + pli_random_in(random, -0.4, 0.4);
}

// Sum of the energies of all springs, gradient g (3 per vertex).
static double evaluate(const pli_term* term, const double* x, double* g) {
    double e[SEGMENTS] = {0}, local[SEGMENTS * 6] = {0}, sum = 0;
    pli_batch batch = {.dim = 3,
                       .count = SEGMENTS,
                       .width = 2,
                       .vertices = segments,
                       .x = x,
                       .want = PLI_VALUE | PLI_GRADIENT};
    term->ops->eval(term->self, 0, &batch, &(pli_local){.e = e, .g = local});
    for (int i = 0; i < 3 * VERTICES; ++i) g[i] = 0;
    for (int i = 0; i < SEGMENTS; ++i) {
        sum += e[i];
        for (int v = 0; v < 2; ++v)
            pli_axpy(1, local + 6 * i + 3 * v, g + 3 * segments[2 * i + v], 3);
    }
    return sum;
}

static void contract_and_work(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    pli_domain domain = {.dim = 3,
                         .kind = PLI_SEGMENT,
                         .element_count = SEGMENTS,
                         .vertices = segments,
                         .rest = rest};
    pli_term spring = make_term(&memory, "spring", k, &domain), term;
    double x_n[3 * VERTICES], x[3 * VERTICES], g[3 * VERTICES];
    pli_averaging averaging = {.vertex_count = VERTICES, .x_n = x_n};
    assert_true(pli_averages(&spring));
    assert_int_equal(pli_averaged_term_create(&memory, &averaging, &spring, &term, &error), PLI_OK);
    pli_random random = {3};
    for (int i = 0; i < 20; ++i) {
        random_state(&random, x_n);
        random_state(&random, x);
        averaging.on = false;
        double start = evaluate(&term, x_n, g), end = evaluate(&term, x, g), work = 0;
        averaging.on = true;
        evaluate(&term, x, g);
        for (int c = 0; c < 3 * VERTICES; ++c) work += g[c] * (x[c] - x_n[c]);
        ASSERT_NEAR(work, end - start, 1e-12 * (start + end));
        pli_check_contract(&term, &(pli_contract){.dim = 3,
                                                  .vertex_count = VERTICES,
                                                  .x = x,
                                                  .step = 1e-4,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  // each point is projected, not their sum
                                                  .clamp_tolerance = -1});
    }
    term.ops->destroy(term.self);
    end_term(&memory, &spring);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contract_and_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
