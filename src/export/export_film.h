// The pictures of a job, one after the other; for PNG and MP4.
#ifndef PLI_EXPORT_EXPORT_FILM_H
#define PLI_EXPORT_EXPORT_FILM_H

#include "export/export.h"
#include "render/caption.h"
#include "render/picture.h"
#include "result/result.h"

pli_picture_size pli_film_size_of(const pli_export_def* def); // default 1280 x 720

// The part of the world that the pictures show. Some frames are looked at first, so that all
// pictures show the same part; then the camera of each frame is set and its points are transformed
// to camera coordinates. The rule is that of camera.h, unless the scene has a camera.
typedef struct pli_framing {
    pli_picture* picture;
    pli_shot shot;
    pli_camera_place place; // the direction, where the shot has none
    double zoom;            // 1: everything fits
    const double* at;       // centre of the picture [m]; NULL: the middle of everything
    float *points, *planes; // of the canvas, in one block; relative to the origin [m]
    size_t size;            // of the block
    double origin[3];       // [m]
    int body_room;
    pli_frame_box* boxes; // of bodies, in camera coordinates or those of the world
    double* scratch;
    // from the first pass
    pli_frame_looks looks; // in camera coordinates of the first frame, less what is followed
    pli_frame_box start;
    double anchor[3]; // the middle of what is followed, in the first frame [m]
    double reserve;   // free at the right [px]
} pli_framing;

pli_status pli_framing_init(pli_framing* framing, pli_picture* picture, const pli_export_def* def,
                            pli_camera_place place, pli_error* error);
void pli_framing_free(pli_framing* framing); // zeroed is valid; before the picture
// Call after the result has loaded the bodies of another epoch.
pli_status pli_framing_change(pli_framing* framing, pli_error* error);
// At least one frame, beginning with the first frame of the result.
void pli_framing_look(pli_framing* framing, const pli_result_frame* frame);
// After the first pass; the last `reserve` pixels at the right are kept free.
void pli_framing_settle(pli_framing* framing, double reserve);
// The camera and the points of a frame, to be drawn.
void pli_framing_see(pli_framing* framing, const pli_result_frame* frame);

enum { PLI_FILM_LOOKS = 40 }; // frames of the first pass

typedef struct pli_film {
    pli_export_job* job;
    pli_picture picture; // picture.rgb is the last one drawn
    pli_framing framing;
    pli_result_frame frame;
    int epoch;                    // epoch of picture, framing and values
    double first_time, last_time; // of the job's frames [s]
    pli_caption caption;
    // colours by a field; NULL: by body
    const pli_field_info* field;
    pli_result_values source;
    double low, high;             // range of the colours
    double highs[PLI_FILM_LOOKS]; // of the frames of the first pass
    int high_count;
    float* values;  // of all vertices, 0 to 1
    double* sorted; // scratch of the first pass
    int room;       // capacity of both
    bool marked;    // frames have material directors of rods
    pli_result_values mark;
    float* directors; // 3 per vertex, in camera coordinates
    size_t director_room;
    float ramp[PLI_RAMP_COUNT][3];
} pli_film;

// Whether such pictures are possible.
pli_status pli_film_check(const pli_export_job* job, pli_error* error);

// Reads up to a few dozen frames, so that all pictures show the same part of the world; the job may
// be cancelled afterwards.
pli_status pli_film_begin(pli_film* film, pli_export_job* job, pli_error* error);
pli_status pli_film_draw(pli_film* film, int i, pli_error* error);
bool pli_film_go_on(pli_film* film, int done); // pictures written
void pli_film_end(pli_film* film);             // zeroed is valid

#endif
