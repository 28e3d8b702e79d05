// As rigid as possible [Sorkine07]:
//
//     Psi = mu |F - R|^2 = mu sum (s_i - 1)^2    [Pa]
//     P = 2 mu (F - R)
//
// R is the rotation nearest to F. Nothing couples the axes: lam plays no part, and plane stress is
// the same as plane strain.
#include <math.h>

#include "energy/solid_eval.h"

static inline double value(const pli_solid* m, const pli_strain* e) { return m->mu * e->S2; }

static inline void first(const pli_solid* m, const pli_strain* e, pli_parts* p) {
    (void)e;
    p->F = 2 * m->mu;
    p->R = -2 * m->mu;
}

static inline void second(const pli_solid* m, const pli_strain* e, const double s[3],
                          pli_curvature* k) {
    (void)e;
    pli_curve_rotation(m->mu, s, k);
}

static const pli_law law = {.parts = PLI_PART_F | PLI_PART_R,
                            .stretches = true,
                            .value = value,
                            .first = first,
                            .second = second};

// As if the constant that plays no part had been given beside the other.
static pli_elastic constants(const double* params) {
    return (pli_elastic){params[0], params[1], params[2], isnan(params[2]) ? NAN : 0, 0};
}

PLI_SOLID_GIVEN
PLI_SOLID_FUNCTIONS

static const pli_param params[] = {PLI_ROW_YOUNG, PLI_ROW_POISSON(-1, PLI_PARAM_ABOVE_MIN),
                                   PLI_ROW_MU};

const pli_energy_type pli_energy_arap = {
    PLI_SOLID_FIELDS,
    .name = "arap",
    .help = "mu |F - R|^2 per rest volume, R the rotation nearest to F; as rigid as possible, may "
            "invert",
    .check = check,
    .prepare = prepare,
};
