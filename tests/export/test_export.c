// Exports as a whole: defs, results that are wrong, cancelling, full disks, no memory.
#include "record/run_fixture.h"

#include "export/export.h"
#include "oracle/allocator.h"
#include "oracle/random.h"

static void formats_are_listed(void** state) {
    (void)state;
    int count = 0;
    for (; pli_export_format_name(count); ++count) {
        assert_non_null(pli_export_format_help(count));
        for (int i = 0; i < count; ++i)
            assert_string_not_equal(pli_export_format_name(i), pli_export_format_name(count));
    }
    assert_true(count >= 8);
    assert_null(pli_export_format_help(count));
    assert_null(pli_export_format_name(-1));
}

static void wrong_defs_are_refused(void** state) {
    (void)state;
    test_result r = make_result(2);
    pli_export_def def = result_def(&r, "blend");
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "one of usd, gltf, obj"));
    def.format = NULL;
    refuse_export(&def, PLI_E_ARGUMENT);
    def = result_def(&r, "usd");
    def.every = 0;
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "every = 0"));
    def.every = 1;
    def.out = "";
    refuse_export(&def, PLI_E_ARGUMENT);
    def.out = NULL;
    const char* const names[] = {"rop"};
    def.bodies = names;
    def.body_count = 1;
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "no body \"rop\""));
    def = result_def(&r, "usd");
    def.folder = "";
    refuse_export(&def, PLI_E_ARGUMENT);
    def.folder = "/nowhere/at/all";
    refuse_export(&def, PLI_E_IO);
    def.folder = r.folder.path; // a folder, but of no run
    assert_non_null(strstr(refuse_export(&def, PLI_E_IO), "has no frames"));
    assert_int_equal(pli_export(NULL, NULL, NULL), PLI_E_ARGUMENT);
    // The frames of a run are not written over.
    def = result_def(&r, "vtk");
    def.out = r.run;
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "is the folder of a run"));
    assert_int_equal(count_entries(&r.folder, false), 1);
    remove_result(&r);
}

// The name of the output comes from the folder, however that is written.
static void output_has_the_name_of_the_run(void** state) {
    (void)state;
    test_result r = make_result(1);
    char path[3 * TEST_PATH_SIZE];
    pli_export_def def = result_def(&r, "usd");
    snprintf(path, sizeof path, "%s//", r.run);
    def.folder = path;
    export_result(&def);
    assert_true(exists_in(&r.folder, "run.usda"));
    assert_int_equal(chdir(r.run), 0);
    def.folder = ".";
    def.format = "gltf";
    export_result(&def);
    assert_int_equal(chdir("/"), 0);
    assert_true(exists_in(&r.folder, "run.glb"));
    remove_result(&r);
}

// ---- the result

static void copy_frame(const test_result* r, int from, int to) {
    char name[2][64], path[2 * TEST_PATH_SIZE];
    size_t size;
    snprintf(name[0], 64, "run/frame_%06d.vtu", from);
    snprintf(name[1], 64, "run/frame_%06d.vtu", to);
    char* text = read_whole(&r->folder, name[0], &size);
    FILE* file = fopen(path_in(&r->folder, name[1], path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
    free(text);
}

// A frame that is missing or cut off is named, and nothing is written.
static void broken_frames_are_named(void** state) {
    (void)state;
    test_result r = make_result(4);
    char path[2 * TEST_PATH_SIZE];
    path_in(&r.folder, "run/frame_000002.vtu", path);
    assert_int_equal(unlink(path), 0);
    pli_export_def def = result_def(&r, "usd");
    assert_non_null(strstr(refuse_export(&def, PLI_E_IO), "frame_000002.vtu"));
    copy_frame(&r, 1, 2);
    assert_int_equal(truncate(path, 1500), 0);
    assert_non_null(strstr(refuse_export(&def, PLI_E_SCENE), "frame_000002.vtu"));
    write_whole(&r.folder, "run/frame_000002.vtu", "<VTKFile type=\"PolyData\">");
    refuse_export(&def, PLI_E_SCENE);
    def.format = "pc2";
    refuse_export(&def, PLI_E_SCENE);
    def.every = 3; // does not look at it
    export_result(&def);
    assert_false(exists_in(&r.folder, "run.usda"));
    assert_int_equal(count_entries(&r.folder, true), 0);
    remove_result(&r);
}

static void names_come_from_the_card(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_memory memory;
    pli_result result;
    pli_error error = {0};
    pli_memory_init(&memory, NULL);
    write_whole(&r.folder, "run/run.json",
                "{\"bodies\":[{\"name\":\"cube 0\",\"obstacle\":true},{\"name\":\"cube 1\"},"
                "{\"name\":\"cube top\",\"thickness\":0.5,\"radius\":0.75}]}");
    assert_int_equal(pli_result_open(&result, &memory, r.run, &error), PLI_OK);
    assert_int_equal(result.body_count, 3);
    assert_true(result.bodies[0].obstacle && !result.bodies[1].obstacle);
    assert_true(result.bodies[2].thickness == 0.5 && result.bodies[2].radius == 0.75);
    assert_true(result.bodies[1].radius == result.bodies[1].thickness);
    assert_string_equal(result.bodies[2].word, "cube_top");
    assert_int_equal(result.bodies[0].all_vertices, 5);
    assert_int_equal(result.bodies[1].first_vertex, 5);
    const char* const names[] = {"cube"}; // and its copies
    const pli_result_choice choice = {.names = names, .name_count = 1};
    assert_int_equal(pli_result_choose(&result, &choice, &error), PLI_OK);
    assert_int_equal(result.body_count, 2);
    assert_non_null(pli_result_find(&result, "cube 1"));
    assert_null(pli_result_find(&result, "cube top"));
    pli_result_close(&result);
    write_whole(&r.folder, "run/run.json", "{\"bodies\":\n[,]}");
    assert_int_equal(pli_result_open(&result, &memory, r.run, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "run.json:2:"));
    char path[2 * TEST_PATH_SIZE];
    assert_int_equal(unlink(path_in(&r.folder, "run/run.json", path)), 0);
    assert_int_equal(pli_result_open(&result, &memory, r.run, &error), PLI_OK);
    assert_string_equal(result.bodies[1].name, "body 1");
    pli_result_close(&result);
    assert_int_equal(memory.bytes, 0);
    remove_result(&r);
}

static void frames_have_their_arrays(void** state) {
    (void)state;
    test_result r = make_result(3);
    pli_memory memory;
    pli_result result;
    pli_result_frame frame = {0};
    pli_error error = {0};
    pli_memory_init(&memory, NULL);
    assert_int_equal(pli_result_open(&result, &memory, r.run, &error), PLI_OK);
    assert_int_equal(result.frame_count, 3);
    assert_int_equal(pli_result_read(&result, 2, PLI_ALL_FIELDS, &frame, &error), PLI_OK);
    assert_true(frame.time == result_time(2));
    assert_true(frame.positions[3 * 6 + 1] == result_position(2, 6, 1));
    assert_int_equal(frame.field_count, 5); // with the radius of the rope
    assert_int_equal(pli_result_find_field(&frame, "mass")->components, 1);
    assert_true(pli_result_find_field(&frame, "velocity")->values[3 * 4 + 2] == 4 + 0.5 - 2);
    assert_null(pli_result_find_field(&frame, "contact_force"));
    assert_int_equal(pli_result_read(&result, 0, PLI_VELOCITIES, &frame, &error), PLI_OK);
    assert_true(frame.time == result_time(0));
    assert_int_equal(pli_result_read(&result, 3, PLI_POSITIONS, &frame, &error), PLI_E_IO);
    pli_result_frame_free(&frame);
    pli_result_close(&result);
    assert_int_equal(memory.bytes, 0);
    remove_result(&r);
}

// Bytes turned at random: an error or an export, nothing else.
static void random_damage_does_no_harm(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_random random = {7};
    pli_export_def def = result_def(&r, "ply");
    size_t size;
    char path[2 * TEST_PATH_SIZE], *good = read_whole(&r.folder, "run/frame_000000.vtu", &size);
    path_in(&r.folder, "run/frame_000000.vtu", path);
    int refused = 0;
    for (int i = 0; i < 150; ++i) {
        char* bad = malloc(size);
        memcpy(bad, good, size);
        for (int k = 0; k < 1 + i % 5; ++k)
            bad[pli_random_below(&random, (int)size)] = (char)pli_random_below(&random, 256);
        FILE* file = fopen(path, "wb");
        assert_int_equal(fwrite(bad, 1, size, file), size);
        fclose(file);
        free(bad);
        refused += pli_export(&def, NULL, NULL) != PLI_OK;
    }
    assert_true(refused > 10 && refused < 150);
    free(good);
    remove_result(&r);
}

// ---- ends that are no good ends

typedef struct stopper {
    int calls, limit;
    double last;
} stopper;

static bool stop_later(void* context, const pli_export_progress* progress) {
    stopper* s = context;
    assert_true(progress->done >= s->last && progress->done <= 1 + 1e-9);
    s->last = progress->done;
    return ++s->calls < s->limit;
}

// Films are made by another program, which may not be there: see test_export_png.c.
static bool needs_help(int format) { return strcmp(pli_export_format_name(format), "mp4") == 0; }

// Whenever it is cancelled, there are complete files or none.
static void cancelling_leaves_no_half_files(void** state) {
    (void)state;
    test_result r = make_result(3);
    for (int f = 0; pli_export_format_name(f); ++f) {
        if (needs_help(f)) continue;
        bool cancelled = true;
        for (int limit = 1; cancelled; ++limit) {
            stopper s = {.limit = limit};
            pli_export_def def = result_def(&r, pli_export_format_name(f));
            pli_export_info info = {0};
            def.progress = stop_later;
            def.context = &s;
            assert_int_equal(pli_export(&def, &info, NULL), PLI_OK);
            cancelled = info.cancelled;
            assert_true(cancelled == (s.calls == limit));
            assert_int_equal(count_entries(&r.folder, true), 0);
            assert_true(limit < 100);
        }
    }
    // A file that was there stays as it was.
    stopper s = {.limit = 4};
    pli_export_def def = result_def(&r, "usd");
    def.progress = stop_later;
    def.context = &s;
    write_whole(&r.folder, "run.usda", "old");
    assert_int_equal(pli_export(&def, NULL, NULL), PLI_OK);
    char* text = read_whole(&r.folder, "run.usda", NULL);
    assert_string_equal(text, "old");
    free(text);
    remove_result(&r);
}

static void full_disk_leaves_no_half_files(void** state) {
    (void)state;
    test_result r = make_result(3);
    for (int f = 0; pli_export_format_name(f); ++f) {
        if (needs_help(f)) continue;
        pli_export_def def = result_def(&r, pli_export_format_name(f));
        pli_error error = {0};
        file_limit limit = limit_files(20);
        pli_status status = pli_export(&def, NULL, &error);
        restore_files(&limit);
        assert_int_equal(status, PLI_E_IO);
        assert_non_null(strstr(error.message, "File too large"));
        assert_int_equal(count_entries(&r.folder, true), 0);
    }
    remove_result(&r);
}

static void memory_may_end_anywhere(void** state) {
    (void)state;
    test_result r = make_result(2);
    for (int f = 0; pli_export_format_name(f); ++f) {
        if (needs_help(f)) continue;
        pli_status status = PLI_E_MEMORY;
        for (int i = 1; status != PLI_OK; i += 1 + i / 8) {
            pli_test_allocator counter = {.fail_at = i};
            const pli_allocator allocator = pli_test_hook(&counter);
            pli_export_def def = result_def(&r, pli_export_format_name(f));
            def.allocator = &allocator;
            if (strcmp(def.format, "csv") == 0) def.vertices = "rope:1";
            status = pli_export(&def, NULL, NULL);
            assert_true(status == PLI_OK || status == PLI_E_MEMORY);
            assert_int_equal(counter.bytes, 0);
            assert_false(counter.wrong_size);
            assert_int_equal(count_entries(&r.folder, true), 0);
        }
    }
    remove_result(&r);
}

// What no program could read is refused before it is written, with a way out.
static void too_large_files_are_refused(void** state) {
    (void)state;
    test_result r = make_result(1);
    copy_frame(&r, 0, 39999); // frames are counted by their numbers
    pli_export_def def = result_def(&r, "gltf");
    const char* message = refuse_export(&def, PLI_E_ARGUMENT);
    assert_non_null(strstr(message, "must be at most 2 GB"));
    assert_non_null(strstr(message, "every = 2"));
    assert_false(exists_in(&r.folder, "run.glb"));
    remove_result(&r);
}

// ---- numbers

static void check_float(float value, const char* expected) {
    char text[PLI_NUMBER_SIZE];
    pli_format_float(value, text);
    assert_true(strtof(text, NULL) == value);
    if (expected) assert_string_equal(text, expected);
}

static void floats_read_back_as_they_were(void** state) {
    (void)state;
    check_float(0, "0");
    check_float(1, "1");
    check_float(-0.1f, "-0.1");
    check_float(0.001f, "0.001");
    check_float(999999.0f, "999999");
    check_float(123456.7f, "123456.7");
    check_float(16777216.0f, NULL);
    check_float(1e-30f, "1e-30");
    check_float(3.4028235e38f, NULL);
    check_float(1e-45f, NULL);
    check_float(0.00099999993f, NULL);
    pli_random random = {3};
    for (int i = 0; i < 20000; ++i) {
        double size = pow(10, pli_random_in(&random, -6, 8));
        check_float((float)(size * pli_random_in(&random, -1, 1)), NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_listed),
        cmocka_unit_test(wrong_defs_are_refused),
        cmocka_unit_test(output_has_the_name_of_the_run),
        cmocka_unit_test(broken_frames_are_named),
        cmocka_unit_test(names_come_from_the_card),
        cmocka_unit_test(frames_have_their_arrays),
        cmocka_unit_test(random_damage_does_no_harm),
        cmocka_unit_test(cancelling_leaves_no_half_files),
        cmocka_unit_test(full_disk_leaves_no_half_files),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(too_large_files_are_refused),
        cmocka_unit_test(floats_read_back_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
