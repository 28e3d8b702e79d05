// The contract that every term of E must keep, for any term: see pli_check_contract.
#ifndef TESTS_ORACLE_CONTRACT_H
#define TESTS_ORACLE_CONTRACT_H

#include "energy/term.h"

typedef struct pli_contract {
    int dim;
    int vertex_count;
    const double* x;           // the state to check at, 3 per vertex
    double step;               // of the central differences [m]
    double gradient_tolerance; // relative; 1e-7 unless said why
    double hessian_tolerance;  // relative; 1e-6 unless said why
    bool internal;             // zero net force and torque
    bool objective;            // the value does not change under rotation and translation
    // The projected Hessian must be this close (relative) to the eigen-clamp of the whole local
    // Hessian; < 0: the projection is defined at another level, then only H_projected >= 0 and
    // H_projected - H >= 0 are asked for.
    double clamp_tolerance;
    bool gauss_newton; // the projected Hessian leaves out a part: of it only H_projected >= 0 is asked
} pli_contract;

// Fails the running cmocka test if the term breaks the contract at x: E -> g and g -> H by central
// differences, H symmetric, projected H positive semi-definite, zero net force and torque if
// internal, invariance if objective, += honoured, value alone equal to value with derivatives.
void pli_check_contract(const pli_term* term, const pli_contract* contract);

// The step bound must keep E finite on the whole segment x .. x + alpha p (checked at samples
// including its end) for this direction, 3 per vertex.
void pli_check_step_bound(const pli_term* term, int dim, int vertex_count, const double* x,
                          const double* p);

#endif
