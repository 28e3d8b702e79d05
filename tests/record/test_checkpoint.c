// Checkpoints of a folder: which one counts, what is refused, and that no bytes do harm.
#include "result/fixture.h"

#include "base/pack.h"
#include "pliant/pliant.h"
#include "record/recorder.h"

static const char scene_text[] =
    "{ \"name\": \"fall\", \"gravity\": [0, -10], \"time\": { \"step\": 0.1 },"
    "  \"contact\": { \"dhat\": 0.05, \"friction\": 0.2 }, \"bodies\": ["
    "  { \"name\": \"square\","
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2] },"
    "    \"energies\": [ { \"type\": \"neo-hookean\" } ] } ],"
    "  \"obstacles\": [ { \"type\": \"half-space\", \"point\": [0, -0.6], \"normal\": [0, 1] } ] }";

static pli_error error;

static void check(pli_status status) {
    if (status != PLI_OK) fail_msg("%s", error.message);
}

static pli_scene* make_scene_of(const char* text) {
    pli_scene_def def = pli_default_scene_def();
    def.text = text;
    def.thread_count = 1;
    pli_scene* scene;
    check(pli_scene_create(&def, &scene, &error));
    assert_non_null(pli_scene_world(scene));
    return scene;
}

static pli_scene* make_scene(void) { return make_scene_of(scene_text); }

typedef struct recorded {
    test_folder folder;
    pli_scene* scene;
    pli_recorder* recorder;
} recorded;

static void add_step(recorded* r) {
    pli_step_info info;
    check(pli_world_step(pli_scene_world(r->scene), &info, &error));
    check(pli_recorder_step(r->recorder, &info, &error));
    check(pli_recorder_frame(r->recorder, &error));
}

// Frames 0 to 4, checkpoints with frames 2 and 4; the program has died.
static recorded make_run(void) {
    recorded r = {.folder = make_test_folder(), .scene = make_scene()};
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = r.folder.path;
    check(pli_recorder_create(&def, pli_scene_world(r.scene), &r.recorder, &error));
    check(pli_recorder_frame(r.recorder, &error));
    for (int i = 1; i <= 4; ++i) {
        add_step(&r);
        if (i % 2 == 0) check(pli_recorder_checkpoint(r.recorder, r.scene, &error));
    }
    pli_recorder_destroy(r.recorder);
    r.recorder = NULL;
    return r;
}

static void drop_run(recorded* r) {
    pli_scene_destroy(r->scene);
    remove_test_folder(&r->folder);
}

static int step_that_counts(const recorded* r) {
    pli_checkpoint* checkpoint;
    check(pli_checkpoint_read(r->folder.path, NULL, &checkpoint, &error));
    int step = pli_checkpoint_describe(checkpoint).step;
    pli_checkpoint_destroy(checkpoint);
    return step;
}

// Writes bytes over a file from a place on; `size` < 0: cuts it there.
static void spoil(const recorded* r, const char* name, long at, int size) {
    char path[2 * TEST_PATH_SIZE];
    const char zeros[16] = {0};
    path_in(&r->folder, name, path);
    if (size < 0) {
        assert_int_equal(truncate(path, at), 0);
        return;
    }
    FILE* file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fwrite(zeros, 1, (size_t)size, file), size);
    fclose(file);
}

// One that is damaged is told; what an earlier version left beside it is not read, and goes.
static void the_checkpoint_of_a_folder(void** state) {
    (void)state;
    recorded r = make_run();
    pli_checkpoint* checkpoint = NULL;
    char path[2 * TEST_PATH_SIZE];
    assert_int_equal(step_that_counts(&r), 4);
    write_whole(&r.folder, "checkpoint.next", "old");
    assert_int_equal(step_that_counts(&r), 4);
    spoil(&r, "checkpoint.pli", 100, 16);
    assert_int_equal(pli_checkpoint_read(r.folder.path, NULL, &checkpoint, &error), PLI_E_SCENE);
    spoil(&r, "checkpoint.pli", 50, -1);
    assert_int_equal(pli_checkpoint_read(r.folder.path, NULL, &checkpoint, &error), PLI_E_SCENE);
    remove(path_in(&r.folder, "checkpoint.pli", path));
    assert_int_equal(pli_checkpoint_read(r.folder.path, NULL, &checkpoint, &error), PLI_E_IO);
    assert_null(checkpoint);
    drop_run(&r);
}

static void goes_on_in_the_folder(void** state) {
    (void)state;
    recorded r = make_run();
    pli_checkpoint* checkpoint;
    check(pli_checkpoint_read(r.folder.path, NULL, &checkpoint, &error));
    pli_scene* again = make_scene();
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = r.folder.path;
    def.resume = checkpoint;
    // The world must be in its state, and the scene must be the world's.
    assert_int_equal(pli_recorder_create(&def, pli_scene_world(again), &r.recorder, &error),
                     PLI_E_ARGUMENT);
    check(pli_checkpoint_restore(checkpoint, pli_scene_world(again), &error));
    write_whole(&r.folder, "checkpoint.next", "old");
    check(pli_recorder_create(&def, pli_scene_world(again), &r.recorder, &error));
    assert_int_equal(pli_recorder_checkpoint(r.recorder, r.scene, &error), PLI_E_ARGUMENT);
    pli_scene_destroy(r.scene);
    r.scene = again;
    add_step(&r);
    check(pli_recorder_finish(r.recorder, &error));
    assert_true(exists_in(&r.folder, "frame_000005.vtu"));
    assert_false(exists_in(&r.folder, "checkpoint.next"));
    pli_recorder_destroy(r.recorder);
    pli_checkpoint_destroy(checkpoint);
    drop_run(&r);
}

// A run that read its checkpoint before another one went on with the folder changes nothing there.
static void a_checkpoint_that_was_replaced(void** state) {
    (void)state;
    recorded r = make_run();
    pli_checkpoint *mine, *theirs;
    check(pli_checkpoint_read(r.folder.path, NULL, &mine, &error));
    check(pli_checkpoint_read(r.folder.path, NULL, &theirs, &error));
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = r.folder.path;
    pli_scene* other = make_scene();
    check(pli_checkpoint_restore(mine, pli_scene_world(other), &error));
    pli_scene_destroy(r.scene);
    r.scene = make_scene();
    check(pli_checkpoint_restore(theirs, pli_scene_world(r.scene), &error));
    def.resume = theirs;
    check(pli_recorder_create(&def, pli_scene_world(r.scene), &r.recorder, &error));
    add_step(&r);
    check(pli_recorder_checkpoint(r.recorder, r.scene, &error));
    pli_recorder_destroy(r.recorder);
    pli_recorder* late = NULL;
    def.resume = mine;
    assert_int_equal(pli_recorder_create(&def, pli_scene_world(other), &late, &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "another run"));
    assert_true(exists_in(&r.folder, "frame_000005.vtu"));
    assert_int_equal(step_that_counts(&r), 5);
    pli_checkpoint_destroy(mine);
    pli_checkpoint_destroy(theirs);
    pli_scene_destroy(other);
    drop_run(&r);
}

// Any bytes with a right checksum: refused, or used; never a crash, never a leak.
static void any_bytes_do_no_harm(void** state) {
    (void)state;
    recorded r = make_run();
    size_t size;
    unsigned char* bytes = (unsigned char*)read_whole(&r.folder, "checkpoint.pli", &size);
    pli_scene* scene = make_scene();
    uint32_t seed = 3;
    for (int i = 0; i < 3000; ++i) {
        seed = seed * 1664525u + 1013904223u;
        unsigned char* at = &bytes[16 + (seed >> 4) % (size - 24)];
        unsigned char before = *at;
        *at = (unsigned char)(i % 3 == 0 ? 255u : *at ^ 1u << (seed >> 29));
        uint64_t hash = pli_hash(PLI_HASH_START, bytes, size - sizeof hash);
        memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
        pli_checkpoint* checkpoint = NULL;
        if (pli_checkpoint_parse(bytes, size, NULL, &checkpoint, &error) == PLI_OK &&
            pli_checkpoint_restore(checkpoint, pli_scene_world(scene), &error) != PLI_OK) {
            pli_scene_destroy(scene);
            scene = make_scene();
        }
        pli_checkpoint_destroy(checkpoint);
        *at = before;
    }
    free(bytes);
    pli_scene_destroy(scene);
    drop_run(&r);
}

static void keep_last(void* context, const char* line) { snprintf(context, 200, "%s", line); }

// Against a scene with one more body: the text tells, and so do the numbers of bodies.
static void more_bodies_are_told(void** state) {
    (void)state;
    recorded r = make_run();
    static char text[2 * sizeof scene_text];
    const char* cut = strstr(scene_text, " ],  \"obstacles\"");
    assert_non_null(cut);
    snprintf(text, sizeof text,
             "%.*s, { \"name\": \"point\", \"mesh\": { \"type\": \"point\" }, "
             "\"translate\": [5, 5], \"vertex_mass\": 1 }%s",
             (int)(cut - scene_text), scene_text, cut);
    pli_scene* other = make_scene_of(text);
    pli_checkpoint* checkpoint;
    check(pli_checkpoint_read(r.folder.path, NULL, &checkpoint, &error));
    char last[200] = "";
    int count = -1;
    check(pli_checkpoint_compare(checkpoint, r.scene, keep_last, last, &count, &error));
    assert_int_equal(count, 0);
    check(pli_checkpoint_compare(checkpoint, other, keep_last, last, &count, &error));
    assert_int_equal(count, 2);
    assert_string_equal(last, "1 bodies are now 2");
    pli_checkpoint_destroy(checkpoint);
    pli_scene_destroy(other);
    drop_run(&r);
}

static void misuse_is_told(void** state) {
    (void)state;
    pli_checkpoint* checkpoint = NULL;
    assert_int_equal(pli_checkpoint_parse(NULL, 0, NULL, &checkpoint, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_checkpoint_parse("x", 1, NULL, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_checkpoint_parse("x", 1, NULL, &checkpoint, &error), PLI_E_SCENE);
    assert_int_equal(pli_checkpoint_read(NULL, NULL, &checkpoint, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_checkpoint_restore(NULL, NULL, &error), PLI_E_ARGUMENT);
    pli_checkpoint_destroy(NULL);
    assert_null(checkpoint);
}

// Results of a newer program are refused, those of an older one read.
static void formats_of_results(void** state) {
    (void)state;
    recorded r = make_run();
    char path[2 * TEST_PATH_SIZE];
    pli_replay* replay = NULL;
    size_t size;
    char* info = read_whole(&r.folder, "run.json", &size);
    assert_memory_equal(info, "{\"format\":1,", 12);
    FILE* file = fopen(path_in(&r.folder, "run.json", path), "wb");
    fprintf(file, "{\"format\":%d%s", PLI_RESULT_FORMAT + 1, info + 11);
    fclose(file);
    assert_int_equal(pli_replay_open(r.folder.path, NULL, &replay, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "format 3"));
    file = fopen(path, "wb");
    fprintf(file, "{%s", info + 12);
    fclose(file);
    free(info);
    check(pli_replay_open(r.folder.path, NULL, &replay, &error));
    char* frame = read_whole(&r.folder, "frame_000001.vtu", &size);
    char* format = strstr(frame, "PliantFormat");
    assert_non_null(format);
    *strstr(format, ">1<") = '>';
    strstr(format, ">1<")[1] = (char)('1' + PLI_RESULT_FORMAT);
    file = fopen(path_in(&r.folder, "frame_000001.vtu", path), "wb");
    fwrite(frame, 1, size, file);
    fclose(file);
    free(frame);
    assert_int_equal(pli_replay_read(replay, 1, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "format 3"));
    pli_replay_close(replay);
    drop_run(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checkpoint_of_a_folder),
        cmocka_unit_test(goes_on_in_the_folder),
        cmocka_unit_test(a_checkpoint_that_was_replaced),
        cmocka_unit_test(any_bytes_do_no_harm),
        cmocka_unit_test(more_bodies_are_told),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(formats_of_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
