// The key "pattern" of a body.
#ifndef PLI_SCENE_PATTERN_H
#define PLI_SCENE_PATTERN_H

#include "scene/shape.h"

// Fills shape->pattern, if the body has one, after its mesh was placed. `mirrored`: the placement
// has swapped corners of its triangles. Problems become findings. Fails only without memory.
pli_status pli_pattern_read(pli_builder* builder, pli_shape* shape, bool mirrored,
                            const pli_path* at, pli_error* error);

#endif
