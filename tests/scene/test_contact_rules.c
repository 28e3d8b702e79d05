// Rules of contact in scenes: words that name bodies and obstacles, wrong ones, what rules do.
#include "support.h"

#include "dynamics/world.h"

// Texts are written with ' for ".
static pli_scene* scene_from(const char* quoted) {
    static char text[8192];
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

static pli_world* world_of(pli_scene* scene) {
    if (!pli_scene_world(scene)) print_findings(scene);
    assert_non_null(pli_scene_world(scene));
    return pli_scene_world(scene);
}

// A square of side 1 around (0, y).
#define BLOCK(name, y, rest)                                                                       \
    "{'name': '" name                                                                              \
    "', 'mesh': {'type': 'rectangle', 'size': [1, 1], 'segments': [2, 2]}, 'translate': [0, " y    \
    "], 'energies': [{'type': 'neo-hookean'}]" rest "}"

// Two blocks that have a gap, copies of a third, two half-spaces.
#define BODIES                                                                                     \
    "'bodies': [" BLOCK("lower", "0.6", "") "," BLOCK(                                             \
        "upper", "1.7", ", 'contact_group': 'top'") "," BLOCK("cube", "3",                         \
                                                              ", 'material': 'rubber', 'repeat': " \
                                                              "{'count': [2, 2], 'spacing': "      \
                                                              "[1.2, 1.2]}") "]"
#define GROUND                                                                                     \
    "'obstacles': [{'type': 'half-space', 'name': 'ground'}, {'type': 'half-space', "              \
    "'point': [0, -1], 'friction': 0.3}]"

static pli_relation relation(pli_scene* scene, int a, int b) {
    const pli_rules* rules = &world_of(scene)->collision.rules;
    return *pli_rules_between(rules, rules->classes[a], rules->classes[b]);
}

// Every kind of word. Bodies 0 lower, 1 upper, 2 to 5 the cubes; half-spaces 6 and 7.
static void words(void** state) {
    (void)state;
    pli_scene* scene = scene_from(
        "{'contact': {'friction': 0.1, 'exclude': [['lower', 'top'], ['cube', 'ground'], ['cube "
        "3', "
        "'*']], 'friction_pairs': [{'between': ['rubber', '*'], 'friction': 0.9}, {'between': "
        "['upper', 'cube'], 'friction': 0.2, 'friction_static': 0.4}, {'between': ['half-space 1', "
        "'lower'], 'friction': 0}]}," BODIES "," GROUND "}");
    assert_true(relation(scene, 0, 1).pass);
    assert_false(relation(scene, 0, 2).pass || relation(scene, 1, 1).pass);
    assert_true(relation(scene, 2, 6).pass && relation(scene, 4, 6).pass);
    assert_false(relation(scene, 2, 7).pass || relation(scene, 0, 6).pass);
    assert_true(relation(scene, 5, 0).pass && relation(scene, 5, 5).pass);
    assert_true(relation(scene, 0, 1).friction == 0.1 && relation(scene, 2, 4).friction == 0.9);
    assert_true(relation(scene, 0, 3).friction == 0.9 && relation(scene, 3, 7).friction == 0.9);
    assert_true(relation(scene, 1, 3).friction == 0.2);
    assert_true(relation(scene, 1, 3).friction_static == 0.4);
    assert_true(relation(scene, 0, 7).friction == 0 && relation(scene, 1, 7).friction == 0.3);
    assert_true(relation(scene, 0, 6).friction == 0);
    assert_string_equal(pli_world_half_space_name(pli_scene_world(scene), 0), "ground");
    assert_string_equal(pli_world_half_space_name(pli_scene_world(scene), 1), "half-space 1");
    expect_count(scene, 0, 0);
    pli_scene_destroy(scene);
}

static void wrong_words(void** state) {
    (void)state;
    pli_scene* scene =
        scene_from("{'contact': {'exclude': [['lower', 'uper'],\n['lower'],\n"
                   "['cube 7', 3],\n'lower'],\n"
                   "'allow_initial': [['ground', '*'], ['uppper', 'cube']],\n"
                   "'friction_pairs': [{'between': ['rubbber', 'lower'], 'friction': "
                   "0.3},\n"
                   "{'between': ['lower', 'upper'], 'friction': 0.3,\n"
                   "'friction_static': 0.2}, {'friction': 101}],\n"
                   "'friction': 0.5, 'friction_static': 0.1},\n" BODIES "," GROUND "}");
    expect_finding(scene, "scene.json:1:36: contact.exclude[0][1] = \"uper\" is");
    expect_finding(scene, "scene.json:2:1: contact.exclude[1] is a list of 1, must be a list of 2 "
                          "texts");
    expect_finding(scene, "scene.json:3:2: contact.exclude[2][0] = \"cube 7\" is");
    expect_finding(scene, "scene.json:3:12: contact.exclude[2][1] = 3, must be a text in quotes");
    expect_finding(scene,
                   "scene.json:4:1: contact.exclude[3] = \"lower\", must be a list of 2 texts");
    expect_finding(scene,
                   "scene.json:5:20: contact.allow_initial[0][0] = \"ground\" is a half-space");
    expect_finding(scene, "scene.json:5:37: contact.allow_initial[1][0] = \"uppper\" is");
    expect_finding(scene, "scene.json:6:33: contact.friction_pairs[0].between[0] = \"rubbber\" is");
    expect_finding(scene, "scene.json:8:20: contact.friction_pairs[1].friction_static = 0.2, must "
                          "be at least friction = 0.3, or");
    expect_finding(scene, "scene.json:8:26: contact.friction_pairs[2].between is missing");
    expect_finding(
        scene,
        "scene.json:8:39: contact.friction_pairs[2].friction = 101, must be >= 0 and <= 100");
    expect_finding(scene,
                   "scene.json:9:37: contact: friction_static = 0.1, must be at least friction "
                   "= 0.5");
    expect_count(scene, 12, 12);
    pli_scene_destroy(scene);
    // The same names as ever, but one that is no half-space.
    scene =
        scene_from("{'contact': {'exclude': [['lower', 'half-space 0']]}," BODIES "," GROUND "}");
    expect_finding(scene, "scene.json:1:36: contact.exclude[0][1] = \"half-space 0\" is");
    expect_count(scene, 1, 1);
    pli_scene_destroy(scene);
}

// Blocks that overlap, and one in the ground.
#define OVERLAP                                                                                    \
    "'bodies': [" BLOCK("a", "1", "") "," BLOCK("b", "1.5", "") "," BLOCK(                         \
        "c", "-0.2", "") "], 'obstacles': [{'type': 'half-space', 'point': [0, -0.5]}]"

static void starts_that_intersect(void** state) {
    (void)state;
    pli_scene* scene = scene_from("{" OVERLAP "}");
    assert_true(pli_scene_error_count(scene) >= 2);
    pli_scene_destroy(scene);
    scene =
        scene_from("{'contact': {'exclude': [['a', 'b'], ['half-space 0', 'c']]}, " OVERLAP "}");
    assert_int_equal(world_of(scene)->collision.exempt.count, 0);
    pli_scene_destroy(scene);
    // The one in the ground by its tag.
    scene = scene_from("{'contact': {'exclude': [['half-space 0', 'low']]}, 'bodies': [" BLOCK(
        "c", "-0.2", ", 'contact_group': 'low'") "], 'obstacles': [{'type': 'half-space', 'point': "
                                                 "[0, -0.5]}]}");
    expect_count(scene, 0, 0);
    assert_true(relation(scene, 0, 1).pass);
    pli_scene_destroy(scene);
    scene = scene_from(
        "{'contact': {'exclude': [['c', '*']], 'allow_initial': [['*', '*']]}, " OVERLAP "}");
    assert_int_equal(world_of(scene)->collision.exempt.count, 1);
    assert_true(world_of(scene)->collision.exempt.keys[0] == pli_body_pair_key(0, 1));
    pli_scene_destroy(scene);
    scene = scene_from(
        "{'contact': {'exclude': [['c', '*']], 'allow_initial': [['a', 'c']]}, " OVERLAP "}");
    assert_true(pli_scene_error_count(scene) >= 1); // a and b are not allowed to
    pli_scene_destroy(scene);
}

// In space, and against an obstacle that is a body.
static void starts_in_space(void** state) {
    (void)state;
#define SPACE_BODIES                                                                               \
    "'dimension': 3, 'bodies': [{'name': 'soft', 'mesh': {'type': 'box', 'size': [1, 1, 1], "      \
    "'segments': [1, 1, 1]}, 'energies': [{'type': 'neo-hookean'}]}], 'obstacles': [{'type': "     \
    "'sphere', 'name': 'ball', 'center': [0.1, 0.6, 0.1], 'radius': 0.3}]"
    pli_scene* scene = scene_from("{" SPACE_BODIES "}");
    assert_true(pli_scene_error_count(scene) >= 1);
    pli_scene_destroy(scene);
    scene = scene_from("{'contact': {'allow_initial': [['ball', 'soft']]}, " SPACE_BODIES "}");
    assert_int_equal(world_of(scene)->collision.exempt.count, 1);
    pli_scene_destroy(scene);
    scene = scene_from("{'contact': {'exclude': [['ball', 'soft']]}, " SPACE_BODIES "}");
    assert_int_equal(world_of(scene)->collision.exempt.count, 0);
    pli_scene_destroy(scene);
}

// 5,000 bodies and rules between groups of them: few classes, prepared and stepped like without.
static void many_bodies(void** state) {
    (void)state;
#define GRID(name, x, group)                                                                       \
    "{'name': '" name "', 'contact_group': '" group                                                \
    "', 'mesh': {'type': 'data', 'vertices': [[0, 0], [1, 0], [0, 1]], 'triangles': [[0, 1, 2]]}," \
    "'translate': [" x ", 0], 'energies': [{'type': 'neo-hookean'}], 'repeat': {'count': [25, "    \
    "50], 'spacing': [1.5, 1.5]}}"
    pli_scene* scene = scene_from(
        "{'contact': {'dhat': 0.01, 'exclude': [['one', 'two'], ['a', 'a 7'], ['d 1249', 'b']], "
        "'friction_pairs': [{'between': ['one', 'd'], 'friction': 0.2}]}, 'bodies': [" GRID(
            "a", "0", "one") "," GRID("b", "40", "one") "," GRID("c", "80",
                                                                 "two") "," GRID("d", "120",
                                                                                 "two") "]}");
    pli_world* world = world_of(scene);
    assert_int_equal(pli_world_body_count(world), 5000);
    assert_int_equal(world->collision.rules.class_count, 6); // a, a 7, b, c, d, d 1249
    assert_true(relation(scene, 0, 7).pass && !relation(scene, 0, 8).pass);
    assert_true(relation(scene, 0, 3750).friction == 0.2);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(wrong_words),
        cmocka_unit_test(starts_that_intersect),
        cmocka_unit_test(starts_in_space),
        cmocka_unit_test(many_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
