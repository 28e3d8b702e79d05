// From checked shapes to a world.
#ifndef PLI_SCENE_BUILD_H
#define PLI_SCENE_BUILD_H

#include "scene/mesh_kinds.h"
#include "scene/shape.h"

// Before anything is built: a finding if the world needs more memory than the machine has, or than
// the budget of the allocator allows.
pli_status pli_check_memory(pli_builder* builder, pli_error* error);

// These turn what a world refuses into findings, and fail only without memory.

// Whether there can be a world with this def.
pli_status pli_check_world_def(pli_builder* builder, const pli_world_def* def, pli_error* error);

// Makes a world with everything in it, if the scene has no errors; *world is NULL if it refuses
// something.
pli_status pli_world_from_scene(pli_builder* builder, const pli_world_def* def, pli_world** world,
                                pli_error* error);
pli_status pli_prepare_world(pli_builder* builder, pli_world* world, pli_error* error);

#endif
