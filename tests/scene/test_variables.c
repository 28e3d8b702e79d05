// Comments, variables, and expressions wherever a number stands.
#include "scene/source.h"
#include "support.h"

#include <math.h>

// A scene with one body; texts are written with ' for ".
static const char* scene_text(const char* before, const char* size, const char* count) {
    static char text[4096];
    snprintf(text, sizeof text,
             "{ %s 'time': {'steps': 2}, 'gravity': [0, 0], 'contact': {'bodies': false}, "
             "'bodies': [ {'name': 'mat', 'mesh': {'type': 'rectangle', 'size': [%s, 1], "
             "'segments': [%s, 2]}, 'density': 1000, 'energies': [{'type': 'neo-hookean'}]} ] }",
             before, size, count);
    for (char* c = text; *c; ++c)
        if (*c == '\'') *c = '"';
    return text;
}

// Mass and number of vertices of the body of a scene without findings.
static void expect_body(const char* text, double mass, int vertices) {
    pli_scene* scene = scene_of(text);
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_true(fabs(pli_scene_summarize(scene)->mass - mass) < 1e-9 * mass);
    assert_int_equal(pli_scene_summarize(scene)->vertex_count, vertices);
    pli_scene_destroy(scene);
}

static void expressions_are_numbers(void** state) {
    (void)state;
    expect_body(scene_text("", "2", "4"), 2000, 15);
    expect_body(scene_text("", "'sqrt(4)'", "'2 + 2'"), 2000, 15);
    expect_body(
        scene_text("'variables': {'r': 1.5, 'n': 3, 'wide': '2*r'},", "'wide'", "'2*n - 4'"), 3000,
        9);
}

static void variables_follow_overrides(void** state) {
    (void)state;
    const char* text = scene_text("'variables': {'r': 1, 'wide': '2*r'},", "'wide'", "2");
    const char* const set[] = {"variables.r=2"};
    pli_scene* scene = scene_with(text, set, 1);
    assert_true(fabs(pli_scene_summarize(scene)->mass - 4000) < 1e-6);
    // What a run saves can be read again.
    expect_body(pli_scene_text(scene), 4000, 9);
    pli_scene_destroy(scene);
}

static void wrong_variables_have_places(void** state) {
    (void)state;
    static const struct {
        const char *before, *size, *count, *finding;
    } cases[] = {
        {"'variables': {'t': 1},", "1", "2", "scene.json:1:17: variable \"t\": must not be t, x,"},
        {"'variables': {'sin': 1},", "1", "2",
         "scene.json:1:17: variable \"sin\": must not be the"},
        {"'variables': {'and': 1},", "1", "2", "scene.json:1:17: variable \"and\": must not be an"},
        {"'variables': {'2r': 1},", "1", "2", "scene.json:1:17: variable \"2r\": must be made of"},
        {"'variables': {'e': 1},", "1", "2",
         "scene.json:1:17: variable \"e\": must not be pi or e"},
        {"'variables': {'r': true},", "1", "2", "scene.json:1:22: variable \"r\" is true, must be"},
        {"'variables': {'a': 'b', 'b': 1},", "1", "2",
         "scene.json:1:22: variable \"a\" = \"b\", character 1: unknown name \"b\""},
        {"'variables': {'a': '1/0'},", "1", "2",
         "scene.json:1:22: variable \"a\" = \"1/0\", the value is not a finite number"},
        {"'variables': [1],", "1", "2", "scene.json:1:16: variables is a list of 1, must be an"},
        {"'variables': {'radius': 1},", "'radios'", "2",
         "scene.json:1:169: body \"mat\": mesh.size[0] = \"radios\", must be a number; as an "
         "expression: character 1: unknown name \"radios\", did you mean the variable radius?"},
        {"", "'t'", "2",
         "scene.json:1:142: body \"mat\": mesh.size[0] = \"t\", must be a number; as "},
        {"", "'-1'", "2", "scene.json:1:142: body \"mat\": mesh.size[0] = -1 m, must be > 0"},
        {"", "1", "'5/2'",
         "scene.json:1:162: body \"mat\": mesh.segments[0] = \"5/2\", must be an integer"},
        {"'dimension': '3',", "1", "2", "scene.json:1:16: dimension is a text, must be the number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = scene_of(scene_text(cases[i].before, cases[i].size, cases[i].count));
        expect_finding(scene, cases[i].finding);
        pli_scene_destroy(scene);
    }
}

// ---- comments

static void expect_clean(const char* given, const char* wanted) {
    char text[256];
    assert_true(strlen(given) == strlen(wanted)); // places stay
    strcpy(text, given);
    pli_source_clean(text);
    assert_string_equal(text, wanted);
}

static void comments_become_spaces(void** state) {
    (void)state;
    expect_clean("{} // end", "{}       ");
    expect_clean("// a\n{}", "    \n{}");
    expect_clean("{/* a\n b */}", "{    \n     }");
    expect_clean("[1, /* , */ 2]", "[1,         2]");
    expect_clean("[\"// not\", 1]", "[\"// not\", 1]");
    expect_clean("[\"a\\\"// not\", 1]", "[\"a\\\"// not\", 1]");
    expect_clean("[1, 2, ]", "[1, 2  ]");
    expect_clean("[1, 2, // two\n]", "[1, 2        \n]");
    expect_clean("{\"a\": [1,],}", "{\"a\": [1 ] }");
    expect_clean("[,]", "[,]");
    expect_clean("[1,,]", "[1,,]");
    expect_clean("{} /* open", "{} /* open");
    expect_clean("{\"open", "{\"open");
    expect_clean("{\"open\\", "{\"open\\");
    expect_clean("/", "/");
    expect_clean("", "");
}

static void comments_are_read(void** state) {
    (void)state;
    pli_scene* scene = scene_of("// one\n{ /* two\n */ \"bodies\": 3, }\n// end");
    expect_finding(scene, "scene.json:3:15: bodies = 3, must be a list [...]");
    pli_scene_destroy(scene);
    scene = scene_of("{ /* open }");
    expect_finding(scene, "scene.json:1:3: not valid JSON");
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_numbers),     cmocka_unit_test(variables_follow_overrides),
        cmocka_unit_test(wrong_variables_have_places), cmocka_unit_test(comments_become_spaces),
        cmocka_unit_test(comments_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
