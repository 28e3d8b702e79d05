// Everything wrong is found at once, with its place: errors beside errors, bodies that lie in each
// other, steps that cannot be; and calls that make no sense are refused.
#include "support.h"

#include <math.h>

// Texts are written with ' for ".
static pli_scene* scene_from(const char* quoted) {
    static char text[4096];
    assert_true(strlen(quoted) < sizeof text);
    strcpy(text, quoted);
    for (char* c = text; *c; ++c)
        if (*c == '\'') *c = '"';
    return scene_of(text);
}

static void expect_count(const pli_scene* scene, int errors, int findings) {
    if (pli_scene_error_count(scene) != errors || pli_scene_finding_count(scene) != findings)
        print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), errors);
    assert_int_equal(pli_scene_finding_count(scene), findings);
}

#define ENERGY "'energies': [{'type': 'neo-hookean'}]"
#define BLOCK(name, rest)                                                                          \
    "{'name': '" name                                                                              \
    "', 'mesh': {'type': 'rectangle', 'size': [1, 1], 'segments': [2, 2]}, " ENERGY rest "}"

static void errors_beside_errors(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'bodies': [{'name': 'b', 'mesh': {'type': 'data', 'vertices': "
                                  "[[0, 0], [1, 0], [0, 1]], 'triangles':\n[[0, 1, 3],\n[0, -1, "
                                  "2],\n[0, 7, 1]]}, " ENERGY "}]}");
    expect_finding(scene, "scene.json:2:9: body \"b\": mesh.triangles[0][2] = 3, must be a vertex");
    expect_finding(scene, "scene.json:3:5: body \"b\": mesh.triangles[1][1] = -1, must be >= 0");
    expect_finding(scene, "scene.json:4:5: body \"b\": mesh.triangles[2][1] = 7, must be a vertex");
    expect_count(scene, 3, 3);
    pli_scene_destroy(scene);
    // What only follows from an error is not reported.
    scene = scene_from("{'bodies': [{'name': 'b', 'mesh': {'type': 'data', 'triangles': [[0, 1, "
                       "2]]}}, {'mesh': {'type': 'rectangle', 'size': [1, 1], 'segments': [0, 2]}, "
                       "'energies': 3, 'fix': [{'box': [['a', 5], [1, 1]]}]}]}");
    expect_finding(scene, "scene.json:1:35: body \"b\": mesh.vertices is missing");
    expect_finding(scene, "scene.json:1:140: bodies[1]: mesh.segments[0] = 0, must be >= 1");
    expect_finding(scene, "scene.json:1:160: bodies[1]: energies = 3, must be a list");
    expect_finding(scene, "scene.json:1:181: bodies[1]: fix[0].box[0][0] = \"a\"");
    expect_count(scene, 4, 4);
    pli_scene_destroy(scene);
    scene = scene_from("{'bodies': [" BLOCK("b",
                                            ",\n'density': -5, 'scale': [0, 1], 'order': 9,\n"
                                            "'fix': [{'vertices': [0, 9, 0, 10]}, {'box': [[8, 8], "
                                            "[9, 9]]}]") "]}");
    expect_finding(scene, "scene.json:2:12: body \"b\": density = -5 kg/m^3, must be > 0");
    expect_finding(scene, "scene.json:2:25: body \"b\": scale along x = 0");
    expect_finding(scene, "scene.json:2:42: body \"b\": order = 9");
    expect_finding(scene, "scene.json:3:26: body \"b\": vertex 9 does not");
    expect_finding(scene, "scene.json:3:29: body \"b\": vertex 0 is listed twice");
    expect_finding(scene, "scene.json:3:32: body \"b\": vertex 10 does not exist");
    expect_count(scene, 6, 6); // where the box is depends on the scale
    pli_scene_destroy(scene);
}

// An error of one body does not hide where another one is.
static void obstacles_beside_errors(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'bodies': [" BLOCK("a", ", 'density': 0") ",\n" BLOCK(
        "b", ", 'translate': [0.5, 0.5]") "],\n'obstacles': [{'type': 'half-space'}]}");
    expect_finding(scene, "scene.json:1:144: body \"a\": density = 0");
    expect_finding(scene, "scene.json:1:13: body \"a\": at t = 0, 6 of its vertices are inside");
    expect_finding(scene, "scene.json:2:1: body \"b\": at t = 0, 3 of its vertices are inside");
    const pli_finding* f = expect_finding(scene, "scene.json:1:13: body \"a\": at t = 0, its ");
    assert_non_null(strstr(f->message, "of body \"b\" at ("));
    assert_true(pli_scene_error_count(scene) >= 4); // corners that touch do so in many pairs
    pli_scene_destroy(scene);
}

static void axes_of_the_plane(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'dimension': 2, 'bodies': [" BLOCK(
        "b", ",\n'fix': [{'vertices': [0], 'axes': ['x', 'z']}, "
             "{'vertices': [1], 'axes': ['y']}]") "]}");
    expect_finding(
        scene, "scene.json:2:41: body \"b\": fix[0].axes[1] = \"z\", must be \"x\" or \"y\" in a");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
}

#define BOX "'mesh': {'type': 'box', 'size': [1, 1, 1], 'segments': [1, 1, 1]}, " ENERGY

// Of a scene in space without its dimension: one error that says so, beside those that remain.
static void a_missing_dimension(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'gravity':\n[0, -9.81, 0], 'bodies': [{'name': 'a', " BOX
                                  ", 'translate': [0, 1, 0]}, {'name': 'b', " BOX
                                  ", 'translate': [0, 3, 0], 'rotate': [10, 0, 0]}],\n"
                                  "'obstacles': [{'type': 'half-space', 'normal': [0, 1, 0]}]}");
    expect_finding(scene, "scene.json:2:1: \"dimension\": 3 is missing, so the scene is");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
    scene = scene_from("{'bodies': [{'name': 'a', 'density':\n-5, " BOX
                       ",\n'velocity': [0, 1, 0], 'translate': [0, 1, 0]}]}");
    expect_finding(scene, "scene.json:3:37: \"dimension\": 3 is missing");
    expect_finding(scene, "scene.json:2:1: body \"a\": density = -5 kg/m^3, must be > 0");
    expect_count(scene, 2, 2);
    pli_scene_destroy(scene);
    scene =
        scene_from("{'time': {'step': -1}, 'bodies': [{'name': 'a',\n'translate': [0, 1, 0], " BOX
                   "}]}"); // what is wrong in space too is no example
    expect_finding(scene, "scene.json:2:14: \"dimension\": 3 is missing, so the scene is");
    expect_finding(scene, "scene.json:1:19: time.step = -1 s");
    expect_count(scene, 2, 2);
    pli_scene_destroy(scene);
    scene = scene_from("{'bodies': [{'name': 'a',\n" BOX "}, {'name': 'b', " BOX "}]}");
    expect_finding(scene, "scene.json:2:9: body \"a\": the mesh has tetrahedra, but the scene is");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
    // A plane scene with a wrong vector among right ones stays one.
    scene = scene_from("{'gravity': [0, -9.81], 'bodies': [" BLOCK(
        "b", ", 'translate': [1, 2],\n'velocity': [0, 0, 1]") "]}");
    expect_finding(scene,
                   "scene.json:2:13: body \"b\": velocity is a list of 3, must be two numbers");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
}

static void polynomials_need_vertices(void** state) {
    (void)state;
    pli_scene* scene =
        scene_from("{'bodies': [" BLOCK("b", ",\n'kinematics': 'polynomial', 'order': 3") "]}");
    // 3 x 3 vertices: x^3 is x and y^3 is y there, and that leaves 8 of 10 monomials
    expect_finding(
        scene, "scene.json:2:38: body \"b\": order = 3 has 10 coefficients per coordinate, but");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
    scene = scene_from("{'bodies': [" BLOCK("b", ", 'kinematics': 'polynomial', 'order': 2") "]}");
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
}

#define SHEET(energies)                                                                            \
    "{'bodies': [{'name': 's', 'mesh': {'type': 'rectangle', 'size': [1, 1], 'segments': [2, "     \
    "2]}, 'energies': [\n" energies "]}]}"

static void plane_stress_beside_solids(void** state) {
    (void)state;
    pli_scene* scene = scene_from(
        SHEET("{'type': 'linear', 'plane_stress': 1}, {'type': 'gravity'}, {'type': 'viscosity'}"));
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
    scene = scene_from(SHEET("{'type': 'linear', 'plane_stress': 1},\n{'type': 'volume'}"));
    expect_finding(scene, "scene.json:2:36: body \"s\": plane_stress of energy \"linear\"");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
    scene = scene_from(SHEET("{'type': 'linear', 'plane_stress': 1},\n"
                             "{'type': 'neo-hookean', 'plane_stress': 1}"));
    expect_finding(scene, "scene.json:3:41: body \"s\": plane_stress of energy \"neo-hookean\"");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
}

static void keys_without_effect(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'bodies': [" BLOCK("b", ",\n'order': 2") "]}");
    expect_finding(
        scene,
        "scene.json:2:10: warning: body \"b\": order is not used, because kinematics is \"free\";");
    expect_count(scene, 0, 1);
    pli_scene_destroy(scene);
    static const char motion[] =
        "{'analysis': '%s', 'bodies': [" BLOCK("b", ",\n'fix': [{'group': 'left'}], "
                                                    "'velocity': [%s, 0], 'spin': %s") "]}";
    char text[800];
    snprintf(text, sizeof text, motion, "static", "1", "2");
    scene = scene_from(text);
    expect_finding(scene, "scene.json:2:41: warning: body \"b\": velocity is not used, because "
                          "there is no inertia in a static analysis");
    expect_finding(scene, "scene.json:2:57: warning: body \"b\": spin is not used");
    expect_count(scene, 0, 2);
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, motion, "quasi-static", "1", "0");
    scene = scene_from(text);
    expect_finding(scene, "scene.json:2:41: warning: body \"b\": velocity is not used, because "
                          "there is no inertia in a quasi-static analysis");
    expect_count(scene, 0, 1);
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, motion, "static", "0", "0");
    scene = scene_from(text);
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, motion, "dynamic", "1", "2");
    scene = scene_from(text);
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
}

static void ranges(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'time': {'step': 1e-6,\n'duration': 1e9}, 'output': "
                                  "{'preview_frames': 61}, 'solver': {'linear_tolerance': 1}, "
                                  "'bodies': [" BLOCK("b", "") "]}");
    expect_finding(scene, "scene.json:2:13: time.duration");
    expect_finding(scene, "scene.json:2:48: output.preview_frames = 61, must be >= 0 and <= 60");
    expect_finding(scene, "scene.json:2:84: solver.linear_tolerance = 1, must be >= 0 and < 1");
    expect_count(scene, 3, 3);
    pli_scene_destroy(scene);
    scene = scene_from("{'time': {'step': 1e-6, 'duration': 1e9}, 'bodies': [" BLOCK("b", "") "]}");
    expect_finding(scene, "scene.json:1:37: time.duration");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
    scene = scene_from("{'time': {'step': 1e-6, 'duration': 1e3}, 'bodies': [" BLOCK("b", "") "]}");
    expect_count(scene, 0, 0);
    assert_int_equal(pli_scene_run(scene)->steps, 1000000000);
    pli_scene_destroy(scene);
}

static void bodies_in_each_other(void** state) {
    (void)state;
    pli_scene* scene = scene_from(
        "{'bodies': [" BLOCK("b", "") ",\n" BLOCK("c", ", 'translate': [0.3, 0.2]") "]}");
    expect_finding(scene, "scene.json:1:13: body \"b\": at t = 0, its edge 5-2 crosses edge 2-1 of "
                          "body \"c\" at (-0.2, 0.5) (and");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
    scene = scene_from(
        "{'bodies': [" BLOCK("b", "") ",\n" BLOCK("c", ", 'scale': [0.3, 0.3]") ",\n" BLOCK(
            "d", ", 'translate': [5, 0]") ",\n" BLOCK("e", ", 'translate': [5.1, 0.1], 'scale': "
                                                           "[0.1, 0.1]") "]}");
    expect_finding(scene, "scene.json:2:1: body \"c\": at t = 0, it");
    expect_finding(scene, "scene.json:4:1: body \"e\": at t = 0, it");
    expect_count(scene, 2, 2);
    pli_scene_destroy(scene);
    // Where bodies do not touch each other they may lie anywhere.
    scene = scene_from("{'contact': {'bodies': false}, 'bodies': [" BLOCK("b", "") "," BLOCK(
        "c", ", 'scale': [0.3, 0.3]") "]}");
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
    scene = scene_from("{'bodies': [" BLOCK("b", "") "," BLOCK(
        "c", ", 'scale': [0.3, 0.3], 'contact_bodies': false") "]}");
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
}

// A square with a square hole and another square in the hole: nothing is inside anything. Moved
// over, two parts of one body are.
static void holes_are_free(void** state) {
    (void)state;
    static const char frame[] =
        "{'bodies': [{'name': 'frame', 'mesh': {'type': 'data', 'vertices': [[0,0],[3,0],[3,3],"
        "[0,3],[1,1],[2,1],[2,2],[1,2],[%s,1.2],[%s,1.2],[%s,1.8]], 'triangles': [[0,1,5],[0,5,4],"
        "[1,2,6],[1,6,5],[2,3,7],[2,7,6],[3,0,4],[3,4,7],[8,9,10]]}, " ENERGY "}]}";
    char text[800];
    snprintf(text, sizeof text, frame, "1.2", "1.8", "1.5");
    pli_scene* scene = scene_from(text);
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, frame, "0.1", "0.7", "0.4");
    scene = scene_from(text);
    expect_finding(scene, "scene.json:1:13: body \"frame\": at t = 0, it");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
}

// With dhat left to the world: 1e-3 of the diagonal of the smallest body, 1.4e-3 m here.
static void dhat_by_default(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'bodies': [" BLOCK(
        "b", "") ",\n{'name': 'thin', 'translate': [0, 5], 'mesh': "
                 "{'type': 'rectangle', 'size': [2, 0.001], 'segments': [2, 1]}, " ENERGY "}]}");
    expect_finding(scene, "scene.json:2:1: warning: body \"thin\": at rest, 8 pairs of its own "
                          "parts are closer than contact.dhat (0.00141 m), so it repels itself");
    expect_count(scene, 0, 1);
    pli_scene_destroy(scene);
}

// In the plane threads and points have contact like outlines of triangles; a vertex that carries a
// half-space has none.
static void ropes_have_contact(void** state) {
    (void)state;
#define ROPE(y, rest)                                                                              \
    "{'name': 'rope', 'mesh': {'type': 'line', 'from': [-0.7, " y "], 'to': [0.7, " y "]}, "       \
    "'vertex_mass': 1, 'energies': [{'type': 'hooke'}]" rest "}"
#define KITE(x, y)                                                                                 \
    "{'name': 'kite', 'vertex_mass': 1, 'mesh': {'type': 'data', 'vertices': [[-6, 0.1], [-5, "    \
    "0.1], [-5, 1], [" x ", " y "]], 'triangles': [[0, 1, 2]], 'segments': [[0, 1], [1, 3]]}, "    \
    "'energies': [{'type': 'neo-hookean'}, {'type': 'spring'}]}"
    static const char* const bad[][2] = {
        {"{'bodies': [" BLOCK("b", "") ",\n" ROPE("0.1", "") "]}", "of body \"rope\""},
        {"{'obstacles': [{'type': 'sphere', 'center': [0.01, 0], 'radius': 0.2}], 'bodies': "
         "[\n" ROPE("0.1", "") "]}",
         "overlaps"},
        {"{'bodies': [" BLOCK("b", "") ", {'name': 'p', 'vertex_mass': 1, 'mesh': {'type': "
                                       "'point'}, 'translate': [0.1, 0.2]}]}",
         "is inside"},
        {"{'bodies': [" BLOCK("b", "") "," KITE("3", "0.1") "]}", "of body \"kite\""},
    };
    static const char* const fine[] = {
        "{'bodies': [" BLOCK("b", "") "," ROPE("2", "") "]}",
        "{'bodies': [" BLOCK("b", "") "," ROPE("0.1", ", 'contact_bodies': false") "]}",
        "{'bodies': [" BLOCK("b", ", 'contact_bodies': false") "," ROPE("0.1", "") "]}",
        "{'bodies': [" BLOCK("b", "") "," ROPE("0.1", "") "], 'contact': {'bodies': false}}",
        "{'bodies': [" BLOCK("b", "") "," ROPE("0.1", "") "], 'contact': {'exclude': [['rope', "
                                                          "'b']]}}",
        "{'bodies': [" BLOCK("b", "") "," KITE("-3", "0.1") "]}",
        // two points at one place, but the half-space touches for them
        "{'bodies': [" BLOCK(
            "b", "") ", {'name': 'p', 'vertex_mass': 1, 'mesh': {'type': 'point'}, 'translate': "
                     "[0, 2]}, {'name': 'q', 'vertex_mass': 1, 'mesh': {'type': 'point'}, "
                     "'translate': [0, 2]}], 'obstacles': [{'type': 'half-space', 'carrier': 'p', "
                     "'normal': [0, -1]}, {'type': 'half-space', 'carrier': 'q', 'normal': [0, "
                     "-1]}], 'contact': {'exclude': [['p', '*'], ['q', '*']]}}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        pli_scene* scene = scene_from(bad[i][0]);
        assert_int_equal(pli_scene_error_count(scene), 1);
        bool found = false;
        for (int k = 0; k < pli_scene_finding_count(scene); ++k)
            found = found || strstr(pli_scene_finding(scene, k)->message, bad[i][1]);
        if (!found) fail_msg("%s: %s", bad[i][0], pli_scene_finding(scene, 0)->message);
        pli_scene_destroy(scene);
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; ++i) {
        pli_scene* scene = scene_from(fine[i]);
        expect_count(scene, 0, 0);
        pli_scene_destroy(scene);
    }
}

// A surface that is far away from all of its mesh; one a little thicker than its edges is fine.
static void absurd_thickness(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'bodies': [\n" BLOCK("b", ", 'contact_thickness': 8") "]}");
    expect_finding(scene, "scene.json:2:1: warning: body \"b\": contact_thickness is 8 m, 11.3 "
                          "times its longest edge of 0.707 m: ");
    expect_count(scene, 0, 1);
    pli_scene_destroy(scene);
    scene = scene_from("{'bodies': [" BLOCK("b", ", 'contact_thickness': 2") "]}");
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
}

static void fast_bodies(void** state) {
    (void)state;
    static const char scene_text[] = "{'bodies': [" BLOCK("b", ", 'velocity': [%s, 0]") "%s]}";
    char text[800];
    snprintf(text, sizeof text, scene_text, "150", "," BLOCK("c", ", 'translate': [9, 0]"));
    pli_scene* scene = scene_from(text);
    expect_finding(scene, "scene.json:1:13: warning: body \"b\": it moves 1.5 m in one step, more "
                          "than its size of 1.41 m");
    expect_count(scene, 0, 1);
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, scene_text, "140", "," BLOCK("c", ", 'translate': [9, 0]"));
    scene = scene_from(text);
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, scene_text, "150", ""); // nothing to slip around
    scene = scene_from(text);
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
}

// What a scene writes does not reach the terminal as it is.
static void messages_are_printable(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'\\u001b[31mkey\\n': 1, 'bodies': [{'name': 'a\\u009b\\r', "
                                  "'mesh': {'type': 'x\\u0007'}, 'density': 0}]}");
    expect_finding(scene, "scene.json:1:2: unknown key \"?[31mkey?\"");
    expect_finding(scene, "scene.json:1:97: body \"a??\": density = 0");
    expect_finding(scene, "scene.json:1:74: body \"a??\": mesh.type = \"x?\", must be one of");
    pli_scene_destroy(scene);
}

static void near_words(void** state) {
    (void)state;
    pli_scene* scene =
        scene_from("{'bodys': [], 'kkkkkkkk': 1, 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
                   "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk': 2, 'q': 3}");
    expect_finding(scene, "scene.json:1:2: unknown key \"bodys\", did you mean \"bodies\"?");
    expect_finding(scene, "scene.json:1:15: unknown key \"kkkkkkkk\"; known here: ");
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        const char* message = pli_scene_finding(scene, i)->message;
        assert_true(strstr(message, "bodys") || !strstr(message, "did you mean"));
    }
    pli_scene_destroy(scene);
}

static void expect_end(const char* text, const char* end) {
    size_t length = strlen(text);
    if (length < strlen(end) || strcmp(text + length - strlen(end), end) != 0) fail_msg("%s", text);
}

// Lists of what is known are whole, or end so that it shows.
static void lists_of_words(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'bodies': [" BLOCK("b", ",\n'supports': []") "]}");
    const pli_finding* f = expect_finding(
        scene, "scene.json:2:1: body \"b\": unknown key \"supports\"; known here: \"name\", ");
    assert_non_null(strstr(f->message, "\"repeat\", "));
    expect_end(f->message, ", \"energies\", \"fix\", \"prescribe\", \"loads\"");
    pli_scene_destroy(scene);
    scene = scene_from(
        "{'bodies': [" BLOCK("a name that is long and leaves no room for the list of all keys",
                             ",\n'supports of this body, which holds them all together': []") "]}");
    f = expect_finding(scene, "scene.json:2:1: body \"a name");
    expect_end(f->message, "...");
    pli_scene_destroy(scene);
}

static void misuse(void** state) {
    (void)state;
    pli_scene* scene = NULL;
    pli_error error = {0};
    pli_scene_def def = pli_default_scene_def();
    assert_int_equal(pli_scene_create(NULL, &scene, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_E_ARGUMENT);
    def.text = SQUARE_SCENE;
    assert_int_equal(pli_scene_create(&def, NULL, &error), PLI_E_ARGUMENT);
    const char* nothing[1] = {NULL};
    def.override_count = 1;
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_E_ARGUMENT);
    def.overrides = nothing;
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "override 0 is NULL"));
    def.override_count = -1;
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_E_ARGUMENT);
    def.override_count = 0;
    def.energy_type_count = 1;
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "energy_types is NULL"));
    assert_null(scene);
}

// Far from the origin a tiny dhat drowns in the rounding of positions.
static void test_dhat_and_rounding(void** state) {
    (void)state;
    const char* const far[2] = {"bodies[0].translate=[1e6, 0]", "contact.dhat=1e-8"};
    pli_scene* scene = scene_with(SQUARE_SCENE, far, 2);
    expect_finding(
        scene,
        "--set contact.dhat: warning: contact.dhat is 1e-08 m, but with coordinates up to 1e+06 m");
    pli_scene_destroy(scene);
    scene = scene_with(SQUARE_SCENE, far, 1);
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_beside_errors),
        cmocka_unit_test(obstacles_beside_errors),
        cmocka_unit_test(axes_of_the_plane),
        cmocka_unit_test(a_missing_dimension),
        cmocka_unit_test(polynomials_need_vertices),
        cmocka_unit_test(plane_stress_beside_solids),
        cmocka_unit_test(keys_without_effect),
        cmocka_unit_test(ranges),
        cmocka_unit_test(bodies_in_each_other),
        cmocka_unit_test(holes_are_free),
        cmocka_unit_test(dhat_by_default),
        cmocka_unit_test(ropes_have_contact),
        cmocka_unit_test(absurd_thickness),
        cmocka_unit_test(fast_bodies),
        cmocka_unit_test(messages_are_printable),
        cmocka_unit_test(near_words),
        cmocka_unit_test(lists_of_words),
        cmocka_unit_test(misuse),
        cmocka_unit_test(test_dhat_and_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
