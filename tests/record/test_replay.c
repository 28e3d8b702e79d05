// A run is recorded and read back through the public interface.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include "pliant/pliant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scene_text[] =
    "{ \"name\": \"fall\", \"gravity\": [0, -10], \"time\": { \"step\": 0.1 },"
    "  \"contact\": { \"dhat\": 0.05 }, \"bodies\": ["
    "  { \"name\": \"square\","
    "    \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2] },"
    "    \"energies\": [ { \"type\": \"neo-hookean\" } ], \"stretch\": [1.1, 1] },"
    "  { \"name\": \"chain\", \"translate\": [5, 0], \"vertex_mass\": 1,"
    "    \"mesh\": { \"type\": \"line\", \"from\": [0, 0], \"to\": [1, 0], \"segments\": 3 },"
    "    \"energies\": [ { \"type\": \"spring\" } ] },"
    "  { \"name\": \"lid\", \"mesh\": { \"type\": \"point\" }, \"translate\": [0, 3],"
    "    \"vertex_mass\": 1 } ],"
    "  \"obstacles\": [ { \"type\": \"half-space\", \"point\": [0, -0.52], \"normal\": [0, 1] },"
    "  { \"type\": \"half-space\", \"normal\": [0, -1], \"carrier\": \"lid\" } ] }";

typedef struct recorded {
    char folder[64];
    pli_scene* scene;
    pli_world* world;
    pli_recorder* recorder;
} recorded;

static void step(recorded* r) {
    pli_error error = {0};
    pli_step_info info;
    assert_int_equal(pli_world_step(r->world, &info, &error), PLI_OK);
    assert_true(info.kept);
    assert_int_equal(pli_recorder_frame(r->recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_wait(r->recorder, &error), PLI_OK);
}

static int begin(void** state) {
    recorded* r = calloc(1, sizeof *r);
    pli_error error = {0};
    pli_scene_def def = pli_default_scene_def();
    pli_recorder_def recorder = pli_default_recorder_def();
    if (!r) return -1;
    strcpy(r->folder, "/tmp/pliant-replay-XXXXXX");
    if (!mkdtemp(r->folder)) return -1;
    def.text = scene_text;
    def.thread_count = 1;
    assert_int_equal(pli_scene_create(&def, &r->scene, &error), PLI_OK);
    r->world = pli_scene_world(r->scene);
    assert_non_null(r->world);
    recorder.folder = r->folder;
    recorder.title = "fall";
    recorder.preview_frames = 0;
    recorder.fields = PLI_FRAME_ALL_FIELDS;
    recorder.double_precision = true;
    assert_int_equal(pli_recorder_create(&recorder, r->world, &r->recorder, &error), PLI_OK);
    assert_int_equal(pli_recorder_frame(r->recorder, &error), PLI_OK);
    step(r);
    *state = r;
    return 0;
}

static int end(void** state) {
    recorded* r = *state;
    char command[128];
    pli_recorder_destroy(r->recorder);
    pli_scene_destroy(r->scene);
    snprintf(command, sizeof command, "rm -r %s", r->folder);
    int removed = system(command);
    free(r);
    return removed;
}

static pli_replay* open_replay(const recorded* r) {
    pli_replay* replay = NULL;
    pli_error error = {0};
    if (pli_replay_open(r->folder, NULL, &replay, &error) != PLI_OK) fail_msg("%s", error.message);
    return replay;
}

static void test_what_it_is(void** state) {
    const recorded* r = *state;
    pli_replay* replay = open_replay(r);
    double gravity[3];
    pli_replay_gravity(replay, gravity);
    assert_string_equal(pli_replay_title(replay), "fall");
    assert_int_equal(pli_replay_dimension(replay), 2);
    assert_true(gravity[1] == -10);
    assert_int_equal(pli_replay_vertex_count(replay), 14);
    assert_int_equal(pli_replay_body_count(replay), 3);
    pli_replay_body square = pli_replay_body_at(replay, 0), chain = pli_replay_body_at(replay, 1);
    assert_string_equal(square.name, "square");
    assert_int_equal(square.triangle_count, 8);
    assert_int_equal(chain.first_vertex, 9);
    assert_int_equal(chain.end_vertex, 13);
    assert_int_equal(chain.segment_count, 3);
    int32_t triangles[24], segments[6];
    pli_replay_triangles(replay, 0, triangles);
    for (int i = 0; i < 24; ++i) assert_in_range(triangles[i], 0, 8);
    pli_replay_segments(replay, 1, segments);
    for (int i = 0; i < 6; ++i) assert_in_range(segments[i], 9, 12);
    assert_null(pli_replay_body_at(replay, 3).name);
    assert_int_equal(pli_replay_half_space_count(replay), 2);
    assert_true(pli_replay_half_space_at(replay, 0).normal[1] == 1);
    pli_replay_close(replay);
}

// Frames come back as they were; new ones are seen.
static void test_frames(void** state) {
    recorded* r = *state;
    pli_error error = {0};
    pli_replay* replay = open_replay(r);
    int before = pli_replay_frame_count(replay);
    assert_true(pli_replay_time(replay) == 0);
    step(r);
    assert_int_equal(pli_replay_frame_count(replay), before + 1);
    assert_int_equal(pli_replay_read(replay, before, &error), PLI_OK);
    assert_true(fabs(pli_replay_time(replay) - pli_world_time(r->world)) < 1e-12);
    assert_memory_equal(pli_replay_positions(replay), pli_world_positions(r->world),
                        3 * 14 * sizeof(double));
    double y = pli_replay_positions(replay)[1];
    assert_int_equal(pli_replay_read(replay, 99, &error), PLI_E_IO);
    assert_true(pli_replay_positions(replay)[1] == y);
    pli_replay_close(replay);
}

// A half-space that a body carries is where it is in the frame that is shown.
static void test_carried(void** state) {
    recorded* r = *state;
    pli_error error = {0};
    pli_replay* replay = open_replay(r);
    double point[3], normal[3];
    assert_int_equal(pli_replay_half_space_carrier(replay, 0), -1);
    assert_int_equal(pli_replay_half_space_carrier(replay, 1), 13);
    assert_int_equal(pli_replay_half_space_carrier(replay, 2), -1);
    assert_true(pli_replay_half_space_at(replay, 1).point[1] == 3);
    int last = pli_replay_frame_count(replay) - 1;
    assert_int_equal(pli_replay_read(replay, last, &error), PLI_OK);
    pli_world_half_space(r->world, 1, point, normal);
    assert_true(point[1] < 3); // it falls
    assert_memory_equal(pli_replay_half_space_at(replay, 1).point, point, sizeof point);
    assert_true(pli_replay_half_space_at(replay, 1).normal[1] == -1);
    assert_true(pli_replay_half_space_at(replay, 0).point[1] == -0.52);
    pli_replay_close(replay);
}

static void test_fields(void** state) {
    recorded* r = *state;
    pli_error error = {0};
    pli_replay* replay = open_replay(r);
    int components = 7;
    assert_int_equal(pli_replay_read(replay, pli_replay_frame_count(replay) - 1, &error), PLI_OK);
    const double* v = pli_replay_field(replay, "velocity", &components);
    assert_non_null(v);
    assert_int_equal(components, 3);
    assert_memory_equal(v, pli_world_velocities(r->world), 3 * 14 * sizeof(double));
    // Of cells: the mean of the triangles at a vertex.
    double energy[8], sum = 0;
    pli_element_fields fields = {.energy_density = energy};
    pli_world_element_fields(r->world, PLI_TRIANGLE, &fields);
    const int32_t* triangles = pli_world_elements(r->world, PLI_TRIANGLE);
    int count = 0;
    for (int i = 0; i < 24; ++i)
        if (triangles[i] == 4) sum += energy[i / 3], ++count;
    const double* density = pli_replay_field(replay, "energy_density", &components);
    assert_non_null(density);
    assert_int_equal(components, 1);
    assert_true(count > 1 && fabs(density[4] - sum / count) <= 1e-12 * fabs(sum)); // rounding
    assert_null(pli_replay_field(replay, "nothing", &components));
    pli_replay_close(replay);
}

static void test_contacts(void** state) {
    recorded* r = *state;
    pli_error error = {0};
    pli_replay* replay = open_replay(r);
    assert_int_equal(pli_replay_read(replay, pli_replay_frame_count(replay) - 1, &error), PLI_OK);
    pli_replay_contacts there = pli_replay_contacts_now(replay);
    const pli_contact_info* contacts = pli_world_contacts(r->world);
    assert_true(there.count > 1);
    assert_int_equal(there.count, pli_world_contact_count(r->world));
    for (int i = 0; i < there.count; ++i) {
        assert_memory_equal(there.points + 6 * i, contacts[i].point, 6 * sizeof(double));
        assert_true(there.forces[i] == contacts[i].force);
    }
    char path[128];
    snprintf(path, sizeof path, "%s/contacts_000000.vtu", r->folder);
    remove(path); // a frame without contacts has no such file
    assert_int_equal(pli_replay_read(replay, 0, &error), PLI_OK);
    assert_int_equal(pli_replay_contacts_now(replay).count, 0);
    pli_replay_close(replay);
}

static void test_what_is_no_result(void** state) {
    (void)state;
    pli_replay* replay = NULL;
    pli_error error = {0};
    assert_int_equal(pli_replay_open("/nowhere", NULL, &replay, &error), PLI_E_IO);
    assert_null(replay);
    assert_int_equal(pli_replay_open(NULL, NULL, &replay, &error), PLI_E_ARGUMENT);
    pli_replay_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_is), cmocka_unit_test(test_frames),
        cmocka_unit_test(test_carried),    cmocka_unit_test(test_fields),
        cmocka_unit_test(test_contacts),   cmocka_unit_test(test_what_is_no_result),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
