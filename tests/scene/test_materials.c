// Materials in scenes: each by name with its constants, wrong constants with the place in the file.
#include <math.h>

#include "support.h"

#define MAT(energy)                                                                                \
    "{\"gravity\": [0, -9.81], \"bodies\": [{\"name\": \"mat\", \"mesh\": {\"type\": "             \
    "\"rectangle\", \"size\": [1, 1], \"segments\": [3, 3]}, \"stretch\": [1.2, 0.9],\n"           \
    "\"energies\": [" energy "]}]}"

static void every_material_runs(void** state) {
    (void)state;
    static const char* const scenes[] = {
        MAT("{\"type\": \"arap\", \"lame_mu\": 4e4}"),
        MAT("{\"type\": \"fixed-corotated\", \"young\": 1e5, \"poisson\": 0.3}"),
        MAT("{\"type\": \"neo-hookean\", \"lame_mu\": 4e4, \"lame_lambda\": 1e5}"),
        MAT("{\"type\": \"stable-neo-hookean\", \"poisson\": 0.49}"),
        MAT("{\"type\": \"st-venant-kirchhoff\", \"young\": 1e5, \"plane_stress\": 1}"),
        MAT("{\"type\": \"linear\", \"plane_stress\": 1}"),
        MAT("{\"type\": \"arap\"}, {\"type\": \"volume\", \"lame_lambda\": 1e5}"),
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        pli_scene* scene = scene_of(scenes[i]);
        if (pli_scene_error_count(scene) > 0) print_findings(scene);
        assert_int_equal(pli_scene_error_count(scene), 0);
        pli_world* world = pli_scene_world(scene);
        assert_non_null(world);
        double before = 0, after = 0, stress[6 * 18];
        for (int s = 0; s < 3; ++s) {
            pli_step_info info;
            assert_int_equal(pli_world_step(world, &info, NULL), PLI_OK);
            assert_int_equal(info.reason, PLI_CONVERGED);
            double sum = 0;
            for (int k = 0; k < pli_world_energy_count(world); ++k)
                sum += pli_world_energy_value(world, k);
            if (s == 0) before = sum;
            after = sum;
        }
        assert_true(after < before); // backward Euler loses some
        pli_world_element_fields(world, PLI_TRIANGLE, NULL, stress);
        assert_true(fabs(stress[0]) > 1);
        pli_scene_destroy(scene);
    }
}

static void expect(const char* text, const char* finding) {
    pli_scene* scene = scene_of(text);
    expect_finding(scene, finding);
    assert_true(pli_scene_error_count(scene) > 0);
    pli_scene_destroy(scene);
}

static void wrong_constants(void** state) {
    (void)state;
    expect(MAT("{\"type\": \"neo-hookean\", \"poisson\": 0.5}"),
           "scene.json:2:49: body \"mat\": energies[0].poisson = 0.5");
    expect(MAT("{\"type\": \"fixed-corotated\", \"poisson\": -0.1}"),
           "scene.json:2:53: body \"mat\": energies[0].poisson = -0.1, must be >= 0");
    expect(
        MAT("{\"type\": \"neo-hookean\", \"young\": 1, \"lame_mu\": 2}"),
        "scene.json:2:14: body \"mat\": energy \"neo-hookean\": young and lame_mu are both given");
    expect(MAT("{\"type\": \"arap\", \"lame_lambda\": 2}"),
           "scene.json:2:31: body \"mat\": unknown key \"lame_lambda\"");
}

// A start turned inside out is an error only where the energy forbids it.
static void inverted_start(void** state) {
    (void)state;
#define FLIPPED(name)                                                                              \
    "{\"bodies\": [{\"name\": \"mat\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], "     \
    "\"segments\": [2, 2]}, \"stretch\": [-1, 1], \"energies\": [{\"type\": \"" name "\"}]}]}"
    expect(FLIPPED("neo-hookean"), "scene.json:1:");
    pli_scene* scene = scene_of(FLIPPED("stable-neo-hookean"));
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_material_runs),
        cmocka_unit_test(wrong_constants),
        cmocka_unit_test(inverted_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
