// Broken scenes: every truncation and thousands of changed bytes give findings or a scene, never a
// crash, a hang or a step without an answer.
#include <stdlib.h>

#include "support.h"

// A scene that uses most of the grammar. Small, so that building it costs little.
static const char whole[] =
    "{ \"name\": \"f\\u00e4z\", \"version\": 1, \"dimension\": 2,\n"
    "  \"time\": { \"step\": 0.01, \"duration\": 0.5 }, \"gravity\": [0, -9.81],\n"
    "  \"solver\": { \"method\": \"newton\", \"tolerance\": 1e-3 },\n"
    "  \"contact\": { \"bodies\": true, \"dhat\": 0.01 },\n"
    "  \"bodies\": [\n"
    "    { \"name\": \"a\", \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": "
    "[2, 2] },\n"
    "      \"stretch\": [1.1, 1], \"rotate\": 5, \"energies\": [ { \"type\": \"neo-hookean\", "
    "\"young\": 9e4 } ],\n"
    "      \"fix\": [ { \"box\": [[-1, -1], [-0.4, 1]], \"axes\": [\"x\"] } ] },\n"
    "    { \"name\": \"b\", \"mesh\": { \"type\": \"data\", \"vertices\": [[3, 0], [4, 0], [3, "
    "1]],\n"
    "      \"triangles\": [[0, 1, 2]], \"segments\": [[0, 1]] }, \"mass\": \"even\" },\n"
    "    { \"name\": \"c\", \"mesh\": { \"type\": \"point\" }, \"translate\": [0, 5], "
    "\"vertex_mass\": 1,\n"
    "      \"prescribe\": [ { \"keys\": [ { \"time\": 0, \"offset\": [0, 0] } ] } ] },\n"
    "    { \"name\": \"d\", \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": "
    "[1, 2] },\n"
    "      \"material\": \"cork\", \"repeat\": { \"count\": [2, 1], \"spacing\": [3, 0] }, "
    "\"translate\": [0, -9],\n"
    "      \"initial\": [\"x + 0.1*y\", \"y\"], \"scramble\": 1e-3, \"velocity\": [\"sin(x)\", "
    "1],\n"
    "      \"prescribe\": [ { \"group\": \"left\", \"spin\": 1, \"center\": [0, 1], \"until\": 2 "
    "},\n"
    "        { \"where\": \"x > 0.4 && y < -9\", \"offset\": [\"x*t^2\", \"t < 1 ? t : 1\"] } ],\n"
    "      \"loads\": [ { \"type\": \"pressure\", \"value\": \"1e3*t\", \"sphere\": { \"radius\": "
    "99 } "
    "},\n"
    "        { \"type\": \"force\", \"value\": [1, \"e\"], \"plane\": { \"normal\": [0, 1], "
    "\"point\": [0, -99] } } ] } ],\n"
    "  \"obstacles\": [ { \"type\": \"half-space\", \"normal\": [0, -1], \"carrier\": \"c\" } ],\n"
    "  \"output\": { \"frame_every\": 2 } }\n";

// A step of the linear congruential generator of Knuth's MMIX; the high bits are good.
static uint32_t next_random(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

// Either there is a world or there are errors, and every finding has a message and a place in the
// text (or none).
static void check_answer(const char* text) {
    pli_scene* scene = scene_of(text);
    assert_true((pli_scene_error_count(scene) == 0) == (pli_scene_world(scene) != NULL));
    int lines = 1;
    for (const char* p = text; *p; ++p) lines += *p == '\n';
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        const pli_finding* f = pli_scene_finding(scene, i);
        assert_true(f->message[0] && f->line >= 0 && f->line <= lines);
        assert_true(f->line == 0 || f->column >= 1);
    }
    pli_scene_destroy(scene);
}

static void the_whole_scene_is_right(void** state) {
    (void)state;
    pli_scene* scene = scene_of(whole);
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_scene_destroy(scene);
}

static void truncated(void** state) {
    (void)state;
    char* copy = malloc(sizeof whole);
    for (size_t n = 0; n < sizeof whole; ++n) {
        memcpy(copy, whole, n);
        copy[n] = '\0';
        check_answer(copy);
    }
    free(copy);
}

static void changed_bytes(void** state) {
    (void)state;
    static const char marks[] = "{}[]:,\"\\0123456789.eE+-tfn \n/x()*^<>&?";
    uint64_t seed = 12345;
    char copy[sizeof whole];
    for (int round = 0; round < 4000; ++round) {
        memcpy(copy, whole, sizeof whole);
        int changes = 1 + (int)(next_random(&seed) % 3);
        for (int i = 0; i < changes; ++i) {
            size_t at = next_random(&seed) % (sizeof whole - 1);
            uint32_t r = next_random(&seed);
            copy[at] = r % 4 ? marks[r % (sizeof marks - 1)] : (char)(1 + r % 255);
        }
        check_answer(copy);
    }
}

// Pieces moved around: structure is wrong, tokens are right.
static void moved_pieces(void** state) {
    (void)state;
    uint64_t seed = 777;
    char copy[2 * sizeof whole];
    for (int round = 0; round < 1000; ++round) {
        size_t from = next_random(&seed) % (sizeof whole - 1);
        size_t length = next_random(&seed) % 40, to = next_random(&seed) % (sizeof whole - 1);
        if (from + length > sizeof whole - 1) length = sizeof whole - 1 - from;
        memcpy(copy, whole, to);
        memcpy(copy + to, whole + from, length);
        memcpy(copy + to + length, whole + to, sizeof whole - to);
        check_answer(copy);
    }
}

static void deep_nesting(void** state) {
    (void)state;
    enum { DEPTH = 100000 };
    char* deep = malloc(DEPTH + 1);
    memset(deep, '[', DEPTH);
    deep[DEPTH] = '\0';
    deep[0] = '{';
    check_answer(deep);
    memcpy(deep, "{\"a\":", 5);
    check_answer(deep);
    free(deep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_scene_is_right),
        cmocka_unit_test(truncated),
        cmocka_unit_test(changed_bytes),
        cmocka_unit_test(moved_pieces),
        cmocka_unit_test(deep_nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
