// A result folder made by hand: three bodies (four tetrahedra with a vertex and a triangle that are
// not seen, a rope of two segments, a single mass that stands still), with names that need care.
// Include it first.
#ifndef PLI_TESTS_RECORD_RUN_FIXTURE_H
#define PLI_TESTS_RECORD_RUN_FIXTURE_H

#include "result/fixture.h"

#include <math.h>
#include <sys/stat.h>

#include "pliant/export.h"
#include "record/recorder.h"
#include "record/vtu.h"
#include "result/pvd.h"
#include "result/result.h"

// Shown vertices of the three bodies: 4 at the tetrahedron, 3 of the rope, 1.
enum { RESULT_BODIES = 3, RESULT_SHOWN = 8 };
static const int result_first[RESULT_BODIES] = {0, 5, 8}; // in the world
static const int result_shown[RESULT_BODIES] = {4, 3, 1};
static const char* const result_names[RESULT_BODIES] = {"my \"solid\", 1", "rope", "MY  solid---1"};

// Coordinate c of vertex v in frame i [m]; the mass stands still.
static inline double result_position(int i, int v, int c) {
    double rest = ((3 * v + c) * 7 % 11) / 3.0 + 0.01 * v;
    return v < 8 ? rest + 0.1 * sin(0.3 * i + v) - 0.02 * i * c : rest;
}
static inline double result_time(int i) { return 0.5 + 0.04 * i; }

// All that there is, as it is.
static const pli_vtu_choice exact_frames = {.fields = PLI_FRAME_ALL_FIELDS, .exact = true};

typedef struct test_result {
    test_folder folder; // has the folder "run" in it and room for what is exported
    char run[2 * TEST_PATH_SIZE];
} test_result;

static inline void fill_result_frame(mixed_scene* m, int i) {
    for (int v = 0; v < MIXED_VERTICES; ++v)
        for (int c = 0; c < 3; ++c) {
            m->positions[3 * v + c] = result_position(i, v, c);
            m->velocities[3 * v + c] = v + 0.25 * c - i;
        }
    m->snapshot.time = result_time(i);
}

// Four tetrahedra around vertex 4; the triangle is a face of two of them.
static inline void divide_tetrahedron(pli_snapshot* s) {
    static const int32_t four[] = {4, 1, 2, 3, 0, 4, 2, 3, 0, 1, 4, 3, 0, 1, 2, 4};
    static double energy[4], density[4], stress[24], stretches[12];
    const pli_element_fields* whole = &s->fields[PLI_TETRAHEDRON];
    for (int i = 0; i < 4; ++i) {
        energy[i] = whole->energy[0] / 4;
        density[i] = whole->energy_density[0];
        memcpy(stress + 6 * i, whole->stress, 6 * sizeof *stress);
        memcpy(stretches + 3 * i, whole->stretches, 3 * sizeof *stretches);
    }
    s->element_count[PLI_TETRAHEDRON] = 4;
    s->elements[PLI_TETRAHEDRON] = four;
    s->fields[PLI_TETRAHEDRON] = (pli_element_fields){energy, density, stress, stretches};
}

static inline test_result make_result(int frame_count) {
    test_result r = {.folder = make_test_folder()};
    mixed_scene m;
    pli_error error = {0};
    pli_memory memory;
    pli_vtu* vtu = NULL;
    pli_file stats;
    pli_memory_init(&memory, NULL);
    path_in(&r.folder, "run", r.run);
    assert_int_equal(mkdir(r.run, 0777), 0);
    fill_mixed(&m);
    divide_tetrahedron(&m.snapshot);
    m.snapshot.body_names = result_names;
    m.snapshot.half_space_count = 0;
    const double thickness[] = {0, 0.125, 0};
    m.snapshot.body_thickness = thickness;
    assert_int_equal(pli_vtu_create(&memory, &exact_frames, &m.snapshot, &vtu, &error), PLI_OK);
    assert_int_equal(pli_run_info_write(&m.snapshot, "a title", NULL, r.run, &error), PLI_OK);
    assert_int_equal(pli_stats_open(&stats, r.run, &error), PLI_OK);
    for (int i = 0; i < frame_count; ++i) {
        char name[PLI_FRAME_NAME_SIZE];
        fill_result_frame(&m, i);
        assert_int_equal(pli_vtu_write(vtu, &m.snapshot, r.run, pli_frame_name(i, name), &error),
                         PLI_OK);
        pli_step_info info = {.step = i + 1, .time = m.snapshot.time, .kept = i % 2 == 0};
        assert_int_equal(pli_stats_write(&stats, &info, "a, \"b\"", &m.snapshot, &error), PLI_OK);
    }
    assert_int_equal(pli_file_commit(&stats, &error), PLI_OK);
    pli_vtu_destroy(vtu);
    assert_int_equal(memory.bytes, 0);
    return r;
}

// Frame i with contact, as of a run that went on with another scene: it has more fields.
static inline void touch_frame(const test_result* r, int i) {
    mixed_scene m;
    mixed_contacts contacts;
    pli_error error = {0};
    pli_memory memory;
    pli_vtu* vtu = NULL;
    char name[PLI_FRAME_NAME_SIZE];
    pli_memory_init(&memory, NULL);
    fill_mixed(&m);
    divide_tetrahedron(&m.snapshot);
    fill_result_frame(&m, i);
    touch_mixed(&m, &contacts);
    assert_int_equal(pli_vtu_create(&memory, &exact_frames, &m.snapshot, &vtu, &error), PLI_OK);
    assert_int_equal(pli_vtu_write(vtu, &m.snapshot, r->run, pli_frame_name(i, name), &error),
                     PLI_OK);
    pli_vtu_destroy(vtu);
}

static inline void remove_result(const test_result* r) {
    test_folder run;
    snprintf(run.path, sizeof run.path, "%.500s", r->run);
    remove_test_folder(&run);
    DIR* stream = opendir(r->folder.path);
    for (const struct dirent* entry; (entry = readdir(stream));) { // folders that were exported
        test_folder inner;
        char path[2 * TEST_PATH_SIZE];
        struct stat info;
        if (entry->d_name[0] == '.') continue;
        snprintf(inner.path, sizeof inner.path, "%.500s", path_in(&r->folder, entry->d_name, path));
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) remove_test_folder(&inner);
    }
    closedir(stream);
    remove_test_folder(&r->folder);
}

static inline pli_export_def result_def(const test_result* r, const char* format) {
    pli_export_def def = pli_default_export_def();
    def.folder = r->run;
    def.format = format;
    def.width = 96; // of pictures: small ones are enough
    def.height = 64;
    return def;
}

// Exports to the name that the format chooses.
static inline pli_export_info export_result(const pli_export_def* def) {
    pli_export_info info = {0};
    pli_error error = {0};
    pli_status status = pli_export(def, &info, &error);
    if (status != PLI_OK) fail_msg("%s", error.message);
    assert_false(info.cancelled);
    return info;
}

// Fails and leaves nothing; returns the message.
static inline const char* refuse_export(const pli_export_def* def, pli_status expected) {
    static char message[480];
    pli_error error = {0};
    assert_int_equal(pli_export(def, NULL, &error), expected);
    snprintf(message, sizeof message, "%s", error.message);
    return message;
}

#endif
