// Linear equations A q = b beside a function of q that is minimized, for many rows: the direction
//
//     min g.p + 1/2 p.H p,  A p = r:    H p + g + A^T lambda = 0
//
// without the dense complement of schur.h. The rows are added to the matrix,
//     K = H + A^T R A,   R diagonal,  R_i = WEIGHT sum of a_ik^2 H_kk / |a_i|^4,
// which changes nothing where A p = r but makes K stiff against leaving it. So all eigenvalues of
//     R^1/2 A K^-1 A^T R^1/2,
// those of A H^-1 A^T as s / (1 + s), are near 1 where rows are independent, and conjugate
// residuals find the multipliers in a few solves with the factor of K [Fortin83]. Rounding of the
// large R goes away by refinement with the residual of the equations above, which has no R.
// The pattern of K needs the pairs of groups of each row: a row of a joint couples two bodies, so
// along a chain time and memory are linear. Rows that follow from others, or that have no unknown
// that moves, leave a part of the residual that no multiplier changes; it is ignored.
#ifndef PLI_SPARSE_AUGMENTED_H
#define PLI_SPARSE_AUGMENTED_H

#include "sparse/schur.h"

typedef struct pli_augmented {
    pli_memory* memory;
    const pli_equations* equations; // NULL: not analyzed
    const pli_pattern* pattern;
    const double* values; // of H
    double* sum;          // of K
    // Per row its groups, and the blocks of their pairs, (i, j) with j <= i; per group of a row
    // where it begins in the row spread over its groups, and per entry where it is there.
    int32_t *group_start, *group, *offset, *block_start, *block, *place;
    uint8_t* changed;                      // per group
    double* spread;                        // work space: the longest row
    double *root, *rest, *work;            // R_i^1/2, or 0: not used; A p - r; 4 vectors over rows
    double *net, *step, *solution, *along; // over unknowns
    size_t sum_capacity, group_start_capacity, group_capacity, offset_capacity,
        block_start_capacity, block_capacity, place_capacity, spread_capacity, row_capacity,
        unknown_capacity, changed_capacity;
    int n, solves; // unknowns; solutions with the factor so far
} pli_augmented;

void pli_augmented_init(pli_augmented* a, pli_memory* memory);
void pli_augmented_free(pli_augmented* a);

// Lists the pairs of groups that rows couple, which the pattern of H must contain. Adds to `pairs`.
pli_status pli_equations_pairs(const pli_equations* e, int group_count, const int32_t* group_offset,
                               pli_memory* memory, pli_pair** pairs, int* count, int* capacity,
                               pli_error* error);

// Once per pattern, which must stay unchanged until the next; so must the unknowns of the rows.
pli_status pli_augmented_analyze(pli_augmented* a, const pli_equations* e,
                                 const pli_pattern* pattern, pli_error* error);
// Computes a->sum, which is to be factorized, and extends the flags of groups that have changed
// (see pli_linear_ops; NULL: all) to those that changed rows couple with them, in a->changed.
// `values` must stay unchanged until the last solve.
void pli_augmented_weigh(pli_augmented* a, const double* values, const uint8_t* changed);
// a->sum is factorized in `solver`. `r` NULL: 0. p and the multipliers of the equations are set.
pli_status pli_augmented_solve(pli_augmented* a, pli_woodbury* solver, const double* g,
                               const double* r, double* p, pli_linear_verdict* verdict,
                               pli_error* error);
// Changes the multipliers, which are about right, to those for which |g + A^T lambda| is least,
// measured by H^-1. Reads neither pattern nor values of H, so these may have changed since.
pli_status pli_augmented_balance(pli_augmented* a, pli_woodbury* solver, const double* g,
                                 pli_linear_verdict* verdict, pli_error* error);

#endif
