// Hessians of elements that hardly changed since they were evaluated. They are kept from one
// iteration of a step to the next.
//
// The edges of a linear element are the columns of D. If they become D', the element has rotated
// and stretched by D' D^-1 - I, and its Hessian, of norm k, has changed by about k |D' D^-1 - I|.
// Let m be the vertex mass that belongs to this element alone, and inertia m what the scheme adds
// to the matrix for it. A Hessian is kept while
//     k |D' D^-1 - I| <= part * inertia m
// Summed over the elements, the matrix error is then at most `part` of its inertia, and so of the
// matrix itself. Newton's method loses at most that fraction of its progress, however stiff the
// material is. Stiff elements are always evaluated, and so is everything in statics.
#ifndef PLI_ENERGY_KEPT_H
#define PLI_ENERGY_KEPT_H

#include "base/memory.h"
#include "energy/term.h"

// Elements that are kept or evaluated together.
enum { PLI_KEPT_RUN = 8 };

// For the stencils of one term; all NULL for terms that keep nothing.
typedef struct pli_kept {
    int dim, count;  // of stencils
    double* inverse; // dim x dim per stencil: D^-1 at its evaluation
    double* slack;   // per stencil: m / k, 0: never kept [s^2]
    uint8_t* fresh;  // per run: evaluated by the last call
} pli_kept;

// Allocates for the stencils of a term; allocates nothing if it cannot keep Hessians. Linear
// elements with `blocks` can.
pli_status pli_kept_init(pli_kept* kept, pli_memory* memory, const pli_term* term, int dim,
                         pli_error* error);
void pli_kept_free(pli_kept* kept, pli_memory* memory);

// Can all stencils of a run, from `first` on, be kept? `bound`: part * inertia [1/s^2].
bool pli_kept_holds(const pli_kept* kept, int first, const pli_batch* run, double bound);

// Records a run whose blocks H (`packed` numbers each) were evaluated. `share`: mass of each vertex
// divided by the number of stencils at it; < 0: it never moves [kg].
void pli_kept_note(const pli_kept* kept, int first, const pli_batch* run, const double* H,
                   const double* share);

#endif
