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

static pli_status check(const double* params, pli_error* error) {
    pli_elastic given = constants(params);
    return pli_solid_check_given(&given, error);
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    pli_elastic given = constants(params);
    return pli_solid_prepare_given(&given, element, data, error);
}

static void eval(const pli_batch* in, pli_local* out) { pli_solid_eval(&law, in, out); }
static void stress(const pli_batch* in, double* out) { pli_solid_stress(&law, in, out); }

static const pli_param params[] = {PLI_ROW_YOUNG, PLI_ROW_POISSON(-1, PLI_PARAM_ABOVE_MIN),
                                   PLI_ROW_MU};

const pli_energy_type pli_energy_arap = {
    .abi = PLI_ENERGY_ABI,
    .name = "arap",
    .help = "mu |F - R|^2 per rest volume, R the rotation nearest to F; as rigid as possible, may "
            "invert",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = PLI_SOLID_SIZES,
    .solid = true,
    .check = check,
    .prepare = prepare,
    .eval = eval,
    .stress = stress,
};
