// A potential in the averaged vector field scheme. Its force is the mean over the straight path
// from the start x_n of a step to its end x,
//
//     integral over s in 0 .. 1 of grad P(x_n + s (x - x_n)),
//
// the gradient of integral [P(x_n + s (x - x_n)) - P(x_n)] / s. Its work along the path is exactly
// the change of P. Two Gauss points are exact for P up to degree 4 [Quispel08]:
//
//     sum_i (w_i / s_i) P(x_i),   gradient sum_i w_i grad P(x_i),   Hessian sum_i w_i s_i H(x_i)
//
// with x_i = x_n + s_i (x - x_n); the constant P(x_n) is left out.
#ifndef PLI_ENERGY_AVERAGED_H
#define PLI_ENERGY_AVERAGED_H

#include "base/memory.h"
#include "energy/term.h"

// Shared by all averaged terms of a world; must outlive them.
typedef struct pli_averaging {
    bool on;           // false: the terms behave like the terms they wrap
    int vertex_count;  // of x_n
    const double* x_n; // 3 per vertex [m]
    double* middle;    // work space, 3 per vertex: where lagged quantities are frozen
} pli_averaging;

// Does averaging change this term? Not if it is linear or a function of the motion.
bool pli_averages(const pli_term* inner);

// `inner` has fixed stencils and must outlive the term.
pli_status pli_averaged_term_create(pli_memory* memory, const pli_averaging* averaging,
                                    const pli_term* inner, pli_term* term, pli_error* error);

#endif
