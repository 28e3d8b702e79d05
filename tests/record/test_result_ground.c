// Half-spaces as bodies of exports: where they lie, how far they reach, how they cut each other.
#include "record/run_fixture.h"

#include <string.h>

#include "result/result.h"

static pli_memory memory;

// Opens the result with this list of half-spaces, and adds them.
static pli_result open_with(const test_result* r, int dimension, const char* planes) {
    char info[600];
    pli_result result;
    pli_error error = {0};
    snprintf(info, sizeof info,
             "{\"dimension\":%d,\"gravity\":[0,-10,0],\"bodies\":[],\"half_spaces\":[%s]}",
             dimension, planes);
    write_whole(&r->folder, "run/run.json", info);
    pli_memory_init(&memory, NULL);
    assert_int_equal(pli_result_open(&result, &memory, r->run, &error), PLI_OK);
    assert_int_equal(result.body_count, RESULT_BODIES);
    assert_int_equal(pli_result_choose(&result, &(pli_result_choice){.grounds = true}, &error),
                     PLI_OK);
    return result;
}

// Reads frame 1 and compares the corners of a body with its plane; returns the largest distance
// between corners.
static double check_corners(pli_result* result, int b) {
    const pli_result_body* body = &result->bodies[b];
    pli_result_frame frame = {0};
    pli_error error = {0};
    double size = 0;
    assert_true(body->ground && body->obstacle);
    assert_int_equal(pli_result_read(result, 1, PLI_ALL_FIELDS, &frame, &error), PLI_OK);
    const double* plane = result->half_spaces[b - RESULT_BODIES].plane;
    for (int i = 0; i < body->vertex_count; ++i) {
        const double* p = frame.positions + 3 * body->vertices[i];
        double height = 0;
        for (int c = 0; c < 3; ++c) height += (p[c] - plane[c]) * plane[3 + c];
        assert_true(result->dimension == 2 ? height < 1e-9 : fabs(height) < 1e-9); // of size 10
        for (int j = 0; j < i; ++j) {
            const double* q = frame.positions + 3 * body->vertices[j];
            size = fmax(size, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
        }
    }
    const pli_result_field* velocity = pli_result_find_field(&frame, "velocity");
    assert_true(velocity && velocity->values[3 * body->vertices[0]] == 0);
    pli_result_frame_free(&frame);
    return size;
}

static void close_result(pli_result* result, const test_result* r) {
    pli_result_close(result);
    assert_int_equal(memory.bytes, 0);
    remove_result(r);
}

static void squares_in_space(void** state) {
    (void)state;
    test_result r = make_result(3);
    pli_result result = open_with(&r, 3,
                                  "{\"name\":\"floor\",\"point\":[0,-1,0],\"normal\":[0,1,0]},"
                                  "{\"name\":\"floor\",\"point\":[0,0,0],\"normal\":[0.6,0.8,0]}");
    assert_int_equal(result.body_count, RESULT_BODIES + 2);
    assert_string_equal(result.bodies[RESULT_BODIES].name, "floor");
    assert_string_not_equal(result.bodies[RESULT_BODIES].word,
                            result.bodies[RESULT_BODIES + 1].word);
    for (int b = RESULT_BODIES; b < result.body_count; ++b) {
        double size = check_corners(&result, b);
        assert_true(size > 4 && size < 50); // the bodies are about 4 m across
        assert_int_equal(result.bodies[b].triangle_count, result.bodies[b].vertex_count - 2);
    }
    close_result(&result, &r);
}

// One below the other: nothing of the lower one is seen. What is no plane is passed over.
static void hidden_and_wrong_ones(void** state) {
    (void)state;
    test_result r = make_result(3);
    pli_result result =
        open_with(&r, 3,
                  "{\"name\":\"a\",\"point\":[0,0,0],\"normal\":[0,1,0]},"
                  "{\"name\":\"b\",\"point\":[0,-1,0],\"normal\":[0,1,0]}, {\"name\":\"c\"}");
    assert_int_equal(result.body_count, RESULT_BODIES + 1);
    assert_string_equal(result.bodies[RESULT_BODIES].name, "a");
    close_result(&result, &r);
}

static void strips_in_the_plane(void** state) {
    (void)state;
    test_result r = make_result(3);
    pli_result result =
        open_with(&r, 2, "{\"name\":\"slope\",\"point\":[0,0,0],\"normal\":[0.6,0.8,0]}");
    assert_int_equal(result.body_count, RESULT_BODIES + 1);
    assert_true(check_corners(&result, RESULT_BODIES) > 4);
    close_result(&result, &r);
}

// What a vertex carries goes where it goes, and leaves others whole.
static void carried_ones_move(void** state) {
    (void)state;
    test_result r = make_result(3);
    char planes[400];
    snprintf(planes, sizeof planes,
             "{\"name\":\"lid\",\"point\":[%.17g,%.17g,%.17g],\"normal\":[0,1,0],\"carrier\":6},"
             "{\"name\":\"floor\",\"point\":[0,-9,0],\"normal\":[0,1,0],\"carrier\":-7},"
             "{\"name\":\"wall\",\"point\":[-9,0,0],\"normal\":[1,0,0],\"carrier\":99}",
             result_position(0, 6, 0), result_position(0, 6, 1), result_position(0, 6, 2));
    pli_result result = open_with(&r, 3, planes);
    pli_result_frame frame = {0};
    pli_error error = {0};
    assert_int_equal(result.body_count, RESULT_BODIES + 3); // the lid does not hide the floor
    const pli_result_body *lid = &result.bodies[RESULT_BODIES], *floor = lid + 1;
    for (int f = 0; f < 3; ++f) {
        assert_int_equal(pli_result_read(&result, f, PLI_VELOCITIES, &frame, &error), PLI_OK);
        const pli_result_field* velocity = pli_result_find_field(&frame, "velocity");
        for (int i = 0; i < lid->vertex_count; ++i) {
            int v = lid->vertices[i];
            // the frame has all digits; the way from the start rounds
            assert_true(fabs(frame.positions[3 * v + 1] - result_position(f, 6, 1)) < 1e-12);
            assert_true(velocity && velocity->values[3 * v + 1] == 6.25 - f);
        }
        for (int i = 0; i < floor->vertex_count; ++i)
            assert_true(frame.positions[3 * floor->vertices[i] + 1] == -9);
    }
    pli_result_frame_free(&frame);
    close_result(&result, &r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_in_space),
        cmocka_unit_test(hidden_and_wrong_ones),
        cmocka_unit_test(strips_in_the_plane),
        cmocka_unit_test(carried_ones_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
