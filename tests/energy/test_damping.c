// Rayleigh damping keeps the contract, its force is C v, and it never feeds energy.
#include "energy/damping.h"
#include "energy/fixture.h"

static const double rest[] = {0, 0, 0, 1, 0, 0, 0.2, 0.9, 0, 1.1, 1.2, 0};
static const int32_t triangles[] = {0, 1, 2, 1, 3, 2};
enum { VERTICES = 4 };

// A state near rest, and one from which the velocity is measured.
static void random_states(pli_random* random, double* x, double* x_n, double* x_still) {
    for (int i = 0; i < 3 * VERTICES; ++i) {
        double plane = i % 3 < 2;
        x[i] = rest[i] + plane * pli_random_in(random, -0.2, 0.2);
        x_n[i] = rest[i] + plane * pli_random_in(random, -0.2, 0.2);
        x_still[i] = rest[i] + plane * pli_random_in(random, -0.2, 0.2);
    }
}

static pli_term make_elastic(pli_memory* memory) {
    pli_domain domain = {.dim = 2,
                         .kind = PLI_TRIANGLE,
                         .element_count = 2,
                         .vertices = triangles,
                         .rest = rest,
                         .thickness = 1};
    const pli_energy_type* type = find_type("neo-hookean");
    const pli_setting settings[2] = {{"young", 1e4}, {"poisson", 0.3}};
    double params[16];
    pli_error error = {0};
    assert_int_equal(pli_energy_params(type, settings, 2, params, &error), PLI_OK);
    return make_term(memory, "neo-hookean", params, &domain);
}

static void test_stiffness_damping(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    pli_term elastic = make_elastic(&memory), damping;
    assert_int_equal(
        pli_stiffness_damping_create(&memory, &elastic, 2, VERTICES, 0.01, &damping, &error),
        PLI_OK);
    pli_random random = {8};
    double x[12], x_n[12], x_still[12];
    for (int trial = 0; trial < 20; ++trial) {
        random_states(&random, x, x_n, x_still);
        pli_step step = {.h = 0.1, .velocity_rate = 10, .x_n = x_n, .x_still = x_still};
        assert_int_equal(damping.ops->begin_step(damping.self, &step, &error), PLI_OK);
        pli_contract contract = {.dim = 2,
                                 .vertex_count = VERTICES,
                                 .x = x,
                                 .step = 1e-3,
                                 .gradient_tolerance = 1e-7,
                                 .hessian_tolerance = 1e-6,
                                 .clamp_tolerance = 1e-9};
        pli_check_contract(&damping, &contract);
        // beta rate K (x - x_still): with K from the elastic term itself
        double g[PLI_LOCAL_MAX] = {0}, H[PLI_LOCAL_MAX * PLI_LOCAL_MAX] = {0}, K[36] = {0}, e = 0;
        pli_batch batch = {.dim = 2,
                           .count = 1,
                           .width = 3,
                           .vertices = triangles,
                           .x = x_n,
                           .want = PLI_HESSIAN,
                           .project = true};
        elastic.ops->eval(elastic.self, 0, &batch, &(pli_local){.H = K});
        e = eval_first(&damping, 2, x, false, g, H);
        assert_true(e >= 0);
        for (int r = 0; r < 6; ++r) {
            double force = 0;
            for (int c = 0; c < 6; ++c) {
                int at = 3 * triangles[c / 2] + c % 2;
                force += 0.01 * 10 * K[6 * r + c] * (x[at] - x_still[at]);
            }
            ASSERT_NEAR(g[r], force, 1e-10 * (1 + fabs(force)));
        }
    }
    damping.ops->destroy(damping.self);
    end_term(&memory, &elastic);
}

static void test_mass_damping(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    const int32_t vertices[2] = {3, 1};
    const double mass[VERTICES] = {1, 2, 3, 4};
    pli_domain domain = {
        .dim = 2, .element_count = 2, .vertices = vertices, .rest = rest, .mass = mass};
    pli_term damping;
    assert_int_equal(pli_mass_damping_create(&memory, 0.5, &domain, &damping, &error), PLI_OK);
    assert_string_equal(damping.ops->name, "damping");
    pli_random random = {9};
    double x[12], x_n[12], x_still[12];
    random_states(&random, x, x_n, x_still);
    pli_step step = {.h = 0.1, .velocity_rate = 10, .x_n = x_n, .x_still = x_still};
    assert_int_equal(damping.ops->begin_step(damping.self, &step, &error), PLI_OK);
    pli_contract contract = {.dim = 2,
                             .vertex_count = VERTICES,
                             .x = x,
                             .step = 1e-3,
                             .gradient_tolerance = 1e-7,
                             .hessian_tolerance = 1e-6,
                             .clamp_tolerance = 1e-12};
    pli_check_contract(&damping, &contract);
    double g[PLI_LOCAL_MAX], H[PLI_LOCAL_MAX * PLI_LOCAL_MAX];
    eval_first(&damping, 2, x, false, g, H);
    for (int c = 0; c < 2; ++c) // alpha m v of vertex 3
        ASSERT_NEAR(g[c], 0.5 * 4 * 10 * (x[9 + c] - x_still[9 + c]), 1e-12);
    end_term(&memory, &damping);
}

// A quadratic triangle, whose masses are partly negative: the contract, and v M v of a constant
// velocity is that of its whole mass.
static void test_consistent_damping(void** state) {
    (void)state;
    enum { N = 6 };
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    const int32_t vertices[N] = {0, 1, 2, 3, 4, 5};
    const double places[3 * N] = {0, 0, 0, 2, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0.5, 0, 0, 0.5, 0};
    pli_lump source = {.dim = 2,
                       .kind = PLI_TRIANGLE6,
                       .element_count = 1,
                       .vertices = vertices,
                       .x = places,
                       .density = 3,
                       .section = 2};
    pli_term damping;
    assert_int_equal(pli_consistent_damping_create(&memory, 0.5, &source, &damping, &error),
                     PLI_OK);
    assert_string_equal(damping.ops->name, "damping");
    pli_random random = {10};
    double x[3 * N], x_n[3 * N];
    for (int i = 0; i < 3 * N; ++i) {
        x[i] = places[i] + (i % 3 < 2) * pli_random_in(&random, -0.2, 0.2);
        x_n[i] = places[i] + (i % 3 < 2) * pli_random_in(&random, -0.2, 0.2);
    }
    pli_step step = {.h = 0.1, .velocity_rate = 10, .x_n = x_n, .x_still = x_n};
    assert_int_equal(damping.ops->begin_step(damping.self, &step, &error), PLI_OK);
    pli_contract contract = {.dim = 2,
                             .vertex_count = N,
                             .x = x,
                             .step = 1e-3,
                             .gradient_tolerance = 1e-7,
                             .hessian_tolerance = 1e-6,
                             .clamp_tolerance = 1e-12};
    pli_check_contract(&damping, &contract);
    for (int i = 0; i < 3 * N; ++i) x[i] = x_n[i] + (i % 3 == 0 ? 0.3 : i % 3 == 1 ? -0.4 : 0);
    // |v| = 5 m/s, mass 3 * 2 kg: R = 1/2 0.5 * 6 * 25 W, divided by the rate
    ASSERT_NEAR(eval_first(&damping, 2, x, false, NULL, NULL), 37.5 / 10, 1e-12);
    end_term(&memory, &damping);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiffness_damping),
        cmocka_unit_test(test_mass_damping),
        cmocka_unit_test(test_consistent_damping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
