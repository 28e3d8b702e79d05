// Linear (small-strain) solid: its table row. The law is in linear_law.h.
#include <math.h>

#include "energy/solid.h"

PLI_SOLID_FUNCTIONS(PLI_LAW_LINEAR)

static const pli_param params[] = PLI_SOLID_ROWS(-1, PLI_PARAM_ABOVE_MIN, -HUGE_VAL);

const pli_energy_type pli_energy_linear = {
    PLI_SOLID_FIELDS,
    .name = "linear",
    .help = "mu |e|^2 + lam/2 (tr e)^2 per rest volume, e = (F + F^T)/2 - I; for small strains "
            "without rotation",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
};
