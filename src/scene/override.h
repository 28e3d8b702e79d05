// Values given on the command line: "bodies[0].density=5" changes the JSON tree before it is read.
#ifndef PLI_SCENE_OVERRIDE_H
#define PLI_SCENE_OVERRIDE_H

#include <jansson.h>

#include "base/base.h"

// Puts the value in its place; objects that are missing on the way are made. The value is JSON, or
// a text if it is not. `path` gets the part before '=' (size bytes at most).
// PLI_E_SCENE: what is wrong with the path, for example an index that is out of range.
pli_status pli_override_apply(json_t* root, const char* override, char* path, size_t size,
                              pli_error* error);

#endif
