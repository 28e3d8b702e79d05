// The stage: the bodies of a scene as they stand at t = 0. Its world is the one that runs. Only if
// something in the scene is wrong it is a world for looking: sound bodies, rules of contact and
// nothing else.
#ifndef PLI_SCENE_STAGE_H
#define PLI_SCENE_STAGE_H

#include "scene/shape.h"

enum { PLI_CROSSINGS_KEPT = 10000 };

typedef struct pli_stage_body {
    int shape;   // number in builder->bodies
    int body;    // of the scene: copies share it; obstacles have numbers behind all bodies
    bool passes; // through half-spaces
    bool held;   // it is fixed, prescribed or an obstacle, or where it is decides about more
} pli_stage_body;

typedef struct pli_stage {
    pli_memory* memory;
    pli_world* world; // not prepared; NULL: one refuses the bodies
    bool whole;       // it has everything of the scene
    int body_count, room;
    pli_stage_body* bodies; // per body of the world
    int crossing_count;     // in all
    int kept_count;         // at most PLI_CROSSINGS_KEPT
    pli_crossing_info* crossings;
    int error_count; // findings that are errors about how things lie at t = 0
} pli_stage;

// Makes the world and finds the crossings. What it refuses becomes findings. Fails only without
// memory.
pli_status pli_stage_create(pli_builder* builder, const pli_world_def* def, pli_stage* stage,
                            pli_error* error);
void pli_stage_free(pli_stage* stage); // an empty one is fine
// The world, for the caller to destroy; the stage is freed.
pli_world* pli_stage_take_world(pli_stage* stage);

#endif
