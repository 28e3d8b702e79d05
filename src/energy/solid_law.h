// A material law, evaluated at one point of each of several elements (math/lanes.h). Laws are
// written in invariants and principal stretches and never see elements. Each is one header with a
// table row; laws.h lists them; solid_kernels.h compiles them once per instruction set.
//
// Conventions: F = U diag(s) V^T with rotations U and V, so s[i] are the principal stretches and
// the last may be negative (inverted); J = det F = s0 s1 s2. In the plane axis 2 is z, and the
// rotation part of F is about z even if F is inverted.
#ifndef PLI_ENERGY_SOLID_LAW_H
#define PLI_ENERGY_SOLID_LAW_H

#include "energy/solid.h"
#include "math/lanes.h"

typedef struct pli_lame {
    pli_lanes mu, lam; // [Pa]
} pli_lame;

// Invariants of F. All that are small near rest come from one rounded F^T F - I, with errors of a
// few ulps of their own size. Terms that cancel to first order, as in mu (tr E - ln J), therefore
// cancel in their errors too, and energies of small strains stay accurate at any rotation.
typedef struct pli_strain {
    pli_lanes I3;      // tr F^T F - 3
    pli_lanes J, J1;   // det F, det F - 1
    pli_lanes lnJ;     // only if the law sets `logarithm`
    pli_lanes E2, trE; // |E|^2 and tr E with E = (F^T F - I) / 2
    pli_lanes S2;      // sum (s_i - 1)^2; only if the law sets `stretches`
    pli_lanes e2, tre; // |e|^2 and tr e with the small strain e = (F + F^T) / 2 - I; only with
                       // PLI_PART_E
} pli_strain;

// The first Piola-Kirchhoff stress [Pa] as a sum of
//     P = F * F + cof * cof F + R * R + FE * F E + e * e + one * I
// where cof F = J F^-T and R = U V^T. Only parts listed in the law's `parts` are read.
enum {
    PLI_PART_F = 1,
    PLI_PART_COF = 2,
    PLI_PART_R = 4,
    PLI_PART_FE = 8,
    PLI_PART_E = 16,
    PLI_PART_ONE = 32,
};
typedef struct pli_stress_parts {
    pli_lanes F, cof, R, FE, e, one;
} pli_stress_parts;

// The second derivative of Psi by F in its eigensystem [Smith19]: with E_ij = u_i v_j^T it has the
// 3x3 matrix A_ij = d2 Psi / ds_i ds_j on the scalings E_ii, and for the pair of axes other than k
//     twist  (E_ij - E_ji)/sqrt2:  (Psi_i + Psi_j) / (s_i + s_j)
//     flip   (E_ij + E_ji)/sqrt2:  (Psi_i - Psi_j) / (s_i - s_j)
typedef struct pli_curvature {
    pli_lanes same[3];  // A_00, A_11, A_22
    pli_lanes cross[3]; // A_12, A_20, A_01: of the axes other than k
    pli_lanes twist[3], flip[3];
} pli_curvature;

// What a law with memory (solid_flow.h) sees of one branch.
typedef struct pli_flow_in {
    const pli_lanes* constants; // of the law; the first ones are the shear moduli of the branches
    const pli_lanes* memory;    // PLI_FLOW_SCALARS numbers of the branch at the start of the step
    pli_lanes n, t;             // |dev e| and tr e of the trial
    pli_lanes h;                // [s]; 0 between steps: what takes time does not flow
    int branch;
} pli_flow_in;

// What it answers: Psi = D(n) + V(t), and how the memory is after the step.
typedef struct pli_flow {
    pli_lanes value;          // D + V [Pa]
    pli_lanes shear, tangent; // D'/n and D'' [Pa]
    pli_lanes pressure, bulk; // V' and V'' [Pa]
    pli_lanes slip, swell;    // the flow: dev e loses slip * dev e, tr e loses swell
    pli_lanes strain, ratio;  // for readers: equivalent plastic strain; stress over yield stress
    pli_lanes memory[PLI_FLOW_SCALARS];
} pli_flow;

typedef struct pli_law {
    unsigned parts; // PLI_PART_*
    bool stretches; // value and stress need the principal stretches
    bool small;     // a small-strain law: U = V = I, Cauchy stress = P
    bool positive;  // J <= 0 is forbidden
    bool logarithm; // uses ln J
    pli_lanes (*value)(const pli_lame* m, const pli_strain* e); // Psi [Pa], 0 at rest
    void (*first)(const pli_lame* m, const pli_strain* e, pli_stress_parts* p);
    // Adds to a zero-initialized curvature.
    void (*second)(const pli_lame* m, const pli_strain* e, const pli_lanes s[3], pli_curvature* k);
    // Laws with memory have these instead of value, first and second: the response of a branch,
    // numbers of constants in a record, branches with memory (1 to PLI_FLOW_BRANCHES - 1). Branch 1
    // always acts, others if their shear modulus is not 0.
    void (*flow)(const pli_lame* m, const pli_flow_in* in, pli_flow* out);
    int constants, branches;
} pli_law;

// Functions of a law.
#define PLI_LAW PLI_LANE_FUNCTION

PLI_LANE_INLINE void pli_curvature_clear(pli_curvature* k) {
    for (int i = 0; i < 3; ++i)
        k->same[i] = k->cross[i] = k->twist[i] = k->flip[i] = pli_lanes_all(0);
}

// Parts of curvatures that several laws share.

// c/2 |F|^2
PLI_LANE_INLINE void pli_curve_square(pli_lanes c, pli_curvature* k) {
    for (int i = 0; i < 3; ++i) {
        k->same[i] += c;
        k->twist[i] += c;
        k->flip[i] += c;
    }
}

// g(J) with g' = d1 and g'' = d2. With the cofactors c_i = s_j s_k: A_ii = g'' c_i^2,
// A_ij = g'' c_i c_j + g' s_k, twist = g' s_k, flip = -g' s_k.
PLI_LANE_INLINE void pli_curve_volume(pli_lanes d1, pli_lanes d2, const pli_lanes s[3],
                                      pli_curvature* k) {
    pli_lanes c[3] = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
    for (int i = 0; i < 3; ++i) {
        int j = i == 2 ? 0 : i + 1, l = i == 0 ? 2 : i - 1;
        k->same[i] += d2 * c[i] * c[i];
        k->cross[i] += d2 * c[j] * c[l] + d1 * s[i];
        k->twist[i] += d1 * s[i];
        k->flip[i] -= d1 * s[i];
    }
}

// mu sum (s_i - 1)^2: A = 2 mu I, flip = 2 mu, twist = 2 mu (1 - 2 / (s_i + s_j)). Where s_i + s_j
// = 0 the rotation is not unique and the curvature is unbounded; a cap keeps it finite.
PLI_LANE_INLINE void pli_curve_rotation(pli_lanes mu, const pli_lanes s[3], pli_curvature* k) {
    for (int i = 0; i < 3; ++i) {
        pli_lanes sum = s[i == 2 ? 0 : i + 1] + s[i == 0 ? 2 : i - 1];
        k->same[i] += 2 * mu;
        k->flip[i] += 2 * mu;
        k->twist[i] += 2 * mu - 4 * mu / pli_lanes_select(sum > 1e-8, sum, pli_lanes_all(1e-8));
    }
}

#endif
