// The state of a body at t = 0.
#ifndef PLI_SCENE_START_H
#define PLI_SCENE_START_H

#include "scene/shape.h"

// Fills `initial` and `velocities` of a shape whose mesh is placed and whose vertices are chosen.
// What is wrong becomes findings. Fails only without memory.
pli_status pli_set_start(pli_builder* builder, pli_shape_of_body* shape, const pli_path* at,
                         pli_error* error);

// The key that a finding about positions at t = 0 belongs to.
const char* pli_start_key(const pli_body_data* data);

#endif
