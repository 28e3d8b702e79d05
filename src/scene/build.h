// From checked shapes to a world.
#ifndef PLI_SCENE_BUILD_H
#define PLI_SCENE_BUILD_H

#include "scene/mesh_kinds.h"
#include "scene/shape.h"

// Rough bytes that simulating so much will need.
double pli_estimate_memory(const pli_mesh_size* size, int dim);

// Before anything is built: a finding if the scene needs more memory than the machine has.
pli_status pli_check_memory(pli_builder* builder, pli_error* error);

// Makes and prepares the world. If it refuses something, that is a finding and *world is NULL.
// Fails only without memory.
pli_status pli_world_from_scene(pli_builder* builder, const pli_world_def* def, pli_world** world,
                                pli_error* error);

#endif
