// How Newton's method adapts to its last steps: whether stencil Hessians are projected, what
// fraction of the diagonal is added, and how much a direction is lengthened.
//
// Projection makes every direction a descent direction. But where negative curvature is real (a
// buckling bar) or is outweighed by neighbours (compression), the matrix is too stiff and full
// steps gain little [Longva23]. Then directions are lengthened, which leaves a saddle fast, and the
// true Hessian is tried, which ends linear convergence. If it is not positive definite, the next
// attempt follows after a pause that doubles each time. If the line search shortens steps, the
// quadratic model is bad or the matrix is nearly singular (unconstrained bodies in statics): the
// shift grows [Levenberg44], and shrinks with full steps.
#ifndef PLI_MINIMIZE_ADAPT_H
#define PLI_MINIMIZE_ADAPT_H

#include <stdbool.h>

typedef struct pli_adapt {
    bool statics;
    bool project;    // for the next matrix
    double shift;    // fraction of the diagonal that is added to it; 0: nothing
    double least;    // lower bound of the shift
    double stride;   // factor on directions of projected matrices, at least 1
    double residual; // of the last direction
    int slow;        // full projected steps in a row that gained little
    int wait,
        pause; // steps until the true Hessian may be tried, now and after the next failure
} pli_adapt;

void pli_adapt_begin(pli_adapt* a, bool statics);

// Call if the matrix cannot be factorized, or no step along the direction lowers E. True: try
// again; false: nothing is left to try.
bool pli_adapt_refused(pli_adapt* a);
bool pli_adapt_stuck(pli_adapt* a);

// Call after a step along a direction with this residual: `fraction` of the segment, of which
// `certified` was collision-free.
void pli_adapt_stepped(pli_adapt* a, double residual, double certified, double fraction);

#endif
