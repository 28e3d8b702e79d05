// Decompositions and functions of small matrices.
#ifndef PLI_MATH_SMALL_H
#define PLI_MATH_SMALL_H

// Largest n of the dense routines below: ten vertices in space.
enum { PLI_SMALL_MAX = 36 };

// Eigenvalues (ascending) and orthonormal eigenvectors (columns of V, row-major) of a symmetric
// n x n matrix by cyclic Jacobi rotations; n <= PLI_SMALL_MAX. A is not changed. V may be NULL.
void pli_eigen_symmetric(int n, const double* A, double* values, double* V);

// Nearest positive semi-definite matrix in the Frobenius norm: negative eigenvalues are set to 0.
// 2x2 in closed form; n <= PLI_SMALL_MAX.
void pli_project_psd(int n, double* A);

// F = U diag(s) V^T of a 2x2 matrix with U and V rotations (det +1), s[0] >= |s[1]|; s[1] has the
// sign of det F. Valid for repeated and zero singular values. Row-major.
void pli_svd2(const double F[4], double U[4], double s[2], double V[4]);

// The same for 3x3: s[0] >= s[1] >= |s[2]| up to rounding, s[2] has the sign of det F. Valid for
// repeated and zero singular values; errors are a few ulps of s[0].
void pli_svd3(const double F[9], double U[9], double s[3], double V[9]);

// Eigenvalues (ascending) and eigenvectors (columns of the rotation V, row-major) of a symmetric
// 3x3 matrix; much faster than pli_eigen_symmetric, errors are a few ulps of the largest value.
void pli_eigen3(const double A[9], double values[3], double V[9]);

// Power of two that scales the largest of n numbers to near 1; 1 if all are 0.
double pli_power_of_two_scale(int n, const double* a);

// Smallest root in (0, infinity) of a t^2 + b t + c = 0, HUGE_VAL if there is none. Needs no
// scaling of the coefficients; a may be 0.
double pli_smallest_positive_root2(double a, double b, double c);

// Where a t^3 + b t^2 + c t + d with d > 0 first reaches 0 in (0, 1], rounded towards 0; HUGE_VAL
// if it does not.
double pli_first_root3(double a, double b, double c, double d);

// Exponential of a small dense matrix.

// E = exp(A), n x n row-major, by scaling and squaring with a Pade approximant of order 6
// [Moler03]; `work` has 4 n^2 entries. A is not changed.
void pli_expm(int n, const double* A, double* E, double* work);

#endif
