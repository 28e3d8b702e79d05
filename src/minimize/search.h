// The line search: a step along a direction, on a certified segment, that lowers E.
#ifndef PLI_MINIMIZE_SEARCH_H
#define PLI_MINIMIZE_SEARCH_H

#include "minimize/methods.h"

// E is a sum of many parts: differences below this fraction of the sum of their absolute values may
// be rounding. Then the slope at the trial point decides; constant parts of E do not affect it.
#define PLI_ROUNDING_SHARE 1e-13

// State of the iteration.
typedef struct pli_iterate {
    double* q;
    double e, size;  // E and the sum of the absolute values of its parts
    int flat;        // steps in a row without progress
    int unbalanced;  // steps below the speed tolerance, but with unbalanced forces
    int short_steps; // in a row: shortened by the line search
    double best;     // lowest residual so far
    double load;     // largest forces so far
    bool moved;      // since m->g was computed
    int wait, pause; // steps until islands may be scaled again, and after the next failure
} pli_iterate;

// A step that lowers E, not taken yet; its end is in m->trial.
typedef struct pli_found_step {
    double alpha; // 0: there is none
    double e, size;
    bool unclear; // its gain is below rounding
    double least; // not 0: the shortest step of an island, relative to the original m->p
} pli_found_step;

// A step along m->p that lowers E, at most the certified one.
pli_status pli_search(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                      double certified, pli_found_step* out, pli_error* error);

// The step found was shortened: islands that need not stop there take all of the certified segment.
// m->p becomes the direction with those step lengths; the better of both steps is kept.
pli_status pli_search_islands(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                              double certified, pli_found_step* step, pli_error* error);

// Moves q to the end of the step, if there is one.
void pli_search_take(pli_minimizer* m, pli_iterate* at, const pli_found_step* step);

// A lengthened step may have passed the minimum: halves it while E falls.
pli_status pli_search_shorten(pli_minimizer* m, const pli_problem* problem, pli_iterate* at,
                              double* alpha, pli_error* error);

#endif
