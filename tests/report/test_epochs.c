// A world whose bodies change is recorded, and every reader follows the epochs of its frames.
#include "record/run_fixture.h"

#include "oracle/allocator.h"
#include "pliant/replay.h"
#include "pliant/report.h"
#include "record/fake_world.h"
#include "record/json_check.h"

// Frames 0 and 1 show two bodies, 2 and 3 one, 4 two again.
enum { FRAMES = 5, FIRST_CHANGE = 2, SECOND_CHANGE = 4 };
static int body_count_at(int frame) {
    return frame >= FIRST_CHANGE && frame < SECOND_CHANGE ? 1 : 2;
}
static int vertex_count_at(int frame) { return body_count_at(frame) == 2 ? 6 : 5; }
static int epoch_at(int frame) { return (frame >= FIRST_CHANGE) + (frame >= SECOND_CHANGE); }

static void change(pli_world* world) {
    world->alone = !world->alone;
    world->topology += 3;
}

static pli_status record_frames(pli_recorder* recorder, pli_world* world, pli_error* error) {
    for (int i = 0; i < FRAMES; ++i) {
        if (i == FIRST_CHANGE || i == SECOND_CHANGE) change(world);
        world->time = 0.25 * i;
        for (int v = 0; v < FAKE_VERTICES; ++v) world->positions[3 * v + 1] -= 0.1;
        pli_step_info info = {.step = i, .time = world->time, .kept = true};
        if (i > 0) PLI_TRY(pli_recorder_step(recorder, &info, error));
        if (i == 1) { // there and back: an epoch with the same bodies
            change(world);
            change(world);
        }
        PLI_TRY(pli_recorder_frame(recorder, error));
    }
    return pli_recorder_finish(recorder, error);
}

static pli_status record_changes(const char* folder, const pli_allocator* allocator,
                                 pli_error* error) {
    pli_world world = make_fake_world();
    pli_recorder_def def = pli_default_recorder_def();
    pli_recorder* recorder = NULL;
    def.folder = folder;
    def.allocator = allocator;
    def.double_precision = true;
    pli_status status = pli_recorder_create(&def, &world, &recorder, error);
    if (status == PLI_OK) status = record_frames(recorder, &world, error);
    pli_recorder_destroy(recorder);
    return status;
}

static test_result make_changes(void) {
    test_result r = {.folder = make_test_folder()};
    pli_error error = {0};
    path_in(&r.folder, "run", r.run);
    assert_int_equal(record_changes(r.run, NULL, &error), PLI_OK);
    return r;
}

static json_t* read_info(const test_result* r) {
    pli_memory memory;
    json_t* root = NULL;
    pli_error error = {0};
    pli_memory_init(&memory, NULL);
    assert_int_equal(pli_run_info_load(&memory, r->run, &root, &error), PLI_OK);
    assert_non_null(root);
    return root;
}

static long long integer_of(const json_t* object, const char* key) {
    return json_integer_value(json_object_get(object, key));
}

static void run_json_lists_the_epochs(void** state) {
    (void)state;
    test_result r = make_changes();
    json_t* root = read_info(&r);
    // The change and the one back at frame 1 leave an epoch with the same bodies.
    static const int first_frames[] = {0, 1, FIRST_CHANGE, SECOND_CHANGE};
    assert_int_equal(integer_of(root, "format"), 2);
    assert_null(json_object_get(root, "bodies"));
    assert_int_equal(pli_run_info_epoch_count(root), 4);
    for (int i = 0; i < 4; ++i) {
        const json_t* epoch = pli_run_info_epoch(root, i);
        const json_t* bodies = json_object_get(epoch, "bodies");
        assert_int_equal(integer_of(epoch, "epoch"), i);
        assert_int_equal(integer_of(epoch, "first_frame"), first_frames[i]);
        assert_int_equal(integer_of(epoch, "first_step"), first_frames[i]);
        assert_int_equal(json_array_size(bodies), body_count_at(first_frames[i]));
        json_t* mat = json_pack("{s:s, s:[i, i], s:[[i, i], [i, i]], s:b, s:i}", "name", "mat",
                                "vertices", 0, 5, "cells", i == 2 ? 0 : 1, i == 2 ? 1 : 2,
                                i == 2 ? 1 : 2, i == 2 ? 2 : 3, "obstacle", 0, "thickness", 0);
        assert_true(json_equal(json_array_get(bodies, 0), mat));
        json_decref(mat);
        assert_int_equal(json_array_size(json_object_get(epoch, "half_spaces")), 1);
    }
    json_decref(root);
    remove_result(&r);
}

static void check_frame(pli_result* result, int i, pli_result_frame* frame) {
    pli_error error = {0};
    assert_int_equal(pli_result_read(result, i, PLI_ALL_FIELDS, frame, &error), PLI_OK);
    assert_int_equal(result->epoch, i == 0 ? 0 : epoch_at(i) + 1);
    assert_int_equal(result->body_count, body_count_at(i));
    assert_int_equal(result->vertex_count, vertex_count_at(i));
    assert_int_equal(frame->vertex_count, vertex_count_at(i));
    assert_string_equal(result->bodies[0].name, "mat");
    if (result->body_count == 2) {
        assert_string_equal(result->bodies[1].name, "ceiling");
        assert_true(result->bodies[1].obstacle);
    }
    assert_true(fabs(frame->positions[1] + 0.1 * (i + 1)) < 1e-12); // of 0.1, in doubles
}

static void frames_have_the_bodies_of_their_epoch(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_memory memory;
    pli_result result;
    pli_result_frame frame = {0};
    pli_error error = {0};
    pli_memory_init(&memory, NULL);
    assert_int_equal(pli_result_open(&result, &memory, r.run, &error), PLI_OK);
    static const int order[] = {0, 1, 2, 3, 4, 0, 3, 3, 1, 4};
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i)
        check_frame(&result, order[i], &frame);
    assert_int_equal(pli_result_next_change(&result, 0), 1);
    assert_int_equal(pli_result_next_change(&result, 1), FIRST_CHANGE);
    assert_int_equal(pli_result_next_change(&result, SECOND_CHANGE), -1);
    // A frame that cannot be read leaves the bodies as they were.
    char path[3 * TEST_PATH_SIZE];
    snprintf(path, sizeof path, "%s/frame_000002.vtu", r.run);
    FILE* file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 900, SEEK_SET), 0);
    for (int i = 0; i < 2000; ++i) fputc('x', file);
    fclose(file);
    assert_int_not_equal(pli_result_read(&result, 2, PLI_POSITIONS, &frame, &error), PLI_OK);
    assert_int_equal(result.vertex_count, 6);
    check_frame(&result, 4, &frame);
    pli_result_frame_free(&frame);
    pli_result_close(&result);
    assert_int_equal(memory.bytes, 0);
    remove_result(&r);
}

// A run that goes on: run.json is read again when a frame names an epoch that it did not list.
static void new_epochs_of_a_running_run_are_found(void** state) {
    (void)state;
    test_result r = {.folder = make_test_folder()};
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder_def def = pli_default_recorder_def();
    pli_recorder* recorder = NULL;
    pli_replay* replay = NULL;
    path_in(&r.folder, "run", r.run);
    def.folder = r.run;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_wait(recorder, &error), PLI_OK);
    assert_int_equal(pli_replay_open(r.run, NULL, &replay, &error), PLI_OK);
    change(&world);
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_wait(recorder, &error), PLI_OK);
    assert_int_equal(pli_replay_frame_count(replay), 2);
    assert_int_equal(pli_replay_epoch(replay), 0);
    assert_int_equal(pli_replay_read(replay, 1, &error), PLI_OK);
    assert_int_equal(pli_replay_epoch(replay), 1);
    assert_int_equal(pli_replay_body_count(replay), 1);
    assert_int_equal(pli_replay_vertex_count(replay), 5);
    assert_int_equal(pli_replay_read(replay, 0, &error), PLI_OK);
    assert_int_equal(pli_replay_body_count(replay), 2);
    pli_replay_close(replay);
    pli_recorder_destroy(recorder);
    remove_result(&r);
}

static void replay_follows_the_epochs(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_error error = {0};
    pli_replay* replay = NULL;
    assert_int_equal(pli_replay_open(r.run, NULL, &replay, &error), PLI_OK);
    for (int i = FRAMES - 1; i >= 0; --i) {
        int components = 0;
        assert_int_equal(pli_replay_read(replay, i, &error), PLI_OK);
        assert_int_equal(pli_replay_body_count(replay), body_count_at(i));
        assert_int_equal(pli_replay_vertex_count(replay), vertex_count_at(i));
        const double* velocity = pli_replay_field(replay, "velocity", &components);
        assert_non_null(velocity);
        assert_int_equal(components, 3);
        assert_true(velocity[3 * vertex_count_at(i) - 1] == 0);
    }
    pli_replay_close(replay);
    remove_result(&r);
}

// ---- exports

static int count_text(const char* text, const char* part) {
    int count = 0;
    for (; (text = strstr(text, part)); ++text) ++count;
    return count;
}

static void files_per_frame_have_the_bodies_of_the_frame(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_export_def def = result_def(&r, "obj");
    export_result(&def);
    for (int i = 0; i < FRAMES; ++i) {
        char name[64];
        snprintf(name, sizeof name, "run_obj/frame_%06d.obj", i);
        char* text = read_whole(&r.folder, name, NULL);
        assert_int_equal(count_text(text, "\no mat\n"), 1);
        assert_int_equal(count_text(text, "\no ceiling\n"), body_count_at(i) - 1);
        assert_int_equal(count_text(text, "\no slab\n"), 1); // the half-space
        free(text);
    }
    def.format = "ply";
    export_result(&def);
    char* text = read_whole(&r.folder, "run_ply/frame_000002.ply", NULL);
    assert_non_null(strstr(text, "element vertex 9\n")); // 5 and a strip of 4
    free(text);
    remove_result(&r);
}

// The exported surfaces are frames again, with epochs of their own.
static void surfaces_for_paraview_change(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_export_def def = result_def(&r, "vtk");
    pli_memory memory;
    pli_result result;
    pli_result_frame frame = {0};
    pli_error error = {0};
    char path[2 * TEST_PATH_SIZE];
    pli_memory_init(&memory, NULL);
    export_result(&def);
    assert_int_equal(pli_result_open(&result, &memory, path_in(&r.folder, "run_vtk", path), &error),
                     PLI_OK);
    for (int i = 0; i < FRAMES; ++i) {
        assert_int_equal(pli_result_read(&result, i, PLI_POSITIONS, &frame, &error), PLI_OK);
        assert_int_equal(result.vertex_count, vertex_count_at(i) + 4);
    }
    pli_result_frame_free(&frame);
    pli_result_close(&result);
    remove_result(&r);
}

static void pictures_follow_the_epochs(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_export_def def = result_def(&r, "png");
    def.fields = "velocity";
    pli_export_info info = export_result(&def);
    assert_int_equal(info.file_count, FRAMES);
    def.bodies = (const char* const[]){"ceiling"}; // which two frames do not have
    def.body_count = 1;
    def.fields = NULL;
    assert_int_equal(export_result(&def).file_count, FRAMES);
    remove_result(&r);
}

static void formats_with_one_set_of_bodies_refuse(void** state) {
    (void)state;
    static const char* const names[] = {"usd", "gltf", "pc2", "mdd", "html"};
    test_result r = make_changes();
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        pli_export_def def = result_def(&r, names[i]);
        const char* message = refuse_export(&def, PLI_E_ARGUMENT);
        assert_non_null(strstr(message, "frame 1"));
        assert_non_null(strstr(message, names[i]));
        assert_non_null(strstr(message, "obj, ply, vtk, png, mp4"));
    }
    remove_result(&r);
}

static void tracks_are_empty_where_a_body_is_missing(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_export_def def = result_def(&r, "csv");
    def.vertices = "ceiling:0,mat:1";
    export_result(&def);
    char *text = read_whole(&r.folder, "run_vertices.csv", NULL), *line = strtok(text, "\n");
    assert_true(strncmp(line, "time,ceiling:0.x,", 17) == 0);
    for (int i = 0; i < FRAMES; ++i) {
        line = strtok(NULL, "\n");
        assert_non_null(line);
        assert_int_equal(strstr(line, ",,,") != NULL, body_count_at(i) == 1);
    }
    free(text);
    def.vertices = "roof:0";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "\"roof\""));
    remove_result(&r);
}

static void report_names_the_changes(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_report_def def = pli_default_report_def();
    def.folder = r.run;
    pli_error error = {0};
    test_folder run;
    assert_int_equal(pli_report(&def, NULL, &error), PLI_OK);
    snprintf(run.path, sizeof run.path, "%.500s", r.run);
    char* text = read_whole(&run, "report.html", NULL);
    assert_non_null(strstr(text, "changed 3 times"));
    assert_non_null(strstr(text, "from step 2 on"));
    free(text);
    remove_result(&r);
}

// A frame that names an epoch which run.json does not list.
static void unknown_epochs_are_refused(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_memory memory;
    pli_result result;
    pli_result_frame frame = {0};
    pli_error error = {0};
    test_folder run;
    pli_memory_init(&memory, NULL);
    snprintf(run.path, sizeof run.path, "%.500s", r.run);
    write_whole(&run, "run.json", "{\"format\":1,\"bodies\":[{\"name\":\"mat\"}]}");
    assert_int_equal(pli_result_open(&result, &memory, r.run, &error), PLI_OK);
    assert_int_equal(pli_result_read(&result, 2, PLI_POSITIONS, &frame, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "epoch 2"));
    assert_int_equal(result.body_count, 2);
    pli_result_frame_free(&frame);
    pli_result_close(&result);
    assert_int_equal(memory.bytes, 0);
    remove_result(&r);
}

static pli_status read_all(const char* folder, const pli_allocator* allocator, pli_error* error) {
    pli_replay* replay = NULL;
    PLI_TRY(pli_replay_open(folder, allocator, &replay, error));
    pli_status status = PLI_OK;
    for (int i = 0; i < FRAMES && status == PLI_OK; ++i) status = pli_replay_read(replay, i, error);
    pli_replay_close(replay);
    return status;
}

// Whichever request for memory fails, while recording and while reading: nothing leaks.
static void every_failing_allocation_is_survived(void** state) {
    (void)state;
    test_result r = make_changes();
    pli_test_allocator counter = {0};
    const pli_allocator allocator = pli_test_hook(&counter);
    for (int reading = 0; reading < 2; ++reading) {
        pli_status (*run)(const char*, const pli_allocator*, pli_error*) =
            reading ? read_all : record_changes;
        pli_error error = {0};
        pli_status status = PLI_E_MEMORY;
        for (int n = 1; status != PLI_OK; ++n) {
            counter = (pli_test_allocator){.fail_at = n};
            status = run(r.run, &allocator, &error);
            assert_true(status == PLI_OK || status == PLI_E_MEMORY);
            assert_int_equal(counter.bytes, 0);
            assert_false(counter.wrong_size);
            assert_true(n < 10000);
        }
    }
    remove_result(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_json_lists_the_epochs),
        cmocka_unit_test(frames_have_the_bodies_of_their_epoch),
        cmocka_unit_test(new_epochs_of_a_running_run_are_found),
        cmocka_unit_test(replay_follows_the_epochs),
        cmocka_unit_test(files_per_frame_have_the_bodies_of_the_frame),
        cmocka_unit_test(surfaces_for_paraview_change),
        cmocka_unit_test(pictures_follow_the_epochs),
        cmocka_unit_test(formats_with_one_set_of_bodies_refuse),
        cmocka_unit_test(tracks_are_empty_where_a_body_is_missing),
        cmocka_unit_test(report_names_the_changes),
        cmocka_unit_test(unknown_epochs_are_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
