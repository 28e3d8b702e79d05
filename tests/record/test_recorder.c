// A whole recording: the files of a run, and what happens when something fails on the way.
#include "result/fixture.h"

#include "oracle/allocator.h"
#include "record/fake_world.h"
#include "record/json_check.h"
#include "record/vtu_reader.h"
#include "result/xml_check.h"

#include "pliant/record.h"

static void move_on(pli_world* world) {
    world->time += 0.25;
    for (int i = 0; i < FAKE_VERTICES; ++i) world->positions[3 * i + 1] -= 0.1;
}

// One frame, then steps with a frame after every second one, then the picture.
static pli_status record(const pli_recorder_def* def, pli_world* world, int steps,
                         pli_error* error) {
    pli_recorder* recorder = NULL;
    pli_status status = pli_recorder_create(def, world, &recorder, error);
    if (status == PLI_OK) status = pli_recorder_frame(recorder, error);
    for (int i = 1; status == PLI_OK && i <= steps; ++i) {
        move_on(world);
        pli_step_info info = {.step = i, .time = world->time, .kept = true};
        status = pli_recorder_step(recorder, &info, error);
        if (status == PLI_OK && i % 2 == 0) status = pli_recorder_frame(recorder, error);
    }
    if (status == PLI_OK) status = pli_recorder_finish(recorder, error);
    pli_recorder_destroy(recorder);
    return status;
}

static void run_leaves_its_files(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    def.title = "Fake";
    def.fields = PLI_FRAME_ALL_FIELDS;
    def.double_precision = true;
    assert_int_equal(record(&def, &world, 4, &error), PLI_OK);
    assert_int_equal(count_entries(&folder, false), 3 + 4);

    char* text = read_whole(&folder, "run.pvd", NULL);
    assert_non_null(strstr(text, "timestep=\"0\" part=\"0\" file=\"frame_000000.vtu\""));
    assert_non_null(strstr(text, "timestep=\"1\" part=\"0\" file=\"frame_000002.vtu\""));
    free(text);

    text = read_whole(&folder, "stats.jsonl", NULL);
    assert_int_equal(count_json_lines(text), 4);
    // Friction is no stored energy: it is not in the total.
    assert_non_null(strstr(text, "\"energies\":{\"kinetic\":1,\"spring\":2,\"gravity\":3,"
                                 "\"friction\":4},\"total\":6,"));
    assert_non_null(strstr(
        text, "\"supports\":[{\"body\":\"ceiling\",\"kind\":\"prescribed\",\"vertices\":1,"));
    free(text);

    size_t size;
    text = read_whole(&folder, "frame_000002.vtu", &size);
    const int32_t connectivity[] = {5, 3, 4, 0, 1, 2}; // the loose vertex first
    const int32_t bodies[] = {1, 0, 0};
    const double energy[] = {0, 10, 20};
    check_array(text, size, "Points", "Float64", "3", world.positions, sizeof world.positions);
    check_array(text, size, "connectivity", "Int32", "1", connectivity, sizeof connectivity);
    check_array(text, size, "body", "Int32", "1", bodies, sizeof bodies);
    check_array(text, size, "energy", "Float64", "1", energy, sizeof energy);
    free(text);

    text = read_whole(&folder, "preview.svg", NULL);
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, ">ceiling<"));
    free(text);
    remove_test_folder(&folder);
}

// Frames in which something touches have a file of contacts beside them.
static void contacts_are_beside_the_frames(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    def.double_precision = true;
    world.touches = true;
    pli_recorder* recorder = NULL;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    world.contact_count = 1;
    world.contacts[0] = (pli_contact_info){
        .body = {0, -1}, .point = {{0, 1, 0}, {0, 0.5, 0}}, .distance = 0.5, .force = 3};
    move_on(&world);
    assert_int_equal(pli_recorder_step(recorder, &(pli_step_info){.step = 1}, &error), PLI_OK);
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_finish(recorder, &error), PLI_OK);
    pli_recorder_destroy(recorder);
    assert_int_equal(count_entries(&folder, false), 2 + 1 + 4);
    size_t size;
    assert_false(exists_in(&folder, "contacts_000000.vtu"));
    char* text = read_whole(&folder, "contacts_000001.vtu", &size);
    const double points[] = {0, 1, 0, 0, 0.5, 0}, force[] = {3};
    check_array(text, size, "Points", "Float64", "3", points, sizeof points);
    check_array(text, size, "normal_force", "Float64", "1", force, sizeof force);
    free(text);
    text = read_whole(&folder, "run.pvd", NULL);
    assert_non_null(strstr(text, "part=\"1\" file=\"contacts_000001.vtu\""));
    free(text);
    text = read_whole(&folder, "stats.jsonl", NULL);
    assert_int_equal(count_json_lines(text), 1);
    assert_non_null(strstr(text, "\"contacts\":[{\"a\":\"mat\",\"b\":\"slab\",\"count\":1,"
                                 "\"min_distance\":0.5,\"force\":[0,3,0]"));
    free(text);
    remove_test_folder(&folder);
}

static void pictures_are_made_unless_unwanted(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    world.dimension = 3;
    assert_int_equal(record(&def, &world, 2, &error), PLI_OK);
    char* text = read_whole(&folder, "preview.svg", NULL);
    assert_true(is_well_formed(text));
    free(text);
    def.preview_frames = 0;
    assert_int_equal(record(&def, &world, 2, &error), PLI_OK);
    assert_false(exists_in(&folder, "preview.svg"));
    world.dimension = 2;
    def.preview_frames = 100000; // far more than fit
    assert_int_equal(record(&def, &world, 2, &error), PLI_OK);
    assert_true(exists_in(&folder, "preview.svg"));
    remove_test_folder(&folder);
}

static void old_results_go_and_all_else_stays(void** state) {
    (void)state;
    static const char* const ours[] = {
        "frame_000007.vtu",    "frame_1000000.vtu",      "run.pvd",
        "preview.svg",         "frame_000009.vtu.tmp",   "run.pvd.tmp",
        "contacts_000007.vtu", "contacts_000009.vtu.tmp"};
    static const char* const others[] = {"frame_7.vtu",  "frame_000007.vtu.bak", "frame_00000a.vtu",
                                         "my_run.pvd",   "stats.jsonl.gz",       "scene.json",
                                         "preview.svg2", "contacts_1.vtu",       "contacts.vtu"};
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i) write_whole(&folder, ours[i], "old");
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        write_whole(&folder, others[i], "mine");
    write_whole(&folder, "stats.jsonl", "old");
    pli_recorder* recorder = NULL;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i)
        assert_false(exists_in(&folder, ours[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        assert_true(exists_in(&folder, others[i]));
    char* text = read_whole(&folder, "stats.jsonl", NULL);
    assert_string_equal(text, "");
    free(text);
    pli_recorder_destroy(recorder);
    remove_test_folder(&folder);
}

static void bad_definitions_are_refused(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    char path[2 * TEST_PATH_SIZE];
    pli_world world = make_fake_world();
    pli_recorder* recorder = NULL;
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = "";
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_E_ARGUMENT);
    def.folder = NULL;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_E_ARGUMENT);
    def.folder = folder.path;
    def.preview_frames = -1;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "preview_frames = -1"));
    def.preview_frames = 6;
    def.fields = 1u << PLI_FRAME_FIELD_COUNT;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "fields = "));
    def.fields = 0;
    write_whole(&folder, "plain", "");
    def.folder = path_in(&folder, "plain/below", path);
    def.preview_frames = 6;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "Not a directory"));
    assert_null(recorder);
    pli_recorder_destroy(NULL);
    remove_test_folder(&folder);
}

static int count_listed(const test_folder* folder) {
    char* text = read_whole(folder, "run.pvd", NULL);
    int count = 0;
    for (const char* at = text; (at = strstr(at, "<DataSet")); ++at) ++count;
    assert_non_null(strstr(text, "</VTKFile>"));
    free(text);
    return count;
}

// A frame that cannot be written is an error that names it; the list of frames stays right.
static void full_disk_stops_the_recording(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder* recorder = NULL;
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_wait(recorder, &error), PLI_OK);
    file_limit old = limit_files(100); // less than any frame
    pli_status status = PLI_OK, told = PLI_OK;
    for (int i = 0; i < 3; ++i) { // those behind the first one that fails are dropped
        status = pli_recorder_frame(recorder, told == PLI_OK ? &error : NULL);
        if (told == PLI_OK) told = status;
    }
    if (told == PLI_OK) told = pli_recorder_wait(recorder, &error);
    pli_recorder_wait(recorder, NULL);
    restore_files(&old);
    assert_int_equal(told, PLI_E_IO);
    assert_non_null(strstr(error.message, "frame_000001.vtu: File too large"));
    char* text = read_whole(&folder, "run.pvd", NULL);
    assert_null(strstr(text, "frame_000001"));
    free(text);
    // With room again the recording goes on.
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_finish(recorder, &error), PLI_OK);
    assert_true(exists_in(&folder, "frame_000001.vtu"));
    assert_false(exists_in(&folder, "frame_000002.vtu"));
    assert_int_equal(count_listed(&folder), 2);
    assert_int_equal(count_entries(&folder, true), 0);
    pli_recorder_destroy(recorder);
    remove_test_folder(&folder);
}

// Writing the whole list at each frame would cost the square of their number.
static void the_list_is_written_now_and_then(void** state) {
    (void)state;
    enum { FRAMES = 400 };
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder* recorder = NULL;
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    def.preview_frames = 0;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
    int listed = 0, written = 0;
    for (int i = 1; i <= FRAMES; ++i) {
        assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
        assert_int_equal(pli_recorder_wait(recorder, &error), PLI_OK);
        int now = count_listed(&folder);
        if (i <= 10) assert_int_equal(now, i); // a run that has just begun can be looked at
        assert_true(now >= 0.9 * i);
        if (now != listed) written += now;
        listed = now;
        move_on(&world);
    }
    assert_true(written < 15 * FRAMES); // lines; a sum of parts that grow by a tenth is 11 times
    assert_true(listed < FRAMES);       // so that there is something left to do
    assert_int_equal(pli_recorder_finish(recorder, &error), PLI_OK);
    assert_int_equal(count_listed(&folder), FRAMES);
    pli_recorder_destroy(recorder);
    remove_test_folder(&folder);
}

static char* whole_run(const char* name, bool waits, size_t* size) {
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder* recorder = NULL;
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
    for (int i = 0; i < 50; ++i) { // far more than fit the queue
        assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
        if (waits) assert_int_equal(pli_recorder_wait(recorder, &error), PLI_OK);
        move_on(&world);
    }
    assert_int_equal(pli_recorder_finish(recorder, &error), PLI_OK);
    pli_recorder_destroy(recorder);
    for (int i = 0; i < 50; ++i) {
        char frame[PLI_FRAME_NAME_SIZE];
        assert_true(exists_in(&folder, pli_frame_name(i, frame)));
    }
    char* text = read_whole(&folder, name, size);
    remove_test_folder(&folder);
    return text;
}

// Nothing is lost in the queue, and how far the writer is behind changes no byte.
static void the_queue_changes_no_byte(void** state) {
    (void)state;
    static const char* const names[] = {"frame_000007.vtu", "frame_000049.vtu", "run.pvd",
                                        "preview.svg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        size_t sizes[2];
        char* text[2];
        for (int k = 0; k < 2; ++k) text[k] = whole_run(names[i], k == 0, &sizes[k]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(text[0], text[1], sizes[0]);
        free(text[0]);
        free(text[1]);
    }
}

// What is on its way when the recorder goes is written.
static void a_recorder_that_goes_writes_what_it_has(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder* recorder = NULL;
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
    for (int i = 0; i < 3; ++i) assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    pli_recorder_destroy(recorder);
    assert_true(exists_in(&folder, "frame_000002.vtu"));
    assert_int_equal(count_listed(&folder), 3);
    pli_recorded found;
    assert_int_equal(pli_recorder_look(folder.path, &found, &error), PLI_OK);
    assert_int_equal(found.frame_count, 3);
    assert_int_equal(found.file_count, count_entries(&folder, false));
    assert_true(found.bytes > 3000);
    assert_false(found.checkpoint);
    assert_int_equal(pli_recorder_look("/no/such/folder", &found, &error), PLI_OK);
    assert_int_equal(found.file_count, 0);
    assert_int_equal(pli_recorder_look(NULL, &found, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_recorder_wait(NULL, &error), PLI_E_ARGUMENT);
    remove_test_folder(&folder);
}

static void misuse_is_refused(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_world world = make_fake_world();
    pli_recorder* recorder = NULL;
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    assert_int_equal(pli_recorder_create(NULL, &world, &recorder, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_recorder_create(&def, NULL, &recorder, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_recorder_create(&def, &world, NULL, &error), PLI_E_ARGUMENT);
    world.prepared = false;
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not prepared"));
    assert_null(recorder);
    world.prepared = true;
    assert_int_equal(pli_recorder_frame(NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_step(recorder, NULL, &error), PLI_E_ARGUMENT);
    assert_true(pli_recorder_time(recorder) < 0);
    world.time = 0.25;
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    assert_true(pli_recorder_time(recorder) == 0.25);
    pli_recorder* second = NULL;
    assert_int_equal(pli_recorder_create(&def, &world, &second, &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "another run writes to"));
    assert_null(second);
    world.prepared = false; // as after a restore that failed
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "its world has failed"));
    world.prepared = true;
    assert_int_equal(pli_recorder_finish(recorder, &error), PLI_OK);
    pli_step_info info = {.step = 1};
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "finished"));
    assert_int_equal(pli_recorder_step(recorder, &info, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_recorder_finish(recorder, &error), PLI_E_ARGUMENT);
    assert_int_equal(count_listed(&folder), 1);
    assert_false(exists_in(&folder, "frame_000001.vtu"));
    pli_recorder_destroy(recorder);
    remove_test_folder(&folder);
}

// Links with the names of our files, old or coming: what they point to is not touched.
static void links_in_the_folder_are_not_followed(void** state) {
    (void)state;
    static const char* const names[] = {"stats.jsonl", "run.pvd", "run.pvd.tmp",
                                        "frame_000000.vtu.tmp", "preview.svg.tmp"};
    test_folder folder = make_test_folder();
    pli_error error = {0};
    char target[2 * TEST_PATH_SIZE], path[2 * TEST_PATH_SIZE];
    write_whole(&folder, "victim", "precious");
    path_in(&folder, "victim", target);
    pli_world world = make_fake_world();
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    for (int pass = 0; pass < 2; ++pass) { // before the recorder is made, and after
        for (size_t i = 0; pass == 0 && i < sizeof names / sizeof *names; ++i)
            assert_int_equal(symlink(target, path_in(&folder, names[i], path)), 0);
        pli_recorder* recorder = NULL;
        assert_int_equal(pli_recorder_create(&def, &world, &recorder, &error), PLI_OK);
        for (size_t i = 2; pass == 1 && i < sizeof names / sizeof *names; ++i)
            assert_int_equal(symlink(target, path_in(&folder, names[i], path)), 0);
        assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
        assert_int_equal(pli_recorder_step(recorder, &(pli_step_info){.step = 1}, &error), PLI_OK);
        assert_int_equal(pli_recorder_finish(recorder, &error), PLI_OK);
        pli_recorder_destroy(recorder);
        char* text = read_whole(&folder, "victim", NULL);
        assert_string_equal(text, "precious");
        free(text);
        assert_int_equal(count_entries(&folder, false), 6); // the five files and the victim
    }
    remove_test_folder(&folder);
}

static void every_failing_allocation_is_survived(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_test_allocator counter = {0};
    const pli_allocator allocator = pli_test_hook(&counter);
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = folder.path;
    def.title = "memory";
    def.allocator = &allocator;
    pli_world world = make_fake_world();
    world.touches = true;
    assert_int_equal(record(&def, &world, 20, &error), PLI_OK);
    assert_int_equal(counter.bytes, 0);
    assert_false(counter.wrong_size);
    int requests = counter.requests;
    assert_true(requests > 10);
    for (int i = 1; i <= requests; ++i) {
        counter = (pli_test_allocator){.fail_at = i};
        world = make_fake_world();
        world.touches = true;
        assert_int_equal(record(&def, &world, 20, &error), PLI_E_MEMORY);
        assert_int_equal(error.status, PLI_E_MEMORY);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
        assert_int_equal(count_entries(&folder, true), 0);
    }
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_leaves_its_files),
        cmocka_unit_test(contacts_are_beside_the_frames),
        cmocka_unit_test(pictures_are_made_unless_unwanted),
        cmocka_unit_test(old_results_go_and_all_else_stays),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(full_disk_stops_the_recording),
        cmocka_unit_test(the_list_is_written_now_and_then),
        cmocka_unit_test(the_queue_changes_no_byte),
        cmocka_unit_test(a_recorder_that_goes_writes_what_it_has),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(links_in_the_folder_are_not_followed),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
