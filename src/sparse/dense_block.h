// Cholesky factorization of one small dense block, column-major with leading dimension `height`: A
// = L L^T. Only the lower triangle is read and written; the diagonal of L is stored as its
// reciprocal, so that solves multiply.
#ifndef PLI_SPARSE_DENSE_BLOCK_H
#define PLI_SPARSE_DENSE_BLOCK_H

#include <math.h>
#include <stdbool.h>

// False if a pivot is not positive (or NaN); `a` is then partly overwritten.
static inline bool pli_block_factorize(int n, double* a, int height) {
    for (int j = 0; j < n; ++j) {
        double* column = a + j * height;
        if (!(column[j] > 0) || isinf(column[j])) return false;
        double inverse = 1 / sqrt(column[j]);
        column[j] = inverse;
        for (int i = j + 1; i < n; ++i) column[i] *= inverse;
        for (int k = j + 1; k < n; ++k)
            for (int i = k; i < n; ++i) a[k * height + i] -= column[i] * column[k];
    }
    return true;
}

// x = L^-T L^-1 x
static inline void pli_block_solve(int n, const double* l, int height, double* x) {
    for (int j = 0; j < n; ++j) {
        const double* column = l + j * height;
        x[j] *= column[j];
        for (int i = j + 1; i < n; ++i) x[i] -= column[i] * x[j];
    }
    for (int j = n - 1; j >= 0; --j) {
        const double* column = l + j * height;
        for (int i = j + 1; i < n; ++i) x[j] -= column[i] * x[i];
        x[j] *= column[j];
    }
}

#endif
