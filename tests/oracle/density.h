// A wide energy of a user: the density of a cloud of points, as in smoothed-particle hydrodynamics.
// The stencil of a point is the point itself and all points within a radius at rest,
//
//     P = (k/2) V (s - 1)^2,  s = sum of w(|x_j - x_i|) over the same at rest,  w(r) = (1 -
//     r^2/R^2)^3
//
// with equal masses m and V = m / density the volume of the point. Its Hessian is k V ds ds^T, the
// factor, and a part in (s - 1) of either sign, which the minimizer does without and `curvature`
// gives; so the factor is exact at rest.
#ifndef TESTS_ORACLE_DENSITY_H
#define TESTS_ORACLE_DENSITY_H

#include "pliant/energy.h"

extern const pli_energy_type density_type;        // expanded for direct solvers
extern const pli_energy_type global_density_type; // the same, declared as global

#endif
