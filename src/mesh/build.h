// Filling a mesh without failing half-way: reserve room first, then put.
#ifndef PLI_MESH_BUILD_H
#define PLI_MESH_BUILD_H

#include "base/base.h"
#include "pliant/mesh.h"

// For public functions: that there is a mesh.
static inline pli_status pli_mesh_need(const pli_mesh* mesh, pli_error* error) {
    return mesh ? PLI_OK : pli_fail(error, PLI_E_ARGUMENT, "mesh is NULL");
}

// Room for so many more; fails if there is no memory or the sum is too large. The mesh does not
// change to the eye.
pli_status pli_mesh_reserve_vertices(pli_mesh* mesh, int64_t count, pli_error* error);
pli_status pli_mesh_reserve_elements(pli_mesh* mesh, pli_element_kind kind, int64_t count,
                                     pli_error* error);

// Puts one where room was reserved.
void pli_mesh_put_vertex(pli_mesh* mesh, double x, double y, double z);
void pli_mesh_put_element(pli_mesh* mesh, pli_element_kind kind, const int32_t* vertices);

#endif
