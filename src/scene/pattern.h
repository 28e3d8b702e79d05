// The keys "pattern" and "pattern_map" of a body.
#ifndef PLI_SCENE_PATTERN_H
#define PLI_SCENE_PATTERN_H

#include "scene/shape.h"

// Fills shape->pattern, if the body has one, after its mesh was placed. `mirrored`: the placement
// has swapped corners of its triangles. Problems become findings. Fails only without memory.
pli_status pli_pattern_read(pli_builder* builder, pli_shape* shape, bool mirrored,
                            const pli_path* at, pli_error* error);

// With pattern_map: *flat gets u and v of each vertex, before the mesh is placed; NULL without.
pli_status pli_pattern_map(pli_builder* builder, const pli_shape* shape, double** flat,
                           pli_error* error);
// Fills shape->pattern from them after the mesh was placed, as pli_pattern_read does.
pli_status pli_pattern_take(pli_builder* builder, pli_shape* shape, const double* flat,
                            const pli_path* at, pli_error* error);

#endif
