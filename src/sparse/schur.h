// Linear equations A q = b beside a function of q that is minimized: Newton's direction
//
//     min g.p + 1/2 p.H p,  A p = r:    H p + g + A^T lambda = 0
//
// from the factor of H, by the Schur complement S = A H^-1 A^T, which is dense: for few rows. A row
// that follows from those before it has no pivot in S; it is skipped and its multiplier is 0.
#ifndef PLI_SPARSE_SCHUR_H
#define PLI_SPARSE_SCHUR_H

#include "sparse/woodbury.h"

// The rows of A. The owner of a problem keeps them; a minimizer writes the multipliers.
typedef struct pli_equations {
    int count;
    int32_t* start;      // count + 1
    int32_t* unknown;    // of each entry
    double* weight;      // of each entry
    uint8_t* dropped;    // per row: it follows from others, and is not used
    uint8_t* held;       // per unknown: it does not move now, so its entries count as 0
    double* multipliers; // per row, of the last direction
} pli_equations;

typedef struct pli_schur {
    pli_memory* memory;
    const pli_equations* equations; // NULL: none
    int n;
    double* z;        // H^-1 A^T, n for each row
    double* factor;   // of S, lower triangle, count x count
    double* values;   // work space: count
    double* right;    // work space: n
    uint8_t* skipped; // rows without a pivot
    size_t z_capacity, factor_capacity, value_capacity, right_capacity, skipped_capacity;
} pli_schur;

void pli_schur_init(pli_schur* s, pli_memory* memory);
void pli_schur_free(pli_schur* s);

// y += factor A^T x: x per row, y per unknown.
void pli_equations_pull(const pli_equations* e, double factor, const double* x, double* y);
// Row i of A times x.
double pli_equations_row(const pli_equations* e, int i, const double* x);

// Sets `dropped` of the rows that follow from those before them; those that are dropped stay so.
pli_status pli_equations_drop(const pli_equations* e, int unknown_count, pli_memory* memory,
                              pli_error* error);

// Cholesky factor of S, count x count, in place in its lower triangle. `skipped` is set for rows
// whose pivot is below `tolerance` times their diagonal.
void pli_schur_pivot(int count, double tolerance, double* S, uint8_t* skipped);
// S x = b with such a factor, in place; 0 for rows that were skipped.
void pli_schur_substitute(int count, const double* factor, const uint8_t* skipped, double* x);

// H is factorized in `solver`. Solves for each row.
pli_status pli_schur_factorize(pli_schur* s, const pli_equations* e, pli_woodbury* solver,
                               pli_linear_verdict* verdict, pli_error* error);
// p = -H^-1 (g + A^T lambda) becomes the direction with A p = r, and lambda, the multipliers,
// follows.
void pli_schur_correct(pli_schur* s, const double* r, double* p);
// The multipliers for which |g + A^T lambda| is least, measured by H^-1.
void pli_schur_balance(pli_schur* s, const double* g);

#endif
