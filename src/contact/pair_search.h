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
    double reach;  // boxes are so much larger [m]
    double margin; // what rounding may do to positions and distances [m]
    // Vertices have moved relative to each other by so much at most since the last search, and do
    // on the part; what most have in common of both [m].
    double drifted, drift;
    double since[3], over[3];
} pli_sweep;

// Refuses what is not finite, and says whether the candidates hold all pairs of the segment.
pli_status pli_sweep_survey(pli_sweep* s, pli_pool* pool, bool* covered, pli_error* error);

// found = the candidates that may be closer than dhat on the part.
pli_status pli_sweep_choose(pli_sweep* s, pli_pool* pool, pli_error* error);

// New candidates for the segment, within the limit of pairs; if there are more, none are valid.
pli_status pli_sweep_candidates(pli_sweep* s, pli_pool* pool, pli_error* error);

// found = all pairs whose boxes overlap on the part; s->to shrinks until they are not too many.
pli_status pli_sweep_search(pli_sweep* s, pli_pool* pool, pli_error* error);

// A lower bound of the pair's distance on the part; more than dhat if that is seen.
double pli_sweep_clearance(const pli_sweep* s, const pli_box_pair* pair);

// More pairs than this are too many, unless there are as many at rest.
int pli_pair_limit(const pli_pair_set* set);

// The vertices of a pair on the part, those of a first.
typedef struct pli_pair_motion {
    const double *x[PLI_STENCIL_MAX], *p[PLI_STENCIL_MAX];
} pli_pair_motion;
pli_pair_motion pli_sweep_motion(const pli_sweep* s, const pli_box_pair* pair);

#endif
