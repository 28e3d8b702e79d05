// What contact costs in one state of a world, on one thread and in processor time: the library's
// own functions, called directly.
#ifndef BENCH_CONTACT_COST_H
#define BENCH_CONTACT_COST_H

#include "dynamics/world.h"

typedef struct bench_contact_cost {
    double active;     // pairs closer than dhat
    double candidates; // pairs that a search gives
    double near;       // those that CCD is asked about
    // Medians [s]
    double barrier; // value, gradient and projected Hessian of all pairs of the set
    double search;  // boxes, tree, query: what a search adds to a refresh but for ...
    double bounds;  // the first bounds of the distances of all candidates
    double refresh; // without one: motion survey, candidates that stay apart, CCD, the set
    double ccd;     // CCD alone, of the pairs that are near
} bench_contact_cost;

// `p`: motion of the vertices, 3 each [m]; halved until a second refresh needs no search. The world
// stays as it is. False, with an error, if something fails.
bool bench_contact_cost_of(pli_world* world, double* p, bench_contact_cost* cost, pli_error* error);

#endif
