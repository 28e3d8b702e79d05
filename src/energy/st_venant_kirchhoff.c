// St. Venant-Kirchhoff solid: Hooke's law for the Green strain E = (F^T F - I) / 2,
//
//     Psi = mu |E|^2 + lam/2 (tr E)^2    [Pa]
//     P = F (2 mu E + lam tr E I)
//
// Right for large rotation and small strain; softens under compression and does not mind inversion.
#include <math.h>

#include "energy/solid_eval.h"

static inline double value(const pli_solid* m, const pli_strain* e) {
    return m->mu * e->E2 + 0.5 * m->lam * (e->trE * e->trE);
}

static inline void first(const pli_solid* m, const pli_strain* e, pli_parts* p) {
    p->F = m->lam * e->trE;
    p->FE = 2 * m->mu;
}

// Psi_i = s_i (mu (s_i^2 - 1) + lam tr E), so
//     A_ii = mu (3 s_i^2 - 1) + lam (tr E + s_i^2),   A_ij = lam s_i s_j
//     twist, flip = mu (s_i^2 -+ s_i s_j + s_j^2 - 1) + lam tr E
static inline void second(const pli_solid* m, const pli_strain* e, const double s[3],
                          pli_curvature* k) {
    double bulk = m->lam * e->trE;
    for (int i = 0; i < 3; ++i) {
        double a = s[i == 2 ? 0 : i + 1], b = s[i == 0 ? 2 : i - 1], square = a * a + b * b - 1;
        k->same[i] += m->mu * (3 * (s[i] * s[i]) - 1) + (bulk + m->lam * (s[i] * s[i]));
        k->cross[i] += m->lam * (a * b);
        k->twist[i] += m->mu * (square - a * b) + bulk;
        k->flip[i] += m->mu * (square + a * b) + bulk;
    }
}

static const pli_law law = {
    .parts = PLI_PART_F | PLI_PART_FE, .value = value, .first = first, .second = second};

PLI_SOLID_FUNCTIONS

static const pli_param params[] = PLI_SOLID_ROWS(-1, PLI_PARAM_ABOVE_MIN, -HUGE_VAL);

const pli_energy_type pli_energy_st_venant_kirchhoff = {
    PLI_SOLID_FIELDS,
    .name = "st-venant-kirchhoff",
    .help =
        "mu |E|^2 + lam/2 (tr E)^2 per rest volume, E = (F^T F - I)/2; weak in strong compression",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
};
