// Values from the command line.
#include "scene/source.h"

#include "support.h"

static json_t* tree(void) {
    json_t* root = json_loads(
        "{\"time\": {\"step\": 1}, \"bodies\": [{\"density\": 1}, {}], \"n\": 3}", 0, NULL);
    assert_non_null(root);
    return root;
}

static void apply(json_t* root, const char* override, const char* expected_path) {
    char path[64];
    pli_error error = {0};
    assert_int_equal(pli_override_apply(root, override, path, sizeof path, &error), PLI_OK);
    assert_string_equal(path, expected_path);
}

static void replaces_and_creates(void** state) {
    (void)state;
    json_t* root = tree();
    apply(root, "time.step=0.25", "time.step");
    apply(root, "bodies[1].density=5", "bodies[1].density");
    apply(root, "solver.method=newton", "solver.method"); // makes the object; text without quotes
    apply(root, "gravity=[0, -1]", "gravity");
    apply(root, "name=a=b", "name"); // only the first '=' counts
    apply(root, "description=\"12\"", "description");
    apply(root, "bodies[0]={\"name\": \"new\"}", "bodies[0]");
    apply(root, "contact.bodies=true", "contact.bodies");
    apply(root, "obstacles[0].type=half-space", "obstacles[0].type"); // makes the list
    apply(root, "obstacles[0].point[0]=2", "obstacles[0].point[0]");
    apply(root, "bodies[1].fix[0].vertices=[3]", "bodies[1].fix[0].vertices");
    json_t* expected =
        json_loads("{\"time\": {\"step\": 0.25}, \"bodies\": [{\"name\": \"new\"}, "
                   "{\"density\": 5, \"fix\": [{\"vertices\": [3]}]}], \"n\": 3, \"obstacles\": "
                   "[{\"type\": \"half-space\", \"point\": [2]}], \"solver\": {\"method\": "
                   "\"newton\"}, \"gravity\": [0, -1], \"name\": \"a=b\", "
                   "\"description\": \"12\", \"contact\": {\"bodies\": true}}",
                   0, NULL);
    assert_true(json_equal(root, expected));
    json_decref(expected);
    json_decref(root);
}

static void refuses(const char* override, const char* message) {
    json_t* root = tree();
    json_t* before = json_deep_copy(root);
    char path[64];
    pli_error error = {0};
    assert_int_equal(pli_override_apply(root, override, path, sizeof path, &error), PLI_E_SCENE);
    if (!strstr(error.message, message)) {
        print_message("%s: %s\n", override, error.message);
        fail();
    }
    assert_true(json_equal(root, before));
    json_decref(before);
    json_decref(root);
}

static void bad_paths(void** state) {
    (void)state;
    refuses("time.step", "must be key.path=value");
    refuses("=3", "must be key.path=value");
    refuses("bodies[2].density=1", "index 2 is out of range, the list has 2");
    refuses("obstacles[1].type=half-space", "index 1 is out of range, the list has 0");
    refuses("a.b[0].c[2]=1", "index 2 is out of range, the list has 0");
    refuses("a.b[0].c.=1", "expected a key");
    refuses("a.b=\xff", "not valid UTF-8");
    refuses("bodies[99999999999999999999]=1", "in [ ]");
    refuses("bodies[-1].density=1", "in [ ]");
    refuses("bodies[x]=1", "in [ ]");
    refuses("bodies[0=1", "in [ ]");
    refuses("bodies.density=1", "needs an object before it, not a list");
    refuses("time[0]=1", "needs a list before it, not an object");
    refuses("n.x=1", "needs an object before it, not a single value");
    refuses(".time=1", "expected a key");
    refuses("time.=1", "expected a key");
    refuses("time..step=1", "expected a key");
    refuses("bodies[0]density=1", "expected a key");
    refuses("time.step=\xff", "not valid UTF-8");
    refuses("a.very.long.path.that.does.not.fit.into.sixty.four.characters.at.all=1", "too long");
}

// What is wrong with an overridden value is blamed on --set, not on a line of the file.
static void findings_name_the_option(void** state) {
    (void)state;
    const char* const overrides[] = {"time.step=-1", "bodies[0].energies[0].young=soft",
                                     "bodies[0].extra=1", "bodies[7].x=1", "solvr.x=1"};
    pli_scene* scene = scene_with(SQUARE_SCENE, overrides, 5);
    expect_finding(scene, "--set time.step: time.step = -1 s, must be > 0");
    expect_finding(scene, "--set bodies[0].energies[0].young: body \"mat\": energies[0].young = "
                          "\"soft\", must be a number");
    expect_finding(scene, "--set bodies[0].extra: body \"mat\": unknown key \"extra\"");
    expect_finding(scene, "scene.json: --set bodies[7].x: index 7 is out of range");
    expect_finding(scene, "--set solvr: unknown key \"solvr\", did you mean \"solver\"?");
    assert_int_equal(pli_scene_error_count(scene), 5);
    pli_scene_destroy(scene);
}

static void obstacles_from_nothing(void** state) {
    (void)state;
    const char* const overrides[] = {"obstacles[0].type=half-space", "obstacles[0].point=[0,-3]",
                                     "obstacles[0].friction=-1"};
    pli_scene* scene = scene_with(SQUARE_SCENE, overrides, 2);
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_int_equal(pli_world_half_space_count(pli_scene_world(scene)), 1);
    pli_scene_destroy(scene);
    scene = scene_with(SQUARE_SCENE, overrides, 3);
    expect_finding(scene, "--set obstacles[0].friction: obstacles[0].friction = -1, must be >= 0");
    pli_scene_destroy(scene);
}

static void good_values_arrive(void** state) {
    (void)state;
    const char* const overrides[] = {"time.steps=7", "bodies[0].density=10", "output.frame_every=3",
                                     "bodies[0].mesh.segments=[2,3]"};
    pli_scene* scene = scene_with(SQUARE_SCENE, overrides, 4);
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_int_equal(pli_scene_run(scene)->steps, 7);
    assert_int_equal(pli_scene_run(scene)->frame_every, 3);
    assert_int_equal(pli_scene_summarize(scene)->vertex_count, 12);
    assert_true(pli_scene_summarize(scene)->mass > 9.999 && // 10 kg/m^3 on 1 m^2; sums round
                pli_scene_summarize(scene)->mass < 10.001);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_and_creates),     cmocka_unit_test(bad_paths),
        cmocka_unit_test(findings_name_the_option), cmocka_unit_test(obstacles_from_nothing),
        cmocka_unit_test(good_values_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
