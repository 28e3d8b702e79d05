// Prescribed motion by formulas and as a rigid body, loads, and what is wrong with them.
#include <math.h>

#include "support.h"

#define POINTS(list, rest)                                                                         \
    "{\"time\": {\"step\": 0.125}, \"contact\": {\"bodies\": false}, \"bodies\": [{\"name\": "     \
    "\"p\", \"vertex_mass\": 2, \"mesh\": {\"type\": \"data\", \"vertices\": " list                \
    "},\n\"prescribe\": [{" rest "}]}]}"
#define TWO "[[1, 0], [3, 0]]"

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g", a, b);
}

static void step(pli_world* world, int count) {
    for (int i = 0; i < count; ++i) {
        pli_step_info info;
        pli_error error = {0};
        if (pli_world_step(world, &info, &error) != PLI_OK) fail_msg("%s", error.message);
        assert_int_equal(info.reason, PLI_CONVERGED);
    }
}

static pli_scene* right(const char* text) {
    pli_scene* scene = scene_of(text);
    if (pli_scene_finding_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_finding_count(scene), 0);
    return scene;
}

// Where the vertices are after 8 steps, at t = 1.
static void motions(void** state) {
    (void)state;
    const double c = cos(0.5), s = sin(0.5);
    const struct {
        const char* text;
        double x[2][2];
    } cases[] = {
        {POINTS(TWO, "\"offset\": [\"0.1*sin(pi*t/2)\", \"2*t\"]"), {{1.1, 2}, {3.1, 2}}},
        {POINTS(TWO, "\"offset\": [\"t*x\", \"x > 2 ? t : 0\"]"), {{2, 0}, {6, 1}}},
        {POINTS(TWO, "\"spin\": 0.5"), {{2 - c, -s}, {2 + c, s}}},
        {POINTS(TWO, "\"spin\": 7, \"angle\": \"0.5 * t^2\""), {{2 - c, -s}, {2 + c, s}}},
        {POINTS(TWO, "\"spin\": 0.5, \"center\": [1, 0]"), {{1, 0}, {1 + 2 * c, 2 * s}}},
        {POINTS(TWO, "\"spin\": 1, \"until\": 0.5, \"velocity\": [2, 0]"),
         {{3 - c, -s}, {3 + c, s}}},
        {POINTS(TWO, "\"until\": 0.25, \"velocity\": [4, 0]"), {{2, 0}, {4, 0}}},
        {POINTS(TWO, "\"velocity\": [4, 0], \"travel\": 1"), {{2, 0}, {4, 0}}},
        {POINTS(TWO, "\"spin\": 1, \"from\": 0.5"), {{2 - c, -s}, {2 + c, s}}},
        {POINTS(TWO, "\"velocity\": [4, 0], \"from\": 0.75"), {{2, 0}, {4, 0}}},
        {POINTS(TWO, "\"velocity\": [4, 0], \"from\": 0.25, \"until\": 0.5"), {{2, 0}, {4, 0}}},
        {POINTS(TWO, "\"velocity\": [4, 0], \"from\": 3"), {{1, 0}, {3, 0}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = right(cases[i].text);
        pli_world* world = pli_scene_world(scene);
        step(world, 8);
        for (int k = 0; k < 4; ++k) // arrival is within tolerance (0.01 m/s) times step (1/8 s)
            assert_near(pli_world_positions(world)[k / 2 * 3 + k % 2], cases[i].x[k / 2][k % 2],
                        1.3e-3);
        pli_scene_destroy(scene);
    }
}

// In space about any axis: the diagonal permutes the axes at a third of a turn.
static void spin_in_space(void** state) {
    (void)state;
    pli_scene* scene = right(
        "{\"dimension\": 3, \"time\": {\"step\": 0.1}, \"bodies\": [{\"vertex_mass\": 1, \"mesh\": "
        "{\"type\": \"data\", \"vertices\": [[1, 0, 0], [0, 0, 2]]}, \"prescribe\": [{\"spin\": "
        "[1.2091995761561452, 1.2091995761561452, 1.2091995761561452], \"center\": [0, 0, 0]}]}]}");
    pli_world* world = pli_scene_world(scene);
    step(world, 10); // 2 pi / 3 in 1 s
    static const double wanted[6] = {0, 1, 0, 2, 0, 0};
    for (int i = 0; i < 6; ++i) assert_near(pli_world_positions(world)[i], wanted[i], 2e-3);
    pli_scene_destroy(scene);
}

static void wrong_motions(void** state) {
    (void)state;
    static const struct {
        const char *text, *finding;
    } cases[] = {
        {POINTS(TWO, "\"offset\": [\"sni(t)\", 0]"),
         "scene.json:2:27: body \"p\": prescribe[0].offset[0] = \"sni(t)\", character 1: unknown "
         "function \"sni\", did you mean \"sin\"?"},
        {POINTS(TWO, "\"offset\": [\"z\", 0]"),
         "scene.json:2:27: body \"p\": prescribe[0].offset[0] = \"z\", character 1: z is not"},
        {POINTS(TWO, "\"angle\": \"t\""), "scene.json:2:25: body \"p\": angle needs spin"},
        {POINTS(TWO, "\"offset\": [0, \"1/(x - 3)\"]"), "scene.json:2:30: body \"p\": offset:"},
        {POINTS(TWO, "\"offset\": [\"log(t - 1)\", 0]"), "scene.json:2:27: body \"p\": offset:"},
        {POINTS(TWO, "\"offset\": [1]"),
         "scene.json:2:26: body \"p\": prescribe[0].offset is a list of 1, must be two numbers or "
         "expressions [x, y]"},
        {POINTS(TWO, "\"offset\": \"t\""),
         "scene.json:2:26: body \"p\": prescribe[0].offset = \"t\", must be two numbers or"},
        {POINTS(TWO, "\"offset\": [null, 0]"),
         "scene.json:2:27: body \"p\": prescribe[0].offset[0] = null, must be a number or an"},
        {POINTS(TWO, "\"offset\": [1e13, 0]"),
         "scene.json:2:27: body \"p\": prescribe[0].offset[0] = 1e+13 m, must be"},
        {POINTS(TWO, "\"offset\": [1, 0], \"velocity\": [1, 0]"),
         "scene.json:2:46: body \"p\": velocity and offset are both"},
        {POINTS(TWO, "\"offset\": [1, 0], \"spin\": 1"),
         "scene.json:2:42: body \"p\": spin and offset are both"},
        {POINTS(TWO, "\"travel\": 1, \"spin\": 1"),
         "scene.json:2:37: body \"p\": spin and travel are both"},
        {POINTS(TWO, "\"from\": 1, \"keys\": [{\"time\": 1, \"offset\": [0, 0]}]"),
         "scene.json:2:24: body \"p\": from and keys are both"},
        {POINTS(TWO, "\"until\": 1, \"keys\": [{\"time\": 1, \"offset\": [0, 0]}]"),
         "scene.json:2:25: body \"p\": until and keys are both"},
        {POINTS(TWO, "\"spin\": [0, 0, 1]"),
         "scene.json:2:24: body \"p\": prescribe[0].spin is a list of 3, must be a number"},
        {POINTS(TWO, "\"spin\": \"t\""),
         "scene.json:2:24: body \"p\": prescribe[0].spin = \"t\", must be a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = scene_of(cases[i].text);
        expect_finding(scene, cases[i].finding);
        assert_int_equal(pli_scene_error_count(scene), 1);
        pli_scene_destroy(scene);
    }
    static const struct {
        const char *text, *finding;
    } warnings[] = {
        {POINTS(TWO, "\"center\": [0, 0], \"velocity\": [1, 0]"),
         "scene.json:2:26: warning: body \"p\": center is not used"},
        {POINTS(TWO, "\"travel\": 1"), "scene.json:2:26: warning: body \"p\": travel is not used"},
        {POINTS(TWO, "\"offset\": [\"0.3 + t\", 0]"),
         "scene.json:2:26: warning: body \"p\": offset is up to 0.3 m at t = 0"},
        {POINTS(TWO, "\"keys\": [{\"time\": 0, \"offset\": [0.3, 0.4]}]"),
         "scene.json:2:47: warning: body \"p\": keys[0].offset is up to 0.5 m at t = 0,"},
        {POINTS(TWO, "\"keys\": [{\"time\": 1, \"offset\": [0, 2]}]"),
         "scene.json:2:47: warning: body \"p\": keys[0].offset, which also holds before its time, "
         "is up to 2 m at t = 0"},
    };
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; ++i) {
        pli_scene* scene = scene_of(warnings[i].text);
        expect_finding(scene, warnings[i].finding);
        assert_int_equal(pli_scene_error_count(scene), 0);
        pli_scene_destroy(scene);
    }
}

// ---- loads

#define LOADED(loads)                                                                              \
    "{\"analysis\": \"static\", \"time\": {\"steps\": 4}, \"bodies\": [{\"name\": \"b\", "         \
    "\"mesh\": {\"type\": \"rectangle\", \"size\": [2, 1], \"segments\": [4, 2]}, \"energies\": "  \
    "[{\"type\": \"linear\", \"young\": 1e6, \"poisson\": 0, \"plane_stress\": 1}],\n\"fix\": "    \
    "[{\"group\": \"left\"}], \"loads\": [" loads "]}]}"

// A bar of length 2 m and section 1 m x 1 m under 1e4 Pa grows by 0.02 m, however that is said.
static void loads_pull(void** state) {
    (void)state;
    static const char* const scenes[] = {
        LOADED("{\"type\": \"traction\", \"group\": \"right\", \"value\": [\"1e4*t\", 0]}"),
        LOADED("{\"type\": \"pressure\", \"where\": \"x > 0.99\", \"value\": \"-1e4*t\"}"),
        LOADED("{\"type\": \"traction\", \"group\": \"right\", \"value\": [1e4, 0]}"),
        LOADED(
            "{\"type\": \"traction\", \"group\": \"right\", \"value\": [\"x*5e3\", 0]}, {\"type\": "
            "\"traction\", \"group\": \"right\", \"value\": [\"5e3*t\", 0]}"),
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        pli_scene* scene = right(scenes[i]);
        pli_world* world = pli_scene_world(scene);
        step(world, pli_scene_run(scene)->steps);
        assert_near(pli_world_time(world), 1, 1e-12);
        double right_end = -1;
        for (int v = 0; v < pli_world_vertex_count(world); ++v)
            right_end = fmax(right_end, pli_world_positions(world)[3 * v]);
        // linear; pressure follows the surface, which shrinks nowhere as poisson is 0; statics stop
        // at 1e-4 of the forces
        assert_near(right_end, 1.02, 1e-5);
        pli_scene_destroy(scene);
    }
}

static void wrong_loads(void** state) {
    (void)state;
    static const struct {
        const char *text, *finding;
    } cases[] = {
        {LOADED("{\"type\": \"forse\", \"value\": [1, 0]}"),
         "scene.json:2:48: body \"b\": loads[0].type = \"forse\", must be one of \"force\", "
         "\"traction\", \"pressure\", \"moment\", did you mean \"force\"?"},
        {LOADED("{\"type\": \"force\"}"), "scene.json:2:39: body \"b\": loads[0].value is missing"},
        {LOADED("{\"type\": \"pressure\", \"value\": [1, 0]}"),
         "scene.json:2:69: body \"b\": loads[0].value is a list of 2, must be a number or an "
         "expression"},
        {LOADED("{\"type\": \"pressure\", \"value\": \"1/t\"}"),
         "scene.json:2:69: body \"b\": value:"},
        {LOADED("{\"type\": \"force\", \"group\": \"rigth\", \"value\": [1, 0]}"),
         "scene.json:2:66: body \"b\": the mesh has no group \"rigth\", did you mean \"right\"?"},
        {LOADED("{\"type\": \"traction\", \"vertices\": [0], \"value\": [1, 0]}"),
         "scene.json:2:39: body \"b\": traction: no edge of the outline has all its corners among"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = scene_of(cases[i].text);
        expect_finding(scene, cases[i].finding);
        assert_int_equal(pli_scene_error_count(scene), 1);
        pli_scene_destroy(scene);
    }
}

// Two triangles of mass 1 kg and area 1 m^2 in a gust along z with linear drag alone: v' = w(t) -
// v.
static void gusts(void** state) {
    (void)state;
#define SAIL(energy)                                                                               \
    "{\"dimension\": 3, \"time\": {\"step\": 0.01}, \"contact\": {\"bodies\": false}, "            \
    "\"bodies\": [{\"name\": \"b\", \"density\": 100, \"thickness\": 0.01, \"mesh\": {\"type\": "  \
    "\"rectangle\", \"size\": [1, 1], \"segments\": [1, 1]},\n\"energies\": [{\"type\": "          \
    "\"wind\", "                                                                                   \
    "\"density\": 0, \"linear\": 1, " energy "}]}]}"
    pli_scene* scene = right(SAIL("\"wind\": [0, 3, \"t + z\"]"));
    step(pli_scene_world(scene), 100);
    const double* v = pli_world_velocities(pli_scene_world(scene));
    assert_near(v[1], 3 * (1 - exp(-1)), 0.01); // first order in the step
    // z'' = t + z - z': z = -t - 1 + a e^(r t) + b e^(s t), r, s = (-1 +- sqrt 5) / 2
    double r = 0.5 * (-1 + sqrt(5)), q = 0.5 * (-1 - sqrt(5)), a = (1 - q) / (r - q), b = 1 - a;
    assert_near(v[2], -1 + a * r * exp(r) + b * q * exp(q), 0.01);
    pli_scene_destroy(scene);
    scene = scene_of(SAIL("\"wind\": [0, \"sni(t)\", 0]"));
    expect_finding(scene, "scene.json:2:70: body \"b\": energies[0].wind[1] = \"sni(t)\"");
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions),       cmocka_unit_test(spin_in_space),
        cmocka_unit_test(wrong_motions), cmocka_unit_test(loads_pull),
        cmocka_unit_test(wrong_loads),   cmocka_unit_test(gusts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
