// As rigid as possible: its table row. The law is in arap_law.h.
#include <math.h>

#include "energy/solid.h"

// The constant that has no effect gets a dummy value, so that the pair is complete.
static pli_elastic constants(const double* params) {
    return (pli_elastic){params[0], params[1], params[2], isnan(params[2]) ? NAN : 0, 0};
}

PLI_SOLID_GIVEN
PLI_SOLID_FUNCTIONS(PLI_LAW_ARAP)

static const pli_param params[] = {PLI_ROW_YOUNG, PLI_ROW_POISSON(-1, PLI_PARAM_ABOVE_MIN),
                                   PLI_ROW_MU};

const pli_energy_type pli_energy_arap = {
    PLI_SHEET_FIELDS,
    .name = "arap",
    .help = "mu |F - R|^2 per rest volume, R the rotation nearest to F; as rigid as possible, may "
            "invert",
    .check = check,
    .prepare = prepare,
};
