// Internals of the pair set: which pairs of boxes overlap on a segment (pair_search.c), and how the
// set is updated from them (pair_set.c).
#ifndef PLI_CONTACT_PAIR_SEARCH_H
#define PLI_CONTACT_PAIR_SEARCH_H

#include "contact/pair_set.h"

// The part [from, to] of the segment x + t p that is processed. p NULL: only x.
typedef struct pli_sweep {
    pli_pair_set* set;
    const double *x, *p;
    const double* start; // x + from p
    double from, to;
    double reach;  // boxes are enlarged by this [m]
    double margin; // bound of rounding in positions and distances [m]
    // Bounds of the relative motion of vertices since the last search (`drifted`) and over the part
    // (`drift`); `since` and `over` are the common motions that were subtracted [m].
    double drifted, drift;
    double since[3], over[3];
} pli_sweep;

// Fails for values that are not finite; returns whether the candidates cover all pairs of the
// segment.
pli_status pli_sweep_survey(pli_sweep* s, pli_pool* pool, bool* covered, pli_error* error);

// found = the candidates that may be closer than dhat on the part.
pli_status pli_sweep_choose(pli_sweep* s, pli_pool* pool, pli_error* error);

// Searches new candidates for the segment, within the limit of pairs; above it none are valid.
pli_status pli_sweep_candidates(pli_sweep* s, pli_pool* pool, pli_error* error);

// found = all pairs whose boxes overlap on the part; s->to is reduced until they are within the
// limit.
pli_status pli_sweep_search(pli_sweep* s, pli_pool* pool, pli_error* error);

// A lower bound of the pair's distance on the part; above dhat if that can be certified.
double pli_sweep_clearance(const pli_sweep* s, const pli_box_pair* pair);

// The limit of pairs, unless there are as many at rest.
int pli_pair_limit(const pli_pair_set* set);

// The vertices of a pair on the part, those of a first.
typedef struct pli_pair_motion {
    const double *x[PLI_STENCIL_MAX], *p[PLI_STENCIL_MAX];
} pli_pair_motion;
pli_pair_motion pli_sweep_motion(const pli_sweep* s, const pli_box_pair* pair);

#endif
