// Volume, mass, centre and second moments of a body at rest: all that its inertia depends on while
// it moves affinely. Exact integrals of polynomials, of elements and of closed surfaces.
#ifndef PLI_KINEMATICS_MOMENTS_H
#define PLI_KINEMATICS_MOMENTS_H

#include "base/memory.h"
#include "mesh/measure.h"

typedef struct pli_moments {
    double volume;    // [m^3]
    double mass;      // [kg]
    double centre[3]; // of mass [m]
    double second[9]; // integral of rho (X - centre) (X - centre)^T, symmetric [kg m^2]
    double first[3];  // while sums are taken: integral of rho (X - centre) [kg m]
} pli_moments;

// Begin, add, finish, raise: sums are about a place near the body, which `centre` holds until the
// end.
void pli_moments_begin(pli_moments* m, const double about[3]);
// Elements as pli_lump describes them; sheets have an extent across their plane, segments a round
// cross-section.
void pli_moments_add_elements(pli_moments* m, const pli_lump* lump);
// The inside of a closed surface of triangles with the density of the lump.
void pli_moments_add_inside(pli_moments* m, const pli_lump* surface);
// A ball of this mass; radius 0: a point.
void pli_moments_add_point(pli_moments* m, const double x[3], double mass, double radius);
// Converts the sums about a place to the centre of mass. An inverted surface has negative mass: the
// sign is corrected.
void pli_moments_finish(pli_moments* m);
// Directions with less than 1e-6 of the largest extent (or `least` [m]) get that much, so that a
// motion along them has inertia.
void pli_moments_raise(pli_moments* m, int dim, double least);

// The second moments of a body with this matrix of inertia, xx, yy, zz, xy, xz, yz: tr(I)/2 - I.
// False: no body has it, because a moment is not positive or exceeds the sum of the other two.
bool pli_moments_of_inertia(const double diagonal[3], const double products[3], double second[9]);

// Whether the edges of triangles cancel in pairs: the surface is closed and oriented.
pli_status pli_surface_is_closed(pli_memory* memory, const pli_lump* surface, int vertex_limit,
                                 bool* closed, pli_error* error);

#endif
