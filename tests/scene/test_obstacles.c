// Obstacles in scenes: every kind, at rest and moving, and what may be wrong with them.
#define _POSIX_C_SOURCE 200809L // mkdtemp, setenv
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "scene/support.h"

#define CUBE                                                                                       \
    "{'name': 'cube', 'mesh': {'type': 'box', 'size': [0.1, 0.1, 0.1], 'segments': [2, 2, 2]}, "   \
    "'translate': [0, 0.06, 0], 'energies': [{'type': 'neo-hookean', 'young': 1e5}]}"
#define SPACE(obstacles)                                                                           \
    "{'dimension': 3, 'gravity': [0, -9.81, 0], 'contact': {'dhat': 1e-3}, 'bodies': [" CUBE       \
    "],\n'obstacles': [" obstacles "]}"
#define SQUARE                                                                                     \
    "{'name': 'square', 'mesh': {'type': 'rectangle', 'size': [1, 1], 'segments': [3, 3]}, "       \
    "'translate': [0, 0.51], 'energies': [{'type': 'neo-hookean', 'young': 1e6}]}"
#define PLANE(obstacles)                                                                           \
    "{'gravity': [0, -9.81], 'contact': {'dhat': 1e-3}, 'bodies': [" SQUARE                        \
    "],\n'obstacles': [" obstacles "]}"

// ' stands for ", so that the scenes can be read.
static pli_scene* scene_at(const char* path, const char* text) {
    static char copy[8192];
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, text);
    for (char* c = copy; *c; ++c)
        if (*c == '\'') *c = '"';
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.text = copy;
    def.thread_count = 1;
    pli_scene* scene = NULL;
    pli_error error = {0};
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_OK);
    return scene;
}

static pli_world* world_of(pli_scene* scene) {
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    return pli_scene_world(scene);
}

static void run(pli_world* world, int steps) {
    pli_error error = {0};
    for (int i = 0; i < steps; ++i) {
        pli_step_info info;
        if (pli_world_step(world, &info, &error) != PLI_OK) fail_msg("%s", error.message);
        assert_int_equal(info.reason, PLI_CONVERGED);
        if (pli_world_verify(world, &error) != PLI_OK) fail_msg("%s", error.message);
    }
}

static double height(const pli_world* world) {
    double low = HUGE_VAL;
    for (int v = 0; v < pli_world_body_vertex(world, 1); ++v)
        low = fmin(low, pli_world_positions(world)[3 * v + 1]);
    return low;
}

// Where the first vertex of a body is.
static const double* place(const pli_world* world, int body) {
    return pli_world_positions(world) + 3 * pli_world_body_vertex(world, body);
}

// ---- kinds

static void every_kind_in_space(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int vertices;
    } kinds[] = {
        {SPACE("{'type': 'sphere', 'center': [0, -0.2, 0], 'radius': 0.2}"), 1},
        {SPACE("{'type': 'capsule', 'from': [-1, -0.2, 0], 'to': [1, -0.2, 0], 'radius': 0.2}"), 2},
        {SPACE("{'type': 'box', 'center': [0, -0.1, 0], 'size': [0.4, 0.2, 0.4]}"), 8},
        {SPACE("{'type': 'box', 'center': [0, -0.1, 0], 'size': [0.4, 0.4, 0.2], 'rotate': [90, 0, "
               "0]}"),
         8},
        {SPACE("{'type': 'mesh', 'mesh': {'type': 'rectangle', 'size': [2, 2], 'segments': [2, "
               "2]}, 'scale': [0.2, 0.2, 0.2], 'rotate': [90, 0, 0]}"),
         9},
        {SPACE("{'type': 'mesh', 'mesh': {'type': 'rectangle', 'size': [0.4, 0.4], 'segments': "
               "[7, 7]}, 'rotate': [90, 0, 0], 'contact': 'edges'}"),
         64},
        {SPACE("{'type': 'mesh', 'mesh': {'type': 'rectangle', 'size': [0.4, 0.4], 'segments': "
               "[16, 16]}, 'rotate': [90, 0, 0], 'contact': 'points', 'thickness': 0.001}"),
         289},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        pli_scene* scene = scene_at("scene.json", kinds[i].text);
        pli_world* world = world_of(scene);
        assert_int_equal(pli_world_body_count(world), 2);
        assert_true(pli_world_body_is_obstacle(world, 1));
        assert_string_equal(pli_world_body_name(world, 1), "obstacle 0");
        assert_int_equal(pli_world_vertex_count(world) - 27, kinds[i].vertices);
        const pli_scene_summary* s = pli_scene_summarize(scene);
        assert_int_equal(s->body_count, 1);
        assert_int_equal(s->obstacle_count, 1);
        assert_int_equal(s->unknown_count, 3 * 27);
        assert_true(fabs(s->mass - 1) < 1e-12);
        run(world, 10);
        if (height(world) < -0.005) fail_msg("kind %zu: it fell to %g", i, height(world));
        pli_scene_destroy(scene);
    }
}

static void every_kind_in_the_plane(void** state) {
    (void)state;
    static const char* const kinds[] = {
        PLANE("{'type': 'sphere', 'center': [0, -0.2], 'radius': 0.2}"),
        PLANE("{'type': 'capsule', 'from': [-1, -0.2], 'to': [1, -0.2], 'radius': 0.2}"),
        PLANE("{'type': 'box', 'center': [0, -0.1], 'size': [0.2, 4], 'rotate': 90}"),
        PLANE("{'type': 'mesh', 'mesh': {'type': 'line', 'from': [-1, 0], 'to': [1, 0], "
              "'segments': 3}}"),
        PLANE("{'type': 'mesh', 'mesh': {'type': 'line', 'from': [-1, 0], 'to': [1, 0], "
              "'segments': 20}, 'contact': 'points'}"),
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        pli_scene* scene = scene_at("scene.json", kinds[i]);
        pli_world* world = world_of(scene);
        assert_int_equal(pli_scene_summarize(scene)->unknown_count, 2 * 16);
        run(world, 10);
        if (height(world) < -0.05) fail_msg("kind %zu: it fell to %g", i, height(world));
        pli_scene_destroy(scene);
    }
}

// Edges are kept once each: those of a box with 12 faces, in halves if the faces are quadratic, and
// segments as they are.
static void edges_of_meshes(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int segments;
    } cases[] = {
        {SPACE("{'type': 'mesh', 'mesh': {'type': 'box', 'size': [0.4, 0.2, 0.4], 'segments': [1, "
               "1, 1]}, 'translate': [0, -0.2, 0], 'contact': 'edges'}"),
         18},
        {SPACE("{'type': 'mesh', 'mesh': {'type': 'box', 'size': [0.4, 0.2, 0.4], 'segments': [1, "
               "1, 1], 'order': 2}, 'translate': [0, -0.2, 0], 'contact': 'edges'}"),
         36},
        {SPACE("{'type': 'mesh', 'mesh': {'type': 'line', 'from': [-1, -0.1, 0], 'to': [1, -0.1, "
               "0], 'segments': 3}, 'contact': 'edges'}"),
         3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_scene* scene = scene_at("scene.json", cases[i].text);
        pli_world* world = world_of(scene);
        assert_int_equal(pli_world_element_count(world, PLI_SEGMENT), cases[i].segments);
        assert_int_equal(pli_world_body_element(world, 1, PLI_TETRAHEDRON),
                         pli_world_element_count(world, PLI_TETRAHEDRON));
        const int32_t* v = pli_world_elements(world, PLI_SEGMENT);
        for (int e = 1; e < cases[i].segments; ++e) // sorted, none twice
            assert_true(v[2 * e] > v[2 * e - 2] ||
                        (v[2 * e] == v[2 * e - 2] && v[2 * e + 1] > v[2 * e - 1]));
        pli_scene_destroy(scene);
    }
}

static void copies_and_names(void** state) {
    (void)state;
    pli_scene* scene = scene_at(
        "scene.json",
        SPACE("{'type': 'half-space', 'point': [0, -1, 0], 'normal': [0, 1, 0]}, {'type': "
              "'sphere', 'name': 'needle', 'center': [-0.1, -0.02, -0.1], 'radius': 0.01, "
              "'friction': 0.5, 'repeat': {'count': [5, 1, 5], 'spacing': [0.05, 0, 0.05]}}"));
    pli_world* world = world_of(scene);
    assert_int_equal(pli_world_body_count(world), 26);
    assert_string_equal(pli_world_body_name(world, 25), "needle 24");
    assert_true(fabs(place(world, 25)[0] - 0.1) < 1e-12 && fabs(place(world, 25)[2] - 0.1) < 1e-12);
    assert_int_equal(pli_scene_summarize(scene)->obstacle_count, 26);
    run(world, 12);
    assert_true(height(world) > -0.02);
    pli_scene_destroy(scene);
}

// A slope of 45 degrees: with friction 2 the cube stays, with the 0 of contact it slides.
static void friction_of_one_obstacle(void** state) {
    (void)state;
    double way[2];
    for (int i = 0; i < 2; ++i) {
        pli_scene* scene = scene_at(
            "scene.json",
            i ? "{'dimension': 3, 'gravity': [-9.81, -9.81, 0], 'contact': {'dhat': 1e-3}, "
                "'bodies': [" CUBE "], 'obstacles': [{'type': 'box', 'center': [0, -0.1, 0], "
                "'size': [2, 0.218, 2], 'friction': 2}]}"
              : "{'dimension': 3, 'gravity': [-9.81, -9.81, 0], 'contact': {'dhat': 1e-3}, "
                "'bodies': [" CUBE "], 'obstacles': [{'type': 'box', 'center': [0, -0.1, 0], "
                "'size': [2, 0.218, 2]}]}");
        pli_world* world = world_of(scene);
        double start = place(world, 0)[0];
        run(world, 20);
        way[i] = start - place(world, 0)[0];
        pli_scene_destroy(scene);
    }
    assert_true(way[0] > 0.1); // 1/2 g t^2 is 0.2 m
    assert_true(way[1] < 0.02);
}

// ---- motion

static void motions_arrive(void** state) {
    (void)state;
    static const struct {
        const char* motion;
        double x, y, z; // of the way after 0.2 s
    } motions[] = {
        {"'velocity': [1, 0, -0.5]", 0.2, 0, -0.1},
        {"'velocity': [1, 0, 0], 'travel': 0.05", 0.05, 0, 0},
        {"'velocity': [1, 0, 0], 'until': 0.1", 0.1, 0, 0},
        {"'keys': [{'time': 0, 'offset': [0, 0, 0]}, {'time': 0.1, 'offset': [0.1, 0.2, 0]}, "
         "{'time': 0.3, 'offset': [0, 0, 0.4]}]",
         0.05, 0.1, 0.2},
        {"'offset': ['0.1 * sin(t / 0.2)', 't * t', 0]", 0.0841470984807896507, 0.04, 0},
        {"'spin': [0, 7.85398163397448310, 0], 'center': [1, -1, 0]", 1, 0, 1},
    };
    for (size_t i = 0; i < sizeof motions / sizeof *motions; ++i) {
        char text[2048];
        snprintf(text, sizeof text,
                 SPACE("{'type': 'sphere', 'center': [0, -1, 0], 'radius': 0.1, 'motion': {%s}}"),
                 motions[i].motion);
        pli_scene* scene = scene_at("scene.json", text);
        pli_world* world = world_of(scene);
        assert_int_equal(pli_world_support_count(world), 1);
        run(world, 20);
        const double *x = place(world, 1),
                     expected[3] = {motions[i].x, -1 + motions[i].y, motions[i].z};
        for (int c = 0; c < 3; ++c) // a part of tolerance * h
            if (fabs(x[c] - expected[c]) > 1e-6)
                fail_msg("%s: %g, not %g", motions[i].motion, x[c], expected[c]);
        pli_scene_destroy(scene);
    }
}

static void write_file(const char* folder, const char* name, const char* text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_file(const char* folder, const char* name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

// One triangle far below, then its corners at y = 1, 2, 4 times their number.
static void write_sequence(const char* folder) {
    char text[256], name[32];
    for (int k = 0; k < 3; ++k) {
        double y[3] = {0, 0, 0};
        for (int v = 0; v < 3; ++v) y[v] = 0.01 * k * (v + 1);
        snprintf(text, sizeof text, "v 0 %g 0\nv 1 %g 0\nv 0 %g 1\nf 1 2 3\n", y[0], y[1], y[2]);
        snprintf(name, sizeof name, "s_%02d.obj", k);
        write_file(folder, name, text);
    }
    write_file(folder, "more.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\nf 2 4 3\n");
}

static void remove_sequence(const char* folder) {
    static const char* const names[] = {"s_00.obj", "s_01.obj", "s_02.obj", "more.obj"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) remove_file(folder, names[i]);
    rmdir(folder);
}

#define SHEET(sequence)                                                                            \
    SPACE("{'type': 'mesh', 'mesh': {'type': 'file', 'path': 's_00.obj'}, 'scale': [2, 2, 2], "    \
          "'translate': [0, -1, 0], 'motion': {'sequence': {" sequence "}}}")

static void sequences_arrive(void** state) {
    (void)state;
    char folder[] = "/tmp/pliant_obstacle_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/scene.json", folder);
    write_sequence(folder);
    static const char* const texts[] = {
        SHEET("'files': ['s_%02d.obj'], 'first': 0, 'last': 2, 'interval': 0.05"),
        SHEET("'files': ['s_00.obj', 's_01.obj', 's_02.obj'], 'interval': 0.05, 'from': 0"),
        SHEET("'files': ['${PLIANT_TEST_FOLDER}/s_00.obj', '$PLIANT_TEST_FOLDER/s_01.obj', "
              "'s_02.obj'], 'interval': 0.05"),
    };
    setenv("PLIANT_TEST_FOLDER", folder, 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        pli_scene* scene = scene_at(path, texts[i]);
        pli_world* world = world_of(scene);
        for (int n = 1; n <= 12; ++n) {
            run(world, 1);
            double file = fmin(2, 0.01 * n / 0.05); // linear between files
            for (int v = 0; v < 3; ++v)             // a part of tolerance * h
                assert_true(fabs(place(world, 1)[3 * v + 1] - (-1 + 2 * 0.01 * file * (v + 1))) <
                            1e-6);
        }
        pli_scene_destroy(scene);
    }
    unsetenv("PLIANT_TEST_FOLDER");
    remove_sequence(folder);
}

// The same keys in a body's prescribe, for some of its vertices.
static void sequences_of_bodies(void** state) {
    (void)state;
    char folder[] = "/tmp/pliant_obstacle_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/scene.json", folder);
    write_sequence(folder);
    pli_scene* scene = scene_at(
        path, "{'dimension': 3, 'gravity': [0, 0, 0], 'bodies': [{'mesh': {'type': 'file', "
              "'path': 's_00.obj'}, 'vertex_mass': 1, 'prescribe': [{'vertices': [2, 0], "
              "'sequence': {'files': ['s_%02d.obj'], 'first': 0, 'last': 2, 'interval': 0.1}}]}]}");
    pli_world* world = world_of(scene);
    run(world, 15);
    const double* x = pli_world_positions(world);
    assert_true(fabs(x[1] - 0.015) < 1e-6 && fabs(x[4]) < 1e-12 && fabs(x[7] - 0.045) < 1e-6);
    pli_scene_destroy(scene);
    remove_sequence(folder);
}

// ---- what is wrong

// A finding on this line of the scene whose text has `part` in it.
static void expect(const char* path, const char* text, int line, const char* part) {
    pli_scene* scene = scene_at(path, text);
    char found[1024];
    bool there = false;
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        there |= pli_scene_finding(scene, i)->line == line &&
                 strstr(pli_scene_finding_text(scene, i, found, sizeof found), part);
    if (!there) print_findings(scene);
    if (!there) fail_msg("expected on line %d: %s", line, part);
    pli_scene_destroy(scene);
}

static void wrong_values(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int line;
        const char* part;
    } wrong[] = {
        {SPACE("{'type': 'sphere', 'center': [0, 0, 0], 'radius': 0}"), 2,
         "obstacles[0].radius = 0 m, must be > 0"},
        {SPACE("{'type': 'sphere', 'radius': 1}"), 2, "obstacles[0].center is missing"},
        {SPACE("{'type': 'capsule', 'from': [0, -1, 0], 'to': [0, -1, 0], 'radius': 0.1}"), 2,
         "to is the same as from: use a sphere"},
        {SPACE("{'type': 'box', 'center': [0, -1, 0], 'size': [1, 0, 1]}"), 2,
         "obstacles[0].size[1] = 0 m, must be > 0"},
        {SPACE("{'type': 'mesh', 'name': 'm', 'mesh': {'type': 'point'}, 'scale': [1, 0, 1]}"), 2,
         "obstacle \"m\": scale along y = 0"},
        {SPACE("{'type': 'sphere', 'name': 'cube', 'center': [0, -1, 0], 'radius': 0.1}"), 2,
         "obstacle \"cube\": bodies[0] has the same name"},
        {SPACE("{'type': 'sphere', 'name': 'b', 'center': [0, -1, 0], 'radius': 0.1, 'motion': "
               "{'velocity': [1, 0, 0], 'keys': [{'time': 0, 'offset': [0, 0, 0]}]}}"),
         2, "obstacle \"b\": velocity and keys"},
        {SPACE("{'type': 'sphere', 'name': 'b', 'center': [0, -1, 0], 'radius': 0.1, 'motion': "
               "{'velocity': [1, 0, 0], 'box': [[0, 0, 0], [1, 1, 1]]}}"),
         2, "unknown key \"box\""},
        {SPACE("{'type': 'sphere', 'name': 'b', 'center': [0, 0, 0], 'radius': 0.05}"), 2,
         "obstacle \"b\": at t = 0, its vertex 0 overlaps triangle"},
        {SPACE("{'type': 'mesh', 'mesh': {'type': 'file', 'path': '$PLIANT_NOT_SET/a.obj'}}"), 2,
         "obstacles[0]: \"$PLIANT_NOT_SET/a.obj\": the environment variable "
         "PLIANT_NOT_SET is not set"},
        {SPACE("{'type': 'sphere', 'center': [0, -1, 0], 'radius': 0.05, 'repeat': {'count': [200, "
               "1, 200], 'spacing': [1, 0, 1]}}"),
         2, "obstacles[0].repeat makes more than 10000 bodies"},
        {"{'dimension': 3, 'contact': {'bodies': false}, 'bodies': [" CUBE
         "],\n'obstacles': [{'type': 'sphere', 'center': [0, -1, 0], 'radius': 0.1}]}",
         2,
         "warning: nothing touches obstacles[0] (sphere), because contact.bodies "
         "is false"},
    };
    unsetenv("PLIANT_NOT_SET");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        expect("scene.json", wrong[i].text, wrong[i].line, wrong[i].part);
}

static void wrong_sequences(void** state) {
    (void)state;
    char folder[] = "/tmp/pliant_obstacle_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/scene.json", folder);
    write_sequence(folder);
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {SHEET("'files': ['s_00.obj', 'more.obj'], 'interval': 1"), "more.obj has 4 vertices"},
        {SHEET("'files': ['s_%02d.obj'], 'first': 0, 'last': 5, 'interval': 1"), "s_03.obj"},
        {SHEET("'files': ['s_%02d.obj'], 'first': 4, 'last': 2, 'interval': 1"),
         "last = 2, must be at least 4"},
        {SHEET("'files': ['s_%s.obj'], 'first': 0, 'last': 2, 'interval': 1"),
         "files must be one pattern"},
        {SHEET("'files': ['s_00.obj'], 'interval': 0"), "interval = 0 s, must be > 0"},
        {SHEET("'files': [], 'interval': 1"), "has 0 entries, must have at least 1"},
        {SHEET("'files': ['s_01.obj', 's_02.obj'], 'interval': 1"), "is up to 0.06 m at t = 0"},
        {SHEET("'files': ['s_01.obj', 's_02.obj'], 'interval': 1, 'from': 0.5"),
         "is up to 0.06 m at t = 0"}, // it holds before, too
        {SHEET("'files': ['s_00.obj', 's_01.obj'], 'interval': 1, 'from': -0.5"),
         "is up to 0.03 m at t = 0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        expect(path, wrong[i].text, 2, wrong[i].message);
    remove_sequence(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_in_space),
        cmocka_unit_test(every_kind_in_the_plane),
        cmocka_unit_test(edges_of_meshes),
        cmocka_unit_test(copies_and_names),
        cmocka_unit_test(friction_of_one_obstacle),
        cmocka_unit_test(motions_arrive),
        cmocka_unit_test(sequences_arrive),
        cmocka_unit_test(sequences_of_bodies),
        cmocka_unit_test(wrong_values),
        cmocka_unit_test(wrong_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
