// The camera, an orthographic projection: plane scenes straight from above; scenes in space from
// the right, the front and above.
#ifndef PLI_RENDER_CAMERA_H
#define PLI_RENDER_CAMERA_H

#include "base/base.h"

// Rows: right and up on the page, and towards the viewer; orthonormal, right-handed.
typedef struct pli_camera {
    double axes[3][3];
    double up[3]; // of the scene, as the camera sees it
} pli_camera;

// Degrees of the camera to the right of the front, and above it.
typedef struct pli_camera_place {
    double turn, rise;
} pli_camera_place;
// "front", "left", "top" ..., or two numbers, "30,20"; NULL: the default of previews.
// PLI_E_ARGUMENT: neither.
pli_status pli_camera_place_of(const char* text, pli_camera_place* place, pli_error* error);

// Up is opposite to gravity; without gravity, and always in the plane (dimension 2), it is y.
pli_camera pli_camera_at(int dimension, const double gravity[3], pli_camera_place place);
pli_camera pli_camera_for(int dimension, const double gravity[3]); // of previews

// A direction in camera coordinates: right, up, towards the viewer.
void pli_camera_see(const pli_camera* camera, const double direction[3], double seen[3]);

#endif
