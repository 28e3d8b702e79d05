// The key "stencils": springs between two bodies, by a closed form, and what is refused.
#include "scene/support.h"

#include <math.h>

// Two points, the first fixed at the origin, the second at (0, -1).
#define POINT(name, more)                                                                          \
    "{\"name\": \"" name "\", \"vertex_mass\": 2, \"mesh\": {\"type\": \"point\"}" more "}"
#define SCENE(stencils)                                                                            \
    "{\"analysis\": \"static\", \"gravity\": [0, -10], \"time\": {\"steps\": 1},\n"                \
    "\"contact\": {\"bodies\": false}, \"bodies\": [" POINT("a", ", \"fix\": [{}]") ", " POINT(    \
        "b", ", \"translate\": [0, -1]") "],\n"                                                    \
                                         "\"stencils\": [" stencils "]}"
#define BETWEEN(one, other) "\"between\": [{\"body\": " one "}, {\"body\": " other "}]"

// k (l - 1) = m g
static void a_weight_on_a_spring(void** state) {
    (void)state;
    pli_scene* scene =
        scene_of(SCENE("{\"type\": \"hooke\", \"stiffness\": 100, " BETWEEN("\"b\"", "\"a\"") "}"));
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_world* world = pli_scene_world(scene);
    pli_step_info info;
    pli_error error = {0};
    assert_int_equal(pli_world_step(world, &info, &error), PLI_OK);
    assert_true(info.kept);
    // The step stops at gradient_tolerance of the forces.
    assert_true(fabs(pli_world_positions(world)[4] - -1.2) < 1e-4);
    pli_scene_destroy(scene);
}

// Two parallel lines of opposite direction, the second moved by 0.5 m at t = 0. By distance the
// springs are parallel, by order they cross. Each stores k/2 (l - l0)^2.
static void pairs_are_nearest(void** state) {
    (void)state;
    static const char* const pairings[] = {"nearest", "order"};
    const double crossed = sqrt(3.25) - sqrt(2);
    const double stored[] = {100 * 0.25, 100 * crossed * crossed}; // two springs each
    for (int i = 0; i < 2; ++i) {
        char text[1200];
        snprintf(text, sizeof text,
                 "{\"contact\": {\"bodies\": false}, \"bodies\": ["
                 "{\"name\": \"one\", \"vertex_mass\": 1, \"mesh\": {\"type\": \"line\", \"from\": "
                 "[0, 0], \"to\": [0, 1]}}, {\"name\": \"two\", \"vertex_mass\": 1, \"mesh\": "
                 "{\"type\": \"line\", \"from\": [1, 1], \"to\": [1, 0]}, \"initial\": [\"x + "
                 "0.5\", \"y\"]}], \"stencils\": [{\"type\": \"hooke\", \"stiffness\": 100, "
                 "\"pairing\": \"%s\", " BETWEEN("\"one\"", "\"two\"") "}]}",
                 pairings[i]);
        pli_scene* scene = scene_of(text);
        assert_int_equal(pli_scene_error_count(scene), 0);
        const pli_world* world = pli_scene_world(scene);
        double energy = 0;
        for (int k = 0; k < pli_world_energy_count(world); ++k)
            if (strcmp(pli_world_energy_name(world, k), "hooke") == 0)
                energy = pli_world_energy_value(world, k);
        assert_true(fabs(energy - stored[i]) < 1e-12 * stored[i]); // rounding
        pli_scene_destroy(scene);
    }
}

static void wrong_values(void** state) {
    (void)state;
    static const struct {
        const char *stencils, *finding;
    } wrong[] = {
        {"{\"type\": \"hooke\", " BETWEEN("\"b\"", "\"c\"") "}",
         "scene.json:3:68: there is no body \"c\""},
        {"{\"type\": \"hooke\", " BETWEEN("\"b\"", "\"b\"") "}", "scene.json:3:43: "},
        {"{\"type\": \"hooke\"}", "scene.json:3:14: stencils[0].between"},
        {"{\"type\": \"neo-hookean\"}", "scene.json:3:23: stencils[0].type = \"neo-hookean\""},
        {"{\"type\": \"hooke\", \"stiffness\": -1, " BETWEEN("\"b\"", "\"a\"") "}",
         "scene.json:3:45: stencils[0].stiffness = -1"},
        {"{\"type\": \"hooke\", \"between\": [{\"body\": \"b\", \"vertices\": [4]}, {\"body\": "
         "\"a\"}]}",
         "scene.json:3:71: vertex 4"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        char text[1200];
        snprintf(text, sizeof text, SCENE("%s"), wrong[i].stencils);
        pli_scene* scene = scene_of(text);
        expect_finding(scene, wrong[i].finding);
        assert_null(pli_scene_world(scene));
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_on_a_spring),
        cmocka_unit_test(pairs_are_nearest),
        cmocka_unit_test(wrong_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
