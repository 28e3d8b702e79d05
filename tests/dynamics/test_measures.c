// Joints that are kept to a tolerance, and what acts on angles and travels.
#include "dynamics/boxes.h"

#include <math.h>

#define WEIGHT (mass * g)
static const double PI = 3.14159265358979323846;

static void fix_all(pli_world* world, pli_body_id body) {
    pli_fix_def fix = pli_default_fix_def();
    ASSERT_OK(pli_world_fix(world, body, &fix, NULL, &error));
}

static void near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g, must be %.9g within %g", value, expected, tolerance);
}

// ---- force = load and violation within tolerance, for each type between two bodies

static const struct row {
    const char* type;
    double axis[3], axis2[3];
} rows[] = {
    {"ball", {0}, {0}},
    {"hinge", {1, 0, 0}, {0}},
    {"weld", {0}, {0}},
    {"slider", {1, 0, 0}, {0}},
    {"cylinder", {1, 0, 0}, {0}},
    {"screw", {1, 0, 0}, {0}},
    {"universal", {1, 0, 0}, {0, 0, 1}},
    {"planar", {0, 1, 0}, {0}},
    {"line", {1, 0, 0}, {0}},
    {"distance", {0}, {0}},
    {"rope", {0}, {0}},
};

// The first box hangs under the second, which is fixed, or both sides are exchanged.
static void hang(const struct row* row, bool exchanged) {
    pli_world_def def = space("backward-euler");
    pli_world* world = create(&def);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0, 0.6, 0);
    fix_all(world, b);
    pli_joint_def j = joint(row->type, exchanged ? b : a, exchanged ? &a : &b, 0, 0.15, 0);
    memcpy(j.axis, row->axis, sizeof j.axis);
    memcpy(j.axis2, row->axis2, sizeof j.axis2);
    j.pitch = 0.02;
    j.to[1] = 0.45;
    if (exchanged)
        j.at[1] =
            strcmp(row->type, "distance") == 0 || strcmp(row->type, "rope") == 0 ? 0.45 : 0.15,
        j.to[1] = 0.15;
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    for (int n = 0; n < 20; ++n) {
        steps(world, 1);
        if (!(read_joint(world, 0).off <= 1))
            fail_msg("%s: off by %g", row->type, read_joint(world, 0).off);
    }
    pli_joint_info info = read_joint(world, 0);
    if (fabs(info.force[1] - (exchanged ? -1 : 1) * WEIGHT) > 1e-3 * WEIGHT)
        fail_msg("%s: force %g, must be %g", row->type, info.force[1], WEIGHT);
    near(info.force[0], 0, 1e-3 * WEIGHT);
    near(info.force[2], 0, 1e-3 * WEIGHT);
    for (int c = 0; c < 3; ++c) near(info.torque[c], 0, 1e-3 * WEIGHT * 0.15);
    pli_world_destroy(world);
}

static void test_types(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int k = 0; k < 2; ++k) hang(&rows[i], k);
}

// ---- what acts on angles and travels

static pli_world* without_weight(const char* scheme, double h) {
    pli_world_def def = space(scheme);
    def.gravity[1] = 0;
    def.time_step = h;
    return create(&def);
}

// Inertia of a box about its centre, along z.
static const double inertia = 1000 * 0.2 * 0.3 * 0.5 * (0.2 * 0.2 + 0.3 * 0.3) / 12;

static pli_joint_def wheel(pli_body_id a, const pli_body_id* b) {
    pli_joint_def j = joint("hinge", a, b, 0, 0, 0);
    j.axis[2] = 1;
    return j;
}

// A motor turns a box by 2 pi rad/s for two seconds: the angle counts both turns. A torque cap
// limits how fast it gets there.
static void test_velocity(void** state) {
    (void)state;
    for (int capped = 0; capped < 2; ++capped) {
        pli_world* world = without_weight("bdf2", 0.01);
        pli_body_id a = add_box(world, "rigid", 0, 0, 0);
        pli_joint_def j = wheel(a, NULL);
        j.freedom[PLI_JOINT_ANGLE].motor = "velocity";
        j.freedom[PLI_JOINT_ANGLE].target = 2 * PI;
        if (capped) j.freedom[PLI_JOINT_ANGLE].cap = inertia * 2 * PI; // 1 s to get there
        ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
        steps(world, 50);
        pli_joint_info half = read_joint(world, 0);
        if (capped) near(half.motor[PLI_JOINT_ANGLE], inertia * 2 * PI, 1e-9);
        if (capped) near(half.rate[PLI_JOINT_ANGLE], PI, 0.02 * PI);
        if (capped) near(half.torque[2], inertia * 2 * PI, 1e-3 * inertia * 2 * PI);
        steps(world, 150);
        pli_joint_info info = read_joint(world, 0);
        near(info.rate[PLI_JOINT_ANGLE], 2 * PI, 1e-3);
        near(info.value[PLI_JOINT_ANGLE], capped ? 3 * PI : 4 * PI, 0.1);
        near(info.motor[PLI_JOINT_ANGLE], 0, 1e-3 * inertia * 2 * PI);
        assert_true(isnan(info.value[PLI_JOINT_TRAVEL]));
        pli_balance b = pli_world_balance(world);
        near(b.work_prescribed, 0.5 * inertia * 4 * PI * PI, 0.03 * inertia * 4 * PI * PI);
        near(info.work, b.work_prescribed, 0.05 * b.work_prescribed);
        pli_world_destroy(world);
    }
}

static void swing(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    out[0] = 0.5 * sin(4 * time);
}

// A motor follows its target under the weight of an arm; its torque is that of the weight and the
// inertia.
static void test_position(void** state) {
    (void)state;
    pli_world_def def = space("bdf2");
    def.time_step = 0.005;
    pli_world* world = create(&def);
    pli_body_id a = add_box(world, "rigid", 0.1, 0, 0);
    pli_joint_def j = wheel(a, NULL);
    j.freedom[PLI_JOINT_ANGLE].motor = "position";
    j.freedom[PLI_JOINT_ANGLE].target_of = swing;
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    pli_joint_id id = pli_world_joint_id(world, 0);
    for (int n = 0; n < 200; ++n) {
        steps(world, 1);
        double t = pli_world_time(world), angle = 0.5 * sin(4 * t);
        pli_joint_info info = read_joint(world, 0);
        near(info.value[PLI_JOINT_ANGLE], angle, 1e-3);
        double torque = (inertia + mass * 0.01) * -8 * sin(4 * t) + WEIGHT * 0.1 * cos(angle);
        if (n > 20) near(info.motor[PLI_JOINT_ANGLE], torque, 0.02 * WEIGHT * 0.1);
    }
    ASSERT_OK(pli_world_set_joint_motor(world, id, PLI_JOINT_ANGLE, NULL, 0.25, HUGE_VAL, &error));
    steps(world, 100);
    near(read_joint(world, 0).value[PLI_JOINT_ANGLE], 0.25, 1e-3);
    near(read_joint(world, 0).motor[PLI_JOINT_ANGLE], WEIGHT * 0.1 * cos(0.25),
         1e-3 * WEIGHT * 0.1);
    ASSERT_OK(pli_world_set_joint_motor(world, id, PLI_JOINT_ANGLE, "none", 0, HUGE_VAL, &error));
    steps(world, 20);
    assert_true(read_joint(world, 0).value[PLI_JOINT_ANGLE] < 0.2);
    pli_world_destroy(world);
}

// A force drives a slider; a spring holds it.
static void test_spring(void** state) {
    (void)state;
    pli_world* world = without_weight("bdf2", 0.01);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0.5, 0, 0);
    fix_all(world, b);
    pli_joint_def j = joint("slider", a, &b, 0.25, 0, 0);
    j.axis[1] = 1;
    pli_joint_freedom* f = &j.freedom[PLI_JOINT_TRAVEL];
    f->stiffness = 1000, f->damping = 2 * sqrt(1000 * mass), f->rest = 0.01;
    f->motor = "force", f->target = 50;
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    steps(world, 300);
    pli_joint_info info = read_joint(world, 0);
    near(info.value[PLI_JOINT_TRAVEL], 0.06, 1e-6);
    near(info.motor[PLI_JOINT_TRAVEL], 50, 1e-9);
    near(info.force[1], 0, 0.05);
    pli_world_destroy(world);
}

// A box that slides with friction stops after v^2 / (2 F / m), and stays.
static void test_friction(void** state) {
    (void)state;
    pli_world* world = without_weight("backward-euler", 0.001);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0);
    pli_joint_def j = joint("slider", a, NULL, 0, 0, 0);
    j.axis[0] = 1;
    j.freedom[PLI_JOINT_TRAVEL].friction = 2 * mass;
    const double v[3] = {0.4, 0, 0};
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    ASSERT_OK(pli_world_set_velocities(world, a, v, false, &error));
    steps(world, 100);
    near(read_joint(world, 0).force[0], -2 * mass, 2e-3 * mass);
    steps(world, 200);
    double x = read_joint(world, 0).value[PLI_JOINT_TRAVEL];
    near(x, 0.04, 3e-4); // h v / 2
    near(pli_world_balance(world).dissipated, 0.08 * mass, 1e-3 * mass);
    steps(world, 100);
    near(read_joint(world, 0).value[PLI_JOINT_TRAVEL], x, 1e-9);
    pli_world_destroy(world);
}

// A pendulum falls on the limit of its hinge: at any step size, under any load, it is not passed.
static void test_limits(void** state) {
    (void)state;
    const double sizes[] = {0.001, 0.02, 0.2, 2};
    for (size_t i = 0; i < 8; ++i) {
        pli_world_def def = space("backward-euler");
        def.time_step = sizes[i % 4];
        def.gravity[1] = i < 4 ? -g : -1e6;
        pli_world* world = create(&def);
        pli_body_id a = add_box(world, "rigid", 0.1, 0, 0);
        pli_joint_def j = wheel(a, NULL);
        j.freedom[PLI_JOINT_ANGLE].low = -0.5;
        j.freedom[PLI_JOINT_ANGLE].high = 0.2;
        ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
        for (int n = 0; n < (i == 0 ? 800 : 40); ++n) {
            steps(world, 1);
            double angle = read_joint(world, 0).value[PLI_JOINT_ANGLE];
            if (!(angle > -0.5 && angle < 0.2)) fail_msg("h %g: angle %g", def.time_step, angle);
        }
        if (i == 1) near(read_joint(world, 0).value[PLI_JOINT_ANGLE], -0.5, 0.01);
        if (i == 1) near(read_joint(world, 0).force[1], WEIGHT, 1e-3 * WEIGHT);
        pli_world_destroy(world);
    }
}

// ---- coupled values

// Two wheels with a ratio of -2: a torque on the first turns both as one inertia.
static void test_gear(void** state) {
    (void)state;
    pli_world* world = without_weight("bdf2", 0.01);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0.5, 0, 0);
    pli_joint_def first = wheel(a, NULL), second = wheel(b, NULL), gear = pli_default_joint_def();
    second.at[0] = 0.5;
    first.freedom[PLI_JOINT_ANGLE].motor = "force";
    first.freedom[PLI_JOINT_ANGLE].target = 5 * inertia;
    gear.type = "gear", gear.ratio = -2;
    ASSERT_OK(pli_world_add_joint(world, &first, &gear.of[0], &error));
    ASSERT_OK(pli_world_add_joint(world, &second, &gear.of[1], &error));
    ASSERT_OK(pli_world_add_joint(world, &gear, NULL, &error));
    for (int n = 0; n < 200; ++n) {
        steps(world, 1);
        near(read_joint(world, 1).value[0], -2 * read_joint(world, 0).value[0], 1e-3);
        assert_true(read_joint(world, 2).off <= 1);
    }
    near(read_joint(world, 0).value[0], 2, 0.04); // 1 rad/s^2 for 2 s
    pli_world_destroy(world);
}

// A pinion lifts a rack: the torque is that of its weight.
static void test_rack(void** state) {
    (void)state;
    pli_world_def def = space("bdf2");
    pli_world* world = create(&def);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0.5, 0, 0);
    pli_joint_def first = wheel(a, NULL), second = joint("slider", b, NULL, 0.5, 0, 0);
    pli_joint_def rack = pli_default_joint_def();
    second.axis[1] = 1;
    first.freedom[PLI_JOINT_ANGLE].motor = "velocity";
    first.freedom[PLI_JOINT_ANGLE].target = 3;
    rack.type = "rack", rack.ratio = 0.1;
    ASSERT_OK(pli_world_add_joint(world, &first, &rack.of[0], &error));
    ASSERT_OK(pli_world_add_joint(world, &second, &rack.of[1], &error));
    ASSERT_OK(pli_world_add_joint(world, &rack, NULL, &error));
    steps(world, 300);
    near(read_joint(world, 0).value[0], 9, 1e-2);
    near(read_joint(world, 1).value[1], 0.9, 1e-3);
    near(read_joint(world, 0).motor[0], WEIGHT * 0.1, 1e-3 * WEIGHT * 0.1);
    pli_world_destroy(world);
}

// A nut on a screw of 10 mm per turn comes down by one pitch per turn.
static void test_screw(void** state) {
    (void)state;
    pli_world_def def = space("bdf2");
    def.time_step = 0.002; // Inertia against the screw is of the order of the turn per step cubed.
    pli_world* world = create(&def);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0, 1, 0);
    fix_all(world, b);
    pli_joint_def j = joint("screw", a, &b, 0, 0, 0);
    j.axis[1] = 2, j.pitch = 0.01;
    j.freedom[PLI_JOINT_ANGLE].motor = "velocity";
    j.freedom[PLI_JOINT_ANGLE].target = -2 * PI;
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    steps(world, 1000);
    pli_joint_info info = read_joint(world, 0);
    near(info.value[PLI_JOINT_ANGLE], -4 * PI, 0.01);
    near(info.value[PLI_JOINT_TRAVEL], -0.02, 2e-5);
    near(info.motor[PLI_JOINT_ANGLE], WEIGHT * 0.01 / (2 * PI), 1e-3 * WEIGHT * 0.01);
    near(info.force[1], WEIGHT, 1e-3 * WEIGHT);
    pli_world_destroy(world);
}

// Two boxes of masses m and m on a rope over a pulley with a ratio of 2: both accelerate.
static void test_pulley(void** state) {
    (void)state;
    const double over[6] = {0, 2, 0, 1, 2, 0};
    pli_world_def def = space("bdf2");
    def.time_step = 0.002;
    pli_world* world = create(&def);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 1, 0, 0);
    pli_joint_def j = joint("pulley", a, &b, 0, 0.15, 0);
    j.to[0] = 1, j.to[1] = 0.15, j.ratio = 2;
    j.over = over, j.over_count = 2;
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    steps(world, 200);
    // T - m g = m a, 2 T - m g = -m a / 2: a = -g / 5 * ... from both
    double tension = WEIGHT * 1.5 / 2.5, a0 = tension / mass - g;
    pli_joint_info info = read_joint(world, 0);
    near(info.force[1], tension, 1e-3 * tension);
    near(pli_world_body_summary(world, 0, NULL).velocity[1], a0 * 0.4, 2e-3 * g * 0.4);
    assert_true(info.off <= 1);
    pli_world_destroy(world);
}

// ---- breaking

// A rope breaks when the box on it is pulled by more than it bears; it falls from then on. The
// state says so.
static void test_breaks(void** state) {
    (void)state;
    const char* const types[] = {"rope", "ball"};
    for (int i = 0; i < 2; ++i) {
        pli_world_def def = space("bdf2");
        pli_world *world = create(&def), *copy = NULL;
        pli_body_id a = add_box(world, "rigid", 0, 0, 0);
        pli_joint_def j = joint(types[i], a, NULL, 0, 0.15, 0);
        j.to[1] = 1, j.break_force = 1.5 * WEIGHT;
        ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
        steps(world, 10);
        assert_false(read_joint(world, 0).broken);
        const double heavy[3] = {0, -2 * g, 0};
        ASSERT_OK(pli_world_set_gravity(world, heavy, &error));
        steps(world, 2);
        assert_true(read_joint(world, 0).broken);
        near(read_joint(world, 0).force[1], 0, 0);
        ASSERT_OK(pli_world_clone(world, &copy, &error));
        steps(world, 20);
        steps(copy, 20);
        assert_true(read_joint(copy, 0).broken);
        assert_true(pli_world_body_summary(world, 0, NULL).velocity[1] < -2 * g * 0.19);
        assert_memory_equal(pli_world_positions(world), pli_world_positions(copy),
                            sizeof(double) * 3 * (size_t)pli_world_vertex_count(world));
        pli_world_destroy(copy);
        pli_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),    cmocka_unit_test(test_velocity),
        cmocka_unit_test(test_position), cmocka_unit_test(test_spring),
        cmocka_unit_test(test_friction), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_gear),     cmocka_unit_test(test_rack),
        cmocka_unit_test(test_screw),    cmocka_unit_test(test_pulley),
        cmocka_unit_test(test_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
