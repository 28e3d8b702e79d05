// Checks against parameter rows; also used by the scene reader.
#ifndef PLI_ENERGY_PARAMS_H
#define PLI_ENERGY_PARAMS_H

#include "pliant/param.h"

// The row of that name, or NULL.
const pli_param* pli_param_find(const pli_param* params, int count, const char* name);

// The name closest to `name`, or NULL if none is close enough to be a typing error.
const char* pli_param_nearest(const pli_param* params, int count, const char* name);

#endif
