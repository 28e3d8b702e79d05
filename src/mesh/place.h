// Vertices at exactly the same place.
#ifndef PLI_MESH_PLACE_H
#define PLI_MESH_PLACE_H

#include "base/memory.h"

// partner[v] becomes the lowest vertex at the place of v, which is v itself where no lower one is
// there. x has 3 coordinates per vertex; in the plane (dim 2) the third plays no part.
pli_status pli_same_places(pli_memory* memory, int dim, int count, const double* x,
                           int32_t* partner, pli_error* error);

#endif
