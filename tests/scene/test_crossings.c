// Starts that intersect, touch, are inside each other or closer than dhat: what is reported, what
// is kept to be looked at, and what pushing apart makes of them.
#include "support.h"

#include <math.h>

static const char* quoted(const char* text) {
    static char out[8192];
    assert_true(strlen(text) < sizeof out);
    strcpy(out, text);
    for (char* c = out; *c; ++c)
        if (*c == '\'') *c = '"';
    return out;
}

static pli_scene* scene_from(const char* text) { return scene_of(quoted(text)); }

static int count_findings(const pli_scene* scene, pli_severity severity) {
    int count = 0;
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        count += pli_scene_finding(scene, i)->severity == severity;
    return count;
}

#define ENERGY "'energies': [{'type': 'neo-hookean'}]"
#define CUBE(name, rest)                                                                           \
    "{'name': '" name                                                                              \
    "', 'mesh': {'type': 'box', 'size': [1, 1, 1], 'segments': [2, 2, 2]}, " ENERGY rest "}"
#define SQUARE(name, rest)                                                                         \
    "{'name': '" name                                                                              \
    "', 'mesh': {'type': 'rectangle', 'size': [1, 1], 'segments': [2, 2]}, " ENERGY rest "}"
#define SPACE(rest) "{'dimension': 3, 'contact': {'dhat': 0.01}, 'bodies': [" rest "]}"

// ---- reports

static void crossings_in_space(void** state) {
    (void)state;
    pli_scene* scene =
        scene_from(SPACE(CUBE("a", "") ",\n" CUBE("b", ", 'translate': [0.1, 0.97, 0.05]")));
    const pli_finding* f =
        expect_finding(scene, "scene.json:1:56: body \"a\": at t = 0, its edge ");
    assert_non_null(strstr(f->message, "crosses triangle "));
    assert_non_null(strstr(f->message, "of body \"b\" at ("));
    assert_string_equal(f->path, "bodies[0]");
    int count = pli_scene_crossing_count(scene);
    assert_true(count > 20);
    assert_int_equal(pli_scene_error_count(scene), 1); // one for these two bodies
    assert_int_equal(pli_scene_finding_count(scene), 1);
    char more[80];
    snprintf(more, sizeof more, "(and in %d more places)", count - 1);
    assert_non_null(strstr(f->message, more));
    const pli_world* world = pli_scene_crossed_world(scene);
    assert_non_null(world);
    assert_null(pli_scene_world(scene));
    assert_string_equal(pli_world_body_name(world, 1), "b");
    for (int i = 0; i < count; ++i) { // in the slab that the cubes share
        double y = pli_scene_crossings(scene)[i].point[1];
        assert_true(y > 0.47 - 1e-12 && y < 0.5 + 1e-12);
    }
    pli_scene_destroy(scene);
    scene = scene_from(SPACE(CUBE("a", "") "," CUBE("b", ", 'translate': [0.1, 1.2, 0]")));
    assert_int_equal(pli_scene_crossing_count(scene), 0);
    assert_null(pli_scene_crossed_world(scene));
    assert_int_equal(pli_scene_finding_count(scene), 0);
    pli_scene_destroy(scene);
}

// Of many pairs of bodies each is named, once.
static void every_pair_is_named(void** state) {
    (void)state;
    pli_scene* scene = scene_from(SPACE("{'name': 'c', 'repeat': {'count': [6, 1, 1], 'spacing': "
                                        "[0.97, 0.1, 0.05]}, 'mesh': {'type': 'box', 'size': [1, "
                                        "1, 1], 'segments': [2, 2, 2]}, " ENERGY "}"));
    for (int i = 0; i < 5; ++i) {
        bool named = false;
        char one[20], other[20];
        snprintf(one, sizeof one, "body \"c %d\": ", i);
        snprintf(other, sizeof other, "of body \"c %d\"", i + 1);
        for (int k = 0; k < pli_scene_finding_count(scene); ++k) {
            const char* message = pli_scene_finding(scene, k)->message;
            named |= strstr(message, one) && strstr(message, other);
        }
        if (!named) print_findings(scene);
        assert_true(named);
    }
    pli_scene_destroy(scene);
}

static const char sheets[] =
    "{'dimension': 3, 'contact': {'dhat': 0.01}, 'bodies': [{'name': 'sheet', 'mesh': {'type': "
    "'data', 'vertices': [[0,0,0],[1,0,0],[1,0,1],[0,0,1]], 'triangles': [[0,1,2],[0,2,3]]}, "
    "'vertex_mass': 1, 'fix': [{}]}, {'name': 'wire', 'mesh': {'type': 'data', 'vertices': "
    "[[0.25,-1,0.75],[0.25,%s,0.75]], 'segments': [[0,1]]}, 'vertex_mass': 1}]}";

static void numbers_of_triangles(void** state) {
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, sheets, "1");
    pli_scene* scene = scene_from(text);
    const pli_finding* f = expect_finding(
        scene, "scene.json:1:211: body \"wire\": at t = 0, its edge 0-1 crosses triangle 0-2-3 "
               "(triangle 1) of body \"sheet\" at (0.25, 0, 0.75): move one of them");
    assert_string_equal(f->path, "bodies[1]");
    assert_int_equal(pli_scene_crossing_count(scene), 1);
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, sheets, "0"); // the end touches
    scene = scene_from(text);
    expect_finding(scene, "scene.json:1:211: body \"wire\": at t = 0, its edge 0-1 crosses "
                          "triangle 0-2-3 (triangle 1) of body \"sheet\" at (0.25, 0, 0.75) (and");
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, sheets, "-1e-17"); // as near as rounding
    scene = scene_from(text);
    f = expect_finding(scene, "scene.json:1:211: body \"wire\": at t = 0, its vertex 1 touches");
    assert_non_null(strstr(f->message, "1e-17 m"));
    pli_scene_destroy(scene);
    snprintf(text, sizeof text, sheets, "-0.1");
    scene = scene_from(text);
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_scene_destroy(scene);
}

// What is wrong elsewhere does not hide where bodies are.
static void beside_other_errors(void** state) {
    (void)state;
    pli_scene* scene = scene_from(SPACE(CUBE("a", ", 'density': -5") "," CUBE("b", "")));
    assert_true(pli_scene_crossing_count(scene) > 0);
    assert_int_equal(pli_scene_error_count(scene), 2);
    pli_scene_destroy(scene);
}

static void inside_in_space(void** state) {
    (void)state;
    pli_scene* scene =
        scene_from(SPACE(CUBE("a", "") ",\n" CUBE("b", ", 'scale': [0.3, 0.3, 0.3]")));
    expect_finding(scene, "scene.json:2:1: body \"b\": at t = 0, it");
    assert_int_equal(pli_scene_error_count(scene), 1);
    pli_scene_destroy(scene);
    scene = scene_from("{'dimension': 3, 'contact': {'bodies': false}, 'bodies': [" CUBE(
        "a", "") "," CUBE("b", ", 'scale': [0.3, 0.3, 0.3]") "]}");
    assert_int_equal(pli_scene_finding_count(scene), 0);
    pli_scene_destroy(scene);
    // A closed surface is no solid: there is room in it.
    scene = scene_from(SPACE(CUBE("b", "") ",{'name': 'shell', 'vertex_mass': 1, 'mesh': {'type': "
                                           "'data', 'vertices': [[-2,-2,-2],[9,-2,-2],[-2,9,-2],"
                                           "[-2,-2,9]], 'triangles': [[0,2,1],[0,1,3],[1,2,3],"
                                           "[0,3,2]]}}"));
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_scene_destroy(scene);
}

// ---- closer than dhat

static void closer_than_dhat(void** state) {
    (void)state;
    // A gap of 5 mm along y: a face of 9 vertices over another one.
    pli_scene* scene =
        scene_from(SPACE(CUBE("a", "") "," CUBE("b", ", 'translate': [0, 1.005, 0]")));
    const pli_finding* f = expect_finding(scene, "scene.json:1:");
    assert_int_equal(f->severity, PLI_NOTE);
    assert_non_null(strstr(f->message, "contact.dhat (0.01 m)"));
    assert_non_null(strstr(f->message, "0.005 m apart at ("));
    assert_int_equal(pli_scene_finding_count(scene), 1);
    pli_scene_destroy(scene);
    // A plate of 5 mm repels itself; of its three copies one is named.
    scene = scene_from(SPACE("{'name': 'plate', 'repeat': {'count': [1, 3, 1], 'spacing': [1, 1, "
                             "1]}, 'mesh': {'type': 'box', 'size': [1, 0.005, 1], 'segments': [2, "
                             "1, 2]}, " ENERGY "}"));
    f = expect_finding(scene, "scene.json:1:56: warning: body \"plate 0\": at rest, ");
    assert_non_null(strstr(f->message, "so it repels itself"));
    assert_int_equal(pli_scene_finding_count(scene), 1);
    pli_scene_destroy(scene);
    // Not if it does not touch itself; and at t = 0 alone it may be meant so.
    scene = scene_from(SPACE("{'name': 'plate', 'contact_self': false, 'mesh': {'type': 'box', "
                             "'size': [1, 0.005, 1], 'segments': [2, 1, 2]}, " ENERGY "}"));
    assert_int_equal(pli_scene_finding_count(scene), 0);
    pli_scene_destroy(scene);
    scene = scene_from(SPACE(CUBE("a", ", 'stretch': [1, 0.015, 1]")));
    f = expect_finding(scene, "scene.json:1:56: note: body \"a\": at t = 0, ");
    assert_int_equal(count_findings(scene, PLI_WARNING), 0);
    pli_scene_destroy(scene);
}

static void closer_in_the_plane(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{'contact': {'dhat': 0.01}, 'bodies': [" SQUARE(
        "a", "") "," SQUARE("b", ", 'translate': [1.004, 0]") "]}");
    const pli_finding* f = expect_finding(scene, "scene.json:1:40: note: body \"a\": at t = 0, ");
    assert_non_null(strstr(f->message, "0.004 m apart at (0.502, "));
    assert_int_equal(pli_scene_finding_count(scene), 1);
    pli_scene_destroy(scene);
}

static void allowed_to_intersect(void** state) {
    (void)state;
    pli_scene* scene = scene_from(
        "{'dimension': 3, 'contact': {'dhat': 0.01, 'allow_initial': [['a', 'b']]}, 'bodies': "
        "[" CUBE("a", "") "," CUBE("b", ", 'translate': [0.1, 0.97, 0.05]") "]}");
    const pli_finding* f = expect_finding(scene, "scene.json:1:");
    assert_int_equal(f->severity, PLI_NOTE);
    assert_non_null(strstr(f->message, "intersects body \"b\""));
    assert_non_null(strstr(f->message, "contact.allow_initial"));
    assert_int_equal(pli_scene_finding_count(scene), 1);
    assert_int_equal(pli_scene_crossing_count(scene), 0);
    assert_non_null(pli_scene_world(scene));
    pli_scene_destroy(scene);
}

// Three of which each intersects both others: one finding speaks for all.
static void many_allowed_to_intersect(void** state) {
    (void)state;
    pli_scene* scene = scene_from(
        "{'dimension': 3, 'contact': {'dhat': 0.01, 'allow_initial': [['*', '*']]}, 'bodies': "
        "[" CUBE("a", "") "," CUBE("b", ", 'translate': [0.1, 0.97, 0.05]") "," CUBE(
            "c", ", 'translate': [0.97, 0.51, 0.13]") "]}");
    const pli_finding* f = expect_finding(scene, "scene.json:1:");
    assert_int_equal(f->severity, PLI_NOTE);
    assert_non_null(strstr(f->message, "2 more pairs"));
    assert_int_equal(pli_scene_finding_count(scene), 1);
    pli_scene_destroy(scene);
}

// ---- pushing apart

static pli_separation* separate(const char* text) {
    pli_scene_def def = pli_default_scene_def();
    def.path = "scene.json";
    def.text = quoted(text);
    def.thread_count = 1;
    pli_separation* separation = NULL;
    pli_error error = {0};
    if (pli_scene_separate(&def, &separation, &error) != PLI_OK) fail_msg("%s", error.message);
    return separation;
}

// It is done, and the scene that comes out has neither errors nor notes on forces from the start.
// Returns the number of bodies that moved.
static int expect_apart(const char* text) {
    pli_separation* s = separate(text);
    if (*pli_separation_reason(s)) fail_msg("%s", pli_separation_reason(s));
    pli_scene* scene = scene_of(pli_separation_text(s));
    if (pli_scene_finding_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_finding_count(scene), 0);
    pli_scene_destroy(scene);
    int count = pli_separation_move_count(s);
    assert_null(pli_separation_move(s, count).name);
    pli_separation_destroy(s);
    return count;
}

static void expect_reason(const char* text, const char* part) {
    pli_separation* s = separate(text);
    if (!strstr(pli_separation_reason(s), part)) fail_msg("\"%s\"", pli_separation_reason(s));
    assert_string_equal(pli_separation_text(s), "");
    pli_separation_destroy(s);
}

static void cubes_are_pushed_apart(void** state) {
    (void)state;
    pli_separation* s =
        separate(SPACE(CUBE("a", "") "," CUBE("b", ", 'translate': [0.1, 0.97, 0.05]")));
    assert_string_equal(pli_separation_reason(s), "");
    assert_int_equal(pli_separation_move_count(s), 2);
    pli_body_move a = pli_separation_move(s, 0), b = pli_separation_move(s, 1);
    assert_string_equal(a.name, "a");
    assert_string_equal(b.name, "b");
    for (int k = 0; k < 3; ++k) assert_true(fabs(a.way[k] + b.way[k]) < 1e-12); // half each
    // 3 cm of overlap and 1 to 1.2 cm of gap, straight up
    double way = b.way[1] - a.way[1];
    assert_true(way > 0.0399 && way < 0.043);
    assert_true(fabs(b.way[0]) < 1e-9 && fabs(b.way[2]) < 1e-9);
    assert_non_null(strstr(pli_separation_text(s), "\"name\": \"b\""));
    pli_separation_destroy(s);
    // One that is fixed stays; one that is only too close moves too.
    assert_int_equal(expect_apart(SPACE(CUBE("a", ", 'fix': [{}]") "," CUBE(
                         "b", ", 'translate': [0.1, 0.97, 0.05]"))),
                     1);
    assert_int_equal(
        expect_apart(SPACE(CUBE("a", "") "," CUBE("b", ", 'translate': [0.3, 1.002, 0.2]"))), 2);
    // Nothing to do.
    assert_int_equal(
        expect_apart(SPACE(CUBE("a", "") "," CUBE("b", ", 'translate': [0.3, 1.2, 0.2]"))), 0);
}

// A stack on the ground: what is pushed down must come up again.
static void stacks_are_pushed_apart(void** state) {
    (void)state;
    assert_int_equal(
        expect_apart(
            "{'dimension': 3, 'contact': {'dhat': 0.01}, 'obstacles': [{'type': "
            "'half-space', 'point': [0, -0.5, 0]}], 'bodies': [" CUBE("a", "") "," CUBE(
                "b", ", 'translate': [0.1, 0.98, 0.05]") "," CUBE("c", ", 'translate': "
                                                                       "[0, 1.97, 0]") "]}"),
        3);
    assert_int_equal(
        expect_apart("{'contact': {'dhat': 0.01}, 'bodies': [" SQUARE("a", "") "," SQUARE(
            "b", ", 'translate': [0.9, 0.3]") "," SQUARE("c", ", 'translate': [0.4, "
                                                              "1.001]") "]}"),
        3);
}

// A ceiling that a body carries: the one below moves down, the carrier is not pushed out of its
// own.
static void carried_half_spaces_push(void** state) {
    (void)state;
    const char* text =
        "{'contact': {'dhat': 0.01}, 'obstacles': [{'type': 'half-space', 'carrier': 'a', "
        "'normal': [0, -1]}], 'bodies': [{'name': 'a', 'vertex_mass': 1, 'mesh': {'type': "
        "'point'}, "
        "'translate': [0, 1]}, " SQUARE("b", ", 'translate': [2, 0.52]") "]}";
    pli_separation* s = separate(text);
    assert_string_equal(pli_separation_reason(s), "");
    assert_int_equal(pli_separation_move_count(s), 1);
    pli_body_move move = pli_separation_move(s, 0);
    assert_string_equal(move.name, "b");
    assert_true(move.way[1] < -0.0299 &&
                move.way[1] > -0.035); // 2 cm too high, dhat, a little more
    pli_separation_destroy(s);
    assert_int_equal(expect_apart(text), 1);
}

// Not the surface alone, also the thickness over it has to be outside.
static void thick_bodies_leave_half_spaces(void** state) {
    (void)state;
    static const char text[] =
        "{'contact': {'dhat': 0.01}, 'obstacles': [{'type': 'half-space'}], 'bodies': [\n" SQUARE(
            "a", ", 'translate': [0, 0.52], 'contact_thickness': 0.05") "]}";
    pli_scene* scene = scene_of(quoted(text));
    expect_finding(scene, "scene.json:2:1: body \"a\": at t = 0, 3 of its vertices are inside "
                          "obstacles[0] (half-space), the deepest by 0.03 m with "
                          "contact_thickness: move the body or the obstacle");
    assert_int_equal(pli_scene_finding_count(scene), 1);
    pli_scene_destroy(scene);
    pli_separation* s = separate(text);
    assert_string_equal(pli_separation_reason(s), "");
    double way = pli_separation_move(s, 0).way[1]; // 3 cm too low, dhat, a little more
    assert_true(way > 0.0399 && way < 0.042);
    pli_separation_destroy(s);
    assert_int_equal(expect_apart(text), 1);
}

// Twelve sheets or threads on the ground that lie in each other with their thickness, at a
// `spacing` of 2 cm or less, or all at one place.
static void thick_stacks_are_pushed_apart(void** state) {
    (void)state;
    static const char* const meshes[3] = {
        "'mesh': {'type': 'rectangle', 'size': [1, 1], 'segments': [2, 2]}, 'rotate': [90, 0, 0]",
        "'mesh': {'type': 'line', 'from': [-0.5, 0.001, %d], 'to': [0.5, 0, %d], 'segments': 4}",
        "'mesh': {'type': 'line', 'from': [-0.5, 0], 'to': [0.5, 0], 'segments': 4}"};
    for (int i = 0; i < 9; ++i) {
        char text[8192], mesh[200];
        double spacing = i / 3 == 0 ? 0.012 : i / 3 == 1 ? 0.003 : 0;
        int dim = i % 3 == 2 ? 2 : 3, bodies = 12, used;
        used = snprintf(text, sizeof text,
                        "{'dimension': %d, 'contact': {'dhat': 0.001}, 'obstacles': [{'type': "
                        "'half-space'}], 'bodies': [",
                        dim);
        for (int b = 0; b < bodies; ++b) {
            // threads in space point along x and z by turns
            snprintf(mesh, sizeof mesh, meshes[i % 3], 0, 0);
            if (i % 3 == 1 && b % 2)
                snprintf(mesh, sizeof mesh,
                         "'mesh': {'type': 'line', 'from': [0, 0, -0.5], 'to': [0, 0.001, 0.5], "
                         "'segments': 4}");
            used += snprintf(text + used, sizeof text - (size_t)used,
                             "%s{'name': 'b%d', 'vertex_mass': 1, 'contact_thickness': 0.01, "
                             "'translate': [%g, %g%s], 'energies': [{'type': '%s'}], %s}",
                             b ? ", " : "", b, 1e-4 * b, 0.015 + b * spacing, dim == 3 ? ", 0" : "",
                             i % 3 ? "hooke" : "shell", mesh);
        }
        snprintf(text + used, sizeof text - (size_t)used, "]}");
        pli_scene* scene = scene_from(text);
        assert_true(pli_scene_error_count(scene) > 0);
        if (i == 0)
            assert_non_null(strstr(pli_scene_finding(scene, 0)->message,
                                   "by 0.008 m with contact_thickness (0.012 m apart, needed 0.02 "
                                   "m)"));
        pli_scene_destroy(scene);
        assert_true(expect_apart(text) >= bodies - 1);
    }
}

// What the rules keep from a half-space is not moved out of it; bodies whose velocity or load
// depends on the place stay.
static void others_stay_where_they_are(void** state) {
    (void)state;
    pli_separation* s = separate(
        "{'contact': {'dhat': 0.01, 'exclude': [['c', 'floor']]}, 'obstacles': [{'type': "
        "'half-space', 'name': 'floor', 'point': [0, -5]}], 'bodies': [" SQUARE("a", "") "," SQUARE(
            "b", ", 'translate': [0.1, 0.98]") "," SQUARE("c", ", 'translate': [0, -9]") "]}");
    assert_string_equal(pli_separation_reason(s), "");
    assert_int_equal(pli_separation_move_count(s), 2);
    assert_string_equal(pli_separation_move(s, 1).name, "b");
    pli_separation_destroy(s);
    static const char* const held[] = {
        SQUARE("a", ", 'velocity': ['y', 0]"),
        SQUARE("a", ", 'loads': [{'type': 'force', 'value': ['x * 1e3', 0]}]")};
    for (int i = 0; i < 2; ++i) {
        char text[2048];
        snprintf(text, sizeof text, "{'contact': {'dhat': 0.01}, 'bodies': [%s,%s]}", held[i],
                 SQUARE("b", ", 'translate': [0.1, 0.98]"));
        s = separate(text);
        assert_string_equal(pli_separation_reason(s), "");
        assert_int_equal(pli_separation_move_count(s), 1);
        assert_string_equal(pli_separation_move(s, 0).name, "b");
        pli_separation_destroy(s);
    }
}

static void balls_are_pushed_apart(void** state) {
    (void)state;
    assert_int_equal(
        expect_apart(
            SPACE("{'name': 'a', 'mesh': {'type': 'ball', 'radius': 0.5, 'shells': 4}, " ENERGY
                  "},{'name': 'b', 'translate': [0.6, 0.5, 0.4], 'mesh': {'type': 'ball', "
                  "'radius': 0.5, 'shells': 4}, " ENERGY "}")),
        2);
}

static void what_cannot_be_pushed_apart(void** state) {
    (void)state;
    expect_reason(SPACE(CUBE("a", ", 'fix': [{}]") "," CUBE("b", ", 'translate': [0.1, 0.97, "
                                                                 "0.05], 'fix': [{}]")),
                  "neither body \"a\" nor body \"b\" can be moved");
    expect_reason(SPACE(CUBE("a", ", 'repeat': {'count': [2, 1, 1], 'spacing': [0.97, 0, 0.1]}")),
                  "bodies \"a 0\" and \"a 1\" are copies of one");
    expect_reason(SPACE(CUBE("a", "") "," CUBE("b", ", 'scale': [0.3, 0.3, 0.3]")),
                  "body \"b\" is inside body \"a\"");
    expect_reason(
        "{'contact': {'dhat': 0.01}, 'bodies': [{'name': 'bow', 'vertex_mass': 1, 'mesh': "
        "{'type': 'data', 'vertices': [[0,0],[1,0],[0,1],[0.2,-0.5],[0.8,-0.5],[0.5,0.2]], "
        "'triangles': [[0,1,2],[3,4,5]]}}]}",
        "body \"bow\" intersects itself");
    // Between the prongs of a fork there is no room for twice dhat.
    expect_reason(
        "{'contact': {'dhat': 0.01}, 'bodies': [" SQUARE(
            "a",
            "") ", {'name': 'fork', "
                "'mesh': {'type': 'data', 'vertices': [[0.503,-1],[1,-1],[1,1],[0.503,1],[-1,-1],"
                "[-0.504,-1],[-0.504,1],[-1,1]], 'triangles': "
                "[[0,1,2],[0,2,3],[4,5,6],[4,6,7]]}, " ENERGY "}]}",
        "some bodies are still too close after 200 rounds");
    pli_scene_def def = pli_default_scene_def();
    def.text = quoted(SPACE(CUBE("a", ", 'density': -1") "," CUBE("b", "")));
    pli_separation* separation = NULL;
    pli_error error = {0};
    assert_int_equal(pli_scene_separate(&def, &separation, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "other errors"));
    assert_null(separation);
    assert_int_equal(pli_scene_separate(&def, NULL, &error), PLI_E_ARGUMENT);
    pli_separation_destroy(NULL);
}

// Keys keep their order, numbers their digits, and overrides are part of what is written.
static void the_rest_of_the_scene_stays(void** state) {
    (void)state;
    const char* overrides[] = {"time.step=0.125"};
    pli_scene_def def = pli_default_scene_def();
    def.path = "scene.json";
    def.text = quoted(
        "{'name': 'tower \\u00e4 \\'t', 'dimension': 3, 'time': {'steps': 7}, 'contact': {'dhat': "
        "0.01}, 'gravity': [0, -9.81, 0.1], 'bodies': [" CUBE("a", "") "," CUBE(
            "b", ", 'translate': [0.1, 1.002, 0]") "]}");
    def.overrides = overrides;
    def.override_count = 1;
    // The quotes inside the name were turned over with the others.
    char* name = strstr((char*)(uintptr_t)def.text, "\\\"t\"");
    assert_non_null(name);
    pli_separation* s;
    pli_error error = {0};
    assert_int_equal(pli_scene_separate(&def, &s, &error), PLI_OK);
    assert_string_equal(pli_separation_reason(s), "");
    const char* text = pli_separation_text(s);
    const char* order[] = {"{\n  \"name\": \"tower \xc3\xa4 \\\"t\",\n",
                           "\"dimension\": 3,\n",
                           "\"time\": { \"steps\": 7, \"step\": 0.125 },\n",
                           "\"contact\": {",
                           "\"gravity\": [0, -9.81, 0.1],\n",
                           "\"bodies\": [\n    {\n"};
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
        const char* at = strstr(text, order[i]);
        if (!at) fail_msg("no %s in %s", order[i], text);
        text = at;
    }
    pli_separation_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossings_in_space),
        cmocka_unit_test(every_pair_is_named),
        cmocka_unit_test(numbers_of_triangles),
        cmocka_unit_test(beside_other_errors),
        cmocka_unit_test(inside_in_space),
        cmocka_unit_test(closer_than_dhat),
        cmocka_unit_test(closer_in_the_plane),
        cmocka_unit_test(many_allowed_to_intersect),
        cmocka_unit_test(carried_half_spaces_push),
        cmocka_unit_test(thick_bodies_leave_half_spaces),
        cmocka_unit_test(allowed_to_intersect),
        cmocka_unit_test(cubes_are_pushed_apart),
        cmocka_unit_test(stacks_are_pushed_apart),
        cmocka_unit_test(thick_stacks_are_pushed_apart),
        cmocka_unit_test(others_stay_where_they_are),
        cmocka_unit_test(balls_are_pushed_apart),
        cmocka_unit_test(what_cannot_be_pushed_apart),
        cmocka_unit_test(the_rest_of_the_scene_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
