// Placement in space, arrays of bodies, and states at the start.
#include <math.h>

#include "support.h"

static pli_scene* right(const char* text) {
    pli_scene* scene = scene_of(text);
    if (pli_scene_finding_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_finding_count(scene), 0);
    return scene;
}

static void expect_vertex(const double* values, int v, double x, double y, double z) {
    // 1e-12: cosines and sines of degrees round
    double d = fabs(values[3 * v] - x) + fabs(values[3 * v + 1] - y) + fabs(values[3 * v + 2] - z);
    if (!(d < 1e-12))
        fail_msg("vertex %d is (%g, %g, %g), not (%g, %g, %g)", v, values[3 * v], values[3 * v + 1],
                 values[3 * v + 2], x, y, z);
}

#define SPACE(rest)                                                                                \
    "{\"dimension\": 3, \"contact\": {\"bodies\": false}, \"bodies\": [{\"name\": \"p\", "         \
    "\"vertex_mass\": 2, \"mesh\": {\"type\": \"data\", \"vertices\": [[1, 2, 3], [-1, -2, -3]]}," \
    "\n" rest "}]}"

static void rotation_in_space(void** state) {
    (void)state;
    static const struct {
        const char* rotate;
        double x[3]; // where (1, 2, 3) goes
    } cases[] = {
        {SPACE("\"rotate\": 90"), {-2, 1, 3}},
        {SPACE("\"rotate\": [0, 0, 90]"), {-2, 1, 3}},
        {SPACE("\"rotate\": [90, 0, 0]"), {1, -3, 2}},
        {SPACE("\"rotate\": [0, 90, 0]"), {3, 2, -1}},
        {SPACE("\"rotate\": [0, 0, 0]"), {1, 2, 3}},
        {SPACE("\"rotate\": [0, -180, 0], \"scale\": [2, 1, 1], \"translate\": [10, 0, 0]"),
         {8, 2, -3}},
        // 120 degrees about the diagonal permute the axes
        {SPACE("\"rotate\": [69.282032302755091741, 69.282032302755091741, 69.282032302755091741]"),
         {3, 1, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = right(cases[i].rotate);
        const double* x = cases[i].x;
        expect_vertex(pli_world_rest_positions(pli_scene_world(scene)), 0, x[0], x[1], x[2]);
        pli_scene_destroy(scene);
    }
}

// v = velocity(at rest) + spin x r of the shape at t = 0 about its centre
static void start_in_space(void** state) {
    (void)state;
    pli_scene* scene = right(SPACE("\"spin\": [1, 0, 2], \"velocity\": [\"x\", 0, \"y + z\"], "
                                   "\"initial\": [\"2*x\", \"y\", \"z + x*y\"]"));
    const pli_world* world = pli_scene_world(scene);
    expect_vertex(pli_world_rest_positions(world), 0, 1, 2, 3);
    expect_vertex(pli_world_positions(world), 0, 2, 2, 5);
    expect_vertex(pli_world_positions(world), 1, -2, -2, -1);
    // r = (2, 2, 3), the box is from (-2, -2, -1) to (2, 2, 5)
    expect_vertex(pli_world_velocities(world), 0, 1 - 4, -3 + 4, 5 + 2);
    pli_scene_destroy(scene);
}

#define SQUARE(rest)                                                                               \
    "{\"contact\": {\"bodies\": false}, \"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": "      \
    "\"rectangle\", \"size\": [1, 1], \"segments\": [4, 4]}, \"energies\": [{\"type\": "           \
    "\"stable-neo-hookean\"}],\n" rest "}]}"

// A body that starts turned and moved, or stretched, spins as a rigid one: no distance changes.
static void spin_of_the_start(void** state) {
    (void)state;
    static const char* const starts[] = {
        SQUARE("\"spin\": 2, \"initial\": [\"3 - y\", \"x - 1\"]"),
        SQUARE("\"spin\": 2, \"stretch\": [3, 0.5]"),
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        pli_scene* scene = right(starts[i]);
        const pli_world* world = pli_scene_world(scene);
        double centre[2] = {i == 0 ? 3 : 0, i == 0 ? -1 : 0};
        for (int v = 0; v < pli_world_vertex_count(world); ++v) {
            const double* x = pli_world_positions(world) + 3 * v;
            expect_vertex(pli_world_velocities(world), v, -2 * (x[1] - centre[1]),
                          2 * (x[0] - centre[0]), 0);
        }
        pli_scene_destroy(scene);
    }
}

static void default_start_is_rest(void** state) {
    (void)state;
    pli_scene* scene = right(SQUARE("\"rotate\": 33"));
    const pli_world* world = pli_scene_world(scene);
    for (int i = 0; i < 3 * pli_world_vertex_count(world); ++i) {
        assert_true(pli_world_positions(world)[i] == pli_world_rest_positions(world)[i]);
        assert_true(pli_world_velocities(world)[i] == 0);
    }
    pli_scene_destroy(scene);
}

// Held vertices stay, others move by at most the amplitude, differently each, and again the same.
static void scrambled_start(void** state) {
    (void)state;
    const char* text = SQUARE("\"scramble\": 0.3, \"fix\": [{\"group\": \"left\"}], \"prescribe\": "
                              "[{\"group\": \"right\", \"velocity\": [1, 0]}]");
    pli_scene *scene = right(text), *again = right(text);
    const pli_world* world = pli_scene_world(scene);
    const double *x = pli_world_positions(world), *rest = pli_world_rest_positions(world);
    const double* other = pli_world_positions(pli_scene_world(again));
    double sum = 0, square = 0;
    for (int v = 0; v < 25; ++v)
        for (int c = 0; c < 3; ++c) {
            double d = x[3 * v + c] - rest[3 * v + c];
            bool held = v < 5 || v >= 20 || c == 2;
            assert_true(held ? d == 0 : d != 0 && fabs(d) <= 0.3);
            assert_true(other[3 * v + c] == x[3 * v + c]);
            sum += d;
            square += d * d;
        }
    // 30 numbers, uniform: mean 0, variance 0.03; three standard deviations
    assert_true(fabs(sum / 30) < 3 * sqrt(0.03 / 30));
    assert_true(fabs(square / 30 - 0.03) < 0.015);
    pli_scene_destroy(again);
    pli_scene_destroy(scene);
}

// ---- arrays

#define ARRAY(repeat, rest)                                                                        \
    "{\"time\": {\"step\": 0.5}, \"bodies\": [{\"name\": \"c\", \"mesh\": {\"type\": "             \
    "\"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]}, \"material\": \"jelly\",\n"           \
    "\"repeat\": {" repeat "}" rest "}, {\"name\": \"d\", \"vertex_mass\": 1, \"mesh\": "          \
    "{\"type\": \"point\"}, \"translate\": [0, 9], \"contact_bodies\": false}]}"

static void copies(void** state) {
    (void)state;
    pli_scene* scene = right(
        ARRAY("\"count\": [3, 2], \"spacing\": [4, 3]",
              ", \"translate\": [1, 0], \"stretch\": [1.5, 1], \"prescribe\": [{\"where\": \"x "
              "> 1.2\", \"offset\": [\"t*x\", 0]}, {\"group\": \"left\", \"spin\": 1}]"));
    pli_world* world = pli_scene_world(scene);
    assert_int_equal(pli_world_body_count(world), 7);
    assert_int_equal(pli_world_vertex_count(world), 6 * 9 + 1);
    static const char* const names[] = {"c 0", "c 1", "c 2", "c 3", "c 4", "c 5", "d"};
    for (int i = 0; i < 7; ++i) assert_string_equal(pli_world_body_name(world, i), names[i]);
    pli_step_info info;
    assert_int_equal(pli_world_step(world, &info, NULL), PLI_OK);
    const double *x = pli_world_positions(world), *rest = pli_world_rest_positions(world);
    for (int k = 0; k < 6; ++k) // the y axis runs fastest; all copies do the same
        for (int v = 0; v < 9; ++v) {
            double dx = 4 * (k / 2), dy = 3 * (k % 2);
            expect_vertex(rest, 9 * k + v, rest[3 * v] + dx, rest[3 * v + 1] + dy, 0);
            // the same problem up to rounding of the places: Newton stops at 1e-2 m/s
            assert_true(fabs(x[3 * (9 * k + v)] - x[3 * v] - dx) < 1e-6);
            assert_true(fabs(x[3 * (9 * k + v) + 1] - x[3 * v + 1] - dy) < 1e-6);
        }
    // x = 1.75 at the start: it moves by t x = 0.875
    assert_true(fabs(x[3 * 7] - 1.75 * 1.5) < 0.006); // 0.01 m/s times 0.5 s
    pli_scene_destroy(scene);
}

// One number of copies: along the vector. Which body is a copy of which.
static void copies_along_a_vector(void** state) {
    (void)state;
    pli_scene* scene = right(ARRAY("\"count\": 4, \"spacing\": [1.5, 0.5]", ""));
    const pli_world* world = pli_scene_world(scene);
    const double* rest = pli_world_rest_positions(world);
    assert_int_equal(pli_world_body_count(world), 5);
    for (int k = 0; k < 4; ++k)
        for (int v = 0; v < 9; ++v)
            expect_vertex(rest, 9 * k + v, rest[3 * v] + 1.5 * k, rest[3 * v + 1] + 0.5 * k, 0);
    for (int k = 0; k < 5; ++k) assert_int_equal(pli_scene_first_copy(scene, k), k < 4 ? 0 : 4);
    pli_scene_destroy(scene);
    scene = right(
        SPACE("\"translate\": [1, 0, 0], \"repeat\": {\"count\": 3, \"spacing\": [0, 2, 1]}"));
    rest = pli_world_rest_positions(pli_scene_world(scene));
    int stride = pli_world_body_vertex(pli_scene_world(scene), 1);
    expect_vertex(rest, 2 * stride, rest[0], rest[1] + 4, rest[2] + 2);
    pli_scene_destroy(scene);
}

// A circle of copies: places and velocities turn with them.
static void copies_on_a_circle(void** state) {
    (void)state;
    pli_scene* scene =
        right(ARRAY("\"count\": 4, \"spacing\": [0, 0.5], \"rotate\": 30, \"center\": [1, 2]",
                    ", \"translate\": [9, 0], \"stretch\": [1.5, 1], \"velocity\": [\"y\", 2]"));
    const pli_world* world = pli_scene_world(scene);
    const double *rest = pli_world_rest_positions(world), *v = pli_world_velocities(world),
                 *x = pli_world_positions(world);
    for (int i = 0; i < 4 * 9; ++i) {
        double c = cos(i / 9 * (3.14159265358979323846 / 6)),
               s = sin(i / 9 * (3.14159265358979323846 / 6)), up = i / 9 * 0.5;
        const double *r0 = rest + 3 * (i % 9), *x0 = x + 3 * (i % 9), *v0 = v + 3 * (i % 9);
        expect_vertex(rest, i, 1 + c * (r0[0] - 1) - s * (r0[1] - 2),
                      2 + s * (r0[0] - 1) + c * (r0[1] - 2) + up, 0);
        expect_vertex(x, i, 1 + c * (x0[0] - 1) - s * (x0[1] - 2),
                      2 + s * (x0[0] - 1) + c * (x0[1] - 2) + up, 0);
        expect_vertex(v, i, c * v0[0] - s * v0[1], s * v0[0] + c * v0[1], 0);
    }
    pli_scene_destroy(scene);
}

// Measured mass is placed like the mesh, and turns with copies.
static void placed_inertia(void** state) {
    (void)state;
    pli_scene* scene = right(
        "{\"dimension\": 3, \"contact\": {\"bodies\": false}, \"bodies\": [{\"name\": \"b\", "
        "\"kinematics\": \"rigid\", \"total_mass\": 2, \"inertia\": [1, 2, 2.5], "
        "\"inertia_products\": [0.25, 0, 0], \"center_of_mass\": [1, 0, 0], \"mesh\": {\"type\": "
        "\"box\", \"size\": [1, 1, 1], \"segments\": [1, 1, 1]}, \"rotate\": [0, 0, 90], "
        "\"translate\": [0, 0, 3], \"repeat\": {\"count\": 2, \"spacing\": [0, 0, 9], \"rotate\": "
        "[0, "
        "90, 0], \"center\": [0, 0, 1]}}]}");
    static const double diagonal[2][3] = {{2, 1, 2.5}, {2.5, 1, 2}},
                        centre[2][3] = {{0, 1, 3}, {2, 1, 10}};
    for (int b = 0; b < 2; ++b) {
        pli_body_summary s = pli_world_body_summary(pli_scene_world(scene), b, NULL);
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(s.inertia[4 * c] - diagonal[b][c]) < 1e-9);
            assert_true(fabs(s.centre[c] - centre[b][c]) < 1e-12);
        }
        assert_true(fabs(s.inertia[b == 0 ? 1 : 5] + (b == 0 ? 0.25 : -0.25)) < 1e-9);
    }
    pli_scene_destroy(scene);
}

static void wrong_placement(void** state) {
    (void)state;
    static const struct {
        const char *text, *finding;
    } cases[] = {
        {ARRAY("\"count\": [3], \"spacing\": [2, 3]", ""),
         "scene.json:2:21: body \"c\": repeat.count is a list of 1, must be a list of 2 integers"},
        {ARRAY("\"count\": [0, 1], \"spacing\": [2, 3]", ""),
         "scene.json:2:22: body \"c\": repeat.count[0] = 0, must be >= 1"},
        {ARRAY("\"count\": [1.5, 1], \"spacing\": [2, 3]", ""),
         "scene.json:2:22: body \"c\": repeat.count[0] = 1.5, must be an integer"},
        {ARRAY("\"count\": 0, \"spacing\": [2, 3]", ""),
         "scene.json:2:21: body \"c\": repeat.count = 0, must be >= 1"},
        {ARRAY("\"count\": 10001, \"spacing\": [2, 3]", ""),
         "scene.json:2:21: body \"c\": repeat.count = 10001, must be >= 1 and <= 10000"},
        {ARRAY("\"spacing\": [2, 3]", ""), "scene.json:2:11: body \"c\": repeat.count is missing"},
        {ARRAY("\"count\": [1, 1]", ""), "scene.json:2:11: body \"c\": repeat.spacing is missing"},
        {ARRAY("\"count\": [2, 2], \"spacing\": [2, 3], \"rotate\": 10", ""),
         "scene.json:2:58: body \"c 0\": repeat.rotate needs one number as count, for example "
         "\"count\": 2"},
        {ARRAY("\"count\": 2, \"spacing\": [2, 3], \"rotate\": 10", ", \"fix\": [{}]"),
         "scene.json:2:53: body \"c 0\": repeat.rotate does not rotate fix, prescribe, loads or "
         "motion: omit it, or list the bodies one by one"},
        {ARRAY("\"count\": [101, 100], \"spacing\": [2, 3]", ""),
         "scene.json:2:21: bodies[0].repeat makes more than 10000 bodies"},
        {ARRAY("\"count\": [2, 1], \"spacing\": [0.5, 3]", ""),
         "scene.json:1:36: body \"c 0\": at t = 0, its edge 0-3 crosses edge 0-3 of body \"c 1\""},
        {SPACE("\"rotate\": [1, 2]"),
         "scene.json:2:11: body \"p\": rotate is a list of 2, must be a number (about z) or three "
         "numbers [x, y, z]"},
        {SPACE("\"rotate\": [1, 2, \"x\"]"), "scene.json:2:18: body \"p\": rotate[2] = \"x\""},
        {SQUARE("\"rotate\": [0, 0, 1]"),
         "scene.json:2:11: \"dimension\": 3 is missing, so the scene is"},
        {SQUARE("\"scramble\": -1"), "scene.json:2:13: body \"b\": scramble = -1 m, must be >= 0"},
        {SQUARE("\"stretch\": [2, 1], \"initial\": [\"x\", \"y\"]"),
         "scene.json:2:31: body \"b\": initial and stretch are both"},
        {SQUARE("\"initial\": [\"1/x\", \"y\"]"), "scene.json:2:13: body \"b\": initial:"},
        {SQUARE("\"velocity\": [\"log(x)\", 0]"), "scene.json:2:14: body \"b\": velocity:"},
        {SQUARE("\"velocity\": [\"t\", 0]"),
         "scene.json:2:14: body \"b\": velocity[0] = \"t\", character 1: t is not"},
        {SQUARE("\"velocity\": 3"),
         "scene.json:2:13: body \"b\": velocity = 3, must be two numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = scene_of(cases[i].text);
        expect_finding(scene, cases[i].finding);
        bool many = strstr(cases[i].finding, "touches"); // copies do so in many places
        assert_true(pli_scene_error_count(scene) == 1 || many);
        pli_scene_destroy(scene);
    }
}

// A forbidden start is reported at the key that made it.
static void bad_starts(void** state) {
    (void)state;
    static const struct {
        const char *key, *finding;
    } cases[] = {
        {"\"initial\": [\"-x\", \"y\"]",
         "scene.json:2:12: body \"b\": at t = 0: triangle 0 has area"},
        {"\"scramble\": 5", "scene.json:2:13: body \"b\": at t = 0: triangle"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[512];
        snprintf(
            text, sizeof text,
            "{\"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, "
            "1], \"segments\": [4, 4]}, \"energies\": [{\"type\": \"neo-hookean\"}],\n%s}]}",
            cases[i].key);
        pli_scene* scene = scene_of(text);
        expect_finding(scene, cases[i].finding);
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_in_space),
        cmocka_unit_test(start_in_space),
        cmocka_unit_test(spin_of_the_start),
        cmocka_unit_test(default_start_is_rest),
        cmocka_unit_test(scrambled_start),
        cmocka_unit_test(copies),
        cmocka_unit_test(copies_along_a_vector),
        cmocka_unit_test(copies_on_a_circle),
        cmocka_unit_test(placed_inertia),
        cmocka_unit_test(wrong_placement),
        cmocka_unit_test(bad_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
