// Every kind of error, with its exact line and column.
#include "support.h"

typedef struct bad_case {
    const char* text;
    const char* finding; // how it starts
} bad_case;

static void check_cases(const bad_case* cases, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        pli_scene* scene = scene_of(cases[i].text);
        expect_finding(scene, cases[i].finding);
        assert_true(pli_scene_error_count(scene) > 0);
        assert_null(pli_scene_world(scene));
        pli_scene_destroy(scene);
    }
}

#define CHECK(cases) check_cases(cases, sizeof(cases) / sizeof *(cases))

static void syntax(void** state) {
    (void)state;
    static const bad_case cases[] = {
        {"", "scene.json:1:1: the file is empty"},
        {" \n\t ", "scene.json:1:1: the file is empty"},
        {"[1]", "scene.json:1:1: a scene must be a JSON object"},
        {"7", "scene.json:1:1: not valid JSON"},
        {"{\n  \"a\": 1,\n  # no\n}", "scene.json:3:3: not valid JSON: string or '}' expected near "
                                      "'#'; comments are //"},
        {"{ /* no }",
         "scene.json:1:3: not valid JSON: string or '}' expected near '/'; the comment "
         "is not closed"},
        {"{ \"a\": NaN }", "scene.json:1:8: not valid JSON: invalid token near 'NaN'; numbers must "
                           "be finite"},
        {"{ \"a\": 1 \"b\": 2 }", "scene.json:1:10: not valid JSON: '}' expected near '\"b\"'; a "
                                  "comma may be missing"},
        {"{ \"a\": 1,,\n }", "scene.json:1:10: not valid JSON"},
        {"{ 'a': 1 }", "scene.json:1:3: not valid JSON: string or '}' expected near '''; texts are "
                       "written in double quotes"},
        {"{\"a\": [1, 2", "scene.json:1:12: not valid JSON: ']' expected near end of file; a "
                          "bracket or quote is not closed"},
        {"{\"a\": 1,\n\"a\": 2}", "scene.json:2:1: not valid JSON: duplicate object key"},
        {"{\"a\": \"\xff\"}", "scene.json:1:7: not valid JSON: unable to decode byte 0xff"},
        {"{\"a\": 1e999}", "scene.json:1:7: not valid JSON: real number overflow"},
        {"{\"a\": 99999999999999999999}", "scene.json:1:7: not valid JSON: too big integer"},
        {"{\"a\": \"x\n\"}", "scene.json:1:7: not valid JSON: unexpected newline near '\"x'; the "
                             "closing quote is missing"},
        {"{} x", "scene.json:1:4: not valid JSON: end of file expected near 'x'"},
        {"\xEF\xBB\xBF{}", "scene.json:1:1: not valid JSON: '[' or '{' expected near "
                           "'\xEF\xBB\xBF"},
    };
    CHECK(cases);
}

static void values(void** state) {
    (void)state;
    static const bad_case cases[] = {
        {"{\"time\": {\"step\": -0.01}}", "scene.json:1:19: time.step = -0.01 s, must be > 0"},
        {"{\"time\": {\"step\": 0}}", "scene.json:1:19: time.step = 0 s, must be > 0"},
        {"{\"time\": {\"step\": \"one\"}}",
         "scene.json:1:19: time.step = \"one\", must be a number"},
        {"{\"time\": {\"step\": null}}", "scene.json:1:19: time.step = null, must be a number"},
        {"{\"time\": {\"step\": {}}}", "scene.json:1:19: time.step is an object, must be a number"},
        {"{\"time\": [1]}", "scene.json:1:10: time is a list of 1, must be an object {...}"},
        {"{\"time\": {\"steps\": 2.5}}", "scene.json:1:20: time.steps = 2.5, must be an integer"},
        {"{\"time\": {\"steps\": 1e300}}", "scene.json:1:20: time.steps = 1e+300, must be"},
        {"{\"dimension\": 4}", "scene.json:1:15: dimension = 4, must be >= 2 and <= 3"},
        {"{\"dimension\": 2, \"gravity\": [0, 1, 2]}",
         "scene.json:1:29: gravity is a list of 3, must be two numbers [x, y]"},
        {"{\"dimension\": 3, \"gravity\": [0, 1]}",
         "scene.json:1:29: gravity is a list of 2, must be three numbers [x, y, z]"},
        {"{\"gravity\": [0,\n true]}", "scene.json:2:2: gravity[1] = true, must be a number"},
        {"{\"gravity\": [0,\n false]}", "scene.json:2:2: gravity[1] = false, must be a number"},
        {"{\"contact\": {\"bodies\": 1}}",
         "scene.json:1:24: contact.bodies = 1, must be true or false"},
        {"{\"name\": 3}", "scene.json:1:10: name = 3, must be a text in quotes"},
        {"{\"solver\": {\"method\": \"newtn\"}}",
         "scene.json:1:23: solver.method = \"newtn\", must be one of \"projected-newton\", "
         "\"newton\", <others>, did you mean \"newton\"?"},
        {"{\"solver\": {\"method\": 1}}", "scene.json:1:23: solver.method = 1, must be one of"},
        {"{\"bodies\": 3}", "scene.json:1:12: bodies = 3, must be a list [...]"},
        {"{\"bodies\": []}", "scene.json:1:12: bodies has 0 entries, must have at least 1"},
        {"{\"bodies\": [3]}", "scene.json:1:13: bodies[0]: it is 3, must be an object {...}"},
        {"{\"bodies\": [[1]]}", "scene.json:1:13: bodies[0]: it is a list of 1, must be an object"},
        {"{}", "scene.json:1:1: bodies is missing"},
    };
    CHECK(cases);
}

static void keys(void** state) {
    (void)state;
    static const bad_case cases[] = {
        {"{\n \"gravty\": [0, 0] }",
         "scene.json:2:2: unknown key \"gravty\", did you mean \"gravity\"?"},
        {"{\"time\": { \"xyzzy\": 1 }}",
         "scene.json:1:12: unknown key \"xyzzy\"; known here: \"step\", \""},
        {"{\"obstacles\": [ {\n\"point\": [0, 0]} ]}",
         "scene.json:1:17: obstacles[0].type is missing: one of \"half-space\""},
        {"{\"obstacles\": [ {\"type\": 3} ]}",
         "scene.json:1:26: obstacles[0].type = 3, must be one of \"half-space\""},
        {"{\"obstacles\": [ {\"type\": \"half-space\", \"typ\": 3} ]}",
         "scene.json:1:40: unknown key \"typ\""},
    };
    CHECK(cases);
}

// Messages about a body name it.
#define BODY(rest) "{\"bodies\": [\n{\"name\": \"mat\",\n" rest "} ] }"
#define SQUARE "\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [1, 1]}"

static void bodies(void** state) {
    (void)state;
    static const bad_case cases[] = {
        {BODY(SQUARE ",\n \"density\": -5"),
         "scene.json:4:13: body \"mat\": density = -5 kg/m^3, must be > 0"},
        {BODY(SQUARE ", \"vertex_mass\": -1"),
         "scene.json:3:83: body \"mat\": vertex_mass = -1 kg"},
        {BODY("\"densty\": 5"),
         "scene.json:3:1: body \"mat\": unknown key \"densty\", did you mean "
         "\"density\"?"},
        {BODY("\"density\": 5"), "scene.json:2:1: body \"mat\": mesh is missing:"},
        {BODY("\"mesh\": {\"type\": \"rectangel\"}"),
         "scene.json:3:18: body \"mat\": mesh.type = \"rectangel\", must be one of \"rectangle\", "
         "\"disk\", <others>, did you mean \"rectangle\"?"},
        {BODY("\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 0], \"segments\": [1, 1]}"),
         "scene.json:3:43: body \"mat\": mesh.size[1] = 0 m, must be > 0"},
        {BODY("\"mesh\": {\"type\": \"rectangle\", \"size\": [1], \"segments\": [1, 1]}"),
         "scene.json:3:39: body \"mat\": mesh.size is a list of 1, must be a list of 2 numbers"},
        {BODY("\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [1000000000, "
              "1]}"),
         "scene.json:3:60: body \"mat\": mesh.segments[0] = 1e+09, must be >= 1 and <= 100000"},
        {BODY(SQUARE ", \"energies\": [{\"type\": \"neo-hookean\", \"poisson\": 0.5}]"),
         "scene.json:3:116: body \"mat\": energies[0].poisson = 0.5, must be >= 0 and < 0.5"},
        {BODY(SQUARE ", \"energies\": [{\"type\": \"neo-hookean\", \"young\": 0}]"),
         "scene.json:3:114: body \"mat\": energies[0].young = 0 Pa, must be > 0"},
        {BODY(SQUARE ", \"scale\": [0, 1]"), "scene.json:3:77: body \"mat\": scale along x = 0"},
    };
    CHECK(cases);
}

static void references(void** state) {
    (void)state;
    static const bad_case cases[] = {
        {BODY("\"mesh\": {\"type\": \"data\", \"vertices\": [[0, 0], [1, 0]], \"segments\": [[0, "
              "2]]}"),
         "scene.json:3:73: body \"mat\": mesh.segments[0][1] = 2, must be a vertex number from 0 "
         "to 1"},
        {BODY("\"mesh\": {\"type\": \"data\", \"vertices\": [[0, 0]], \"segments\": [[0, -1]]}"),
         "scene.json:3:65: body \"mat\": mesh.segments[0][1] = -1, must be >= 0"},
        {BODY("\"mesh\": {\"type\": \"data\", \"vertices\": []}"),
         "scene.json:3:38: body \"mat\": mesh.vertices has 0 entries, must have at least 1"},
        {BODY("\"mesh\": {\"type\": \"file\", \"path\": \"/not/there.obj\"}"),
         "scene.json:3:34: body \"mat\": "},
        {BODY(SQUARE ", \"fix\": [{\"vertices\": [0, 4]}]"),
         "scene.json:3:93: body \"mat\": vertex 4 does not"},
        {BODY(SQUARE ", \"fix\": [{\"box\": [[2, 2], [3, 3]]}]"),
         "scene.json:3:84: body \"mat\": box: no vertex of the body is inside"},
        {BODY(SQUARE ", \"fix\": [{\"box\": [[3, 2], [2, 3]]}]"),
         "scene.json:3:84: body \"mat\": box: the first corner must not"},
        {BODY(SQUARE ", \"fix\": [{\"vertices\": [0], \"box\": [[0, 0], [1, 1]]}]"),
         "scene.json:3:76: body \"mat\": no vertex of the body"},
        {BODY(SQUARE ", \"fix\": [{\"axes\": [\"w\"]}]"),
         "scene.json:3:86: body \"mat\": fix[0].axes[0] = \"w\", must be one of \"x\", \"y\", "
         "\"z\""},
        {BODY(SQUARE ", \"prescribe\": [{\"keys\": [{\"time\": 1, \"offset\": [0, 0]},\n"
                     "{\"time\": 1, \"offset\": [1, 0]}]}]"),
         "scene.json:4:10: body \"mat\": keys[1].time must be later"},
        {BODY(SQUARE ", \"prescribe\": [{\"velocity\": [1, 0], \"keys\": [{\"time\": 1, "
                     "\"offset\": [0, 0]}]}]"),
         "scene.json:3:95: body \"mat\": velocity and keys are both given"},
        {"{\"bodies\": [" SQUARE_BODY "], \"obstacles\": [\n"
         "{\"type\": \"half-space\", \"point\": [0, -9], \"carrier\": \"mta\"}]}",
         "scene.json:2:53: obstacles[0].carrier = \"mta\": there is no such body, did you mean "
         "\"mat\"?"},
        {"{\"bodies\": [" SQUARE_BODY "], \"obstacles\": [\n"
         "{\"type\": \"half-space\", \"point\": [0, -9], \"normal\": [0, 0]}]}",
         "scene.json:2:52: obstacles[0].normal is zero"},
        {"{\"bodies\": [" SQUARE_BODY ",\n" SQUARE_BODY "]}",
         "scene.json:2:11: body \"mat\": bodies[0] has the same name"},
    };
    CHECK(cases);
}

// One pass finds all of it, in the order of the text.
static void all_at_once(void** state) {
    (void)state;
    pli_scene* scene = scene_of("{\n\"time\": {\"step\": -1, \"foo\": 1},\n\"gravity\": 3,\n"
                                "\"bodies\": [ {\"mesh\": 1}, {\"density\": 0} ],\n\"bar\": 2 }");
    assert_int_equal(pli_scene_error_count(scene), 7);
    int line = 0;
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        assert_true(pli_scene_finding(scene, i)->line >= line);
        line = pli_scene_finding(scene, i)->line;
    }
    expect_finding(scene, "scene.json:4:26: bodies[1]: mesh is missing");
    expect_finding(scene, "scene.json:4:38: bodies[1]: density = 0 kg/m^3, must be > 0");
    pli_scene_destroy(scene);
}

// A flood of findings is cut and counted.
static void flood(void** state) {
    (void)state;
    char text[4096] = "{\"bodies\": [{\"mesh\": {\"type\": \"data\", \"vertices\": [";
    for (int i = 0; i < 500; ++i) strcat(text, "[0],");
    strcat(text, "[0]]}}]}");
    pli_scene* scene = scene_of(text);
    assert_int_equal(pli_scene_error_count(scene), 501);
    assert_int_equal(pli_scene_finding_count(scene), 201);
    assert_string_equal(pli_scene_finding(scene, 200)->message, "and 301 more findings");
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax), cmocka_unit_test(values),     cmocka_unit_test(keys),
        cmocka_unit_test(bodies), cmocka_unit_test(references), cmocka_unit_test(all_at_once),
        cmocka_unit_test(flood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
