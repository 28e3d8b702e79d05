// Bodies that become free, affine or rigid in a run: momentum, places, saved states, what is
// refused. And: rigid bodies do not evaluate internal energies.
#include "dynamics/worlds.h"

#define REFUSED(call, text)                                                                        \
    do {                                                                                           \
        error = (pli_error){0};                                                                    \
        assert_int_equal(call, PLI_E_ARGUMENT);                                                    \
        if (!strstr(error.message, text)) fail_msg("\"%s\"", error.message);                       \
    } while (0)

static const double size[3] = {0.2, 0.3, 0.5};

static pli_world_def space(const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.scheme = scheme;
    def.time_step = 0.005;
    def.solver.tolerance = 1e-6;
    return def;
}

static pli_world* create(const pli_world_def* def) {
    pli_world* world = NULL;
    ASSERT_OK(pli_world_create(def, &world, &error));
    return world;
}

// A box about (x, 0, 0) that spins and stretches, off the origin.
static pli_body_id add_box(pli_world* world, const char* kinematics, double x, bool elastic) {
    const int count[3] = {2, 2, 3};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, size, count, &error));
    double* v = test_calloc(3 * (size_t)mesh.vertex_count, sizeof *v);
    for (int i = 0; i < mesh.vertex_count; ++i) {
        double* p = mesh.positions + 3 * i;
        v[3 * i] = 1 - 3 * p[1] + 2 * p[0];
        v[3 * i + 1] = 0.5 + 3 * p[0] - 2 * p[2];
        v[3 * i + 2] = 2 * p[1] + 5 * p[2];
        p[0] += x;
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = kinematics;
    body.velocities = v;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    test_free(v);
    pli_mesh_free(&mesh);
    if (!elastic) return id;
    pli_setting k[2] = {{"young", 1e5}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    return id;
}

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void steps(pli_world* world, int count) {
    for (int i = 0; i < count; ++i) {
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        if (!info.kept) fail_msg("step %d: reason %d, residual %g", i, info.reason, info.residual);
    }
}

static void assert_same_bits(const pli_world* a, const pli_world* b) {
    size_t bytes = sizeof(double) * 3 * (size_t)pli_world_vertex_count(a);
    assert_memory_equal(pli_world_positions(a), pli_world_positions(b), bytes);
    assert_memory_equal(pli_world_velocities(a), pli_world_velocities(b), bytes);
}

// Momentum to 1e-12 of itself, the centre of mass to rounding, in schemes with and without history.
static void test_momentum(void** state) {
    (void)state;
    const char* const schemes[] = {"backward-euler", "bdf2", "newmark"};
    const char* const words[] = {"rigid", "affine", "free", "affine", "rigid", "free"};
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; ++s) {
        pli_world_def def = space(schemes[s]);
        pli_world* world = create(&def);
        const double origin[3] = {0};
        pli_body_id id = add_box(world, "free", 0.7, true);
        add_box(world, "rigid", 2, false);
        for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
            steps(world, 3);
            pli_body_summary before = pli_world_body_summary(world, 0, origin);
            double place = pli_world_positions(world)[20];
            ASSERT_OK(pli_world_set_kinematics(world, id, words[i], &error));
            pli_body_summary after = pli_world_body_summary(world, 0, origin);
            double p = norm(before.momentum), L = norm(before.angular);
            for (int c = 0; c < 3; ++c) {
                ASSERT_NEAR(after.momentum[c], before.momentum[c], 1e-12 * p);
                ASSERT_NEAR(after.angular[c], before.angular[c], 1e-12 * L);
                ASSERT_NEAR(after.centre[c], before.centre[c], 1e-14);
            }
            if (strcmp(words[i], "free") == 0)
                ASSERT_NEAR(pli_world_positions(world)[20], place, 1e-15);
        }
        steps(world, 5);
        // Rigid bodies have 12 unknowns, the free one 3 for each vertex.
        assert_int_equal(pli_world_unknown_count(world), 12 + 3 * 3 * 3 * 4);
        pli_world_destroy(world);
    }
}

// A state that is saved after the change, or between two, goes on with the same bits.
static void test_resume(void** state) {
    (void)state;
    pli_world_def def = space("bdf2");
    pli_world *world = create(&def), *copy, *later;
    pli_body_id id = add_box(world, "free", 0, true);
    steps(world, 4);
    ASSERT_OK(pli_world_set_kinematics(world, id, "rigid", &error));
    ASSERT_OK(pli_world_clone(world, &copy, &error));
    assert_same_bits(world, copy);
    steps(world, 4);
    steps(copy, 4);
    assert_same_bits(world, copy);
    ASSERT_OK(pli_world_set_kinematics(world, id, "free", &error));
    ASSERT_OK(pli_world_clone(world, &later, &error));
    steps(world, 4);
    steps(later, 4);
    assert_same_bits(world, later);
    ASSERT_OK(pli_world_set_kinematics(copy, pli_world_body_id(copy, 0), "free", &error));
    steps(copy, 4);
    assert_same_bits(world, copy);
    pli_world_destroy(world), pli_world_destroy(copy), pli_world_destroy(later);
}

// The balance accounts for the energy that the change takes.
static void test_balance(void** state) {
    (void)state;
    pli_world_def def = space("backward-euler");
    pli_world* world = create(&def);
    pli_body_id id = add_box(world, "free", 0, true);
    steps(world, 4);
    pli_balance before = pli_world_balance(world);
    ASSERT_OK(pli_world_set_kinematics(world, id, "rigid", &error));
    pli_balance after = pli_world_balance(world);
    double changed = after.kinetic + after.potential - before.kinetic - before.potential;
    assert_true(changed < -0.1); // strain and its rate
    ASSERT_NEAR(after.changes - before.changes, changed, 1e-9);
    pli_world_destroy(world);
}

static void test_refused(void** state) {
    (void)state;
    pli_world_def def = space("backward-euler");
    pli_world* world = create(&def);
    pli_body_id id = add_box(world, "rigid", 0, false), held = add_box(world, "rigid", 1, false);
    const int32_t vertex = 0;
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = &vertex;
    fix.vertex_count = 1;
    fix.axes[0] = fix.axes[1] = fix.axes[2] = true;
    ASSERT_OK(pli_world_fix(world, held, &fix, NULL, &error));
    steps(world, 2);
    double x = pli_world_positions(world)[0];
    REFUSED(pli_world_set_kinematics(world, id, "soft", &error), "must be \"free\"");
    REFUSED(pli_world_set_kinematics(world, held, "free", &error), "remove them before");
    REFUSED(pli_world_set_kinematics(world, (pli_body_id){9, 1}, "free", &error), "no body");
    ASSERT_OK(pli_world_set_kinematics(world, id, "rigid", &error)); // it is
    assert_true(pli_world_positions(world)[0] == x);
    steps(world, 1);
    pli_world_destroy(world);
}

// Elastic energies and nodes of a rigid body change nothing, to the last bit.
static void test_idle(void** state) {
    (void)state;
    pli_world_def def = space("bdf2");
    pli_world* worlds[2];
    for (int i = 0; i < 2; ++i) {
        worlds[i] = create(&def);
        pli_body_id id = add_box(worlds[i], "rigid", 0, i == 1);
        pli_setting k = {"shear", 10};
        if (i == 1)
            ASSERT_OK(pli_world_add_energy(worlds[i], id, "viscosity", &k, 1, NULL, &error));
        steps(worlds[i], 5);
    }
    assert_same_bits(worlds[0], worlds[1]);
    assert_int_equal(pli_world_unknown_count(worlds[1]), 12);
    for (int i = 0; i < 2; ++i) pli_world_destroy(worlds[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum), cmocka_unit_test(test_resume),
        cmocka_unit_test(test_balance),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
