// Reference elements: shape functions and quadrature of simplices, linear and quadratic.
#ifndef PLI_MESH_REFERENCE_H
#define PLI_MESH_REFERENCE_H

#include "pliant/energy.h"

// Corners of the edge of the i-th midside node; a triangle has the first three.
extern const int pli_middle_ends[6][2];

// Whether elements of this kind have midside nodes.
bool pli_is_quadratic(pli_element_kind kind);

// A rule over a simplex: points in barycentric coordinates, weights with the sum 1.
typedef struct pli_quadrature {
    int count;
    double weight[5];
    double at[5][4];
} pli_quadrature;

// For energies: positive weights, exact for a linear material and straight sides (constants for
// linear elements, degree 2 for quadratic ones), and enough points that only rigid motions have no
// energy: 3 points x 3 strains = 12 - 3 in the plane, 4 x 6 = 30 - 6 in space.
const pli_quadrature* pli_stiffness_quadrature(pli_element_kind kind);

// For sizes: exact for the determinant of the map, also if sides are curved. Weights may be
// negative.
const pli_quadrature* pli_measure_quadrature(pli_element_kind kind);

// Derivatives of the shape functions by the barycentric coordinates 1, 2 .. (coordinate 0 is
// 1 minus their sum) at the point `at`: per vertex as many as the element has dimensions.
void pli_shape_derivatives(pli_element_kind kind, const double at[4], double* derivatives);

#endif
