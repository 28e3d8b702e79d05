// How the surfaces of all bodies lie to each other at positions x (3 per vertex): what intersects,
// what is near, what is inside what. The rules of contact hold: bodies that cannot touch are left
// out.
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
// one of its vertices, and the element of another part that it is in. Where nothing intersects, all
// of the part is inside then. In space inside of tetrahedra, in the plane of triangles; those with
// middle nodes are cut into flat ones at them. Vertices within a body may be anywhere: an element
// that reaches out of the surface is cancelled by inverted ones.
typedef struct pli_inside {
    int32_t vertex;        // in the world
    int body;              // that it is in
    pli_element_kind kind; // of the element
    int element;           // its number within that body
} pli_inside;
typedef void pli_inside_fn(void* context, const pli_inside* inside);
pli_status pli_collision_inside(const pli_collision* collision, const double* x,
                                pli_inside_fn* found, void* context, pli_error* error);

// PLI_E_SCENE with a message that names the parts and the place, or PLI_OK: nothing intersects or
// is beyond a half-space; nothing lies inside another body; all pairs that the barriers have are
// apart with their thickness, and all that there are, by a search of its own.
pli_status pli_collision_check_crossings(const pli_collision* collision, const double* x,
                                         pli_error* error);
pli_status pli_collision_check_inside(const pli_collision* collision, const double* x,
                                      pli_error* error);
pli_status pli_collision_check_gaps(const pli_collision* collision, const double* x,
                                    pli_error* error);
pli_status pli_collision_check_all_gaps(const pli_collision* collision, const double* x,
                                        pli_error* error);

// `edge 3-4 of body "b"`: a part in the numbers of its body.
void pli_name_part(const pli_collision* collision, const int32_t* vertices, int width,
                   char text[160]);

#endif
