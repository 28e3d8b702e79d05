// Stable neo-Hookean solid: its table row. The law is in stable_neo_hookean_law.h.
#include <math.h>

#include "energy/solid.h"

PLI_SOLID_FUNCTIONS(PLI_LAW_STABLE_NEO_HOOKEAN)

static const pli_param params[] = PLI_SOLID_ROWS(-1, PLI_PARAM_ABOVE_MIN, -HUGE_VAL);

const pli_energy_type pli_energy_stable_neo_hookean = {
    PLI_SHEET_FIELDS,
    .name = "stable-neo-hookean",
    .help = "m/2 (I - 3) - m/2 ln((I + 1)/4) - 3 m/4 (J - 1) + l/2 (J - 1)^2 per rest volume, "
            "I = tr F^T F, m = 4/3 mu, l = lam + 5/6 mu; may invert and recovers",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
};
