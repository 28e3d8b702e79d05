// The camera of the film strip and of exported pictures.
#include "render/camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

static const pli_camera_place usual = {30, 20, false, false};

static const struct {
    const char* name;
    pli_camera_place place;
} places[] = {
    {"front", {0, 0, true, true}},         {"right", {90, 0, true, true}},
    {"back", {180, 0, true, true}},        {"left", {-90, 0, true, true}},
    {"top", {0, 90, true, true}},          {"bottom", {0, -90, true, true}},
    {"iso", {45, 35.2643897, true, true}}, // the three axes are equally short
};

// "30,20"
static bool read_place(const char* text, pli_camera_place* place) {
    char* end;
    place->turn = strtod(text, &end);
    if (end == text || *end != ',') return false;
    const char* second = end + 1;
    place->rise = strtod(second, &end);
    place->given = true;
    return end != second && !*end && fabs(place->turn) <= 360 && fabs(place->rise) <= 90;
}

pli_status pli_camera_place_of(const char* text, pli_camera_place* place, pli_error* error) {
    *place = usual;
    if (!text) return PLI_OK;
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
        if (strcmp(places[i].name, text) == 0) {
            *place = places[i].place;
            return PLI_OK;
        }
    if (read_place(text, place)) return PLI_OK;
    return pli_fail(
        error, PLI_E_ARGUMENT,
        "view \"%.40s\": must be front, back, left, right, top, bottom, iso, or TURN,RISE "
        "in degrees: -360 to 360 to the right, -90 to 90 upward",
        text);
}

// The component of `v` perpendicular to the unit vector `axis`, normalized.
static void make_across(double v[3], const double axis[3]) {
    pli_axpy(-pli_dot(v, axis, 3), axis, v, 3);
    double length = pli_norm(v, 3);
    for (int c = 0; c < 3; ++c) v[c] /= length;
}

// Towards the viewer: cos(rise) (cos(turn) front + sin(turn) right) + sin(rise) up.
pli_camera pli_camera_at(int dimension, const double gravity[3], pli_camera_place place) {
    const double degree = 3.14159265358979323846 / 180;
    pli_camera camera = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 0}};
    if (dimension == 2) return camera;
    double up[3] = {0, 1, 0}, right[3] = {1, 0, 0}, front[3];
    double g = pli_norm(gravity, 3);
    for (int c = 0; c < 3 && g > 0; ++c) up[c] = -gravity[c] / g;
    if (fabs(up[0]) > 0.9) { // x is up or down: then y points to the left
        right[0] = 0;
        right[1] = -1;
    }
    make_across(right, up);
    pli_cross3(right, up, front);
    double turn[2] = {cos(degree * place.turn), sin(degree * place.turn)};
    double rise[2] = {cos(degree * place.rise), sin(degree * place.rise)};
    double *x = camera.axes[0], *y = camera.axes[1], *z = camera.axes[2];
    for (int c = 0; c < 3; ++c) {
        x[c] = turn[0] * right[c] - turn[1] * front[c];
        z[c] = rise[0] * (turn[0] * front[c] + turn[1] * right[c]) + rise[1] * up[c];
    }
    pli_cross3(z, x, y);
    pli_camera_see(&camera, up, camera.up);
    return camera;
}

pli_camera pli_camera_for(int dimension, const double gravity[3]) {
    return pli_camera_at(dimension, gravity, usual);
}

// From the direction `from` - `to`, if both are given.
pli_camera pli_camera_toward(int dimension, const double gravity[3], const pli_view_point* from,
                             pli_camera_place place) {
    pli_camera camera = pli_camera_at(dimension, gravity, place);
    double back[3], up[3] = {0, 1, 0}, right[3];
    for (int k = 0; k < 3; ++k) back[k] = from->from[k] - from->to[k];
    double length = pli_norm(back, 3), g = pli_norm(gravity, 3);
    if (dimension == 2 || !(length > 0) || !isfinite(length)) return camera;
    for (int k = 0; k < 3; ++k) back[k] /= length;
    for (int k = 0; k < 3 && g > 0; ++k) up[k] = -gravity[k] / g;
    pli_cross3(up, back, right);
    double across = pli_norm(right, 3);
    if (across < 1e-6) // straight from above or below: what was to the right stays there
        for (int k = 0; k < 3; ++k) right[k] = camera.axes[0][k];
    make_across(right, back);
    memcpy(camera.axes[0], right, sizeof right);
    memcpy(camera.axes[2], back, sizeof back);
    pli_cross3(back, right, camera.axes[1]);
    pli_camera_see(&camera, up, camera.up);
    return camera;
}

void pli_camera_see(const pli_camera* camera, const double direction[3], double seen[3]) {
    for (int r = 0; r < 3; ++r) seen[r] = pli_dot(camera->axes[r], direction, 3);
}

// ---- shots

static const double NONE[3] = {NAN, NAN, NAN};

static bool read_point(const json_t* list, double point[3]) {
    if (!list) return true;
    if (!json_is_array(list) || json_array_size(list) != 3) return false;
    for (size_t k = 0; k < 3; ++k) {
        const json_t* value = json_array_get(list, k);
        if (!json_is_number(value)) return false;
        point[k] = json_number_value(value);
    }
    return true;
}

static bool read_number(const json_t* value, double least, double most, double* number) {
    if (!value) return true;
    if (!json_is_number(value)) return false;
    *number = json_number_value(value);
    return *number >= least && *number <= most;
}

static bool read_view_point(const json_t* from, pli_view_point* out) {
    return read_point(json_object_get(from, "from"), out->from) &&
           read_point(json_object_get(from, "to"), out->to) &&
           read_number(json_object_get(from, "time"), 0, 1e300, &out->time) &&
           read_number(json_object_get(from, "field_of_view"), 1, 150, &out->field_of_view) &&
           read_number(json_object_get(from, "height"), 1e-300, 1e300, &out->height);
}

static bool read_keys(const json_t* list, pli_shot* shot) {
    if (!list) return true;
    if (!json_is_array(list) || json_array_size(list) > PLI_SHOT_KEYS) return false;
    for (size_t i = 0; i < json_array_size(list); ++i) {
        pli_view_point* key = &shot->keys[shot->key_count++];
        *key = shot->at;
        if (!read_view_point(json_array_get(list, i), key)) return false;
        if (i > 0 && !(key->time > key[-1].time)) return false;
    }
    return true;
}

pli_status pli_shot_read(const json_t* json, pli_shot* shot, pli_error* error) {
    *shot = (pli_shot){.at = {.field_of_view = 35, .height = NAN}};
    memcpy(shot->at.from, NONE, sizeof NONE);
    memcpy(shot->at.to, NONE, sizeof NONE);
    if (!json) return PLI_OK;
    const json_t* follow = json_object_get(json, "follow");
    shot->orthographic = json_is_true(json_object_get(json, "orthographic"));
    if (json_is_string(follow)) {
        const char* name = json_string_value(follow);
        size_t length = strlen(name);
        if (length < sizeof shot->follow) memcpy(shot->follow, name, length);
    }
    if (json_is_object(json) && read_view_point(json, &shot->at) &&
        read_keys(json_object_get(json, "keys"), shot))
        return PLI_OK;
    return pli_fail(error, PLI_E_SCENE,
                    "the camera is invalid: from and to are three numbers, field_of_view 1 to 150, "
                    "keys at most %d in the order of time",
                    PLI_SHOT_KEYS);
}

// A value that only one of both keys has is taken from it.
static double between(double a, double b, double part) {
    if (isnan(a)) return b;
    return isnan(b) ? a : a + part * (b - a);
}

pli_view_point pli_shot_at(const pli_shot* shot, double time) {
    const pli_view_point* keys = shot->keys;
    int count = shot->key_count, i = 0;
    if (count == 0) return shot->at;
    while (i + 1 < count && keys[i + 1].time <= time) ++i;
    if (i + 1 == count || !(time > keys[i].time)) return keys[i];
    double u = (time - keys[i].time) / (keys[i + 1].time - keys[i].time), s = u * u * (3 - 2 * u);
    pli_view_point out = keys[i];
    const pli_view_point* next = &keys[i + 1];
    for (int k = 0; k < 3; ++k) {
        out.from[k] = between(out.from[k], next->from[k], s);
        out.to[k] = between(out.to[k], next->to[k], s);
    }
    out.field_of_view = between(out.field_of_view, next->field_of_view, s);
    out.height = between(out.height, next->height, s);
    return out;
}
