// Solves with A + sum of a_k g_k g_k^T using the factor of A, for few k: the Woodbury formula, one
// rank at a time,
//     z_k = A_k^-1 g_k,  d_k = 1 + a_k g_k . z_k,  A_(k+1)^-1 b = A_k^-1 b - z_k (a_k / d_k) (g_k .
//     A_k^-1 b)
// With the positive a_k first, all A_k are positive definite if and only if the sum is; each d_k >
// 0 shows it. A step of iterative refinement restores the digits that a large a_k costs.
#ifndef PLI_SPARSE_WOODBURY_H
#define PLI_SPARSE_WOODBURY_H

#include "sparse/linear.h"
#include "sparse/low_rank.h"

typedef struct pli_woodbury {
    pli_memory* memory;
    const pli_linear_ops* ops; // of the solver for A
    void* solver;
    const pli_pattern* pattern;
    const double* values;    // of A
    const pli_low_rank* low; // NULL: nothing is added to A
    int count;               // of ranks
    double *rows, *z;        // g_k and z_k, unknown_count each
    double *weights, *scale; // a_k and a_k / d_k
    double *residual, *correction;
    size_t row_capacity, z_capacity, weight_capacity, scale_capacity, residual_capacity,
        correction_capacity;
    bool definite;
} pli_woodbury;

void pli_woodbury_init(pli_woodbury* w, pli_memory* memory);
void pli_woodbury_free(pli_woodbury* w);

// The solver has factorized `values` with the given verdict; it and the arguments must stay
// unchanged until the last solve. Sets the verdict to that of the sum.
pli_status pli_woodbury_factorize(pli_woodbury* w, const pli_linear_ops* ops, void* solver,
                                  const pli_pattern* pattern, const double* values,
                                  const pli_low_rank* low, pli_linear_verdict* verdict,
                                  pli_error* error);

// Same as `solve` of the solver, for the sum.
pli_status pli_woodbury_solve(pli_woodbury* w, const double* b, double tolerance, double* x,
                              pli_linear_verdict* verdict, pli_error* error);
// The same without refinement. Unlike the other it reads neither pattern nor values, so these may
// have changed since.
pli_status pli_woodbury_solve_once(pli_woodbury* w, const double* b, double tolerance, double* x,
                                   pli_linear_verdict* verdict, pli_error* error);

#endif
