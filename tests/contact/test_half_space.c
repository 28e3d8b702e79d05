// The half-space barrier: contract, closed forms, step bound, check.
#include "contact/contact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/support.h"
#include "oracle/contract.h"
#include "oracle/random.h"

enum { N = 6, CARRIER = 5 };

static const double ln2 = 0.69314718055994531;

static const double areas[N] = {0.25, 0.5, 1, 2, 0.1, 1};
static const int32_t listed[5] = {0, 1, 2, 3, 4};

static pli_barrier_def default_def(int dim) {
    return (pli_barrier_def){
        .dim = dim, .vertex_count = N, .area = areas, .dhat = 0.01, .stiffness = 1e5};
}

static pli_plane default_plane(int dim, bool moving) {
    pli_plane plane = {.point = {0.1, -0.2, 0.3}, .carrier = moving ? CARRIER : -1};
    double n[3] = {0.6, 0.8, 0};
    if (dim == 3) {
        n[0] = 2.0 / 3;
        n[1] = -1.0 / 3;
        n[2] = 2.0 / 3;
    }
    memcpy(plane.normal, n, sizeof n);
    return plane;
}

static pli_term make(pli_memory* memory, int dim, bool moving) {
    pli_barrier_def def = default_def(dim);
    pli_plane plane = default_plane(dim, moving);
    pli_term term;
    pli_error error = {0};
    assert_int_equal(pli_half_space_barrier_create(memory, &def, &plane, 5, listed, &term, &error),
                     PLI_OK);
    return term;
}

// Vertices at distances s dhat above the plane, shifted along it; the carrier in the plane.
static void place(pli_random* random, const pli_plane* plane, const double s[5], double x[3 * N]) {
    for (int v = 0; v < N; ++v) {
        double shift[3], along = 0;
        for (int k = 0; k < 3; ++k) shift[k] = pli_random_in(random, -1, 1);
        for (int k = 0; k < 3; ++k) along += shift[k] * plane->normal[k];
        for (int k = 0; k < 3; ++k) {
            double d = v == CARRIER ? 0 : s[v] * 0.01;
            x[3 * v + k] = plane->point[k] + (v == CARRIER ? 0 : shift[k]) +
                           (v == CARRIER ? 0 : d - along) * plane->normal[k];
        }
    }
}

static void test_contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {1};
    for (int trial = 0; trial < 40; ++trial) {
        int dim = 2 + trial % 2;
        bool moving = trial / 2 % 2;
        pli_term term = make(&memory, dim, moving);
        pli_plane plane = default_plane(dim, moving);
        double s[5] = {1e-4, 0.01, 0.3, 0.9, 1.5}, x[3 * N];
        for (int i = 0; i < 4; ++i) s[i] *= pli_random_in(&random, 0.9, 1.1);
        place(&random, &plane, s, x);
        pli_contract contract = {.dim = dim,
                                 .vertex_count = N,
                                 .x = x,
                                 .step = 1e-8, // a hundredth of the smallest distance
                                 .gradient_tolerance = 1e-7,
                                 .hessian_tolerance = 1e-6,
                                 .clamp_tolerance = 1e-12};
        assert_int_equal(term.ops->width, moving ? 2 : 1);
        pli_check_contract(&term, &contract);
        term.ops->destroy(term.self);
    }
    assert_int_equal(memory.bytes, 0);
}

static double value_of(const pli_term* term, int dim, const double* x) {
    double e[5] = {0}, sum = 0;
    pli_batch in = {.dim = dim,
                    .count = term->ops->count(term->self),
                    .width = term->ops->width,
                    .vertices = term->ops->vertices(term->self),
                    .x = x,
                    .want = PLI_VALUE};
    term->ops->eval(term->self, 0, &in, &(pli_local){.e = e});
    for (int i = 0; i < in.count; ++i) sum += e[i];
    return sum;
}

// A dhat (kappa / 2) (s - 1) ln s at s = 1/2 over a flat floor.
static void test_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_barrier_def def = default_def(2);
    pli_plane floor = {.point = {0, 0, 0}, .normal = {0, 1, 0}, .carrier = -1};
    pli_term term;
    pli_error error = {0};
    const int32_t one[1] = {3};
    assert_int_equal(pli_half_space_barrier_create(&memory, &def, &floor, 1, one, &term, &error),
                     PLI_OK);
    double x[3 * N] = {0};
    x[9] = 7;
    x[10] = 0.005;
    x[11] = 100; // z is nothing in the plane
    double expected = 2 * 0.01 * 0.5e5 * 0.5 * ln2;
    assert_true(fabs(value_of(&term, 2, x) - expected) < 1e-12);
    int count;
    double distance;
    pli_barrier_contacts(&term, x, &count, &distance);
    assert_int_equal(count, 1);
    assert_true(distance == 0.005);
    x[10] = 0.01;
    assert_true(value_of(&term, 2, x) == 0);
    pli_barrier_contacts(&term, x, &count, &distance);
    assert_int_equal(count, 0);
    assert_true(distance == HUGE_VAL);
    pli_view view = {.dim = 2, .vertex_count = N, .x = x};
    assert_int_equal(pli_barrier_check(&term, &view, &error), PLI_OK);
    x[10] = -0.5;
    assert_true(value_of(&term, 2, x) == HUGE_VAL);
    assert_int_equal(pli_barrier_check(&term, &view, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "vertex 3 is 0.5 m deep"));
    term.ops->destroy(term.self);
    assert_int_equal(memory.bytes, 0);
}

static void test_step_bound(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {6};
    for (int trial = 0; trial < 400; ++trial) {
        int dim = 2 + trial % 2;
        bool moving = trial / 2 % 2;
        pli_term term = make(&memory, dim, moving);
        pli_plane plane = default_plane(dim, moving);
        double s[5], x[3 * N], p[3 * N];
        for (int i = 0; i < 5; ++i) s[i] = pow(10, pli_random_in(&random, -9, 2));
        place(&random, &plane, s, x);
        double size = pow(10, pli_random_in(&random, -6, 3));
        for (int i = 0; i < 3 * N; ++i) p[i] = size * pli_random_in(&random, -1, 1);
        pli_check_step_bound(&term, dim, N, x, p);
        term.ops->destroy(term.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// One vertex falls towards a plane that rises: 0.9 of the distance over the relative speed.
static void test_step_bound_is_relative(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_barrier_def def = default_def(2);
    pli_plane plane = {.normal = {0, 1, 0}, .carrier = CARRIER};
    pli_term term;
    pli_error error = {0};
    assert_int_equal(pli_half_space_barrier_create(&memory, &def, &plane, 5, listed, &term, &error),
                     PLI_OK);
    double x[3 * N] = {0}, p[3 * N] = {0};
    for (int v = 0; v < 5; ++v) x[3 * v + 1] = 2 + v;
    p[1] = -1;
    p[3 * CARRIER + 1] = 3;
    pli_view view = {.dim = 2, .vertex_count = N, .x = x};
    assert_true(fabs(term.ops->max_step(term.self, &view, p) - 0.9 * 2 / 4) < 1e-15);
    for (int v = 0; v < N; ++v) p[3 * v + 1] = -50; // all together
    assert_true(term.ops->max_step(term.self, &view, p) == 1);
    term.ops->destroy(term.self);
    assert_int_equal(memory.bytes, 0);
}

// So close that 0.9 of the way would round to the plane itself: the step is halved until what is
// stored lies above it.
static void test_step_bound_when_rounded(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_barrier_def def = default_def(2);
    pli_plane plane = {.point = {0, 1, 0}, .normal = {0, 1, 0}, .carrier = -1};
    pli_term term;
    pli_error error = {0};
    assert_int_equal(pli_half_space_barrier_create(&memory, &def, &plane, 1, listed, &term, &error),
                     PLI_OK);
    double x[3 * N] = {0, nextafter(1, 2)}, p[3 * N] = {0, -1};
    pli_view view = {.dim = 2, .vertex_count = N, .x = x};
    double alpha = term.ops->max_step(term.self, &view, p);
    assert_true(alpha > 0 && alpha < 0.9 * (x[1] - 1));
    assert_true(x[1] + alpha * p[1] > 1);
    assert_false(x[1] + 2 * alpha * p[1] > 1);
    term.ops->destroy(term.self);
    assert_int_equal(memory.bytes, 0);
}

static void test_bad_arguments(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term term = {0};
    pli_error error = {0};
    const int32_t beyond[1] = {N};
    const double bad_areas[N] = {0, 1, 1, 1, 1, 1};
    const double bad_radii[N] = {0, 0, -1, 0, 0, 0};
    for (int i = 0; i < 9; ++i) {
        pli_barrier_def def = default_def(2);
        pli_plane plane = default_plane(2, true);
        const int32_t* vertices = listed;
        int count = 5;
        if (i == 0) def.dhat = 0;
        if (i == 1) def.stiffness = NAN;
        if (i == 2) def.area = bad_areas;
        if (i == 3) plane.normal[0] = 0.61;
        if (i == 4) plane.carrier = N;
        if (i == 5) plane.carrier = 2;
        if (i == 6) vertices = beyond, count = 1;
        if (i == 7) def.dim = 4;
        if (i == 8) def.radius = bad_radii;
        assert_int_equal(
            pli_half_space_barrier_create(&memory, &def, &plane, count, vertices, &term, &error),
            PLI_E_ARGUMENT);
        assert_true(error.message[0] != 0);
        assert_null(term.self);
    }
    assert_int_equal(memory.bytes, 0);
}

static void test_out_of_memory(void** state) {
    (void)state;
    for (int n = 0;; ++n) {
        failing_allocator failing = {n};
        pli_memory memory;
        pli_memory_init(&memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        pli_barrier_def def = default_def(2);
        pli_plane plane = default_plane(2, true);
        pli_term term = {0};
        pli_error error = {0};
        pli_status status =
            pli_half_space_barrier_create(&memory, &def, &plane, 5, listed, &term, &error);
        if (status == PLI_OK) term.ops->destroy(term.self);
        assert_int_equal(memory.bytes, 0);
        if (status == PLI_OK) {
            assert_int_equal(n, 4);
            return;
        }
        assert_int_equal(status, PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_bound_when_rounded),
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_step_bound),
        cmocka_unit_test(test_step_bound_is_relative),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
