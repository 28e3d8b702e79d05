// Pictures of the frames of a result, rendered with the view, the colours and the light of the
// previews. First every frame (or some of them) is looked at, so that all pictures show the same
// part of the world; then they are drawn one by one into the same memory.
#ifndef PLI_RENDER_PICTURE_H
#define PLI_RENDER_PICTURE_H

#include "render/camera.h"
#include "render/canvas.h"
#include "render/raster.h"
#include "result/result.h"

// A side between triangles of a body, which count its triangles; beyond[1] is -1 at a border.
typedef struct pli_picture_side {
    int32_t ends[2];   // shown vertices of the body, ascending
    int32_t beyond[2]; // triangles
    bool crease;       // sharp or open in the first frame
    bool turned;       // the triangles look to opposite sides
} pli_picture_side;

typedef struct pli_picture_body {
    int side_count;
    size_t side_room;
    pli_picture_side* sides;
    bool closed;   // no borders, and all triangles look outside or all inside
    double length; // mean of the sides in the first frame [m]
} pli_picture_body;

// What the pictures are to be.
typedef struct pli_picture_def {
    int width, height;      // [px]
    pli_camera_place place; // in space
    double zoom;            // 1: everything fits
    const double* at;       // what is in the middle of the picture [m]; NULL: the middle of all
    double reserve;         // at the right, where nothing is meant to be [px]
} pli_picture_def;

typedef struct pli_picture {
    pli_memory* memory;
    const pli_result* result;
    pli_picture_def def;
    pli_camera camera;
    pli_canvas canvas; // points and planes as the camera sees them, 3 and 6 numbers each
    float* points;     // of all vertices, from the origin [m]
    float* planes;
    double origin[3]; // [m]
    pli_picture_body* bodies;
    double (*normals)[3]; // of the shown vertices of a body, as the camera sees them
    int normal_room;
    pli_raster raster;
    unsigned char* rgb; // the picture drawn last
    // Colours by a field: a value from 0 to 1 per vertex (NaN: none); NULL: by body. Set by the
    // owner, as is the ramp. Obstacles keep their colour.
    const float* values;
    const float (*ramp)[3];
    double unit; // width of a fine line [px]
    // what was looked at
    int look_count;
    double low[3], high[3], middle[2], size; // box; middle of the first; largest of one frame [m]
} pli_picture;

enum { PLI_PICTURE_LEAST = 16 }; // of width and height [px]; at most PLI_RASTER_MOST

// The result must live as long.
pli_status pli_picture_init(pli_picture* picture, pli_memory* memory, const pli_result* result,
                            const pli_picture_def* def, pli_error* error);
void pli_picture_free(pli_picture* picture); // zeroed is fine

// At least one frame, the first one of the result first.
void pli_picture_look(pli_picture* picture, const pli_result_frame* frame);
// After all looking: chooses what the pictures show.
void pli_picture_settle(pli_picture* picture);
// Draws a frame into picture->rgb: 3 bytes per pixel, row by row from the top.
void pli_picture_draw(pli_picture* picture, const pli_result_frame* frame);

// ---- parts of the above

// What was painted on a sample.
enum {
    PLI_PICTURE_GROUND = 1,
    PLI_PICTURE_SHADOW,
    PLI_PICTURE_BODY,
    PLI_PICTURE_OBSTACLE,
    PLI_PICTURE_VEIL
};

// Sides of all bodies, and where they are sharp, by picture->points.
pli_status pli_picture_find_sides(pli_picture* picture, pli_error* error);
void pli_picture_find_creases(pli_picture* picture);

// "#rrggbb" as numbers from 0 to 255.
void pli_picture_colour(const char* text, float rgb[3]);
pli_paint pli_picture_paint(const char* dark, const char* light, int kind);
// Where a point that the camera sees is in the picture [px].
void pli_picture_place(const pli_picture* picture, const float point[3], double at[3]);
// Normal of a triangle of a body, as the camera sees it, of length 1 or 0.
void pli_picture_normal(const pli_picture* picture, const pli_result_body* body, int32_t t,
                        double n[3]);

// A body in space, or in the plane.
void pli_picture_draw_body(pli_picture* picture, int b);
void pli_picture_draw_flat(pli_picture* picture, int b);

#endif
