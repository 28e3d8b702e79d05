// Parameters that can be changed while a scene runs: which there are, and that overrides reach
// them.
#include "scene/support.h"

#include <stdlib.h>

static const pli_scene_parameter* find(const pli_scene* scene, const char* path) {
    for (int i = 0; i < pli_scene_parameter_count(scene); ++i)
        if (strcmp(pli_scene_parameter_at(scene, i)->path, path) == 0)
            return pli_scene_parameter_at(scene, i);
    return NULL;
}

static const char scene_text[] =
    "{ \"description\": \"two squares\", \"gravity\": [0, -2], \"time\": { \"step\": 0.02 },"
    "  \"solver\": { \"on_failure\": \"accept\" }, \"bodies\": ["
    "  { \"name\": \"mat\", \"density\": 500,"
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [1, 1] },"
    "    \"energies\": [ { \"type\": \"neo-hookean\", \"young\": 3e5 } ] },"
    "  { \"name\": \"block\", \"material\": \"steel\", \"translate\": [0, 3],"
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [1, 1] } } ],"
    "  \"obstacles\": [ { \"type\": \"half-space\", \"point\": [0, -2], \"normal\": [0, 1], "
    "\"friction\": 0.25 } ] }";

static void test_what_there_is(void** state) {
    (void)state;
    pli_scene* scene = scene_of(scene_text);
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_string_equal(pli_scene_run(scene)->description, "two squares");
    const pli_scene_parameter* gravity = find(scene, "gravity");
    assert_non_null(gravity);
    assert_int_equal(gravity->row->type, PLI_PARAM_VECTOR);
    assert_true(gravity->value[0] == 0 && gravity->value[1] == -2);
    assert_true(find(scene, "time.step")->value[0] == 0.02);
    assert_string_equal(find(scene, "solver.on_failure")->word, "accept");
    const pli_scene_parameter* young = find(scene, "bodies[0].energies[0].young");
    assert_non_null(young);
    assert_string_equal(young->body, "mat");
    assert_string_equal(young->row->unit, "Pa");
    assert_true(young->value[0] == 3e5);
    assert_true(find(scene, "bodies[0].density")->value[0] == 500);
    assert_true(find(scene, "obstacles[0].friction")->value[0] == 0.25);
    // The material brings an energy that the file does not have.
    assert_non_null(find(scene, "bodies[1].energies[0].young"));
    // What changes shapes or numbers of things is not there.
    assert_null(find(scene, "bodies[0].translate"));
    assert_null(find(scene, "bodies[0].mesh.size"));
    assert_null(find(scene, "time.steps"));
    assert_null(find(scene, "bodies[0].energies[0].plane_stress"));
    assert_null(pli_scene_parameter_at(scene, -1));
    assert_null(pli_scene_parameter_at(scene, pli_scene_parameter_count(scene)));
    pli_scene_destroy(scene);
}

// Every number, taken as an override with its own value, gives a scene that has it.
static void test_overrides_reach_them(void** state) {
    (void)state;
    pli_scene* scene = scene_of(scene_text);
    int tried = 0;
    for (int i = 0; i < pli_scene_parameter_count(scene); ++i) {
        const pli_scene_parameter* p = pli_scene_parameter_at(scene, i);
        char text[256];
        double value = p->value[0] * 1.01;
        if (p->row->type != PLI_PARAM_NUMBER || value == 0 || value > p->row->max) continue;
        snprintf(text, sizeof text, "%s=%.17g", p->path, value);
        pli_scene* other = scene_with(scene_text, (const char*[]){text}, 1);
        if (pli_scene_error_count(other) > 0) print_findings(other);
        assert_int_equal(pli_scene_error_count(other), 0);
        assert_true(find(other, p->path)->value[0] == value);
        pli_scene_destroy(other);
        ++tried;
    }
    assert_in_range(tried, 6, 100);
    pli_scene_destroy(scene);
}

// Of thousands of bodies only some are listed.
static void test_there_are_not_too_many(void** state) {
    (void)state;
    char* text = malloc(200000);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, 200000, "{ \"bodies\": [ ");
    for (int i = 0; i < 500; ++i)
        used += (size_t)snprintf(
            text + used, 200000 - used,
            "%s{ \"density\": 1, \"translate\": [%d, 0], \"mesh\": { \"type\": \"rectangle\", "
            "\"size\": [1, 1], \"segments\": [1, 1] }, \"energies\": [ { \"type\": \"neo-hookean\" "
            "} ] }",
            i > 0 ? ", " : "", 2 * i);
    snprintf(text + used, 200000 - used, " ] }");
    pli_scene* scene = scene_of(text);
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_in_range(pli_scene_parameter_count(scene), 100, 400);
    pli_scene_destroy(scene);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_there_is),
        cmocka_unit_test(test_overrides_reach_them),
        cmocka_unit_test(test_there_are_not_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
