// Fixed corotated solid [Stomakhin12]:
//
//     Psi = mu |F - R|^2 + lam/2 (J - 1)^2 = mu sum (s_i - 1)^2 + lam/2 (J - 1)^2    [Pa]
//     P = 2 mu (F - R) + lam (J - 1) cof F
//
// R is the rotation nearest to F. Smooth, also through inversion, except where two stretches
// cancel. lam >= 0: else large volumes would have no lower bound.
#include <math.h>

#include "energy/solid_eval.h"

static inline double value(const pli_solid* m, const pli_strain* e) {
    return m->mu * e->S2 + 0.5 * m->lam * (e->J1 * e->J1);
}

static inline void first(const pli_solid* m, const pli_strain* e, pli_parts* p) {
    p->F = 2 * m->mu;
    p->R = -2 * m->mu;
    p->cof = m->lam * e->J1;
}

static inline void second(const pli_solid* m, const pli_strain* e, const double s[3],
                          pli_curvature* k) {
    pli_curve_rotation(m->mu, s, k);
    pli_curve_volume(m->lam * e->J1, m->lam, s, k);
}

static const pli_law law = {.parts = PLI_PART_F | PLI_PART_R | PLI_PART_COF,
                            .stretches = true,
                            .value = value,
                            .first = first,
                            .second = second};

PLI_SOLID_FUNCTIONS

static const pli_param params[] = PLI_SOLID_ROWS(0, 0, 0);

const pli_energy_type pli_energy_fixed_corotated = {
    PLI_SOLID_FIELDS,
    .name = "fixed-corotated",
    .help =
        "mu |F - R|^2 + lam/2 (J - 1)^2 per rest volume, R the rotation nearest to F; may invert",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
};
