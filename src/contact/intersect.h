// Does a plane state intersect itself? With exact predicates and no use of CCD, so that one checks
// the other.
#ifndef PLI_CONTACT_INTERSECT_H
#define PLI_CONTACT_INTERSECT_H

#include "contact/pair_set.h"

typedef enum pli_intersection_kind {
    PLI_NO_INTERSECTION,
    PLI_POINT_TOUCHES, // a point lies on an edge it does not belong to, or too close to tell
    PLI_EDGES_CROSS,   // two edges cross in their insides
} pli_intersection_kind;

typedef struct pli_intersection {
    pli_intersection_kind kind;
    int32_t vertices[4]; // point and edge, or edge and edge
    double point[2];     // where [m]
    double distance;     // of a point that touches [m]
} pli_intersection;

// The first intersection of the boundary at view->x, points first, in the order of the lists. Edges
// that share a vertex intersect if one folds back onto the other: an end then touches.
pli_status pli_find_intersection(pli_memory* memory, const pli_view* view,
                                 const pli_primitives* points, const pli_primitives* edges,
                                 pli_intersection* out, pli_error* error);

#endif
