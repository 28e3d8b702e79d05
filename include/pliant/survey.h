// Queries about the surfaces of a world at given positions: intersections, close pairs, bodies
// inside others. Contact rules apply: pairs without contact are ignored.
//
// The world need not be prepared. Its surfaces are computed once, until something is added or removed,
// and pli_world_prepare reuses them. Until then rules may name bodies that do not exist, and pairs
// that may intersect at t = 0 count as pairs without contact.
//
// Positions have 3 numbers per vertex of the world [m]; NULL: the present ones. Callbacks may read
// the world, but not change it.
#ifndef PLIANT_SURVEY_H
#define PLIANT_SURVEY_H

#include "pliant/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Same as pli_world_crossings, at these positions: all crossings or, if there are none, all pairs
// that are too close to resolve in floating point.
PLI_API pli_status pli_survey_crossings(pli_world* world, const double* positions, int room,
                                        pli_crossing_info* crossings, int* count,
                                        pli_error* error);

// Two parts of surfaces: vertices, edges or triangles.
typedef struct pli_near_info {
    int body[2];
    int vertex_count[2]; // of each part, 1 to 3
    int vertices[2][3];  // numbers within the bodies; -1 for the rest
    double distance;     // between the surfaces: thickness is subtracted [m]
    double normal[3];    // unit, from the second to the first
    double point[3];     // midway between the closest points [m]
} pli_near_info;
typedef void pli_near_info_fn(void* context, const pli_near_info* pair);
// All pairs of parts whose surfaces are closer than `reach` > 0 [m].
PLI_API pli_status pli_survey_near(pli_world* world, const double* positions, double reach,
                                   pli_near_info_fn* found, void* context, pli_error* error);

// A component of body[0] (connected by elements) that is inside an element of body[1].
typedef struct pli_inside_info {
    int body[2];           // equal if it is inside another component of its own body
    int vertex;            // one of its vertices, number within body[0]
    pli_element_kind kind; // of the element that this vertex is in
    int element;           // its number within body[1]
} pli_inside_info;
typedef void pli_inside_info_fn(void* context, const pli_inside_info* inside);
// All components that are inside others, each once. If nothing intersects, the whole component is
// inside.
PLI_API pli_status pli_survey_inside(pli_world* world, const double* positions,
                                     pli_inside_info_fn* found, void* context, pli_error* error);

// Can a body touch another by the contact rules, or half-space i if `other` is -1 - i? False before
// the surfaces are computed.
PLI_API bool pli_survey_touches(const pli_world* world, int body, int other);

// Pairs of bodies of a prepared world that have intersected since t = 0, as a rule allows, and are
// exempt from contact until they separate. False: no i-th pair.
PLI_API bool pli_survey_exempt(const pli_world* world, int i, int body[2]);

// Smallest distance that floating-point positions resolve here [m].
PLI_API double pli_survey_resolution(const pli_world* world);

#ifdef __cplusplus
}
#endif

#endif
