// Volume term: its table row. The law is in volume_law.h.
#include <math.h>

#include "energy/solid.h"

// The constant that has no effect gets a dummy value, so that the pair is complete.
static pli_elastic constants(const double* params) {
    return (pli_elastic){params[0], params[1], isnan(params[2]) ? NAN : 1, params[2], 0};
}

PLI_SOLID_GIVEN
PLI_SOLID_FUNCTIONS(PLI_LAW_VOLUME)

static const pli_param params[] = {PLI_ROW_YOUNG, PLI_ROW_POISSON(0, PLI_PARAM_ABOVE_MIN),
                                   PLI_ROW_LAMBDA(0)};

const pli_energy_type pli_energy_volume = {
    PLI_SOLID_FIELDS,
    .name = "volume",
    .help = "lam/2 (J - 1)^2 per rest volume; penalizes volume change only",
    .check = check,
    .prepare = prepare,
};
