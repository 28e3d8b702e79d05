// Interface of conjugate gradients for other solvers in this folder.
#ifndef PLI_SPARSE_PCG_H
#define PLI_SPARSE_PCG_H

#include "sparse/linear.h"

// Sets the iteration cap, at least 1. `self` was created by pli_pcg.create.
void pli_pcg_limit(void* self, int max_iterations);

#endif
