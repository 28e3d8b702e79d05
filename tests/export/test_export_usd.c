// USD: the file as an independent reader sees it, and every vertex of every frame in it.
#include "export/usd_reader.h"

static usd_stage* read_stage(const test_result* r, const char* name) {
    char* text = read_whole(&r->folder, name, NULL);
    usd_stage* stage = usd_read(text);
    free(text);
    return stage;
}

// The points of a prim in all frames, exactly the floats nearest to the positions, and the box
// around them with a margin.
static void check_points(const usd_stage* s, const char* prim, int body, int frames,
                         double margin) {
    char path[160];
    snprintf(path, sizeof path, "%s.points", prim);
    const usd_attribute* points = usd_find(s, path);
    snprintf(path, sizeof path, "%s.extent", prim);
    const usd_attribute* extent = usd_find(s, path);
    assert_string_equal(points->type, "point3f[]");
    assert_string_equal(extent->type, "float3[]");
    assert_int_equal(points->sample_count, frames);
    assert_int_equal(extent->sample_count, frames);
    for (int i = 0; i < frames; ++i) {
        const usd_value *value = &points->samples[i], *box = &extent->samples[i];
        assert_true(value->code == (frames > 1 ? i : -1));
        assert_int_equal(value->count, 3 * result_shown[body]);
        assert_int_equal(box->count, 6);
        float low[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF},
              high[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
        for (int k = 0; k < value->count; ++k) {
            float x = (float)result_position(i, result_first[body] + k / 3, k % 3);
            assert_true((float)value->numbers[k] == x);
            low[k % 3] = fminf(low[k % 3], x);
            high[k % 3] = fmaxf(high[k % 3], x);
        }
        for (int c = 0; c < 3; ++c) { // rounding of the margin: floats of size 5
            assert_true(fabs(box->numbers[c] - ((double)low[c] - margin)) < 1e-6);
            assert_true(fabs(box->numbers[3 + c] - ((double)high[c] + margin)) < 1e-6);
        }
    }
}

static void check_numbers(const usd_stage* s, const char* path, int count, const double* expected) {
    const usd_value* value = &usd_find(s, path)->samples[0];
    assert_int_equal(value->count, count);
    for (int i = 0; i < count; ++i) assert_true(value->numbers[i] == expected[i]);
}

static void stage_has_all_bodies(void** state) {
    (void)state;
    test_result r = make_result(5);
    pli_export_def def = result_def(&r, "usd");
    export_result(&def);
    usd_stage* s = read_stage(&r, "run.usda");
    check_numbers(s, "metersPerUnit", 1, (const double[]){1});
    check_numbers(s, "startTimeCode", 1, (const double[]){0});
    check_numbers(s, "endTimeCode", 1, (const double[]){4});
    check_numbers(s, "timeCodesPerSecond", 1, (const double[]){25}); // frames are 0.04 s apart
    assert_string_equal(usd_find(s, "upAxis")->samples[0].text, "Y");
    assert_string_equal(usd_find(s, "defaultPrim")->samples[0].text, "run");
    // As identifiers the third name differs from the first in capitals alone.
    assert_string_equal(usd_type(s, "/run/my__solid___1"), "Xform");
    assert_string_equal(usd_type(s, "/run/my__solid___1/surface"), "Mesh");
    assert_string_equal(usd_type(s, "/run/rope/segments"), "BasisCurves");
    assert_string_equal(usd_type(s, "/run/MY__solid___1_2/points"), "Points");
    assert_int_equal(s->prim_count, 1 + 3 + 3);
    assert_string_equal(usd_find(s, "/run/my__solid___1.userProperties:name")->samples[0].text,
                        result_names[0]);
    check_points(s, "/run/my__solid___1/surface", 0, 5, 0);
    check_points(s, "/run/rope/segments", 1, 5, 0.125);
    double width = usd_find(s, "/run/MY__solid___1_2/points.widths")->samples[0].numbers[0];
    assert_true(width > 0);
    check_points(s, "/run/MY__solid___1_2/points", 2, 1, 0.5 * width);
    check_numbers(s, "/run/rope/segments.curveVertexCounts", 1, (const double[]){3});
    check_numbers(s, "/run/rope/segments.widths", 1, (const double[]){0.25}); // twice the thickness
    free(s);
    remove_result(&r);
}

// The surface of the tetrahedron: closed, seen from outside.
static void mesh_is_the_boundary(void** state) {
    (void)state;
    test_result r = make_result(2);
    pli_export_def def = result_def(&r, "usd");
    export_result(&def);
    usd_stage* s = read_stage(&r, "run.usda");
    const usd_attribute* scheme = usd_find(s, "/run/my__solid___1/surface.subdivisionScheme");
    assert_true(scheme->uniform);
    assert_string_equal(scheme->samples[0].text, "none");
    check_numbers(s, "/run/my__solid___1/surface.faceVertexCounts", 4,
                  (const double[]){3, 3, 3, 3});
    const usd_value* faces =
        &usd_find(s, "/run/my__solid___1/surface.faceVertexIndices")->samples[0];
    assert_int_equal(faces->count, 12);
    int seen[4][4] = {0}; // directed edges: each once, and its opposite too
    for (int i = 0; i < 12; ++i) {
        int a = (int)faces->numbers[i], b = (int)faces->numbers[i / 3 * 3 + (i + 1) % 3];
        assert_true(a >= 0 && a < 4 && a != b);
        assert_int_equal(seen[a][b]++, 0);
    }
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) assert_int_equal(seen[a][b], a != b);
    const usd_attribute* colour = usd_find(s, "/run/rope/segments.primvars:displayColor");
    assert_string_equal(colour->interpolation, "constant");
    assert_int_equal(colour->samples[0].count, 3);
    free(s);
    remove_result(&r);
}

// Frames that are not evenly spaced keep their times: broken time codes.
static void times_are_kept(void** state) {
    (void)state;
    test_result r = make_result(4);
    test_folder run;
    snprintf(run.path, sizeof run.path, "%.500s", r.run);
    size_t size;
    char path[2 * TEST_PATH_SIZE], *text = read_whole(&run, "frame_000003.vtu", &size);
    char* time = strstr(text, "0.62<"); // the last frame comes half an interval early
    assert_non_null(time);
    memcpy(time, "0.60", 4);
    FILE* file = fopen(path_in(&run, "frame_000003.vtu", path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(text);
    pli_export_def def = result_def(&r, "usd");
    export_result(&def);
    usd_stage* s = read_stage(&r, "run.usda");
    const usd_attribute* points = usd_find(s, "/run/rope/segments.points");
    assert_true(points->samples[2].code == 2);
    assert_true(fabs(points->samples[3].code - 2.5) < 1e-9); // divisions of numbers of size 1
    check_numbers(s, "timeCodesPerSecond", 1, (const double[]){25});
    free(s);
    remove_result(&r);
}

// A run of two bodies of segments: five strands on a sphere, and a closed ring.
static void record_hair(const test_result* r) {
    pli_world_def def = pli_default_world_def();
    pli_mesh surface, meshes[2];
    pli_world* world = NULL;
    pli_recorder* recorder = NULL;
    pli_error error = {0};
    def.dimension = 3;
    assert_int_equal(pli_world_create(&def, &world, &error), PLI_OK);
    pli_mesh_init(&surface, NULL);
    for (int i = 0; i < 2; ++i) pli_mesh_init(&meshes[i], NULL);
    const pli_strands strands = {.count = 5, .segments = 3, .length = 0.3, .seed = 2};
    assert_int_equal(pli_mesh_add_sphere(&surface, 0.1, 3, &error), PLI_OK);
    assert_int_equal(pli_mesh_add_strands(&meshes[0], &surface, &strands, &error), PLI_OK);
    assert_int_equal(pli_mesh_add_ring(&meshes[1], 0.5, 6, &error), PLI_OK);
    for (int i = 0; i < 2; ++i) {
        pli_body_def body = pli_default_body_def();
        body.name = i == 0 ? "hair" : "ring";
        body.mesh = &meshes[i];
        body.vertex_mass = 1;
        body.contact_thickness = i == 0 ? 0.001 : 0.02;
        assert_int_equal(pli_world_add_body(world, &body, NULL, &error), PLI_OK);
        pli_mesh_free(&meshes[i]);
    }
    pli_mesh_free(&surface);
    assert_int_equal(pli_world_prepare(world, &error), PLI_OK);
    pli_recorder_def record = pli_default_recorder_def();
    record.folder = r->run;
    record.preview_frames = 0;
    if (pli_recorder_create(&record, world, &recorder, &error) != PLI_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pli_recorder_frame(recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_finish(recorder, &error), PLI_OK);
    pli_recorder_destroy(recorder);
    pli_world_destroy(world);
}

// What UsdGeomBasisCurves asks of linear curves: at least two vertices each, as many points as their
// sum, one width for all, and no basis.
static void curves_are_valid(void** state) {
    (void)state;
    static const struct {
        const char* prim;
        int curves, each;
        double width;
    } rows[] = {{"/run/hair/segments", 5, 4, 0.002}, {"/run/ring/segments", 1, 7, 0.04}};
    test_result r = make_result(1);
    record_hair(&r);
    pli_export_def def = result_def(&r, "usd");
    export_result(&def);
    usd_stage* s = read_stage(&r, "run.usda");
    for (int i = 0; i < 2; ++i) {
        char path[100];
        assert_string_equal(usd_type(s, rows[i].prim), "BasisCurves");
        snprintf(path, sizeof path, "%s.type", rows[i].prim);
        assert_true(usd_find(s, path)->uniform);
        assert_string_equal(usd_find(s, path)->type, "token");
        assert_string_equal(usd_find(s, path)->samples[0].text, "linear");
        snprintf(path, sizeof path, "%s.wrap", rows[i].prim);
        assert_true(usd_find(s, path)->uniform);
        assert_string_equal(usd_find(s, path)->samples[0].text, "nonperiodic");
        snprintf(path, sizeof path, "%s.curveVertexCounts", rows[i].prim);
        const usd_attribute* counts = usd_find(s, path);
        assert_string_equal(counts->type, "int[]");
        assert_int_equal(counts->samples[0].count, rows[i].curves);
        for (int k = 0; k < rows[i].curves; ++k)
            assert_true(counts->samples[0].numbers[k] == rows[i].each);
        snprintf(path, sizeof path, "%s.points", rows[i].prim);
        const usd_value* points = &usd_find(s, path)->samples[0];
        assert_int_equal(points->count, 3 * rows[i].curves * rows[i].each);
        snprintf(path, sizeof path, "%s.widths", rows[i].prim);
        const usd_attribute* widths = usd_find(s, path);
        assert_string_equal(widths->type, "float[]");
        assert_string_equal(widths->interpolation, "constant");
        assert_int_equal(widths->samples[0].count, 1);
        assert_true((float)widths->samples[0].numbers[0] == (float)rows[i].width);
        const double *first = points->numbers, *last = first + points->count - 3;
        for (int k = 0; i == 1 && k < 3; ++k) assert_true(first[k] == last[k]); // closed
    }
    free(s);
    remove_result(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stage_has_all_bodies),
        cmocka_unit_test(mesh_is_the_boundary),
        cmocka_unit_test(times_are_kept),
        cmocka_unit_test(curves_are_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
