// Stable neo-Hookean solid [Smith18]: with I = tr F^T F, mu' = 4/3 mu and lam' = lam + 5/6 mu,
// which make small strains those of mu and lam,
//
//     Psi = mu'/2 (I - 3) - mu'/2 ln((I + 1) / 4) - 3/4 mu' (J - 1) + lam'/2 (J - 1)^2    [Pa]
//     P = mu' (1 - 1 / (I + 1)) F + (lam' (J - 1) - 3/4 mu') cof F
//
// The paper's lam'/2 (J - alpha)^2 with alpha = 1 + 3 mu' / (4 lam'), written out and less its
// value at rest. Smooth everywhere, also where F is singular or turned inside out.
#include <math.h>

#include "energy/solid_eval.h"

static inline double mu_of(const pli_solid* m) { return 4.0 / 3 * m->mu; }
static inline double lam_of(const pli_solid* m) { return m->lam + 5.0 / 6 * m->mu; }

static inline double value(const pli_solid* m, const pli_strain* e) {
    double mu = mu_of(m), lam = lam_of(m);
    return 0.5 * mu * (e->I3 - log1p(0.25 * e->I3)) - 0.75 * mu * e->J1 +
           0.5 * lam * (e->J1 * e->J1);
}

static inline void first(const pli_solid* m, const pli_strain* e, pli_parts* p) {
    double mu = mu_of(m);
    p->F = mu * (1 - 1 / (e->I3 + 4));
    p->cof = lam_of(m) * e->J1 - 0.75 * mu;
}

// The part in I has A_ij = 2 h' d_ij + 4 h'' s_i s_j, 2 h' = mu' (1 - 1 / (I + 1)),
// 4 h'' = 2 mu' / (I + 1)^2.
static inline void second(const pli_solid* m, const pli_strain* e, const double s[3],
                          pli_curvature* k) {
    double mu = mu_of(m), lam = lam_of(m), r = 1 / (e->I3 + 4);
    pli_curve_square(mu * (1 - r), k);
    for (int i = 0; i < 3; ++i) {
        k->same[i] += 2 * mu * (r * r) * (s[i] * s[i]);
        k->cross[i] += 2 * mu * (r * r) * (s[i == 2 ? 0 : i + 1] * s[i == 0 ? 2 : i - 1]);
    }
    pli_curve_volume(lam * e->J1 - 0.75 * mu, lam, s, k);
}

static const pli_law law = {
    .parts = PLI_PART_F | PLI_PART_COF, .value = value, .first = first, .second = second};

PLI_SOLID_FUNCTIONS

static const pli_param params[] = PLI_SOLID_ROWS(-1, PLI_PARAM_ABOVE_MIN, -HUGE_VAL);

const pli_energy_type pli_energy_stable_neo_hookean = {
    PLI_SOLID_FIELDS,
    .name = "stable-neo-hookean",
    .help = "m/2 (I - 3) - m/2 ln((I + 1)/4) - 3 m/4 (J - 1) + l/2 (J - 1)^2 per rest volume, "
            "I = tr F^T F, m = 4/3 mu, l = lam + 5/6 mu; may invert and comes back",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
};
