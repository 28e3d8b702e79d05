// The camera of the film strip.
#include "io/camera.h"

#include "math/vec.h"

// Degrees that the camera stands to the right of the front, and above.
#define TURN 30.0
#define RISE 20.0
#define RADIANS (3.14159265358979323846 / 180)

// The part of `v` across the unit vector `axis`, with length 1.
static void make_across(double v[3], const double axis[3]) {
    pli_axpy(-pli_dot(v, axis, 3), axis, v, 3);
    double length = pli_norm(v, 3);
    for (int c = 0; c < 3; ++c) v[c] /= length;
}

// Towards the viewer: cos(rise) (cos(turn) front + sin(turn) right) + sin(rise) up.
pli_camera pli_camera_for(int dimension, const double gravity[3]) {
    pli_camera camera = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 0}};
    if (dimension == 2) return camera;
    double up[3] = {0, 1, 0}, right[3] = {1, 0, 0}, front[3];
    double g = pli_norm(gravity, 3);
    for (int c = 0; c < 3 && g > 0; ++c) up[c] = -gravity[c] / g;
    if (fabs(up[0]) > 0.9) { // x goes up or down: then y goes to the left
        right[0] = 0;
        right[1] = -1;
    }
    make_across(right, up);
    pli_cross3(right, up, front);
    double *x = camera.axes[0], *y = camera.axes[1], *z = camera.axes[2];
    for (int c = 0; c < 3; ++c) {
        x[c] = cos(TURN * RADIANS) * right[c] - sin(TURN * RADIANS) * front[c];
        z[c] = cos(RISE * RADIANS) *
                   (cos(TURN * RADIANS) * front[c] + sin(TURN * RADIANS) * right[c]) +
               sin(RISE * RADIANS) * up[c];
    }
    pli_cross3(z, x, y);
    pli_camera_see(&camera, up, camera.up);
    return camera;
}

void pli_camera_see(const pli_camera* camera, const double direction[3], double seen[3]) {
    for (int r = 0; r < 3; ++r) seen[r] = pli_dot(camera->axes[r], direction, 3);
}
