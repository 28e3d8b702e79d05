// Two scenes as resolved, value by value.
#ifndef PLI_SCENE_COMPARE_H
#define PLI_SCENE_COMPARE_H

#include <jansson.h>

#include "base/base.h"
#include "pliant/scene.h"
#include "scene/path.h"

// Calls `found` for each difference of two texts, both JSON objects; *count is how many there are.
// PLI_E_SCENE: `before` is none. Where editors find the schema, and the description, do not count.
pli_status pli_compare_texts(const char* before, const char* now, pli_difference_fn* found,
                             void* context, int* count, pli_error* error);

#endif
