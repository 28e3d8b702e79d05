// Materials in scenes: each by name with its constants, wrong constants with the place in the file,
// presets.
#include "scene/tables.h"

#include <math.h>

#include "base/text.h"
#include "pliant/change.h"
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
        pli_world_element_fields(world, PLI_TRIANGLE, &(pli_element_fields){.stress = stress});
        assert_true(fabs(stress[0]) > 1);
        pli_scene_destroy(scene);
    }
}

// Stone that falls on an edge and tumbles: energies of tiny strains must keep their digits while it
// turns, or line searches stall on their noise.
#define TUMBLING(law, angles)                                                                      \
    "{\"dimension\": 3, \"time\": {\"step\": 0.01}, \"gravity\": [0, -9.81, 0], \"contact\": "     \
    "{\"dhat\": 2e-4, \"friction\": 0.5, \"friction_speed\": 1e-4}, \"bodies\": [{\"density\": "   \
    "2300, \"mesh\": {\"type\": \"box\", \"size\": [0.3, 0.2, 0.4], \"segments\": [2, 1, 1]}, "    \
    "\"rotate\": " angles ", \"translate\": [0, 0.4, 0], \"velocity\": [1, -1, 0], \"energies\": " \
    "[{\"type\": \"" law "\", \"young\": 1e11, \"poisson\": 0.2}]}], \"obstacles\": [{\"type\": "  \
    "\"half-space\", \"friction\": 0.5}]}"

static void stiff_bodies_tumble(void** state) {
    (void)state;
    static const char* const scenes[] = {
        TUMBLING("neo-hookean", "[20, 30, 40]"),
        TUMBLING("neo-hookean", "[70, 10, -50]"),
        TUMBLING("stable-neo-hookean", "[20, 30, 40]"),
        TUMBLING("stable-neo-hookean", "[70, 10, -50]"),
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        pli_scene* scene = scene_of(scenes[i]);
        pli_world* world = pli_scene_world(scene);
        assert_non_null(world);
        for (int s = 0; s < 45; ++s) {
            pli_step_info info;
            assert_int_equal(pli_world_step(world, &info, NULL), PLI_OK);
            if (info.reason != PLI_CONVERGED)
                fail_msg("scene %zu, step %d: %s", i, s, pli_reason_text(info.reason));
        }
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

// ---- presets

#define BLOCK(rest)                                                                                \
    "{\"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", \"size\": [2, 1], "       \
    "\"segments\": [2, 1]},\n" rest "}]}"

// Mass and stress of a body that is stretched by 1 %: what density and modulus came out.
static void check_preset(const char* text, double mass, double modulus) {
    pli_scene* scene = scene_of(text);
    if (pli_scene_finding_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_finding_count(scene), 0);
    assert_true(fabs(pli_scene_summarize(scene)->mass - mass) < 1e-9 * mass);
    double stress[6 * 4];
    pli_world_element_fields(pli_scene_world(scene), PLI_TRIANGLE,
                             &(pli_element_fields){.stress = stress});
    // plane strain: xx = (lambda + 2 mu) 0.01 to first order; 3 % for the rest
    if (!(fabs(stress[0] / 0.01 / modulus - 1) < 0.03))
        fail_msg("%s: modulus %g, not %g", text, stress[0] / 0.01, modulus);
    pli_scene_destroy(scene);
}

// lambda + 2 mu = E (1 - nu) / ((1 + nu) (1 - 2 nu))
static double p_wave(double young, double poisson) {
    return young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson));
}

static void presets(void** state) {
    (void)state;
#define STRETCHED ", \"stretch\": [1.01, 1]"
    check_preset(BLOCK("\"material\": \"rubber\"" STRETCHED), 2 * 930, p_wave(2e6, 0.49));
    check_preset(BLOCK("\"material\": \"steel\"" STRETCHED), 2 * 7850, p_wave(2.1e11, 0.3));
    // what is given wins
    check_preset(BLOCK("\"material\": \"rubber\", \"density\": 5" STRETCHED), 2 * 5,
                 p_wave(2e6, 0.49));
    check_preset(BLOCK("\"material\": \"steel\", \"energies\": [{\"type\": \"linear\"}]" STRETCHED),
                 2 * 7850, p_wave(2.1e11, 0.3));
    check_preset(BLOCK("\"material\": \"steel\", \"energies\": [{\"type\": \"linear\", \"young\": "
                       "1e5}]" STRETCHED),
                 2 * 7850, p_wave(1e5, 0.3));
    check_preset(
        BLOCK("\"material\": \"steel\", \"energies\": [{\"type\": \"linear\", \"lame_mu\": "
              "1e5, \"lame_lambda\": 2e5}]" STRETCHED),
        2 * 7850, 4e5);
    check_preset(BLOCK("\"material\": \"none\", \"energies\": [{\"type\": \"linear\"}]" STRETCHED),
                 2 * 1000, p_wave(1e5, 0.4));
}

static void unknown_materials(void** state) {
    (void)state;
    expect(BLOCK("\"material\": \"ruber\""),
           "scene.json:2:13: body \"b\": material = \"ruber\", must "
           "be one of ");
    pli_scene* scene = scene_of(BLOCK("\"material\": \"ruber\""));
    assert_non_null(strstr(pli_scene_finding(scene, pli_scene_finding_count(scene) - 1)->message,
                           "did you mean \"rubber\"?"));
    pli_scene_destroy(scene);
    expect(BLOCK("\"material\": 3"), "scene.json:2:13: body \"b\": material = 3, must be one of ");
}

// Density is the body's: an energy with a row of this name keeps its own.
static void presets_stay_in_place(void** state) {
    (void)state;
    pli_preset preset = pli_material_preset("steel");
    assert_int_equal(preset.own_count, 1);
    assert_string_equal(preset.values[0].name, "density");
    assert_int_equal(pli_material_preset("unobtainium").count, 0);
}

static void rows_of_materials(void** state) {
    (void)state;
    int count = 0;
    for (const pli_material* m; (m = pli_material_at(count)); ++count) {
        double young = m->values[PLI_MATERIAL_YOUNG].value;
        assert_true(m->values[PLI_MATERIAL_DENSITY].value > 0);
        assert_true(m->young_low <= young && young <= m->young_high);
        assert_true(m->values[PLI_MATERIAL_POISSON].value < 0.5);
        assert_true(m->what[0] && m->source[0]);
        assert_string_equal(pli_material_name(count + 1), m->name);
    }
    assert_true(count >= 16);
    assert_null(pli_material_at(-1));
    pli_preset steel = pli_material_preset("mild-steel");
    assert_string_equal(steel.values[PLI_MATERIAL_YIELD].name, "von-mises.yield");
    assert_true(steel.values[PLI_MATERIAL_YIELD].value == 2.5e8);
    assert_true(isnan(pli_material_preset("steel").values[PLI_MATERIAL_YIELD].value));
}

// ---- sheets

static void rows_of_sheets(void** state) {
    (void)state;
    int solids = 0, count = 0;
    while (pli_material_at(solids)) ++solids;
    for (const pli_sheet_material* m; (m = pli_sheet_material_at(count)); ++count) {
        const pli_setting* v = m->values;
        double t = v[PLI_SHEET_THICKNESS].value, nu = v[PLI_SHEET_POISSON].value;
        assert_true(v[PLI_SHEET_DENSITY].value > 0 && t > 1e-6 && t < 2e-3 && nu < 0.5);
        double k = v[PLI_SHEET_YOUNG].value * t * t * t / (36 * (1 - nu * nu));
        assert_true(fabs(v[PLI_SHEET_HINGE].value / k - 1) < 1e-12);
        assert_true(m->what[0] && m->source[0] && m->energies[0]);
        assert_string_equal(pli_material_name(solids + count + 1), m->name);
        assert_string_equal(pli_material_help(solids + count + 1), m->what);
    }
    assert_true(count >= 11);
    assert_null(pli_material_name(solids + count + 1));
    assert_null(pli_sheet_material_at(-1));
    assert_null(pli_sheet_material_find("steel"));
}

#define SHEET(rest)                                                                                \
    "{\"dimension\": 3, \"time\": {\"step\": 0.01}, \"bodies\": [{\"name\": \"s\", \"mesh\": "    \
    "{\"type\": \"rectangle\", \"size\": [2, 1], \"segments\": [4, 2]},\n" rest "}]}"

// A parameter of an energy of the first body; NAN: there is none.
static double setting_of(pli_scene* scene, const char* energy, const char* name) {
    pli_world* world = pli_scene_world(scene);
    for (int i = 0; i < pli_world_added_energy_count(world); ++i) {
        pli_energy_id id = pli_world_energy_id(world, i);
        double value;
        if (strcmp(pli_world_energy_type(world, id)->name, energy) == 0 &&
            pli_world_energy_setting(world, id, name, &value))
            return value;
    }
    return NAN;
}

static pli_scene* sound_scene(const char* text) {
    pli_scene* scene = scene_of(text);
    if (pli_scene_finding_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_finding_count(scene), 0);
    return scene;
}

// Each stands, stretched by 0.1 %, for some steps; its mass is density * thickness * area.
static void every_sheet_runs(void** state) {
    (void)state;
    for (int i = 0; pli_sheet_material_at(i); ++i) {
        const pli_sheet_material* m = pli_sheet_material_at(i);
        char text[600];
        pli_format(text, sizeof text, SHEET("\"stretch\": [1.001, 1, 1], \"material\": \"%s\""),
                   m->name);
        pli_scene* scene = sound_scene(text);
        double mass = 2 * m->values[PLI_SHEET_DENSITY].value * m->values[PLI_SHEET_THICKNESS].value;
        assert_true(fabs(pli_scene_summarize(scene)->mass / mass - 1) < 1e-9);
        double limit = setting_of(scene, "strain-limit", "limit");
        assert_true(limit == m->values[PLI_SHEET_LIMIT].value ||
                    (isnan(limit) && isnan(m->values[PLI_SHEET_LIMIT].value)));
        for (int s = 0; s < 3; ++s) {
            pli_step_info info;
            assert_int_equal(pli_world_step(pli_scene_world(scene), &info, NULL), PLI_OK);
            if (info.reason != PLI_CONVERGED)
                fail_msg("%s, step %d: %s", m->name, s, pli_reason_text(info.reason));
        }
        pli_scene_destroy(scene);
    }
}

// What is given wins, and values of a type go to energies of this type alone.
static void sheets_are_defaults(void** state) {
    (void)state;
    pli_scene* scene = scene_of(
        SHEET("\"material\": \"cotton\", \"thickness\": 0.001, \"energies\": [{\"type\": \"shell\", "
              "\"young\": 1e4}, {\"type\": \"hinge\"}, {\"type\": \"strain-limit\", \"limit\": 1.5}]"));
    assert_int_equal(pli_scene_error_count(scene), 0); // shell and hinge both bend: a warning
    assert_int_equal(pli_scene_finding_count(scene), 1);
    assert_true(fabs(pli_scene_summarize(scene)->mass - 2 * 472.64e-3) < 1e-9);
    assert_true(setting_of(scene, "shell", "young") == 1e4);
    assert_true(setting_of(scene, "shell", "poisson") == 0.243);
    assert_true(setting_of(scene, "hinge", "stiffness") ==
                pli_sheet_material_find("cotton")->values[PLI_SHEET_HINGE].value);
    assert_true(setting_of(scene, "strain-limit", "limit") == 1.5);
    pli_scene_destroy(scene);
    scene = sound_scene(SHEET("\"material\": \"silk\""));
    assert_true(setting_of(scene, "orthotropic", "c22") == 9.942e6);
    assert_true(setting_of(scene, "bending", "young") == 0.57e6);
    pli_scene_destroy(scene);
    scene = sound_scene(
        SHEET("\"material\": \"silk\", \"energies\": [{\"type\": \"orthotropic\", \"young_warp\": 1e6, "
              "\"young_weft\": 1e6, \"poisson_warp\": 0, \"shear\": 1e5}]"));
    assert_true(isnan(setting_of(scene, "orthotropic", "c22")));
    pli_scene_destroy(scene);
}

static void sheets_elsewhere(void** state) {
    (void)state;
    expect(BLOCK("\"material\": \"cotton\""),
           "scene.json:2:13: body \"b\": material \"cotton\" is a sheet, but the body is in the plane");
    expect("{\"dimension\": 3, \"bodies\": [{\"name\": \"b\", \"material\": \"wool\", \"mesh\": {\"type\": "
           "\"box\", \"size\": [1, 1, 1], \"segments\": [1, 1, 1]}}]}",
           "scene.json:1:55: body \"b\": material \"wool\" is a sheet, but the body has tetrahedra");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_material_runs),
        cmocka_unit_test(stiff_bodies_tumble),
        cmocka_unit_test(wrong_constants),
        cmocka_unit_test(inverted_start),
        cmocka_unit_test(presets),
        cmocka_unit_test(unknown_materials),
        cmocka_unit_test(presets_stay_in_place),
        cmocka_unit_test(rows_of_materials),
        cmocka_unit_test(rows_of_sheets),
        cmocka_unit_test(every_sheet_runs),
        cmocka_unit_test(sheets_are_defaults),
        cmocka_unit_test(sheets_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
