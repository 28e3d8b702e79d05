// Rigid motions of all vertices as motions of the unknowns: what elasticity does not resist.
#ifndef PLI_KINEMATICS_RIGID_H
#define PLI_KINEMATICS_RIGID_H

#include "kinematics/kinematics.h"

// Velocities of the unknowns, unknown by unknown, in the 6 rigid motions of space (3 of the plane)
// at the positions x; gives their number. Translations first, then rotations about the mean
// position. Only groups that move one vertex each are known; the others, and nodes, get 0.
int pli_rigid_motions(const pli_kinematics* k, const double* x, double* modes);

#endif
