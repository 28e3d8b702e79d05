// What is drawn of a world: triangles and segments, body after body.
#ifndef PLI_APP_VIEW_SURFACE_H
#define PLI_APP_VIEW_SURFACE_H

#include "pliant/pliant.h"

// In space the boundary of a body's tetrahedra, or its triangles if it has none; in the plane all
// triangles. Quadratic ones are four flat ones each.
typedef struct pli_view_surface {
    int triangle_count, segment_count;
    uint32_t* triangles; // 3 each, counter-clockwise seen from outside
    uint32_t* segments;  // 2 each
    int body_count;
    int* triangle_ends; // per body: its triangles end here and begin where those before it end
    int* segment_ends;
} pli_view_surface;

// False without memory; zero-initialize it before, free it in any case.
bool pli_view_surface_init(pli_view_surface* surface, const pli_world* world);
void pli_view_surface_free(pli_view_surface* surface);

#endif
