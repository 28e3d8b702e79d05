// St. Venant-Kirchhoff solid: Hooke's law for the Green strain E = (F^T F - I) / 2,
//
//     Psi = mu |E|^2 + lam/2 (tr E)^2    [Pa]
//     P = F (2 mu E + lam tr E I)
//
// Valid for large rotation and small strain; softens under compression and does not resist
// inversion.
#ifndef PLI_ENERGY_ST_VENANT_KIRCHHOFF_LAW_H
#define PLI_ENERGY_ST_VENANT_KIRCHHOFF_LAW_H

#include "energy/solid_law.h"

PLI_LAW pli_lanes st_venant_kirchhoff_value(const pli_lame* m, const pli_strain* e) {
    return m->mu * e->E2 + 0.5 * m->lam * (e->trE * e->trE);
}

PLI_LAW void st_venant_kirchhoff_first(const pli_lame* m, const pli_strain* e,
                                       pli_stress_parts* p) {
    p->F = m->lam * e->trE;
    p->FE = 2 * m->mu;
}

// Psi_i = s_i (mu (s_i^2 - 1) + lam tr E), so
//     A_ii = mu (3 s_i^2 - 1) + lam (tr E + s_i^2),   A_ij = lam s_i s_j
//     twist, flip = mu (s_i^2 -+ s_i s_j + s_j^2 - 1) + lam tr E
PLI_LAW void st_venant_kirchhoff_second(const pli_lame* m, const pli_strain* e,
                                        const pli_lanes s[3], pli_curvature* k) {
    pli_lanes bulk = m->lam * e->trE;
    for (int i = 0; i < 3; ++i) {
        pli_lanes a = s[i == 2 ? 0 : i + 1], b = s[i == 0 ? 2 : i - 1], square = a * a + b * b - 1;
        k->same[i] += m->mu * (3 * (s[i] * s[i]) - 1) + (bulk + m->lam * (s[i] * s[i]));
        k->cross[i] += m->lam * (a * b);
        k->twist[i] += m->mu * (square - a * b) + bulk;
        k->flip[i] += m->mu * (square + a * b) + bulk;
    }
}

static const pli_law st_venant_kirchhoff_law = {.parts = PLI_PART_F | PLI_PART_FE,
                                                .value = st_venant_kirchhoff_value,
                                                .first = st_venant_kirchhoff_first,
                                                .second = st_venant_kirchhoff_second};

#endif
