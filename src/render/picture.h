// Pictures of bodies, drawn on a raster one by one into the same memory: film strips in space and
// exported pictures. The owner chooses the visible part of the world.
#ifndef PLI_RENDER_PICTURE_H
#define PLI_RENDER_PICTURE_H

#include "render/camera.h"
#include "render/canvas.h"
#include "render/raster.h"
#include "result/result.h"

// An edge between triangles of a body; triangle indices are local to it; beyond[1] is -1 at a
// border.
typedef struct pli_picture_side {
    int32_t ends[2];   // shown vertices of the body, ascending
    int32_t beyond[2]; // triangles
    bool crease;       // sharp or open in the first frame
    bool turned;       // the triangles have opposite orientations
} pli_picture_side;

typedef struct pli_picture_body {
    int side_count;
    size_t side_room;
    pli_picture_side* sides;
    bool closed;   // no borders, and consistent orientation of all triangles
    bool folded;   // has sharp edges inside in the first frame
    double length; // mean edge length in the first frame [m]
    // Segments that are no edges of triangles, as in the body; and of each shown vertex the one or
    // two vertices that they join with it. {-1, -1}: none, or more than two.
    int thread_count;
    size_t thread_room, joint_room;
    int32_t* threads;
    int32_t (*joints)[2];
} pli_picture_body;

typedef struct pli_picture_size {
    int width, height; // [px], PLI_PICTURE_LEAST to PLI_RASTER_MOST
} pli_picture_size;
enum { PLI_PICTURE_LEAST = 16 };

typedef struct pli_picture {
    pli_memory* memory;
    const pli_result* result;
    pli_camera camera;
    // Set by the owner: points and planes in camera coordinates, 3 and 6 numbers each, and the
    // visible range.
    pli_canvas canvas;
    int body_count;
    pli_picture_body* bodies;
    double (*normals)[3]; // of the shown vertices of a body, in camera coordinates
    int normal_room;
    pli_raster raster;
    unsigned char* rgb; // the last picture drawn
    size_t rgb_size;
    // Colours by a field: a value from 0 to 1 per vertex (NaN: none); NULL: by body. Set by the
    // owner, as is the ramp. Obstacles keep their colour.
    const float* values;
    const float (*ramp)[3];
    // Material directors of rods in camera coordinates, 3 per vertex (0: none), for a line along
    // each tube that shows its twist; NULL: no lines. Set by the owner.
    const float* directors;
    double unit;  // width of a fine line [px]
    float* shade; // of pictures in space: scratch of pli_picture_shade
    size_t shade_room;
} pli_picture;

// The result must outlive the picture.
pli_status pli_picture_init(pli_picture* picture, pli_memory* memory, const pli_result* result,
                            const pli_camera* camera, pli_picture_size size, pli_error* error);
void pli_picture_free(pli_picture* picture); // zeroed is valid
// Call after the result has loaded the bodies of another epoch. On failure the picture can only be
// freed.
pli_status pli_picture_change(pli_picture* picture, pli_error* error);

// Before the first picture: finds the sharp edges at the points of the canvas.
void pli_picture_find_creases(pli_picture* picture);
// Draws the points of the canvas into picture->rgb: 3 bytes per pixel, row by row from the top.
void pli_picture_draw(pli_picture* picture);

static inline pli_image pli_picture_image(const pli_picture* picture) {
    return (pli_image){picture->rgb, picture->raster.width, picture->raster.height};
}

// ---- internals

// Kinds of paint on a sample.
enum {
    PLI_PICTURE_GROUND = 1,
    PLI_PICTURE_SHADOW,
    PLI_PICTURE_BODY,
    PLI_PICTURE_OBSTACLE,
    PLI_PICTURE_VEIL
};

pli_status pli_picture_find_sides(pli_picture* picture, pli_error* error); // of all bodies
// After the sides: threads and joints of a body.
pli_status pli_picture_find_threads(pli_picture* picture, int b, pli_error* error);

// "#rrggbb" as numbers from 0 to 255.
void pli_picture_colour(const char* text, float rgb[3]);
pli_paint pli_picture_paint(const char* dark, const char* light, int kind);
// Position in the picture of a point in camera coordinates [px].
void pli_picture_place(const pli_picture* picture, const float point[3], double at[3]);
// Normal of a triangle of a body in camera coordinates, of length 1 or 0.
void pli_picture_normal(const pli_picture* picture, const pli_result_body* body, int32_t t,
                        double n[3]);

// How a body is painted.
typedef struct pli_brush {
    pli_picture* picture;
    const pli_result_body* from;
    const pli_picture_body* body;
    pli_paint fill, side, edge; // faces; mesh edges; sharp edges and outlines
    pli_paint back;             // faces of a sheet from behind
    pli_paint rim;              // borders of a thick sheet
    pli_paint line;             // thin segments
    double radius;              // on the page, 0 if it looks like a line [px]
    double sheet;               // likewise of open sheets
} pli_brush;

static inline const float* pli_brush_point(const pli_brush* b, int32_t vertex) {
    return b->picture->canvas.points + 3 * (size_t)b->from->vertices[vertex];
}
static inline double pli_brush_value(const pli_brush* b, int32_t vertex) {
    return b->picture->values ? (double)b->picture->values[b->from->vertices[vertex]] : 0;
}
// How much larger than the radii above something there is, by perspective.
static inline double pli_brush_closer(const pli_brush* b, int32_t vertex) {
    return pli_canvas_closer(&b->picture->canvas, (double)pli_brush_point(b, vertex)[2]);
}
// Ambient occlusion and shadows on the bodies drawn so far.
pli_status pli_picture_make_shade(pli_picture* picture, pli_error* error);
void pli_picture_shade(pli_picture* picture);
// Threads, and the borders of a thick sheet, in space.
void pli_picture_draw_threads(const pli_brush* brush);
void pli_picture_draw_rims(const pli_brush* brush);

// A body in space, or in the plane.
void pli_picture_draw_body(pli_picture* picture, int b);
void pli_picture_draw_flat(pli_picture* picture, int b);
// Half-spaces in space whose surface is visible (`facing`), to be covered by bodies; or the others,
// through which bodies are visible. Shadows on the one below. Half-spaces in the plane.
void pli_picture_draw_grounds(pli_picture* picture, bool facing);
void pli_picture_draw_shadows(pli_picture* picture);
void pli_picture_draw_half_planes(pli_picture* picture);

#endif
