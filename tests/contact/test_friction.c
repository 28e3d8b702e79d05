// Friction: contract, sticking and sliding in closed form, the lag, moving half-spaces.
#include "contact/contact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "contact/scene.h"
#include "contact/support.h"
#include "math/small.h"
#include "oracle/contract.h"

static const double dhat = 0.01, h = 0.02, mu = 0.4, eps_v = 1e-3;

typedef struct results {
    double e, g[6], H[36];
} results;

static results eval_with(const pli_term* term, int dim, int stencil, const double* x,
                         bool project) {
    results r = {0};
    pli_batch in = {.dim = dim,
                    .count = 1,
                    .width = term->ops->width,
                    .vertices = term->ops->vertices(term->self) + stencil * term->ops->width,
                    .x = x,
                    .want = PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN,
                    .project = project};
    term->ops->eval(term->self, stencil, &in, &(pli_local){.e = &r.e, .g = r.g, .H = r.H});
    return r;
}

static results eval(const pli_term* term, int dim, int stencil, const double* x) {
    return eval_with(term, dim, stencil, x, false);
}

static pli_term make_friction_of(pli_memory* memory, const pli_term* barrier,
                                 const pli_friction_def* def) {
    pli_term term;
    pli_error error = {0};
    assert_int_equal(pli_friction_create(memory, barrier, def, &term, &error), PLI_OK);
    assert_int_equal(term.ops->width, barrier->ops->width);
    assert_int_equal(term.ops->count(term.self), 0); // before the first lag
    return term;
}

static pli_term make_friction(pli_memory* memory, const pli_term* barrier, double speed) {
    return make_friction_of(memory, barrier,
                            &(pli_friction_def){.coefficient = mu, .speed = speed});
}

static void begin(const pli_term* term, const double* x_n) {
    pli_step step = {.h = h, .x_n = x_n};
    pli_error error = {0};
    assert_int_equal(term->ops->begin_step(term->self, &step, &error), PLI_OK);
}

static void lag(const pli_term* term, int dim, int vertex_count, const double* x) {
    pli_view view = {.dim = dim, .vertex_count = vertex_count, .x = x};
    pli_error error = {0};
    assert_int_equal(term->ops->lag(term->self, &view, &error), PLI_OK);
}

// One vertex over the floor y = 0 at s = 1/2, pushed with lambda = A kappa (ln 2 + 1) / 2.
static pli_term floor_barrier(pli_memory* memory, int dim, int32_t carrier) {
    static const double area[2] = {0.1, 1};
    static const int32_t vertices[1] = {0};
    pli_barrier_def def = {
        .dim = dim, .vertex_count = 2, .area = area, .dhat = dhat, .stiffness = 1e5};
    pli_plane plane = {.normal = {0, 1, 0}, .carrier = carrier};
    pli_term barrier;
    pli_error error = {0};
    assert_int_equal(
        pli_half_space_barrier_create(memory, &def, &plane, 1, vertices, &barrier, &error), PLI_OK);
    return barrier;
}

static const double floor_force = 0.1 * 1e5 * 0.5 * (0.69314718055994531 + 1);

// f0, f1 and f2 at y = 0, e/4, e/2, e and beyond, in exact fractions of e = 1e-3.
static void test_stick_and_slip(void** state) {
    (void)state;
    const double table[5][4] = {{0, 1.0 / 3000, 0, 2000},
                                {2.5e-4, 3.90625e-4, 0.4375, 1500},
                                {5e-4, 1.625e-3 / 3, 0.75, 1000},
                                {1e-3, 1e-3, 1, 0},
                                {2, 2, 1, 0}};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int dim = 2; dim <= 3; ++dim) {
        pli_term barrier = floor_barrier(&memory, dim, -1),
                 term = make_friction(&memory, &barrier, eps_v);
        double x_n[6] = {0.3, 0.005, 0.1}, x[6];
        begin(&term, x_n);
        lag(&term, dim, 2, x_n);
        assert_int_equal(term.ops->count(term.self), 1);
        for (int i = 0; i < 5; ++i) {
            memcpy(x, x_n, sizeof x);
            x[0] += h * table[i][0];
            x[1] += 0.3;               // the normal motion does not matter
            if (i == 3) x[0] += 1e-15; // just on the sliding side
            results r = eval(&term, dim, 0, x);
            double force = mu * floor_force;
            // x - x_n carries a rounding of 5e-17 m, a share 1e-11 of the shortest way
            assert_true(fabs(r.e - force * h * table[i][1]) < 1e-10 * force * h * 2);
            assert_true(fabs(r.g[0] - force * table[i][2]) < 1e-9 * force);
            assert_true(r.g[1] == 0);
            assert_true(fabs(r.H[0] - force / h * table[i][3]) < 1e-8 * force / h * 2000);
            if (dim == 3 && table[i][0] > 0) // across the sliding direction: f1 / y
                assert_true(fabs(r.H[8] * h / force * table[i][0] / table[i][2] - 1) < 1e-9);
        }
        term.ops->destroy(term.self);
        barrier.ops->destroy(barrier.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// Static 0.4, kinetic 0.3: at y = e/2, e, 3e/2, 2e and far beyond, in fractions of e = 1e-3. Beyond
// e the mollifier is y - (1/4) e t^3 (1 - t/2), t = y/e - 1, up to 2e.
static void test_static_and_kinetic(void** state) {
    (void)state;
    const double table[5][4] = {{5e-4, 1.625e-3 / 3, 0.75, 1000},
                                {1e-3, 1e-3, 1, 0},
                                {1.5e-3, 1.5e-3 - 0.25e-3 * 0.125 * 0.75, 0.875, -375},
                                {2e-3, 1.875e-3, 0.75, 0},
                                {1, 0.75 + 0.375e-3, 0.75, 0}};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int dim = 2; dim <= 3; ++dim) {
        pli_friction_def def = {.coefficient = 0.3, .coefficient_static = mu, .speed = eps_v};
        pli_term barrier = floor_barrier(&memory, dim, -1),
                 term = make_friction_of(&memory, &barrier, &def);
        double x_n[6] = {0, 0.005, 0.1}, x[6], force = mu * floor_force, scale = force / h;
        begin(&term, x_n);
        lag(&term, dim, 2, x_n);
        for (int i = 0; i < 5; ++i) {
            memcpy(x, x_n, sizeof x);
            x[0] += h * table[i][0];
            results r = eval(&term, dim, 0, x), clamped = eval_with(&term, dim, 0, x, true);
            // rounding of y: 1e-16 of it, times a curvature of 1 / e over forces of 1
            assert_true(fabs(r.e - force * h * table[i][1]) < 1e-12 * force * h);
            assert_true(fabs(r.g[0] - force * table[i][2]) < 1e-12 * force);
            assert_true(fabs(r.H[0] - scale * table[i][3]) < 1e-9 * scale * 1000);
            assert_true(fabs(clamped.H[0] - scale * fmax(table[i][3], 0)) < 1e-9 * scale * 1000);
            assert_true(clamped.e == r.e && clamped.g[0] == r.g[0]);
            if (dim == 3) assert_true(clamped.H[8] == r.H[8] && r.H[8] > 0);
        }
        term.ops->destroy(term.self);
        barrier.ops->destroy(barrier.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// The energy grows with the speed, its slope is the force, the force has no kinks, and on a slope
// with tan < static coefficient it is balanced at the speed of creep e (1 - sqrt(1 - tan / mu_s)).
static void test_one_curve(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_friction_def def = {.coefficient = 0.1, .coefficient_static = mu, .speed = eps_v};
    pli_term barrier = floor_barrier(&memory, 2, -1),
             term = make_friction_of(&memory, &barrier, &def);
    double x_n[6] = {0, 0.005}, x[6] = {0, 0.005};
    begin(&term, x_n);
    lag(&term, 2, 2, x_n);
    const double dy = 1e-5 * eps_v;
    results last = eval(&term, 2, 0, x);
    for (int i = 1; i <= 300000; ++i) {
        x[0] = h * dy * i;
        results r = eval(&term, 2, 0, x);
        double force = 0.5 * (r.g[0] + last.g[0]), stiffness = 0.5 * (r.H[0] + last.H[0]);
        assert_true(r.e > last.e);
        // trapezoids: third and second derivatives of f0 / e are at most 6 and 12, jumps included
        assert_true(fabs((r.e - last.e) / (h * dy) - force) < 1e-9 * mu * floor_force);
        assert_true(fabs((r.g[0] - last.g[0]) / (h * dy) - stiffness) <
                    2e-4 * mu * floor_force / (h * eps_v));
        last = r;
    }
    for (double tangent = 0.05; tangent < mu; tangent += 0.05) {
        x[0] = h * eps_v * (1 - sqrt(1 - tangent / mu));
        assert_true(fabs(eval(&term, 2, 0, x).g[0] - tangent * floor_force) < 1e-10 * floor_force);
    }
    term.ops->destroy(term.self);
    barrier.ops->destroy(barrier.self);
    assert_int_equal(memory.bytes, 0);
}

// Coefficients by bodies: vertex 0 is of class 1, the half-space of class 2, its carrier of class
// 0.
static void test_coefficients_by_bodies(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const int32_t body[2] = {1, 0}, classes[2] = {0, 1};
    const pli_relation relations[3] = {{.friction = 9, .friction_static = 9},
                                       {.friction = 0.2, .friction_static = 0.5},
                                       {.friction = 0.6, .friction_static = 0.6}};
    uint16_t table[6] = {0};
    table[pli_class_pair(1, 2)] = 1;
    table[pli_class_pair(0, 1)] = 2;
    pli_filter filter = {.body = body, .classes = classes, .table = table, .relations = relations};
    const double most[2] = {0.2, 0.6}; // while sliding
    for (int against = 0; against < 2; ++against) {
        pli_friction_def def = {
            .speed = eps_v, .filter = &filter, .half_space_class = against ? -1 : 2};
        pli_term barrier = floor_barrier(&memory, 2, 1),
                 term = make_friction_of(&memory, &barrier, &def);
        double x_n[6] = {0, 0.005}, x[6] = {h * 1, 0.005};
        begin(&term, x_n);
        lag(&term, 2, 2, x_n);
        assert_true(fabs(eval(&term, 2, 0, x).g[0] - most[against] * floor_force) <
                    1e-12 * floor_force);
        table[pli_class_pair(1, 2)] = 3; // without friction nothing is lagged
        pli_relation smooth[4] = {relations[0], relations[1], relations[2], {.pass = false}};
        filter.relations = smooth;
        lag(&term, 2, 2, x_n);
        assert_int_equal(term.ops->count(term.self), against);
        table[pli_class_pair(1, 2)] = 1;
        filter.relations = relations;
        term.ops->destroy(term.self);
        barrier.ops->destroy(barrier.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// Only the motion relative to the carrier counts.
static void test_moving_half_space(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term barrier = floor_barrier(&memory, 2, 1), term = make_friction(&memory, &barrier, eps_v);
    double x_n[6] = {0.3, 0.005, 0, 7, 0, 0}, x[6];
    begin(&term, x_n);
    lag(&term, 2, 2, x_n);
    memcpy(x, x_n, sizeof x);
    x[0] += 0.25;
    x[3] += 0.25;
    results r = eval(&term, 2, 0, x);
    for (int i = 0; i < 4; ++i) assert_true(fabs(r.g[i]) < 1e-6); // rounding of 0.25 + 7
    x[3] += h * 1; // the plane drags the vertex along
    r = eval(&term, 2, 0, x);
    assert_true(fabs(r.g[0] + mu * floor_force) < 1e-9 && fabs(r.g[2] - mu * floor_force) < 1e-9);
    term.ops->destroy(term.self);
    barrier.ops->destroy(barrier.self);
    assert_int_equal(memory.bytes, 0);
}

// Point 0 beside the end of edge 1-2: the closest point is the end itself, so a turning of the edge
// about that end is no sliding, and only the end is dragged.
static void test_edge_parameter_is_clamped(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double area[3] = {1, 1, 1};
    int32_t points[3] = {0, 1, 2}, edges[2] = {1, 2};
    contact_scene s = {.vertex_count = 3, .edge_count = 1, .area = area, .points = points};
    s.edges = edges;
    pli_term barrier;
    pli_error error = {0};
    assert_int_equal(make_barrier(&memory, &s, dhat, &barrier, &error), PLI_OK);
    pli_term term = make_friction(&memory, &barrier, eps_v);
    double x_n[9] = {1.004, 0.003, 0, 0, 0, 0, 1, 0, 0}, x[9];
    pli_view view = {.dim = 2, .vertex_count = 3, .x = x_n};
    begin(&term, x_n);
    assert_int_equal(barrier.ops->refresh(barrier.self, &view, NULL, NULL, &error), PLI_OK);
    lag(&term, 2, 3, x_n);
    assert_int_equal(term.ops->count(term.self), 1);
    memcpy(x, x_n, sizeof x);
    x[4] += 0.5; // the far end moves
    results r = eval(&term, 2, 0, x);
    for (int i = 0; i < 6; ++i) assert_true(r.g[i] == 0);
    x[0] -= 0.3 * h; // now slide along the tangent (-0.6, 0.8)
    x[1] += 0.4 * h;
    r = eval(&term, 2, 0, x);
    double force = hypot(r.g[0], r.g[1]);
    assert_true(force > 0 && r.g[2] == 0 && r.g[3] == 0);
    assert_true(fabs(r.g[4] + r.g[0]) < 1e-12 * force && fabs(r.g[5] + r.g[1]) < 1e-12 * force);
    assert_true(fabs(r.g[0] + 0.6 * force) < 1e-9 * force);
    // lambda = -b'(d) of the barrier: (1/2) A (kappa / 8) (1/s - 1 - ln s) 2 d / dhat, s = 1/4
    double lambda = 0.5 * 1e5 / 8 * (4 - 1 + 2 * 0.69314718055994531) * 2 * 0.5;
    assert_true(fabs(force - mu * lambda) < 1e-6 * force);
    term.ops->destroy(term.self);
    barrier.ops->destroy(barrier.self);
    assert_int_equal(memory.bytes, 0);
}

static pli_contract contract_at(int dim, int vertex_count, const double* x) {
    return (pli_contract){.dim = dim,
                          .vertex_count = vertex_count,
                          .x = x,
                          .step = 1e-3 * h * eps_v, // well below the width of the mollifier
                          .gradient_tolerance = 1e-7,
                          .hessian_tolerance = 1e-6,
                          .clamp_tolerance = 1e-12}; // the exact Hessian is its own projection
}

// Stencils of a whole scene, sticking (y < e) and sliding. e is wide here, so that hardly any
// stencil is within a step of the places where higher derivatives jump: y = 0 and y = e.
static void test_contract_point_edge(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {15};
    const double wide = 0.1; // [m/s]
    int total = 0;
    for (int trial = 0; trial < 12; ++trial) {
        contact_scene s = make_scene(&random, 6, 0);
        pli_term barrier;
        pli_error error = {0};
        assert_int_equal(make_barrier(&memory, &s, 0.4, &barrier, &error), PLI_OK);
        pli_term term = make_friction(&memory, &barrier, wide);
        pli_view view = {.dim = 2, .vertex_count = s.vertex_count, .x = s.x};
        assert_int_equal(barrier.ops->refresh(barrier.self, &view, NULL, NULL, &error), PLI_OK);
        begin(&term, s.x);
        lag(&term, 2, s.vertex_count, s.x);
        int count;
        double distance;
        pli_barrier_contacts(&barrier, s.x, &count, &distance);
        assert_int_equal(term.ops->count(term.self), count);
        total += count;
        double speed = trial % 2 ? 0.3 * wide : 5 * wide;
        for (int i = 0; i < 3 * s.vertex_count; ++i)
            s.x[i] += h * speed * pli_random_in(&random, -1, 1);
        pli_contract contract = contract_at(2, s.vertex_count, s.x);
        pli_check_contract(&term, &contract);
        term.ops->destroy(term.self);
        barrier.ops->destroy(barrier.self);
        free_scene(&s);
    }
    assert_true(total > 300);
    assert_int_equal(memory.bytes, 0);
}

static void test_contract_half_space(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {16};
    for (int trial = 0; trial < 40; ++trial) {
        int dim = 2 + trial % 2;
        pli_term barrier = floor_barrier(&memory, dim, trial / 2 % 2 ? 1 : -1);
        bool falls = trial % 5 == 4; // from the static to the kinetic coefficient
        pli_friction_def def = {
            .coefficient = falls ? 0.5 * mu : mu, .coefficient_static = mu, .speed = eps_v};
        pli_term term = make_friction_of(&memory, &barrier, &def);
        double x_n[6] = {0, 0.002, 0, 0, 0, 0}, x[6];
        begin(&term, x_n);
        lag(&term, dim, 2, x_n);
        // Speeds of 0.1 to 0.4 e and 2.1 e to 1 m/s: away from the kinks of f2 at e and 2 e and, in
        // space, from its cusp at 0.
        double speed = trial / 4 % 2 ? pli_random_in(&random, 0.1, 0.4) * eps_v
                                     : pow(10, pli_random_in(&random, -2.67, 0));
        if (falls) speed = pli_random_in(&random, 1.1, 1.9) * eps_v;
        double angle = dim == 2 ? 0 : pli_random_in(&random, 0, 6);
        memcpy(x, x_n, sizeof x);
        x[0] += h * speed * cos(angle);
        x[2] += h * speed * sin(angle);
        pli_contract contract = contract_at(dim, 2, x);
        pli_check_contract(&term, &contract);
        term.ops->destroy(term.self);
        barrier.ops->destroy(barrier.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// At y = 0 and everywhere else the exact Hessian has no negative eigenvalue.
static void test_hessian_is_semi_definite(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int dim = 2; dim <= 3; ++dim) {
        pli_term barrier = floor_barrier(&memory, dim, 1),
                 term = make_friction(&memory, &barrier, eps_v);
        double x_n[6] = {0, 0.002, 0, 0, 0, 0}, x[6], values[6];
        begin(&term, x_n);
        lag(&term, dim, 2, x_n);
        for (int i = 0; i < 60; ++i) {
            memcpy(x, x_n, sizeof x);
            if (i > 0) x[0] += pow(10, -20 + i / 3.0);
            if (i % 2 && dim == 3) x[5] -= 0.5 * x[0];
            results r = eval(&term, dim, 0, x);
            pli_eigen_symmetric(2 * dim, r.H, values, NULL);
            assert_true(isfinite(r.e) && values[0] >= -1e-13 * values[2 * dim - 1]);
            if (i == 0) assert_true(values[2 * dim - 1] > 0); // sticking is stiff
        }
        term.ops->destroy(term.self);
        barrier.ops->destroy(barrier.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// The epoch grows with the set of contacts, not with the forces.
static void test_lag(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term barrier = floor_barrier(&memory, 2, -1),
             term = make_friction(&memory, &barrier, eps_v);
    double x[6] = {0, 0.005, 0};
    pli_view view = {.dim = 2, .vertex_count = 2, .x = x};
    pli_error error = {0};
    assert_int_equal(term.ops->lag(term.self, &view, &error), PLI_E_ARGUMENT); // no step yet
    begin(&term, x);
    lag(&term, 2, 2, x);
    assert_int_equal(term.ops->epoch(term.self), 1);
    x[1] = 0.004;
    lag(&term, 2, 2, x);
    assert_int_equal(term.ops->epoch(term.self), 1);
    x[1] = 0.02;
    lag(&term, 2, 2, x);
    assert_int_equal(term.ops->count(term.self), 0);
    assert_int_equal(term.ops->epoch(term.self), 2);
    lag(&term, 2, 2, x);
    assert_int_equal(term.ops->epoch(term.self), 2);
    term.ops->destroy(term.self);
    barrier.ops->destroy(barrier.self);
    assert_int_equal(memory.bytes, 0);
}

static void test_bad_arguments(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term barrier = floor_barrier(&memory, 2, -1), term = {0};
    const pli_filter empty = {.body = NULL};
    const pli_friction_def bad[] = {
        {.coefficient = -0.1, .speed = 1},
        {.coefficient = NAN, .speed = 1},
        {.coefficient = 0.1, .speed = 0},
        {.coefficient = 0.1, .speed = HUGE_VAL},
        {.coefficient = 0.1, .coefficient_static = 0.09, .speed = 1},
        {.coefficient = 0.1, .coefficient_static = NAN, .speed = 1},
        {.speed = 1, .filter = &empty},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        pli_error error = {0};
        assert_int_equal(pli_friction_create(&memory, &barrier, &bad[i], &term, &error),
                         PLI_E_ARGUMENT);
        assert_null(term.self);
    }
    pli_error error = {0};
    double x[6] = {0};
    term = make_friction(&memory, &barrier, eps_v);
    pli_step step = {.h = 0, .x_n = x};
    assert_int_equal(term.ops->begin_step(term.self, &step, &error), PLI_E_ARGUMENT);
    term.ops->destroy(term.self);
    barrier.ops->destroy(barrier.self);
    assert_int_equal(memory.bytes, 0);
}

static void test_out_of_memory(void** state) {
    (void)state;
    pli_memory plenty;
    pli_memory_init(&plenty, NULL);
    pli_term barrier = floor_barrier(&plenty, 2, -1);
    for (int n = 0; n < 5; ++n) {
        failing_allocator failing = {n};
        pli_memory memory;
        pli_memory_init(&memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        pli_friction_def def = {.coefficient = mu, .speed = eps_v};
        pli_term term = {0};
        pli_error error = {0};
        double x[6] = {0, 0.005};
        pli_view view = {.dim = 2, .vertex_count = 2, .x = x};
        pli_status status = pli_friction_create(&memory, &barrier, &def, &term, &error);
        if (status == PLI_OK) {
            begin(&term, x);
            status = term.ops->lag(term.self, &view, &error);
            assert_int_equal(term.ops->count(term.self), status == PLI_OK);
            term.ops->destroy(term.self);
        }
        assert_int_equal(status, n < 4 ? PLI_E_MEMORY : PLI_OK);
        assert_int_equal(memory.bytes, 0);
    }
    barrier.ops->destroy(barrier.self);
    assert_int_equal(plenty.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stick_and_slip),
        cmocka_unit_test(test_static_and_kinetic),
        cmocka_unit_test(test_one_curve),
        cmocka_unit_test(test_coefficients_by_bodies),
        cmocka_unit_test(test_moving_half_space),
        cmocka_unit_test(test_edge_parameter_is_clamped),
        cmocka_unit_test(test_contract_point_edge),
        cmocka_unit_test(test_contract_half_space),
        cmocka_unit_test(test_hessian_is_semi_definite),
        cmocka_unit_test(test_lag),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
