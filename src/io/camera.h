// From where pictures are taken: straight down on the plane of plane scenes; scenes in space from
// the right, the front and above, without perspective, so that lengths keep their scale.
#ifndef PLI_IO_CAMERA_H
#define PLI_IO_CAMERA_H

// Rows: right and up on the page, and towards the viewer; orthonormal, right-handed.
typedef struct pli_camera {
    double axes[3][3];
    double up[3]; // of the scene, as the camera sees it
} pli_camera;

// Up is opposite to gravity; without gravity, and always in the plane (dimension 2), it is y.
pli_camera pli_camera_for(int dimension, const double gravity[3]);

// A direction as the camera sees it: right, up, towards the viewer.
void pli_camera_see(const pli_camera* camera, const double direction[3], double seen[3]);

#endif
