// What is drawn of a world or a result: triangles and segments, body after body.
#ifndef PLI_VIEWER_SURFACE_H
#define PLI_VIEWER_SURFACE_H

#include "pliant/pliant.h"

typedef struct pli_view_surface {
    int triangle_count, segment_count;
    int32_t* triangles; // 3 vertices each, counter-clockwise seen from outside
    int32_t* segments;  // 2 each
    int body_count;
    int* triangle_ends; // per body: its triangles end here and begin where those before it end
    int* segment_ends;
} pli_view_surface;

// False without memory; zero-initialize it before, free it in any case.
bool pli_view_surface_of_world(pli_view_surface* surface, pli_world* world);
bool pli_view_surface_of_result(pli_view_surface* surface, const pli_replay* result);
void pli_view_surface_free(pli_view_surface* surface);

#endif
