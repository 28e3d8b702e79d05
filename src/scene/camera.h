// The section `camera`: how a scene wants to be seen.
#ifndef PLI_SCENE_CAMERA_H
#define PLI_SCENE_CAMERA_H

#include "scene/arena.h"
#include "scene/section.h"

typedef struct pli_camera_key_data {
    double time;          // [s]
    double from[3];       // [m]; NaN: that of the camera
    double to[3];         // likewise
    double field_of_view; // [degrees]; NaN: that of the camera
    double height;        // [m]; NaN: that of the camera
} pli_camera_key_data;

typedef struct pli_camera_data {
    double from[3];       // [m]; NaN: chosen by the program
    double to[3];         // likewise
    double field_of_view; // [degrees]
    double height;        // [m]; NaN: chosen
    const char* follow;   // "": nobody
    const char* projection;
    pli_list keys; // pli_camera_key_data
} pli_camera_data;

extern const pli_section pli_camera_section;

// Findings about values that do not fit together.
struct pli_builder;
pli_status pli_camera_check(struct pli_builder* builder, pli_error* error);

// The camera as JSON, which results keep and the viewer gets; NULL (no camera): "".
pli_status pli_camera_text(const pli_camera_data* camera, pli_arena* arena, const char** text,
                           pli_error* error);

#endif
