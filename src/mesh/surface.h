// Surfaces: the boundary of solids, the edges of triangles, what hangs together. Results depend on
// the mesh alone, never on the order of work.
#ifndef PLI_MESH_SURFACE_H
#define PLI_MESH_SURFACE_H

#include "base/memory.h"
#include "pliant/mesh.h"

// ---- boundary of tetrahedra

typedef struct pli_surface {
    pli_memory* memory;
    int triangle_count;
    int32_t* triangles; // 3 per triangle, counter-clockwise seen from outside
    int32_t* elements;  // the tetrahedron each belongs to
    int vertex_count;
    int32_t* vertices;    // of the triangles, ascending
    int crowded_faces;    // faces with three or more tetrahedra: the solid overlaps itself
    int overlapped_faces; // faces with two on the same side: it does so too
    int32_t first_crowded[3], first_overlapped[3]; // their vertices, -1: none
} pli_surface;

// The faces with one tetrahedron, sorted by their three lowest vertices. Of a quadratic tetrahedron
// each face is four triangles; its middles are vertices of the surface. `kind` is PLI_TETRAHEDRON
// or PLI_TETRAHEDRON10, `elements` has its vertices, below world_vertex_count. Zero-initialize or
// free `surface` before.
pli_status pli_surface_create(pli_memory* memory, int world_vertex_count, pli_element_kind kind,
                              int element_count, const int32_t* elements, pli_surface* surface,
                              pli_error* error);
void pli_surface_free(pli_surface* surface);

// ---- edges of triangles

typedef struct pli_edges {
    pli_memory* memory;
    int count;
    int32_t* vertices;  // 2 per edge, the lower first; sorted
    int32_t* triangles; // 2 per edge: the first two triangles at it, -1: none
    int32_t* use;       // number of triangles at it
    int8_t* turned;     // whether the first two triangles run along it in the same direction
} pli_edges;

pli_status pli_edges_create(pli_memory* memory, int world_vertex_count, int triangle_count,
                            const int32_t* triangles, pli_edges* edges, pli_error* error);
void pli_edges_free(pli_edges* edges);

// ---- what is wrong with a surface

typedef struct pli_surface_report {
    int edge_count;
    int open_edges;       // with one triangle
    int crowded_edges;    // with three or more
    int turned_edges;     // with two that run along it in the same direction
    int pinched_vertices; // whose triangles form more than one fan
    int component_count;  // triangles that hang together by edges
    int first_open[2];    // vertices of the first of each, -1: none
    int first_crowded[2];
    int first_turned[2];
    int first_pinched;
} pli_surface_report;

// A surface encloses a volume if it has triangles and no open, crowded or turned edges.
pli_status pli_surface_inspect(pli_memory* memory, int world_vertex_count, int triangle_count,
                               const int32_t* triangles, pli_surface_report* report,
                               pli_error* error);

// ---- what hangs together

// label[v] becomes the component of vertex v, numbered by their lowest vertices; -1 for a vertex
// without elements. *count gets how many there are.
pli_status pli_mesh_components(pli_memory* memory, const pli_mesh* mesh, int32_t* label, int* count,
                               pli_error* error);

#endif
