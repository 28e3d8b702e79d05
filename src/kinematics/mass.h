// Solving with the mass on the unknowns: M x = b.
#ifndef PLI_KINEMATICS_MASS_H
#define PLI_KINEMATICS_MASS_H

#include "kinematics/kinematics.h"

typedef struct pli_mass_solver pli_mass_solver;

// M in a pattern with additional pairs; rows and columns as below, the identity also for nodes
// without mass. The caller frees both, also on failure; `values` has value_count numbers.
pli_status pli_mass_matrix(const pli_kinematics* k, const uint8_t* held, int pair_count,
                           const pli_pair* pairs, pli_pattern* pattern, double** values,
                           pli_error* error);
pli_status pli_mass_indefinite(pli_error* error); // sets the error

// Factorizes M once. Rows and columns of groups whose flag in `held` (may be NULL) is set are the
// identity: with b = 0 there, x = 0 there and the others are not affected. PLI_E_ARGUMENT if M is
// not positive definite: vertices without mass, or fewer vertices than the unknowns need. Nodes
// without mass have no acceleration: x = 0 there.
pli_status pli_mass_solver_create(const pli_kinematics* k, const uint8_t* held,
                                  pli_mass_solver** out, pli_error* error);
void pli_mass_solver_destroy(pli_mass_solver* solver); // NULL is allowed
// x may overflow: the caller must check it (a scheme that has diverged).
pli_status pli_mass_solve(pli_mass_solver* solver, const double* b, double* x, pli_error* error);

#endif
