// St. Venant-Kirchhoff solid: its table row. The law is in st_venant_kirchhoff_law.h.
#include <math.h>

#include "energy/solid.h"

PLI_SOLID_FUNCTIONS(PLI_LAW_ST_VENANT_KIRCHHOFF)

static const pli_param params[] = PLI_SOLID_ROWS(-1, PLI_PARAM_ABOVE_MIN, -HUGE_VAL);

const pli_energy_type pli_energy_st_venant_kirchhoff = {
    PLI_SHEET_FIELDS,
    .name = "st-venant-kirchhoff",
    .help = "mu |E|^2 + lam/2 (tr E)^2 per rest volume, E = (F^T F - I)/2; softens under strong "
            "compression",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
};
