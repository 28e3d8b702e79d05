// The outline of a set of triangles.
#ifndef PLI_MESH_TOPOLOGY_H
#define PLI_MESH_TOPOLOGY_H

#include "base/memory.h"

typedef struct pli_boundary {
    pli_memory* memory;
    int segment_count;
    int32_t* segments; // 2 per segment
    int vertex_count;
    int32_t* vertices;
} pli_boundary;

// Triangles of both kinds, vertex numbers below that of the world.
typedef struct pli_faces {
    int triangle_count, quadratic_count;
    const int32_t* triangles;  // 3 per triangle
    const int32_t* quadratics; // 6 per triangle with middle nodes, as PLI_TRIANGLE6
} pli_faces;

// The edges that belong to exactly one triangle, directed as in that triangle and sorted by first,
// then second vertex; and their vertices, ascending. An edge with a middle node is two segments.
// Zero-initialize or free `boundary` before.
pli_status pli_boundary_of_faces(pli_memory* memory, int world_vertex_count, const pli_faces* faces,
                                 pli_boundary* boundary, pli_error* error);

// The same for linear triangles alone.
pli_status pli_boundary_create(pli_memory* memory, int world_vertex_count, int triangle_count,
                               const int32_t* triangles, pli_boundary* boundary, pli_error* error);
void pli_boundary_free(pli_boundary* boundary);

// length[v] += half the length of each boundary segment at v [m]. `length` has an entry and x has 3
// for each vertex of the world.
void pli_boundary_lengths(const pli_boundary* boundary, int dim, const double* x, double* length);

#endif
