// Points and segments with the thickness that they have in contact: balls and rods, shaded.
#ifndef PLI_RENDER_THICK_H
#define PLI_RENDER_THICK_H

#include "render/canvas.h"

enum { PLI_THICK_LAYERS = 9 };

typedef struct pli_thick {
    const pli_colour* colour;
    double radius; // [px]
    int layers;    // of the shading, from dark to bright; 2 to PLI_THICK_LAYERS
} pli_thick;

// The paths want round line caps of what is around them; a rod sets its own.
void pli_draw_ball(pli_file* file, pli_point at, const pli_thick* style);
// Without ends: a ball under each makes them round.
void pli_draw_rod(pli_file* file, pli_point from, pli_point to, const pli_thick* style);

// Thickness around a vertex on the page, 0 if it could not be told from a thin line [px].
static inline double pli_canvas_thickness(const pli_canvas* c, int32_t v) {
    const double seen = 1.5; // [px]
    const pli_snapshot* s = c->snapshot;
    double radius = s->body_thickness ? s->body_thickness[s->vertex_body[v]] * c->scale : 0;
    return radius > seen ? radius : 0;
}

#endif
