// Meshes: vertices and the elements that join them. A plain struct that owns its arrays.
#ifndef PLIANT_MESH_H
#define PLIANT_MESH_H

#include "pliant/base.h"
#include "pliant/energy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_mesh {
    int vertex_count;
    double* positions;                           // 3 per vertex [m]
    int element_count[PLI_ELEMENT_KIND_COUNT];   // [PLI_VERTEX] stays 0: every vertex is one
    int32_t* elements[PLI_ELEMENT_KIND_COUNT];   // kind + 1 vertices per element
    const pli_allocator* allocator;              // NULL: malloc
} pli_mesh;

// An empty mesh. `allocator` may be NULL; it must outlive the mesh.
PLI_API void pli_mesh_init(pli_mesh* mesh, const pli_allocator* allocator);
PLI_API void pli_mesh_free(pli_mesh* mesh);

// Adds vertices (3 coordinates each) or elements. `*first` (may be NULL) gets the first new number.
PLI_API pli_status pli_mesh_add_vertices(pli_mesh* mesh, int count, const double* positions,
                                         int* first, pli_error* error);
PLI_API pli_status pli_mesh_add_elements(pli_mesh* mesh, pli_element_kind kind, int count,
                                         const int32_t* vertices, pli_error* error);

// A rectangle of nx * ny cells centred at the origin, (nx + 1)(ny + 1) vertices; vertex (i, j) in
// column i and row j has the number i (ny + 1) + j.
typedef enum pli_rectangle_pattern {
    PLI_TRIANGLES, // two counter-clockwise triangles per cell, diagonals alternating
    PLI_SPRINGS,   // all sides and both diagonals of each cell as segments
} pli_rectangle_pattern;
PLI_API pli_status pli_mesh_add_rectangle(pli_mesh* mesh, double width, double height, int nx,
                                          int ny, pli_rectangle_pattern pattern, pli_error* error);

// A disk of triangles around the origin with `rings` rings of vertices around the centre.
PLI_API pli_status pli_mesh_add_disk(pli_mesh* mesh, double radius, int rings, pli_error* error);

// A chain of segments from a to b.
PLI_API pli_status pli_mesh_add_line(pli_mesh* mesh, const double a[3], const double b[3],
                                     int segments, pli_error* error);

// Reads Wavefront OBJ: `v`, `f` (fans of triangles) and `l` (segments); other lines are skipped.
// Errors carry line and column.
PLI_API pli_status pli_mesh_read_obj(pli_mesh* mesh, const char* path, pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
