// Volume term, to combine with another energy on the same body:
//
//     Psi = lam/2 (J - 1)^2    [Pa]
//     P = lam (J - 1) cof F
#ifndef PLI_ENERGY_VOLUME_LAW_H
#define PLI_ENERGY_VOLUME_LAW_H

#include "energy/solid_law.h"

PLI_LAW pli_lanes volume_value(const pli_lame* m, const pli_strain* e) {
    return 0.5 * m->lam * (e->J1 * e->J1);
}

PLI_LAW void volume_first(const pli_lame* m, const pli_strain* e, pli_stress_parts* p) {
    p->cof = m->lam * e->J1;
}

PLI_LAW void volume_second(const pli_lame* m, const pli_strain* e, const pli_lanes s[3],
                           pli_curvature* k) {
    pli_curve_volume(m->lam * e->J1, m->lam, s, k);
}

static const pli_law volume_law = {
    .parts = PLI_PART_COF, .value = volume_value, .first = volume_first, .second = volume_second};

#endif
