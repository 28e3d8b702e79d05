// How the surfaces of all bodies are placed at positions x (3 per vertex): which parts intersect,
// are close, or lie inside others. The contact rules apply: bodies that cannot touch are left out.
#ifndef PLI_COLLISION_SURVEY_H
#define PLI_COLLISION_SURVEY_H

#include "collision/collision.h"
#include "contact/near.h"

// See pli_world_crossings.
pli_status pli_collision_crossings(const pli_collision* collision, const double* x, int room,
                                   pli_crossing_info* out, int* count, pli_error* error);

// All pairs of parts whose surfaces are closer than `reach`.
pli_status pli_collision_near(const pli_collision* collision, const double* x, double reach,
                              pli_near_fn* found, void* context, pli_error* error);

// Calls `found` for each part (vertices of a body connected by elements) that lies inside others:
// one of its vertices, and the element of another part that contains it. Where nothing intersects,
// the whole part is then inside. Containers are tetrahedra in space, triangles in the plane;
// quadratic ones are divided into linear ones at their mid-edge nodes. Interior vertices may be
// anywhere: an element that extends beyond the surface is cancelled by inverted ones.
typedef struct pli_inside {
    int32_t vertex;        // in the world
    int body;              // body that contains it
    pli_element_kind kind; // of the element
    int element;           // its index within that body
} pli_inside;
typedef void pli_inside_fn(void* context, const pli_inside* inside);
pli_status pli_collision_inside(const pli_collision* collision, const double* x,
                                pli_inside_fn* found, void* context, pli_error* error);

// PLI_E_SCENE with a message that names the parts and the place, or PLI_OK: nothing intersects or
// is beyond a half-space; nothing lies inside another body; all pairs of the barriers, and all
// pairs found by an independent search, are apart including their thickness.
pli_status pli_collision_check_crossings(const pli_collision* collision, const double* x,
                                         pli_error* error);
pli_status pli_collision_check_inside(const pli_collision* collision, const double* x,
                                      pli_error* error);
pli_status pli_collision_check_gaps(const pli_collision* collision, const double* x,
                                    pli_error* error);
pli_status pli_collision_check_all_gaps(const pli_collision* collision, const double* x,
                                        pli_error* error);

// `edge 3-4 of body "b"`: a part in the indices of its body.
void pli_name_part(const pli_collision* collision, const int32_t* vertices, int width,
                   char text[160]);

#endif
