// Neo-Hookean solid: its table row. The law is in neo_hookean_law.h.
#include <math.h>

#include "energy/solid.h"

PLI_SOLID_FUNCTIONS(PLI_LAW_NEO_HOOKEAN)

static const pli_param params[] = PLI_SOLID_ROWS(0, 0, 0);

const pli_energy_type pli_energy_neo_hookean = {
    PLI_SHEET_FIELDS,
    .name = "neo-hookean",
    .help = "mu/2 (tr F^T F - 3) - mu ln J + lam/2 ln^2 J per rest volume; elements never invert",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
    .max_step = pli_solid_max_step,
};
