// Drawing one picture of a scene in space: faces, segments and points from far to near, so that
// what is nearer covers what is behind it. Obstacles that would hide bodies let them shine through.
#ifndef PLI_RENDER_SPACE_H
#define PLI_RENDER_SPACE_H

#include "render/camera.h"
#include "render/canvas.h"
#include "render/order.h"
#include "result/relief.h"

enum { PLI_SHADES = 24 };

// One thing to draw.
typedef struct pli_item {
    pli_element_kind kind; // PLI_TRIANGLE: of the relief; PLI_SEGMENT, PLI_VERTEX: of the snapshot
    int32_t index;
    float depth;    // of its middle, towards the viewer [m]
    float from, to; // the part of a segment with thickness, 0 to 1; the same: its end there
    int32_t body;
    bool back; // the side of a sheet that looks away
    bool veil; // of an obstacle that something shines through
    int style; // those of one style are drawn alike; the rest by PLI_SHADES is the shade of a face
    int after; // the last item drawn before that this one covers; -1: none
} pli_item;

typedef struct pli_space {
    pli_memory* memory;
    pli_relief relief;
    int item_count, item_capacity;
    pli_item *items, *sorted; // as they are drawn; scratch
    pli_order order;
    int body_count;
    // In all pictures that were looked at [px^2]: the area of bodies, and, 2 per body, how much of
    // it the front and the back sides of obstacles cover.
    double shown, *hidden;
    double segment_length; // mean in the first picture; < 0: not known yet [px]
    int thick_count;       // things with thickness in the picture
} pli_space;

// Faces are merged until about `limit` of them are left.
pli_status pli_space_init(pli_space* space, pli_memory* memory, const pli_snapshot* snapshot,
                          int limit, pli_error* error);
void pli_space_free(pli_space* space); // zeroed is fine

// Finds what is seen in a picture, in the order of drawing: not the faces of solids that look away,
// nor what is not finite.
void pli_space_sort(pli_space* space, const pli_canvas* canvas);

// Before any is drawn, at every picture: finds the obstacles that hide bodies. So each looks the
// same in all pictures.
void pli_space_look(pli_space* space, const pli_canvas* canvas);

// Normal of a face as the camera sees it; its third number is positive if it looks at the viewer.
void pli_relief_normal(const pli_relief* relief, const pli_canvas* canvas, int32_t t, double n[3]);
bool pli_relief_seen(const pli_relief* relief, const pli_canvas* canvas, int32_t t);

void pli_space_draw(pli_space* space, const pli_canvas* canvas, const pli_camera* camera);

// Three arrows x, y, z in the lower left corner.
void pli_space_draw_axes(const pli_canvas* canvas, const pli_camera* camera);

#endif
