// From checked shapes to a world.
#ifndef PLI_SCENE_BUILD_H
#define PLI_SCENE_BUILD_H

#include "scene/mesh_kinds.h"
#include "scene/shape.h"

// Before anything is built: a finding if the world needs more memory than the machine has, or than the
// budget of the allocator allows.
pli_status pli_check_memory(pli_builder* builder, pli_error* error);

// Makes and prepares the world. If it refuses something, that is a finding and *world is NULL.
// Fails only without memory.
pli_status pli_world_from_scene(pli_builder* builder, const pli_world_def* def, pli_world** world,
                                pli_error* error);

#endif
