// Mechanisms with a known motion: a slider crank, a Bennett linkage, a pair that flies freely.
#include "dynamics/boxes.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static pli_world* start(const char* scheme, double h) {
    pli_world_def def = space(scheme);
    def.gravity[1] = 0;
    def.time_step = h;
    return create(&def);
}

// A box that deforms by far less than the tolerances here.
static pli_body_id add_rigid(pli_world* world, const double at[3]) {
    const int count[3] = {1, 1, 1};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, size, count, &error));
    for (int v = 0; v < mesh.vertex_count; ++v)
        for (int c = 0; c < 3; ++c) mesh.positions[3 * v + c] += at[c];
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = "affine";
    body.affine_stiffness = 1e11;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    return id;
}

static pli_joint_id add_hinge(pli_world* world, pli_body_id a, const pli_body_id* b,
                              const double at[3], const double axis[3], double speed) {
    pli_joint_def j = joint("hinge", a, b, at[0], at[1], at[2]);
    pli_joint_id id;
    memcpy(j.axis, axis, sizeof j.axis);
    if (speed != 0) {
        j.freedom[PLI_JOINT_ANGLE].motor = "velocity";
        j.freedom[PLI_JOINT_ANGLE].target = speed;
        j.freedom[PLI_JOINT_ANGLE].delay = 0.1;
    }
    ASSERT_OK(pli_world_add_joint(world, &j, &id, &error));
    return id;
}

// ---- slider crank

// The piston is where the angle of the crank says, within 1e-4 of the rod. The piston slides on a
// body, so its joint is kept to a tolerance.
static void test_slider_crank(void** state) {
    (void)state;
    const double r = 0.3, l = 0.8, z[3] = {0, 0, 1}, origin[3] = {0}, pin[3] = {0.3, 0, 0},
                 wrist[3] = {1.1, 0, 0}, rail[3] = {2, 0, 0}, middle[3] = {0.7, 0, 0};
    pli_world* world = start("bdf2", 0.005);
    pli_body_id crank = add_rigid(world, (double[3]){0.15, 0, 0}), rod = add_rigid(world, middle),
                piston = add_rigid(world, wrist), frame = add_rigid(world, rail);
    pli_fix_def fix = pli_default_fix_def();
    ASSERT_OK(pli_world_fix(world, frame, &fix, NULL, &error));
    add_hinge(world, crank, NULL, origin, z, 2 * PI);
    add_hinge(world, crank, &rod, pin, z, 0);
    add_hinge(world, rod, &piston, wrist, z, 0);
    pli_joint_def slider = joint("slider", piston, &frame, wrist[0], 0, 0);
    slider.axis[0] = 1;
    ASSERT_OK(pli_world_add_joint(world, &slider, NULL, &error));
    for (int n = 0; n < 250; ++n) {
        steps(world, 1);
        double a = read_joint(world, 0).value[PLI_JOINT_ANGLE], s = r * sin(a);
        double x = r * cos(a) + sqrt(l * l - s * s) - r - l,
               travel = read_joint(world, 3).value[PLI_JOINT_TRAVEL];
        if (!(fabs(travel - x) < 1e-4 * l)) fail_msg("angle %g: %g, must be %g", a, travel, x);
        assert_true(read_joint(world, 3).off <= 1);
    }
    assert_true(read_joint(world, 0).value[PLI_JOINT_ANGLE] > 2 * PI);
    pli_world_destroy(world);
}

// ---- Bennett linkage

// A place and the axes of the frame of a joint, columns.
typedef struct frame {
    double at[3], x[3], z[3];
} frame;

static void turn_about(const double axis[3], double angle, double v[3]) {
    double side[3], c = cos(angle), s = sin(angle), along = 0;
    for (int i = 0; i < 3; ++i) along += axis[i] * v[i];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        side[i] = axis[j] * v[k] - axis[k] * v[j];
    }
    for (int i = 0; i < 3; ++i) v[i] = c * v[i] + s * side[i] + (1 - c) * along * axis[i];
}

// The frame of the next joint: turned by theta about z, then moved by a along x, twisted by alpha.
static frame next_frame(frame f, double theta, double a, double alpha) {
    turn_about(f.z, theta, f.x);
    for (int c = 0; c < 3; ++c) f.at[c] += a * f.x[c];
    turn_about(f.x, alpha, f.z);
    return f;
}

// Its second angle by the first: tan(t1 / 2) tan(t2 / 2) is constant [K. Bennett 1903].
static double second_angle(double first, double alpha, double beta) {
    return 2 * atan(sin(0.5 * (beta + alpha)) / sin(0.5 * (beta - alpha)) / tan(0.5 * first));
}

// Four hinges in space, whose count of freedoms says that it cannot move, turn; and as they should.
static void test_bennett(void** state) {
    (void)state;
    const double alpha = PI / 6, beta = PI / 3, a = 1, b = sin(beta) / sin(alpha), first = 1.2;
    double second = second_angle(first, alpha, beta);
    const double theta[4] = {first, second, -first, -second}, lengths[4] = {a, b, a, b},
                 twists[4] = {alpha, beta, alpha, beta};
    frame f[5] = {{{0}, {1, 0, 0}, {0, 0, 1}}};
    for (int i = 0; i < 4; ++i) f[i + 1] = next_frame(f[i], theta[i], lengths[i], twists[i]);
    for (int c = 0; c < 3; ++c) assert_true(fabs(f[4].at[c] - f[0].at[c]) < 1e-12); // it closes
    pli_world* world = start("bdf2", 0.01);
    pli_body_id links[3];
    for (int i = 0; i < 3; ++i) {
        double middle[3];
        for (int c = 0; c < 3; ++c) middle[c] = 0.5 * (f[i].at[c] + f[i + 1].at[c]);
        links[i] = add_rigid(world, middle);
    }
    add_hinge(world, links[0], NULL, f[0].at, f[0].z, 1);
    add_hinge(world, links[1], &links[0], f[1].at, f[1].z, 0);
    add_hinge(world, links[2], &links[1], f[2].at, f[2].z, 0);
    add_hinge(world, links[2], NULL, f[3].at, f[3].z, 0);
    for (int n = 0; n < 200; ++n) {
        steps(world, 1);
        double t1 = first + read_joint(world, 0).value[0];
        double t2 = second + read_joint(world, 1).value[0];
        if (!(fabs(t2 - second_angle(t1, alpha, beta)) < 1e-3))
            fail_msg("%g: %g, must be %g", t1, t2, second_angle(t1, alpha, beta));
        for (int i = 0; i < 4; ++i) assert_true(read_joint(world, i).gap < 1e-13);
    }
    assert_true(read_joint(world, 0).value[0] > 1.8);
    pli_world_destroy(world);
}

// ---- a free pair

// Two boxes on a slider between them drift apart to its limit and rebound: momentum and angular
// momentum stay, to what the scheme loses.
static void test_free_pair(void** state) {
    (void)state;
    pli_world* world = start("bdf2", 0.002);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0.4, 0, 0);
    pli_joint_def j = joint("slider", a, &b, 0.2, 0, 0);
    j.axis[0] = 1;
    j.freedom[PLI_JOINT_TRAVEL].low = -0.05, j.freedom[PLI_JOINT_TRAVEL].high = 0.05;
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    double v[24], before[6] = {0};
    for (int body = 0; body < 2; ++body) { // 1 rad/s about z at the centre of both, and apart
        for (int i = 0; i < 8; ++i) {
            const double* x = pli_world_positions(world) + 3 * (8 * body + i);
            v[3 * i] = -x[1] + (body == 0 ? -0.2 : 0.2), v[3 * i + 1] = x[0] - 0.2,
                  v[3 * i + 2] = 0.3;
        }
        ASSERT_OK(pli_world_set_velocities(world, body == 0 ? a : b, v, true, &error));
    }
    ASSERT_OK(pli_world_prepare(world, &error));
    for (int n = 0; n <= 300; ++n) {
        double sum[6] = {0};
        for (int i = 0; i < 2; ++i) {
            pli_body_summary s = pli_world_body_summary(world, i, (double[3]){0, 0, 0});
            for (int c = 0; c < 3; ++c) sum[c] += s.momentum[c], sum[3 + c] += s.angular[c];
        }
        if (n == 0) memcpy(before, sum, sizeof before);
        for (int c = 0; c < 6; ++c)
            if (!(fabs(sum[c] - before[c]) < (c < 3 ? 1e-6 : 1e-3) * mass))
                fail_msg("step %d: %d changed by %g", n, c, sum[c] - before[c]);
        if (n == 0) continue;
        steps(world, 1);
        pli_joint_info info = read_joint(world, 0);
        assert_true(fabs(info.value[PLI_JOINT_TRAVEL]) < 0.05 && info.off <= 1);
    }
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_bennett),
        cmocka_unit_test(test_free_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
