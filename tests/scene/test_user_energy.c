// The two-file recipe from outside the library: an energy type defined here, named in a scene, with
// its own parameter, range and help.
#include "oracle/near.h"
#include "pliant/pliant.h"

// A uniform wind: P = -F . x for each vertex, F along x.
typedef struct wind {
    double force; // [N]
} wind;

static pli_status wind_prepare(const double* params, const pli_element* element, void* data,
                               pli_error* error) {
    (void)element, (void)error;
    ((wind*)data)->force = params[0];
    return PLI_OK;
}

static void wind_eval(const pli_batch* in, pli_local* out) {
    const wind* winds = in->data;
    for (int i = 0; i < in->count; ++i) {
        if (in->want & PLI_VALUE) out->e[i] -= winds[i].force * in->x[3 * in->vertices[i]];
        if (in->want & PLI_GRADIENT) out->g[i * in->dim] -= winds[i].force;
    }
}

static const pli_param wind_params[] = {{.name = "force",
                                         .type = PLI_PARAM_NUMBER,
                                         .unit = "N",
                                         .min = -100,
                                         .max = 100,
                                         .default_value = 1,
                                         .help = "force on each vertex along x"}};

static const pli_energy_type wind_type = {.abi = PLI_ENERGY_ABI,
                                          .name = "wind",
                                          .help = "-F . x",
                                          .dims = 1u << 2 | 1u << 3,
                                          .params = wind_params,
                                          .param_count = 1,
                                          .data_size = {[PLI_VERTEX] = sizeof(wind)},
                                          .linear = true,
                                          .prepare = wind_prepare,
                                          .eval = wind_eval};

static pli_scene* open_text(const char* text, bool registered) {
    static const pli_energy_type* const types[] = {&wind_type};
    pli_scene_def def = pli_default_scene_def();
    def.path = "wind.json";
    def.text = text;
    def.energy_types = types;
    def.energy_type_count = registered ? 1 : 0;
    pli_scene* scene;
    pli_error error = {0};
    ASSERT_OK(pli_scene_create(&def, &scene, &error));
    return scene;
}

static const char* const scene_text =
    "{ \"time\": { \"step\": 0.1, \"steps\": 5 },\n"
    "  \"bodies\": [ { \"name\": \"leaf\", \"mesh\": { \"type\": \"point\" }, \"vertex_mass\": 2,\n"
    "    \"energies\": [ { \"type\": \"wind\", \"force\": 4 } ] } ] }";

// a = F / m; backward Euler is exact: x_n = a h^2 n (n + 1) / 2.
static void test_it_blows(void** state) {
    (void)state;
    pli_scene* scene = open_text(scene_text, true);
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_world* world = pli_scene_world(scene);
    pli_error error = {0};
    for (int n = 0; n < 5; ++n) ASSERT_OK(pli_world_step(world, NULL, &error));
    ASSERT_NEAR(pli_world_positions(world)[0], 2 * 0.01 * 15, 1e-12);
    assert_string_equal(pli_world_energy_name(world, 1), "wind");
    ASSERT_NEAR(pli_world_energy_value(world, 1), -4 * 0.3, 1e-12);
    pli_scene_destroy(scene);
}

static void test_unregistered_is_unknown(void** state) {
    (void)state;
    pli_scene* scene = open_text(scene_text, false);
    assert_int_equal(pli_scene_error_count(scene), 1);
    assert_int_equal(pli_scene_finding(scene, 0)->line, 3);
    assert_non_null(strstr(pli_scene_finding(scene, 0)->message, "wind"));
    pli_scene_destroy(scene);
}

static void test_its_range_is_checked(void** state) {
    (void)state;
    char text[500];
    strcpy(text, scene_text);
    memcpy(strstr(text, "\"force\": 4 "), "\"force\":1e4", 11); // of the same length
    pli_scene* scene = open_text(text, true);
    assert_true(pli_scene_error_count(scene) >= 1);
    assert_non_null(strstr(pli_scene_finding(scene, 0)->message, "100"));
    pli_scene_destroy(scene);
}

static void test_its_table_is_checked(void** state) {
    (void)state;
    pli_energy_type type = wind_type;
    const pli_energy_type* types[] = {&type};
    pli_scene_def def = pli_default_scene_def();
    def.path = "wind.json";
    def.text = scene_text;
    def.energy_types = types;
    def.energy_type_count = 1;
    pli_scene* scene = NULL;
    pli_error error = {0};
    type.name = NULL;
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "energy type 0: name and eval must be set"));
    type.name = "wind";
    type.dims = 1u << 3; // the scene is plane
    ASSERT_OK(pli_scene_create(&def, &scene, &error));
    assert_int_equal(pli_scene_error_count(scene), 1);
    assert_non_null(strstr(pli_scene_finding(scene, 0)->message,
                           "energy \"wind\""));
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_blows),
        cmocka_unit_test(test_unregistered_is_unknown),
        cmocka_unit_test(test_its_range_is_checked),
        cmocka_unit_test(test_its_table_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
