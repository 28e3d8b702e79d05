// Motion that is prescribed along some axes: along the others vertices are as free as any.
#include "scene/saved.h"

#include <math.h>

static void run(pli_world* world, int steps, pli_step_info* info) {
    for (int i = 0; i < steps; ++i) {
        ASSERT_OK(pli_world_step(world, info, &error));
        assert_int_equal(info->reason, PLI_CONVERGED);
    }
}

// A point moves along x as told and falls as if nothing held it.
static void free_axes_are_free(void** state) {
    (void)state;
    pli_scene* scene =
        make_scene("{\"time\": {\"step\": 0.01}, \"gravity\": [0, -9.81], \"bodies\": [{\"name\": "
                   "\"p\", \"mesh\": {\"type\": \"point\"}, \"vertex_mass\": 2, \"velocity\": [1, "
                   "3], \"contact_bodies\": false, \"prescribe\": [{\"velocity\": [1, 0], "
                   "\"axes\": [\"x\"]}]}]}",
                   NULL, 0, 1);
    pli_world* world = pli_scene_world(scene);
    enum { STEPS = 50 };
    double h = 0.01, g = 9.81, t = STEPS * h;
    pli_step_info info;
    run(world, STEPS, &info);
    const double* x = pli_world_positions(world);
    // backward Euler: y = v t - g h^2 n (n + 1) / 2; pins may miss by a tenth of tolerance * h
    assert_true(fabs(x[0] - t) < 1e-4);
    assert_true(fabs(x[1] - (3 * t - g * h * h * STEPS * (STEPS + 1) / 2)) < 1e-9);
    pli_support_info support = pli_world_support(world, 0);
    assert_true(support.force[1] == 0 && fabs(support.force[0]) < 1e-6);
    assert_int_equal(support.blocked, 0);
    assert_true(fabs(info.balance.residual) < 1e-6);
    pli_scene_destroy(scene);
}

// A plate is pulled along x, and becomes thinner by Poisson's ratio: in the plane nu / (1 - nu).
static void a_bar_becomes_thinner(void** state) {
    (void)state;
    pli_scene* scene = make_scene(
        "{\"analysis\": \"static\", \"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": "
        "\"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]}, \"energies\": [{\"type\": "
        "\"linear\", \"young\": 1e5, \"poisson\": 0.3}], \"fix\": [{\"where\": \"hypot(x, y) < "
        "0.1\", \"axes\": [\"y\"]}], \"prescribe\": [{\"group\": \"left\", \"offset\": [0, 0], "
        "\"axes\": [\"x\"]}, {\"group\": \"right\", \"offset\": [\"0.01*t\", 0], \"axes\": "
        "[\"x\"]}]}]}",
        (const char* const[]){"solver.gradient_tolerance=1e-10"}, 1, 1);
    pli_world* world = pli_scene_world(scene);
    pli_step_info info;
    run(world, 10, &info);
    const double *x = pli_world_positions(world), *rest = pli_world_rest_positions(world);
    for (int v = 0; v < pli_world_vertex_count(world); ++v) {
        double across = -0.01 * 0.3 / 0.7 * rest[3 * v + 1], along = 0.01 * (rest[3 * v] + 0.5);
        // as near as pins come: a thousandth of the way of a step
        assert_true(fabs(x[3 * v] - rest[3 * v] - along) < 2e-6);
        assert_true(fabs(x[3 * v + 1] - rest[3 * v + 1] - across) < 2e-6);
    }
    pli_scene_destroy(scene);
}

// The only finding about a square with this motion and scheme.
static void expect_refusal(const char* motion, const char* scheme, const char* message) {
    char text[600];
    snprintf(text, sizeof text,
             "{\"time\": {\"scheme\": \"%s\"}, \"contact\": {\"bodies\": false}, \"bodies\": "
             "[{\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], "
             "\"segments\": [1, 1]}, \"energies\": [{\"type\": \"linear\"}], \"prescribe\": "
             "[{\"group\": \"left\", \"velocity\": %s, \"axes\": [\"x\"]}]}]}",
             scheme, motion);
    pli_scene_def def = pli_default_scene_def();
    def.text = text;
    pli_scene* scene;
    ASSERT_OK(pli_scene_create(&def, &scene, &error));
    assert_int_equal(pli_scene_error_count(scene), 1);
    if (!strstr(pli_scene_finding(scene, 0)->message, message))
        fail_msg("%s", pli_scene_finding(scene, 0)->message);
    pli_scene_destroy(scene);
}

static void what_is_refused(void** state) {
    (void)state;
    expect_refusal("[1, 2]", "backward-euler",
                   "along y");
    expect_refusal("[1, 0]", "implicit-midpoint",
                   "cannot be used with the scheme");
    expect_refusal("[1, 0]", "leapfrog",
                   "cannot be used with the scheme");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_axes_are_free),
        cmocka_unit_test(a_bar_becomes_thinner),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
