// Inside the module: what of a scene can be changed while it runs, collected after it has been
// read.
#ifndef PLI_SCENE_PARAMETERS_H
#define PLI_SCENE_PARAMETERS_H

#include "base/memory.h"
#include "pliant/scene.h"
#include "scene/tables.h"

enum { PLI_PARAMETERS_KEPT = 400 }; // of a scene with thousands of bodies the first

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
