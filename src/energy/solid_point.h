// One point of a solid: from F to value, stress and curvature, with plane stress condensed. The
// dimension is a constant wherever these functions are used; matrices are dim x dim, row by row.
#ifndef PLI_ENERGY_SOLID_POINT_H
#define PLI_ENERGY_SOLID_POINT_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "energy/solid_law.h"
#include "math/small.h"
#include "math/vec.h"

#define PLI_SOLID_INLINE static inline __attribute__((always_inline))

typedef struct pli_point {
    double F[9];
    double zz;          // F_zz of plane problems
    double cofactor[9]; // of F with F_zz
    double s[3], R[9];
    double U[9], V[9]; // in space
    double K[4];       // in the plane: F = q R + r K with the reflection K, s = (q + r, q - r)
    pli_strain strain;
} pli_point;

PLI_SOLID_INLINE void pli_point_strain2(pli_point* p) {
    const double* F = p->F;
    pli_strain* e = &p->strain;
    double x = F[0] - 1, y = F[3] - 1, z = p->zz - 1, det = F[0] * F[3] - F[1] * F[2];
    double area1 = x + y + (x * y - F[1] * F[2]); // det - 1
    e->I3 = 2 * (x + y + z) + (x * x + y * y + z * z + F[1] * F[1] + F[2] * F[2]);
    e->J = det * p->zz;
    e->J1 = area1 + z + area1 * z;
    double Ex = x + 0.5 * (x * x + F[2] * F[2]), Ey = y + 0.5 * (F[1] * F[1] + y * y);
    double Ez = z + 0.5 * z * z, Exy = 0.5 * (F[1] + F[2] + x * F[1] + F[2] * y);
    e->trE = 0.5 * e->I3;
    e->E2 = Ex * Ex + Ey * Ey + Ez * Ez + 2 * (Exy * Exy);
    double shear = 0.5 * (F[1] + F[2]);
    e->tre = x + y + z;
    e->e2 = x * x + y * y + z * z + 2 * (shear * shear);
    p->cofactor[0] = F[3] * p->zz;
    p->cofactor[1] = -F[2] * p->zz;
    p->cofactor[2] = -F[1] * p->zz;
    p->cofactor[3] = F[0] * p->zz;
}

// E_ij = (D_ij + D_ji + sum D_ki D_kj) / 2 with D = F - I
PLI_SOLID_INLINE double pli_green_strain(const double D[9], int i, int j) {
    return 0.5 *
           (D[3 * i + j] + D[3 * j + i] + D[i] * D[j] + D[3 + i] * D[3 + j] + D[6 + i] * D[6 + j]);
}

PLI_SOLID_INLINE void pli_point_strain3(pli_point* p) {
    pli_strain* e = &p->strain;
    double D[9], n[3];
    for (int k = 0; k < 9; ++k) D[k] = p->F[k] - (k % 4 == 0);
    double trace = D[0] + D[4] + D[8];
    for (int i = 0; i < 3; ++i)
        pli_cross3(p->F + 3 * ((i + 1) % 3), p->F + 3 * ((i + 2) % 3), p->cofactor + 3 * i);
    e->J = pli_dot(p->F, p->cofactor, 3);
    pli_cross3(D + 3, D + 6, n);
    double minors =
        D[0] * D[4] - D[1] * D[3] + (D[4] * D[8] - D[5] * D[7]) + (D[8] * D[0] - D[6] * D[2]);
    e->J1 = trace + minors + pli_dot(D, n, 3);
    e->I3 = 2 * trace + pli_dot(D, D, 9);
    e->trE = 0.5 * e->I3;
    e->tre = trace;
    e->E2 = e->e2 = 0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        double own = pli_green_strain(D, i, i), other = pli_green_strain(D, i, j);
        double shear = 0.5 * (D[3 * i + j] + D[3 * j + i]);
        e->E2 += own * own + 2 * (other * other);
        e->e2 += D[4 * i] * D[4 * i] + 2 * (shear * shear);
    }
}

// In the plane F is a rotation R times q plus a reflection K times r; both come from sums and
// differences of entries, without angles. s[1] = q - r is taken as det F / (q + r), which keeps its
// sign and its digits when F is nearly singular.
PLI_SOLID_INLINE void pli_point_frames2(pli_point* p) {
    const double* F = p->F;
    double a = 0.5 * (F[0] + F[3]), b = 0.5 * (F[2] - F[1]), q = sqrt(a * a + b * b);
    double c = 0.5 * (F[0] - F[3]), d = 0.5 * (F[2] + F[1]), r = sqrt(c * c + d * d);
    double over_q = q > 0 ? 1 / q : 0, over_r = r > 0 ? 1 / r : 0;
    double cosine = q > 0 ? a * over_q : 1, sine = b * over_q;
    p->R[0] = p->R[3] = cosine;
    p->R[1] = -sine;
    p->R[2] = sine;
    p->K[0] = r > 0 ? c * over_r : 1;
    p->K[1] = p->K[2] = d * over_r;
    p->K[3] = -p->K[0];
    p->s[0] = q + r;
    p->s[1] = q + r > 0 ? (F[0] * F[3] - F[1] * F[2]) / (q + r) : 0;
}

// Frames, stretches and rotation; s[2] of plane problems is set by the caller.
PLI_SOLID_INLINE void pli_point_frames(const pli_law* law, int dim, pli_point* p) {
    if (law->small) {
        double one[9];
        for (int k = 0; k < dim * dim; ++k) one[k] = k % (dim + 1) == 0;
        memcpy(dim == 2 ? p->R : p->U, one, sizeof one);
        memcpy(p->V, one, sizeof one);
        p->K[0] = 1;
        p->K[1] = p->K[2] = 0;
        p->K[3] = -1;
        p->s[0] = p->s[1] = p->s[2] = 1;
    } else if (dim == 2) {
        pli_point_frames2(p);
    } else {
        pli_svd3(p->F, p->U, p->s, p->V);
        for (int k = 0; law->parts & PLI_PART_R && k < 9; ++k)
            p->R[k] = pli_dot(p->U + k / 3 * 3, p->V + k % 3 * 3, 3);
    }
}

PLI_SOLID_INLINE void pli_point_strain(const pli_law* law, int dim, pli_point* p) {
    if (dim == 2)
        pli_point_strain2(p);
    else
        pli_point_strain3(p);
    // Near rest ln J = ln(1 + u) with u = J - 1 summed from F - I keeps the digits that 1 + u
    // drops.
    if (law->logarithm)
        p->strain.lnJ = fabs(p->strain.J1) < 0.5 ? log1p(p->strain.J1) : log(p->strain.J);
    p->strain.S2 = 0;
    if (dim == 2) p->s[2] = p->zz;
    if (law->stretches)
        for (int i = 0; i < 3; ++i) p->strain.S2 += (p->s[i] - 1) * (p->s[i] - 1);
}

// P_zz
PLI_SOLID_INLINE double pli_stress_across(const pli_law* law, const pli_point* p,
                                          const pli_parts* c) {
    double zz = p->zz, sum = 0;
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
PLI_SOLID_INLINE void pli_point_condense(const pli_law* law, const pli_solid* m, pli_point* p) {
    double low = 0, high = HUGE_VAL;
    p->zz = 1;
    for (int i = 0; i < 100; ++i) {
        pli_parts parts;
        pli_curvature k = {{0}, {0}, {0}, {0}};
        pli_point_strain(law, 2, p);
        law->first(m, &p->strain, &parts);
        law->second(m, &p->strain, p->s, &k);
        double zz = p->zz, stress = pli_stress_across(law, p, &parts), slope = k.same[2];
        double next = zz - stress / slope;
        if (fabs(next - zz) <= 4 * DBL_EPSILON * zz) return;
        if (stress > 0)
            high = zz;
        else
            low = zz;
        if (!(slope > 0 && next > 0.125 * zz && next < 8 * zz)) next = stress > 0 ? zz / 4 : zz * 4;
        if (!(next > low && next < high)) next = 0.5 * (low + high); // then high is finite
        p->zz = next;
    }
}

// Everything that depends on F alone. False: the state is forbidden.
PLI_SOLID_INLINE bool pli_point_state(const pli_law* law, int dim, const pli_solid* m,
                                      bool condensed, bool curved, pli_point* p) {
    p->zz = 1;
    if (dim == 2 && law->positive && !(p->F[0] * p->F[3] - p->F[1] * p->F[2] > 0)) return false;
    if (law->stretches || curved || condensed) pli_point_frames(law, dim, p);
    if (condensed) pli_point_condense(law, m, p);
    pli_point_strain(law, dim, p);
    return !law->positive || (p->strain.J > 0 && p->strain.J < HUGE_VAL);
}

PLI_SOLID_INLINE void pli_point_stress(const pli_law* law, int dim, const pli_point* p,
                                       const pli_parts* c, double P[9]) {
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
            int k = dim * i + j;
            double sum = 0;
            if (law->parts & PLI_PART_F) sum += c->F * p->F[k];
            if (law->parts & PLI_PART_COF) sum += c->cof * p->cofactor[k];
            if (law->parts & PLI_PART_R) sum += c->R * p->R[k];
            if (law->parts & PLI_PART_E)
                sum += c->e * (0.5 * (p->F[k] + p->F[dim * j + i]) - (i == j));
            if (law->parts & PLI_PART_ONE && i == j) sum += c->one;
            P[k] = sum;
        }
    if (!(law->parts & PLI_PART_FE)) return;
    double E[9]; // (F^T F - I) / 2
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
            double sum = i == j ? -1 : 0;
            for (int k = 0; k < dim; ++k) sum += p->F[dim * k + i] * p->F[dim * k + j];
            E[dim * i + j] = 0.5 * sum;
        }
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k)
                P[dim * i + j] += c->FE * p->F[dim * i + k] * E[dim * k + j];
}

// Lifts negative eigenvalues of the 3x3 (2x2) matrix A to 0.
static inline void pli_curvature_clamp_scaling(int dim, pli_curvature* k) {
    double *d = k->same, *o = k->cross;
    double minor = d[0] * d[1] - o[2] * o[2];
    if (dim == 2) {
        if (d[0] >= 0 && d[1] >= 0 && minor >= 0) return;
        double A[4] = {d[0], o[2], o[2], d[1]};
        pli_project_psd(2, A);
        d[0] = A[0];
        d[1] = A[3];
        o[2] = A[1];
        return;
    }
    double det =
        minor * d[2] - d[0] * (o[0] * o[0]) - d[1] * (o[1] * o[1]) + 2 * (o[0] * o[1] * o[2]);
    if (d[0] >= 0 && d[1] >= 0 && d[2] >= 0 && minor >= 0 && det >= 0) return;
    double A[9] = {d[0], o[2], o[1], o[2], d[1], o[0], o[1], o[0], d[2]}, values[3], V[9];
    pli_eigen3(A, values, V);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        d[i] = o[i] = 0;
        for (int e = 0; e < 3; ++e) {
            double value = values[e] > 0 ? values[e] : 0;
            d[i] += value * V[3 * i + e] * V[3 * i + e];
            o[i] += value * V[3 * j + e] * V[3 * l + e];
        }
    }
}

PLI_SOLID_INLINE void pli_point_curvature(const pli_law* law, int dim, const pli_solid* m,
                                          bool condensed, bool project, const pli_point* p,
                                          pli_curvature* k) {
    memset(k, 0, sizeof *k);
    law->second(m, &p->strain, p->s, k);
    // F_zz follows so that P_zz stays 0: A_ij - A_iz A_jz / A_zz.
    if (condensed && k->same[2] > 0 && p->zz > 1e-12) {
        k->same[0] -= k->cross[1] * k->cross[1] / k->same[2];
        k->same[1] -= k->cross[0] * k->cross[0] / k->same[2];
        k->cross[2] -= k->cross[0] * k->cross[1] / k->same[2];
    }
    if (!project) return;
    for (int i = dim == 2 ? 2 : 0; i < 3; ++i) {
        k->twist[i] = k->twist[i] > 0 ? k->twist[i] : 0;
        k->flip[i] = k->flip[i] > 0 ? k->flip[i] : 0;
    }
    pli_curvature_clamp_scaling(dim, k);
}

#endif
