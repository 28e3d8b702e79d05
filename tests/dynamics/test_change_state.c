// What must survive a change of a world, or must not: velocities set between changes, exempt pairs,
// states of listed stencils, choices made at the first state.
#include <stdlib.h>
#include <string.h>

#include "dynamics/node_energies.h"
#include "dynamics/worlds.h"
#include "oracle/bytes.h"

static pli_world_def plane_def(const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 2;
    def.time_step = 0.01;
    def.scheme = scheme;
    return def;
}

static pli_body_id add_block(pli_world* world, double x, double y) {
    square s = {.segments = 2, .centre = {x, y}, .stiffness = 1e5};
    return add_square(world, &s);
}

// ---- parameters between a change and the next prepare

static void test_velocities_after_change(void** state) {
    (void)state;
    const char* schemes[] = {"backward-euler", "bdf2", "bdf3", "newmark", "leapfrog"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; ++i) {
        pli_world_def def = plane_def(schemes[i]);
        def.contact.bodies = false;
        def.time_step = 1e-3;
        pli_world* world = make_world(&def);
        pli_body_id stays = add_point(world, 0, 0, 0, 0), goes = add_point(world, 5, 0, 0, 0);
        for (int n = 0; n < 5; ++n) step(world);
        ASSERT_OK(pli_world_remove_body(world, goes, &error));
        ASSERT_OK(pli_world_set_velocities(world, stays, (double[3]){2, 1, 0}, false, &error));
        for (int n = 0; n < 5; ++n) step(world);
        ASSERT_NEAR(pli_world_velocities(world)[0], 2, 1e-9);
        ASSERT_NEAR(pli_world_velocities(world)[1], 1, 1e-9);
        ASSERT_NEAR(pli_world_positions(world)[0], 0.01, 1e-9);
        // and of a body that has just come
        pli_body_id comes = add_point(world, 9, 0, 0, 0);
        ASSERT_OK(pli_world_set_velocities(world, comes, (double[3]){0, 3, 0}, false, &error));
        for (int n = 0; n < 5; ++n) step(world);
        ASSERT_NEAR(pli_world_positions(world)[4], 0.015, 1e-9);
        ASSERT_NEAR(pli_world_positions(world)[0], 0.02, 1e-9);
        pli_balance b = pli_world_balance(world);
        ASSERT_NEAR(b.changes, 0.5 * (5 + 9), 1e-9);
        pli_world_destroy(world);
    }
}

// Schemes of high order keep their step also while the world is open.
static void test_step_size_after_change(void** state) {
    (void)state;
    pli_world_def def = plane_def("bdf3");
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    add_point(world, 0, 0, 1, 0);
    pli_body_id goes = add_point(world, 5, 0, 0, 0);
    for (int n = 0; n < 5; ++n) step(world);
    ASSERT_OK(pli_world_remove_body(world, goes, &error));
    assert_int_equal(pli_world_set_time_step(world, 0.02, &error), PLI_E_ARGUMENT);
    ASSERT_NEAR(pli_world_time_step(world), 0.01, 0);
    step(world);
    pli_world_destroy(world);
}

// ---- edits that are refused

// Two corners change places: the same mesh, but inverted elements.
static void test_refused_edit_of_same_mesh(void** state) {
    (void)state;
    pli_world_def def = plane_def("bdf2");
    def.gravity[1] = -9.81;
    pli_world *world = make_world(&def), *other = make_world(&def);
    pli_body_id id = add_block(world, 0, 0);
    add_block(other, 0, 0);
    for (int n = 0; n < 4; ++n) step(world), step(other);
    int32_t start[10], from[9];
    double weight[9], rest[27];
    for (int i = 0; i < 9; ++i) start[i] = i, from[i] = i, weight[i] = 1;
    start[9] = 9;
    from[0] = 8;
    from[8] = 0;
    memcpy(rest, pli_world_rest_positions(world), sizeof rest);
    int count = pli_world_element_count(world, PLI_TRIANGLE);
    int32_t triangles[24];
    assert_int_equal(count, 8);
    memcpy(triangles, pli_world_elements(world, PLI_TRIANGLE), sizeof triangles);
    pli_mesh mesh = {.vertex_count = 9, .positions = rest};
    mesh.element_count[PLI_TRIANGLE] = 8;
    mesh.elements[PLI_TRIANGLE] = triangles;
    pli_transfer transfer = {.start = start, .from = from, .weight = weight};
    assert_int_equal(pli_world_edit(world, id, &mesh, &transfer, NULL, &error), PLI_E_SCENE);
    assert_same_motion(world, other);
    for (int n = 0; n < 4; ++n) step(world), step(other);
    assert_same_motion(world, other);
    pli_world_destroy(world);
    pli_world_destroy(other);
}

// ---- exempt pairs

// Two blocks that overlap from the start, and may: a copy, a restored world and an edit that is
// refused must all know that.
static pli_world* overlapping(void) {
    pli_world_def def = plane_def("backward-euler");
    def.gravity[1] = -1;
    pli_world* world = make_world(&def);
    add_block(world, 0, 0);
    add_block(world, 0.5, 0.5);
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    rule.allow_initial = true;
    ASSERT_OK(pli_world_add_contact_rule(world, &rule, NULL, &error));
    return world;
}

static void test_exempt_pairs(void** state) {
    (void)state;
    pli_world *world = overlapping(), *copy = NULL, *other = overlapping();
    for (int n = 0; n < 3; ++n) step(world);
    ASSERT_OK(pli_world_clone(world, &copy, &error));
    pli_body_id far = add_block(world, 9, 9);
    step(world);
    bytes b = save(world);
    ASSERT_OK(pli_world_restore(other, b.data, b.size, &error));
    for (int n = 0; n < 3; ++n) step(world), step(other);
    assert_same_motion(world, other);
    ASSERT_OK(pli_world_remove_body(world, far, &error));
    step(world);
    step(copy);
    pli_world_destroy(world);
    pli_world_destroy(other);
    pli_world_destroy(copy);
    free(b.data);
}

// ---- origins of unknowns

// Sliding vertices count from where they were when the world was last prepared.
static void test_sliding_support(void** state) {
    (void)state;
    pli_world_def def = plane_def("bdf2");
    def.gravity[1] = -9.81;
    pli_world *world = make_world(&def), *copy = NULL;
    pli_body_id id = add_block(world, 0, 0);
    const int32_t side[3] = {0, 3, 6};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = side;
    fix.vertex_count = 3;
    fix.normal[0] = 1;
    fix.normal[1] = 0.2;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    for (int n = 0; n < 5; ++n) step(world);
    pli_body_id far = add_block(world, 9, 9);
    for (int n = 0; n < 5; ++n) step(world);
    bytes b = save(world);
    ASSERT_OK(pli_world_clone(world, &copy, &error));
    assert_same_motion(world, copy);
    for (int n = 0; n < 3; ++n) step(world), step(copy);
    assert_same_motion(world, copy);
    // the same world later, rebuilt in between: the model is as it was, the origins are not
    pli_body_id other = add_block(world, 20, 9);
    for (int n = 0; n < 3; ++n) step(world);
    ASSERT_OK(pli_world_remove_body(world, other, &error));
    ASSERT_OK(pli_world_restore(world, b.data, b.size, &error));
    for (int n = 0; n < 3; ++n) step(world);
    assert_same_motion(world, copy);
    assert_int_equal(pli_world_body_number(world, far), 1);
    pli_world_destroy(world);
    pli_world_destroy(copy);
    free(b.data);
}

// ---- nodes, and worlds that could not be prepared

static const pli_energy_type* const types[1] = {&gauge};

// A node that comes later has the value and rate it is asked for with.
static void test_new_nodes(void** state) {
    (void)state;
    const char* schemes[] = {"backward-euler", "bdf2", "bdf3", "newmark"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; ++i) {
        pli_world_def def = plane_def(schemes[i]);
        def.contact.bodies = false;
        def.energy_types = types;
        def.energy_type_count = 1;
        pli_world* world = make_world(&def);
        add_point(world, 0, 0, 0, 0);
        for (int n = 0; n < 5; ++n) step(world);
        pli_body_id id = add_point(world, 3, 0, 0, 0);
        pli_fix_def fix = pli_default_fix_def();
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        pli_setting settings[4] = {{"stiffness", 1e-9}, {"mass", 1}, {"value", 2}, {"rate", 3}};
        ASSERT_OK(pli_world_add_energy(world, id, "gauge", settings, 4, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        ASSERT_NEAR(pli_world_node_values(world)[0], 2, 1e-12);
        ASSERT_NEAR(pli_world_node_rates(world)[0], 3, 1e-12);
        for (int n = 0; n < 10; ++n) step(world);
        ASSERT_NEAR(pli_world_node_values(world)[0], 2.3, 1e-6);
        pli_world_destroy(world);
    }
}

// What a parameter made wrong, a parameter can mend.
static void test_mended_by_parameter(void** state) {
    (void)state;
    pli_world_def def = plane_def("averaged-vector-field");
    def.contact.bodies = false;
    def.energy_types = types;
    def.energy_type_count = 1;
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 0, 0, 1, 0);
    pli_setting mass = {"mass", 1};
    ASSERT_OK(pli_world_add_energy(world, id, "gauge", &mass, 1, NULL, &error));
    for (int n = 0; n < 3; ++n) step(world);
    pli_energy_id energy = pli_world_energy_id(world, 0);
    mass.value = 0; // which this scheme does not allow
    ASSERT_OK(pli_world_set_energy(world, energy, &mass, 1, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    mass.value = 2;
    ASSERT_OK(pli_world_set_energy(world, energy, &mass, 1, &error));
    for (int n = 0; n < 3; ++n) step(world);
    ASSERT_NEAR(pli_world_positions(world)[0], 0.06, 1e-9);
    pli_world_destroy(world);
}

// ---- states of listed stencils

// Sliders between the points of a body and of others; the edit drops the vertex of the first one.
static void test_listed_state_across_edit(void** state) {
    (void)state;
    pli_world_def def = plane_def("backward-euler");
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    double places[6] = {0, 3, 0, 1, 3, 0};
    pli_mesh two = {.vertex_count = 2, .positions = places};
    pli_body_def body = pli_default_body_def();
    body.mesh = &two;
    body.vertex_mass = 1;
    pli_body_id pair;
    ASSERT_OK(pli_world_add_body(world, &body, &pair, &error));
    pli_body_id a = add_point(world, 0, 0, 0, 0), b = add_point(world, 1, 0, 0, 0);
    pli_fix_def fix = pli_default_fix_def();
    ASSERT_OK(pli_world_fix(world, a, &fix, NULL, &error));
    pli_prescribe_def pull = pli_default_prescribe_def();
    pull.velocity[0] = 1;
    pull.travel = 0.5;
    ASSERT_OK(pli_world_prescribe(world, b, &pull, NULL, &error));
    pli_vertex_ref ends[4] = {{pair, 1}, {a, 0}, {a, 0}, {b, 0}};
    pli_setting settings[2] = {{"stiffness", 100}, {"yield", 10}};
    pli_stencils_def link = pli_default_stencils_def();
    link.energy = "slider";
    link.settings = settings;
    link.setting_count = 2;
    link.count = 2;
    link.vertices = ends;
    ASSERT_OK(pli_world_add_stencils(world, &link, NULL, &error));
    for (int i = 0; i < 60; ++i) step(world);
    ASSERT_NEAR(pli_world_support(world, 1).force[0], 10, 1e-6);
    // back to where it is without force, at its slip
    ASSERT_OK(pli_world_set_target(world, pli_world_support_id(world, 1), (double[3]){0.4, 0, 0},
                                   &error));
    for (int i = 0; i < 3; ++i) step(world);
    pli_mesh one = {.vertex_count = 1, .positions = places};
    const int32_t start[2] = {0, 1}, from[1] = {0};
    const double weight[1] = {1};
    pli_transfer transfer = {.start = start, .from = from, .weight = weight};
    ASSERT_OK(pli_world_edit(world, pair, &one, &transfer, NULL, &error));
    for (int i = 0; i < 3; ++i) step(world);
    ASSERT_NEAR(pli_world_support(world, 1).force[0], 0, 2e-3); // 10 N if it forgot its slip
    pli_world_destroy(world);
}

// ---- choices made at the first state

// dhat is a part of the size of the bodies at the first state: a world that began with the later
// bodies has another one, until it takes over a saved state.
static void test_dhat_of_state(void** state) {
    (void)state;
    pli_world_def def = plane_def("backward-euler");
    def.gravity[1] = -9.81;
    def.contact.dhat_relative = 1e-3;
    pli_world *world = make_world(&def), *other = make_world(&def);
    add_ground(world, -0.501, 0);
    add_block(world, 0, 0);
    step(world);
    add_block(world, 100, 200);
    for (int n = 0; n < 3; ++n) step(world);
    add_ground(other, -0.501, 0);
    add_block(other, 0, 0);
    add_block(other, 100, 200);
    ASSERT_OK(pli_world_prepare(other, &error));
    bytes b = save(world);
    ASSERT_OK(pli_world_restore(other, b.data, b.size, &error));
    ASSERT_NEAR(pli_world_dhat(other), pli_world_dhat(world), 0);
    for (int n = 0; n < 10; ++n) step(world), step(other);
    assert_same_motion(world, other);
    free(b.data);
    pli_world_destroy(world);
    pli_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocities_after_change),
        cmocka_unit_test(test_step_size_after_change),
        cmocka_unit_test(test_refused_edit_of_same_mesh),
        cmocka_unit_test(test_exempt_pairs),
        cmocka_unit_test(test_sliding_support),
        cmocka_unit_test(test_new_nodes),
        cmocka_unit_test(test_mended_by_parameter),
        cmocka_unit_test(test_listed_state_across_edit),
        cmocka_unit_test(test_dhat_of_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
