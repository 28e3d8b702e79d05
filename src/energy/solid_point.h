// One quadrature point of each of several solid elements: from F to value, stress and curvature,
// with plane stress condensed. The dimension is a compile-time constant; matrices are dim x dim,
// row by row.
#ifndef PLI_ENERGY_SOLID_POINT_H
#define PLI_ENERGY_SOLID_POINT_H

#include <float.h>
#include <math.h>

#include "energy/solid_law.h"
#include "math/lanes_svd3.h"

typedef struct pli_quadrature_point {
    pli_lanes F[9];
    pli_lanes zz;           // F_zz of plane problems
    pli_lanes cofactor[9];  // of F with F_zz
    pli_symmetric_lanes C1; // F^T F - I
    pli_lanes s[3], R[9];
    pli_lanes U[9], V[9]; // in space
    pli_lanes K[4];       // in the plane: F = q R + r K with the reflection K, s = (q + r, q - r)
    pli_strain strain;
} pli_quadrature_point;

// F^T F - I, on the diagonal by (a - 1) (a + 1) = a^2 - 1. Its error stays below a few ulps of 1 at
// any rotation, and near F = I, where all terms are small, below a few ulps of its own value.
PLI_LANE_INLINE pli_lanes pli_square_strain(pli_lanes own, pli_lanes b, pli_lanes c) {
    return (own - 1) * (own + 1) + (b * b + c * c);
}

// J - 1 from q = J^2 - 1 where that is more accurate: near rest. Farther away q, of higher degree
// in F, loses more digits than J itself.
PLI_LANE_INLINE pli_lanes pli_volume_change(pli_lanes J, pli_lanes q, pli_lanes strain_square) {
    return pli_lanes_select((J > 0) & (strain_square < 1), q / (J + 1), J - 1);
}

PLI_LANE_INLINE void pli_small_strain2(pli_quadrature_point* p) {
    const pli_lanes* F = p->F;
    pli_lanes x = F[0] - 1, y = F[3] - 1, z = p->zz - 1, shear = 0.5 * (F[1] + F[2]);
    p->strain.tre = x + y + z;
    p->strain.e2 = x * x + y * y + z * z + 2 * (shear * shear);
}

PLI_LANE_INLINE void pli_point_strain2(const pli_law* law, pli_quadrature_point* p) {
    const pli_lanes* F = p->F;
    pli_strain* e = &p->strain;
    pli_lanes none = {0}, z = p->zz - 1, det = F[0] * F[3] - F[1] * F[2];
    pli_lanes x = p->C1.d[0] = pli_square_strain(F[0], F[2], none);
    pli_lanes y = p->C1.d[1] = pli_square_strain(F[3], F[1], none);
    pli_lanes zz = p->C1.d[2] = z * (p->zz + 1), xy = p->C1.o[0] = F[0] * F[1] + F[2] * F[3];
    p->C1.o[1] = p->C1.o[2] = none;
    pli_lanes square = x * x + y * y + 2 * (xy * xy);
    pli_lanes area1 = pli_volume_change(det, x + y + (x * y - xy * xy), square);
    e->I3 = x + y + zz;
    e->J = det * p->zz;
    e->J1 = area1 + z + area1 * z;
    e->trE = 0.5 * e->I3;
    e->E2 = 0.25 * (square + zz * zz);
    if (law->parts & PLI_PART_E) pli_small_strain2(p);
    p->cofactor[0] = F[3] * p->zz;
    p->cofactor[1] = -F[2] * p->zz;
    p->cofactor[2] = -F[1] * p->zz;
    p->cofactor[3] = F[0] * p->zz;
}

PLI_LANE_INLINE void pli_small_strain3(pli_quadrature_point* p) {
    const pli_lanes* F = p->F;
    p->strain.tre = p->strain.e2 = pli_lanes_all(0);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        pli_lanes own = F[4 * i] - 1, shear = 0.5 * (F[3 * i + j] + F[3 * j + i]);
        p->strain.tre += own;
        p->strain.e2 += own * own + 2 * (shear * shear);
    }
}

// With C1 = F^T F - I: J^2 - 1 = tr C1 + sum of its minors + det C1.
PLI_LANE_INLINE void pli_point_strain3(const pli_law* law, pli_quadrature_point* p) {
    const pli_lanes* F = p->F;
    pli_strain* e = &p->strain;
    pli_lanes *d = p->C1.d, *o = p->C1.o, minors[3], square = {0};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        pli_lanes_cross3(F + 3 * j, F + 3 * k, p->cofactor + 3 * i);
        d[i] = pli_square_strain(F[4 * i], F[3 * j + i], F[3 * k + i]);
        o[i] = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
        square += d[i] * d[i] + 2 * (o[i] * o[i]);
    }
    for (int i = 0; i < 3; ++i) minors[i] = d[i] * d[(i + 1) % 3] - o[i] * o[i];
    pli_lanes det =
        d[2] * minors[0] + o[1] * (o[0] * o[2] - d[0] * o[1]) + o[2] * (o[0] * o[1] - d[1] * o[2]);
    e->I3 = d[0] + d[1] + d[2];
    e->J = pli_lanes_dot3(F, p->cofactor);
    e->J1 = pli_volume_change(e->J, e->I3 + (minors[0] + minors[1] + minors[2] + det), square);
    e->trE = 0.5 * e->I3;
    e->E2 = 0.25 * square;
    if (law->parts & PLI_PART_E) pli_small_strain3(p);
}

// In the plane F is q times a rotation R plus r times a reflection K; both come from sums and
// differences of entries, without angles. s[1] = q - r is computed as det F / (q + r), which keeps
// its sign and accuracy when F is nearly singular.
PLI_LANE_INLINE void pli_point_frames2(pli_quadrature_point* p) {
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
PLI_LANE_INLINE void pli_point_frames(const pli_law* law, int dim, pli_quadrature_point* p) {
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

PLI_LANE_INLINE void pli_point_strain(const pli_law* law, int dim, pli_quadrature_point* p) {
    if (dim == 2)
        pli_point_strain2(law, p);
    else
        pli_point_strain3(law, p);
    // J - 1 keeps digits near rest that J loses.
    if (law->logarithm) p->strain.lnJ = pli_lanes_log(p->strain.J, p->strain.J1);
    p->strain.S2 = pli_lanes_all(0);
    if (dim == 2) p->s[2] = p->zz;
    if (law->stretches)
        for (int i = 0; i < 3; ++i) p->strain.S2 += (p->s[i] - 1) * (p->s[i] - 1);
}

// P_zz
PLI_LANE_INLINE pli_lanes pli_stress_across(const pli_law* law, const pli_quadrature_point* p,
                                            const pli_stress_parts* c) {
    pli_lanes zz = p->zz, sum = {0};
    if (law->parts & PLI_PART_F) sum += c->F * zz;
    if (law->parts & PLI_PART_COF) sum += c->cof * (p->F[0] * p->F[3] - p->F[1] * p->F[2]);
    if (law->parts & PLI_PART_R) sum += c->R;
    if (law->parts & PLI_PART_FE) sum += c->FE * zz * (0.5 * p->C1.d[2]);
    if (law->parts & PLI_PART_E) sum += c->e * (zz - 1);
    if (law->parts & PLI_PART_ONE) sum += c->one;
    return sum;
}

// Plane stress: F_zz > 0 with P_zz = 0, by Newton's method safeguarded by a bracket. A sheet whose
// solution has F_zz <= 0 (some laws, strongly inverted) ends near 0.
PLI_LANE_FUNCTION void pli_point_condense(const pli_law* law, const pli_lame* m,
                                          pli_quadrature_point* p) {
    pli_lanes low = pli_lanes_all(0), high = pli_lanes_all(HUGE_VAL);
    pli_lane_mask open = low == 0; // not yet solved
    p->zz = pli_lanes_all(1);
    for (int i = 0; i < 100; ++i) {
        pli_stress_parts parts;
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
        // Outside the bracket, which implies that high is finite.
        good = (next > low) & (next < high);
        next = pli_lanes_select(good, next, 0.5 * (low + high));
        p->zz = pli_lanes_select(open, next, zz);
    }
}

// Everything that depends on F only. Returns the mask of allowed states.
PLI_LANE_INLINE pli_lane_mask pli_point_state(const pli_law* law, int dim, const pli_lame* m,
                                              bool condensed, bool curved,
                                              pli_quadrature_point* p) {
    p->zz = pli_lanes_all(1);
    pli_lane_mask allowed = p->zz > 0;
    if (dim == 2 && law->positive) allowed = p->F[0] * p->F[3] - p->F[1] * p->F[2] > 0;
    if (law->stretches || curved || condensed) pli_point_frames(law, dim, p);
    if (condensed) pli_point_condense(law, m, p);
    pli_point_strain(law, dim, p);
    if (law->positive) allowed &= (p->strain.J > 0) & (p->strain.J < HUGE_VAL);
    return allowed;
}

PLI_LANE_INLINE void pli_point_stress(const pli_law* law, int dim, const pli_quadrature_point* p,
                                      const pli_stress_parts* c, pli_lanes P[9]) {
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
    const pli_lanes *d = p->C1.d, *o = p->C1.o, half = 0.5 * c->FE; // E = C1 / 2
    const pli_lanes C1[9] = {d[0], o[0], o[2], o[0], d[1], o[1], o[2], o[1], d[2]};
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k)
                P[dim * i + j] += half * p->F[dim * i + k] * C1[3 * k + j];
}

// Clamps negative eigenvalues of the 2x2 matrix A to 0.
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

// Same for the 3x3 matrix.
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

// Clamps what is negative to 0.
PLI_LANE_INLINE void pli_curvature_project(int dim, pli_curvature* k) {
    for (int i = dim == 2 ? 2 : 0; i < 3; ++i) {
        k->twist[i] = pli_lanes_where(k->twist[i] > 0, k->twist[i]);
        k->flip[i] = pli_lanes_where(k->flip[i] > 0, k->flip[i]);
    }
    if (dim == 2)
        pli_curvature_clamp2(k);
    else
        pli_curvature_clamp3(k);
}

PLI_LANE_INLINE void pli_point_curvature(const pli_law* law, int dim, const pli_lame* m,
                                         bool condensed, bool project,
                                         const pli_quadrature_point* p, pli_curvature* k) {
    pli_curvature_clear(k);
    law->second(m, &p->strain, p->s, k);
    // F_zz changes so that P_zz stays 0: A_ij - A_iz A_jz / A_zz.
    if (condensed) {
        pli_lanes over = pli_lanes_where((k->same[2] > 0) & (p->zz > 1e-12), 1 / k->same[2]);
        k->same[0] -= k->cross[1] * k->cross[1] * over;
        k->same[1] -= k->cross[0] * k->cross[0] * over;
        k->cross[2] -= k->cross[0] * k->cross[1] * over;
    }
    if (project) pli_curvature_project(dim, k);
}

#endif
