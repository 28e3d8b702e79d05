// The key "pattern": panels from texture coordinates and from another file, what is reported; seams
// along boundaries.
#include "scene/support.h"

#include <math.h>
#include <unistd.h>

// Two triangles, a square of side 0.1 in space; texture coordinates of side 0.5.
#define SHAPE "v 0 0 0\nv 0.1 0 0\nv 0.1 0 0.1\nv 0 0 0.1\n"
#define UV "vt 0 0\nvt 0.5 0\nvt 0.5 0.5\nvt 0 0.5\n"
#define FACES "f 1/1 2/2 3/3\nf 1/1/1 3/3/1 4/4/1\n"

static void write_file(const char* name, const char* text) {
    FILE* out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static pli_scene* sheet_of(const char* mesh, const char* panels, const char* more) {
    char name[64], other[64], text[900];
    snprintf(name, sizeof name, "/tmp/pliant_test_pattern_%d.obj", (int)getpid());
    snprintf(other, sizeof other, "/tmp/pliant_test_panels_%d.obj", (int)getpid());
    write_file(name, mesh);
    if (panels) write_file(other, panels);
    snprintf(
        text, sizeof text,
        "{\"dimension\": 3, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"s\", "
        "\"thickness\": 0.001, \"energies\": [{\"type\": \"neo-hookean\"}], \"mesh\": {\"type\": "
        "\"file\", \"path\": \"%s\"},\n\"pattern\": \"%s\"%s}]}",
        name, panels ? other : "uv", more);
    pli_scene* scene = scene_of(text);
    remove(name);
    if (panels) remove(other);
    return scene;
}

static void expect_stretches(pli_scene* scene, double a, double b) {
    if (pli_scene_finding_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_finding_count(scene), 0);
    double stretches[6];
    pli_world_element_fields(pli_scene_world(scene), PLI_TRIANGLE,
                             &(pli_element_fields){.stretches = stretches});
    for (int t = 0; t < 2; ++t) {
        assert_true(fabs(stretches[3 * t] - a) < 1e-12);
        assert_true(fabs(stretches[3 * t + 1] - b) < 1e-12);
    }
    pli_scene_destroy(scene);
}

static void patterns(void** state) {
    (void)state;
    expect_stretches(sheet_of(SHAPE UV FACES, NULL, ", \"pattern_scale\": 0.2"), 1, 1);
    expect_stretches(sheet_of(SHAPE UV FACES, NULL, ", \"pattern_scale\": 0.25"), 0.8, 0.8);
    expect_stretches(
        sheet_of(SHAPE UV FACES, NULL, ", \"pattern_scale\": 0.2, \"rest_scale\": 0.5"), 2, 2);
    // A mirrored body swaps corners of its triangles: its pattern is not a square.
    const char* panels = "v 0 0 9\nv 0.2 0 9\nv 0.2 0.1 9\nv 0 0.1 9\nf 1 2 3\nf 1 3 4\n";
    expect_stretches(sheet_of(SHAPE FACES, panels, ""), 1, 0.5);
    expect_stretches(sheet_of(SHAPE FACES, panels, ", \"scale\": [-1, 1, 1]"), 1, 0.5);
}

static void bad_patterns(void** state) {
    (void)state;
    static const struct {
        const char *mesh, *panels, *finding;
    } rows[] = {
        {SHAPE FACES, NULL, "scene.json:2:12: body \"s\": "}, // no texture coordinates
        {SHAPE UV "f 1/1 2/2 3/3 4/4\n", NULL, "scene.json:2:12: body \"s\": "}, // four corners
        {SHAPE UV "f 1/1 2/2 3\nf 1 3 4\n", NULL, "scene.json:2:12: body \"s\": "},
        {SHAPE UV "f 1/1 2/2 3/3\nf 1/1 3/3 4/3\n", NULL,
         "scene.json:2:12: body \"s\": 1 of 2 triangles have no area in the pattern: 1"},
        {SHAPE FACES, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
         "scene.json:2:12: body \"s\": the pattern has 1 triangles and the mesh 2"},
        {SHAPE FACES, "v 0 0 0\nv .1 0 0\nv .1 .1 0\nv .2 0 0\nf 1 2 3\nf 2 3 4\nf 1 2 4\n",
         "scene.json:2:12: body \"s\": the pattern has 3 triangles and the mesh 2"},
        {SHAPE "v 1 1 1\n" FACES "f 2 5 3\n",
         "v 0 0 0\nv .1 0 0\nv .1 .1 0\nv 0 .1 0\nf 1 2 3\nf 1 3 4\nf 1 3 2\n",
         "scene.json:2:12: warning: body \"s\": 1 of 3 triangles are mirrored in the pattern "
         "against "
         "the others: 2"},
        {SHAPE UV FACES, NULL,
         "scene.json:2:12: warning: body \"s\": the pattern has an area of 0.25 m^2 and the mesh "
         "0.01 "
         "m^2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pli_scene* scene = sheet_of(rows[i].mesh, rows[i].panels, "");
        expect_finding(scene, rows[i].finding);
        pli_scene_destroy(scene);
    }
    pli_scene* scene = scene_of(
        "{\"dimension\": 3, \"bodies\": [{\"name\": \"s\", \"thickness\": 1, \"mesh\": {\"type\": "
        "\"rectangle\", \"size\": [1, 1], \"segments\": [1, 1]},\n\"pattern\": \"uv\", "
        "\"energies\": [{\"type\": \"arap\"}]}]}");
    expect_finding(scene, "scene.json:2:12: body \"s\": \"uv\" takes the texture coordinates");
    pli_scene_destroy(scene);
}

// By formulas of the mesh before it is placed; a mirrored placement changes nothing.
static void patterns_by_formulas(void** state) {
    (void)state;
    static const char* const more[] = {"", ", \"scale\": [-1, 1, 1]", ", \"rest_scale\": 0.5"};
    for (int i = 0; i < 4; ++i) {
        char text[700];
        snprintf(text, sizeof text,
                 "{\"dimension\": 3, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"s\", "
                 "\"thickness\": 0.001, \"energies\": [{\"type\": \"neo-hookean\"}], \"mesh\": "
                 "{\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [1, 1]}, \"map\": "
                 "[\"2 * x\", 0, \"y\"],\n\"pattern_map\": [\"y\", \"-2 * x\"]%s}]}",
                 i < 3 ? more[i] : ", \"pattern\": \"p.obj\"");
        pli_scene* scene = scene_of(text);
        if (i < 3) {
            expect_stretches(scene, i == 2 ? 2 : 1, i == 2 ? 2 : 1);
            continue;
        }
        expect_finding(scene, "scene.json:2:16: body \"s\": pattern and pattern_map are both given");
        pli_scene_destroy(scene);
    }
}

// ---- seams

#define PANEL(name, cells, more)                                                                   \
    "{\"name\": \"" name "\", \"thickness\": 0.001, \"energies\": [{\"type\": \"neo-hookean\"}], " \
    "\"mesh\": {\"type\": \"rectangle\", \"size\": [0.4, 0.4], \"segments\": [4, " cells "]}" more \
    "}"
#define SEAM(one, other, more)                                                                     \
    "], \"stencils\": [{\"type\": \"seam\", \"close\": 0.1, \"stiffness\": 200, " more             \
    "\n\"between\": [" one ", " other "]}]}"
#define HEAD                                                                                       \
    "{\"dimension\": 3, \"gravity\": [0, 0, 0], \"time\": {\"step\": 0.02}, \"contact\": "         \
    "{\"dhat\": "                                                                                  \
    "0.002}, \"bodies\": ["

// Two panels side by side, the second turned around: its left side numbers vertices the other way.
// After a second the seam is closed up to the distance where contact begins.
static void seam_closes(void** state) {
    (void)state;
    static const char* const pairings[] = {"along", "nearest"};
    for (int k = 0; k < 2; ++k) {
        char text[1600];
        snprintf(text, sizeof text,
                 HEAD PANEL("a", "4", "") ", " PANEL(
                     "b", "4",
                     ", \"translate\": [0.5, 0, 0], \"rotate\": [0, 0, 180], \"mass_damping\": 20")
                     SEAM("{\"body\": \"a\", \"group\": \"right\"}",
                          "{\"body\": \"b\", \"group\": \"right\"}", "\"pairing\": \"%s\","),
                 pairings[k]);
        pli_scene* scene = scene_of(text);
        if (pli_scene_finding_count(scene) > 0) print_findings(scene);
        assert_int_equal(pli_scene_error_count(scene), 0);
        pli_world* world = pli_scene_world(scene);
        pli_error error = {0};
        for (int i = 0; i < 50; ++i) {
            pli_step_info info;
            assert_int_equal(pli_world_step(world, &info, &error), PLI_OK);
            assert_true(info.kept);
        }
        const double* x = pli_world_positions(world);
        int right[2][5], count[2] = {0};
        for (int v = 0; v < 50; ++v) { // the vertices that face each other
            double at = pli_world_rest_positions(world)[3 * v];
            if (fabs(at - 0.2) < 1e-9 || fabs(at - 0.3) < 1e-9) right[v / 25][count[v / 25]++] = v;
        }
        assert_true(count[0] == 5 && count[1] == 5);
        for (int i = 0; i < 5; ++i) {
            double least = HUGE_VAL;
            for (int j = 0; j < 5; ++j) {
                const double *p = x + 3 * right[0][i], *q = x + 3 * right[1][j];
                least = fmin(least, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
            }
            assert_true(least > 0.0015 &&
                        least < 0.0025); // dhat = 0.002, the sheets swing a little
        }
        pli_scene_destroy(scene);
    }
}

static void bad_seams(void** state) {
    (void)state;
    pli_scene* scene =
        scene_of(HEAD PANEL("a", "4", "") ", " PANEL("b", "6", ", \"translate\": [0.5, 0, 0]")
                     SEAM("{\"body\": \"a\", \"group\": \"right\"}",
                          "{\"body\": \"b\", \"group\": \"left\"}", "\"pairing\": \"along\","));
    expect_finding(scene,
                   "scene.json:2:12: the boundaries are open with 5 vertices (0.4 m) and open "
                   "with 7 (0.4 m)");
    pli_scene_destroy(scene);
    scene = scene_of(HEAD PANEL("a", "4", "") SEAM("{\"body\": \"a\", \"group\": \"right\"}",
                                                   "{\"body\": \"a\", \"group\": \"right\"}",
                                                   "\"pairing\": \"order\","));
    expect_finding(scene,
                   "scene.json:2:12: vertex 20 of body \"a\" would be connected with itself");
    pli_scene_destroy(scene);
    scene = scene_of(HEAD PANEL("a", "4", "") SEAM("{\"body\": \"a\", \"group\": \"right\"}",
                                                   "{\"body\": \"a\", \"vertices\": [0, 2]}",
                                                   "\"pairing\": \"along\","));
    expect_finding(scene, "scene.json:2:");
    pli_scene_destroy(scene);
    scene = scene_of(HEAD PANEL("a", "4", "") SEAM("{\"body\": \"a\"}", "{\"body\": \"a\"}",
                                                   "\"pairs\": [[0, 4], [20, 99]],"));
    expect_finding(scene, "scene.json:1:");
    assert_int_equal(pli_scene_error_count(scene), 1);
    pli_scene_destroy(scene);
    scene = scene_of(HEAD PANEL("a", "4", "") SEAM("{\"body\": \"a\"}", "{\"body\": \"a\"}",
                                                   "\"pairs\": [[0, 4], [20, 24]],"));
    assert_int_equal(pli_scene_error_count(scene), 0); // within one body
    pli_scene_destroy(scene);
    scene = scene_of(HEAD PANEL("a", "4", "") ", " PANEL("b", "8", ", \"translate\": [0.5, 0, 0]")
                         SEAM("{\"body\": \"a\", \"group\": \"right\"}",
                              "{\"body\": \"b\", \"group\": \"left\"}", ""));
    expect_finding(scene, "scene.json:1:");
    assert_int_equal(pli_scene_error_count(scene), 0);
    bool told = false;
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        told = told || strstr(pli_scene_finding(scene, i)->message,
                              "4 of 9 selected vertices of body \"b\" get no stitch");
    assert_true(told);
    pli_scene_destroy(scene);
}

// A membrane without a thickness of its own, and a sheet of 6-node triangles.
static void sheets_are_checked(void** state) {
    (void)state;
    pli_scene* scene = scene_of(
        "{\"dimension\": 3, \"bodies\": [{\"name\": \"s\", \"mesh\": {\"type\": \"rectangle\", "
        "\"size\": [1, 1], \"segments\": [1, 1]}, \"energies\": [{\"type\": \"arap\"}]}]}");
    expect_finding(scene,
                   "scene.json:1:29: warning: body \"s\": energy \"arap\" and the mass of its "
                   "sheet use thickness = 1 m of the scene");
    pli_scene_destroy(scene);
    scene = scene_of(
        "{\"dimension\": 3, \"bodies\": [{\"name\": \"s\", \"mesh\": {\"type\": \"rectangle\", "
        "\"size\": [1, 1], \"segments\": [1, 1], \"order\": 2}, \"energies\": [{\"type\": "
        "\"arap\"}]}]}");
    expect_finding(scene,
                   "scene.json:1:135: body \"s\": energy \"arap\" needs triangle or tetrahedron");
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),           cmocka_unit_test(bad_patterns),
        cmocka_unit_test(patterns_by_formulas), cmocka_unit_test(seam_closes),        cmocka_unit_test(bad_seams),
        cmocka_unit_test(sheets_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
