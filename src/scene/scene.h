// Inside the module: the scene object for its other files.
#ifndef PLI_SCENE_SCENE_H
#define PLI_SCENE_SCENE_H

#include "base/memory.h"
#include "pliant/scene.h"
#include "scene/build.h"
#include "scene/tables.h"

// As pli_scene_create; keep_initial: keeps the initial state, without a prepared world.
pli_status pli_scene_open(const pli_scene_def* def, bool keep_initial, pli_scene** scene,
                          pli_error* error);
pli_initial* pli_scene_initial(pli_scene* scene); // its world is NULL if it was not kept

enum { PLI_PARAMETERS_KEPT = 400 }; // the first ones of a scene with thousands of bodies

typedef struct pli_parameters {
    pli_memory* memory;
    int count, capacity;
    pli_scene_parameter* items;
} pli_parameters;

// Zero-initialize but for `memory`.
pli_status pli_parameters_collect(pli_parameters* list, const pli_catalog* catalog,
                                  const pli_scene_data* scene, pli_error* error);
void pli_parameters_free(pli_parameters* list);

#endif
