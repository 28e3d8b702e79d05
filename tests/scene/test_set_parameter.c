// A parameter that is set while a scene runs: the world goes on as one of a scene with that
// override into which the state is put, and text, overrides and parameters of the scene follow.
#include "scene/support.h"

#include "pliant/change.h"

#include <math.h>
#include <stdlib.h>

// Blocks that slide on an inclined half-space and on each other, copies with loads, a spring.
static const char scene_text[] =
    "{ \"gravity\": [1, -9.81], \"time\": { \"step\": 0.01, \"steps\": 100 },"
    "  \"solver\": { \"tolerance\": 1e-9 },"
    "  \"contact\": { \"friction\": 0.3, \"stiffness\": 1e6, \"dhat\": 0.01 }, \"bodies\": ["
    "  { \"name\": \"low\", \"material\": \"foam\", \"translate\": [0, 0.505],"
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [2, 1], \"segments\": [4, 2] },"
    "    \"loads\": [ { \"type\": \"force\", \"group\": \"right\", \"value\": [5, 0] } ] },"
    "  { \"name\": \"high\", \"density\": 500, \"translate\": [0, 1.51], \"velocity\": [1, 0],"
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2] },"
    "    \"energies\": [ { \"type\": \"neo-hookean\", \"young\": 3e5 } ] },"
    "  { \"name\": \"copy\", \"density\": 100, \"translate\": [6, 3],"
    "    \"repeat\": { \"count\": 2, \"spacing\": [3, 0] },"
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2] },"
    "    \"energies\": [ { \"type\": \"neo-hookean\", \"young\": 3e4 } ],"
    "    \"loads\": [ { \"type\": \"force\", \"value\": [\"sin(t)\", 0] },"
    "                 { \"type\": \"pressure\", \"value\": 200 } ] } ],"
    "  \"stencils\": [ { \"type\": \"spring\", \"stiffness\": 200, \"between\": ["
    "    { \"body\": \"copy 0\", \"vertices\": [0] }, { \"body\": \"high\", \"vertices\": [0] } "
    "] } ],"
    "  \"obstacles\": [ { \"type\": \"half-space\", \"point\": [0, 0], \"normal\": [0, 1], "
    "\"friction\": 0.25 } ] }";

static int find(const pli_scene* scene, const char* path) {
    int i = 0;
    while (i < pli_scene_parameter_count(scene) &&
           strcmp(pli_scene_parameter_at(scene, i)->path, path) != 0)
        ++i;
    if (i == pli_scene_parameter_count(scene)) fail_msg("there is no parameter %s", path);
    return i;
}

static void run(pli_scene* scene, int steps) {
    for (int i = 0; i < steps; ++i) {
        pli_step_info info;
        pli_error error = {0};
        pli_status status = pli_world_step(pli_scene_world(scene), &info, &error);
        if (status != PLI_OK) fail_msg("%s", error.message);
        assert_true(info.kept);
    }
}

static bool set(pli_scene* scene, const char* path, double x, double y) {
    pli_error error = {0};
    bool applied = false;
    pli_status status =
        pli_scene_set_parameter(scene, find(scene, path), (double[3]){x, y}, &applied, &error);
    if (status != PLI_OK) fail_msg("%s: %s", path, error.message);
    return applied;
}

static double distance(const pli_world* a, const pli_world* b) {
    double most = 0;
    assert_int_equal(pli_world_vertex_count(a), pli_world_vertex_count(b));
    for (int i = 0; i < 3 * pli_world_vertex_count(a); ++i)
        most = fmax(most, fabs(pli_world_positions(a)[i] - pli_world_positions(b)[i]));
    return most;
}

static void put_state(const pli_world* from, pli_world* to) {
    pli_error error = {0};
    pli_world_state state = {.time = pli_world_time(from),
                             .step = pli_world_step_count(from),
                             .positions = pli_world_positions(from),
                             .velocities = pli_world_velocities(from)};
    if (pli_world_set_state(to, &state, &error) != PLI_OK) fail_msg("%s", error.message);
}

// The scene as it was, with the overrides that another one has.
static pli_scene* overridden_like(const pli_scene* scene) {
    const char* overrides[8];
    int count = pli_scene_override_count(scene);
    assert_in_range(count, 0, 8);
    for (int i = 0; i < count; ++i) overrides[i] = pli_scene_override(scene, i);
    pli_scene* other = scene_with(scene_text, overrides, count);
    if (pli_scene_error_count(other) > 0) print_findings(other);
    assert_int_equal(pli_scene_error_count(other), 0);
    return other;
}

static void assert_same_settings(const pli_scene* a, const pli_scene* b) {
    assert_string_equal(pli_scene_text(a), pli_scene_text(b));
    assert_int_equal(pli_scene_parameter_count(a), pli_scene_parameter_count(b));
    for (int i = 0; i < pli_scene_parameter_count(a); ++i) {
        const pli_scene_parameter *p = pli_scene_parameter_at(a, i),
                                  *q = pli_scene_parameter_at(b, i);
        assert_string_equal(p->path, q->path);
        assert_memory_equal(p->value, q->value, sizeof p->value);
    }
    assert_int_equal(pli_scene_run(a)->steps, pli_scene_run(b)->steps);
}

static const struct {
    const char* path;
    double value[2];
    bool idle; // it does not act here
} rows[] = {
    {"gravity", {-2, -5}, false},
    {"time.step", {0.005}, false},
    {"contact.friction", {0.01}, false},
    {"contact.friction_static", {0.9}, true}, // all contacts slide
    {"contact.stiffness", {3e6}, false},
    {"obstacles[0].friction", {0.01}, false},
    {"bodies[0].energies[0].young", {1e6}, false}, // the material brings it
    {"bodies[0].energies[0].poisson", {0.1}, false},
    {"bodies[1].energies[0].young", {1e5}, false},
    {"bodies[2].energies[0].young", {1e5}, false}, // of two copies
    {"bodies[0].loads[0].value", {500, 20}, false},
    {"bodies[2].loads[1].value", {-900}, false},
    {"stencils[0].stiffness", {2000}, false},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static void test_goes_on_like_a_new_scene(void** state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; ++i) {
        pli_scene *scene = scene_of(scene_text), *plain = scene_of(scene_text);
        if (pli_scene_error_count(scene) > 0) print_findings(scene);
        assert_int_equal(pli_scene_error_count(scene), 0);
        run(scene, 8);
        run(plain, 8);
        pli_world* world = pli_scene_world(scene);
        assert_true(set(scene, rows[i].path, rows[i].value[0], rows[i].value[1]));
        assert_ptr_equal(pli_scene_world(scene), world);
        assert_int_equal(pli_world_step_count(world), 8);
        assert_true(pli_scene_parameter_at(scene, find(scene, rows[i].path))->value[0] ==
                    rows[i].value[0]);
        assert_int_equal(pli_scene_override_count(scene), 1);
        pli_scene* other = overridden_like(scene);
        assert_same_settings(scene, other);
        put_state(world, pli_scene_world(other));
        run(scene, 4);
        run(other, 4);
        run(plain, 4);
        // Velocities are found to 1e-9 m/s, which 0.04 s and stiff contact may amplify.
        double same = distance(world, pli_scene_world(other));
        double changed = distance(world, pli_scene_world(plain));
        print_message("%-32s to the new scene %.1e m, to the old value %.1e m\n", rows[i].path,
                      same, changed);
        assert_true(same < 1e-9);
        assert_true(rows[i].idle || changed > 1e-6);
        pli_scene_destroy(scene);
        pli_scene_destroy(plain);
        pli_scene_destroy(other);
    }
}

static void test_several_and_again(void** state) {
    (void)state;
    pli_scene* scene = scene_with(
        scene_text, (const char*[]){"gravity=[0, -1]", "time.steps=50", "contact.friction=0.2"}, 3);
    run(scene, 2);
    for (int i = 0; i < 40; ++i) assert_true(set(scene, "gravity", 0.1 * i, -3));
    assert_true(set(scene, "contact.friction", 0.1, 0));
    assert_true(set(scene, "gravity", 1, -4));
    // One override for each path: that of the def is replaced.
    assert_int_equal(pli_scene_override_count(scene), 3);
    assert_string_equal(pli_scene_override(scene, 0), "time.steps=50");
    assert_string_equal(pli_scene_override(scene, 1), "gravity=[1,-4]");
    pli_scene* other = overridden_like(scene);
    assert_same_settings(scene, other);
    for (int i = 0; i < ROW_COUNT; ++i)
        if (strncmp(rows[i].path, "bodies", 6) == 0)
            assert_true(set(scene, rows[i].path, rows[i].value[0], rows[i].value[1]));
    run(scene, 2);
    pli_scene_destroy(other);
    pli_scene_destroy(scene);
}

static void test_what_needs_another_world(void** state) {
    (void)state;
    static const char* const paths[] = {"contact.dhat", "bodies[1].density", "solver.tolerance",
                                        "solver.max_iterations", "solver.on_failure"};
    pli_scene* scene = scene_of(scene_text);
    pli_scene* before = scene_of(scene_text);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i)
        assert_false(set(scene, paths[i], 0.02, 0));
    assert_same_settings(scene, before);
    assert_int_equal(pli_scene_override_count(scene), 0);
    pli_scene_destroy(scene);
    // A scheme of order 3 needs steps of one size.
    scene = scene_of("{ \"time\": { \"scheme\": \"bdf3\", \"step\": 0.01 }, \"contact\": { "
                     "\"bodies\": false }, \"bodies\": [ " SQUARE_BODY " ] }");
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    run(scene, 3);
    assert_false(set(scene, "time.step", 0.02, 0));
    assert_true(pli_world_time_step(pli_scene_world(scene)) == 0.01);
    pli_scene_destroy(scene);
    pli_scene_destroy(before);
}

static const struct {
    const char* path;
    double value;
    const char* message; // part of it
} refused[] = {
    {"time.step", -1, "time.step = -1"},
    {"contact.friction", -0.1, "friction = -0.1"},
    {"contact.friction_static", 0.1, "friction"}, // less than the kinetic one
    {"contact.stiffness", -1, "stiffness"},
    {"obstacles[0].friction", 200, "friction = 200"},
    {"bodies[0].energies[0].poisson", 0.5, "poisson"},
    {"bodies[2].energies[0].young", -3, "young"},
    {"gravity", NAN, "finite"},
    {"bodies[0].loads[0].value", INFINITY, "finite"},
};

static void test_refusals_change_nothing(void** state) {
    (void)state;
    pli_scene *scene = scene_of(scene_text), *plain = scene_of(scene_text);
    run(scene, 6);
    run(plain, 6);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        pli_error error = {0};
        bool applied = true;
        pli_status status = pli_scene_set_parameter(
            scene, find(scene, refused[i].path), (double[3]){refused[i].value}, &applied, &error);
        if (status == PLI_OK || !strstr(error.message, refused[i].message))
            fail_msg("%s: %s", refused[i].path, error.message);
    }
    assert_same_settings(scene, plain);
    assert_int_equal(pli_scene_override_count(scene), 0);
    run(scene, 4);
    run(plain, 4);
    assert_true(distance(pli_scene_world(scene), pli_scene_world(plain)) == 0);
    pli_scene_destroy(scene);
    pli_scene_destroy(plain);
}

static void test_misuse(void** state) {
    (void)state;
    pli_scene *scene = scene_of(scene_text),
              *bad = scene_of("{ \"bodies\": [], \"gravity\": [0, 1] }");
    pli_error error = {0};
    bool applied;
    const double one[3] = {1, 1, 1};
    assert_int_equal(pli_scene_set_parameter(NULL, 0, one, &applied, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_scene_set_parameter(scene, 0, NULL, &applied, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_scene_set_parameter(scene, 0, one, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_scene_set_parameter(scene, -1, one, &applied, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_scene_set_parameter(scene, 100000, one, &applied, NULL), PLI_E_ARGUMENT);
    assert_int_equal(pli_scene_set_parameter(bad, 0, one, &applied, &error), PLI_E_ARGUMENT);
    pli_scene_destroy(scene);
    pli_scene_destroy(bad);
}

// What a change leaves behind does not depend on what was removed from the world meanwhile.
static void test_of_a_changed_world(void** state) {
    (void)state;
    pli_scene* scene = scene_of(scene_text);
    pli_world* world = pli_scene_world(scene);
    pli_error error = {0};
    run(scene, 1);
    assert_int_equal(pli_world_remove_body(world, pli_world_body_id(world, 0), &error), PLI_OK);
    assert_true(set(scene, "bodies[1].energies[0].young", 4e5, 0));
    bool applied = true;
    int gone = find(scene, "bodies[0].energies[0].young");
    assert_int_equal(pli_scene_set_parameter(scene, gone, (double[3]){1e5}, &applied, &error),
                     PLI_E_ARGUMENT);
    run(scene, 1);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on_like_a_new_scene),
        cmocka_unit_test(test_several_and_again),
        cmocka_unit_test(test_what_needs_another_world),
        cmocka_unit_test(test_refusals_change_nothing),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_of_a_changed_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
