// From checked shapes to a world.
#ifndef PLI_SCENE_BUILD_H
#define PLI_SCENE_BUILD_H

#include "scene/mesh_kinds.h"
#include "scene/shape.h"

// Before anything is built: a finding if the world needs more memory than the machine has or the
// budget of the allocator allows.
pli_status pli_check_memory(pli_builder* builder, pli_error* error);

// These turn errors of the world into findings, and fail only without memory.

// Checks the def of a world.
pli_status pli_check_world_def(pli_builder* builder, const pli_world_def* def, pli_error* error);

// Creates the world of a scene without errors; *world is NULL if the world reports an error.
pli_status pli_world_from_scene(pli_builder* builder, const pli_world_def* def, pli_world** world,
                                pli_error* error);
pli_status pli_prepare_world(pli_builder* builder, pli_world* world, pli_error* error);

// Adds a body that appears later to the running world; errors stay errors.
pli_status pli_add_late_body(pli_builder* builder, pli_world* world, int body, pli_error* error);

// ---- the scene at t = 0

// The bodies of a scene at t = 0. The world is the one that runs; only if the scene has errors it
// is a world for surveys: sound bodies, rules of contact and nothing else.

enum { PLI_CROSSINGS_KEPT = 10000 };

typedef struct pli_initial_body {
    int shape;   // number in builder->bodies
    int body;    // of the scene: copies share it; obstacles are numbered after all bodies
    bool passes; // through half-spaces
    bool held; // it must not be moved: fixed, prescribed, an obstacle, or something depends on its
               // position
} pli_initial_body;

typedef struct pli_initial {
    pli_memory* memory;
    pli_world* world; // not prepared; NULL: it could not be made
    bool whole;       // it has the whole scene
    int body_count, room;
    pli_initial_body* bodies; // per body of the world
    int crossing_count;       // in total
    int kept_count;           // at most PLI_CROSSINGS_KEPT
    pli_crossing_info* crossings;
    int error_count; // errors about positions at t = 0
} pli_initial;

// Creates the world and finds the crossings. Errors become findings. Fails only without memory.
pli_status pli_initial_create(pli_builder* builder, const pli_world_def* def, pli_initial* initial,
                              pli_error* error);
void pli_initial_free(pli_initial* initial); // may be empty
// The world, for the caller to destroy; the rest is freed.
pli_world* pli_initial_take_world(pli_initial* initial);

#endif
