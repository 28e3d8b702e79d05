// One point of each of several solid elements: from F to value, stress and curvature, with plane
// stress condensed. The dimension is a constant wherever these functions are used; matrices are
// dim x dim, row by row.
#ifndef PLI_ENERGY_SOLID_POINT_H
#define PLI_ENERGY_SOLID_POINT_H

#include <float.h>
#include <math.h>

#include "energy/solid_law.h"
#include "math/lanes_svd3.h"

typedef struct pli_point {
    pli_lanes F[9];
    pli_lanes zz;          // F_zz of plane problems
    pli_lanes cofactor[9]; // of F with F_zz
    pli_lanes s[3], R[9];
    pli_lanes U[9], V[9]; // in space
    pli_lanes K[4];       // in the plane: F = q R + r K with the reflection K, s = (q + r, q - r)
    pli_strain strain;
} pli_point;

PLI_LANE_INLINE void pli_point_strain2(pli_point* p) {
    const pli_lanes* F = p->F;
    pli_strain* e = &p->strain;
    pli_lanes x = F[0] - 1, y = F[3] - 1, z = p->zz - 1, det = F[0] * F[3] - F[1] * F[2];
    pli_lanes area1 = x + y + (x * y - F[1] * F[2]); // det - 1
    e->I3 = 2 * (x + y + z) + (x * x + y * y + z * z + F[1] * F[1] + F[2] * F[2]);
    e->J = det * p->zz;
    e->J1 = area1 + z + area1 * z;
    pli_lanes Ex = x + 0.5 * (x * x + F[2] * F[2]), Ey = y + 0.5 * (F[1] * F[1] + y * y);
    pli_lanes Ez = z + 0.5 * z * z, Exy = 0.5 * (F[1] + F[2] + x * F[1] + F[2] * y);
    e->trE = 0.5 * e->I3;
    e->E2 = Ex * Ex + Ey * Ey + Ez * Ez + 2 * (Exy * Exy);
    pli_lanes shear = 0.5 * (F[1] + F[2]);
    e->tre = x + y + z;
    e->e2 = x * x + y * y + z * z + 2 * (shear * shear);
    p->cofactor[0] = F[3] * p->zz;
    p->cofactor[1] = -F[2] * p->zz;
    p->cofactor[2] = -F[1] * p->zz;
    p->cofactor[3] = F[0] * p->zz;
}

// E_ij = (D_ij + D_ji + sum D_ki D_kj) / 2 with D = F - I
PLI_LANE_INLINE pli_lanes pli_green_strain(const pli_lanes D[9], int i, int j) {
    return 0.5 *
           (D[3 * i + j] + D[3 * j + i] + D[i] * D[j] + D[3 + i] * D[3 + j] + D[6 + i] * D[6 + j]);
}

PLI_LANE_INLINE void pli_point_strain3(const pli_law* law, pli_point* p) {
    pli_strain* e = &p->strain;
    pli_lanes D[9], n[3], square = {0};
    for (int k = 0; k < 9; ++k) {
        D[k] = p->F[k] - (k % 4 == 0);
        square += D[k] * D[k];
    }
    pli_lanes trace = D[0] + D[4] + D[8];
    for (int i = 0; i < 3; ++i)
        pli_lanes_cross3(p->F + 3 * ((i + 1) % 3), p->F + 3 * ((i + 2) % 3), p->cofactor + 3 * i);
    e->J = pli_lanes_dot3(p->F, p->cofactor);
    pli_lanes_cross3(D + 3, D + 6, n);
    pli_lanes minors =
        D[0] * D[4] - D[1] * D[3] + (D[4] * D[8] - D[5] * D[7]) + (D[8] * D[0] - D[6] * D[2]);
    e->J1 = trace + minors + pli_lanes_dot3(D, n);
    e->I3 = 2 * trace + square;
    e->trE = 0.5 * e->I3;
    e->tre = trace;
    e->E2 = e->e2 = pli_lanes_all(0);
    for (int i = 0; law->parts & (PLI_PART_FE | PLI_PART_E) && i < 3; ++i) {
        int j = (i + 1) % 3;
        pli_lanes own = pli_green_strain(D, i, i), other = pli_green_strain(D, i, j);
        pli_lanes shear = 0.5 * (D[3 * i + j] + D[3 * j + i]);
        e->E2 += own * own + 2 * (other * other);
        e->e2 += D[4 * i] * D[4 * i] + 2 * (shear * shear);
    }
}

// In the plane F is a rotation R times q plus a reflection K times r; both come from sums and
// differences of entries, without angles. s[1] = q - r is taken as det F / (q + r), which keeps its
// sign and its digits when F is nearly singular.
PLI_LANE_INLINE void pli_point_frames2(pli_point* p) {
    const pli_lanes *F = p->F, one = pli_lanes_all(1);
    pli_lanes a = 0.5 * (F[0] + F[3]), b = 0.5 * (F[2] - F[1]), q = pli_lanes_sqrt(a * a + b * b);
    pli_lanes c = 0.5 * (F[0] - F[3]), d = 0.5 * (F[2] + F[1]), r = pli_lanes_sqrt(c * c + d * d);
    pli_lanes over_q = pli_lanes_where(q > 0, 1 / q), over_r = pli_lanes_where(r > 0, 1 / r);
    pli_lanes sine = b * over_q;
    p->R[0] = p->R[3] = pli_lanes_select(q > 0, a * over_q, one);
    p->R[1] = -sine;
    p->R[2] = sine;
    p->K[0] = pli_lanes_select(r > 0, c * over_r, one);
    p->K[1] = p->K[2] = d * over_r;
    p->K[3] = -p->K[0];
    p->s[0] = q + r;
    p->s[1] = pli_lanes_where(q + r > 0, (F[0] * F[3] - F[1] * F[2]) / (q + r));
}

// Frames, stretches and rotation; s[2] of plane problems is set by the caller.
PLI_LANE_INLINE void pli_point_frames(const pli_law* law, int dim, pli_point* p) {
    if (law->small) {
        pli_lanes* frame = dim == 2 ? p->R : p->U;
        for (int k = 0; k < dim * dim; ++k) frame[k] = p->V[k] = pli_lanes_all(k % (dim + 1) == 0);
        p->K[0] = pli_lanes_all(1);
        p->K[1] = p->K[2] = pli_lanes_all(0);
        p->K[3] = pli_lanes_all(-1);
        p->s[0] = p->s[1] = p->s[2] = pli_lanes_all(1);
    } else if (dim == 2) {
        pli_point_frames2(p);
    } else {
        pli_svd3_lanes(p->F, p->U, p->s, p->V);
        for (int k = 0; law->parts & PLI_PART_R && k < 9; ++k)
            p->R[k] = pli_lanes_dot3(p->U + k / 3 * 3, p->V + k % 3 * 3);
    }
}

PLI_LANE_INLINE void pli_point_strain(const pli_law* law, int dim, pli_point* p) {
    if (dim == 2)
        pli_point_strain2(p);
    else
        pli_point_strain3(law, p);
    // J - 1, summed from F - I, keeps digits near rest that J drops.
    if (law->logarithm) p->strain.lnJ = pli_lanes_log(p->strain.J, p->strain.J1);
    p->strain.S2 = pli_lanes_all(0);
    if (dim == 2) p->s[2] = p->zz;
    if (law->stretches)
        for (int i = 0; i < 3; ++i) p->strain.S2 += (p->s[i] - 1) * (p->s[i] - 1);
}

// P_zz
PLI_LANE_INLINE pli_lanes pli_stress_across(const pli_law* law, const pli_point* p,
                                            const pli_parts* c) {
    pli_lanes zz = p->zz, sum = {0};
    if (law->parts & PLI_PART_F) sum += c->F * zz;
    if (law->parts & PLI_PART_COF) sum += c->cof * (p->F[0] * p->F[3] - p->F[1] * p->F[2]);
    if (law->parts & PLI_PART_R) sum += c->R;
    if (law->parts & PLI_PART_FE) sum += c->FE * zz * (0.5 * (zz * zz - 1));
    if (law->parts & PLI_PART_E) sum += c->e * (zz - 1);
    if (law->parts & PLI_PART_ONE) sum += c->one;
    return sum;
}

// Plane stress: F_zz > 0 with P_zz = 0, by Newton's method kept inside a bracket. A sheet that
// would rather have F_zz <= 0 (some laws, far inside out) ends near 0.
PLI_LANE_FUNCTION void pli_point_condense(const pli_law* law, const pli_lame* m, pli_point* p) {
    pli_lanes low = pli_lanes_all(0), high = pli_lanes_all(HUGE_VAL);
    pli_lane_mask open = low == 0; // not yet found
    p->zz = pli_lanes_all(1);
    for (int i = 0; i < 100; ++i) {
        pli_parts parts;
        pli_curvature k;
        pli_curvature_clear(&k);
        pli_point_strain(law, 2, p);
        law->first(m, &p->strain, &parts);
        law->second(m, &p->strain, p->s, &k);
        pli_lanes zz = p->zz, stress = pli_stress_across(law, p, &parts), slope = k.same[2];
        pli_lanes next = zz - stress / slope;
        open &= ~(pli_lanes_abs(next - zz) <= 4 * DBL_EPSILON * zz);
        if (!pli_lanes_any(open)) return;
        pli_lane_mask pulled = stress > 0;
        high = pli_lanes_select(pulled, zz, high);
        low = pli_lanes_select(pulled, low, zz);
        pli_lane_mask good = (slope > 0) & (next > 0.125 * zz) & (next < 8 * zz);
        next = pli_lanes_select(good, next, pli_lanes_select(pulled, zz / 4, zz * 4));
        // Outside the bracket: then high is finite.
        good = (next > low) & (next < high);
        next = pli_lanes_select(good, next, 0.5 * (low + high));
        p->zz = pli_lanes_select(open, next, zz);
    }
}

// Everything that depends on F alone. Returns where the state is allowed.
PLI_LANE_INLINE pli_lane_mask pli_point_state(const pli_law* law, int dim, const pli_lame* m,
                                              bool condensed, bool curved, pli_point* p) {
    p->zz = pli_lanes_all(1);
    pli_lane_mask allowed = p->zz > 0;
    if (dim == 2 && law->positive) allowed = p->F[0] * p->F[3] - p->F[1] * p->F[2] > 0;
    if (law->stretches || curved || condensed) pli_point_frames(law, dim, p);
    if (condensed) pli_point_condense(law, m, p);
    pli_point_strain(law, dim, p);
    if (law->positive) allowed &= (p->strain.J > 0) & (p->strain.J < HUGE_VAL);
    return allowed;
}

PLI_LANE_INLINE void pli_point_stress(const pli_law* law, int dim, const pli_point* p,
                                      const pli_parts* c, pli_lanes P[9]) {
    for (int k = 0; k < dim * dim; ++k) {
        int i = k / dim, j = k % dim;
        P[k] = pli_lanes_all(0);
        if (law->parts & PLI_PART_F) P[k] += c->F * p->F[k];
        if (law->parts & PLI_PART_COF) P[k] += c->cof * p->cofactor[k];
        if (law->parts & PLI_PART_R) P[k] += c->R * p->R[k];
        if (law->parts & PLI_PART_E)
            P[k] += c->e * (0.5 * (p->F[k] + p->F[dim * j + i]) - (i == j));
        if (law->parts & PLI_PART_ONE && i == j) P[k] += c->one;
    }
    if (!(law->parts & PLI_PART_FE)) return;
    pli_lanes E[9]; // (F^T F - I) / 2
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
            pli_lanes sum = pli_lanes_all(i == j ? -1 : 0);
            for (int k = 0; k < dim; ++k) sum += p->F[dim * k + i] * p->F[dim * k + j];
            E[dim * i + j] = 0.5 * sum;
        }
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k)
                P[dim * i + j] += c->FE * p->F[dim * i + k] * E[dim * k + j];
}

// Lifts negative eigenvalues of the 2x2 matrix A to 0.
PLI_LANE_INLINE void pli_curvature_clamp2(pli_curvature* k) {
    pli_lanes *d = k->same, *o = k->cross;
    pli_lane_mask good = (d[0] >= 0) & (d[1] >= 0) & (d[0] * d[1] - o[2] * o[2] >= 0);
    if (!pli_lanes_any(~good)) return;
    for (int l = 0; l < PLI_LANE_COUNT; ++l) {
        if (good[l]) continue;
        double A[4] = {d[0][l], o[2][l], o[2][l], d[1][l]};
        pli_project_psd(2, A);
        d[0][l] = A[0];
        d[1][l] = A[3];
        o[2][l] = A[1];
    }
}

// The same of the 3x3 matrix.
PLI_LANE_INLINE void pli_curvature_clamp3(pli_curvature* k) {
    pli_lanes *d = k->same, *o = k->cross, minor = d[0] * d[1] - o[2] * o[2];
    pli_lanes det =
        minor * d[2] - d[0] * (o[0] * o[0]) - d[1] * (o[1] * o[1]) + 2 * (o[0] * o[1] * o[2]);
    pli_lane_mask good = (d[0] >= 0) & (d[1] >= 0) & (d[2] >= 0) & (minor >= 0) & (det >= 0);
    if (!pli_lanes_any(~good)) return;
    pli_lanes A[9] = {d[0], o[2], o[1], o[2], d[1], o[0], o[1], o[0], d[2]}, values[3], V[9];
    pli_eigen3_lanes(A, values, V);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        pli_lanes same = {0}, cross = {0};
        for (int e = 0; e < 3; ++e) {
            pli_lanes value = pli_lanes_where(values[e] > 0, values[e]);
            same += value * V[3 * i + e] * V[3 * i + e];
            cross += value * V[3 * j + e] * V[3 * l + e];
        }
        d[i] = pli_lanes_select(good, d[i], same);
        o[i] = pli_lanes_select(good, o[i], cross);
    }
}

PLI_LANE_INLINE void pli_point_curvature(const pli_law* law, int dim, const pli_lame* m,
                                         bool condensed, bool project, const pli_point* p,
                                         pli_curvature* k) {
    pli_curvature_clear(k);
    law->second(m, &p->strain, p->s, k);
    // F_zz follows so that P_zz stays 0: A_ij - A_iz A_jz / A_zz.
    if (condensed) {
        pli_lanes over = pli_lanes_where((k->same[2] > 0) & (p->zz > 1e-12), 1 / k->same[2]);
        k->same[0] -= k->cross[1] * k->cross[1] * over;
        k->same[1] -= k->cross[0] * k->cross[0] * over;
        k->cross[2] -= k->cross[0] * k->cross[1] * over;
    }
    if (!project) return;
    for (int i = dim == 2 ? 2 : 0; i < 3; ++i) {
        k->twist[i] = pli_lanes_where(k->twist[i] > 0, k->twist[i]);
        k->flip[i] = pli_lanes_where(k->flip[i] > 0, k->flip[i]);
    }
    if (dim == 2)
        pli_curvature_clamp2(k);
    else
        pli_curvature_clamp3(k);
}

#endif
