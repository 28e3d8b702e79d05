// Checks that all generators share.
#ifndef PLI_MESH_GENERATE_H
#define PLI_MESH_GENERATE_H

#include "pliant/base.h"

// "box: size x = 0 m, must be > 0"
pli_status pli_check_size(const char* shape, const char* name, double value, pli_error* error);
// "box: nx = 0, must be >= 1"
pli_status pli_check_cells(const char* shape, const char* name, int value, pli_error* error);

#endif
