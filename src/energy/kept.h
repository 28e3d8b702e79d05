// Hessians of elements that have hardly changed since they were evaluated, and are therefore kept
// from one iteration of a step to the next.
//
// The edges of a linear element are the columns of D. If they become D', the element has turned and
// stretched by D' D^-1 - I, and its Hessian, of size k, has changed by about k |D' D^-1 - I|. With
// m the mass that its vertices have for it alone and inertia m what the scheme adds to the matrix
// for them, a Hessian is kept while
//     k |D' D^-1 - I| <= part * inertia m
// Summed over the elements the matrix is then wrong by at most `part` of its inertia, and so of
// itself: Newton's method loses that part of its gain and nothing else, however stiff the material
// is. Stiff elements are evaluated always, and so is everything in statics.
#ifndef PLI_ENERGY_KEPT_H
#define PLI_ENERGY_KEPT_H

#include "base/memory.h"
#include "energy/term.h"

// Elements that are kept or evaluated together.
enum { PLI_KEPT_RUN = 8 };

// Of the stencils of one term; all NULL for terms that keep nothing.
typedef struct pli_kept {
    int dim, count;  // of stencils
    double* inverse; // dim x dim per stencil: D^-1 when it was evaluated
    double* slack;   // per stencil: m / k, 0: not to be kept [s^2]
    uint8_t* fresh;  // per run: evaluated by the last call
} pli_kept;

// Room for the stencils of a term, none if it cannot keep Hessians: linear elements whose Hessians
// come as blocks can.
pli_status pli_kept_init(pli_kept* kept, pli_memory* memory, const pli_term* term, int dim,
                         pli_error* error);
void pli_kept_free(pli_kept* kept, pli_memory* memory);

// Do all stencils of a run, from `first` on, hold? `bound`: part * inertia [1/s^2].
bool pli_kept_holds(const pli_kept* kept, int first, const pli_batch* run, double bound);

// Takes note of a run whose blocks H (`packed` numbers each) have been evaluated. `share`: per
// vertex its mass over the number of stencils at it; < 0: it never moves [kg].
void pli_kept_note(const pli_kept* kept, int first, const pli_batch* run, const double* H,
                   const double* share);

#endif
