// One linear or quadratic element in differences from its first vertex: from positions to F and
// back to forces and stiffness. Written for PLI_NUMBER, a double or a vector with one element per
// lane; dimension and vertices are constants wherever these functions are used.
// Local matrices are packed (packed.h).
#ifndef PLI_ENERGY_SOLID_ELEMENT_H
#define PLI_ENERGY_SOLID_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "energy/packed.h"

#ifndef PLI_NUMBER
#define PLI_NUMBER double
#define PLI_SOLID_INLINE static inline __attribute__((always_inline))
#endif

// Differences of the positions of an element from its first vertex, for all others.
static inline void pli_solid_edges(int dim, int width, const int32_t* vertices, const double* x,
                                   double* d) {
    const double* x0 = x + 3 * (size_t)vertices[0];
    for (int v = 1; v < width; ++v) {
        const double* xv = x + 3 * (size_t)vertices[v];
        for (int a = 0; a < dim; ++a) d[(v - 1) * dim + a] = xv[a] - x0[a];
    }
}

// F = sum d_v x G_v over all vertices but the first
PLI_SOLID_INLINE void pli_solid_gradient(int dim, int width, const PLI_NUMBER* d,
                                         const PLI_NUMBER* G, PLI_NUMBER* F) {
    for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b) {
            PLI_NUMBER sum = d[a] * G[b];
            for (int v = 1; v < width - 1; ++v) sum += d[v * dim + a] * G[v * dim + b];
            F[dim * a + b] = sum;
        }
}

// g_v += w P G_v for all vertices but the first; `g` is that of all
PLI_SOLID_INLINE void pli_solid_add_force(int dim, int width, PLI_NUMBER w, const PLI_NUMBER* P,
                                          const PLI_NUMBER* G, PLI_NUMBER* g) {
    for (int v = 0; v < width - 1; ++v)
        for (int a = 0; a < dim; ++a) {
            PLI_NUMBER sum = P[dim * a] * G[v * dim];
            for (int b = 1; b < dim; ++b) sum += P[dim * a + b] * G[v * dim + b];
            g[(v + 1) * dim + a] += w * sum;
        }
}

// The first vertex takes minus the sum of all others.
PLI_SOLID_INLINE void pli_solid_close_force(int dim, int width, PLI_NUMBER* g) {
    for (int a = 0; a < dim; ++a) {
        PLI_NUMBER sum = g[dim + a];
        for (int v = 2; v < width; ++v) sum += g[v * dim + a];
        g[a] = -sum;
    }
}

// The entry (i r, w c) of the matrix, for any i and w.
PLI_SOLID_INLINE PLI_NUMBER pli_solid_entry(int dim, const PLI_NUMBER* H, int i, int r, int w,
                                            int c) {
    return w <= i ? H[PLI_PACKED_AT(dim, i, w) + c * dim + r]
                  : H[PLI_PACKED_AT(dim, w, i) + r * dim + c];
}

// Rows and columns of the first vertex: minus the sums of the others.
PLI_SOLID_INLINE void pli_solid_close_stiffness(int dim, int width, PLI_NUMBER* H) {
    for (int i = width - 1; i >= 0; --i) // (0, 0) comes last, from the blocks (w, 0)
        for (int c = 0; c < dim; ++c)
            for (int r = i > 0 ? 0 : c; r < dim; ++r) {
                PLI_NUMBER sum = i > 0 ? pli_solid_entry(dim, H, i, r, 1, c)
                                       : pli_solid_entry(dim, H, 1, r, 0, c);
                for (int w = 2; w < width; ++w)
                    sum += i > 0 ? pli_solid_entry(dim, H, i, r, w, c)
                                 : pli_solid_entry(dim, H, w, r, 0, c);
                H[PLI_PACKED_AT(dim, i, 0) + c * dim + r] = -sum;
                if (i == 0) H[r * dim + c] = -sum;
            }
}

#endif
