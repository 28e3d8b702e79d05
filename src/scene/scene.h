// Inside the module: a scene with its stage, for pli_scene_separate.
#ifndef PLI_SCENE_SCENE_H
#define PLI_SCENE_SCENE_H

#include "pliant/scene.h"
#include "scene/stage.h"

// As pli_scene_create; keep_stage: the stage stays also if nothing is wrong with it.
pli_status pli_scene_open(const pli_scene_def* def, bool keep_stage, pli_scene** scene,
                          pli_error* error);
pli_stage* pli_scene_stage(pli_scene* scene); // its world is NULL if it was not kept

#endif
