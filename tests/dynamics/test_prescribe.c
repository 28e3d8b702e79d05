// Prescribed vertices that something holds back: rotations keep their shape and stay on their path.
#include "dynamics/worlds.h"

// The angle of a motion about the origin at a time [rad].
typedef double angle_fn(double time);

static double turning(double time) { return time; }
static double turning_fast(double time) { return 30 * time; }
static double swinging(double time) { return 0.9 * sin(time); }

static void turn(void* context, double time, const double place[3], double out[3]) {
    double angle = (*(angle_fn*const*)context)(time), c = cos(angle) - 1, s = sin(angle);
    out[0] = c * place[0] - s * place[1];
    out[1] = s * place[0] + c * place[1];
    out[2] = 0;
}

static const double inner = 0.5, outer = 4, radius = 0.02;

// A square with its lower right corner at (3, 2), and a paddle on the x-axis that turns about the
// origin. The square stands still until `release` and goes out of the way then.
static pli_world* paddle_world(const char* scheme, double h, angle_fn** angle, double release) {
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    def.time_step = h;
    def.scheme = scheme;
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    pli_body_id post =
        add_square(world, &(square){.segments = 1, .stiffness = 1e6, .centre = {2.5, 2.5}});
    const double times[3] = {0, release, release + 0.5}, offsets[9] = {0, 0, 0, 0, 0, 0, 0, 20, 0};
    pli_prescribe_def away = pli_default_prescribe_def();
    away.times = times;
    away.offsets = offsets;
    away.key_count = 3;
    ASSERT_OK(pli_world_prescribe(world, post, &away, NULL, &error));
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double from[3] = {inner, 0, 0}, to[3] = {outer, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, from, to, 1, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.obstacle = true;
    body.contact_thickness = radius;
    pli_body_id paddle;
    ASSERT_OK(pli_world_add_body(world, &body, &paddle, &error));
    pli_mesh_free(&mesh);
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.field = turn;
    motion.context = angle;
    ASSERT_OK(pli_world_prescribe(world, paddle, &motion, NULL, &error));
    return world;
}

// One step, after which the paddle is as long as ever and where it turns; its angle [rad].
static double angle_after_step(pli_world* world, bool* blocked) {
    pli_step_info info = step(world);
    assert_true(info.kept);
    assert_true(info.reason == PLI_CONVERGED || info.reason == PLI_BLOCKED);
    ASSERT_OK(pli_world_verify(world, &error));
    *blocked = info.blocked > 0;
    const double* x = pli_world_positions(world) + 3 * (size_t)pli_world_body_vertex(world, 1);
    // what arriving leaves open
    ASSERT_NEAR(hypot(x[0], x[1]), inner, 1e-4);
    ASSERT_NEAR(hypot(x[3], x[4]), outer, 1e-4);
    ASSERT_NEAR(hypot(x[3] - x[0], x[4] - x[1]), outer - inner, 1e-4);
    return atan2(x[4], x[3]);
}

// The square stops it for good, turn after turn; also if one step is much of a turn.
static void test_a_blocked_rotation_waits(void** state) {
    (void)state;
    static const char* const schemes[3] = {"backward-euler", "newmark", "bdf2"};
    double corner = atan2(2, 3);
    for (int i = 0; i < 4; ++i) {
        angle_fn* angle = i < 3 ? turning : turning_fast; // 3 rad a step
        pli_world* world = paddle_world(schemes[i % 3], 0.1, &angle, 100);
        bool blocked;
        double now = 0;
        for (int n = 0; n < 70; ++n) {
            now = angle_after_step(world, &blocked);
            assert_true(now > -1e-4 && now < corner);
            assert_true(blocked || n < 6);
        }
        // in front of it: within dhat, and the share of a step that is not worth a try
        assert_true(now > corner - (radius + 0.011) / hypot(2, 3) - 0.01 * angle(0.1));
        pli_world_destroy(world);
    }
}

// Set free it goes on along its path, at most twice as fast, until it is where it should be.
static void test_a_rotation_catches_up(void** state) {
    (void)state;
    angle_fn* angle = turning;
    pli_world* world = paddle_world("backward-euler", 0.05, &angle, 1.5);
    bool blocked;
    double last = 0, fastest = 0;
    for (int n = 0; n < 100; ++n) {
        double now = angle_after_step(world, &blocked), way = remainder(now - last, 8 * atan(1));
        assert_true(way > -1e-4);
        fastest = fmax(fastest, way);
        last = now;
    }
    assert_true(fastest < 2.01 * 0.05 && fastest > 1.5 * 0.05);
    assert_false(blocked);
    ASSERT_NEAR(remainder(last - 5, 8 * atan(1)), 0, 1e-4);
    pli_world_destroy(world);
}

// It turns back to where it came from: from where it waits it goes along, and is never late again.
static void test_a_rotation_turns_back(void** state) {
    (void)state;
    angle_fn* angle = swinging;
    pli_world* world = paddle_world("backward-euler", 0.05, &angle, 100);
    bool blocked, waited = false;
    double corner = atan2(2, 3);
    for (int n = 1; n <= 120; ++n) {
        double now = angle_after_step(world, &blocked), due = swinging(0.05 * n);
        waited = waited || blocked;
        assert_true(now < corner);
        if (due < corner - 0.03) ASSERT_NEAR(now, due, 1e-4);
    }
    assert_true(waited);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_blocked_rotation_waits),
        cmocka_unit_test(test_a_rotation_catches_up),
        cmocka_unit_test(test_a_rotation_turns_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
