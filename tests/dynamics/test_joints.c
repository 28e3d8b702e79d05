// Joints: forces and violation of every type, soft bodies and regions, motion of the world,
// momentum of a free pair, schemes, what is refused, changes between steps.
#include "dynamics/boxes.h"

// ---- force = load, for each type

// A box hung by a joint above its centre is at rest, so the force is its weight. Types that leave
// motion along the axis get a horizontal one.
static void test_weight(void** state) {
    (void)state;
    const char* const types[] = {"ball", "hinge", "weld", "slider", "cylinder"};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        pli_world_def def = space("backward-euler");
        pli_world* world = create(&def);
        pli_body_id box = add_box(world, "rigid", 0, 0, 0);
        pli_joint_def j = joint(types[i], box, NULL, 0, 0.15, 0);
        j.axis[0] = 2;
        ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
        steps(world, 20);
        pli_joint_info info = read_joint(world, 0);
        assert_true(fabs(info.force[1] - mass * g) < 1e-3 * mass * g);
        assert_true(fabs(info.force[0]) + fabs(info.force[2]) < 1e-3 * mass * g);
        for (int c = 0; c < 3; ++c) assert_true(fabs(info.torque[c]) < 1e-3 * mass * g * 0.15);
        assert_true(info.gap < 1e-14); // rounding of places of 1 m
        assert_int_equal(info.dropped, 0);
        pli_world_destroy(world);
    }
}

// A weld at the end of the box takes the moment m g a.
static void test_moment(void** state) {
    (void)state;
    pli_world_def def = space("backward-euler");
    pli_world* world = create(&def);
    pli_body_id box = add_box(world, "rigid", 0, 0, 0);
    pli_joint_def j = joint("weld", box, NULL, -0.1, 0, 0);
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    steps(world, 20);
    pli_joint_info info = read_joint(world, 0);
    assert_true(fabs(info.force[1] - mass * g) < 1e-3 * mass * g);
    assert_true(fabs(info.torque[2] - mass * g * 0.1) < 1e-3 * mass * g * 0.1);
    pli_world_destroy(world);
}

// ---- schemes

// A falling ball joint between two boxes, off their centres; each implicit scheme keeps it.
static void test_schemes(void** state) {
    (void)state;
    const char* const schemes[] = {"backward-euler", "bdf2", "newmark", "implicit-midpoint",
                                   "averaged-vector-field"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; ++i) {
        pli_world_def def = space(schemes[i]);
        pli_world* world = create(&def);
        pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0.3, 0, 0);
        pli_joint_def j = joint("ball", a, &b, 0.15, 0.1, 0.05);
        ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
        pli_joint_def top = joint("ball", a, NULL, -0.1, 0.15, 0);
        ASSERT_OK(pli_world_add_joint(world, &top, NULL, &error));
        for (int n = 0; n < 30; ++n) {
            steps(world, 1);
            assert_true(read_joint(world, 0).gap < 2e-15);
            assert_true(read_joint(world, 1).gap < 2e-15);
        }
        pli_world_destroy(world);
    }
}

// ---- a free pair

// Two boxes with a hinge, one of which swings about it: momentum and angular momentum stay.
static void test_momentum(void** state) {
    (void)state;
    pli_world_def def = space("implicit-midpoint");
    def.gravity[1] = 0;
    def.solver.tolerance = 1e-8;
    pli_world* world = create(&def);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0.3, 0, 0);
    pli_joint_def j = joint("hinge", a, &b, 0.15, 0.1, 0);
    j.axis[2] = 1;
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    double v[24], before[6] = {0};
    for (int i = 0; i < 8; ++i) {
        const double* x = pli_world_positions(world) + 3 * (8 + i);
        v[3 * i] = -2 * (x[1] - 0.1) + 0.3, v[3 * i + 1] = 2 * (x[0] - 0.15), v[3 * i + 2] = 0.2;
    }
    const double together[3] = {0.3, 0, 0.2};
    ASSERT_OK(pli_world_set_velocities(world, a, together, false, &error));
    ASSERT_OK(pli_world_set_velocities(world, b, v, true, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    for (int n = 0; n <= 100; ++n) {
        double sum[6] = {0};
        for (int i = 0; i < 2; ++i) {
            pli_body_summary s = pli_world_body_summary(world, i, (double[3]){0, 0, 0});
            for (int c = 0; c < 3; ++c) sum[c] += s.momentum[c], sum[3 + c] += s.angular[c];
        }
        if (n == 0) memcpy(before, sum, sizeof before);
        for (int c = 0; c < 6; ++c) // the torque that the tolerance leaves adds up
            if (!(fabs(sum[c] - before[c]) < (c < 3 ? 1e-10 : 1e-7) * mass))
                fail_msg("step %d: %d changed by %g", n, c, sum[c] - before[c]);
        if (n < 100) steps(world, 1);
    }
    assert_true(fabs(before[1] - mass * 0.3) < 1e-9); // 2 rad/s times 0.15 m
    pli_world_destroy(world);
}

// ---- motion of the world

static void circle(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    double a = 2 * time;
    out[0] = 0.1 * (cos(a) - 1), out[1] = 0.1 * sin(a), out[2] = 0;
}

// The world drives a weld on a circle: the box follows exactly, its force is m (a + g).
static void test_motion(void** state) {
    (void)state;
    const char* const schemes[] = {"bdf2", "newmark", "implicit-midpoint", "averaged-vector-field"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; ++i) {
        pli_world_def def = space(schemes[i]);
        def.time_step = 0.005;
        pli_world* world = create(&def);
        pli_body_id box = add_box(world, "rigid", 0, 0, 0);
        pli_joint_def j = joint("weld", box, NULL, 0, 0, 0);
        j.motion = circle;
        ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
        steps(world, 100);
        pli_joint_info info = read_joint(world, 0);
        double t = pli_world_time(world) - (i >= 2 ? 0.0025 : 0), a = 2 * t; // its mean force
        assert_true(info.gap < 1e-14);
        assert_true(fabs(info.force[0] + mass * 0.4 * cos(a)) < 5e-3 * mass); // O(h)
        assert_true(fabs(info.force[1] - mass * (g - 0.4 * sin(a))) < 5e-3 * mass);
        pli_balance b = pli_world_balance(world);
        double lift = mass * g * 0.1 * sin(2 * pli_world_time(world));
        assert_true(fabs(b.work_prescribed - lift - b.kinetic) < 0.02 * lift);
        pli_world_destroy(world);
    }
}

// ---- soft bodies

// A soft box welded by its left face to a rigid one that hangs from the world: statics and
// dynamics.
static void test_soft(void** state) {
    (void)state;
    const char* const schemes[] = {"backward-euler", "static"};
    for (size_t i = 0; i < 2; ++i) {
        pli_world_def def = space(schemes[i]);
        def.solver.gradient_tolerance = 1e-7;
        pli_world* world = create(&def);
        pli_body_id rigid = add_box(world, "rigid", 0, 0, 0),
                    soft = add_box(world, "free", 0.2, 0, 0);
        int32_t face[8];
        int count = 0;
        const double* x = pli_world_positions(world);
        for (int v = 0; v < 8; ++v)
            if (x[3 * (v + 8)] < 0.11) face[count++] = v;
        assert_int_equal(count, 4);
        pli_joint_def weld = joint("weld", rigid, &soft, 0.1, 0, 0),
                      top = joint("weld", rigid, NULL, -0.1, 0, 0);
        weld.ends[1].vertices = face;
        weld.ends[1].vertex_count = count;
        ASSERT_OK(pli_world_add_joint(world, &weld, NULL, &error));
        ASSERT_OK(pli_world_add_joint(world, &top, NULL, &error));
        steps(world, i == 0 ? 200 : 2);
        pli_joint_info info = read_joint(world, 0);
        assert_int_equal(info.row_count, 12);
        assert_true(info.gap < 1e-14);
        assert_true(fabs(info.force[1] + mass * g) < 2e-3 * mass * g);
        assert_true(fabs(read_joint(world, 1).force[1] - 2 * mass * g) < 2e-3 * mass * g);
        pli_world_destroy(world);
    }
}

// A ball at the mean of a face, and at a vertex.
static void test_places(void** state) {
    (void)state;
    pli_world_def def = space("backward-euler");
    pli_world* world = create(&def);
    pli_body_id soft = add_box(world, "free", 0, 0, 0);
    int32_t all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    pli_joint_def mean = joint("ball", soft, NULL, 0, 0, 0),
                  corner = joint("ball", soft, NULL, 0.1, 0.15, 0.25);
    mean.ends[0].vertices = all;
    mean.ends[0].vertex_count = 8;
    ASSERT_OK(pli_world_add_joint(world, &mean, NULL, &error));
    ASSERT_OK(pli_world_add_joint(world, &corner, NULL, &error));
    steps(world, 30);
    const double* x = pli_world_positions(world);
    for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (int v = 0; v < 8; ++v) sum += x[3 * v + c] / 8;
        assert_true(fabs(sum) < 1e-15);
    }
    assert_true(read_joint(world, 1).gap < 1e-15);
    pli_joint_def off = joint("ball", soft, NULL, 0.1, 0.15, 0.35);
    assert_int_equal(pli_world_add_joint(world, &off, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "0.1 m away"));
    pli_world_destroy(world);
}

// ---- redundant rows

// A third hinge on the same axis adds nothing that the first two do not.
static void test_redundant(void** state) {
    (void)state;
    pli_world_def def = space("backward-euler");
    pli_world* world = create(&def);
    pli_body_id box = add_box(world, "rigid", 0, 0, 0);
    for (int i = 0; i < 2; ++i) {
        pli_joint_def j = joint("weld", box, NULL, 0, 0.15, 0.1 * i);
        ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    }
    steps(world, 5);
    assert_int_equal(read_joint(world, 0).dropped, 0);
    assert_int_equal(read_joint(world, 1).dropped, 12);
    assert_true(fabs(read_joint(world, 0).force[1] - mass * g) < 1e-3 * mass * g);
    assert_true(read_joint(world, 1).gap < 1e-14);
    pli_world_destroy(world);
}

// ---- what is refused

static void refuse(const char* scheme, const char* method, const char* linear, const char* part) {
    pli_world_def def = space(scheme);
    if (method) def.solver.method = method;
    if (linear) def.solver.linear = linear;
    pli_world* world = create(&def);
    pli_body_id box = add_box(world, "rigid", 0, 0, 0);
    pli_joint_def j = joint("ball", box, NULL, 0, 0, 0);
    ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, part));
    pli_world_destroy(world);
}

static void test_refused(void** state) {
    (void)state;
    refuse("leapfrog", NULL, NULL, "explicit");
    refuse("bdf2", "l-bfgs", NULL, "projected-newton");
    refuse("bdf2", NULL, "pcg", "multifrontal");
    pli_world_def def = space("bdf2");
    pli_world* world = create(&def);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 0.3, 0, 0);
    pli_joint_def slider = joint("slider", a, &b, 0.1, 0, 0), none = joint("glue", a, &b, 0, 0, 0);
    assert_int_equal(pli_world_add_joint(world, &slider, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "the axis has length 0"));
    assert_int_equal(pli_world_add_joint(world, &none, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_joint_count(world), 0);
    pli_fix_def fix = pli_default_fix_def();
    ASSERT_OK(pli_world_fix(world, a, &fix, NULL, &error));
    pli_joint_def fixed = joint("ball", a, NULL, 0, 0, 0);
    ASSERT_OK(pli_world_add_joint(world, &fixed, NULL, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "neither side can move"));
    pli_world_destroy(world);
}

// ---- changes

// A joint is added in mid-air, and removed: the box hangs, then falls freely. Removing a body takes
// its joints along.
static void test_change(void** state) {
    (void)state;
    pli_world_def def = space("backward-euler");
    pli_world* world = create(&def);
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "rigid", 1, 0, 0);
    steps(world, 10);
    double y = pli_world_body_summary(world, 0, NULL).centre[1];
    pli_joint_def j = joint("ball", a, NULL, 0, y, 0);
    pli_joint_id id;
    ASSERT_OK(pli_world_add_joint(world, &j, &id, &error));
    steps(world, 10);
    assert_true(fabs(pli_world_body_summary(world, 0, NULL).centre[1] - y) < 1e-12);
    assert_int_equal(pli_world_joint_number(world, id), 0);
    ASSERT_OK(pli_world_remove_joint(world, id, &error));
    assert_int_equal(pli_world_joint_number(world, id), -1);
    steps(world, 10);
    double fallen = y - pli_world_body_summary(world, 0, NULL).centre[1];
    assert_true(fabs(fallen - g * 1e-4 * 55) < 1e-6);
    pli_body_summary s = pli_world_body_summary(world, 1, NULL);
    pli_joint_def other = joint("ball", b, NULL, 1, s.centre[1], 0);
    ASSERT_OK(pli_world_add_joint(world, &other, &id, &error));
    ASSERT_OK(pli_world_remove_body(world, b, &error));
    assert_int_equal(pli_world_joint_count(world), 0);
    steps(world, 1);
    pli_world_destroy(world);
}

// A copy of a changed world goes on with the same bits.
static void test_clone(void** state) {
    (void)state;
    pli_world_def def = space("bdf2");
    pli_world *world = create(&def), *copy = NULL;
    pli_body_id a = add_box(world, "rigid", 0, 0, 0), b = add_box(world, "free", 0.2, 0, 0);
    steps(world, 3);
    const double* x = pli_world_positions(world);
    pli_joint_def top = joint("hinge", a, NULL, -0.1, x[1] + 0.15, 0),
                  corner = joint("ball", b, NULL, x[24], x[25], x[26]);
    top.axis[2] = 1;
    ASSERT_OK(pli_world_add_joint(world, &top, NULL, &error));
    ASSERT_OK(pli_world_add_joint(world, &corner, NULL, &error));
    steps(world, 5);
    ASSERT_OK(pli_world_clone(world, &copy, &error));
    steps(world, 5);
    steps(copy, 5);
    assert_int_equal(pli_world_joint_count(copy), 2);
    assert_memory_equal(pli_world_positions(world), pli_world_positions(copy),
                        sizeof(double) * 3 * (size_t)pli_world_vertex_count(world));
    pli_world_destroy(copy);
    pli_world_destroy(world);
}

// ---- many equations

// Links hinged one after the other, hanging from the world by the first; every third hinge is
// doubled by a ball, whose equations follow from it.
static pli_world* create_chain(const pli_world_def* def, int links) {
    pli_world* world = create(def);
    pli_body_id last = {0};
    for (int i = 0; i < links; ++i) {
        pli_body_id link = add_box(world, i % 7 == 3 ? "affine" : "rigid", 0.3 * i, 0, 0);
        pli_joint_def j = joint("hinge", link, i > 0 ? &last : NULL, 0.3 * i - 0.15, 0, 0);
        j.axis[1] = i % 2 == 0 ? 0 : 0.6, j.axis[2] = i % 2 == 0 ? 1 : 0.8;
        ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
        j.type = "ball";
        if (i % 3 == 0) ASSERT_OK(pli_world_add_joint(world, &j, NULL, &error));
        last = link;
    }
    return world;
}

// The sparse way gives the motion and the forces of the dense one, in every kind of scheme.
static void test_many(void** state) {
    (void)state;
    const char* const schemes[] = {"backward-euler", "newmark", "implicit-midpoint"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; ++i) {
        pli_world* worlds[2];
        for (int sparse = 0; sparse < 2; ++sparse) {
            pli_world_def def = space(schemes[i]);
            def.solver.dense_equations = sparse ? 0 : 1000;
            worlds[sparse] = create_chain(&def, 30);
            steps(worlds[sparse], 10);
        }
        for (int v = 0; v < 3 * pli_world_vertex_count(worlds[0]); ++v)
            assert_true(fabs(pli_world_positions(worlds[0])[v] -
                             pli_world_positions(worlds[1])[v]) < 1e-10 * 9); // of the length
        int dropped = 0;
        for (int j = 0; j < pli_world_joint_count(worlds[0]); ++j) {
            pli_joint_info dense = read_joint(worlds[0], j), sparse = read_joint(worlds[1], j);
            assert_true(sparse.gap < 1e-14);
            assert_int_equal(dense.dropped, sparse.dropped);
            dropped += dense.dropped;
            for (int c = 0; c < 3; ++c)
                assert_true(fabs(dense.force[c] - sparse.force[c]) < 1e-6 * 30 * mass * g);
        }
        assert_int_equal(dropped, 3 * 10);
        for (int k = 0; k < 2; ++k) pli_world_destroy(worlds[k]);
    }
}

// A copy goes on with the same bits, so do two threads; in statics the chain hangs straight.
static void test_many_repeat(void** state) {
    (void)state;
    pli_world_def def = space("bdf2");
    pli_world *world, *copy, *other;
    def.solver.dense_equations = 10;
    def.contact.bodies = true;
    world = create_chain(&def, 12);
    steps(world, 6);
    ASSERT_OK(pli_world_clone(world, &copy, &error));
    def.thread_count = 3;
    other = create_chain(&def, 12);
    steps(world, 6);
    steps(copy, 6);
    steps(other, 12);
    size_t bytes = sizeof(double) * 3 * (size_t)pli_world_vertex_count(world);
    assert_memory_equal(pli_world_positions(world), pli_world_positions(copy), bytes);
    assert_memory_equal(pli_world_positions(world), pli_world_positions(other), bytes);
    pli_world_destroy(world), pli_world_destroy(copy), pli_world_destroy(other);
    def.scheme = "static";
    def.contact.bodies = false;
    world = create_chain(&def, 12);
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_true(info.kept);
    pli_joint_info top = read_joint(world, 0);
    assert_true(fabs(top.force[1] - 12 * mass * g) < 1e-4 * 12 * mass * g);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weight),      cmocka_unit_test(test_moment),
        cmocka_unit_test(test_schemes),     cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_motion),      cmocka_unit_test(test_soft),
        cmocka_unit_test(test_places),      cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_change),
        cmocka_unit_test(test_clone),       cmocka_unit_test(test_many),
        cmocka_unit_test(test_many_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
