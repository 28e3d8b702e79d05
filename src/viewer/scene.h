// The messages that describe a scene to browsers.
#ifndef PLI_VIEWER_SCENE_H
#define PLI_VIEWER_SCENE_H

#include "viewer/viewer.h"

// Everything but positions, of a scene without errors. NULL without memory.
pli_view_model* pli_view_model_of(pli_scene* scene, uint32_t generation);

// The same of a result, into a model that knows its fields. False without memory.
bool pli_view_describe_result(pli_view_model* model, const pli_replay* result,
                              const char* const* energies, int energy_count);

// "gravity[1]" names a component of the vector "gravity". Returns the parameter and, of a vector,
// the component (else -1); NULL if there is none.
const pli_scene_parameter* pli_view_find_parameter(const pli_scene* scene, const char* path,
                                                   int* component);

#endif
