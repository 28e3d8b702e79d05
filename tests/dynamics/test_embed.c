// Bodies embedded in the tetrahedra of the body before them: they move with their cage, touch for
// it and hand on the forces, have no mass, and are refused where there is no cage.
#include "dynamics/worlds.h"

#include "dynamics/world.h"

// A cube of side 1 around (0, 1, 0) and, inside or a little outside of it, a ball's surface.
static pli_world* make_embedded(double radius, bool held, pli_body_id* core, pli_body_id* skin) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.thread_count = 1;
    def.gravity[1] = -9.81;
    pli_world* world = make_world(&def);
    pli_mesh box, ball;
    pli_mesh_init(&box, NULL);
    pli_mesh_init(&ball, NULL);
    ASSERT_OK(pli_mesh_add_box(&box, (double[3]){1, 1, 1}, (int[3]){2, 2, 2}, &error));
    ASSERT_OK(pli_mesh_add_ball(&ball, radius, 2, &error));
    ball.element_count[PLI_TETRAHEDRON] = 0;
    const int32_t face[] = {0, 1, 5, 0, 5, 6}; // any triangles do
    ASSERT_OK(pli_mesh_add_elements(&ball, PLI_TRIANGLE, 2, face, &error));
    for (int v = 0; v < box.vertex_count; ++v) box.positions[3 * v + 1] += 1;
    for (int v = 0; v < ball.vertex_count; ++v) ball.positions[3 * v + 1] += 1;
    pli_body_def body = pli_default_body_def();
    body.name = "core";
    body.mesh = &box;
    body.velocity[0] = held ? 0 : 1;
    ASSERT_OK(pli_world_add_body(world, &body, core, &error));
    pli_setting young = {"young", 1e6};
    ASSERT_OK(pli_world_add_energy(world, *core, "neo-hookean", &young, 1, NULL, &error));
    pli_fix_def fix = pli_default_fix_def();
    if (held) ASSERT_OK(pli_world_fix(world, *core, &fix, NULL, &error));
    body.name = "skin";
    body.mesh = &ball;
    body.kinematics = "embedded";
    ASSERT_OK(pli_world_add_body(world, &body, skin, &error));
    pli_mesh_free(&ball);
    pli_mesh_free(&box);
    return world;
}

// In free fall all vertices do the same; the mass is that of the cube alone.
static void moves_with_its_cage(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        pli_body_id core, skin;
        pli_world* world = make_embedded(i ? 0.6 : 0.4, false, &core, &skin);
        ASSERT_OK(pli_world_prepare(world, &error));
        int first = pli_world_body_vertex(world, 1), end = pli_world_body_vertex(world, 2);
        double before[3 * 200], mass = 0;
        assert_true(end - first <= 200);
        memcpy(before, world->x + 3 * first, 3 * sizeof(double) * (size_t)(end - first));
        for (int v = first; v < end; ++v)
            for (int k = 0; k < 3; ++k)
                ASSERT_NEAR(world->x[3 * v + k], world->model.rest[3 * v + k], 1e-14);
        for (int v = 0; v < end; ++v) mass += pli_world_vertex_masses(world)[v];
        ASSERT_NEAR(mass, 1000, 1e-9);
        for (int step = 0; step < 5; ++step) ASSERT_OK(pli_world_step(world, NULL, &error));
        double moved[3];
        for (int k = 0; k < 3; ++k) moved[k] = world->x[k] - world->model.rest[k];
        for (int v = first; v < end; ++v)
            for (int k = 0; k < 3; ++k) // to the tolerance of the steps
                ASSERT_NEAR(world->x[3 * v + k] - before[3 * (v - first) + k], moved[k], 1e-5);
        assert_true(pli_world_body_is_cage(world, 0) && !pli_world_body_is_cage(world, 1));
        pli_world_destroy(world);
    }
}

// A ball twice as wide as its cage: the skin rests on the ground, the cage hangs in it.
static void touches_for_its_cage(void** state) {
    (void)state;
    pli_body_id core, skin;
    pli_world* world = make_embedded(0.8, false, &core, &skin);
    add_ground(world, 0, 0);
    pli_step_info info;
    double low = HUGE_VAL;
    for (int step = 0; step < 60; ++step) ASSERT_OK(pli_world_step(world, &info, &error));
    for (int v = pli_world_body_vertex(world, 1); v < pli_world_body_vertex(world, 2); ++v)
        low = fmin(low, world->x[3 * v + 1]);
    assert_true(low > 0 && low < 0.05); // it has come down, and not through
    int triangles;
    ASSERT_OK(pli_world_body_triangles(world, 0, NULL, &triangles, &error));
    assert_int_equal(triangles, 0); // the skin is shown instead
    ASSERT_OK(pli_world_body_triangles(world, 1, NULL, &triangles, &error));
    assert_int_equal(triangles, 2);
    pli_world_destroy(world);
}

static void stays_with_a_fixed_cage(void** state) {
    (void)state;
    pli_body_id core, skin;
    pli_world* world = make_embedded(0.4, true, &core, &skin);
    for (int step = 0; step < 3; ++step) ASSERT_OK(pli_world_step(world, NULL, &error));
    for (int i = 0; i < 3 * world->model.vertex_count; ++i)
        ASSERT_NEAR(world->x[i], world->model.rest[i], 1e-14);
    pli_world_destroy(world);
}

static void refused(void** state) {
    (void)state;
    pli_body_id core, skin, id;
    pli_world* world = make_embedded(0.4, false, &core, &skin);
    pli_fix_def fix = pli_default_fix_def();
    assert_int_equal(pli_world_fix(world, skin, &fix, NULL, &error), PLI_E_ARGUMENT);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_ball(&mesh, 1, 1, &error));
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.kinematics = "embedded";
    // The body before is a skin itself.
    assert_int_equal(pli_world_add_body(world, &def, &id, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "kinematics = \"embedded\""));
    pli_world_destroy(world);
    pli_world_def plain = pli_default_world_def();
    plain.dimension = 3;
    world = make_world(&plain);
    assert_int_equal(pli_world_add_body(world, &def, &id, &error), PLI_E_ARGUMENT);
    pli_world_destroy(world);
    world = make_embedded(40, false, &core, &skin); // far outside
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "the tetrahedra of body \"core\""));
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_with_its_cage),
        cmocka_unit_test(touches_for_its_cage),
        cmocka_unit_test(stays_with_a_fixed_cage),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
