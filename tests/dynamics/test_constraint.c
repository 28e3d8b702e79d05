// Constraints through their table of operations: prescribed motion by closed forms, and a kind that
// has none of the optional operations.
#include "dynamics/worlds.h"

#include "dynamics/prescribe.h"

#include <string.h>

enum { VERTEX = 1 }; // of three, which moves with (1, 2) m/s from (1, 0)
static const double x_n[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
static const double h = 0.1;

typedef struct setup {
    pli_memory memory;
    pli_kinematics kinematics;
    pli_pins pins;
    pli_constraints all;
    pli_term term;
    pli_step step;
} setup;

// `free_y`: nothing is prescribed along y. The mass of the vertex is 3 kg, as of one without any.
static void open_setup(setup* s, bool free_y) {
    memset(s, 0, sizeof *s);
    pli_memory_init(&s->memory, NULL);
    pli_kinematics_init(&s->kinematics, &s->memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(&s->kinematics, 3, x_n, &error));
    for (int v = 0; v < 3; ++v) ASSERT_OK(pli_kinematics_set_free(&s->kinematics, v, &error));
    ASSERT_OK(pli_kinematics_finish(&s->kinematics, &error));
    pli_pins_init(&s->pins, &s->memory, 2);
    s->all.kind[0] = pli_pins_constraint(&s->pins);
    pli_prescribe_def def = pli_default_prescribe_def();
    def.velocity[0] = 1;
    def.velocity[1] = 2;
    def.free[1] = free_y;
    int32_t motion;
    ASSERT_OK(pli_pins_reserve(&s->pins, 1, &error));
    ASSERT_OK(pli_pins_add_motion(&s->pins, &def, 1, &motion, &error));
    pli_pins_add(&s->pins, VERTEX, motion, x_n + 3 * VERTEX, 0);
    ASSERT_OK(s->all.kind[0].ops->term(s->all.kind[0].self, 3, &s->term, &error));
    s->step =
        (pli_step){.h = h, .time = h, .share = 1, .inertia = 100, .velocity_rate = 10, .x_n = x_n};
    ASSERT_OK(s->term.ops->begin_step(s->term.self, &s->step, &error));
}

static void close_setup(setup* s) {
    pli_constraints_free(&s->all);
    pli_kinematics_free(&s->kinematics);
    assert_int_equal(s->memory.bytes, 0);
}

// x_n with the constrained vertex moved by (dx, dy).
static void move(double x[9], double dx, double dy) {
    memcpy(x, x_n, sizeof x_n);
    x[3 * VERTEX] += dx;
    x[3 * VERTEX + 1] += dy;
}

static void test_rows_are_held_on_arrival(void** state) {
    (void)state;
    for (int free_y = 0; free_y < 2; ++free_y) {
        setup s;
        open_setup(&s, free_y);
        uint8_t frozen[3] = {0};
        double x[9];
        assert_int_equal(pli_constraints_count(&s.all), 1);
        assert_int_equal(pli_constraints_partial(&s.all), free_y);
        assert_int_equal(pli_constraints_arrive(&s.all, x_n, 1e-3), 1);
        assert_false(pli_constraints_arrived(&s.all));
        pli_constraints_hold(&s.all, &s.kinematics, false, frozen);
        assert_false(frozen[VERTEX]);
        pli_constraints_hold(&s.all, &s.kinematics, true, frozen);
        assert_true(frozen[VERTEX] && !frozen[0] && !frozen[2]);
        move(x, h, free_y ? 7 : 2 * h); // along y it may be anywhere
        assert_int_equal(pli_constraints_arrive(&s.all, x, 1e-3), 0);
        assert_true(pli_constraints_arrived(&s.all));
        pli_constraints_hold(&s.all, &s.kinematics, false, frozen);
        assert_int_equal(frozen[VERTEX], !free_y); // a free axis must stay in the matrix
        ASSERT_OK(pli_constraints_retarget(&s.all, &s.step, 0, 0.5, &error));
        assert_false(pli_constraints_arrived(&s.all)); // a new target
        close_setup(&s);
    }
}

// A correction that counts as 1 at the tolerance of the world counts as more where the vertex must
// come nearer: 1e-3 of its way of h |v|.
static void test_corrections_are_weighed(void** state) {
    (void)state;
    setup s;
    double weight[3] = {1, 1, 1}, x[9], way = h * sqrt(5);
    open_setup(&s, false);
    pli_constraints_weigh(&s.all, 1e-2, 1e-3, weight);
    ASSERT_NEAR(weight[VERTEX], 1e-2 / (1e-3 * way), 1e-9);
    assert_true(weight[0] == 1 && weight[2] == 1);
    weight[VERTEX] = 1;
    pli_constraints_weigh(&s.all, 1e-9, 1e-3, weight);
    assert_true(weight[VERTEX] == 1); // never less
    move(x, h, 2 * h);
    pli_constraints_arrive(&s.all, x, 1e-3);
    pli_constraints_weigh(&s.all, 1e-2, 1e-3, weight);
    assert_true(weight[VERTEX] == 1);
    close_setup(&s);
}

// The pull at x is -dE/dx of the term; without it, what the sum of all forces leaves is the force
// that the constraint exerts. Along a free axis it exerts none, and works nothing.
static void test_forces(void** state) {
    (void)state;
    for (int free_y = 0; free_y < 2; ++free_y) {
        setup s;
        open_setup(&s, free_y);
        double x[9], g[2] = {0}, force[9] = {0}, gq[6], dq[6], work = 0;
        move(x, 0.02, -0.03);
        pli_batch in = {.dim = 2, .count = 1, .want = PLI_GRADIENT, .x = x};
        pli_local out = {.g = g};
        s.term.ops->eval(s.term.self, 0, &in, &out);
        for (int c = 0; c < 2; ++c) force[3 * VERTEX + c] = g[c] + 5 + c;
        force[0] = 9;
        pli_constraints_reaction(&s.all, x, force);
        ASSERT_NEAR(force[3 * VERTEX], 5, 1e-9);
        ASSERT_NEAR(force[3 * VERTEX + 1], free_y ? 0 : 6, 1e-9);
        assert_true(force[0] == 9);
        for (int i = 0; i < 6; ++i) gq[i] = 1 + i, dq[i] = 0.5;
        ASSERT_NEAR(pli_constraints_take_work(&s.all, &s.kinematics, dq, gq), free_y ? 1.5 : 3.5,
                    1e-15);
        assert_true(gq[1] == 2 && gq[2] == 0 && gq[3] == (free_y ? 4 : 0) && gq[4] == 5);
        for (int i = 0; i < 6; ++i) gq[i] = 1 + i;
        pli_constraints_add_work(&s.all, &s.kinematics, -2, gq, dq, &work);
        ASSERT_NEAR(work, -7, 1e-15);
        pli_constraints_clear(&s.all, &s.kinematics, gq);
        assert_true(gq[1] == 2 && gq[2] == 0 && gq[3] == 0 && gq[4] == 5);
        double mass[6] = {1, 1, 0, 0, 1, 1};
        pli_constraints_fill_mass(&s.all, &s.kinematics, mass);
        assert_true(mass[0] == 1 && mass[2] == 3 && mass[3] == 3);
        close_setup(&s);
    }
}

// Where its last motion leads it is put to its target, if it does not miss much.
static void test_prediction(void** state) {
    (void)state;
    setup s;
    open_setup(&s, false);
    double near[6] = {0, 0, 1 + 1.05 * h, 2 * h, 2, 0}, far[6] = {0, 0, 1 - h, 0, 2, 0};
    assert_true(pli_constraints_predict(&s.all, &s.kinematics, near));
    ASSERT_NEAR(near[2], 1 + h, 1e-15);
    ASSERT_NEAR(near[3], 2 * h, 1e-15);
    assert_false(pli_constraints_predict(&s.all, &s.kinematics, far));
    close_setup(&s);
}

// Blocked half way it has a target within what it reached, and is behind; `stay`: where it is.
static void test_retreat(void** state) {
    (void)state;
    for (int stay = 0; stay < 2; ++stay) {
        setup s;
        open_setup(&s, false);
        double x[9];
        uint8_t behind[3] = {0};
        move(x, 0.5 * h, h);
        assert_int_equal(pli_constraints_arrive(&s.all, x, 1e-3), 1);
        pli_constraints_retreat(&s.all, &s.step, x, stay);
        ASSERT_OK(pli_constraints_retarget(&s.all, &s.step, 0, 1, &error));
        const pli_pin* pin = &s.pins.pins[0];
        assert_true(stay ? pin->target[0] == 1
                         : pin->target[0] > 1 + 0.3 * h && pin->target[0] < 1 + 0.5 * h);
        assert_int_equal(pli_constraints_behind(&s.all), 1);
        memcpy(x + 3 * VERTEX, pin->target, 2 * sizeof *x);
        assert_int_equal(pli_constraints_arrive(&s.all, x, 1e-3), 0);
        pli_constraints_mark_behind(&s.all, behind);
        assert_true(behind[VERTEX] && !behind[0] && !behind[2]);
        close_setup(&s);
    }
}

// ---- a kind without optional operations

static int none(const void* self) {
    (void)self;
    return 0;
}

static void free_nothing(void* self) { (void)self; }

static void test_operations_are_optional(void** state) {
    (void)state;
    static const pli_constraint_ops ops = {.count = none, .free = free_nothing};
    pli_constraints all = {.kind = {{.ops = &ops}}};
    pli_drive drive = {0};
    pli_step step = {.h = h};
    pli_aim aim = {0};
    double values[3] = {1, 2, 3}, work = 4;
    uint8_t flags[1] = {7};
    assert_int_equal(pli_constraints_count(&all), 0);
    assert_int_equal(pli_constraints_hash(&all, 0, 1, 42), 42);
    assert_false(pli_constraints_partial(&all));
    assert_int_equal(pli_constraints_stages(&all, &step), 1);
    ASSERT_OK(pli_constraints_retarget(&all, &step, 0, 1, &error));
    assert_true(pli_constraints_predict(&all, NULL, values));
    assert_int_equal(pli_constraints_arrive(&all, values, 1), 0);
    assert_true(pli_constraints_arrived(&all));
    assert_false(pli_constraints_stiffen(&all, values, 1));
    assert_int_equal(pli_constraints_behind(&all), 0);
    assert_true(pli_constraints_take_work(&all, NULL, values, values) == 0);
    pli_constraints_fill_mass(&all, NULL, values);
    pli_constraints_aim(&all, &drive, &aim);
    pli_constraints_hold(&all, NULL, true, flags);
    pli_constraints_weigh(&all, 1, 1, values);
    pli_constraints_retreat(&all, &step, values, true);
    pli_constraints_finish(&all, &drive, values, values, values);
    pli_constraints_commit(&all, h, values);
    pli_constraints_mark_behind(&all, flags);
    pli_constraints_reaction(&all, values, values);
    pli_constraints_add_work(&all, NULL, 1, values, values, &work);
    pli_constraints_clear(&all, NULL, values);
    pli_constraints_bend(&all, 0, h);
    pli_constraints_guide(&all, &drive);
    pli_constraints_place(&all, &drive, values, values);
    pli_constraints_accelerate(&all, NULL, values);
    pli_constraints_restart(&all, values);
    pli_constraints_free(&all);
    assert_true(values[0] == 1 && values[1] == 2 && values[2] == 3 && work == 4 && flags[0] == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_held_on_arrival),
        cmocka_unit_test(test_corrections_are_weighed),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_prediction),
        cmocka_unit_test(test_retreat),
        cmocka_unit_test(test_operations_are_optional),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
