// Viscoelastic solid: its table row. The law is in viscoelastic_law.h.
#include "energy/viscoelastic.h"

#include <math.h>

#include "base/base.h"
#include "energy/solid.h"

PLI_FLOW_FUNCTIONS(PLI_LAW_VISCOELASTIC, PLI_VISCO_CONSTANTS, PLI_MAXWELL_BRANCHES, 1)

enum { FRACTION = PLI_PLANE_STRESS + 1 }; // then its time, and so on

#define BRANCH(i, share)                                                                           \
    {.name = "fraction" #i,                                                                        \
     .unit = "",                                                                                   \
     .min = 0,                                                                                     \
     .max = 1,                                                                                     \
     .default_value = share,                                                                       \
     .help = "part of the shear modulus that relaxes in time" #i},                                 \
    {                                                                                              \
        .name = "time" #i, .unit = "s", .min = 0, .max = HUGE_VAL, .default_value = 1,             \
        .flags = PLI_PARAM_ABOVE_MIN, .help = "relaxation time of fraction" #i                     \
    }

static const pli_param params[] = {PLI_ROW_YOUNG,        PLI_ROW_POISSON(-1, PLI_PARAM_ABOVE_MIN),
                                   PLI_ROW_MU,           PLI_ROW_LAMBDA(-HUGE_VAL),
                                   PLI_ROW_PLANE_STRESS, BRANCH(1, 0.5),
                                   BRANCH(2, 0),         BRANCH(3, 0)};

// What remains at last.
static double rest_of(const double* p) {
    double rest = 1;
    for (int i = 0; i < PLI_MAXWELL_BRANCHES; ++i) rest -= p[FRACTION + 2 * i];
    return fabs(rest) < 1e-12 ? 0 : rest;
}

static pli_status check(const double* p, pli_error* error) {
    pli_elastic given = pli_solid_rows(p);
    PLI_TRY(pli_solid_check_given(&given, error));
    if (rest_of(p) >= 0) return PLI_OK;
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                  "the fractions of the series sum up to %g, must be <= 1: each is "
                                  "a part of the modulus against fast loads",
                                  1 - rest_of(p)),
                         error, "fraction1");
}

static pli_status prepare(const double* p, const pli_element* element, void* data,
                          pli_error* error) {
    pli_elastic given = pli_solid_rows(p);
    double* c = NULL;
    PLI_TRY(pli_flow_prepare(&given, element, data, &c, error));
    const pli_solid* solid = data;
    c[PLI_VISCO_SHEAR] = rest_of(p) * solid->mu;
    c[PLI_VISCO_BULK] = solid->lam + 2 * solid->mu / 3;
    for (int i = 0; i < PLI_MAXWELL_BRANCHES; ++i) {
        c[PLI_VISCO_SHEAR + 1 + i] = p[FRACTION + 2 * i] * solid->mu;
        c[PLI_VISCO_TIME + i] = p[FRACTION + 2 * i + 1];
    }
    return PLI_OK;
}

const pli_energy_type pli_energy_viscoelastic = {
    PLI_FLOW_TABLE(PLI_VISCO_CONSTANTS, PLI_MAXWELL_BRANCHES, 1),
    .name = "viscoelastic",
    .help =
        "solid that relaxes and creeps: an elastic part and up to three Maxwell branches; young "
        "and poisson (or the Lame parameters) are those against fast loads",
    .check = check,
    .prepare = prepare,
};
