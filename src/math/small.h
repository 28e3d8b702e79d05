// Decompositions of small matrices.
#ifndef PLI_MATH_SMALL_H
#define PLI_MATH_SMALL_H

// Largest n of the dense routines below: four vertices in space.
enum { PLI_SMALL_MAX = 12 };

// Eigenvalues (ascending) and orthonormal eigenvectors (columns of V, row-major) of a symmetric
// n x n matrix by cyclic Jacobi rotations; n <= PLI_SMALL_MAX. A is not changed. V may be NULL.
void pli_eigen_symmetric(int n, const double* A, double* values, double* V);

// Nearest positive semi-definite matrix in the Frobenius norm: negative eigenvalues become 0.
// 2x2 in closed form; n <= PLI_SMALL_MAX.
void pli_project_psd(int n, double* A);

// F = U diag(s) V^T of a 2x2 matrix with U and V rotations (det +1), s[0] >= |s[1]|; s[1] carries
// the sign of det F. Survives repeated and zero singular values. Row-major.
void pli_svd2(const double F[4], double U[4], double s[2], double V[4]);

// Smallest root in (0, infinity) of a t^2 + b t + c = 0, HUGE_VAL if there is none. Needs no
// scaling of the coefficients; a may be 0.
double pli_smallest_positive_root2(double a, double b, double c);

#endif
