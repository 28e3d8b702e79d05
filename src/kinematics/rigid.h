// Rigid motions of all vertices as motions of the unknowns: elasticity does not resist them.
#ifndef PLI_KINEMATICS_RIGID_H
#define PLI_KINEMATICS_RIGID_H

#include "kinematics/kinematics.h"

// Velocities of the unknowns, unknown by unknown, in the 6 rigid motions of space (3 of the plane)
// at the positions x; returns their number. Translations first, then rotations about the mean
// position. Only groups that move one vertex each are supported; the others, and nodes, get 0.
int pli_rigid_motions(const pli_kinematics* k, const double* x, double* modes);

#endif
