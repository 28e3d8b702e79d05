// The key "stencils": an energy between vertices of two bodies or of one, for example springs, seams.
#ifndef PLI_SCENE_STENCILS_H
#define PLI_SCENE_STENCILS_H

#include "scene/shape.h"

// Selects and pairs the vertices of all stencils into builder->stencils. Problems become findings.
// Fails only without memory.
pli_status pli_stencils_pair(pli_builder* builder, pli_error* error);

// chains.c: pairs vertices in the order along two boundaries, each an open or closed chain of edges, in
// the direction and from the start that make them nearest. Problems become findings.
pli_status pli_pair_along(pli_builder* builder, const pli_shape* const shapes[2],
                          const pli_chosen chosen[2], const pli_path* at, pli_stencil_pairs* out,
                          pli_error* error);

// Adds them to a world, after the energies of all bodies. `ids`: per body of the builder.
pli_status pli_stencils_add(pli_builder* builder, pli_world* world, const pli_body_id* ids,
                            pli_error* error);

// Whether stencils connect a body of the builder.
bool pli_stencils_connect(const pli_builder* builder, int body);

#endif
