// Closed forms at the level of the world, at default tolerances: sliding, creeping, stopping; and
// things that must not matter: slow prescribed motion, a heavy body elsewhere, a loose linear
// solver.
#include "dynamics/worlds.h"

#include "dynamics/world.h"
#include "oracle/allocator.h"

enum { BLOCK_SEGMENTS = 2, BLOCK_VERTICES = 9 };

// A stiff block of 20 kg lies on a slope of tangent `tangent` and moves along it. It starts where
// the barrier carries its weight: near dhat the force of a vertex is A kappa (1 - d / dhat).
static pli_world* make_slope(const pli_world_def* base, double tangent, double friction,
                             double speed) {
    pli_world_def def = *base;
    def.gravity[1] = -9.81;
    def.contact.dhat = 1e-3;
    pli_world* world = make_world(&def);
    double c = 1 / sqrt(1 + tangent * tangent), s = tangent * c; // downhill is (c, -s)
    double area = 0.1, gap = 1e-3 * (1 - 20 * 9.81 * c / (3 * area * 1e5));
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 0.2, 0.1, BLOCK_SEGMENTS, BLOCK_SEGMENTS, PLI_TRIANGLES,
                                     &error));
    for (int i = 0; i < mesh.vertex_count; ++i) {
        double x = mesh.positions[3 * i], y = mesh.positions[3 * i + 1] + 0.05 + gap;
        mesh.positions[3 * i] = c * x + s * y;
        mesh.positions[3 * i + 1] = -s * x + c * y;
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.contact_area = area;
    body.velocity[0] = speed * c;
    body.velocity[1] = -speed * s;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k[2] = {{"young", 1e8}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    pli_half_space_def slope = pli_default_half_space_def();
    slope.normal[0] = s;
    slope.normal[1] = c;
    slope.friction = friction;
    ASSERT_OK(pli_world_add_half_space(world, &slope, NULL, &error));
    return world;
}

// Mean way of the block down the slope since `start`, or its mean speed if `start` is NULL.
static double downhill(const pli_world* world, double tangent, const double* start) {
    double c = 1 / sqrt(1 + tangent * tangent), s = tangent * c, sum = 0;
    const double* now = start ? pli_world_positions(world) : pli_world_velocities(world);
    for (int v = 0; v < BLOCK_VERTICES; ++v)
        for (int k = 0; k < 2; ++k)
            sum += (now[3 * v + k] - (start ? start[3 * v + k] : 0)) * (k ? -s : c);
    return sum / BLOCK_VERTICES;
}

// a = g (sin - mu cos); backward Euler goes a h^2 n (n + 1) / 2.
static void test_sliding(void** state) {
    (void)state;
    static const double frictions[] = {0, 0.1, 0.3, 0.49};
    for (int i = 0; i < 4; ++i) {
        pli_world_def def = pli_default_world_def();
        pli_world* world = make_slope(&def, 0.5, frictions[i], 0);
        double start[3 * BLOCK_VERTICES], c = 1 / sqrt(1.25);
        memcpy(start, pli_world_positions(world), sizeof start);
        for (int n = 0; n < 100; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
        double expected = 9.81 * (0.5 * c - frictions[i] * c) * 1e-4 * 100 * 101 / 2;
        // friction lags one step behind, and the block bounces a little on its cushion
        ASSERT_NEAR(downhill(world, 0.5, start), expected, 0.01 * expected + 1e-3);
        pli_world_destroy(world);
    }
}

// Held by friction it creeps with eps_v (1 - sqrt(1 - tan / mu)).
static void test_creep(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.solver.tolerance = 1e-7;
    pli_world* world = make_slope(&def, 0.5, 1, 0);
    for (int n = 0; n < 300; ++n) step(world);
    double expected = 1e-3 * (1 - sqrt(0.5));
    ASSERT_NEAR(downhill(world, 0.5, NULL), expected, 0.02 * expected);
    pli_world_destroy(world);
}

// v^2 / (2 mu g) - v h / 2: 0.096997 m for v = 1, mu = 0.5, h = 0.01.
static void test_stopping_distance(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    pli_world* world = make_slope(&def, 0, 0.5, 1);
    double start[3 * BLOCK_VERTICES];
    memcpy(start, pli_world_positions(world), sizeof start);
    for (int n = 0; n < 60; ++n) step(world);
    ASSERT_NEAR(downhill(world, 0, start), 0.096997, 1e-3); // it bounces a little on its cushion
    assert_true(fabs(downhill(world, 0, NULL)) < 1e-3);
    pli_world_destroy(world);
}

// Slower than the tolerance, and for long: no step may be skipped and errors may not add up.
static void test_slow_prescribed_motion(void** state) {
    (void)state;
    static const double speeds[] = {1e-6, 9e-4, 2e-3};
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = pli_default_world_def();
        def.gravity[1] = -9.81;
        pli_world* world = make_world(&def);
        pli_body_id id = add_square(world, &(square){.segments = 2, .stiffness = 1e5});
        pli_prescribe_def motion = pli_default_prescribe_def();
        const int32_t left[3] = {0, 1, 2};
        motion.vertices = left;
        motion.vertex_count = 3;
        motion.velocity[0] = speeds[i];
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        for (int n = 1; n <= 200; ++n) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            for (int v = 0; v < 3; ++v) {
                const double* x = pli_world_positions(world) + 3 * v;
                ASSERT_NEAR(x[0], -0.5 + speeds[i] * 0.01 * n, 1e-3 * speeds[i] * 0.01 + 1e-15);
                ASSERT_NEAR(x[1], -0.5 + 0.5 * v, 1e-3 * speeds[i] * 0.01 + 1e-15);
            }
        }
        pli_world_destroy(world);
    }
}

// A press comes down on a block, is blocked, and goes up again when told to.
static void test_press_returns(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 0, 0.3, 0, 0);
    add_ground(world, 0, 0);
    pli_prescribe_def motion = pli_default_prescribe_def();
    const double times[3] = {0, 0.5, 1}, offsets[9] = {0, 0, 0, 0, -1, 0, 0, 0, 0};
    motion.times = times;
    motion.offsets = offsets;
    motion.key_count = 3;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    int blocked = 0;
    for (int n = 0; n < 100; ++n) {
        blocked += step(world).reason == PLI_BLOCKED;
        assert_true(pli_world_positions(world)[1] > 0);
    }
    assert_true(blocked > 10);
    ASSERT_NEAR(pli_world_positions(world)[1], 0.3, 1e-4);
    pli_world_destroy(world);
}

static void turn(void* context, double time, const double place[3], double out[3]) {
    double angle = *(double*)context * time;
    out[0] = (cos(angle) - 1) * place[0] - sin(angle) * place[1];
    out[1] = sin(angle) * place[0] + (cos(angle) - 1) * place[1];
    out[2] = 0;
}

// A point that is turned about the origin by most of a turn in one step goes along the circle: in
// stages of at most 45 degrees.
static void test_path_is_followed(void** state) {
    (void)state;
    const struct {
        double degrees;
        int stages;
    } cases[] = {{10, 1}, {44, 1}, {46, 2}, {144, 4}, {180, 4}, {300, 7}, {720, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_world_def def = pli_default_world_def();
        def.time_step = 1;
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 1, 0, 0, 0);
        double rate = cases[i].degrees * acos(-1) / 180;
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.field = turn;
        motion.context = &rate;
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        const double* x = pli_world_positions(world);
        ASSERT_NEAR(x[0], cos(rate), 1e-2);
        ASSERT_NEAR(x[1], sin(rate), 1e-2);
        assert_int_equal(pli_pins_stages(&world->pins, &world->present), cases[i].stages);
        pli_world_destroy(world);
    }
}

// A divided step of which a later part fails is undone as a whole, the way of the pins included.
static void test_undone_step_forgets_the_way(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.solver.on_failure = "substep";
    def.solver.max_substeps = 3;
    def.solver.on_blocked = "fail";
    def.contact.dhat = 0.01;
    def.time_step = 0.8; // 0.4 m at 0.5 m/s, and the ground is 0.3 m away
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 0, 0.3, 0, 0);
    add_ground(world, 0, 0);
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.velocity[1] = -0.5;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    for (int n = 0; n < 3; ++n) { // always the same: nothing may be left from the try before
        pli_step_info info = step(world);
        assert_false(info.kept);
        assert_int_equal(info.reason, PLI_BLOCKED);
        ASSERT_NEAR(pli_world_positions(world)[1], 0.3, 0);
        ASSERT_NEAR(pli_world_time(world), 0, 0);
        ASSERT_NEAR(world->pins.pins[0].traveled, 0, 0);
    }
    pli_world_destroy(world);
}

// A fixed mountain elsewhere has a huge energy that never changes: the motion must not notice.
static void test_far_fixed_body(void** state) {
    (void)state;
    double without[27];
    for (int mountain = 0; mountain < 2; ++mountain) {
        pli_world_def def = pli_default_world_def();
        def.gravity[1] = -9.81;
        def.contact.dhat = 0.01;
        pli_world* world = make_world(&def);
        add_square(world, &(square){.segments = 2, .stiffness = 1e4, .centre = {0, 0.6}});
        if (mountain) {
            pli_mesh mesh;
            pli_mesh_init(&mesh, NULL);
            const double at[3] = {1e4, 1e4, 0};
            ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, at, NULL, &error));
            pli_body_def body = pli_default_body_def();
            body.mesh = &mesh;
            body.vertex_mass = 1e9;
            pli_body_id id;
            ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
            pli_mesh_free(&mesh);
            pli_fix_def fix = pli_default_fix_def();
            ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        }
        add_ground(world, 0, 0.2);
        for (int n = 0; n < 60; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
        if (!mountain) memcpy(without, pli_world_positions(world), sizeof without);
        // both runs stop within the tolerance of 1e-4 m/s; 60 steps of 0.01 s
        for (int i = 0; i < 27; ++i) ASSERT_NEAR(pli_world_positions(world)[i], without[i], 1e-3);
        pli_world_destroy(world);
    }
}

// A linear solver that is cut off must not pass for convergence.
static void test_loose_pcg(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    def.solver.linear = "pcg";
    def.solver.preconditioner = "block-jacobi";
    def.solver.max_linear_iterations = 2;
    def.solver.max_iterations = 20;
    def.solver.on_failure = "stop";
    pli_world* world = make_world(&def);
    pli_body_id id = add_square(world, &(square){.segments = 8, .stiffness = 1e7});
    pli_fix_def fix = pli_default_fix_def();
    const int32_t corner[2] = {0, 1};
    fix.vertices = corner;
    fix.vertex_count = 2;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    pli_step_info info = step(world);
    assert_int_not_equal(info.reason, PLI_CONVERGED);
    assert_false(info.kept);
    pli_world_destroy(world);
}

// Memory that fails once, in a step, costs that step and nothing else.
static void test_step_again_after_no_memory(void** state) {
    (void)state;
    for (int n = 1; n <= 40; ++n) {
        pli_test_allocator counter = {0};
        pli_allocator allocator = pli_test_hook(&counter);
        pli_world_def def = pli_default_world_def();
        def.gravity[1] = -9.81;
        def.contact.dhat = 0.02;
        def.contact.friction = 0.2;
        def.thread_count = 1;
        def.allocator = &allocator;
        pli_world* world = make_world(&def);
        add_square(world, &(square){.segments = 3, .stiffness = 1e5, .centre = {0, 0.55}});
        add_square(world, &(square){.segments = 2, .stiffness = 1e5, .centre = {0.2, 1.6}});
        add_ground(world, 0, 0.3);
        ASSERT_OK(pli_world_prepare(world, &error));
        counter.fail_at = counter.requests + n;
        int failed = 0;
        for (int i = 0; i < 25; ++i) {
            pli_status status = pli_world_step(world, NULL, &error);
            if (status == PLI_OK) continue;
            assert_int_equal(status, PLI_E_MEMORY);
            failed++;
            counter.fail_at = 0;
        }
        assert_true(failed <= 1);
        for (int v = 0; v < pli_world_vertex_count(world); ++v)
            assert_true(pli_world_positions(world)[3 * v + 1] > 0);
        pli_world_destroy(world);
        assert_int_equal(counter.bytes, 0);
    }
}

// Everything fixed: no unknowns, still a world.
static void test_all_fixed(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -10;
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 1, 2, 0, 0);
    pli_fix_def fix = pli_default_fix_def();
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    for (int n = 0; n < 3; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    assert_int_equal(pli_world_unknown_count(world), 0);
    ASSERT_NEAR(pli_world_reactions(world)[1], 10, 1e-12);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_creep),
        cmocka_unit_test(test_stopping_distance),
        cmocka_unit_test(test_slow_prescribed_motion),
        cmocka_unit_test(test_press_returns),
        cmocka_unit_test(test_path_is_followed),
        cmocka_unit_test(test_undone_step_forgets_the_way),
        cmocka_unit_test(test_far_fixed_body),
        cmocka_unit_test(test_loose_pcg),
        cmocka_unit_test(test_step_again_after_no_memory),
        cmocka_unit_test(test_all_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
