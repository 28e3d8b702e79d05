// Whether a state intersects itself. Uses exact predicates and no CCD, so that the two check each
// other.
#ifndef PLI_CONTACT_INTERSECT_H
#define PLI_CONTACT_INTERSECT_H

#include "contact/pair_set.h"

typedef enum pli_intersection_kind {
    PLI_NO_INTERSECTION,
    PLI_POINT_TOUCHES, // a point lies on an edge it does not belong to, or is closer than the
                       // resolution
    PLI_EDGES_CROSS,   // two edges cross in their interiors
} pli_intersection_kind;

typedef struct pli_intersection {
    pli_intersection_kind kind;
    int32_t vertices[4]; // point and edge, or edge and edge
    double point[2];     // where [m]
    double distance;     // of a point that touches [m]
} pli_intersection;

// The first intersection of the boundary at view->x, points first, in the order of the lists. Edges
// that share a vertex intersect if one folds back onto the other: an end then touches. Bodies
// excluded by the filter may intersect; filter NULL: all may touch.
pli_status pli_find_intersection(pli_memory* memory, const pli_view* view,
                                 const pli_primitives* points, const pli_primitives* edges,
                                 const pli_filter* filter, pli_intersection* out, pli_error* error);

// ---- in space

// Two primitives that share a point but no vertex.
typedef struct pli_crossing {
    int width[2];        // their vertices: 1 point, 2 edge, 3 triangle
    int32_t number[2];   // in their lists
    int32_t vertices[5]; // of the first, then of the second; -1 for the rest
    double point[3];     // in both, rounded [m]
} pli_crossing;

// All parts of the surfaces. Edges of triangles and ends of edges must be listed among the edges
// and points; other edges and points are thin parts.
typedef struct pli_primitive_lists {
    pli_primitives points, edges, triangles;
    const pli_filter*
        filter; // pairs of bodies that may not touch may intersect; NULL: all may touch
} pli_primitive_lists;

// The first `capacity` crossings at view->x: edges and triangles, points and triangles, edges and
// edges, points and edges, points and points, in this order and in that of the lists, for any
// number of threads. *count of them were written; if fewer than capacity, these are all. out NULL:
// only counts. Touching counts as crossing, also for coplanar, collinear and coincident primitives,
// but there is no minimum distance: see pli_ccd_resolution for that. Thickness is ignored.
//
// Pairs of triangles need no separate test. Two triangles that cross beyond their shared vertices
// have an edge or a corner of one on the other without a common vertex: with one common vertex the
// edge opposite to it, with a common edge (one folded onto the other) a corner or two edges. Only a
// triangle listed twice is not detected.
//
// Exact for coordinates in the range of pli_orient3d. Time O(n log n + pairs of boxes that
// overlap), memory O(n).
pli_status pli_find_crossings(pli_memory* memory, const pli_view* view,
                              const pli_primitive_lists* parts, int capacity, pli_crossing* out,
                              int* count, pli_error* error);

#endif
