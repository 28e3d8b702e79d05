// Building meshes without partial failure: reserve room first, then add.
#ifndef PLI_MESH_BUILD_H
#define PLI_MESH_BUILD_H

#include "base/base.h"
#include "base/memory.h"
#include "pliant/mesh.h"

// For public functions: fails if the mesh is NULL.
static inline pli_status pli_mesh_need(const pli_mesh* mesh, pli_error* error) {
    return mesh ? PLI_OK : pli_fail(error, PLI_E_ARGUMENT, "mesh is NULL");
}

// Room for `count` more; fails if there is no memory or the sum is too large. The visible
// mesh does not change.
pli_status pli_mesh_reserve_vertices(pli_mesh* mesh, int64_t count, pli_error* error);
pli_status pli_mesh_reserve_elements(pli_mesh* mesh, pli_element_kind kind, int64_t count,
                                     pli_error* error);

// Adds one; room must be reserved.
void pli_mesh_put_vertex(pli_mesh* mesh, double x, double y, double z);
void pli_mesh_put_element(pli_mesh* mesh, pli_element_kind kind, const int32_t* vertices);

// ---- groups
//
// Reserve room first, then add.

// A planned group: name, dimension, number of vertices to add.
typedef struct pli_group_plan {
    const char* name;
    int dim;
    int64_t count;
    int group; // out: its index in the mesh
} pli_group_plan;

// Creates missing groups and reserves room in all of them. On failure nothing has changed.
pli_status pli_mesh_reserve_groups(pli_mesh* mesh, pli_group_plan* plans, int count,
                                   pli_error* error);

// Adds a vertex; room must be reserved, and the vertex must be higher than those in the group.
void pli_mesh_put_in_group(pli_mesh* mesh, int group, int32_t vertex);

// Adds the last vertex of the mesh to the planned groups for which `on` is true.
void pli_mesh_put_on_sides(pli_mesh* mesh, const pli_group_plan* plans, int count, const bool* on);

// Truncates to this many groups and removes vertices that the mesh no longer has.
void pli_mesh_cut_groups(pli_mesh* mesh, int group_count);

// Whether the group has the vertex.
bool pli_group_has(const pli_mesh_group* group, int32_t vertex);

// ---- source
//
// Information about a mesh read from a file: notes of the reader, and the positions of vertices and
// elements in the file.

typedef struct pli_mesh_source {
    int note_count, note_capacity;
    char** notes;
    // Places by kind (vertices under PLI_VERTEX), as returned by pli_scan_place; 0: unknown. May be
    // shorter than the mesh's lists.
    int place_count[PLI_ELEMENT_KIND_COUNT];
    int place_capacity[PLI_ELEMENT_KIND_COUNT];
    int32_t* places[PLI_ELEMENT_KIND_COUNT];
} pli_mesh_source;

// Creates mesh->source if it is NULL.
pli_status pli_mesh_source_create(pli_mesh* mesh, pli_error* error);
void pli_mesh_source_destroy(pli_mesh* mesh);

// The place of vertex or element number `index`.
pli_status pli_mesh_source_put(pli_mesh* mesh, pli_element_kind kind, int index, int32_t place,
                               pli_error* error);
pli_status pli_mesh_source_note(pli_mesh* mesh, pli_error* error, const char* format, ...)
    PLI_PRINTF(3, 4);
// Truncates to this many notes and removes places of items that the mesh no longer has.
void pli_mesh_source_cut(pli_mesh* mesh, int note_count);

// ---- coincident vertices

// partner[v]: the lowest vertex with exactly the coordinates of v, which may be v itself. x has 3
// coordinates per vertex; in the plane (dim 2) the third is ignored.
pli_status pli_same_places(pli_memory* memory, int dim, int count, const double* x,
                           int32_t* partner, pli_error* error);

// ---- checks of generators

// "box: size x = 0 m, must be > 0"
pli_status pli_check_size(const char* shape, const char* name, double value, pli_error* error);
// "box: nx = 0, must be >= 1"
pli_status pli_check_cells(const char* shape, const char* name, int value, pli_error* error);

#endif
