// The step: exact motions, slow bodies, supports and their reactions, prescribed motion, policies,
// threads, memory.
#include "dynamics/worlds.h"

#include "oracle/allocator.h"

#include <pthread.h>

static pli_world_def with_gravity(void) {
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    return def;
}

// Backward Euler in free fall is exact: y_n = y_0 + n h v_0 - g h^2 n (n + 1) / 2. The acceleration
// stays what it was, so each step but the first starts from where it ends.
static void test_free_fall(void** state) {
    (void)state;
    pli_world_def def = with_gravity();
    pli_world* world = make_world(&def);
    add_point(world, 0, 0, 0.5, 1);
    for (int n = 0; n < 100; ++n) {
        int iterations = step(world).iterations;
        if (n > 0) assert_int_equal(iterations, 1);
    }
    ASSERT_NEAR(pli_world_positions(world)[0], 0.5, 1e-12);
    ASSERT_NEAR(pli_world_positions(world)[1], 1 - 9.81 * 1e-4 * 5050, 1e-12);
    ASSERT_NEAR(pli_world_time(world), 1, 1e-12);
    pli_world_destroy(world);
}

// Slower than the tolerance, yet it moves, in one iteration per step, at the right speed.
static void test_slow_body_does_not_freeze(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.solver.tolerance = 1e-2;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 2, .stiffness = 1e5, .velocity = {1e-4, -2e-5}});
    for (int n = 0; n < 50; ++n) assert_int_equal(step(world).iterations, 1);
    ASSERT_NEAR(pli_world_velocities(world)[0], 1e-4, 1e-12);
    ASSERT_NEAR(pli_world_positions(world)[1], -0.5 - 2e-5 * 0.5, 1e-12);
    pli_world_destroy(world);
}

static void fix_one(pli_world* world, pli_body_id id, int vertex, const pli_fix_def* how) {
    pli_fix_def def = *how;
    int32_t list[1] = {vertex};
    def.vertices = list;
    def.vertex_count = 1;
    ASSERT_OK(pli_world_fix(world, id, &def, NULL, &error));
}

// A square on a pin and an inclined roller comes to rest; the reactions carry its weight, the
// roller's along its normal only, and moments balance.
static void test_reactions(void** state) {
    (void)state;
    pli_world_def def = with_gravity();
    def.solver.tolerance = 1e-9;
    def.time_step = 1; // large steps damp quickly
    pli_world* world = make_world(&def);
    pli_body_id id = add_square(world, &(square){.segments = 3, .stiffness = 1e6});
    pli_fix_def pin = pli_default_fix_def(),
                roller = {.size = sizeof roller, .normal = {0.6, 0.8, 0}};
    fix_one(world, id, 0, &pin);
    fix_one(world, id, 12, &roller); // lower right corner
    for (int n = 0; n < 60; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    const double *r = pli_world_reactions(world), *x = pli_world_positions(world);
    double weight = 1000 * 9.81, moment = 0, *torque = &moment;
    ASSERT_NEAR(r[0] + r[36], 0, 1e-4);
    ASSERT_NEAR(r[1] + r[37], weight, 1e-4);
    ASSERT_NEAR(r[36] * 0.8 - r[37] * 0.6, 0, 1e-6); // along the normal
    for (int v = 0; v < 16; ++v)
        *torque += (x[3 * v] - x[0]) * -9.81 * pli_world_vertex_masses(world)[v];
    moment += (x[36] - x[0]) * r[37] - (x[37] - x[1]) * r[36];
    ASSERT_NEAR(moment, 0, 1e-3);
    ASSERT_NEAR((x[36] - 0.5) * 0.6 + (x[37] + 0.5) * 0.8, 0, 1e-12); // stays on its line
    pli_world_destroy(world);
}

// Fixed in y only: falls not, slides freely.
static void test_axis_support(void** state) {
    (void)state;
    pli_world_def def = with_gravity();
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 1, 2, 3, 4);
    pli_fix_def fix = {.size = sizeof fix, .axes = {false, true, false}};
    fix_one(world, id, 0, &fix);
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_unknown_count(world), 1);
    for (int n = 0; n < 10; ++n) step(world);
    ASSERT_NEAR(pli_world_positions(world)[0], 1.3, 1e-12);
    ASSERT_NEAR(pli_world_positions(world)[1], 2, 0);
    ASSERT_NEAR(pli_world_reactions(world)[1], 9.81, 1e-12);
    pli_world_destroy(world);
}

// A piston driven down on a square by velocity, and one by keys: they arrive exactly where told.
static void test_prescribed(void** state) {
    (void)state;
    pli_world_def def = with_gravity();
    def.solver.tolerance = 1e-6;
    pli_world* world = make_world(&def);
    pli_body_id a = add_point(world, 0, 1, 0, 0), b = add_point(world, 5, 1, 0, 0);
    pli_prescribe_def by_velocity = pli_default_prescribe_def();
    by_velocity.velocity[1] = -0.5;
    by_velocity.travel = 0.123;
    ASSERT_OK(pli_world_prescribe(world, a, &by_velocity, NULL, &error));
    pli_prescribe_def by_keys = pli_default_prescribe_def();
    const double times[3] = {0, 0.2, 0.4}, offsets[9] = {0, 0, 0, 1, 0, 0, 1, -2, 0};
    by_keys.times = times;
    by_keys.offsets = offsets;
    by_keys.key_count = 3;
    ASSERT_OK(pli_world_prescribe(world, b, &by_keys, NULL, &error));
    for (int n = 1; n <= 50; ++n) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        assert_int_equal(info.blocked, 0);
        const double* x = pli_world_positions(world);
        double t = 0.01 * n;
        ASSERT_NEAR(x[1], 1 - fmin(0.123, 0.5 * t), 1e-8 * n); // each step may miss by 1e-9
        ASSERT_NEAR(x[3], 5 + fmin(1, t / 0.2), 1e-8);
        ASSERT_NEAR(x[4], 1 - 2 * fmax(0, fmin(1, (t - 0.2) / 0.2)), 1e-8);
    }
    // At rest the piston is held against its weight.
    ASSERT_NEAR(pli_world_reactions(world)[1], 9.81, 1e-3);
    pli_world_destroy(world);
}

// A prescribed point is driven through the ground: it must stop above it and the run must say so.
static void test_blocked(void** state) {
    (void)state;
    for (int accept = 0; accept < 2; ++accept) {
        pli_world_def def = pli_default_world_def();
        def.contact.dhat = 0.01;
        if (!accept) def.solver.on_blocked = "fail";
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 0.1, 0, 0);
        add_ground(world, 0, 0);
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.velocity[1] = -1;
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        pli_step_info info = {0};
        int n = 0;
        while (n < 30 && info.reason == PLI_CONVERGED) {
            info = step(world);
            assert_true(pli_world_positions(world)[1] > 0);
            ++n;
        }
        assert_int_equal(info.reason, PLI_BLOCKED);
        assert_int_equal(info.blocked, 1);
        assert_true(info.kept == (accept == 1));
        assert_non_null(strstr(info.remedy, "solver.on_blocked"));
        for (; n < 30 && accept; ++n) {
            step(world);
            assert_true(pli_world_positions(world)[1] > 0);
        }
        pli_world_destroy(world);
    }
}

// A step that cannot converge in 3 iterations: each policy does what it says.
static void test_policies(void** state) {
    (void)state;
    static const char* const policies[] = {"stop", "accept", "substep"};
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = with_gravity();
        def.solver.max_iterations = 3;
        def.solver.tolerance = 1e-8;
        def.solver.on_failure = policies[i];
        def.time_step = 0.1;
        def.contact.dhat = 0.01;
        pli_world* world = make_world(&def);
        add_square(world, &(square){.segments = 2, .stiffness = 1e4, .centre = {0, 0.52}});
        add_ground(world, 0, 0);
        double before = pli_world_positions(world)[1];
        pli_step_info info = step(world);
        double moved = before - pli_world_positions(world)[1];
        if (i == 0) {
            assert_int_equal(info.reason, PLI_ITERATION_CAP);
            assert_false(info.kept);
            assert_int_equal(pli_world_step_count(world), 0);
            ASSERT_NEAR(moved, 0, 0);
        } else if (i == 1) {
            assert_int_equal(info.reason, PLI_ITERATION_CAP);
            assert_true(info.kept);
            assert_int_equal(pli_world_step_count(world), 1);
            assert_true(moved > 0);
        } else {
            assert_int_equal(info.reason, PLI_CONVERGED);
            assert_true(info.kept && info.substeps > 1 && info.time_step < 0.1);
            ASSERT_NEAR(pli_world_time(world), 0.1, 1e-15);
        }
        assert_true(pli_world_positions(world)[1] > 0);
        pli_world_destroy(world);
    }
}

// Two squares fall on each other and on the ground with friction, thrown sideways.
static pli_world* make_pile(const pli_world_def* base) {
    pli_world_def def = *base;
    def.gravity[1] = -9.81;
    def.contact.friction = 0.3;
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 5, .stiffness = 2e4, .centre = {0, 0.6}});
    add_square(
        world,
        &(square){.segments = 4, .stiffness = 1e5, .centre = {0.3, 1.8}, .velocity = {-1, -5}});
    add_ground(world, 0, 0.2);
    return world;
}

// The same bits for 1, 2 and 3 threads, in a pile large enough that all loops are divided.
static void test_threads(void** state) {
    (void)state;
    enum { VERTICES = 31 * 31 + 26 * 26 };
    static double reference[3 * VERTICES];
    for (int threads = 1; threads <= 3; ++threads) {
        pli_world_def def = pli_default_world_def();
        def.thread_count = threads;
        def.gravity[1] = -9.81;
        def.contact.friction = 0.3;
        pli_world* world = make_world(&def);
        add_square(world, &(square){.segments = 30, .stiffness = 2e4, .centre = {0, 0.51}});
        add_square(world, &(square){.segments = 25,
                                    .stiffness = 1e5,
                                    .centre = {0.3, 1.53},
                                    .velocity = {-1, -5}});
        add_ground(world, 0, 0.2);
        int contacts = 0;
        for (int n = 0; n < 15; ++n) {
            pli_step_info info = step(world);
            assert_int_equal(info.reason, PLI_CONVERGED);
            contacts += info.contact_count;
        }
        assert_true(contacts > 100);
        assert_int_equal(pli_world_vertex_count(world), VERTICES);
        if (threads == 1) memcpy(reference, pli_world_positions(world), sizeof reference);
        assert_memory_equal(pli_world_positions(world), reference, sizeof reference);
        pli_world_destroy(world);
    }
}

// A world of its own in a thread of its own; the last positions go to `argument`.
static void* run_pile(void* argument) {
    pli_world_def def = pli_default_world_def();
    def.thread_count = 2;
    pli_world* world = make_pile(&def);
    for (int n = 0; n < 40; ++n) pli_world_step(world, NULL, NULL);
    memcpy(argument, pli_world_positions(world), 3 * 61 * sizeof(double));
    pli_world_destroy(world);
    return NULL;
}

// Two worlds at once do not disturb each other.
static void test_two_worlds(void** state) {
    (void)state;
    double alone[3 * 61], together[2][3 * 61];
    run_pile(alone);
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run_pile, together[i]), 0);
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
        assert_memory_equal(together[i], alone, sizeof alone);
    }
}

// A tetrahedron of springs in space falls on the ground and stays above it.
static void test_space(void** state) {
    (void)state;
    pli_world_def def = with_gravity();
    def.dimension = 3;
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double corners[] = {0, 1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 1};
    const int32_t edges[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 4, corners, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 6, edges, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 2;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", 1e4};
    ASSERT_OK(pli_world_add_energy(world, id, "hooke", &k, 1, NULL, &error));
    add_ground(world, 0, 0.5);
    for (int n = 0; n < 300; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        for (int v = 0; v < 4; ++v) assert_true(pli_world_positions(world)[3 * v + 1] > 0);
    }
    assert_true(pli_world_positions(world)[1] < 0.1); // it has landed
    assert_true(fabs(pli_world_velocities(world)[1]) < 0.1);
    pli_world_destroy(world);
}

// Whatever the step size: finite, above the ground, no triangle turned over, energy never gained.
static void test_any_step_size(void** state) {
    (void)state;
    static const double sizes[] = {1e-4, 1e-2, 0.1, 1, 10};
    for (int i = 0; i < 5; ++i) {
        pli_world_def def = pli_default_world_def();
        def.time_step = sizes[i];
        pli_world* world = make_pile(&def);
        ASSERT_OK(pli_world_prepare(world, &error));
        double start = 0;
        for (int e = 0; e < pli_world_energy_count(world); ++e)
            start += pli_world_energy_value(world, e);
        for (int n = 0; n < 20; ++n) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            double now = 0;
            for (int e = 0; e < pli_world_energy_count(world); ++e)
                if (!strstr(pli_world_energy_name(world, e), "friction"))
                    now += pli_world_energy_value(world, e);
            assert_true(now <= start * (1 + 1e-9));
        }
        const double* x = pli_world_positions(world);
        const int32_t* t = pli_world_elements(world, PLI_TRIANGLE);
        for (int v = 0; v < pli_world_vertex_count(world); ++v) assert_true(x[3 * v + 1] > 0);
        for (int k = 0; k < pli_world_element_count(world, PLI_TRIANGLE); ++k) {
            const double *a = x + 3 * t[3 * k], *b = x + 3 * t[3 * k + 1],
                         *c = x + 3 * t[3 * k + 2];
            assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
        }
        pli_world_destroy(world);
    }
}

// After warm-up no step calls the allocator, contact or not. Growth of high-water marks is allowed
// while contacts appear, so the pile must have come to rest first.
static void test_no_allocation_after_warm_up(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    pli_world* world = make_pile(&def);
    for (int n = 0; n < 150; ++n) step(world);
    int64_t calls = pli_world_memory_calls(world);
    for (int n = 0; n < 50; ++n) assert_true(step(world).contact_count > 0);
    assert_int_equal(pli_world_memory_calls(world), calls);
    pli_world_destroy(world);
}

// Builds and steps a small world of every feature; stops at the first failure.
static pli_status run_small(const pli_allocator* allocator, pli_world** world) {
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    def.contact.friction = 0.2;
    def.contact.dhat = 0.05;
    def.thread_count = 1;
    def.allocator = allocator;
    pli_status status = pli_world_create(&def, world, &error);
    if (status != PLI_OK) return status;
    const double corners[] = {0, 0.02, 0, 1, 0.02, 0, 0, 1, 0, 0, 1.03, 0, 1, 1.03, 0, 0, 2, 0};
    const int32_t triangle[3] = {0, 1, 2};
    for (int b = 0; b < 2 && status == PLI_OK; ++b) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, allocator);
        status = pli_mesh_add_vertices(&mesh, 3, corners + 9 * b, NULL, &error);
        if (status == PLI_OK)
            status = pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, triangle, &error);
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        pli_body_id id;
        if (status == PLI_OK) status = pli_world_add_body(*world, &body, &id, &error);
        pli_setting k[2] = {{"young", 1e4}, {"poisson", 0.3}};
        if (status == PLI_OK)
            status = pli_world_add_energy(*world, id, "neo-hookean", k, 2, NULL, &error);
        pli_mesh_free(&mesh);
        pli_prescribe_def motion = pli_default_prescribe_def();
        const int32_t last[1] = {2};
        motion.vertices = last;
        motion.vertex_count = 1;
        motion.velocity[0] = 0.1;
        if (status == PLI_OK && b == 1)
            status = pli_world_prescribe(*world, id, &motion, NULL, &error);
    }
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = 0.5;
    if (status == PLI_OK) status = pli_world_add_half_space(*world, &ground, NULL, &error);
    for (int n = 0; n < 3 && status == PLI_OK; ++n) status = pli_world_step(*world, NULL, &error);
    return status;
}

static void test_every_allocation_may_fail(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator allocator = pli_test_hook(&counter);
    pli_world* world = NULL;
    ASSERT_OK(run_small(&allocator, &world));
    pli_world_destroy(world);
    assert_int_equal(counter.bytes, 0);
    int total = counter.requests;
    assert_true(total > 50);
    for (int n = 1; n <= total; ++n) {
        counter = (pli_test_allocator){.fail_at = n};
        world = NULL;
        assert_int_equal(run_small(&allocator, &world), PLI_E_MEMORY);
        pli_world_destroy(world);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
}

// What a failed step leaves is known at every vertex, and the largest of it is what the step
// reports.
static void test_residuals(void** state) {
    (void)state;
    const struct {
        const char *scheme, *unit;
    } rows[] = {{"backward-euler", "m/s"}, {"static", "N"}, {"symplectic-euler", ""}};
    for (int r = 0; r < 3; ++r) {
        pli_world_def def = pli_default_world_def();
        def.scheme = rows[r].scheme;
        def.contact.bodies = false;
        def.gravity[1] = -9.81;
        def.solver.max_iterations = 1;
        def.solver.on_failure = "stop"; // shorter steps may need one direction alone
        pli_world* world = make_world(&def);
        pli_body_id id =
            add_square(world, &(square){.segments = 3, .stiffness = 1e5, .centre = {0, 1}});
        pli_fix_def fix = pli_default_fix_def();
        const int32_t corner[1] = {0};
        fix.vertices = corner;
        fix.vertex_count = 1;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        assert_null(pli_world_residuals(world));
        pli_step_info info = step(world);
        assert_string_equal(pli_world_residual_unit(world), rows[r].unit);
        const double* left = pli_world_residuals(world);
        if (r < 2) assert_int_equal(info.reason, PLI_ITERATION_CAP);
        if (r < 2) assert_non_null(left);
        if (r == 2) assert_null(left);
        for (int v = 0; left && v < pli_world_vertex_count(world); ++v)
            assert_true(left[v] >= 0 && left[v] <= left[info.worst_vertex]);
        if (left) assert_true(left[0] == 0 && left[info.worst_vertex] > 0);
        if (r == 0) assert_true(left[info.worst_vertex] == info.residual);
        pli_world_destroy(world);
    }
}

// The caller's pointer goes with its body and changes nothing else.
static void test_user_pointer(void** state) {
    (void)state;
    int first = 0, second = 0;
    pli_world_def def = pli_default_world_def();
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 1, 1, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    pli_body_id id;
    body.mesh = &mesh;
    assert_null(body.user);
    body.user = &first;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    assert_ptr_equal(pli_world_body_user(world, 0), &first);
    uint64_t hash = pli_world_body_hash(world, 0);
    ASSERT_OK(pli_world_prepare(world, &error));
    step(world);
    ASSERT_OK(pli_world_set_body_user(world, id, &second, &error));
    assert_ptr_equal(pli_world_body_user(world, 0), &second);
    assert_true(pli_world_body_hash(world, 0) == hash);
    ASSERT_OK(pli_world_set_body_user(world, id, NULL, &error));
    assert_null(pli_world_body_user(world, 0));
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_slow_body_does_not_freeze),
        cmocka_unit_test(test_user_pointer),
        cmocka_unit_test(test_reactions),
        cmocka_unit_test(test_residuals),
        cmocka_unit_test(test_axis_support),
        cmocka_unit_test(test_prescribed),
        cmocka_unit_test(test_blocked),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_two_worlds),
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_any_step_size),
        cmocka_unit_test(test_no_allocation_after_warm_up),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
