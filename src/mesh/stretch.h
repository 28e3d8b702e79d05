// Principal stretches of elements, from positions alone.
#ifndef PLI_MESH_STRETCH_H
#define PLI_MESH_STRETCH_H

#include "pliant/energy.h"

// Singular values of the deformation gradient in the middle of an element: as many as it has
// dimensions, the largest first; then 1. If the element fills space (triangles with dim 2,
// tetrahedra), the last of them is negative where it is turned over. All 1 if the element has no
// size at rest, or is a vertex.
void pli_element_stretches(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* rest, const double* x, double stretches[3]);

#endif
