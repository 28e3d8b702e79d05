// Drawing pictures of plane scenes as paths: the outline of triangles is found once.
#ifndef PLI_RENDER_PLANE_H
#define PLI_RENDER_PLANE_H

#include "base/memory.h"
#include "mesh/topology.h"
#include "render/canvas.h"

typedef struct pli_outline {
    pli_memory* memory;
    int loop_count;
    int* loop_start; // loop_count + 1 indices into `loop_vertices`
    int32_t* loop_vertices;
    int edge_count;
    int32_t* edges; // 2 vertices per inner edge
    int capacity;   // directed edges of the triangles: capacity of all arrays
} pli_outline;

// Loops have the orientation of the triangles (counter-clockwise around material) and are ordered
// by their smallest vertex. Edges of quadratic triangles pass through their mid-edge nodes.
pli_status pli_outline_init(pli_outline* outline, pli_memory* memory, const pli_elements* elements,
                            pli_error* error);
void pli_outline_free(pli_outline* outline); // zeroed is valid

// Mean lengths in the first picture, used for all pictures [px].
typedef struct pli_plane_style {
    double edge_length, segment_length;
} pli_plane_style;
pli_plane_style pli_plane_style_of(const pli_canvas* canvas, const pli_outline* outline);

void pli_plane_draw(const pli_canvas* canvas, const pli_outline* outline,
                    const pli_plane_style* style);

#endif
