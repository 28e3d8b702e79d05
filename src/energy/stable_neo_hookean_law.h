// Stable neo-Hookean solid [Smith18]: with I = tr F^T F, mu' = 4/3 mu and lam' = lam + 5/6 mu,
// which make small strains those of mu and lam,
//
//     Psi = mu'/2 (I - 3) - mu'/2 ln((I + 1) / 4) - 3/4 mu' (J - 1) + lam'/2 (J - 1)^2    [Pa]
//     P = mu' (1 - 1 / (I + 1)) F + (lam' (J - 1) - 3/4 mu') cof F
//
// The paper's lam'/2 (J - alpha)^2 with alpha = 1 + 3 mu' / (4 lam'), expanded and minus its value
// at rest. Smooth everywhere, also where F is singular or inverted.
#ifndef PLI_ENERGY_STABLE_NEO_HOOKEAN_LAW_H
#define PLI_ENERGY_STABLE_NEO_HOOKEAN_LAW_H

#include "energy/solid_law.h"

PLI_LAW pli_lanes stable_mu(const pli_lame* m) { return 4.0 / 3 * m->mu; }
PLI_LAW pli_lanes stable_lam(const pli_lame* m) { return m->lam + 5.0 / 6 * m->mu; }

PLI_LAW pli_lanes stable_neo_hookean_value(const pli_lame* m, const pli_strain* e) {
    pli_lanes mu = stable_mu(m), lam = stable_lam(m);
    return 0.5 * mu * (e->I3 - pli_lanes_log(1 + 0.25 * e->I3, 0.25 * e->I3)) - 0.75 * mu * e->J1 +
           0.5 * lam * (e->J1 * e->J1);
}

PLI_LAW void stable_neo_hookean_first(const pli_lame* m, const pli_strain* e, pli_stress_parts* p) {
    pli_lanes mu = stable_mu(m);
    p->F = mu * (1 - 1 / (e->I3 + 4));
    p->cof = stable_lam(m) * e->J1 - 0.75 * mu;
}

// The part in I has A_ij = 2 h' d_ij + 4 h'' s_i s_j, 2 h' = mu' (1 - 1 / (I + 1)),
// 4 h'' = 2 mu' / (I + 1)^2.
PLI_LAW void stable_neo_hookean_second(const pli_lame* m, const pli_strain* e, const pli_lanes s[3],
                                       pli_curvature* k) {
    pli_lanes mu = stable_mu(m), lam = stable_lam(m), r = 1 / (e->I3 + 4);
    pli_curve_square(mu * (1 - r), k);
    for (int i = 0; i < 3; ++i) {
        k->same[i] += 2 * mu * (r * r) * (s[i] * s[i]);
        k->cross[i] += 2 * mu * (r * r) * (s[i == 2 ? 0 : i + 1] * s[i == 0 ? 2 : i - 1]);
    }
    pli_curve_volume(lam * e->J1 - 0.75 * mu, lam, s, k);
}

static const pli_law stable_neo_hookean_law = {.parts = PLI_PART_F | PLI_PART_COF,
                                               .value = stable_neo_hookean_value,
                                               .first = stable_neo_hookean_first,
                                               .second = stable_neo_hookean_second};

#endif
