// Scenes made of several files: what is merged, and places in each file.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_FILES = 8, PATH_SIZE = 128 };

typedef struct folder {
    char path[64];
    int count;
    char* files[MOST_FILES];
} folder;

static int make_folder(void** state) {
    folder* f = calloc(1, sizeof *f);
    strcpy(f->path, "/tmp/pliant_include_XXXXXX");
    assert_non_null(mkdtemp(f->path));
    *state = f;
    return 0;
}

static int remove_folder(void** state) {
    folder* f = *state;
    for (int i = 0; i < f->count; ++i) unlink(f->files[i]), free(f->files[i]);
    rmdir(f->path);
    free(f);
    return 0;
}

// Texts are written with ' for ".
static const char* write_scene(folder* f, const char* name, const char* quoted) {
    char* path = malloc(PATH_SIZE);
    assert_true(path && f->count < MOST_FILES);
    f->files[f->count++] = path;
    snprintf(path, PATH_SIZE, "%s/%s", f->path, name);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (const char* c = quoted; *c; ++c) fputc(*c == '\'' ? '"' : *c, file);
    fclose(file);
    return path;
}

static pli_scene* read_scene(const char* path, const char* override) {
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.overrides = &override;
    def.override_count = override != NULL;
    def.thread_count = 1;
    pli_scene* scene = NULL;
    pli_error error = {0};
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_OK);
    return scene;
}

static void expect_sound(const pli_scene* scene) {
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
}

#define BODY(name, size, rest)                                                                     \
    "{'name': '" name "', 'mesh': {'type': 'rectangle', 'size': [" size                            \
    ", 1], 'segments': [2, 2]}, 'density': 1, 'energies': [{'type': 'neo-hookean'}] " rest "}"

static void lists_join_and_values_change(void** state) {
    folder* f = *state;
    write_scene(
        f, "floor.json",
        "{'variables': {'w': 5, 'k': 7}, 'gravity': [0, -1], 'time': {'step': 0.5, 'steps': 9},"
        " 'obstacles': [{'type': 'half-space', 'point': [0, -9], 'normal': [0, 1]}]}");
    write_scene(f, "first.json",
                "// a part\n{'bodies': [" BODY("a", "1", "") "], 'gravity': [0, -2]}");
    const char* path = write_scene(
        f, "scene.json",
        "{'include': ['floor.json', 'first.json'], 'variables': {'w': 3}, 'time': {'steps': 2},"
        " 'bodies': [" BODY("b", "'w'", ", 'translate': [9, 0]") "]}");
    pli_scene* scene = read_scene(path, NULL);
    expect_sound(scene);
    const pli_world* world = pli_scene_world(scene);
    assert_int_equal(pli_world_body_count(world), 2);
    assert_int_equal(pli_world_half_space_count(world), 1);
    // The file's own variable counts; gravity is that of the last file; steps of the scene.
    assert_true(fabs(pli_scene_summarize(scene)->mass - 4) < 1e-12);
    assert_non_null(strstr(pli_scene_text(scene), "\"gravity\": [0, -2]"));
    assert_int_equal(pli_scene_run(scene)->steps, 2);
    assert_non_null(strstr(pli_scene_text(scene), "\"step\": 0.5"));
    assert_null(strstr(pli_scene_text(scene), "include"));
    pli_scene_destroy(scene);
    // Overrides see the whole.
    scene = read_scene(path, "bodies[0].density=10");
    assert_true(fabs(pli_scene_summarize(scene)->mass - 13) < 1e-12);
    pli_scene_destroy(scene);
}

static void findings_name_the_file(void** state) {
    folder* f = *state;
    write_scene(f, "part.json",
                "{'bodies': [\n" BODY("a", "-1", "") "],\n 'solver': {'tolerance': 0}}");
    const char* path = write_scene(f, "scene.json",
                                   "{'include': 'part.json', 'time': {'step': -1},\n\n"
                                   " 'bodies': [" BODY("b", "-2", "") "]}");
    pli_scene* scene = read_scene(path, NULL);
    char text[256];
    static const char* const wanted[] = {
        "scene.json:1:43: time.step = -1",
        "scene.json:3:66: body \"b\": mesh.size[0] = -2 m",
        "part.json:2:54: body \"a\": mesh.size[0] = -1 m",
        "part.json:3:26: solver.tolerance = 0",
    };
    for (int i = 0; i < 4; ++i) {
        snprintf(text, sizeof text, "%s/%s", f->path, wanted[i]);
        expect_finding(scene, text);
    }
    pli_scene_destroy(scene);
}

static void wrong_includes_are_found(void** state) {
    folder* f = *state;
    write_scene(f, "loop.json", "{'include': 'loop.json'}");
    write_scene(f, "bad.json", "{\n 'bodies': [ }");
    write_scene(f, "list.json", "[]");
    static const struct {
        const char *include, *file, *finding;
    } cases[] = {
        {"'none.json'", "scene.json", "1:13: "},
        {"'loop.json'", "scene.json", "1:13: \"loop.json\" includes itself"},
        {"'scene.json'", "scene.json", "1:13: \"scene.json\" includes itself"},
        {"['bad.json']", "bad.json", "2:14: not valid JSON"},
        {"'list.json'", "list.json", "1:1: a scene must be a JSON object"},
        {"[3]", "scene.json", "1:13: include must be the name of a file"},
        {"{}", "scene.json", "1:13: include must be the name of a file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[512];
        snprintf(text, sizeof text, "{'include': %s, 'bodies': [" BODY("b", "1", "") "]}",
                 cases[i].include);
        const char* path = write_scene(f, "scene.json", text);
        pli_scene* scene = read_scene(path, NULL);
        snprintf(text, sizeof text, "%s/%s:%s", f->path, cases[i].file, cases[i].finding);
        expect_finding(scene, text);
        pli_scene_destroy(scene);
        unlink(path);
        free(f->files[--f->count]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lists_join_and_values_change, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(findings_name_the_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(wrong_includes_are_found, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
