// Exponential of a small dense matrix.
#ifndef PLI_MATH_EXPM_H
#define PLI_MATH_EXPM_H

// E = exp(A), n x n row-major, by scaling and squaring with a Pade approximant of order 6
// [Moler03]; `work` has 4 n^2 entries. A is not changed.
void pli_expm(int n, const double* A, double* E, double* work);

#endif
