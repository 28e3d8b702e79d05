// The border of a set of triangles as closed loops, and the edges inside it, each once. Pictures
// fill the loops: far fewer points than the triangles, and no hairlines between them.
#ifndef PLI_RENDER_OUTLINE_H
#define PLI_RENDER_OUTLINE_H

#include "base/memory.h"
#include "mesh/topology.h"

typedef struct pli_outline {
    pli_memory* memory;
    int loop_count;
    int* loop_start; // loop_count + 1 places in `loop_vertices`
    int32_t* loop_vertices;
    int edge_count;
    int32_t* edges; // 2 vertices per inner edge
    int capacity;   // directed edges of the triangles: room of all arrays
} pli_outline;

// Loops run as the triangles do (counter-clockwise around material) and are ordered by their
// smallest vertex. Sides of quadratic triangles go by their middles.
pli_status pli_outline_init(pli_outline* outline, pli_memory* memory, const pli_faces* faces,
                            pli_error* error);
void pli_outline_free(pli_outline* outline); // zeroed is fine

#endif
