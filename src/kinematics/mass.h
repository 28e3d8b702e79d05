// Solving with the mass on the unknowns: M x = b.
#ifndef PLI_KINEMATICS_MASS_H
#define PLI_KINEMATICS_MASS_H

#include "kinematics/kinematics.h"

typedef struct pli_mass_solver pli_mass_solver;

// Factorizes M once. PLI_E_ARGUMENT if it is not positive definite: vertices without mass, or fewer
// vertices than the unknowns need. `k` must outlive the solver.
pli_status pli_mass_solver_create(const pli_kinematics* k, pli_mass_solver** out, pli_error* error);
void pli_mass_solver_destroy(pli_mass_solver* solver); // NULL is fine
pli_status pli_mass_solve(pli_mass_solver* solver, const double* b, double* x, pli_error* error);

#endif
