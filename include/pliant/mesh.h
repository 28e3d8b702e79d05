// Meshes: vertices and the elements that join them. A plain struct that owns its arrays.
#ifndef PLIANT_MESH_H
#define PLIANT_MESH_H

#include "pliant/base.h"
#include "pliant/energy.h"

#ifdef __cplusplus
extern "C" {
#endif

// Read it as you like; change it by the functions below. A function that fails leaves it as it was.
typedef struct pli_mesh {
    int vertex_count;
    double* positions;                         // 3 per vertex [m]
    int element_count[PLI_ELEMENT_KIND_COUNT]; // [PLI_VERTEX] stays 0: every vertex is one
    int32_t* elements[PLI_ELEMENT_KIND_COUNT]; // pli_element_size(kind) vertices per element
    int vertex_capacity;                       // room in `positions`
    int element_capacity[PLI_ELEMENT_KIND_COUNT];
    const pli_allocator* allocator; // NULL: malloc
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

// A disk of 6 rings^2 counter-clockwise triangles around the origin. Vertex 0 is the centre; ring k
// = 1 .. rings has 6 k vertices at radius k / rings, counter-clockwise from the x axis.
PLI_API pli_status pli_mesh_add_disk(pli_mesh* mesh, double radius, int rings, pli_error* error);

// A chain of segments from a to b, segments + 1 vertices.
PLI_API pli_status pli_mesh_add_line(pli_mesh* mesh, const double a[3], const double b[3],
                                     int segments, pli_error* error);

// Adds what a Wavefront OBJ file has: `v`, `f` (fans of triangles) and `l` (segments); other lines
// are skipped. PLI_E_IO: the file cannot be read. PLI_E_SCENE: it says something wrong; line and
// column are in the error and in its message. A file without vertices is wrong.
PLI_API pli_status pli_mesh_read_obj(pli_mesh* mesh, const char* path, pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
