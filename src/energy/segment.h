// What energies of a segment between two vertices a and b share: they depend on d = x_a - x_b
// alone, and their second derivative by d is B = a I + b d d^T.
#ifndef PLI_ENERGY_SEGMENT_H
#define PLI_ENERGY_SEGMENT_H

#include "math/vec.h"
#include "pliant/energy.h"

// d = x_a - x_b of stencil i; returns |d|^2.
static inline double pli_segment_difference(const pli_batch* in, int i, double d[3]) {
    const double* a = in->x + 3 * (size_t)in->vertices[2 * i];
    const double* b = in->x + 3 * (size_t)in->vertices[2 * i + 1];
    pli_sub(a, b, d, in->dim);
    return pli_dot(d, d, in->dim);
}

// g += (s d, -s d)
static inline void pli_segment_add_gradient(int dim, double s, const double d[3], double* g) {
    for (int r = 0; r < dim; ++r) {
        g[r] += s * d[r];
        g[dim + r] -= s * d[r];
    }
}

// H += [B -B; -B B] with B = a I + b d d^T
static inline void pli_segment_add_hessian(int dim, double a, double b, const double d[3],
                                           double* H) {
    int n = 2 * dim;
    for (int r = 0; r < dim; ++r)
        for (int c = 0; c < dim; ++c) {
            double B = b * d[r] * d[c] + (r == c ? a : 0);
            H[r * n + c] += B;
            H[(r + dim) * n + c + dim] += B;
            H[r * n + c + dim] -= B;
            H[(r + dim) * n + c] -= B;
        }
}

// Length of the segment at rest [m]; fails if it is not positive.
pli_status pli_segment_rest_length(const pli_element* element, double* length, pli_error* error);

#endif
