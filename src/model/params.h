// Parameter rows of the public defs, and functions on any rows. Defaults, ranges, scene keys, help
// and schema come from here.
#ifndef PLI_MODEL_PARAMS_H
#define PLI_MODEL_PARAMS_H

#include "pliant/param.h"
#include "pliant/world.h"

extern const pli_params pli_world_params;      // of pli_world_def: dimension, gravity, thickness
extern const pli_params pli_solver_params;     // of pli_solver_def
extern const pli_params pli_contact_params;    // of pli_contact_def
extern const pli_params pli_body_params;       // of pli_body_def
extern const pli_params pli_prescribe_params;  // of pli_prescribe_def
extern const pli_params pli_load_params;       // of pli_load_def
extern const pli_params pli_half_space_params; // of pli_half_space_def

// Checks every row of a struct against its range or words; `what` names the object in the message:
// "solver: tolerance = -1 m/s, must be > 0". Words are replaced by the strings of the tables.
pli_status pli_params_check(const pli_params* params, void* values, const char* what,
                            pli_error* error);

#endif
