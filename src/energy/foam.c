// Foam that stays crushed: its table row. The law is in foam_law.h.
#include "energy/foam.h"

#include <math.h>

#include "base/base.h"
#include "energy/solid.h"
#include "math/elementary.h"

PLI_FLOW_FUNCTIONS(PLI_LAW_FOAM, PLI_FOAM_CONSTANTS, 1, PLI_FLOW_FIELDS)

enum { CRUSH = PLI_PLANE_STRESS + 1, HARDENING, CLOSED, YIELD };

// clang-format off
static const pli_param params[] = {
    PLI_ROW_YOUNG, PLI_ROW_POISSON(-1, PLI_PARAM_ABOVE_MIN), PLI_ROW_MU, PLI_ROW_LAMBDA(-HUGE_VAL),
    PLI_ROW_PLANE_STRESS,
    {.name = "crush", .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = 1e3,
     .help = "pressure at which its cells collapse"},
    {.name = "hardening", .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = 0,
     .help = "growth of this pressure per crushed volume (logarithm)"},
    {.name = "densification", .unit = "", .min = 0, .max = 1, .default_value = 0.7,
     .flags = PLI_PARAM_ABOVE_MIN | PLI_PARAM_BELOW_MAX,
     .help = "part of the volume that is lost when all cells are closed"},
    {.name = "yield", .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = 1e3,
     .help = "uniaxial stress at which it yields in shear"},
};
// clang-format on

static pli_status prepare(const double* p, const pli_element* element, void* data,
                          pli_error* error) {
    pli_elastic given = pli_solid_rows(p);
    double* c = NULL;
    PLI_TRY(pli_flow_prepare(&given, element, data, &c, error));
    const pli_solid* solid = data;
    c[PLI_MISES_SHEAR] = solid->mu;
    c[PLI_MISES_BULK] = solid->lam + 2 * solid->mu / 3;
    c[PLI_MISES_YIELD] = sqrt(2.0 / 3) * p[YIELD];
    c[PLI_MISES_EXPONENT] = 1;
    c[PLI_MISES_STRAIN] = sqrt(2.0 / 3);
    c[PLI_FOAM_CRUSH] = p[CRUSH];
    c[PLI_FOAM_HARDENING] = p[HARDENING];
    c[PLI_FOAM_CLOSED] = -pli_log(1 - p[CLOSED]);
    return PLI_OK;
}

const pli_energy_type pli_energy_foam = {
    PLI_FLOW_TABLE(PLI_FOAM_CONSTANTS, 1, PLI_FLOW_FIELDS),
    .name = "foam",
    .help =
        "foam that stays crushed: as von-mises, and its volume yields under the pressure `crush` "
        "until its cells are closed",
    .check = pli_solid_check,
    .prepare = prepare,
};
