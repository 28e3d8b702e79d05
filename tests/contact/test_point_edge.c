// The point-edge barrier: contract in all classes of closest features, closed form, check.
#include "contact/contact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/scene.h"
#include "contact/support.h"
#include "oracle/contract.h"

static const double dhat = 0.01;
static const double ln2 = 0.69314718055994531;

// One point (0) and one edge (1, 2).
static pli_term single_pair(pli_memory* memory, double* x) {
    static double area[3] = {0.3, 1, 1};
    static int32_t points[3] = {0, 1, 2}, edges[2] = {1, 2};
    contact_scene s = {.vertex_count = 3, .edge_count = 1, .area = area, .points = points};
    s.edges = edges;
    pli_term term;
    pli_error error = {0};
    assert_int_equal(make_barrier(memory, &s, dhat, &term, &error), PLI_OK);
    assert_int_equal(term.ops->count(term.self), 0); // nothing before the first refresh
    pli_view view = {.dim = 2, .vertex_count = 3, .x = x};
    assert_int_equal(term.ops->refresh(term.self, &view, NULL, NULL, &error), PLI_OK);
    return term;
}

// A point at distance d from an edge of random place and length, nearest to e0, e1 or between.
static void place(pli_random* random, int feature, double d, double x[9]) {
    double angle = pli_random_in(random, 0, 6.28), length = pli_random_in(random, 0.02, 2);
    double u[2] = {cos(angle), sin(angle)}, n[2] = {-u[1], u[0]};
    double side = pli_random_bits(random) % 2 ? 1 : -1;
    // Away from an end by 1 to 85 degrees off its normal; between the ends well inside.
    double tilt = pli_random_in(random, 0.02, 1.5), r = pli_random_in(random, 0.1, 0.9);
    for (int k = 0; k < 2; ++k) {
        double e0 = pli_random_in(random, -1, 1), w = side * cos(tilt) * n[k];
        x[3 + k] = e0;
        x[6 + k] = e0 + length * u[k];
        if (feature == 0) x[k] = e0 + d * (w - sin(tilt) * u[k]);
        if (feature == 1) x[k] = x[6 + k] + d * (w + sin(tilt) * u[k]);
        if (feature == 2) x[k] = e0 + r * length * u[k] + side * d * n[k];
    }
    x[2] = 5;
    x[5] = x[8] = -3;
}

static void test_contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {1};
    const double shares[5] = {0.01, 0.05, 0.3, 0.7, 0.95}; // of dhat: s = 1e-4 and more
    for (int trial = 0; trial < 300; ++trial) {
        double x[9], d = dhat * shares[trial / 3 % 5];
        place(&random, trial % 3, d, x);
        pli_term term = single_pair(&memory, x);
        assert_int_equal(term.ops->count(term.self), 1);
        pli_contract contract = {
            .dim = 2,
            .vertex_count = 3,
            .x = x,
            .step = d / 200, // differences of 4th order: truncation below 1e-8
            .gradient_tolerance = 1e-7,
            .hessian_tolerance = 1e-6,
            .internal = true,
            .objective = true,
            .clamp_tolerance = 1e-12,
        };
        pli_check_contract(&term, &contract);
        term.ops->destroy(term.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// (1/2) A dhat (kappa / 8) (s - 1) ln s at s = 1/2.
static void test_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double x[9] = {0, dhat * sqrt(0.5), 0, -1, 0, 0, 1, 0, 0}, e = 0, g[6] = {0};
    pli_term term = single_pair(&memory, x);
    const int32_t expected[3] = {0, 1, 2};
    assert_int_equal(term.ops->count(term.self), 1);
    assert_memory_equal(term.ops->vertices(term.self), expected, sizeof expected);
    pli_batch in = {.dim = 2,
                    .count = 1,
                    .width = 3,
                    .vertices = term.ops->vertices(term.self),
                    .x = x,
                    .want = PLI_VALUE | PLI_GRADIENT};
    term.ops->eval(term.self, 0, &in, &(pli_local){.e = &e, .g = g});
    assert_true(fabs(e - 0.5 * 0.3 * dhat * 1e5 / 8 * 0.5 * ln2) < 1e-13);
    // db/dd = (1/2) A (kappa/8) (ln s + 1 - 1/s) 2 d / dhat; half of it at each end
    double force = -0.5 * 0.3 * 1e5 / 8 * (-ln2 + 1 - 2) * 2 * sqrt(0.5);
    assert_true(fabs(g[1] + force) < 1e-9 && fabs(g[3] - force / 2) < 1e-9);
    int count;
    double distance;
    pli_barrier_contacts(&term, x, &count, &distance);
    assert_int_equal(count, 1);
    assert_true(fabs(distance - dhat * sqrt(0.5)) < 1e-17);
    x[1] = 0; // on the edge
    e = 0;
    in.want = PLI_VALUE;
    term.ops->eval(term.self, 0, &in, &(pli_local){.e = &e});
    assert_true(e == HUGE_VAL);
    term.ops->destroy(term.self);
    assert_int_equal(memory.bytes, 0);
}

static void test_check_names_the_place(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {4};
    contact_scene s = make_scene(&random, 4, 0);
    pli_term term;
    pli_error error = {0};
    assert_int_equal(make_barrier(&memory, &s, dhat, &term, &error), PLI_OK);
    pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x};
    assert_int_equal(pli_barrier_check(&term, &view, &error), PLI_OK);
    for (int k = 0; k < 2; ++k) s.x[3 * 7 + k] = s.x[3 * 20 + k]; // vertex 7 of triangle 2 onto 20
    assert_int_equal(pli_barrier_check(&term, &view, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "vertex 7 touches edge 1"));
    s.x[3 * 7] = 2; // and further, to the centre of triangle 6
    s.x[3 * 7 + 1] = 1;
    assert_int_equal(pli_barrier_check(&term, &view, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, " crosses edge "));
    term.ops->destroy(term.self);
    free_scene(&s);
    assert_int_equal(memory.bytes, 0);
}

static void test_bad_arguments(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double area[3] = {1, 1, 1}, no_area[3] = {1, 0, 1};
    int32_t points[3] = {0, 1, 2}, edges[2] = {1, 2}, wrong[2] = {1, 3};
    for (int i = 0; i < 5; ++i) {
        pli_barrier_def def = {.dim = 2, .vertex_count = 3, .dhat = 0.1, .stiffness = 1};
        pli_side a = {.count = 3, .width = 1, .vertices = points, .weight = area};
        pli_side b = {.count = 1, .width = 2, .vertices = edges};
        if (i == 0) def.dim = 4;
        if (i == 1) b.vertices = wrong;
        if (i == 2) def.dhat = -1;
        if (i == 3) a.weight = no_area;
        if (i == 4) b.width = 3; // no triangles in the plane
        pli_term term = {0};
        pli_error error = {0};
        assert_int_equal(pli_pair_barrier_create(&memory, &def, &a, &b, &term, &error),
                         PLI_E_ARGUMENT);
        assert_true(error.message[0] != 0);
        assert_null(term.self);
        assert_int_equal(memory.bytes, 0);
    }
}

static void test_out_of_memory(void** state) {
    (void)state;
    pli_random random = {12};
    contact_scene s = make_scene(&random, 3, 2);
    pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x};
    bool done = false;
    for (int n = 0; !done; ++n) {
        failing_allocator failing = {n};
        pli_memory memory;
        pli_memory_init(&memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        pli_term term = {0};
        pli_error error = {0};
        double alpha = 1;
        pli_status status = make_barrier(&memory, &s, 0.3, &term, &error);
        if (status == PLI_OK) {
            status = term.ops->refresh(term.self, &view, s.p, &alpha, &error);
            if (status != PLI_OK) { // outputs are as before
                assert_true(alpha == 1);
                assert_int_equal(term.ops->count(term.self), 0);
                assert_int_equal(term.ops->epoch(term.self), 0);
            }
            term.ops->destroy(term.self);
        }
        assert_int_equal(memory.bytes, 0);
        done = status == PLI_OK;
        if (!done) assert_int_equal(status, PLI_E_MEMORY);
        if (done) assert_true(n > 15);
    }
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_check_names_the_place),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
