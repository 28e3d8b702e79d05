// Linear (small-strain) solid, e = (F + F^T) / 2 - I:
//
//     Psi = mu |e|^2 + lam/2 (tr e)^2    [Pa]
//     P = 2 mu e + lam tr e I
//
// Its second derivative is constant and positive semi-definite. It is not rotation invariant: a
// body that rotates by a large angle swells. For validation and small motion only.
#ifndef PLI_ENERGY_LINEAR_LAW_H
#define PLI_ENERGY_LINEAR_LAW_H

#include "energy/solid_law.h"

PLI_LAW pli_lanes linear_value(const pli_lame* m, const pli_strain* e) {
    return m->mu * e->e2 + 0.5 * m->lam * (e->tre * e->tre);
}

PLI_LAW void linear_first(const pli_lame* m, const pli_strain* e, pli_stress_parts* p) {
    p->e = 2 * m->mu;
    p->one = m->lam * e->tre;
}

// In the frames U = V = I it has the form that all laws have: A = 2 mu I + lam, twist 0, flip 2 mu.
PLI_LAW void linear_second(const pli_lame* m, const pli_strain* e, const pli_lanes s[3],
                           pli_curvature* k) {
    (void)e;
    (void)s;
    for (int i = 0; i < 3; ++i) {
        k->same[i] += 2 * m->mu + m->lam;
        k->cross[i] += m->lam;
        k->flip[i] += 2 * m->mu;
    }
}

static const pli_law linear_law = {.parts = PLI_PART_E | PLI_PART_ONE,
                                   .small = true,
                                   .value = linear_value,
                                   .first = linear_first,
                                   .second = linear_second};

#endif
