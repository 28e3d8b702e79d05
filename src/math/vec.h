// Small vectors and matrices, inline. 3-vectors are double[3]; 2x2 matrices are double[4], row by
// row.
#ifndef PLI_MATH_VEC_H
#define PLI_MATH_VEC_H

#include <math.h>

static inline double pli_dot(const double* a, const double* b, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

static inline double pli_norm(const double* a, int n) { return sqrt(pli_dot(a, a, n)); }

static inline void pli_sub(const double* a, const double* b, double* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = a[i] - b[i];
}
static inline double pli_largest(const double* x, int n) { // of the magnitudes
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

// y = x; n may be 0 with null pointers.
static inline void pli_copy(const double* x, double* y, int n) {
    for (int i = 0; i < n; ++i) y[i] = x[i];
}

// y += s x
static inline void pli_axpy(double s, const double* x, double* y, int n) {
    for (int i = 0; i < n; ++i) y[i] += s * x[i];
}

static inline void pli_cross3(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double pli_cross2(const double* a, const double* b) {
    return a[0] * b[1] - a[1] * b[0];
}

#endif
