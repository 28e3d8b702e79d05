// Parameter values: defaults, ranges, unknown and missing names.
#include "energy/fixture.h"

#include "energy/params.h"

static void expect(const char* type, const char* name, double value, const char* message) {
    double values[8] = {0};
    pli_error error = {0};
    pli_setting setting = {name, value};
    pli_status status = pli_energy_params(find_type(type), &setting, 1, values, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, *message ? PLI_E_ARGUMENT : PLI_OK);
    for (int i = 0; i < 8 && *message; ++i) assert_true(values[i] == 0); // untouched
}

static void ranges(void** state) {
    (void)state;
    expect("spring", "stiffness", 5, "");
    expect("spring", "stiffness", 0, "energy \"spring\": stiffness = 0 N/m, must be > 0");
    expect("spring", "stiffness", -5, "energy \"spring\": stiffness = -5 N/m, must be > 0");
    expect("spring", "stiffness", HUGE_VAL, "energy \"spring\": stiffness = inf N/m, must be > 0");
    expect("hooke", "stiffness", nan(""), "energy \"hooke\": stiffness = nan N/m, must be > 0");
    expect("neo-hookean", "poisson", 0.499, "");
    expect("neo-hookean", "poisson", 0.5,
           "energy \"neo-hookean\": poisson = 0.5, must be >= 0 and < 0.5");
    expect("stable-neo-hookean", "poisson", -1,
           "energy \"stable-neo-hookean\": poisson = -1, must be > -1 and < 0.5");
    expect("gravity", "y", -1e9, "");
    expect("gravity", "x", HUGE_VAL, "energy \"gravity\": x = inf m/s^2, must be a finite number");
}

static void unknown_names(void** state) {
    (void)state;
    expect("spring", "stifness", 5,
           "energy \"spring\" has no parameter \"stifness\", did you mean \"stiffness\"?");
    expect("neo-hookean", "posson", 5,
           "energy \"neo-hookean\" has no parameter \"posson\", did you mean \"poisson\"?");
    expect("neo-hookean", "colour", 5, "energy \"neo-hookean\" has no parameter \"colour\"");
}

static void defaults_and_order(void** state) {
    (void)state;
    double values[8];
    const pli_energy_type* type = find_type("gravity");
    assert_int_equal(pli_energy_params(type, NULL, 0, values, NULL), PLI_OK);
    assert_true(values[0] == 0 && values[1] == -9.81);
    pli_setting settings[] = {{"poisson", 0.1}, {"young", 7}, {"poisson", 0.2}};
    type = find_type("neo-hookean");
    assert_int_equal(pli_energy_params(type, settings, 3, values, NULL), PLI_OK);
    assert_true(values[0] == 7 && values[1] == 0.2); // table order; the last setting counts
    for (int i = 2; i < 4; ++i) assert_true(isnan(values[i]) != 0); // not given
    assert_true(values[4] == 0);
}

// Two settings of stable-neo-hookean: do they go together?
static void expect_pair(const char* a, double x, const char* b, double y, const char* message) {
    double values[8];
    pli_error error = {0};
    pli_setting settings[] = {{a, x}, {b, y}};
    pli_status status =
        pli_energy_params(find_type("stable-neo-hookean"), settings, 2, values, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, *message ? PLI_E_ARGUMENT : PLI_OK);
}

static void elastic_constants(void** state) {
    (void)state;
    expect_pair("young", 1, "poisson", 0.3, "");
    expect_pair("lame_mu", 1, "lame_lambda", 0, "");
    expect_pair("lame_mu", 1, "lame_lambda", -0.6, "");
    expect_pair(
        "young", 1, "lame_mu", 1,
        "energy \"stable-neo-hookean\": young and lame_mu are both given: write either young and "
        "poisson or lame_mu and lame_lambda");
    expect_pair(
        "poisson", 0.3, "lame_lambda", 1,
        "energy \"stable-neo-hookean\": poisson and lame_lambda are both given: write either young "
        "and poisson or lame_mu and lame_lambda");
    expect_pair("lame_mu", 1, "lame_mu", 1,
                "energy \"stable-neo-hookean\": lame_mu is given without lame_lambda");
    expect_pair("lame_lambda", 1, "plane_stress", 0,
                "energy \"stable-neo-hookean\": lame_lambda is given without lame_mu");
    expect_pair("lame_mu", 3, "lame_lambda", -2,
                "energy \"stable-neo-hookean\": lame_lambda = -2 Pa, must be > -2/3 lame_mu = -2");
    expect_pair("young", 1, "plane_stress", 0.5,
                "energy \"stable-neo-hookean\": plane_stress = 0.5, must be 0 or 1");
    expect("neo-hookean", "lame_lambda", -1,
           "energy \"neo-hookean\": lame_lambda = -1 Pa, must be >= 0");
    expect("fixed-corotated", "poisson", -0.1,
           "energy \"fixed-corotated\": poisson = -0.1, must be >= 0 and < 0.5");
    expect("arap", "lame_mu", 5, "");
    expect("volume", "lame_lambda", 5, "");
}

static void inclusive_bounds_and_required(void** state) {
    (void)state;
    static const pli_param params[] = {
        {.name = "a", .unit = "m", .min = 0, .max = 2, .default_value = 1},
        {.name = "b", .unit = "", .min = -HUGE_VAL, .max = 3, .flags = PLI_PARAM_REQUIRED}};
    pli_energy_type type = {.name = "test", .params = params, .param_count = 2};
    double values[2];
    pli_error error = {0};
    pli_setting settings[] = {{"b", 3}, {"a", 2}};
    assert_int_equal(pli_energy_params(&type, settings, 2, values, &error), PLI_OK);
    assert_true(values[0] == 2 && values[1] == 3);
    settings[1].value = 2.5;
    assert_int_equal(pli_energy_params(&type, settings, 2, values, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "energy \"test\": a = 2.5 m, must be >= 0 and <= 2");
    assert_int_equal(pli_energy_params(&type, NULL, 0, values, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "energy \"test\" needs \"b\"");
    assert_ptr_equal(pli_param_find(params, 2, "b"), &params[1]);
    assert_null(pli_param_find(params, 2, "c"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(defaults_and_order),
        cmocka_unit_test(elastic_constants),
        cmocka_unit_test(inclusive_bounds_and_required),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
