// A real world is recorded while bodies come and go and a mesh is replaced: every reader follows,
// and a run that dies and is resumed ends in the same bytes as one that never stopped.
#include "result/fixture.h"

#include "pliant/pliant.h"

#include <stdlib.h>
#include <sys/stat.h>

static const char scene_text[] =
    "{ \"name\": \"changes\", \"gravity\": [0, -10], \"time\": { \"step\": 0.02 },"
    "  \"contact\": { \"dhat\": 0.05, \"friction\": 0.2, \"stiffness\": 1e5 }, \"bodies\": ["
    "  { \"name\": \"low\", \"density\": 100,"
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2] },"
    "    \"energies\": [ { \"type\": \"neo-hookean\", \"young\": 1e5 } ] },"
    "  { \"name\": \"high\", \"density\": 100, \"translate\": [0.1, 1.1], \"velocity\": [1, 0],"
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2] },"
    "    \"energies\": [ { \"type\": \"neo-hookean\", \"young\": 1e5 } ] } ],"
    "  \"obstacles\": [ { \"type\": \"half-space\", \"point\": [0, -0.55], \"normal\": [0, 1] } ] "
    "}";

enum { STEPS = 12, ADDED_AT = 3, SET_AT = 5, REMOVED_AT = 6, EDITED_AT = 9 };

static pli_error error;

static void check(pli_status status) {
    if (status != PLI_OK) fail_msg("%s", error.message);
}

static pli_scene* make_scene(void) {
    pli_scene_def def = pli_default_scene_def();
    def.text = scene_text;
    def.thread_count = 1;
    pli_scene* scene;
    check(pli_scene_create(&def, &scene, &error));
    assert_non_null(pli_scene_world(scene));
    return scene;
}

// ---- the changes

static pli_body_id id_of(const pli_world* world, const char* name) {
    int b = 0;
    while (strcmp(pli_world_body_name(world, b), name) != 0) ++b;
    return pli_world_body_id(world, b);
}

static void add_body(pli_world* world) {
    double positions[] = {-2, 0, 0, -1.5, 0, 0, -1.5, 0.5, 0, -2, 0.5, 0};
    int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    pli_mesh mesh = {.vertex_count = 4, .positions = positions};
    mesh.element_count[PLI_TRIANGLE] = 2;
    mesh.elements[PLI_TRIANGLE] = triangles;
    pli_body_def def = pli_default_body_def();
    pli_body_id id;
    def.name = "third";
    def.mesh = &mesh;
    def.density = 100;
    check(pli_world_add_body(world, &def, &id, &error));
    const pli_setting young = {"young", 1e5};
    check(pli_world_add_energy(world, id, "neo-hookean", &young, 1, NULL, &error));
}

// Its middle becomes a vertex.
static void edit_body(pli_world* world) {
    double positions[] = {-2, 0, 0, -1.5, 0, 0, -1.5, 0.5, 0, -2, 0.5, 0, -1.75, 0.25, 0};
    int32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    static const int32_t start[] = {0, 1, 2, 3, 4, 6}, from[] = {0, 1, 2, 3, 0, 2};
    static const double weight[] = {1, 1, 1, 1, 0.5, 0.5};
    pli_mesh mesh = {.vertex_count = 5, .positions = positions};
    mesh.element_count[PLI_TRIANGLE] = 4;
    mesh.elements[PLI_TRIANGLE] = triangles;
    pli_transfer transfer = {.start = start, .from = from, .weight = weight};
    check(pli_world_edit(world, id_of(world, "third"), &mesh, &transfer, NULL, &error));
}

static void set_gravity(pli_scene* scene) {
    int i = 0;
    while (strcmp(pli_scene_parameter_at(scene, i)->path, "gravity") != 0) ++i;
    bool applied = false;
    check(pli_scene_set_parameter(scene, i, (double[3]){0, -8}, &applied, &error));
    assert_true(applied);
}

// What happens before a step.
static void change(pli_scene* scene, int step) {
    pli_world* world = pli_scene_world(scene);
    if (step == ADDED_AT) add_body(world);
    if (step == SET_AT) set_gravity(scene);
    if (step == REMOVED_AT) check(pli_world_remove_body(world, id_of(world, "low"), &error));
    if (step == EDITED_AT) edit_body(world);
}

static int epoch_at(int frame) {
    return (frame >= ADDED_AT) + (frame >= REMOVED_AT) + (frame >= EDITED_AT);
}
static int body_count_at(int frame) { return 2 + (frame >= ADDED_AT) - (frame >= REMOVED_AT); }
static int vertex_count_at(int frame) {
    return 9 * (frame < REMOVED_AT) + 9 + 4 * (frame >= ADDED_AT) + (frame >= EDITED_AT);
}

// ---- runs

static pli_recorder_def recorder_def(const char* folder) {
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder;
    def.title = "changes";
    def.double_precision = true;
    return def;
}

static void go(pli_recorder* recorder, pli_scene* scene, int end, int checkpoint_at) {
    pli_world* world = pli_scene_world(scene);
    while (pli_world_step_count(world) < end) {
        pli_step_info info;
        change(scene, pli_world_step_count(world) + 1);
        check(pli_world_step(world, &info, &error));
        assert_true(info.kept);
        check(pli_recorder_step(recorder, &info, &error));
        check(pli_recorder_frame(recorder, &error));
        if (pli_world_step_count(world) == checkpoint_at)
            check(pli_recorder_checkpoint(recorder, scene, &error));
    }
}

// Runs to `end`, from the start; `finish`: the program does not die there.
static void run(const char* folder, int end, int checkpoint_at, bool finish) {
    pli_scene* scene = make_scene();
    pli_recorder* recorder = NULL;
    pli_recorder_def def = recorder_def(folder);
    check(pli_recorder_create(&def, pli_scene_world(scene), &recorder, &error));
    check(pli_recorder_frame(recorder, &error));
    go(recorder, scene, end, checkpoint_at);
    if (finish) check(pli_recorder_finish(recorder, &error));
    pli_recorder_destroy(recorder);
    pli_scene_destroy(scene);
}

static void print_difference(void* context, const char* line) {
    (void)context;
    print_message("%s\n", line);
}

// Makes the scene as it was at first, with the overrides of the checkpoint.
static void resume(const char* folder) {
    pli_checkpoint* checkpoint;
    check(pli_checkpoint_read(folder, NULL, &checkpoint, &error));
    pli_checkpoint_info info = pli_checkpoint_describe(checkpoint);
    pli_scene_def scene_def = pli_default_scene_def();
    scene_def.text = scene_text;
    scene_def.thread_count = 1;
    scene_def.overrides = info.overrides;
    scene_def.override_count = info.override_count;
    pli_scene* scene;
    check(pli_scene_create(&scene_def, &scene, &error));
    int differences = -1;
    check(pli_checkpoint_compare(checkpoint, scene, print_difference, NULL, &differences, &error));
    assert_int_equal(differences, 0);
    check(pli_checkpoint_restore(checkpoint, pli_scene_world(scene), &error));
    assert_int_equal(pli_world_step_count(pli_scene_world(scene)), info.step);
    pli_recorder* recorder = NULL;
    pli_recorder_def def = recorder_def(folder);
    def.resume = checkpoint;
    check(pli_recorder_create(&def, pli_scene_world(scene), &recorder, &error));
    pli_checkpoint_destroy(checkpoint);
    go(recorder, scene, STEPS, -1);
    check(pli_recorder_finish(recorder, &error));
    pli_recorder_destroy(recorder);
    pli_scene_destroy(scene);
}

static void remove_all(const test_folder* folder) {
    DIR* stream = opendir(folder->path);
    assert_non_null(stream);
    for (const struct dirent* entry; (entry = readdir(stream));) {
        test_folder inner;
        char path[2 * TEST_PATH_SIZE];
        struct stat info;
        if (entry->d_name[0] == '.') continue;
        snprintf(inner.path, sizeof inner.path, "%.500s", path_in(folder, entry->d_name, path));
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) remove_test_folder(&inner);
    }
    closedir(stream);
    remove_test_folder(folder);
}

// ---- resuming

static char* read_text(const char* folder, const char* name, size_t* size) {
    char path[3 * TEST_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "rb");
    if (!file) fail_msg("%s is missing", path);
    char* text = calloc(1 << 20, 1);
    *size = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

static void assert_same_file(const char* a, const char* b, const char* name) {
    size_t sizes[2];
    char *one = read_text(a, name, &sizes[0]), *other = read_text(b, name, &sizes[1]);
    if (sizes[0] != sizes[1] || memcmp(one, other, sizes[0]) != 0) {
        print_message("%s\n%.2000s\n%.2000s\n", name, one, other);
        fail();
    }
    free(one);
    free(other);
}

// Without the times that the steps took.
static void cut_seconds(char* text) {
    for (char* at; (at = strstr(text, "\"seconds\":{"));) {
        char* end = strchr(at, '}');
        memmove(at, end + 1, strlen(end));
    }
}

static void assert_same_stats(const char* a, const char* b) {
    size_t size;
    char *one = read_text(a, "stats.jsonl", &size), *other = read_text(b, "stats.jsonl", &size);
    cut_seconds(one);
    cut_seconds(other);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

static void resumed_runs_end_in_the_same_bytes(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    char whole[2 * TEST_PATH_SIZE], cut[2 * TEST_PATH_SIZE], name[40];
    path_in(&folder, "whole", whole);
    run(whole, STEPS, -1, true);
    for (int at = 1; at < STEPS; ++at) {
        int last = at + 4 < STEPS ? at + 4 : STEPS; // the program dies beyond the next changes
        print_message("checkpoint at step %d, end at step %d\n", at, last);
        snprintf(name, sizeof name, "cut_%d", at);
        path_in(&folder, name, cut);
        run(cut, last, at, false);
        resume(cut);
        for (int i = 0; i <= STEPS; ++i) {
            snprintf(name, sizeof name, "frame_%06d.vtu", i);
            assert_same_file(whole, cut, name);
        }
        assert_same_file(whole, cut, "run.json");
        assert_same_file(whole, cut, "run.pvd");
        assert_same_stats(whole, cut);
    }
    remove_all(&folder);
}

// ---- readers

// The step after a change accounts for it, other steps have none.
static void check_changes_in_stats(const char* folder) {
    size_t size;
    char *text = read_text(folder, "stats.jsonl", &size), *line = text;
    for (int step = 1; step <= STEPS; ++step) {
        const char* at = strstr(line, "\"changes\":");
        assert_non_null(at);
        bool changed =
            step == ADDED_AT || step == SET_AT || step == REMOVED_AT || step == EDITED_AT;
        double value = strtod(at + strlen("\"changes\":"), NULL);
        if ((value != 0) != changed) fail_msg("step %d: %g J", step, value);
        line = strchr(line, '\n') + 1;
    }
    free(text);
}

static void readers_follow(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    char whole[2 * TEST_PATH_SIZE];
    path_in(&folder, "whole", whole);
    run(whole, STEPS, -1, true);
    pli_replay* replay = NULL;
    check(pli_replay_open(whole, NULL, &replay, &error));
    assert_int_equal(pli_replay_frame_count(replay), STEPS + 1);
    static const int order[] = {0, 12, 5, 6, 3, 2, 9, 8};
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
        check(pli_replay_read(replay, order[i], &error));
        assert_int_equal(pli_replay_epoch(replay), epoch_at(order[i]));
        assert_int_equal(pli_replay_body_count(replay), body_count_at(order[i]));
        assert_int_equal(pli_replay_vertex_count(replay), vertex_count_at(order[i]));
    }
    pli_replay_close(replay);
    static const char* const formats[] = {"obj", "ply", "vtk", "csv", "png"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        char out[2 * TEST_PATH_SIZE];
        path_in(&folder, formats[i], out);
        pli_export_def def = pli_default_export_def();
        pli_export_info info;
        def.folder = whole;
        def.format = formats[i];
        def.out = out;
        def.width = def.height = 64;
        check(pli_export(&def, &info, &error));
        print_message("%s: %d frames, %d files\n", formats[i], info.frame_count, info.file_count);
        assert_true(info.file_count > 0 && info.bytes > 0);
        if (strcmp(formats[i], "csv") != 0) assert_int_equal(info.frame_count, STEPS + 1);
    }
    pli_report_def def = pli_default_report_def();
    pli_report_info info;
    def.folder = whole;
    check(pli_report(&def, &info, &error));
    assert_int_equal(info.step_count, STEPS);
    check_changes_in_stats(whole);
    size_t size;
    char* page = read_text(whole, "report.html", &size);
    assert_non_null(strstr(page, "third"));
    assert_non_null(strstr(page, "added by changes of the world"));
    free(page);
    remove_all(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_follow),
        cmocka_unit_test(resumed_runs_end_in_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
