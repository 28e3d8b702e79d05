// The key "joints": a weight on a hinge, a driven crank, and what is refused.
#include "pliant/joint.h"
#include "scene/support.h"

#include <math.h>

#define BAR(name, x)                                                                               \
    "{\"name\": \"" name "\", \"kinematics\": \"rigid\", \"translate\": [" x ", 0], \"mesh\": "    \
    "{\"type\": \"rectangle\", \"size\": [1, 0.1], \"segments\": [4, 1]}}"
#define SCENE(joints)                                                                              \
    "{\"gravity\": [0, -10], \"time\": {\"step\": 0.01, \"steps\": 10, \"scheme\": \"bdf2\"},\n"   \
    "\"contact\": {\"bodies\": false}, \"bodies\": [" BAR("a", "0.5") ", " BAR(                    \
        "b", "1.5") "],\n"                                                                         \
                    "\"joints\": [" joints "]}"

static void steps(pli_world* world, int count) {
    pli_error error = {0};
    for (int i = 0; i < count; ++i) {
        pli_step_info info;
        assert_int_equal(pli_world_step(world, &info, &error), PLI_OK);
        assert_true(info.kept);
    }
}

// A weld holds two bars in a row: weight of 200 kg, and its moment.
static void a_weld_carries(void** state) {
    (void)state;
    pli_scene* scene = scene_of(SCENE(
        "{\"type\": \"weld\", \"name\": \"wall\", \"between\": [\"a\", \"world\"], \"at\": [0, 0]},"
        "{\"type\": \"weld\", \"between\": [\"a\", \"b\"], \"at\": [1, 0]}"));
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_world* world = pli_scene_world(scene);
    steps(world, 100);
    pli_joint_info info;
    assert_true(pli_world_joint(world, 0, &info));
    assert_string_equal(info.name, "wall");
    assert_true(fabs(info.force[1] - 2000) < 2); // 1e-3 of it
    assert_true(fabs(info.torque[2] - 2000) < 2);
    assert_true(pli_world_joint(world, 1, &info));
    assert_true(fabs(info.force[1] + 1000) < 1);
    assert_false(pli_world_joint(world, 2, &info));
    pli_scene_destroy(scene);
}

// The world turns a bar by 1 rad/s about its end.
static void a_crank_turns(void** state) {
    (void)state;
    pli_scene* scene =
        scene_of(SCENE("{\"type\": \"weld\", \"between\": [\"world\", \"a\"], \"at\": [0, 0], "
                       "\"spin\": 1}"));
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_world* world = pli_scene_world(scene);
    steps(world, 10);
    pli_body_summary s = pli_world_body_summary(world, 0, NULL);
    assert_true(fabs(s.centre[0] - 0.5 * cos(0.1)) < 1e-12);
    assert_true(fabs(s.centre[1] - 0.5 * sin(0.1)) < 1e-12);
    pli_scene_destroy(scene);
}

static void refused(const char* text, const char* part) {
    pli_scene* scene = scene_of(text);
    bool found = false;
    assert_true(pli_scene_error_count(scene) > 0);
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        found = found || strstr(pli_scene_finding(scene, i)->message, part);
    if (!found) print_findings(scene);
    assert_true(found);
    pli_scene_destroy(scene);
}

static void errors_have_places(void** state) {
    (void)state;
    refused(SCENE("{\"type\": \"ball\", \"between\": [\"a\", \"wrold\"], \"at\": [0, 0]}"),
            "did you mean \"world\"");
    refused(SCENE("{\"type\": \"glue\", \"between\": [\"a\", \"b\"], \"at\": [0, 0]}"), "rope");
    refused(SCENE("{\"type\": \"rope\", \"between\": [\"a\", \"b\"], \"at\": [0, 0]}"),
            "joints[0].to is missing");
    refused(SCENE("{\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [0, 0], "
                  "\"angle\": {\"motor\": {\"position\": 1, \"force\": 2}}}"),
            "one of position, velocity and force");
    refused(SCENE("{\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [0, 0], "
                  "\"angle\": {\"limits\": [0, 1]}}"),
            "must lie between the limits");
    refused(SCENE("{\"type\": \"hinge\", \"name\": \"elbow\", \"between\": [\"a\", \"b\"], "
                  "\"at\": [0, 0]}, {\"type\": \"gear\", \"of\": [\"elbow\", \"elbwo\"], "
                  "\"ratio\": 2}"),
            "did you mean \"elbow\"");
    refused(SCENE("{\"type\": \"gear\", \"of\": [\"a\", \"b\"], \"ratio\": 2}"), "no joint");
    refused(SCENE("{\"type\": \"ball\", \"between\": [\"world\", \"world\"], \"at\": [0, 0]}"),
            "both ends are the world");
    refused(SCENE("{\"type\": \"ball\", \"between\": [\"a\", \"b\"], \"at\": [1, 0], "
                  "\"first\": {\"vertices\": [0]}}"),
            "m away");
    refused(SCENE("{\"type\": \"ball\", \"between\": [\"a\", \"world\"], \"at\": [0, 0], "
                  "\"offset\": [\"1 + t\", 0]}"),
            "apart at t = 0");
}

// A crank that a motor turns, geared to a second one; a slider of the viewer changes its speed.
static void a_motor_turns(void** state) {
    (void)state;
    pli_scene* scene = scene_of(SCENE(
        "{\"type\": \"hinge\", \"name\": \"crank\", \"between\": [\"a\", \"world\"], \"at\": [0, "
        "0], "
        "\"angle\": {\"start\": 1, \"motor\": {\"velocity\": 2}}},"
        "{\"type\": \"hinge\", \"name\": \"wheel\", \"between\": [\"b\", \"world\"], \"at\": [1.5, "
        "0]}, {\"type\": \"gear\", \"of\": [\"crank\", \"wheel\"], \"ratio\": -0.5}"));
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_world* world = pli_scene_world(scene);
    steps(world, 50);
    pli_joint_info info;
    assert_true(pli_world_joint(world, 0, &info));
    assert_true(fabs(info.value[PLI_JOINT_ANGLE] - 2) < 0.01);
    assert_true(pli_world_joint(world, 1, &info));
    assert_true(fabs(info.value[PLI_JOINT_ANGLE] + 0.5) < 0.005);
    bool applied = false;
    const double faster[3] = {4, 0, 0};
    for (int i = 0; pli_scene_parameter_at(scene, i); ++i)
        if (strcmp(pli_scene_parameter_at(scene, i)->path, "joints[0].angle.motor.velocity") == 0)
            assert_int_equal(pli_scene_set_parameter(scene, i, faster, &applied, NULL), PLI_OK);
    assert_true(applied);
    steps(world, 50);
    assert_true(pli_world_joint(world, 0, &info));
    assert_true(fabs(info.value[PLI_JOINT_ANGLE] - 4) < 0.02);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weld_carries),
        cmocka_unit_test(a_crank_turns),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(a_motor_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
