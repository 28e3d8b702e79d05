// Errors say what they are about: the kind of object, its number and the key.
#include "dynamics/worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The call must fail and name this object.
#define FAILS_AT(call, object_, index_, key_)                                                      \
    do {                                                                                           \
        error = (pli_error)PLI_NO_ERROR;                                                           \
        assert_int_not_equal((call), PLI_OK);                                                      \
        assert_int_equal(error.object, (object_));                                                 \
        assert_int_equal(error.index, (index_));                                                   \
        assert_string_equal(error.key, (key_));                                                    \
    } while (0)

static void test_world(void** state) {
    (void)state;
    pli_world* world = NULL;
    pli_world_def def = pli_default_world_def();
    def.thickness = -1;
    FAILS_AT(pli_world_create(&def, &world, &error), PLI_OBJECT_WORLD, -1, "thickness");
    def = pli_default_world_def();
    def.scheme = "euler";
    FAILS_AT(pli_world_create(&def, &world, &error), PLI_OBJECT_TIME, -1, "scheme");
    def = pli_default_world_def();
    def.solver.tolerance = 0;
    FAILS_AT(pli_world_create(&def, &world, &error), PLI_OBJECT_SOLVER, -1, "tolerance");
    def = pli_default_world_def();
    def.contact.friction = 1;
    def.contact.friction_static = 0.5;
    FAILS_AT(pli_world_create(&def, &world, &error), PLI_OBJECT_CONTACT, -1, "friction_static");
    def = pli_default_world_def();
    def.energy_type_count = -1;
    FAILS_AT(pli_world_create(&def, &world, &error), PLI_OBJECT_WORLD, -1, "energy_types");
    assert_null(world);
}

// What was refused would have had the number that the next one gets.
static void test_body(void** state) {
    (void)state;
    pli_world_def world_def = pli_default_world_def();
    pli_world* world = make_world(&world_def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    FAILS_AT(pli_world_add_body(world, &def, NULL, &error), PLI_OBJECT_BODY, 0, "mesh");
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 1, 1, PLI_TRIANGLES, &error));
    ASSERT_OK(pli_world_add_body(world, &def, NULL, &error));
    def.density = -5;
    FAILS_AT(pli_world_add_body(world, &def, NULL, &error), PLI_OBJECT_BODY, 1, "density");
    def.density = 1;
    double bad[12] = {0, 0, NAN};
    def.velocities = bad;
    FAILS_AT(pli_world_add_body(world, &def, NULL, &error), PLI_OBJECT_BODY, 1, "velocities");
    def.velocities = NULL;
    def.kinematics = "embedded";
    FAILS_AT(pli_world_add_body(world, &def, NULL, &error), PLI_OBJECT_BODY, 1, "kinematics");
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

// 3 * vertices * modes is more than an int can hold: refused before a mode is read. With as many
// modes as just fit, the first number is found to be wrong.
static void test_many_modes(void** state) {
    (void)state;
    enum { VERTICES = 30000, MODES = 30000, FITTING = INT32_MAX / (3 * VERTICES) };
    pli_world_def world_def = pli_default_world_def();
    pli_world* world = make_world(&world_def);
    double* positions = calloc(3 * VERTICES, sizeof *positions);
    double* modes = calloc(3 * VERTICES, sizeof *modes); // of the first mode
    assert_non_null(positions);
    assert_non_null(modes);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, VERTICES, positions, NULL, &error));
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.vertex_mass = 1;
    def.modes = modes;
    def.mode_count = MODES;
    modes[0] = NAN;
    FAILS_AT(pli_world_add_body(world, &def, NULL, &error), PLI_OBJECT_BODY, 0, "mode_count");
    assert_int_equal(error.status, PLI_E_ARGUMENT);
    def.mode_count = FITTING + 1;
    FAILS_AT(pli_world_add_body(world, &def, NULL, &error), PLI_OBJECT_BODY, 0, "mode_count");
    def.mode_count = FITTING;
    FAILS_AT(pli_world_add_body(world, &def, NULL, &error), PLI_OBJECT_BODY, 0, "modes");
    assert_int_equal(error.status, PLI_E_ARGUMENT);
    pli_mesh_free(&mesh);
    free(modes);
    free(positions);
    pli_world_destroy(world);
}

static void test_on_bodies(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    pli_world* world = make_world(&def);
    const square unit = {.segments = 1, .stiffness = 1e5};
    pli_body_id id = add_square(world, &unit);
    pli_setting stiff = {"young", -1};
    FAILS_AT(pli_world_add_energy(world, id, "neo-hookean", &stiff, 1, NULL, &error),
             PLI_OBJECT_ENERGY, 1, "young");
    stiff.name = "youngs";
    FAILS_AT(pli_world_add_energy(world, id, "neo-hookean", &stiff, 1, NULL, &error),
             PLI_OBJECT_ENERGY, 1, "youngs");
    const int32_t beyond[1] = {4};
    pli_fix_def fix = pli_default_fix_def();
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    fix.vertices = beyond;
    fix.vertex_count = 1;
    FAILS_AT(pli_world_fix(world, id, &fix, NULL, &error), PLI_OBJECT_SUPPORT, 1, "vertices");
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.stiffness = -1;
    FAILS_AT(pli_world_prescribe(world, id, &motion, NULL, &error), PLI_OBJECT_SUPPORT, 1,
             "stiffness");
    pli_load_def load = pli_default_load_def();
    load.vertices = beyond;
    load.vertex_count = 1;
    FAILS_AT(pli_world_add_load(world, id, &load, NULL, &error), PLI_OBJECT_LOAD, 0, "vertices");
    load.vertices = NULL;
    FAILS_AT(pli_world_add_load(world, (pli_body_id){.index = 3}, &load, NULL, &error),
             PLI_OBJECT_BODY, 3, "");
    pli_world_destroy(world);
}

static void test_around(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    pli_world* world = make_world(&def);
    const square unit = {.segments = 1, .stiffness = 1e5};
    add_square(world, &unit);
    add_ground(world, -1, 0);
    pli_half_space_def ground = pli_default_half_space_def();
    ground.normal[1] = 0;
    FAILS_AT(pli_world_add_half_space(world, &ground, NULL, &error), PLI_OBJECT_HALF_SPACE, 1,
             "normal");
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    rule.friction = 200;
    FAILS_AT(pli_world_add_contact_rule(world, &rule, NULL, &error), PLI_OBJECT_RULE, 0,
             "friction");
    rule = pli_default_contact_rule_def();
    rule.pass = true;
    ASSERT_OK(pli_world_add_contact_rule(world, &rule, NULL, &error));
    rule.between[1] = "nobody";
    ASSERT_OK(pli_world_add_contact_rule(world, &rule, NULL, &error));
    FAILS_AT(pli_world_prepare(world, &error), PLI_OBJECT_RULE, 1, "between");
    pli_world_destroy(world);
}

// What does not go together is found when the world is prepared.
static void test_prepare(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    const square unit = {.segments = 1, .stiffness = 1e5};
    def.scheme = "bdf3";
    pli_world* world = make_world(&def);
    add_square(world, &unit);
    FAILS_AT(pli_world_prepare(world, &error), PLI_OBJECT_TIME, -1, "scheme");
    pli_world_destroy(world);

    def = pli_default_world_def();
    world = make_world(&def);
    add_square(world, &unit);
    square second = unit;
    second.centre[0] = 0.5;
    second.centre[1] = 0.3;
    add_square(world, &second);
    FAILS_AT(pli_world_prepare(world, &error), PLI_OBJECT_BODY, error.index, "");
    assert_in_range(error.index, 0, 1);
    pli_world_destroy(world);

    world = make_world(&def);
    add_ground(world, 0, 0);
    add_square(world, &unit);
    FAILS_AT(pli_world_prepare(world, &error), PLI_OBJECT_HALF_SPACE, 0, "");
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world),      cmocka_unit_test(test_body),
        cmocka_unit_test(test_many_modes), cmocka_unit_test(test_on_bodies),
        cmocka_unit_test(test_around),     cmocka_unit_test(test_prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
