// Fixed corotated solid [Stomakhin12]:
//
//     Psi = mu |F - R|^2 + lam/2 (J - 1)^2 = mu sum (s_i - 1)^2 + lam/2 (J - 1)^2    [Pa]
//     P = 2 mu (F - R) + lam (J - 1) cof F
//
// R is the rotation nearest to F. Smooth, also through inversion, except where two stretches
// cancel. lam >= 0 is required: otherwise the energy is unbounded below at large volumes.
#ifndef PLI_ENERGY_FIXED_COROTATED_LAW_H
#define PLI_ENERGY_FIXED_COROTATED_LAW_H

#include "energy/solid_law.h"

PLI_LAW pli_lanes fixed_corotated_value(const pli_lame* m, const pli_strain* e) {
    return m->mu * e->S2 + 0.5 * m->lam * (e->J1 * e->J1);
}

PLI_LAW void fixed_corotated_first(const pli_lame* m, const pli_strain* e, pli_stress_parts* p) {
    p->F = 2 * m->mu;
    p->R = -2 * m->mu;
    p->cof = m->lam * e->J1;
}

PLI_LAW void fixed_corotated_second(const pli_lame* m, const pli_strain* e, const pli_lanes s[3],
                                    pli_curvature* k) {
    pli_curve_rotation(m->mu, s, k);
    pli_curve_volume(m->lam * e->J1, m->lam, s, k);
}

static const pli_law fixed_corotated_law = {.parts = PLI_PART_F | PLI_PART_R | PLI_PART_COF,
                                            .stretches = true,
                                            .value = fixed_corotated_value,
                                            .first = fixed_corotated_first,
                                            .second = fixed_corotated_second};

#endif
