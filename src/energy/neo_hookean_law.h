// Neo-Hookean solid with logarithmic volume term [BonetWood08]:
//
//     Psi = mu/2 (tr F^T F - 3) - mu ln J + lam/2 ln^2 J    [Pa]
//     P = mu F - (q / J) cof F,   q = mu - lam ln J
//
// States with J <= 0 are forbidden (HUGE_VAL). lam >= 0 is required: otherwise the energy is
// unbounded below at small volumes.
#ifndef PLI_ENERGY_NEO_HOOKEAN_LAW_H
#define PLI_ENERGY_NEO_HOOKEAN_LAW_H

#include "energy/solid_law.h"

PLI_LAW pli_lanes neo_hookean_value(const pli_lame* m, const pli_strain* e) {
    return m->mu * (0.5 * e->I3 - e->lnJ) + 0.5 * m->lam * (e->lnJ * e->lnJ);
}

PLI_LAW void neo_hookean_first(const pli_lame* m, const pli_strain* e, pli_stress_parts* p) {
    p->F = m->mu;
    p->cof = (m->lam * e->lnJ - m->mu) * (1 / e->J);
}

// The volume part is g(J) with g' = -q / J, g'' = (q + lam) / J^2; with cofactors J / s_i: A_ii =
// mu + (q + lam) / s_i^2, A_ij = lam / (s_i s_j), twist and flip mu -+ q s_k / J. The smallest
// stretch is computed from J, which has the right sign.
PLI_LAW void neo_hookean_second(const pli_lame* m, const pli_strain* e, const pli_lanes s[3],
                                pli_curvature* k) {
    pli_lanes q = m->mu - m->lam * e->lnJ, product = s[0] * s[1], over = 1 / product;
    pli_lanes r[3] = {s[1] * over, s[0] * over, product * (1 / e->J)}; // 1 / s_i
    for (int i = 0; i < 3; ++i) {
        int j = i == 2 ? 0 : i + 1, l = i == 0 ? 2 : i - 1;
        pli_lanes turn = q * (r[j] * r[l]);
        k->same[i] += m->mu + (q + m->lam) * (r[i] * r[i]);
        k->cross[i] += m->lam * (r[j] * r[l]);
        k->twist[i] += m->mu - turn;
        k->flip[i] += m->mu + turn;
    }
}

static const pli_law neo_hookean_law = {.parts = PLI_PART_F | PLI_PART_COF,
                                        .positive = true,
                                        .logarithm = true,
                                        .value = neo_hookean_value,
                                        .first = neo_hookean_first,
                                        .second = neo_hookean_second};

#endif
