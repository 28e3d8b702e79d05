// Bodies that appear and vanish while a scene runs (keys `appears` and `vanishes`): alone they move
// as bodies that are there from the start, and a run that is resumed at any step goes on with the
// same bits, also with embedded bodies, gas, chosen step sizes and statics.
#include "scene/support.h"

#include "oracle/bytes.h"
#include "pliant/change.h"

static pli_error error;

// One step, then the bodies that appear or vanish; returns their number.
static int advance(pli_scene* scene) {
    pli_world* world = pli_scene_world(scene);
    pli_step_info info;
    int count = -1;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_true(info.kept);
    ASSERT_OK(pli_scene_update(scene, pli_world_time(world), &count, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    return count;
}

static void steps(pli_scene* scene, int count) {
    for (int i = 0; i < count; ++i) advance(scene);
}

static int find_body(const pli_world* world, const char* name) {
    for (int b = 0; b < pli_world_body_count(world); ++b)
        if (strcmp(pli_world_body_name(world, b), name) == 0) return b;
    return -1;
}

#define ENERGY "\"energies\": [ { \"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4 } ]"
#define BLOCK                                                                                      \
    "\"density\": 1000, " ENERGY ", \"mesh\": { \"type\": \"rectangle\", "                         \
    "\"size\": [0.4, 0.2], \"segments\": [2, 1] }"

// ---- order, numbers, names

static void test_events(void** state) {
    (void)state;
    pli_scene* scene =
        scene_of("{ \"time\": { \"step\": 0.1, \"steps\": 10 }, \"bodies\": ["
                 "  { \"name\": \"late\", \"appears\": 0.3, \"translate\": [2, 0], " BLOCK " },"
                 "  { \"name\": \"first\", \"vanishes\": 0.3, " BLOCK " },"
                 "  { \"name\": \"guest\", \"appears\": 0.15, \"vanishes\": 0.6, \"translate\": "
                 "[4, 0], \"repeat\": { \"count\": 2, \"spacing\": [1, 0] }, " BLOCK " },"
                 "  { \"name\": \"always\", \"translate\": [0, 3], " BLOCK " } ] }");
    assert_int_equal(pli_scene_error_count(scene), 0);
    static const pli_scene_event wanted[] = {{0.15, "guest 0", true}, {0.15, "guest 1", true},
                                             {0.3, "first", false},   {0.3, "late", true},
                                             {0.6, "guest 1", false}, {0.6, "guest 0", false}};
    assert_int_equal(pli_scene_event_count(scene), 6);
    for (int i = 0; i < 6; ++i) {
        pli_scene_event event = pli_scene_event_at(scene, i);
        assert_true(event.time == wanted[i].time && event.appears == wanted[i].appears);
        assert_string_equal(event.body, wanted[i].body);
    }
    assert_string_equal(pli_scene_event_at(scene, 6).body, "");
    const pli_world* world = pli_scene_world(scene);
    assert_int_equal(pli_world_body_count(world), 2);
    assert_string_equal(pli_world_body_name(world, 0), "first");
    assert_int_equal(advance(scene), 0);
    assert_int_equal(advance(scene), 2); // 0.15 is within a step
    assert_int_equal(pli_world_body_count(world), 4);
    assert_int_equal(advance(scene), 2); // 0.1 + 0.1 + 0.1 is not 0.3 in doubles
    assert_int_equal(find_body(world, "first"), -1);
    assert_int_equal(find_body(world, "late"), 3);
    steps(scene, 2);
    assert_int_equal(advance(scene), 2);
    assert_int_equal(pli_world_body_count(world), 2);
    assert_int_equal(advance(scene), 0);
    pli_scene_destroy(scene);
    assert_int_equal(pli_scene_event_count(NULL), 0);
    assert_int_equal(pli_scene_update(NULL, 1, NULL, &error), PLI_E_ARGUMENT);
}

// ---- alone, it moves as from the start

#define SPINNING                                                                                   \
    "\"translate\": [1, 2], \"velocity\": [1, 3], \"spin\": 2, " BLOCK ", \"stretch\": [1.1, 1]"
#define PADDLE                                                                                     \
    "\"name\": \"paddle\", \"translate\": [9, 9], " BLOCK                                          \
    ", \"prescribe\": [ { \"group\": \"left\", \"velocity\": [0, 1], \"spin\": 3 } ]"

static void test_motion(void** state) {
    (void)state;
    static const char head[] = "{ \"gravity\": [0, -9.81], \"solver\": { \"tolerance\": 1e-10 },"
                               "  \"time\": { \"step\": 0.01, \"steps\": 50 }, \"bodies\": [";
    static const char first[] = "{ \"name\": \"one\", " SPINNING " }, { " PADDLE " } ] }";
    static const char later[] =
        "{ \"name\": \"one\", \"appears\": 0.2, " SPINNING " }, { \"appears\": 0.2, " PADDLE " },"
        "{ \"name\": \"wall\", \"fix\": [ {} ], \"translate\": [-9, 0], " BLOCK " } ] }";
    char text[2][2000];
    snprintf(text[0], sizeof text[0], "%s%s", head, first);
    snprintf(text[1], sizeof text[1], "%s%s", head, later);
    pli_scene *early = scene_of(text[0]), *late = scene_of(text[1]);
    print_findings(late);
    assert_int_equal(pli_scene_error_count(late), 0);
    steps(late, 20);
    steps(late, 15);
    steps(early, 15);
    const pli_world *a = pli_scene_world(early), *b = pli_scene_world(late);
    int from = pli_world_body_vertex(b, 1); // behind the wall
    assert_int_equal(pli_world_vertex_count(b) - from, pli_world_vertex_count(a));
    for (int i = 0; i < 3 * pli_world_vertex_count(a); ++i) // rounding of t in the spin: 1e-16 s
        ASSERT_NEAR(pli_world_positions(a)[i], pli_world_positions(b)[3 * from + i], 1e-11);
    pli_scene_destroy(early);
    pli_scene_destroy(late);
}

// ---- resumed at any step

// The state after `at` steps in another scene, which goes on to the end.
static void resume(const char* text, pli_scene* whole, int at, int end) {
    pli_scene *one = scene_of(text), *other = scene_of(text);
    steps(one, at);
    bytes saved = save(pli_scene_world(one));
    ASSERT_OK(pli_scene_update(other, pli_world_time(pli_scene_world(one)), NULL, &error));
    ASSERT_OK(pli_world_restore(pli_scene_world(other), saved.data, saved.size, &error));
    steps(other, end - at);
    assert_same_motion(pli_scene_world(whole), pli_scene_world(other));
    free(saved.data);
    pli_scene_destroy(one);
    pli_scene_destroy(other);
}

static void resume_everywhere(const char* text, int end, int every) {
    pli_scene* whole = scene_of(text);
    print_findings(whole);
    assert_int_equal(pli_scene_error_count(whole), 0);
    steps(whole, end);
    assert_true(pli_world_topology_epoch(pli_scene_world(whole)) > 0);
    for (int at = 0; at < end; at += every) resume(text, whole, at, end);
    pli_scene_destroy(whole);
}

// Contact, friction, a load and a motion by expressions.
static void test_resume(void** state) {
    (void)state;
    resume_everywhere(
        "{ \"gravity\": [0, -9.81], \"time\": { \"step\": 0.01, \"steps\": 30 },"
        "  \"contact\": { \"dhat\": 0.01, \"friction\": 0.3 }, \"bodies\": ["
        "  { \"name\": \"late\", \"appears\": 0.05, \"translate\": [0.1, 0.34], \"velocity\": "
        "[0.5, -2], " BLOCK ", \"loads\": [ { \"type\": \"force\", \"value\": [\"9 * t\", 0] } ] },"
        "  { \"name\": \"low\", \"translate\": [0, 0.11], " BLOCK " },"
        "  { \"name\": \"press\", \"appears\": 0.1, \"vanishes\": 0.2, \"translate\": [0, 0.9], "
        "" BLOCK ", \"prescribe\": [ { \"offset\": [0, \"0.1 - t\"] } ] } ],"
        "  \"obstacles\": [ { \"type\": \"half-space\", \"normal\": [0, 1], \"friction\": 0.4 },"
        "    { \"type\": \"sphere\", \"center\": [-1, 0.2], \"radius\": 0.1 } ] }",
        30, 4);
}

static void test_chosen_steps(void** state) {
    (void)state;
    resume_everywhere(
        "{ \"gravity\": [0, -9.81], \"time\": { \"step\": \"auto\", \"scheme\": \"bdf2\", "
        "\"duration\": 0.5 }, \"contact\": { \"dhat\": 0.01 }, \"bodies\": ["
        "  { \"name\": \"late\", \"appears\": 0.02, \"translate\": [0.1, 0.34], " BLOCK " },"
        "  { \"name\": \"guest\", \"vanishes\": 0.1, \"translate\": [2, 0.2], " BLOCK " },"
        "  { \"name\": \"low\", \"translate\": [0, 0.11], " BLOCK " } ],"
        "  \"obstacles\": [ { \"type\": \"half-space\", \"normal\": [0, 1] } ] }",
        16, 3);
}

// A block is put on another one, then taken away: equilibria of the load steps.
static void test_statics(void** state) {
    (void)state;
    static const char text[] =
        "{ \"analysis\": \"static\", \"gravity\": [0, -9.81], \"time\": { \"steps\": 6 },"
        "  \"contact\": { \"dhat\": 0.01 }, \"bodies\": ["
        "  { \"name\": \"low\", \"fix\": [ { \"group\": \"bottom\" } ], " BLOCK " },"
        "  { \"name\": \"late\", \"appears\": 0.3, \"vanishes\": 0.7, \"translate\": [0, 0.205], "
        "" BLOCK ", \"fix\": [ { \"group\": \"left\", \"axes\": [\"x\"] } ] } ] }";
    resume_everywhere(text, 6, 1);
    pli_scene* scene = scene_of(text);
    const pli_world* world = pli_scene_world(scene);
    double height[3];
    for (int i = 0; i < 3; ++i) { // alone, loaded, alone
        steps(scene, 2);
        height[i] = pli_world_positions(world)[3 * 3 + 1]; // a vertex at the top
    }
    double alone = height[0], loaded = height[1], after = height[2];
    assert_true(loaded < alone - 1e-4); // 80 kg on 0.4 m of 1e5 Pa
    ASSERT_NEAR(after, alone, 1e-3 * (alone - loaded));
    pli_scene_destroy(scene);
}

// A ring with gas inside appears, is hit by a block and vanishes; another one stays.
#define RING                                                                                       \
    "\"vertex_mass\": 0.1, \"energies\": [ { \"type\": \"hooke\", \"stiffness\": 1e5 },"           \
    "  { \"type\": \"gas\", \"pressure\": 500 } ], \"mesh\": { \"type\": \"data\","                \
    "  \"vertices\": [[0.2, 0], [0.1, 0.17], [-0.1, 0.17], [-0.2, 0], [-0.1, -0.17], "             \
    "[0.1, -0.17]], \"segments\": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0]] }"
static void test_gas(void** state) {
    (void)state;
    static const char* const solvers[] = {"auto", "pcg"};
    for (int i = 0; i < 2; ++i) {
        char text[3000];
        snprintf(
            text, sizeof text,
            "{ \"gravity\": [0, -9.81], \"time\": { \"step\": 0.005, \"steps\": 20 },"
            "  \"solver\": { \"linear\": \"%s\" }, \"contact\": { \"dhat\": 0.01 }, \"bodies\": ["
            "  { \"name\": \"late\", \"appears\": 0.03, \"vanishes\": 0.07, \"translate\": "
            "[1, 0.2], \"velocity\": [0, -1], " RING " },"
            "  { \"name\": \"stays\", \"translate\": [0, 0.19], " RING " } ],"
            "  \"obstacles\": [ { \"type\": \"half-space\", \"normal\": [0, 1] } ] }",
            solvers[i]);
        resume_everywhere(text, 20, 5);
    }
}

// A skin appears and vanishes with its cage, and other skins stay in theirs.
#define CAGE                                                                                       \
    "\"density\": 1000, " ENERGY ", \"mesh\": { \"type\": \"box\", \"size\": [0.4, 0.4, 0.4], "    \
    "\"segments\": [2, 2, 2] }"
#define SKIN                                                                                       \
    "\"kinematics\": \"embedded\", \"mesh\": { \"type\": \"data\", \"vertices\": [[-0.1, -0.1, "   \
    "-0.1], [0.15, -0.1, -0.1], [-0.1, 0.15, -0.1], [-0.1, -0.1, 0.15]], \"triangles\": "          \
    "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }"
static void test_embedded(void** state) {
    (void)state;
    static const char text[] =
        "{ \"dimension\": 3, \"gravity\": [0, -9.81, 0], \"time\": { \"step\": 0.01, \"steps\": 24 "
        "},"
        "  \"contact\": { \"dhat\": 0.01 }, \"bodies\": ["
        "  { \"name\": \"cage\", \"appears\": 0.06, \"vanishes\": 0.18, \"translate\": [0.02, "
        "0.42, 0],"
        "    " CAGE " }, { \"name\": \"skin\", \"translate\": [0.02, 0.42, 0], " SKIN " },"
        "  { \"name\": \"low cage\", \"translate\": [0, 0.12, 0], " CAGE " },"
        "  { \"name\": \"low skin\", \"translate\": [0, 0.12, 0], " SKIN " } ],"
        "  \"obstacles\": [ { \"type\": \"half-space\", \"normal\": [0, 1, 0] } ] }";
    resume_everywhere(text, 24, 5);
    pli_scene* scene = scene_of(text);
    const pli_world* world = pli_scene_world(scene);
    assert_int_equal(pli_world_body_count(world), 2);
    steps(scene, 6);
    assert_int_equal(find_body(world, "skin"), find_body(world, "cage") + 1);
    steps(scene, 12);
    assert_int_equal(find_body(world, "cage"), -1);
    assert_int_equal(pli_world_body_count(world), 2);
    pli_scene_destroy(scene);
}

// ---- parameters

static bool set(pli_scene* scene, const char* path, double value) {
    int i = 0;
    bool applied = false;
    while (strcmp(pli_scene_parameter_at(scene, i)->path, path) != 0) ++i;
    ASSERT_OK(pli_scene_set_parameter(scene, i, (double[3]){value}, &applied, &error));
    return applied;
}

// Sliders of a body change nothing unless it is there.
static void test_parameters(void** state) {
    (void)state;
    pli_scene* scene =
        scene_of("{ \"time\": { \"step\": 0.1, \"steps\": 10 }, \"bodies\": ["
                 "  { \"name\": \"late\", \"appears\": 0.1, \"vanishes\": 0.3, \"translate\": "
                 "[2, 0], " BLOCK " }, { \"name\": \"first\", " BLOCK ", \"loads\": "
                 "[ { \"type\": \"force\", \"value\": [2, 0] } ] } ] }");
    pli_world* world = pli_scene_world(scene);
    static const char late[] = "bodies[0].energies[0].young",
                      first[] = "bodies[1].energies[0].young";
    double young = 0;
    assert_false(set(scene, late, 2e5));
    assert_true(set(scene, first, 3e5));
    advance(scene);
    assert_true(set(scene, late, 4e5));
    assert_true(pli_world_energy_setting(world, pli_world_energy_id(world, 0), "young", &young));
    assert_true(young == 3e5);
    assert_true(pli_world_energy_setting(world, pli_world_energy_id(world, 1), "young", &young));
    assert_true(young == 4e5);
    steps(scene, 2);
    assert_false(set(scene, late, 5e5));
    assert_true(set(scene, first, 5e5));
    pli_scene_destroy(scene);
}

// ---- findings

static void find(const char* bodies, const char* rest, const char* finding) {
    char text[3000];
    snprintf(text, sizeof text,
             "{ \"time\": { \"step\": 0.1, \"duration\": 1 }, \"bodies\": [%s]%s }", bodies, rest);
    pli_scene* scene = scene_of(text);
    const pli_finding* found = expect_finding(scene, finding);
    bool warning = found->severity == PLI_WARNING;
    assert_int_equal(pli_scene_error_count(scene), warning ? 0 : 1);
    pli_scene_destroy(scene);
}

static void test_findings(void** state) {
    (void)state;
    static const char late[] =
        "{ \"name\": \"a\", " BLOCK " }, { \"name\": \"b\", \"appears\": 0.2, "
        "\"translate\": [1, 0], " BLOCK " }";
    find("{ \"name\": \"a\", \"appears\": 0.2, " BLOCK " }", "",
         "scene.json:1:53: all bodies appear after the start");
    find("{ \"name\": \"a\", \"vanishes\": 0.2, " BLOCK " }", "",
         "scene.json:1:81: body \"a\": when it vanishes, no body is left");
    find("{ \"name\": \"a\", " BLOCK " }, { \"name\": \"b\", \"appears\": 0.5, \"vanishes\": 0.2, "
         "\"translate\": [1, 0], " BLOCK " }",
         "", "scene.json:1:277: body \"b\": it vanishes before it has appeared, at t = 0.5 s");
    find("{ \"name\": \"a\", " BLOCK " }, { \"name\": \"b\", \"appears\": 1.5, "
         "\"translate\": [1, 0], " BLOCK " }",
         "",
         "scene.json:1:260: warning: body \"b\": it appears at t = 1.5 s, but the run ends at t = "
         "1 s");
    find(late,
         ", \"stencils\": [ { \"type\": \"spring\", \"stiffness\": 9, \"between\": ["
         "{ \"body\": \"a\", \"vertices\": [0] }, { \"body\": \"b\", \"vertices\": [0] } ] } ]",
         "scene.json:1:466: body \"b\" appears after the start, but stencils");
    find(
        "{ \"name\": \"a\", \"translate\": [0, 1], " BLOCK
        " }, { \"name\": \"b\", \"appears\": 0.2, " BLOCK " }",
        ", \"obstacles\": [ { \"type\": \"half-space\", \"normal\": [0, 1], \"point\": [0, 0.05] } "
        "]",
        "scene.json:1:255: body \"b\": when it appears, 3 of its vertices are inside obstacles[0]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),   cmocka_unit_test(test_motion),
        cmocka_unit_test(test_resume),   cmocka_unit_test(test_chosen_steps),
        cmocka_unit_test(test_statics),  cmocka_unit_test(test_gas),
        cmocka_unit_test(test_embedded), cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
