// Which primitives are close to each other at one state. For checking initial states, not for
// forces: those come from the pair set of a barrier term.
#ifndef PLI_CONTACT_NEAR_H
#define PLI_CONTACT_NEAR_H

#include "contact/pair_set.h"

// Two primitives that share no vertex.
typedef struct pli_near {
    int width[2];        // their vertices: 1 point, 2 edge, 3 triangle
    int32_t vertices[4]; // of the first, then of the second
    double distance;     // between the surfaces: thickness is subtracted [m]
    double resolution;   // distances below it may be rounding: pli_ccd_resolution [m]
    double normal[3];    // unit, from the second to the first
    double point[3];     // midway between the closest points [m]
} pli_near;

typedef struct pli_near_def {
    const pli_primitives *a, *b; // b NULL: those of a against each other, each pair once
    const pli_filter* filter;    // NULL: all may touch
    const double* radius;        // per vertex of the world: thickness [m]; NULL: 0
    const pli_rest* rest;        // neighbours at rest, whose thickness counts less; NULL: none
    double reach;                // > 0 [m]
} pli_near_def;

typedef void pli_near_fn(void* context, const pli_near* pair);

// Calls `found` for all pairs that the filter allows and whose surfaces are closer than reach at
// view->x, in order of (a, b), for any number of threads. The widths are those of a row of
// pli_space_pairs, in the plane points against edges or points. Time is proportional to the number
// of pairs whose boxes are that close, memory to that of the pairs found.
pli_status pli_find_near(pli_memory* memory, const pli_view* view, const pli_near_def* def,
                         pli_near_fn* found, void* context, pli_error* error);

#endif
