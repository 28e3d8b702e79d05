// Framing: the numbers of framing.json, which the page of the viewer has too; looks at a run;
// cameras of scenes.
#include "result/fixture.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "render/camera.h"
#include "render/canvas.h"

static void read_box(const json_t* from, pli_frame_box* box) {
    *box = pli_frame_nothing;
    if (!json_is_object(from)) return;
    for (size_t k = 0; k < 3; ++k) {
        box->low[k] = json_number_value(json_array_get(json_object_get(from, "low"), k));
        box->high[k] = json_number_value(json_array_get(json_object_get(from, "high"), k));
    }
    box->obstacle = json_is_true(json_object_get(from, "obstacle"));
}

static void table_holds(void** state) {
    (void)state;
    json_error_t wrong;
    json_t* table = json_load_file(PLIANT_SOURCE_DIR "/tests/render/framing.json", 0, &wrong);
    assert_true(json_array_size(table) >= 8);
    for (size_t i = 0; i < json_array_size(table); ++i) {
        const json_t* row = json_array_get(table, i);
        const json_t* list = json_object_get(row, "bodies");
        pli_frame_box bodies[8], start, wanted;
        double scratch[8];
        int count = (int)json_array_size(list);
        assert_in_range(count, 0, 8);
        for (int b = 0; b < count; ++b) read_box(json_array_get(list, (size_t)b), &bodies[b]);
        read_box(json_object_get(row, "start"), &start);
        read_box(json_object_get(row, "frame"), &wanted);
        pli_frame_box frame = pli_camera_frame(bodies, count, &start, scratch);
        for (int k = 0; k < 3; ++k) {
            if (frame.low[k] == wanted.low[k] && frame.high[k] == wanted.high[k]) continue;
            fail_msg("%s: axis %d from %g to %g", json_string_value(json_object_get(row, "about")),
                     k, frame.low[k], frame.high[k]);
        }
    }
    json_decref(table);
}

static void invalid_places_do_not_count(void** state) {
    (void)state;
    pli_frame_box box = pli_frame_nothing;
    const double nowhere[3] = {NAN, 0, 0}, away[3] = {0, HUGE_VAL, 0}, place[3] = {1, 2, 3};
    pli_frame_extend(&box, nowhere, 1);
    pli_frame_extend(&box, away, 1);
    assert_true(pli_frame_diagonal(&box) == 0);
    pli_frame_extend(&box, place, 0.5);
    assert_true(box.low[0] == 0.5 && box.high[2] == 3.5);
}

static void looks_are_clipped(void** state) {
    (void)state;
    pli_frame_looks looks = {0};
    for (int i = 0; i <= 100; ++i) {
        pli_frame_box look = {{0, -i, 0}, {1, 1.0 - i, 1}, false};
        pli_frame_looks_add(&looks, &look);
    }
    pli_frame_box range = pli_frame_looks_range(&looks);
    assert_true(range.low[0] == 0 && range.high[0] == 1);
    assert_true(range.high[1] == 1 && range.low[1] == -9); // ten times the largest look
}

static pli_shot shot_of(const char* text) {
    json_error_t wrong;
    pli_shot shot;
    json_t* json = json_loads(text, 0, &wrong);
    assert_int_equal(pli_shot_read(json, &shot, NULL), PLI_OK);
    json_decref(json);
    return shot;
}

static void cameras_move_between_keys(void** state) {
    (void)state;
    pli_shot shot = shot_of("{\"from\":[0,0,5],\"to\":[0,0,0],\"follow\":\"ball\",\"keys\":["
                            "{\"time\":1},{\"time\":3,\"from\":[4,0,5],\"field_of_view\":55}]}");
    assert_string_equal(shot.follow, "ball");
    assert_true(pli_shot_at(&shot, 0).from[0] == 0);
    assert_true(pli_shot_at(&shot, 9).from[0] == 4);
    pli_view_point middle = pli_shot_at(&shot, 2), early = pli_shot_at(&shot, 1.5);
    assert_true(middle.from[0] == 2 && middle.from[2] == 5 && middle.to[0] == 0);
    assert_true(middle.field_of_view == 45);                // between 35 and 55
    assert_true(fabs(early.from[0] - 4 * 0.15625) < 1e-15); // u = 1/4: 3/16 - 2/64
}

static void wrong_cameras_are_refused(void** state) {
    (void)state;
    static const char* const texts[] = {"[]", "{\"from\":[1,2]}", "{\"field_of_view\":180}",
                                        "{\"keys\":[{\"time\":2},{\"time\":2}]}",
                                        "{\"to\":\"here\"}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        pli_shot shot;
        pli_error error = {0};
        json_error_t wrong;
        json_t* json = json_loads(texts[i], 0, &wrong);
        assert_int_equal(pli_shot_read(json, &shot, &error), PLI_E_SCENE);
        json_decref(json);
    }
}

// The camera looks from `from` to `to`, upright.
static void axes_follow_the_eye(void** state) {
    (void)state;
    const double gravity[3] = {0, -9.81, 0};
    pli_camera_place place;
    assert_int_equal(pli_camera_place_of("iso", &place, NULL), PLI_OK);
    pli_view_point at = {.from = {0, 0, 4}, .to = {0, 0, 0}};
    pli_camera camera = pli_camera_toward(3, gravity, &at, place);
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k) assert_true(fabs(camera.axes[r][k] - (r == k)) < 1e-15);
    at.from[0] = NAN; // not given: the place counts, whose three axes are equally short
    camera = pli_camera_toward(3, gravity, &at, place);
    for (int k = 0; k < 3; ++k) {
        double length = hypot(camera.axes[0][k], camera.axes[1][k]);
        assert_true(fabs(length - sqrt(2.0 / 3)) < 1e-8); // the angle has nine digits
    }
    at = (pli_view_point){.from = {1, 7, 2}, .to = {1, 2, 2}}; // straight down
    camera = pli_camera_toward(3, gravity, &at, place);
    assert_true(fabs(camera.axes[2][1] - 1) < 1e-15 && isfinite(camera.axes[0][0]));
}

// Perspective keeps lines and the order of depths, and can be undone.
static void perspective_maps_lines_to_lines(void** state) {
    (void)state;
    pli_canvas canvas = {.eye = {1, 2, 8}, .distance = 5};
    double points[3][3] = {{0, 0, 0}, {1, 1, 2}, {2, 2, 4}}, mapped[3][3]; // in line
    for (int i = 0; i < 3; ++i) {
        memcpy(mapped[i], points[i], sizeof mapped[i]);
        pli_canvas_map(&canvas, mapped[i]);
        double back[3] = {mapped[i][0], mapped[i][1], mapped[i][2]};
        pli_canvas_unmap(&canvas, back);
        for (int k = 0; k < 3; ++k) assert_true(fabs(back[k] - points[i][k]) < 1e-14); // roundoff
    }
    double part = (mapped[1][2] - mapped[0][2]) / (mapped[2][2] - mapped[0][2]);
    assert_true(part > 0 && part < 1);
    for (int k = 0; k < 2; ++k) {
        double on = mapped[0][k] + part * (mapped[2][k] - mapped[0][k]);
        assert_true(fabs(on - mapped[1][k]) < 1e-14);
    }
    double same[3] = {4, 5, 3}, behind[3] = {0, 0, 9};
    pli_canvas_map(&canvas, same); // in the plane of the scale
    assert_true(same[0] == 4 && same[1] == 5 && same[2] == 3);
    pli_canvas_map(&canvas, behind);
    assert_true(isnan(behind[0]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_holds),
        cmocka_unit_test(invalid_places_do_not_count),
        cmocka_unit_test(looks_are_clipped),
        cmocka_unit_test(cameras_move_between_keys),
        cmocka_unit_test(wrong_cameras_are_refused),
        cmocka_unit_test(axes_follow_the_eye),
        cmocka_unit_test(perspective_maps_lines_to_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
