// The camera of the film strip and of exported pictures.
#include "render/camera.h"

#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

static const pli_camera_place usual = {30, 20};

static const struct {
    const char* name;
    pli_camera_place place;
} places[] = {{"front", {0, 0}},  {"right", {90, 0}}, {"back", {180, 0}},
              {"left", {-90, 0}}, {"top", {0, 90}},   {"bottom", {0, -90}}};

// "30,20"
static bool read_place(const char* text, pli_camera_place* place) {
    char* end;
    place->turn = strtod(text, &end);
    if (end == text || *end != ',') return false;
    const char* second = end + 1;
    place->rise = strtod(second, &end);
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
    return pli_fail(error, PLI_E_ARGUMENT,
                    "view \"%.40s\": must be front, back, left, right, top, bottom, or TURN,RISE "
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

void pli_camera_see(const pli_camera* camera, const double direction[3], double seen[3]) {
    for (int r = 0; r < 3; ++r) seen[r] = pli_dot(camera->axes[r], direction, 3);
}
