// Worlds between steps: a vertex that is held by a spring, states that are set.
#include "dynamics/worlds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static pli_world_def interactive(void) {
    pli_world_def def = pli_default_world_def();
    def.interactive = true;
    def.gravity[1] = -9.81;
    return def;
}

// Held in equilibrium the spring is longer by m g / k; released it falls freely.
static void test_grab_and_release(void** state) {
    (void)state;
    pli_world_def def = interactive();
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 0, 1, 0, 0);
    (void)id;
    double target[3] = {2, 3, 0};
    ASSERT_OK(pli_world_grab(world, 0, target, 400, &error));
    for (int i = 0; i < 2000; ++i) step(world);
    ASSERT_NEAR(pli_world_positions(world)[0], 2, 1e-6);
    ASSERT_NEAR(pli_world_positions(world)[1], 3 - 9.81 / 400, 1e-6);
    pli_balance balance =
        pli_world_balance(world); // the spring has lifted it: work against gravity
    assert_true(balance.work_prescribed > 9.81 * 1.9);
    pli_world_release(world);
    double y = pli_world_positions(world)[1];
    for (int n = 1; n <= 10; ++n) {
        step(world);
        ASSERT_NEAR(pli_world_positions(world)[1], y - 9.81 * 1e-4 * n * (n + 1) / 2, 1e-6);
    }
    pli_world_destroy(world);
}

// Without a stiffness the whole body comes along; another vertex can be grabbed right away.
static void test_body_follows(void** state) {
    (void)state;
    pli_world_def def = interactive();
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 3, .stiffness = 1e5, .centre = {0, 0.55}});
    add_ground(world, 0, 0.3);
    double target[3] = {3, 1.5, 0};
    for (int round = 0; round < 2; ++round) {
        int vertex = round == 0 ? 15 : 3;
        ASSERT_OK(pli_world_grab(world, vertex, target, 0, &error));
        for (int i = 0; i < 300; ++i) step(world);
        const double* x = pli_world_positions(world) + 3 * vertex;
        assert_true(hypot(x[0] - target[0], x[1] - target[1]) < 0.2);
        ASSERT_OK(pli_world_verify(world, &error));
    }
    pli_world_destroy(world);
}

// Held as a whole, a body hangs lower by M g / k and keeps its shape: springs and weight are both
// shared by mass. A motion that is changed starts from where it was first held.
static void test_whole_body(void** state) {
    (void)state;
    pli_world_def def = interactive();
    pli_world* world = make_world(&def);
    add_point(world, -3, 0, 0, 0);
    add_square(world, &(square){.segments = 3, .stiffness = 1e6, .centre = {0, 0.55}});
    ASSERT_OK(pli_world_prepare(world, &error));
    int first = pli_world_body_vertex(world, 1), end = pli_world_body_vertex(world, 2);
    double start[3 * 17], mass = 0;
    memcpy(start, pli_world_positions(world), sizeof start);
    for (int v = first; v < end; ++v) mass += pli_world_vertex_masses(world)[v];
    const double k = 1e6, moves[2][3] = {{-5, 1, 0}, {2, 3, 0}};
    for (int round = 0; round < 2; ++round) {
        ASSERT_OK(pli_world_grab_body(world, 1, moves[round], k, &error));
        for (int i = 0; i < 1500; ++i) step(world);
    }
    for (int v = first; v < end; ++v) {
        const double *x = pli_world_positions(world) + 3 * v, *x0 = start + 3 * v;
        ASSERT_NEAR(x[0], x0[0] + 2, 1e-6);
        ASSERT_NEAR(x[1], x0[1] + 3 - mass * 9.81 / k, 1e-6);
    }
    assert_true(pli_world_positions(world)[1] < -100); // the other one has fallen
    pli_world_release(world);
    double y = pli_world_positions(world)[3 * first + 1];
    step(world);
    assert_true(pli_world_positions(world)[3 * first + 1] < y);
    pli_world_destroy(world);
}

static void test_grab_is_checked(void** state) {
    (void)state;
    double target[3] = {0, 0, 0}, bad[3] = {0, NAN, 0};
    pli_world_def def = interactive();
    for (int fixed = 0; fixed < 2; ++fixed) {
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 1, 0, 0);
        pli_fix_def fix = pli_default_fix_def();
        if (fixed) ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        add_point(world, 0, 2, 0, 0);
        assert_int_equal(pli_world_grab(world, 2, target, 0, &error), PLI_E_ARGUMENT);
        assert_int_equal(pli_world_grab(world, -1, target, 0, &error), PLI_E_ARGUMENT);
        assert_int_equal(pli_world_grab(world, 1, bad, 0, &error), PLI_E_ARGUMENT);
        assert_int_equal(pli_world_grab(world, 1, target, -1, &error), PLI_E_ARGUMENT);
        assert_int_equal(pli_world_grab_body(world, 2, target, 0, &error), PLI_E_ARGUMENT);
        assert_int_equal(pli_world_grab_body(world, -1, target, 0, &error), PLI_E_ARGUMENT);
        assert_int_equal(pli_world_grab_body(world, 1, bad, 0, &error), PLI_E_ARGUMENT);
        assert_int_equal(pli_world_grab_body(world, 0, target, 0, &error),
                         fixed ? PLI_E_ARGUMENT : PLI_OK);
        assert_int_equal(pli_world_grab(world, 0, target, 0, &error),
                         fixed ? PLI_E_ARGUMENT : PLI_OK);
        pli_world_destroy(world);
    }
    def.interactive = false;
    pli_world* world = make_world(&def);
    add_point(world, 0, 1, 0, 0);
    assert_int_equal(pli_world_grab(world, 0, target, 0, &error), PLI_E_ARGUMENT);
    pli_world_release(world);
    pli_world_destroy(world);
}

static pli_world* bouncing(void) {
    pli_world_def def = interactive();
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 2, .stiffness = 1e5, .centre = {0, 0.6}});
    add_ground(world, 0, 0.2);
    return world;
}

// A state that is put into a second world goes on as in the first.
static void test_state_goes_on(void** state) {
    (void)state;
    pli_world *one = bouncing(), *other = bouncing();
    for (int i = 0; i < 15; ++i) step(one);
    pli_world_state now = {.time = pli_world_time(one),
                           .step = pli_world_step_count(one),
                           .positions = pli_world_positions(one),
                           .velocities = pli_world_velocities(one)};
    ASSERT_OK(pli_world_set_state(other, &now, &error));
    assert_int_equal(pli_world_step_count(other), 15);
    assert_int_equal(pli_world_contact_count(other), pli_world_contact_count(one));
    for (int n = 0; n < 20; ++n) {
        step(one);
        step(other);
        for (int i = 0; i < 3 * pli_world_vertex_count(one); ++i) // up to the solver's tolerance
            ASSERT_NEAR(pli_world_positions(one)[i], pli_world_positions(other)[i], 1e-7);
        ASSERT_NEAR(pli_world_time(one), pli_world_time(other), 1e-12);
    }
    pli_world_destroy(one);
    pli_world_destroy(other);
}

// States that are not allowed are refused, and nothing has changed.
static void test_bad_states(void** state) {
    (void)state;
    pli_world* world = bouncing();
    for (int i = 0; i < 15; ++i) step(world);
    double x[3 * 9], before[3 * 9];
    memcpy(before, pli_world_positions(world), sizeof before);
    pli_world_state bad = {.positions = x};
    memcpy(x, before, sizeof x);
    x[1] = -0.5; // below the ground
    assert_int_equal(pli_world_set_state(world, &bad, &error), PLI_E_SCENE);
    memcpy(x, before, sizeof x);
    x[3 * 4] += 10; // the middle: elements inside out
    assert_int_equal(pli_world_set_state(world, &bad, &error), PLI_E_SCENE);
    x[0] = INFINITY;
    assert_int_equal(pli_world_set_state(world, &bad, &error), PLI_E_ARGUMENT);
    assert_memory_equal(before, pli_world_positions(world), sizeof before);
    assert_int_equal(pli_world_step_count(world), 15);
    pli_world* same = bouncing();
    for (int i = 0; i < 15; ++i) step(same);
    for (int n = 0; n < 10; ++n) {
        step(world);
        step(same);
    }
    assert_memory_equal(pli_world_positions(world), pli_world_positions(same), sizeof before);
    pli_world_destroy(world);
    pli_world_destroy(same);
}

// A vertex on a spring of 1 m; its other end is drawn along x at 1 m/s, for 0.3 m.
static pli_world* drawn(void) {
    pli_world_def def = interactive();
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {2, 0, 0}, b[3] = {2, -1, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 1, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    ASSERT_OK(pli_world_add_energy(world, id, "spring", &(pli_setting){"stiffness", 200}, 1, NULL,
                                   &error));
    const int32_t first[1] = {0};
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = first;
    motion.vertex_count = 1;
    motion.velocity[0] = 1;
    motion.travel = 0.3;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    return world;
}

// What is prescribed goes on from where the state has put it, and ends where it would have.
static void test_state_of_prescribed(void** state) {
    (void)state;
    pli_world *one = drawn(), *other = drawn();
    for (int i = 0; i < 12; ++i) step(one);
    pli_world_state now = {.time = pli_world_time(one),
                           .step = pli_world_step_count(one),
                           .positions = pli_world_positions(one),
                           .velocities = pli_world_velocities(one)};
    ASSERT_OK(pli_world_set_state(other, &now, &error));
    for (int n = 13; n <= 40; ++n) {
        step(one);
        step(other);
        for (int i = 0; i < 6; ++i) // pins arrive up to the solver's tolerance
            ASSERT_NEAR(pli_world_positions(one)[i], pli_world_positions(other)[i], 1e-5);
        ASSERT_NEAR(pli_world_positions(other)[0], 2 + fmin(0.01 * n, 0.3), 1e-5);
    }
    // Behind its start: it begins there anew.
    double x[6] = {1.5, 0, 0, 1.5, -1, 0};
    ASSERT_OK(pli_world_set_state(other, &(pli_world_state){.positions = x}, &error));
    step(other);
    ASSERT_NEAR(pli_world_positions(other)[0], 2.01, 1e-5);
    pli_world_destroy(one);
    pli_world_destroy(other);
}

// ---- saved while something is held

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t size;
} bytes;

static bool append(void* context, const void* data, size_t size) {
    bytes* to = context;
    if (to->size + size > sizeof to->data) return false;
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

// The springs that hold a vertex belong to the state: the restored world is pulled in the same way,
// bit by bit, and a body that is pulled on starts from where it was first held.
static void test_saved_grab(void** state) {
    (void)state;
    static bytes saved, plain;
    static const double moves[2][3] = {{0.3, 2, 0}, {-0.2, 1.5, 0}};
    for (int whole = 0; whole < 2; ++whole) {
        pli_world *one = bouncing(), *other = bouncing();
        saved.size = plain.size = 0;
        for (int i = 0; i < 5; ++i) step(one);
        ASSERT_OK(whole ? pli_world_grab_body(one, 0, moves[0], 2e5, &error)
                        : pli_world_grab(one, 4, moves[0], 2e5, &error));
        for (int i = 0; i < 5; ++i) step(one);
        ASSERT_OK(pli_world_save(one, append, &saved, &error));
        ASSERT_OK(pli_world_restore(other, saved.data, saved.size, &error));
        for (int i = 0; i < 20; ++i) {
            if (i == 10 && whole) ASSERT_OK(pli_world_grab_body(one, 0, moves[1], 2e5, &error));
            if (i == 10 && whole) ASSERT_OK(pli_world_grab_body(other, 0, moves[1], 2e5, &error));
            step(one);
            step(other);
            assert_memory_equal(pli_world_positions(one), pli_world_positions(other),
                                27 * sizeof(double));
        }
        // A world in which nothing is held ends elsewhere, and releases what is held when restored.
        pli_world* free_one = bouncing();
        for (int i = 0; i < 10; ++i) step(free_one);
        ASSERT_OK(pli_world_save(free_one, append, &plain, &error));
        ASSERT_OK(pli_world_restore(other, plain.data, plain.size, &error));
        step(free_one);
        step(other);
        assert_memory_equal(pli_world_positions(free_one), pli_world_positions(other),
                            27 * sizeof(double));
        assert_true(pli_world_positions(free_one)[13] < pli_world_positions(one)[13]);
        pli_world_destroy(one);
        pli_world_destroy(other);
        pli_world_destroy(free_one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grab_and_release),    cmocka_unit_test(test_body_follows),
        cmocka_unit_test(test_whole_body),          cmocka_unit_test(test_grab_is_checked),
        cmocka_unit_test(test_state_goes_on),       cmocka_unit_test(test_bad_states),
        cmocka_unit_test(test_state_of_prescribed), cmocka_unit_test(test_saved_grab),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
