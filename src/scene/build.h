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

// ---- the scene at t = 0

enum { PLI_CROSSINGS_KEPT = 10000 };

typedef struct pli_initial_body {
    int shape;   // number in builder->bodies
    int body;    // of the scene: copies share it; obstacles have numbers behind all bodies
    bool passes; // through half-spaces
    bool held;   // it is fixed, prescribed or an obstacle, or where it is decides about more
} pli_initial_body;

typedef struct pli_initial {
    pli_memory* memory;
    pli_world* world; // not prepared; NULL: one refuses the bodies
    bool whole;       // it has everything of the scene
    int body_count, room;
    pli_initial_body* bodies; // per body of the world
    int crossing_count;       // in all
    int kept_count;           // at most PLI_CROSSINGS_KEPT
    pli_crossing_info* crossings;
    int error_count; // findings that are errors about how things lie at t = 0
} pli_initial;

// Makes the world and finds the crossings. What it refuses becomes findings. Fails only without
// memory.
pli_status pli_initial_create(pli_builder* builder, const pli_world_def* def, pli_initial* initial,
                              pli_error* error);
void pli_initial_free(pli_initial* initial); // an empty one is fine
// The world, for the caller to destroy; the rest is freed.
pli_world* pli_initial_take_world(pli_initial* initial);

#endif
