// Consistent mass: integral of rho N_i N_j over each element, between all its vertices.
#ifndef PLI_KINEMATICS_CONSISTENT_H
#define PLI_KINEMATICS_CONSISTENT_H

#include "kinematics/kinematics.h"
#include "mesh/measure.h"

enum { PLI_MAX_ELEMENT_SIZE = 10 };

// The matrix of one element, n x n with n = pli_element_size(kind), for density times section 1.
// Exact also for quadratic elements with curved sides.
void pli_element_mass(int dim, pli_element_kind kind, const int32_t* vertices, const double* x,
                      double* M);

// Adds the masses of all elements of `sources`, one per kind, to the vertices and unknowns.
pli_status pli_kinematics_add_consistent(pli_kinematics* k, const pli_lump* sources, int count,
                                         pli_error* error);

#endif
