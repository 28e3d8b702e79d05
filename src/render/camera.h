// The camera, an orthographic projection: plane scenes straight from above; scenes in space from
// the right, the front and above.
#ifndef PLI_RENDER_CAMERA_H
#define PLI_RENDER_CAMERA_H

#include "base/base.h"

#include <jansson.h>

// Rows: right and up on the page, and towards the viewer; orthonormal, right-handed.
typedef struct pli_camera {
    double axes[3][3];
    double up[3]; // of the scene, as the camera sees it
} pli_camera;

// Degrees of the camera to the right of the front, and above it.
typedef struct pli_camera_place {
    double turn, rise;
    bool flat;  // without perspective: the named views
    bool given; // it was asked for
} pli_camera_place;
// "front", "left", "top", "iso" ..., or two numbers, "30,20"; NULL: the default of previews.
// PLI_E_ARGUMENT: neither.
pli_status pli_camera_place_of(const char* text, pli_camera_place* place, pli_error* error);

// How a scene wants to be seen: its section `camera`, which results carry as JSON.
typedef struct pli_view_point {
    double time;          // of a key [s]
    double from[3];       // the eye [m]; NaN: chosen by the program
    double to[3];         // the middle of the picture [m]; NaN: chosen
    double field_of_view; // vertical [degrees]
    double height;        // what a picture without perspective shows [m]; NaN: chosen
} pli_view_point;
enum { PLI_SHOT_KEYS = 64 };
typedef struct pli_shot {
    pli_view_point at; // without keys
    char follow[128];  // a body; "*": all that moves; "": nobody
    bool orthographic;
    int key_count;
    pli_view_point keys[PLI_SHOT_KEYS];
} pli_shot;
// `json` NULL: the default. PLI_E_SCENE: it is not a camera.
pli_status pli_shot_read(const json_t* json, pli_shot* shot, pli_error* error);
// Between two keys with s(u) = u^2 (3 - 2 u); before the first and after the last one these.
pli_view_point pli_shot_at(const pli_shot* shot, double time);

// Up is opposite to gravity; without gravity, and always in the plane (dimension 2), it is y.
pli_camera pli_camera_at(int dimension, const double gravity[3], pli_camera_place place);
// That of the shot at the time of `from`, or else in that place.
pli_camera pli_camera_toward(int dimension, const double gravity[3], const pli_view_point* from,
                             pli_camera_place place);
pli_camera pli_camera_for(int dimension, const double gravity[3]); // of previews

// A direction in camera coordinates: right, up, towards the viewer.
void pli_camera_see(const pli_camera* camera, const double direction[3], double seen[3]);

// ---- framing: which part of a scene a picture shows

// In any orthonormal coordinates. Empty: low[0] > high[0].
typedef struct pli_frame_box {
    double low[3], high[3]; // [m]
    bool obstacle;          // of a body: it does not move by itself
} pli_frame_box;

extern const pli_frame_box pli_frame_nothing;                                    // empty
void pli_frame_extend(pli_frame_box* box, const double point[3], double margin); // skips NaN
void pli_frame_join(pli_frame_box* box, const pli_frame_box* other);
double pli_frame_diagonal(const pli_frame_box* box); // 0 if it is empty

// What one look at a scene frames: what moves, so that one body that flies away does not turn the
// others into dots. The core is the half of the bodies that is nearest to the median of their
// middles. Each other body counts if it and the core have a diagonal of at most four times that of
// the core, or of twice that of the start; each obstacle, if the diagonal is at most doubled by it.
// Obstacles alone are framed as if they moved. `start`: the frame at the start of the run, may be
// empty; `scratch`: `count` numbers. The page of the viewer has the same rule in framing.js, and
// tests/render/framing.json numbers for both.
pli_frame_box pli_camera_frame(const pli_frame_box* bodies, int count, const pli_frame_box* start,
                               double* scratch);

// A common frame of many looks, which all bodies together may leave: at most ten times the largest
// look is shown, around the middle of the first. Zero-initialize it.
typedef struct pli_frame_looks {
    int count;
    pli_frame_box first, all;
    double extent; // of the largest look, along one axis [m]
} pli_frame_looks;
void pli_frame_looks_add(pli_frame_looks* looks, const pli_frame_box* look);
pli_frame_box pli_frame_looks_range(const pli_frame_looks* looks); // a point at 0 without any

#endif
