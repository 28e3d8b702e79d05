// Inside the set of pairs: which pairs' boxes meet on a segment (pair_search.c), and what becomes
// of them (pair_set.c).
#ifndef PLI_CONTACT_PAIR_SEARCH_H
#define PLI_CONTACT_PAIR_SEARCH_H

#include "contact/pair_set.h"

// The part [from, to] of the segment x + t p that the loops look at. p NULL: only x.
typedef struct pli_sweep {
    pli_pair_set* set;
    const double *x, *p;
    const double* start; // x + from p
    double from, to;
    double reach;    // boxes are so much larger [m]
    double drift[3]; // of who looks at it, over t = 0 .. 1 [m]
} pli_sweep;

// Chooses the drift.
void pli_sweep_drift(pli_sweep* s);

// The boxes of all primitives on the part.
void pli_sweep_boxes(pli_sweep* s, pli_pool* pool);

// Refuses what is not finite, and says whether the candidates hold all pairs of the segment.
pli_status pli_sweep_survey(pli_sweep* s, pli_pool* pool, bool* covered, double* motion,
                            pli_error* error);

// found = the candidates whose boxes overlap on the part.
pli_status pli_sweep_choose(pli_sweep* s, pli_pool* pool, pli_error* error);

// New candidates for the segment, within the limit of pairs; if there are more, none are valid.
pli_status pli_sweep_candidates(pli_sweep* s, pli_pool* pool, double motion, pli_error* error);

// found = all pairs whose boxes overlap on the part; s->to shrinks until they are not too many.
pli_status pli_sweep_search(pli_sweep* s, pli_pool* pool, pli_error* error);

// More pairs than this are too many, unless there are as many at rest.
int pli_pair_limit(const pli_pair_set* set);

#endif
