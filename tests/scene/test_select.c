// Selections: every selector against a count done by hand, all of them together, and what is wrong
// with them.
#include "support.h"

// A cube of 4 x 4 x 4 cells, 5 x 5 x 5 vertices at -0.5, -0.25, 0, 0.25, 0.5; free vertices have 3
// unknowns.
#define CUBE(fix)                                                                                  \
    "{\"dimension\": 3, \"contact\": {\"bodies\": false}, \"bodies\": [{\"name\": \"cube\", "      \
    "\"mesh\": {\"type\": \"box\", \"size\": [1, 1, 1], \"segments\": [4, 4, 4]}, \"energies\": "  \
    "[{\"type\": \"neo-hookean\"}],\n\"fix\": [{" fix "}]}]}"

static void counts(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int fixed; // vertices
    } cases[] = {
        {CUBE("\"vertices\": [7, 3]"), 2},
        {CUBE("\"box\": [[-0.5, -0.5, -0.5], [-0.5, 0.5, 0.5]]"), 25},
        {CUBE("\"sphere\": {\"radius\": 0.25}"), 7},
        {CUBE("\"sphere\": {\"center\": [0.5, 0.5, 0.5], \"radius\": 0.26}"), 4},
        {CUBE("\"plane\": {\"point\": [0.25, 0, 0], \"normal\": [2, 0, 0]}"), 50},
        {CUBE("\"plane\": {\"normal\": [1, 1, 1]}"), 72}, // i + j + k >= 0
        {CUBE("\"group\": \"left\""), 25},
        {CUBE("\"group\": \"surface\""), 125 - 27},
        {CUBE("\"where\": \"x > 0.3 && abs(y) < 0.1\""), 5},
        {CUBE("\"where\": \"y == 0.5 or z == -0.5\""), 45},
        {CUBE("\"where\": 1"), 125},
        {CUBE("\"group\": \"top\", \"where\": \"hypot(x, z) < 0.3\""), 5},
        {CUBE("\"group\": \"left\", \"box\": [[-1, -1, -1], [1, 0, 1]], \"plane\": {\"normal\": "
              "[0, 0, 1]}, \"sphere\": {\"radius\": 9}"),
         9},
        {CUBE("\"axes\": [\"x\", \"y\", \"z\"]"), 125},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int fixed = cases[i].fixed;
        pli_scene* scene = scene_of(cases[i].text);
        if (pli_scene_error_count(scene) > 0) print_findings(scene);
        assert_int_equal(pli_scene_error_count(scene), 0);
        if (pli_scene_summarize(scene)->unknown_count != 3 * (125 - fixed))
            fail_msg("%s: %d unknowns, not %d", cases[i].text,
                     pli_scene_summarize(scene)->unknown_count, 3 * (125 - fixed));
        pli_scene_destroy(scene);
    }
}

// Selections see the placed body.
static void after_placement(void** state) {
    (void)state;
    pli_scene* scene = scene_of(
        "{\"bodies\": [{\"mesh\": {\"type\": \"rectangle\", \"size\": [2, 1], \"segments\": [4, "
        "2]}, "
        "\"energies\": [{\"type\": \"neo-hookean\"}], \"rotate\": 90, \"translate\": [5, 0], "
        "\"fix\": [{\"where\": \"y > 0.9\"}]}]}");
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_summarize(scene)->unknown_count, 2 * (15 - 3));
    pli_scene_destroy(scene);
}

static void wrong_selections(void** state) {
    (void)state;
    static const struct {
        const char *text, *finding;
    } cases[] = {
        {CUBE("\"sphere\": {\"center\": [9, 9, 9], \"radius\": 1}"),
         "scene.json:2:20: body \"cube\": sphere: no vertex of the body is inside"},
        {CUBE("\"sphere\": {\"radius\": 0}"),
         "scene.json:2:31: body \"cube\": fix[0].sphere.radius = 0 m, must be > 0"},
        {CUBE("\"sphere\": {\"center\": [0, 0, 0]}"),
         "scene.json:2:20: body \"cube\": fix[0].sphere.radius is missing"},
        {CUBE("\"sphere\": 3"),
         "scene.json:2:20: body \"cube\": fix[0].sphere = 3, must be an object"},
        {CUBE("\"plane\": {\"normal\": [0, 0, 0]}"),
         "scene.json:2:30: body \"cube\": plane.normal is zero, must have a direction"},
        {CUBE("\"plane\": {\"point\": [1, 0, 0], \"normal\": [1, 0, 0]}"),
         "scene.json:2:19: body \"cube\": plane: no vertex of the body is on this side"},
        {CUBE("\"group\": \"lefd\""),
         "scene.json:2:19: body \"cube\": the mesh has no group \"lefd\", did you mean \"left\"?"},
        {CUBE("\"group\": \"something\""),
         "scene.json:2:19: body \"cube\": the mesh has no group \"something\"; it has \""},
        {CUBE("\"group\": 1"), "scene.json:2:19: body \"cube\": fix[0].group = 1, must be a text"},
        {CUBE("\"where\": \"x > 3\""), "scene.json:2:19: body \"cube\": where:"},
        {CUBE("\"where\": \"sqrt(x)\""),
         "scene.json:2:19: body \"cube\": where: the expression is not"},
        {CUBE("\"where\": \"t > 0\""),
         "scene.json:2:19: body \"cube\": fix[0].where = \"t > 0\", character 1: t is not"},
        {CUBE("\"where\": \"\""), "scene.json:2:19: body \"cube\": fix[0].where = \"\", character "
                                  "1: the expression is empty"},
        {CUBE("\"where\": [1]"),
         "scene.json:2:19: body \"cube\": fix[0].where is a list of 1, must be a number or an "
         "expression in quotes"},
        {CUBE("\"group\": \"left\", \"where\": \"x > 0\""),
         "scene.json:2:9: body \"cube\": no vertex of the body"},
        {CUBE("\"spher\": {}"),
         "scene.json:2:10: body \"cube\": unknown key \"spher\", did you mean \"sphere\"?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = scene_of(cases[i].text);
        expect_finding(scene, cases[i].finding);
        assert_int_equal(pli_scene_error_count(scene), 1);
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(after_placement),
        cmocka_unit_test(wrong_selections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
