// Dense symmetric matrices, row-major, done in the plainest way: the oracle of the sparse solvers.
#ifndef TESTS_ORACLE_DENSE_H
#define TESTS_ORACLE_DENSE_H

#include <stdbool.h>

// A = L L^T; the lower triangle of A becomes L. False if a pivot is not positive.
bool pli_dense_cholesky(int n, double* A);

// x = (L L^T)^-1 b; x and b may be the same.
void pli_dense_solve(int n, const double* L, const double* b, double* x);

// y = A x
void pli_dense_multiply(int n, const double* A, const double* x, double* y);

#endif
