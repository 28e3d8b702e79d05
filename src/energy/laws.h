// The table of material laws; solid.h has their list. A new law: its include here, its line there.
#ifndef PLI_ENERGY_LAWS_H
#define PLI_ENERGY_LAWS_H

#include "energy/arap_law.h"
#include "energy/foam_law.h"
#include "energy/fixed_corotated_law.h"
#include "energy/linear_law.h"
#include "energy/neo_hookean_law.h"
#include "energy/st_venant_kirchhoff_law.h"
#include "energy/stable_neo_hookean_law.h"
#include "energy/viscoelastic_law.h"
#include "energy/volume_law.h"
#include "energy/von_mises_law.h"

#define PLI_LAW_ROW(NUMBER, name) [PLI_LAW_##NUMBER] = &name##_law,
static const pli_law* const pli_laws[] = {PLI_LAWS(PLI_LAW_ROW)};

#endif
