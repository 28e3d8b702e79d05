// The stage: the bodies of a scene as they stand at t = 0, with the rules of contact and nothing
// else. A world for looking, which can be made while other things in the scene are still wrong.
#ifndef PLI_SCENE_STAGE_H
#define PLI_SCENE_STAGE_H

#include "scene/shape.h"

enum { PLI_CROSSINGS_KEPT = 10000 };

typedef struct pli_stage_body {
    int shape; // number in builder->bodies
    int body;  // of the scene: copies share it; obstacles have numbers behind all bodies
    bool held; // it is fixed, prescribed or an obstacle, or where it is decides about more
} pli_stage_body;

typedef struct pli_stage {
    pli_memory* memory;
    pli_world* world; // NULL: there are no bodies that are sound
    int body_count, room;
    pli_stage_body* bodies; // per body of the world
    int crossing_count;     // in all
    int kept_count;         // at most PLI_CROSSINGS_KEPT
    pli_crossing_info* crossings;
    int error_count; // findings that are errors about how things lie at t = 0
} pli_stage;

// Puts all sound bodies on it and finds the crossings. `def`: dimension, contact, threads. Without
// a world if one refuses the bodies: the real one will say why. Fails only without memory.
pli_status pli_stage_create(pli_builder* builder, const pli_world_def* def, pli_stage* stage,
                            pli_error* error);
void pli_stage_free(pli_stage* stage); // an empty one is fine

#endif
