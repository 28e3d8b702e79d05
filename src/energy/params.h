// Checks against parameter rows; the scene reader uses them too.
#ifndef PLI_ENERGY_PARAMS_H
#define PLI_ENERGY_PARAMS_H

#include "pliant/param.h"

// The row of that name, or NULL.
const pli_param* pli_param_find(const pli_param* params, int count, const char* name);

// The name most like `name`, or NULL if none is near enough to be a slip of the fingers.
const char* pli_param_nearest(const pli_param* params, int count, const char* name);

#endif
