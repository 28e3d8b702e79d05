// The key "analysis" and steps that are chosen.
#include <math.h>

#include "support.h"

#define SCENE(top) "{" top ",\n\"bodies\": [" SQUARE_BODY "]}"

static void analyses(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int steps;
        double end; // [s]
    } cases[] = {
        {SCENE("\"analysis\": \"static\""), 10, 1},
        {SCENE("\"analysis\": \"static\", \"time\": {\"steps\": 3}"), 3, 1},
        {SCENE("\"analysis\": \"static\", \"time\": {\"scheme\": \"static\", \"steps\": 1}"), 1, 1},
        {SCENE("\"analysis\": \"quasi-static\", \"time\": {\"steps\": 4, \"step\": 0.5}"), 4, 2},
        {SCENE("\"analysis\": \"dynamic\", \"time\": {\"steps\": 4, \"step\": 0.5}"), 4, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = scene_of(cases[i].text);
        if (pli_scene_finding_count(scene) > 0) print_findings(scene);
        assert_int_equal(pli_scene_finding_count(scene), 0);
        assert_int_equal(pli_scene_run(scene)->steps, cases[i].steps);
        assert_true(pli_scene_run(scene)->duration == 0);
        for (int k = 0; k < cases[i].steps; ++k)
            assert_int_equal(pli_world_step(pli_scene_world(scene), NULL, NULL), PLI_OK);
        assert_true(fabs(pli_world_time(pli_scene_world(scene)) - cases[i].end) < 1e-12);
        pli_scene_destroy(scene);
    }
}

// Load steps that are chosen end at t = 1.
static void chosen_load_steps(void** state) {
    (void)state;
    pli_scene* scene = scene_of(SCENE("\"analysis\": \"static\", \"time\": {\"step\": \"auto\"}"));
    assert_int_equal(pli_scene_finding_count(scene), 0);
    assert_true(pli_scene_run(scene)->duration == 1);
    pli_world* world = pli_scene_world(scene);
    int steps = 0;
    for (; pli_world_time(world) < 1 && steps < 100; ++steps)
        assert_int_equal(pli_world_step(world, NULL, NULL), PLI_OK);
    assert_true(pli_world_time(world) == 1);
    assert_true(steps >= 4); // none is above 0.25
    pli_scene_destroy(scene);
}

#define DAMPED(rest)                                                                               \
    "{\"analysis\": \"static\", \"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": "              \
    "\"rectangle\", "                                                                              \
    "\"size\": [1, 1], \"segments\": [1, 1]}, \"fix\": [{\"group\": \"left\"}], \"energies\":\n"   \
    "[{\"type\": \"neo-hookean\"}" rest "}]}"

static void contradictions(void** state) {
    (void)state;
    static const struct {
        const char *text, *finding;
    } cases[] = {
        {SCENE("\"analysis\": \"statics\""),
         "scene.json:1:14: analysis = \"statics\", must be one of \"dynamic\", \"static\", "
         "\"quasi-static\", did you mean \"static\"?"},
        {SCENE("\"analysis\": \"static\", \"time\": {\"scheme\": \"backward-euler\"}"),
         "scene.json:1:43: time.scheme = \"backward-euler\", but analysis is \"static\""},
        {SCENE("\"analysis\": \"quasi-static\", \"time\": {\"scheme\": \"bdf2\"}"),
         "scene.json:1:49: time.scheme = \"bdf2\", but analysis is \"quasi-static\""},
        {SCENE("\"analysis\": \"static\", \"time\": {\"step\": 0.01}"),
         "scene.json:1:41: time.step is given, but in a static analysis t"},
        {SCENE("\"analysis\": \"static\", \"gravity\": [0, -9.81]"),
         "scene.json:1:35: gravity acts on unconstrained bodies, so a static analysis"},
        {SCENE("\"analysis\": \"static\", \"time\": {\"duration\": 2}"),
         "scene.json:1:45: time.duration is given, but in a static analysis"},
        {SCENE("\"time\": {\"step\": \"auto\"}"), "scene.json:1:10: time.duration is missing"},
        {SCENE("\"time\": {\"step\": \"aut\", \"duration\": 1}"),
         "scene.json:1:19: time.step = \"aut\", must be a number or \"auto\""},
        {SCENE("\"time\": {\"scheme\": \"rk4\"}"),
         "scene.json:1:21: scheme \"rk4\" cannot be used with \"point-edge barrier\""},
        {SCENE("\"contact\": {\"bodies\": false}, \"time\": {\"scheme\": \"bdf3\"}, "
               "\"obstacles\": [{\"type\": \"half-space\", \"point\": [0, -9]}]"),
         "scene.json:1:51: scheme \"bdf3\" cannot be used with \"half-space barrier\""},
        {SCENE("\"contact\": {\"bodies\": false}, \"time\": {\"scheme\": \"implicit-midpoint\"}"),
         "scene.json:1:51: scheme \"implicit-midpoint\" cannot be used with \"neo-hookean\""},
        {SCENE("\"contact\": {\"bodies\": false}, \"time\": {\"step\": \"auto\", \"duration\": 1, "
               "\"scheme\": \"bdf3\"}"),
         "scene.json:1:82: scheme \"bdf3\""},
        {SCENE("\"contact\": {\"bodies\": false}, \"time\": {\"step\": \"auto\", \"duration\": 1, "
               "\"scheme\": \"rk4\"}"),
         "scene.json:1:82: scheme \"rk4\" has no error estimate"},
        {SCENE("\"contact\": {\"bodies\": false}, \"time\": {\"step\": \"auto\", \"duration\": 1, "
               "\"scheme\": \"leapfrog\", \"step_control\": \"effort\"}"),
         "scene.json:1:110: scheme \"leapfrog\" is explicit"},
        {SCENE("\"time\": {\"step\": \"auto\", \"duration\": 1, \"step_min\": 1}"),
         "scene.json:1:54: step_min = 1 s, must be at most step_max = 0.04 s"},
        {SCENE("\"time\": {\"step\": \"auto\", \"duration\": 1, \"step_max\": 1e-7}"),
         "scene.json:1:10: step_min = 1e-06 s, must be at most step_max = 1e-07 s"},
        {DAMPED(", {\"type\": \"viscosity\"}]"),
         "scene.json:2:27: body \"b\": \"viscosity\" cannot be used with scheme \"static\""},
        {DAMPED("], \"mass_damping\": 1"),
         "scene.json:2:44: body \"b\": \"mass_damping\" cannot be used with scheme \"static\""},
        {DAMPED("], \"stiffness_damping\": 1"),
         "scene.json:2:49: body \"b\": \"stiffness_damping\" cannot be used with scheme "
         "\"static\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = scene_of(cases[i].text);
        expect_finding(scene, cases[i].finding);
        assert_int_equal(pli_scene_error_count(scene), 1);
        pli_scene_destroy(scene);
    }
}

static void chosen_steps(void** state) {
    (void)state;
    pli_scene* scene = scene_of(SCENE("\"time\": {\"step\": \"auto\", \"duration\": 2}"));
    if (pli_scene_finding_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_true(pli_scene_run(scene)->duration == 2);
    assert_int_equal(pli_scene_run(scene)->steps, 1000000000);
    pli_scene_destroy(scene);
    scene = scene_of(SCENE("\"time\": {\"step\": \"auto\", \"duration\": 2, \"steps\": 50}"));
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_int_equal(pli_scene_run(scene)->steps, 50);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analyses),
        cmocka_unit_test(chosen_load_steps),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(chosen_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
