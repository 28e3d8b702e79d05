// Elements that belong to nothing larger: triangles that are no face of a tetrahedron, segments that
// are no edge of a tetrahedron or triangle. Mesh files list the faces and edges of solids beside
// them; those are no sheets and threads.
#ifndef PLI_MESH_LOOSE_H
#define PLI_MESH_LOOSE_H

#include "mesh/skin.h"

// loose[i]: element i of this kind (segments, triangles of both kinds) is no part of an element of
// dimension `of` (2 triangles, 3 tetrahedra). Parts of quadratic elements are those between corners
// and the flat ones through their middles; quadratic triangles are compared by their corners.
pli_status pli_mark_loose(pli_memory* memory, const pli_skin_source* source, pli_element_kind kind,
                          int of, bool* loose, pli_error* error);

#endif
