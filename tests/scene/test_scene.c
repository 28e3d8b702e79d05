// From text to a world: shapes, supports, geometric findings, files, memory.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

static pli_scene* good_scene(const char* text) {
    pli_scene* scene = scene_of(text);
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_non_null(pli_scene_world(scene));
    return scene;
}

#define POINTS(list, rest)                                                                         \
    "{\"contact\": {\"bodies\": false}, \"bodies\": [{\"name\": \"p\", \"vertex_mass\": 2, "       \
    "\"mesh\": {\"type\": \"data\", \"vertices\": " list "}" rest "}]}"

static void assert_vertex(const double* values, int v, double x, double y) {
    // 1e-12: cos and sin of degrees round
    assert_true(fabs(values[3 * v] - x) < 1e-12);
    assert_true(fabs(values[3 * v + 1] - y) < 1e-12);
    assert_true(values[3 * v + 2] == 0);
}

static void placement(void** state) {
    (void)state;
    pli_scene* scene = good_scene(POINTS(
        "[[0, 0], [1, 0], [1, 3]]", ", \"scale\": [2, 1], \"rotate\": 90, \"translate\": [5, 6]"));
    const double* x = pli_world_rest_positions(pli_scene_world(scene));
    assert_vertex(x, 0, 5, 6);
    assert_vertex(x, 1, 5, 8);
    assert_vertex(x, 2, 2, 8);
    pli_scene_destroy(scene);
}

static void start(void** state) {
    (void)state;
    pli_scene* scene = good_scene(
        POINTS("[[0, 0], [2, 4]]", ", \"stretch\": [2, 0.5], \"velocity\": [1, 0], \"spin\": 3"));
    const pli_world* world = pli_scene_world(scene);
    assert_vertex(pli_world_rest_positions(world), 1, 2, 4);
    assert_vertex(pli_world_positions(world), 0, -1, 1); // the centre is (1, 2)
    assert_vertex(pli_world_positions(world), 1, 3, 3);
    assert_vertex(pli_world_velocities(world), 0, 1 + 3, -6); // arms as stretched
    assert_vertex(pli_world_velocities(world), 1, 1 - 3, 6);
    pli_scene_destroy(scene);
}

static void mirrored_triangles_stay_right(void** state) {
    (void)state;
    pli_scene* scene = good_scene(
        "{\"bodies\": [{\"scale\": [-1, 1], \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], "
        "\"segments\": [2, 2]}, \"energies\": [{\"type\": \"neo-hookean\"}]}]}");
    assert_string_equal(pli_world_body_name(pli_scene_world(scene), 0), "body 0");
    pli_scene_destroy(scene);
}

static void supports(void** state) {
    (void)state;
    static const struct {
        const char* fix;
        int unknowns; // of 4 vertices in the plane
    } cases[] = {
        {"[{\"vertices\": [0, 1]}]", 4},
        {"[{\"vertices\": [0], \"axes\": [\"x\"]}]", 7},
        {"[{\"vertices\": [0], \"axes\": [\"x\", \"y\"]}]", 6},
        {"[{\"vertices\": [0], \"normal\": [1, 1]}]", 7},
        {"[{\"box\": [[0.9, -9], [1, 9]]}]", 4},
        {"[{\"axes\": [\"y\"]}]", 4},
        {"[{\"vertices\": [0, 1]}, {\"vertices\": [1, 2]}]", 2}, // sides that share a corner
        {"[{\"vertices\": [0, 1], \"axes\": [\"x\"]}, {\"vertices\": [1, 2], \"axes\": [\"y\"]}]",
         4},
        {"[]", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[512];
        snprintf(text, sizeof text, POINTS("[[0, 0], [1, 0], [1, 1], [0, 1]]", ", \"fix\": %s"),
                 cases[i].fix);
        pli_scene* scene = good_scene(text);
        assert_int_equal(pli_scene_summarize(scene)->unknown_count, cases[i].unknowns);
        pli_scene_destroy(scene);
    }
}

static void prescribed_motion(void** state) {
    (void)state;
    pli_scene* scene = good_scene(POINTS(
        "[[0, 0]]", ", \"prescribe\": [{\"keys\": [{\"time\": 0, \"offset\": [0, 0]}, {\"time\": "
                    "0.02, \"offset\": [0.1, 0.2]}, {\"time\": 9, \"offset\": [0.1, 0.2]}]}]"));
    pli_world* world = pli_scene_world(scene);
    for (int i = 0; i < 3; ++i) {
        pli_step_info info;
        assert_int_equal(pli_world_step(world, &info, NULL), PLI_OK);
        assert_int_equal(info.reason, PLI_CONVERGED);
    }
    // arrival is within tolerance (0.01 m/s) times step (0.01 s)
    assert_true(fabs(pli_world_positions(world)[0] - 0.1) < 1e-4);
    assert_true(fabs(pli_world_positions(world)[1] - 0.2) < 1e-4);
    pli_scene_destroy(scene);
}

static void steps_and_names(void** state) {
    (void)state;
    static const struct {
        const char* time;
        int steps;
    } cases[] = {
        {"{\"step\": 0.1, \"duration\": 1}", 10}, // 1 / 0.1 rounds, the number of steps does not
        {"{\"step\": 0.1, \"duration\": 1.01}", 11},
        {"{\"step\": 0.1, \"duration\": 0.01}", 1},
        {"{\"steps\": 7}", 7},
        {"{}", 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[512];
        snprintf(text, sizeof text, "{\"time\": %s, \"bodies\": [" SQUARE_BODY "]}", cases[i].time);
        pli_scene* scene = good_scene(text);
        assert_int_equal(pli_scene_run(scene)->steps, cases[i].steps);
        assert_string_equal(pli_scene_run(scene)->name, "scene");
        pli_scene_destroy(scene);
    }
    const char* both = "{\"name\": \"n\",\n\"time\": {\"steps\": 3, \"duration\": 5}, "
                       "\"bodies\": [" SQUARE_BODY "]}";
    pli_scene* scene = good_scene(both);
    assert_string_equal(pli_scene_run(scene)->name, "n");
    expect_finding(scene, "scene.json:2:34: warning: time.duration is not used");
    pli_scene_destroy(scene);
    const char* const overrides[] = {"time.steps=4"};
    scene = scene_with(both, overrides, 1); // on purpose: no warning
    assert_int_equal(pli_scene_finding_count(scene), 0);
    assert_int_equal(pli_scene_run(scene)->steps, 4);
    pli_scene_destroy(scene);
}

// ---- geometric findings

#define DATA(vertices, triangles, rest)                                                            \
    "{\"bodies\": [{\"name\": \"mat\", \"mesh\": {\"type\": \"data\", \"vertices\": " vertices     \
    ", \"triangles\": " triangles "}, \"energies\": [{\"type\": \"neo-hookean\"}]" rest "}]}"

static void bad_elements(void** state) {
    (void)state;
    pli_scene* scene =
        scene_of(DATA("[[0, 0], [1, 0], [0, 1], [2, 0], [9, 9], [0, 0]]",
                      "[[0, 1, 2], [0, 2, 1], [0, 1, 3], [2, 1, 0], [1, 1, 2]]", ""));
    expect_finding(scene,
                   "scene.json:1:37: body \"mat\": triangle 1 has area -0.5 m^2: its vertices "
                   "must run counter-clockwise; the same holds for 3");
    expect_finding(scene, "scene.json:1:37: body \"mat\": triangle 2 has area 0 m^2");
    expect_finding(scene, "scene.json:1:37: body \"mat\": triangle 4 names vertex 1 twice");
    expect_finding(
        scene, "scene.json:1:37: warning: body \"mat\": vertex 5 is at the same place as vertex 0");
    expect_finding(scene,
                   "scene.json:1:13: body \"mat\": 2 of 6 vertices have no mass, because they "
                   "belong to no triangle: 4, 5;");
    pli_scene_destroy(scene);
    // Fixed along all axes they need none, also if that takes two supports.
    scene =
        scene_of(DATA("[[0, 0], [1, 0], [0, 1], [9, 9], [9, 8]]", "[[0, 1, 2]]",
                      ", \"fix\": [{\"vertices\": [3, 4], \"axes\": [\"x\"]}, {\"vertices\": [3], "
                      "\"axes\": [\"y\"]}]"));
    expect_finding(scene,
                   "scene.json:1:13: body \"mat\": 1 of 5 vertices have no mass, because they "
                   "belong to no triangle: 4;");
    pli_scene_destroy(scene);
}

static void bad_start(void** state) {
    (void)state;
    pli_scene* scene =
        scene_of(DATA("[[0, 0], [1, 0], [0, 1]]", "[[0, 1, 2]]", ",\n\"stretch\": [-1, 1]"));
    expect_finding(scene, "scene.json:2:12: body \"mat\": at t = 0: triangle 0 has area -0.5 m^2");
    pli_scene_destroy(scene);
}

static void energies_need_elements(void** state) {
    (void)state;
    pli_scene* scene = scene_of(
        "{\"bodies\": [{\"mesh\": {\"type\": \"line\", \"from\": [0, 0], \"to\": [1, 0]},\n"
        "\"energies\": [{\"type\": \"spring\"}, {\"type\": \"neo-hookean\"}]}]}");
    expect_finding(scene, "scene.json:2:34: bodies[0]: energy \"neo-hookean\" needs "
                          "triangle or 6-node triangle elements");
    expect_finding(scene, "scene.json:1:13: bodies[0]: the mesh has no triangles and its segments "
                          "no cross_section, so density gives it no mass: set vertex_mass");
    assert_int_equal(pli_scene_error_count(scene), 2);
    pli_scene_destroy(scene);
    scene = scene_of("{\"bodies\": [{\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], "
                     "\"segments\": [1, 1]}}]}");
    expect_finding(scene, "scene.json:1:13: warning: bodies[0]: it has no energies");
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_scene_destroy(scene);
}

static void start_that_penetrates(void** state) {
    (void)state;
    pli_scene* scene = scene_of("{\"bodies\": [\n" SQUARE_BODY "],\n\"obstacles\": [{\"type\": "
                                "\"half-space\", \"point\": [0, -0.3]}]}");
    expect_finding(scene, "scene.json:2:1: body \"mat\": at t = 0, 2 of its vertices are inside "
                          "obstacles[0] (half-space), the deepest by 0.2 m: move the body or the "
                          "obstacle; vertices 0, 2");
    pli_scene_destroy(scene);
    // Two bodies that cross.
    scene =
        scene_of("{\"bodies\": [" SQUARE_BODY ",\n{\"name\": \"other\", \"translate\": [0.5, 0.1], "
                 "\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [1, 1]}, "
                 "\"energies\": [{\"type\": \"neo-hookean\"}]}]}");
    assert_int_equal(pli_scene_error_count(scene), 1);
    assert_null(pli_scene_world(scene));
    pli_scene_destroy(scene);
}

static void short_edges(void** state) {
    (void)state;
    pli_scene* scene = scene_of("{\"contact\": {\"dhat\": 1.5}, \"bodies\": [" SQUARE_BODY "]}");
    expect_finding(scene,
                   "scene.json:1:39: warning: body \"mat\": at rest, 8 pairs of its own parts "
                   "are closer than contact.dhat (1.5 m), so it repels itself");
    pli_scene_destroy(scene);
}

static void huge_scenes_are_refused(void** state) {
    (void)state;
    const char* const overrides[] = {"bodies[0].mesh.segments=[100000, 100000]"};
    pli_scene* scene = scene_with(SQUARE_SCENE, overrides, 1);
    const pli_finding* f = expect_finding(scene, "scene.json:1:13: 1e+10 vertices need about ");
    assert_non_null(strstr(f->message, "use fewer segments"));
    assert_int_equal(pli_scene_error_count(scene), 1);
    pli_scene_destroy(scene);
}

// ---- the user's energies

static void heavy_eval(const pli_batch* in, pli_local* out) {
    for (int i = 0; i < in->count; ++i) {
        double k = *((const double*)in->data + i);
        if (in->want & PLI_VALUE) out->e[i] += k * in->x[3 * in->vertices[i] + 1];
        if (in->want & PLI_GRADIENT) out->g[2 * i + 1] += k;
    }
}

static pli_status heavy_prepare(const double* params, const pli_element* element, void* data,
                                pli_error* error) {
    (void)element;
    (void)error;
    memcpy(data, params, sizeof(double));
    return PLI_OK;
}

static void own_energy(void** state) {
    (void)state;
    static const pli_param rows[] = {
        {.name = "weight", .unit = "N", .min = 0, .max = 100, .default_value = 3, .help = "w"}};
    static const pli_energy_type type = {.abi = PLI_ENERGY_ABI,
                                         .name = "heavy",
                                         .help = "pulls down",
                                         .dims = 1u << 2,
                                         .params = rows,
                                         .param_count = 1,
                                         .data_size = {[PLI_VERTEX] = sizeof(double)},
                                         .prepare = heavy_prepare,
                                         .eval = heavy_eval};
    static const pli_energy_type* const types[] = {&type};
    pli_scene_def def = pli_default_scene_def();
    def.text = POINTS("[[0, 0]]", ", \"energies\": [{\"type\": \"heavy\", \"weight\": 8}]");
    def.energy_types = types;
    def.energy_type_count = 1;
    def.thread_count = 1;
    pli_scene* scene = NULL;
    assert_int_equal(pli_scene_create(&def, &scene, NULL), PLI_OK);
    if (pli_scene_error_count(scene)) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_step_info info;
    assert_int_equal(pli_world_step(pli_scene_world(scene), &info, NULL), PLI_OK);
    // v = -(8 N / 2 kg) 0.01 s, exactly one linear solve
    assert_true(fabs(pli_world_velocities(pli_scene_world(scene))[1] + 0.04) < 1e-12);
    pli_scene_destroy(scene);
    def.text = POINTS("[[0, 0]]", ", \"energies\": [{\"type\": \"heavy\", \"weight\": 800}]");
    assert_int_equal(pli_scene_create(&def, &scene, NULL), PLI_OK);
    assert_non_null(strstr(pli_scene_finding(scene, 0)->message,
                           "energies[0].weight = 800 N, must be >= 0 and <= 100"));
    pli_scene_destroy(scene);
}

// ---- files

static void write_file(const char* path, const char* text, size_t size) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static pli_status create_from(const char* path, pli_scene** scene, pli_error* error) {
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.thread_count = 1;
    return pli_scene_create(&def, scene, error);
}

static void files(void** state) {
    (void)state;
    char folder[] = "/tmp/pliant_scene_XXXXXX", path[128], mesh[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/my.scene.json", folder);
    snprintf(mesh, sizeof mesh, "%s/tri.obj", folder);
    pli_scene* scene = NULL;
    pli_error error = {0};
    assert_int_equal(create_from(path, &scene, &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "my.scene.json: No such file"));
    assert_int_equal(create_from(folder, &scene, &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "is a folder"));
    assert_int_equal(create_from("/dev/null", &scene, &error), PLI_E_IO);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(create_from(path, &scene, &error), PLI_E_IO); // nobody writes: it would wait
    assert_non_null(strstr(error.message, "not a regular file"));
    unlink(path);
    assert_null(scene);
    write_file(path, "{\n \"a\":\0 1}", 11);
    assert_int_equal(create_from(path, &scene, &error), PLI_OK);
    assert_int_equal(pli_scene_finding(scene, 0)->line, 2);
    assert_non_null(strstr(pli_scene_finding(scene, 0)->message, "NUL byte"));
    pli_scene_destroy(scene);
    static const char text[] =
        "{\"bodies\": [{\"mesh\": {\"type\": \"file\", \"path\": \"tri.obj\"}, \"energies\": "
        "[{\"type\": \"neo-hookean\"}]}]}";
    write_file(path, text, sizeof text - 1);
    write_file(mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 32);
    assert_int_equal(create_from(path, &scene, &error), PLI_OK); // found beside the scene
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_string_equal(pli_scene_run(scene)->name, "my.scene");
    pli_scene_destroy(scene);
    write_file(mesh, "v 0 0 0\nv 1 0\n", 14);
    assert_int_equal(create_from(path, &scene, &error), PLI_OK);
    assert_int_equal(pli_scene_error_count(scene), 1);
    assert_non_null(strstr(pli_scene_finding(scene, 0)->message, "tri.obj:2:"));
    pli_scene_destroy(scene);
    unlink(path);
    unlink(mesh);
    rmdir(folder);
}

// ---- memory

// Counts bytes and fails at the n-th request for more.
typedef struct counted {
    size_t bytes;
    int calls, fail_at;
} counted;

static void* counted_resize(void* context, void* block, size_t old_size, size_t new_size) {
    counted* c = context;
    if (new_size == 0) {
        c->bytes -= old_size;
        free(block);
        return NULL;
    }
    if (++c->calls == c->fail_at) return NULL;
    void* fresh = realloc(block, new_size);
    c->bytes += new_size - old_size;
    return fresh;
}

static void no_leak_wherever_memory_ends(void** state) {
    (void)state;
    static const char text[] =
        "{\"bodies\": [" SQUARE_BODY ", {\"name\": \"p\", \"mesh\": {\"type\": \"point\"}, "
        "\"translate\": [0, 2], \"vertex_mass\": 1, \"prescribe\": [{\"velocity\": [0, -1]}]}],\n"
        "\"obstacles\": [{\"type\": \"half-space\", \"point\": [0, -1], \"friction\": 0.1}, "
        "{\"type\": \"half-space\", \"normal\": [0, -1], \"carrier\": \"p\"}], \"tme\": 1}";
    const char* const overrides[] = {"time.steps=4"};
    for (int pass = 0; pass < 2; ++pass) { // with an unknown key, and without errors
        char copy[sizeof text];
        memcpy(copy, text, sizeof text);
        if (pass == 1) strcpy(strstr(copy, ", \"tme\""), "}");
        int fail_at = 0;
        for (bool failed = true; failed; ++fail_at) {
            counted c = {.fail_at = fail_at};
            pli_allocator allocator = {.resize = counted_resize, .context = &c};
            pli_scene_def def = {.size = sizeof def,
                                 .text = copy,
                                 .overrides = overrides,
                                 .override_count = 1,
                                 .thread_count = 1,
                                 .allocator = &allocator};
            pli_scene* scene = NULL;
            pli_error error = {0};
            pli_status status = pli_scene_create(&def, &scene, &error);
            failed = fail_at == 0 || c.calls >= fail_at;
            assert_int_equal(status, failed && fail_at > 0 ? PLI_E_MEMORY : PLI_OK);
            if (status == PLI_OK) assert_int_equal(pli_scene_error_count(scene), pass == 0);
            pli_scene_destroy(scene);
            assert_int_equal(c.bytes, 0);
        }
        assert_true(fail_at > 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placement),
        cmocka_unit_test(start),
        cmocka_unit_test(mirrored_triangles_stay_right),
        cmocka_unit_test(supports),
        cmocka_unit_test(prescribed_motion),
        cmocka_unit_test(steps_and_names),
        cmocka_unit_test(bad_elements),
        cmocka_unit_test(bad_start),
        cmocka_unit_test(energies_need_elements),
        cmocka_unit_test(start_that_penetrates),
        cmocka_unit_test(short_edges),
        cmocka_unit_test(huge_scenes_are_refused),
        cmocka_unit_test(own_energy),
        cmocka_unit_test(files),
        cmocka_unit_test(no_leak_wherever_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
