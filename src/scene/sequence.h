// Motion by a sequence of mesh files: where each vertex is at certain times.
#ifndef PLI_SCENE_SEQUENCE_H
#define PLI_SCENE_SEQUENCE_H

#include "scene/shape.h"

// Reads the files of shape->prescribe[i], whose shape stands at its start. What is wrong becomes
// findings below `at`, the path of the motion; *out is then empty.
pli_status pli_sequence_read(pli_builder* builder, const pli_shape_of_body* shape, int i,
                             const pli_path* at, pli_motion_keys* out, pli_error* error);

#endif
