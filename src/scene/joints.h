// The key "joints": places of two bodies, or of a body and the world, that stay together.
#ifndef PLI_SCENE_JOINTS_H
#define PLI_SCENE_JOINTS_H

#include "pliant/joint.h"
#include "scene/shape.h"

// Finds bodies and vertices of all joints: builder->joints. Problems become findings. Fails only
// without memory.
pli_status pli_joints_find(pli_builder* builder, pli_error* error);

// Adds them to a world. `ids`: per body of the builder.
pli_status pli_joints_add(pli_builder* builder, pli_world* world, const pli_body_id* ids,
                          pli_error* error);

// Whether a joint connects a body of the builder.
bool pli_joints_connect(const pli_builder* builder, int body);

// The one target that a motor has.
const pli_expression* pli_joint_target(const pli_joint_motor_data* motor);

#endif
