// Linear triangles in space, evaluated in their own plane: the frame of each, and forces and
// stiffness from its plane to space. Second derivatives of an energy of the metric split into those
// of the plane and, across it, the tension (eigenmodes Psi_i / s_i along the normal).
#ifndef PLI_ENERGY_SOLID_SHEET_H
#define PLI_ENERGY_SOLID_SHEET_H

#include "energy/packed.h"
#include "energy/solid_point.h"

// A triangle in its own plane: axes Q = (e1, e2) with e1 along the first edge, the unit normal n,
// and the edges in the plane. Triangles without area get any frame that contains their edges.
typedef struct pli_sheet_frame {
    pli_lanes e1[3], e2[3], n[3], d[4];
} pli_sheet_frame;

// a / |a|, or `other` where a = 0; returns |a|.
PLI_LANE_INLINE pli_lanes pli_sheet_unit3(const pli_lanes a[3], const pli_lanes other[3],
                                          pli_lanes out[3]) {
    pli_lanes length = pli_lanes_sqrt(pli_lanes_dot3(a, a)), over = 1 / length;
    for (int c = 0; c < 3; ++c) out[c] = pli_lanes_select(length > 0, a[c] * over, other[c]);
    return length;
}

PLI_LANE_INLINE void pli_sheet_frame_of(const pli_lanes edges[6], pli_sheet_frame* f) {
    const pli_lanes none = {0}, one = none + 1, x[3] = {one, none, none};
    const pli_lanes *d1 = edges, *d2 = edges + 3;
    pli_lanes second[3], n[3], side[3];
    pli_sheet_unit3(d2, x, second);
    pli_lanes length = pli_sheet_unit3(d1, second, f->e1);
    pli_lanes_cross3(f->e1, d2, n);
    // The cross product of nearly parallel edges is not quite normal to e1.
    pli_lanes along = pli_lanes_dot3(n, f->e1);
    for (int c = 0; c < 3; ++c) n[c] -= along * f->e1[c];
    // Any normal to e1: to the axis that is the least parallel to it.
    pli_lane_mask steep = pli_lanes_abs(f->e1[0]) > 0.7;
    pli_lanes axis[3] = {pli_lanes_where(~steep, one), pli_lanes_where(steep, one), none};
    pli_lanes_cross3(f->e1, axis, side);
    pli_sheet_unit3(side, x, second);
    pli_sheet_unit3(n, second, f->n);
    pli_lanes_cross3(f->n, f->e1, f->e2);
    f->d[0] = length;
    f->d[1] = none;
    f->d[2] = pli_lanes_dot3(d2, f->e1);
    f->d[3] = pli_lanes_dot3(d2, f->e2);
}

// The second Piola-Kirchhoff stress S = F^-1 P = V diag(Psi_i / s_i) V^T, with `project` its
// positive part: xx, yy, xy. Its product with vectors of the sheet is the curvature of the energy
// across it. R^T K = V diag(1, -1) V^T.
PLI_LANE_INLINE void pli_sheet_tension(const pli_law* law, const pli_quadrature_point* p,
                                       const pli_stress_parts* c, bool project, pli_lanes S[3]) {
    pli_lanes a[2];
    for (int i = 0; i < 2; ++i) {
        pli_lanes s = p->s[i], other = p->s[1 - i];
        pli_lanes over = 1 / pli_lanes_select(s > 1e-100, s, pli_lanes_all(1e-100));
        a[i] = pli_lanes_all(0);
        if (law->parts & PLI_PART_F) a[i] += c->F;
        if (law->parts & PLI_PART_COF) a[i] += c->cof * (other * p->zz) * over;
        if (law->parts & PLI_PART_R) a[i] += c->R * over;
        if (law->parts & PLI_PART_FE) a[i] += c->FE * (0.5 * (s - 1) * (s + 1));
        if (project) a[i] = pli_lanes_where(a[i] > 0, a[i]);
    }
    const pli_lanes *R = p->R, *K = p->K, mean = 0.5 * (a[0] + a[1]), half = 0.5 * (a[0] - a[1]);
    pli_lanes xx = R[0] * K[0] + R[2] * K[2], xy = R[0] * K[1] + R[2] * K[3];
    S[0] = mean + half * xx;
    S[1] = mean - half * xx;
    S[2] = half * xy;
}

// The 3x3 block of a pair of vertices: B in the plane of the sheet, `o` across it.
PLI_LANE_INLINE void pli_sheet_block(const pli_sheet_frame* f, const pli_lanes B[4], pli_lanes o,
                                     bool symmetric, pli_lanes out[9]) {
    for (int a = 0; a < 3; ++a) {
        pli_lanes t1 = f->e1[a] * B[0] + f->e2[a] * B[2], t2 = f->e1[a] * B[1] + f->e2[a] * B[3];
        for (int c = symmetric ? a : 0; c < 3; ++c) {
            out[3 * a + c] = t1 * f->e1[c] + t2 * f->e2[c] + o * (f->n[a] * f->n[c]);
            if (symmetric) out[3 * c + a] = out[3 * a + c];
        }
    }
}

// From the stiffness of the triangle in its plane to that in space.
PLI_LANE_INLINE void pli_sheet_lift_stiffness(const pli_sheet_frame* f, const pli_lanes* plane,
                                              pli_lanes w, const pli_lanes S[3], const pli_lanes* G,
                                              pli_lanes* H) {
    for (int u = 0; u < 2; ++u)
        for (int v = 0; v <= u; ++v) {
            const pli_lanes *g = G + 2 * v, *h = G + 2 * u;
            pli_lanes o = (g[0] * S[0] + g[1] * S[2]) * h[0] + (g[0] * S[2] + g[1] * S[1]) * h[1];
            pli_sheet_block(f, plane + PLI_PACKED_AT(2, u + 1, v + 1), w * o, u == v,
                            H + PLI_PACKED_AT(3, u + 1, v + 1));
        }
}

PLI_LANE_INLINE void pli_sheet_lift_force(const pli_sheet_frame* f, const pli_lanes* plane,
                                          pli_lanes* g) {
    for (int v = 1; v < 3; ++v)
        for (int a = 0; a < 3; ++a)
            g[3 * v + a] = plane[2 * v] * f->e1[a] + plane[2 * v + 1] * f->e2[a];
}

#endif
