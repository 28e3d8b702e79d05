// Solids with memory (plastic, viscous): one quadrature point of several elements (math/lanes.h).
//
// The energy density of a step is the minimum of what the material would store and dissipate over
// all that it may flow in this step [OrtizStainier99], as a function of the trial F_tr = F F_p^-1
// with the plastic F_p at the start of the step. It depends on the principal logarithmic stretches
// e = ln s of F_tr only, in two numbers: the size of the shear n = |dev e| and the volume t = tr e,
//
//     Psi = D(n) + V(t)    [Pa],    D and V convex.
//
// So it is an ordinary potential of F, and its gradient is the stress that returns to the yield
// surface: Kirchhoff's tau_i = D'/n dev e_i + V'. `commit` takes the flow over into F_p.
//
// A material is several branches in parallel, each with its own F_p: 0 has none (elastic), the
// others flow. A law writes only D and V of each branch (`flow` in pli_law).
//
// From F_tr to vertices: F_tr = sum d_v x (F_p^-T G_v), so elements replace G_v by F_p^-T G_v and
// use the code of elastic solids.
#ifndef PLI_ENERGY_SOLID_FLOW_H
#define PLI_ENERGY_SOLID_FLOW_H

#include "energy/solid_point.h"

// One branch at a point.
typedef struct pli_flow_branch {
    pli_quadrature_point p; // F, frames and stretches of the trial
    pli_lanes Fp[9];        // F_p^-1; in the plane 00 01 10 11 zz
    pli_lanes memory[PLI_FLOW_SCALARS];
    pli_lanes e[3], dev[3], n, t;
    pli_flow r;
} pli_flow_branch;

// The response at e; e[2] of plane problems is set by the caller.
PLI_LANE_FUNCTION void pli_flow_respond(const pli_law* law, const pli_lame* m, const pli_lanes* own,
                                        double h, int branch, pli_flow_branch* b) {
    b->t = b->e[0] + b->e[1] + b->e[2];
    pli_lanes third = b->t / 3;
    for (int i = 0; i < 3; ++i) b->dev[i] = b->e[i] - third;
    b->n = pli_lanes_sqrt(pli_lanes_dot3(b->dev, b->dev));
    const pli_flow_in in = {.constants = own,
                            .memory = b->memory,
                            .n = b->n,
                            .t = b->t,
                            .h = pli_lanes_all(h),
                            .branch = branch};
    law->flow(m, &in, &b->r);
}

// tau_i
PLI_LANE_INLINE pli_lanes pli_flow_stress(const pli_flow_branch* b, int i) {
    return b->r.shear * b->dev[i] + b->r.pressure;
}

// d tau_i / d e_j
PLI_LANE_INLINE pli_lanes pli_flow_slope(const pli_flow_branch* b, int i, int j) {
    const pli_flow* r = &b->r;
    pli_lanes over = pli_lanes_where(b->n > 0, 1 / b->n);
    pli_lanes direction = (b->dev[i] * over) * (b->dev[j] * over);
    return r->shear * ((i == j) - 1.0 / 3) + (r->tangent - r->shear) * direction + r->bulk;
}

// Stretches and their logarithms in the plane of plane problems, all in space. Returns the mask of
// allowed states.
PLI_LANE_FUNCTION pli_lane_mask pli_flow_stretches(const pli_law* law, int dim,
                                                   pli_flow_branch* b) {
    pli_quadrature_point* p = &b->p;
    pli_point_frames(law, dim, p);
    pli_lane_mask allowed = p->s[0] > 0;
    for (int i = 0; i < dim; ++i) allowed &= (p->s[i] > 1e-100) & (p->s[i] < 1e100);
    for (int i = 0; i < dim; ++i) {
        p->s[i] = pli_lanes_select(allowed, p->s[i], pli_lanes_all(1));
        b->e[i] = pli_lanes_log(p->s[i], p->s[i] - 1);
    }
    return allowed;
}

// F_zz of the branches for ln F_zz = z.
PLI_LANE_INLINE void pli_flow_set_across(pli_lanes z, pli_flow_branch* b) {
    b->e[2] = z + pli_lanes_log(b->Fp[4], b->Fp[4] - 1);
}

// Plane stress: ln F_zz with the sum of tau_zz over all branches 0, by Newton's method, safeguarded
// by a bracket: the sum increases with it.
PLI_LANE_FUNCTION pli_lanes pli_flow_condense(const pli_law* law, const pli_lame* m,
                                              const pli_lanes* own, double h, const bool* used,
                                              pli_flow_branch b[PLI_FLOW_BRANCHES]) {
    pli_lanes low = pli_lanes_all(-HUGE_VAL), high = pli_lanes_all(HUGE_VAL), z = {0}, size = {0};
    pli_lane_mask open = low == low;
    for (int k = 0; k < PLI_FLOW_BRANCHES; ++k)
        if (used[k]) size += pli_lanes_abs(b[k].e[0]) + pli_lanes_abs(b[k].e[1]);
    for (int i = 0; i < 100; ++i) {
        pli_lanes stress = {0}, slope = {0};
        for (int k = 0; k < PLI_FLOW_BRANCHES; ++k) {
            if (!used[k]) continue;
            pli_flow_set_across(z, &b[k]);
            pli_flow_respond(law, m, own, h, k, &b[k]);
            stress += pli_flow_stress(&b[k], 2);
            slope += pli_flow_slope(&b[k], 2, 2);
        }
        pli_lanes next = z - stress / slope;
        open &= pli_lanes_abs(next - z) > 2 * DBL_EPSILON * (size + pli_lanes_abs(z));
        if (!pli_lanes_any(open)) break;
        pli_lane_mask pulled = stress > 0;
        high = pli_lanes_select(open & pulled, z, high);
        low = pli_lanes_select(open & ~pulled, z, low);
        // A step of Newton's method, at most 2, or half of the bracket.
        next = pli_lanes_select(next > z + 2, z + 2, next);
        next = pli_lanes_select(next < z - 2, z - 2, next);
        pli_lane_mask good = (next > low) & (next < high);
        next = pli_lanes_select(good, next, 0.5 * (low + high));
        z = pli_lanes_select(open, next, z);
    }
    return z;
}

// First Piola-Kirchhoff stress of the trial: U diag(tau / s) V^T.
PLI_LANE_INLINE void pli_flow_piola(int dim, const pli_flow_branch* b, pli_lanes P[9]) {
    const pli_quadrature_point* p = &b->p;
    pli_lanes d[3];
    for (int i = 0; i < dim; ++i) d[i] = pli_flow_stress(b, i) / p->s[i];
    for (int k = 0; k < dim * dim; ++k) {
        P[k] = pli_lanes_all(0);
        if (dim == 2)
            P[k] = 0.5 * (d[0] + d[1]) * p->R[k] + 0.5 * (d[0] - d[1]) * p->K[k];
        else
            for (int i = 0; i < 3; ++i) P[k] += d[i] * p->U[k / 3 * 3 + i] * p->V[k % 3 * 3 + i];
    }
}

// (ln a - ln b) / (a - b) times (a + b) / 2: artanh(x) / x with x = (a - b) / (a + b).
PLI_LANE_INLINE pli_lanes pli_flow_log_slope(pli_lanes x, pli_lanes log_difference) {
    pli_lanes z = x * x, series = {0};
    for (int k = 17; k >= 1; k -= 2) series = series * z + 1.0 / k;
    return pli_lanes_select(z < 0.01, series, 0.5 * log_difference / x);
}

// The eigensystem of the second derivative (solid_law.h) from tau and its slopes: Psi_i = tau_i /
// s_i, A_ij = (slope_ij - d_ij tau_i) / (s_i s_j), and since tau_i - tau_j = shear (e_i - e_j),
// flip = (shear artanh(x)/x - (tau_i + tau_j) / 2) / (s_i s_j), x = (s_i - s_j) / (s_i + s_j).
PLI_LANE_FUNCTION void pli_flow_curvature(int dim, bool condensed, bool project,
                                          const pli_flow_branch* b, pli_curvature* k) {
    const pli_lanes* s = b->p.s;
    pli_lanes r[3], tau[3];
    pli_curvature_clear(k);
    for (int i = 0; i < dim; ++i) {
        r[i] = 1 / s[i];
        tau[i] = pli_flow_stress(b, i);
        k->same[i] = (pli_flow_slope(b, i, i) - tau[i]) * (r[i] * r[i]);
    }
    for (int l = dim == 2 ? 2 : 0; l < 3; ++l) {
        int i = l == 2 ? 0 : l + 1, j = l == 0 ? 2 : l - 1;
        pli_lanes over = 1 / (s[i] + s[j]), x = (s[i] - s[j]) * over;
        pli_lanes log_slope = pli_flow_log_slope(x, b->e[i] - b->e[j]);
        k->cross[l] = pli_flow_slope(b, i, j) * (r[i] * r[j]);
        k->twist[l] = (tau[i] * r[i] + tau[j] * r[j]) * over;
        k->flip[l] = (b->r.shear * log_slope - 0.5 * (tau[i] + tau[j])) * (r[i] * r[j]);
    }
    if (condensed) {
        pli_lanes over = 1 / pli_flow_slope(b, 2, 2);
        pli_lanes a0 = pli_flow_slope(b, 0, 2) * r[0], a1 = pli_flow_slope(b, 1, 2) * r[1];
        k->same[0] -= a0 * a0 * over;
        k->same[1] -= a1 * a1 * over;
        k->cross[2] -= a0 * a1 * over;
    }
    if (project) pli_curvature_project(dim, k);
}

// F_p^-1 at the end of the step: with the flow f_i along the principal axes,
// F_p^-1 V diag(exp(-f_i)) V^T.
PLI_LANE_FUNCTION void pli_flow_take_over(int dim, pli_flow_branch* b) {
    const pli_quadrature_point* p = &b->p;
    const pli_lane_mask flows = (b->r.slip != 0) | (b->r.swell != 0);
    pli_lanes x[3], M[9], old[9];
    for (int i = 0; i < 3; ++i) x[i] = pli_lanes_exp(-(b->r.slip * b->dev[i] + b->r.swell / 3));
    for (int k = 0; k < 9; ++k) old[k] = b->Fp[k];
    if (dim == 2) { // R^T K = V diag(1, -1) V^T
        const pli_lanes *R = p->R, *K = p->K, mean = 0.5 * (x[0] + x[1]),
                        half = 0.5 * (x[0] - x[1]);
        pli_lanes xx = R[0] * K[0] + R[2] * K[2], xy = R[0] * K[1] + R[2] * K[3];
        M[0] = mean + half * xx;
        M[1] = M[2] = half * xy;
        M[3] = mean - half * xx;
        b->Fp[4] *= pli_lanes_select(flows, x[2], pli_lanes_all(1));
    } else {
        for (int k = 0; k < 9; ++k) {
            const pli_lanes *v = p->V + k / 3 * 3, *w = p->V + k % 3 * 3;
            M[k] = x[0] * (v[0] * w[0]) + x[1] * (v[1] * w[1]) + x[2] * (v[2] * w[2]);
        }
    }
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
            pli_lanes sum = old[dim * i] * M[j];
            for (int k = 1; k < dim; ++k) sum += old[dim * i + k] * M[dim * k + j];
            b->Fp[dim * i + j] = pli_lanes_select(flows, sum, old[dim * i + j]);
        }
    for (int k = 0; k < PLI_FLOW_SCALARS; ++k) b->memory[k] = b->r.memory[k];
}

#endif
