// Drawing one picture of a scene in space: faces, segments and points from far to near, so that
// what is nearer covers what is behind it.
#ifndef PLI_IO_SPACE_H
#define PLI_IO_SPACE_H

#include "io/camera.h"
#include "io/canvas.h"
#include "io/relief.h"

// One thing to draw.
typedef struct pli_item {
    pli_element_kind kind; // PLI_TRIANGLE: of the relief; PLI_SEGMENT, PLI_VERTEX: of the snapshot
    int32_t index;
    float depth;    // of its middle, towards the viewer [m]
    float from, to; // the part of a segment with thickness, 0 to 1; the same: its end there
} pli_item;

typedef struct pli_space {
    pli_memory* memory;
    pli_relief relief;
    int item_count, item_capacity;
    pli_item* items;
    double segment_length; // mean in the first picture; < 0: not known yet [px]
    int thick_count;       // things with thickness in the picture
} pli_space;

// Faces are merged until about `limit` of them are left.
pli_status pli_space_init(pli_space* space, pli_memory* memory, const pli_snapshot* snapshot,
                          int limit, pli_error* error);
void pli_space_free(pli_space* space); // zeroed is fine

// Finds what is seen in a picture, the farthest first: not the faces of solids that look away, nor
// what is not finite.
void pli_space_sort(pli_space* space, const pli_canvas* canvas);

void pli_space_draw(pli_space* space, const pli_canvas* canvas, const pli_camera* camera);

// Three arrows x, y, z in the lower left corner.
void pli_space_draw_axes(const pli_canvas* canvas, const pli_camera* camera);

#endif
