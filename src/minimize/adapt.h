// What Newton's method learns from its last steps: whether the stencils' Hessians must be
// projected, how large a part of the diagonal is added, how far a direction is followed.
//
// Projection makes every direction descend, but where negative curvature is real (a bar that
// buckles) or is outweighed by neighbours (compression) the matrix is too stiff: steps are whole
// and gain little [Longva23]. Then directions are lengthened, which leaves a saddle fast, and the
// true Hessian is tried, which ends linear convergence; if it is not positive definite, again later
// and later. Where the line search cuts steps short the quadratic model is bad, or the matrix
// nearly singular (bodies that nothing holds, in statics): the shift grows [Levenberg44], and
// shrinks with steps that are taken whole.
#ifndef PLI_MINIMIZE_ADAPT_H
#define PLI_MINIMIZE_ADAPT_H

#include <stdbool.h>

typedef struct pli_adapt {
    bool statics;
    bool project;    // the next matrix
    double shift;    // part of the diagonal that is added to it; 0: nothing
    double least;    // it does not shrink below this
    double stride;   // directions of projected matrices are made this much longer, at least 1
    double residual; // of the last direction
    int slow;        // projected whole steps in a row that gained little
    int wait,
        pause; // steps until the true Hessian may be tried, and how many after the next failure
} pli_adapt;

void pli_adapt_begin(pli_adapt* a, bool statics);

// There is no factor; or no step along the direction lowers E. True: try again with what changed;
// false: there is nothing left to try.
bool pli_adapt_refused(pli_adapt* a);
bool pli_adapt_stuck(pli_adapt* a);

// A step was taken along a direction with this residual: `fraction` of the segment, of which
// `certified` was free.
void pli_adapt_stepped(pli_adapt* a, double residual, double certified, double fraction);

#endif
