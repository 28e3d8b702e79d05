// Mistakes in sheets and threads are found with their place before anything moves.
#include "support.h"

// Texts are written with ' for ".
static pli_scene* scene_from(const char* quoted) {
    static char text[4096];
    assert_true(strlen(quoted) < sizeof text);
    strcpy(text, quoted);
    for (char* c = text; *c; ++c)
        if (*c == '\'') *c = '"';
    return scene_of(text);
}

// Checks that the scene has `errors` errors and `findings` findings, one of which begins so.
static void expect(const char* scene_text, int errors, int findings, const char* start) {
    pli_scene* scene = scene_from(scene_text);
    if (pli_scene_error_count(scene) != errors || pli_scene_finding_count(scene) != findings)
        print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), errors);
    assert_int_equal(pli_scene_finding_count(scene), findings);
    if (start) (void)expect_finding(scene, start);
    pli_scene_destroy(scene);
}

#define SCENE(bodies) "{'dimension': 3, 'contact': {'bodies': false}, 'bodies': [\n" bodies "]}"
#define SHEET(vertices, triangles, energies, rest)                                                 \
    "{'name': 's', 'thickness': 0.001,\n'mesh': {'type': 'data', 'vertices': [" vertices           \
    "], 'triangles': [" triangles "]},\n'energies': [" energies "]" rest "}"
#define SQUARE "[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]"
#define HALVES "[0, 1, 2], [1, 3, 2]"
#define SHELL "{'type': 'shell'}"
#define MEMBRANE "{'type': 'neo-hookean'}"
#define THREAD(energies, rest)                                                                     \
    "{'name': 't', 'mesh': {'type': 'line', 'from': [0, 0, 0], 'to': [1, 0, 0], 'segments': 4},\n" \
    "'energies': [" energies "]" rest "}"
#define ROD "{'type': 'rod', 'radius': 0.01, 'young': 1e6}"

static void sound_bodies_have_no_findings(void** state) {
    (void)state;
    expect(SCENE(SHEET(SQUARE, HALVES, SHELL, "")), 0, 0, NULL);
    expect(SCENE(SHEET(SQUARE, "[0, 1, 2], [1, 2, 3]", SHELL, "")), 0, 0, NULL); // turned
    expect(SCENE(SHEET(SQUARE, HALVES, MEMBRANE ", {'type': 'hinge'}", "")), 0, 0, NULL);
    expect(SCENE(SHEET(SQUARE, HALVES, SHELL ", {'type': 'strain-limit'}, {'type': 'wind'}", "")),
           0, 0, NULL);
    expect(SCENE(SHEET(SQUARE, HALVES, "{'type': 'orthotropic'}, {'type': 'bending'}",
                       ", 'fix': [{'vertices': [0, 1], 'clamped': true}]")),
           0, 0, NULL);
    expect(SCENE(THREAD(ROD, ", 'fix': [{'vertices': [0, 1], 'clamped': true}]")), 0, 0, NULL);
}

static void bad_meshes(void** state) {
    (void)state;
    expect(SCENE(SHEET("[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.5, -1, 0.2], [0.5, 0, 1]",
                       "[0, 1, 2], [1, 0, 3], [0, 1, 4]", SHELL, "")),
           0, 1,
           "scene.json:3:9: warning: body \"s\": 1 of 7 edges have more than two triangles, so "
           "nothing "
           "resists bending there: 0-1; split");
    expect(
        SCENE(SHEET(SQUARE, HALVES ", [3, 2, 1]", SHELL, "")), 0, 1,
        "scene.json:3:9: warning: body \"s\": 1 of 3 triangles have the same vertices as another "
        "one, so mass and stiffness count twice there: remove triangle 2");
    expect(
        SCENE(
            "{'name': 't', 'mesh': {'type': 'data', 'vertices': [[0, 0, 0], [1, 0, 0], [2, 0, 0]],"
            "'segments': [[0, 1], [1, 2], [2, 1]]}, 'energies': [{'type': 'thread'}]}"),
        0, 1,
        "scene.json:2:23: warning: body \"t\": 1 of 3 segments have the same vertices as another");
    // Folds: an error for angles, not for springs.
    expect(
        SCENE(SHEET("[0, 0, 0], [1, 0, 0], [0.5, 0, 1], [0.5, 0, 0.8]", "[0, 1, 2], [1, 0, 3]",
                    MEMBRANE ", {'type': 'hinge'}", "")),
        1, 1,
        "scene.json:3:9: body \"s\": the triangles at 1 of 5 edges are folded onto each other at "
        "rest, where the angle of bending is not defined: 0-1; open");
    expect(SCENE(SHEET("[0, 0, 0], [1, 0, 0], [0.5, 0, 1], [0.5, 0, 0.8]", "[0, 1, 2], [1, 0, 3]",
                       MEMBRANE ", {'type': 'bending-spring'}", "")),
           0, 0, NULL);
    expect(SCENE(SHEET("[0, 0, 0], [1, 0, 0], [0.5, 0, 1], [0.5, 0.01, 0.8]",
                       "[0, 1, 2], [1, 0, 3]", SHELL, "")),
           0, 0, NULL);
}

static void missing_elements(void** state) {
    (void)state;
    expect(SCENE(SHEET(SQUARE, HALVES, SHELL ", " ROD, "")), 1, 1,
           "scene.json:4:33: body \"s\": energy \"rod\" needs segment elements; the mesh has none");
    expect(
        SCENE("{'name': 'b', 'mesh': {'type': 'box', 'size': [1, 1, 1], 'segments': [1, 1, 1]},\n"
              "'energies': [" MEMBRANE ", " SHELL "]}"),
        1, 1,
        "scene.json:3:39: body \"b\": energy \"shell\" needs triangle elements; the mesh has none");
    expect(
        SCENE("{'name': 'b', 'thickness': 0.001, 'mesh': {'type': 'rectangle', 'size': [1, 1], "
              "'segments': [1, 1], 'order': 2},\n'energies': [" SHELL "]}"),
        1, 1,
        "scene.json:3:14: body \"b\": energy \"shell\" needs triangle elements; the mesh has none, "
        "only 6-node triangles: set mesh.order to 1");
}

static void energies_too_few_or_twice(void** state) {
    (void)state;
    expect(
        SCENE(SHEET(SQUARE, HALVES, "{'type': 'bending'}, {'type': 'wind'}", "")), 0, 1,
        "scene.json:4:14: warning: body \"s\": energy \"bending\" resists only bending, so nothing "
        "keeps the triangles in shape: use");
    expect(
        SCENE(SHEET(SQUARE, HALVES, SHELL ", " MEMBRANE, "")), 0, 1,
        "scene.json:4:33: warning: body \"s\": energies \"shell\" and \"neo-hookean\" both resist "
        "stretch of");
    expect(SCENE(SHEET(SQUARE, HALVES, MEMBRANE ", {'type': 'bending'}, {'type': 'hinge'}", "")), 0,
           1,
           "scene.json:4:60: warning: body \"s\": energies \"bending\" and \"hinge\" both resist "
           "bending of");
    expect(
        SCENE(THREAD(ROD ", {'type': 'thread'}", "")), 0, 1,
        "scene.json:3:61: warning: body \"t\": energies \"rod\" and \"thread\" both resist stretch "
        "and bending of");
}

static void clamps_without_effect(void** state) {
    (void)state;
    expect(
        SCENE(SHEET(SQUARE, HALVES, MEMBRANE, ",\n'fix': [{'vertices': [0, 1], 'clamped': true}]")),
        0, 1, "scene.json:5:41: warning: body \"s\": clamped is not used, because only \"shell\"");
    expect(
        SCENE(THREAD(ROD, ",\n'fix': [{'vertices': [0], 'clamped': true}]")), 0, 1,
        "scene.json:4:38: warning: body \"t\": clamped is not used, because no edge has both its "
        "ends selected");
}

static void thick_bodies(void** state) {
    (void)state;
    expect(
        SCENE(SHEET(SQUARE, HALVES, "{'type': 'shell', 'thickness': 2}", "")), 0, 1,
        "scene.json:4:14: warning: body \"s\": energy \"shell\" is 2 m thick, and the whole body "
        "1.41 m long: it is for thin bodies");
    expect(SCENE(THREAD("{'type': 'rod', 'radius': 10, 'young': 1e6}", "")), 0, 1,
           "scene.json:3:14: warning: body \"t\": energy \"rod\" is 17.7 m thick");
}

// Vertices are numbered in their body, also in the second one.
static void stencils_are_named(void** state) {
    (void)state;
    expect(SCENE(SHEET(
               SQUARE, HALVES, SHELL,
               "") ", {'name': 'u',\n'energies': [{'type': 'thread'}],"
                   "'mesh': {'type': 'line', 'from': [0, 1, 0], 'to': [1, 1, 0], 'segments': 4}, "
                   "'initial': ['abs(x - 0.5)', 'y', 'z']}"),
           1, 1,
           "scene.json:4:35: body \"u\": invalid state for energy \"thread\": stencil 5 (vertices "
           "1, 2, "
           "3): it is");
    expect(SCENE(THREAD(ROD, "") ",\n" SHEET("[0, 0, 0], [1, 0, 0], [0.5, 0.5, 1], [0.5, 0.5, -1]",
                                             "[0, 1, 2], [1, 0, 3]",
                                             MEMBRANE ", {'type': 'quadratic-bending'}", "")),
           1, 1,
           "scene.json:6:39: body \"s\": stencil 0 (vertices 2, 0, 1, 3): the sheet is not flat at "
           "rest: angle 0.927");
}

static void spacing_too_small(void** state) {
    (void)state;
    expect(
        SCENE("{'name': 't', 'mesh': {'type': 'polyline', 'spacing': 1e-9, 'points': [[0, 0, 0], "
              "[1, 0, 0]]}, 'energies': [" ROD "]}"),
        1, 1, "scene.json:1:58: 1e+09 vertices need about 2.42 TB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_bodies_have_no_findings),
        cmocka_unit_test(bad_meshes),
        cmocka_unit_test(missing_elements),
        cmocka_unit_test(energies_too_few_or_twice),
        cmocka_unit_test(clamps_without_effect),
        cmocka_unit_test(thick_bodies),
        cmocka_unit_test(stencils_are_named),
        cmocka_unit_test(spacing_too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
