// The angle between the two triangles at an edge, with its derivatives: shared by the energies of
// bending. The four vertices are apex, the two ends of the edge, the other apex. theta is 0 where
// the triangles are coplanar, and is the signed angle of their normals about the edge, in -pi ..
// pi. Seen from the other triangle (its apex first, the ends swapped) it is the same.
//
// With n1 = (x1 - x0) x (x2 - x0), n2 = (x2 - x3) x (x1 - x3) and m = n / |n|^2 the gradient is
//
//     d theta / dx_a = c_a1 m1 + c_a2 m2,
//     c_01 = c_32 = -|e|,  c_1t = (x2 - p_t).e/|e|,  c_2t = (p_t - x1).e/|e|,   p = apex of t.
#ifndef PLI_ENERGY_FOLD_H
#define PLI_ENERGY_FOLD_H

#include <stdbool.h>

#include "math/elementary.h"
#include "math/vec.h"

enum { PLI_FOLD_WIDTH = 4, PLI_FOLD_SIZE = 3 * PLI_FOLD_WIDTH };

// A hinge as it is now; index t: of the triangle with vertex 0, of that with vertex 3.
typedef struct pli_fold {
    double e[3], length;       // unit vector from x1 to x2, |x2 - x1|
    double p1[2][3], p2[2][3]; // x1, x2 - apex
    double n[2][3], square[2]; // normal, |n|^2
    double c[PLI_FOLD_WIDTH][2];
} pli_fold;

// False if an area is 0: there is no angle then.
static inline bool pli_fold_open(const double x[PLI_FOLD_SIZE], pli_fold* f) {
    pli_sub(x + 6, x + 3, f->e, 3);
    f->length = pli_norm(f->e, 3);
    for (int r = 0; r < 3; ++r) f->e[r] /= f->length;
    for (int t = 0; t < 2; ++t) {
        pli_sub(x + 3, x + 9 * t, f->p1[t], 3);
        pli_sub(x + 6, x + 9 * t, f->p2[t], 3);
        if (t == 0) pli_cross3(f->p1[t], f->p2[t], f->n[t]);
        if (t == 1) pli_cross3(f->p2[t], f->p1[t], f->n[t]);
        f->square[t] = pli_dot(f->n[t], f->n[t], 3);
        f->c[3 * t][t] = -f->length;
        f->c[3 - 3 * t][t] = 0;
        f->c[1][t] = pli_dot(f->p2[t], f->e, 3);
        f->c[2][t] = -pli_dot(f->p1[t], f->e, 3);
    }
    return f->square[0] > 0 && f->square[1] > 0;
}

static inline double pli_fold_angle(const pli_fold* f) {
    double cross[3];
    pli_cross3(f->n[0], f->n[1], cross);
    return pli_atan2(pli_dot(cross, f->e, 3), pli_dot(f->n[0], f->n[1], 3));
}

static inline void pli_fold_gradient(const pli_fold* f, double g[PLI_FOLD_SIZE]) {
    for (int a = 0; a < PLI_FOLD_WIDTH; ++a)
        for (int r = 0; r < 3; ++r)
            g[3 * a + r] =
                f->c[a][0] * f->n[0][r] / f->square[0] + f->c[a][1] * f->n[1][r] / f->square[1];
}

// The derivative of the gradient in the direction d: of each product c m.
static inline void pli_fold_curvature(const pli_fold* f, const double d[PLI_FOLD_SIZE],
                                      double out[PLI_FOLD_SIZE]) {
    double de[3];
    pli_sub(d + 6, d + 3, de, 3);
    double stretch = pli_dot(f->e, de, 3);
    for (int r = 0; r < 3; ++r) de[r] = (de[r] - f->e[r] * stretch) / f->length;
    for (int a = 0; a < PLI_FOLD_SIZE; ++a) out[a] = 0;
    for (int t = 0; t < 2; ++t) {
        double d1[3], d2[3], left[3], right[3], dn[3], dc[PLI_FOLD_WIDTH] = {0};
        pli_sub(d + 3, d + 9 * t, d1, 3);
        pli_sub(d + 6, d + 9 * t, d2, 3);
        pli_cross3(d1, f->p2[t], left);
        pli_cross3(f->p1[t], d2, right);
        for (int r = 0; r < 3; ++r) dn[r] = (t == 0 ? 1 : -1) * (left[r] + right[r]);
        dc[3 * t] = -stretch;
        dc[1] = pli_dot(d2, f->e, 3) + pli_dot(f->p2[t], de, 3);
        dc[2] = -pli_dot(d1, f->e, 3) - pli_dot(f->p1[t], de, 3);
        double shrink = 2 * pli_dot(f->n[t], dn, 3) / f->square[t];
        for (int a = 0; a < PLI_FOLD_WIDTH; ++a)
            for (int r = 0; r < 3; ++r)
                out[3 * a + r] +=
                    (dc[a] * f->n[t][r] + f->c[a][t] * (dn[r] - shrink * f->n[t][r])) /
                    f->square[t];
    }
}

#endif
