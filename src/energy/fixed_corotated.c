// Fixed corotated solid: its table row. The law is in fixed_corotated_law.h.
#include <math.h>

#include "energy/solid.h"

PLI_SOLID_FUNCTIONS(PLI_LAW_FIXED_COROTATED)

static const pli_param params[] = PLI_SOLID_ROWS(0, 0, 0);

const pli_energy_type pli_energy_fixed_corotated = {
    PLI_SHEET_FIELDS,
    .name = "fixed-corotated",
    .help =
        "mu |F - R|^2 + lam/2 (J - 1)^2 per rest volume, R the rotation nearest to F; may invert",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
};
