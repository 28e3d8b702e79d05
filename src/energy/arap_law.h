// As rigid as possible [Sorkine07]:
//
//     Psi = mu |F - R|^2 = mu sum (s_i - 1)^2    [Pa]
//     P = 2 mu (F - R)
//
// R is the rotation nearest to F. The axes are uncoupled: lam has no effect, and plane stress
// equals plane strain.
#ifndef PLI_ENERGY_ARAP_LAW_H
#define PLI_ENERGY_ARAP_LAW_H

#include "energy/solid_law.h"

PLI_LAW pli_lanes arap_value(const pli_lame* m, const pli_strain* e) { return m->mu * e->S2; }

PLI_LAW void arap_first(const pli_lame* m, const pli_strain* e, pli_stress_parts* p) {
    (void)e;
    p->F = 2 * m->mu;
    p->R = -2 * m->mu;
}

PLI_LAW void arap_second(const pli_lame* m, const pli_strain* e, const pli_lanes s[3],
                         pli_curvature* k) {
    (void)e;
    pli_curve_rotation(m->mu, s, k);
}

static const pli_law arap_law = {.parts = PLI_PART_F | PLI_PART_R,
                                 .stretches = true,
                                 .value = arap_value,
                                 .first = arap_first,
                                 .second = arap_second};

#endif
