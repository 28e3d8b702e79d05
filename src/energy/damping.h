// Rayleigh damping as dissipation. R(v) = 1/2 v^T C v [W] enters the step as D(x) = R(v(x)) /
// (dv/dx) with v(x) = rate (x - x_still), so
//
//     D = (rate / 2) (x - x_still)^T C (x - x_still)    [J]
//
// and its gradient is C v for every scheme. C is positive semi-definite, so damping adds no energy.
#ifndef PLI_ENERGY_DAMPING_H
#define PLI_ENERGY_DAMPING_H

#include "energy/element_term.h"
#include "mesh/measure.h"

// C = beta K with the projected stiffness K of `elastic` at the start of each step; beta in [s].
// `elastic` has fixed stencils; the data it refers to must outlive the damping.
pli_status pli_stiffness_damping_create(pli_memory* memory, const pli_term* elastic, int dim,
                                        int vertex_count, double beta, pli_term* term,
                                        pli_error* error);

// C = alpha M with the lumped masses of the vertices of the domain; alpha in [1/s].
pli_status pli_mass_damping_create(pli_memory* memory, double alpha, const pli_domain* domain,
                                   pli_term* term, pli_error* error);

// C = alpha M with the consistent mass of the elements of `source`; alpha in [1/s].
pli_status pli_consistent_damping_create(pli_memory* memory, double alpha, const pli_lump* source,
                                         pli_term* term, pli_error* error);

#endif
