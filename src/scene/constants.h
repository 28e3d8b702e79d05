// The variables of a scene: numbers with names, for expressions.
//
//     "variables": { "r": 0.1, "gap": "2*r + 0.01" }
//
// An expression sees the variables before it in the text.
#ifndef PLI_SCENE_CONSTANTS_H
#define PLI_SCENE_CONSTANTS_H

#include "scene/reader.h"

// The key of the scene that has them.
#define PLI_VARIABLES_KEY "variables"

// Reads them from the scene. Invalid ones become findings.
pli_status pli_read_constants(const pli_scene_reader* reader, const json_t* scene,
                              pli_constants* out, pli_error* error);

#endif
