// Neo-Hookean solid with logarithmic volume term [BonetWood08]:
//
//     Psi = mu/2 (tr F^T F - 3) - mu ln J + lam/2 ln^2 J    [Pa]
//     P = mu F - (q / J) cof F,   q = mu - lam ln J
//
// States with J <= 0 are forbidden (HUGE_VAL).
#include <math.h>

#include "energy/solid_eval.h"

static inline double value(const pli_solid* m, const pli_strain* e) {
    return m->mu * (0.5 * e->I3 - e->lnJ) + 0.5 * m->lam * (e->lnJ * e->lnJ);
}

static inline void first(const pli_solid* m, const pli_strain* e, pli_parts* p) {
    p->F = m->mu;
    p->cof = (m->lam * e->lnJ - m->mu) * (1 / e->J);
}

// The volume part is g(J) with g' = -q / J, g'' = (q + lam) / J^2; with cofactors J / s_i:
// A_ii = mu + (q + lam) / s_i^2, A_ij = lam / (s_i s_j), twist and flip mu -+ q s_k / J. The
// smallest stretch is taken from J, which knows its sign.
static inline void second(const pli_solid* m, const pli_strain* e, const double s[3],
                          pli_curvature* k) {
    double q = m->mu - m->lam * e->lnJ, product = s[0] * s[1], over = 1 / product;
    double r[3] = {s[1] * over, s[0] * over, product * (1 / e->J)}; // 1 / s_i
    for (int i = 0; i < 3; ++i) {
        int j = i == 2 ? 0 : i + 1, l = i == 0 ? 2 : i - 1;
        double turn = q * (r[j] * r[l]);
        k->same[i] += m->mu + (q + m->lam) * (r[i] * r[i]);
        k->cross[i] += m->lam * (r[j] * r[l]);
        k->twist[i] += m->mu - turn;
        k->flip[i] += m->mu + turn;
    }
}

static const pli_law law = {.parts = PLI_PART_F | PLI_PART_COF,
                            .positive = true,
                            .logarithm = true,
                            .value = value,
                            .first = first,
                            .second = second};

PLI_SOLID_FUNCTIONS

static const pli_param params[] = PLI_SOLID_ROWS(-1, PLI_PARAM_ABOVE_MIN, -HUGE_VAL);

const pli_energy_type pli_energy_neo_hookean = {
    PLI_SOLID_FIELDS,
    .name = "neo-hookean",
    .help = "mu/2 (tr F^T F - 3) - mu ln J + lam/2 ln^2 J per rest volume; elements never invert",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
    .max_step = pli_solid_max_step,
};
