// Prescribed motion as scenes write it: by velocity, key points, formulas, or as a rigid body.
#ifndef PLI_SCENE_MOTION_H
#define PLI_SCENE_MOTION_H

#include "scene/field.h"

// Whether it turns or ends at a time, which velocity and travel cannot say.
bool pli_is_rigid(const pli_prescribe_data* data);

// The path of the i-th motion of a shape whose path is `at`; `list` is filled as a node above it.
pli_path pli_motion_path(const pli_shape_of_body* shape, const pli_path* at, int i, pli_path* list);

pli_rigid_motion pli_rigid_motion_of(const pli_shape_of_body* shape, const pli_prescribe_data* data,
                                     const pli_chosen* chosen);

// What is wrong with the motions and loads of a body: keys that do not go together or are not in
// order, values that are not finite.
pli_status pli_check_motions(pli_builder* builder, const pli_shape_of_body* shape,
                             const pli_path* at, pli_error* error);

#endif
