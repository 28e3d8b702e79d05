// Volume term, to be laid over a body beside another energy:
//
//     Psi = lam/2 (J - 1)^2    [Pa]
//     P = lam (J - 1) cof F
#include <math.h>

#include "energy/solid_eval.h"

static inline double value(const pli_solid* m, const pli_strain* e) {
    return 0.5 * m->lam * (e->J1 * e->J1);
}

static inline void first(const pli_solid* m, const pli_strain* e, pli_parts* p) {
    p->cof = m->lam * e->J1;
}

static inline void second(const pli_solid* m, const pli_strain* e, const double s[3],
                          pli_curvature* k) {
    pli_curve_volume(m->lam * e->J1, m->lam, s, k);
}

static const pli_law law = {
    .parts = PLI_PART_COF, .value = value, .first = first, .second = second};

// As if the constant that plays no part had been given beside the other.
static pli_elastic constants(const double* params) {
    return (pli_elastic){params[0], params[1], isnan(params[2]) ? NAN : 1, params[2], 0};
}

PLI_SOLID_GIVEN
PLI_SOLID_FUNCTIONS

static const pli_param params[] = {PLI_ROW_YOUNG, PLI_ROW_POISSON(0, PLI_PARAM_ABOVE_MIN),
                                   PLI_ROW_LAMBDA(0)};

const pli_energy_type pli_energy_volume = {
    PLI_SOLID_FIELDS,
    .name = "volume",
    .help = "lam/2 (J - 1)^2 per rest volume; keeps the volume, nothing else",
    .check = check,
    .prepare = prepare,
};
