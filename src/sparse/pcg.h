// What other solvers of this folder may ask of conjugate gradients.
#ifndef PLI_SPARSE_PCG_H
#define PLI_SPARSE_PCG_H

#include "sparse/linear.h"

// A new iteration cap, at least 1. `self` was made by pli_pcg.create.
void pli_pcg_limit(void* self, int max_iterations);

#endif
