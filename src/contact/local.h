// Local vectors and matrices of a contact stencil, built from two small factors: a weight per
// vertex and a direction in space. Every contact force has this form.
#ifndef PLI_CONTACT_LOCAL_H
#define PLI_CONTACT_LOCAL_H

#include "math/vec.h"

// Some unit vector perpendicular to t, which is a unit vector or 0.
static inline void pli_any_perpendicular(int dim, const double t[3], double n[3]) {
    // The axis with the smallest component along t, minus its part along t.
    int axis = 0;
    for (int k = 1; k < dim; ++k)
        if (fabs(t[k]) < fabs(t[axis])) axis = k;
    n[2] = 0;
    for (int k = 0; k < dim; ++k) n[k] = (k == axis) - t[axis] * t[k];
    double length = pli_norm(n, dim);
    for (int k = 0; k < dim; ++k) n[k] /= length;
}

// g += s c (x) u: s c_i u_k is added to entry (i, k). c has `width` entries, u has `dim`.
static inline void pli_local_add_vector(int width, int dim, double s, const double* c,
                                        const double* u, double* g) {
    for (int i = 0; i < width; ++i)
        for (int k = 0; k < dim; ++k) g[i * dim + k] += s * c[i] * u[k];
}

// H += N (x) u v^T: N_ij u_k v_l is added to entry (i, k), (j, l). N is width x width.
static inline void pli_local_add_matrix(int width, int dim, const double* N, const double* u,
                                        const double* v, double* H) {
    int n = width * dim;
    for (int i = 0; i < width; ++i)
        for (int j = 0; j < width; ++j)
            for (int k = 0; k < dim; ++k)
                for (int l = 0; l < dim; ++l)
                    H[(i * dim + k) * n + j * dim + l] += N[i * width + j] * u[k] * v[l];
}

// H += s (c c^T) (x) u u^T.
static inline void pli_local_add_square(int width, int dim, double s, const double* c,
                                        const double* u, double* H) {
    int n = width * dim;
    for (int i = 0; i < width; ++i)
        for (int j = 0; j < width; ++j)
            for (int k = 0; k < dim; ++k)
                for (int l = 0; l < dim; ++l)
                    H[(i * dim + k) * n + j * dim + l] += s * (c[i] * c[j]) * (u[k] * u[l]);
}

#endif
