// How the surfaces of a world lie to each other at positions x (3 per vertex): what intersects,
// what is near, what is inside what. The rules of contact hold: bodies that do not touch are not
// looked at. The public functions of pliant/survey.h are these with a guard.
#ifndef PLI_DYNAMICS_SURVEY_H
#define PLI_DYNAMICS_SURVEY_H

#include "contact/near.h"
#include "dynamics/world.h"
#include "pliant/survey.h"

// See pli_world_crossings.
pli_status pli_surfaces_crossings(pli_world* world, const double* x, int room,
                                  pli_crossing_info* out, int* count, pli_error* error);

// All pairs of parts whose surfaces are closer than `reach`.
pli_status pli_surfaces_near(pli_world* world, const double* x, double reach, pli_near_fn* found,
                             void* context, pli_error* error);

// Calls `found` for each part (of a body, what hangs together by elements) that lies inside others:
// one of its vertices, and the element of another part that it is in. Where nothing intersects, all
// of the part is inside then. In space inside of tetrahedra, in the plane of triangles; those with
// middle nodes are cut into flat ones at them. Vertices within a body may be anywhere: an element
// that reaches out of the surface is cancelled by others that are turned inside out.
typedef struct pli_inside {
    int32_t vertex;        // in the world
    int body;              // that it is in
    pli_element_kind kind; // of the element
    int element;           // its number within that body
} pli_inside;
typedef void pli_inside_fn(void* context, const pli_inside* inside);
pli_status pli_surfaces_inside(pli_world* world, const double* x, pli_inside_fn* found,
                               void* context, pli_error* error);

// `edge 3-4 of body "b"`: a part in the numbers of its body.
void pli_name_part(const pli_world* world, const int32_t* vertices, int width, char text[160]);

#endif
