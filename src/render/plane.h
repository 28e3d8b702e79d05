// Drawing one picture of a plane scene.
#ifndef PLI_RENDER_PLANE_H
#define PLI_RENDER_PLANE_H

#include "render/canvas.h"
#include "render/outline.h"

// Mean lengths in the first picture, so that all pictures are drawn alike [px].
typedef struct pli_plane_style {
    double edge_length, segment_length;
} pli_plane_style;
pli_plane_style pli_plane_style_of(const pli_canvas* canvas, const pli_outline* outline);

void pli_plane_draw(const pli_canvas* canvas, const pli_outline* outline,
                    const pli_plane_style* style);

#endif
