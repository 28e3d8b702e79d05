// The list of material laws; solid.h has their numbers.
#ifndef PLI_ENERGY_LAWS_H
#define PLI_ENERGY_LAWS_H

#include "energy/arap_law.h"
#include "energy/fixed_corotated_law.h"
#include "energy/linear_law.h"
#include "energy/neo_hookean_law.h"
#include "energy/st_venant_kirchhoff_law.h"
#include "energy/stable_neo_hookean_law.h"
#include "energy/volume_law.h"

static const pli_law* const pli_laws[] = {
    [PLI_LAW_ARAP] = &arap_law,
    [PLI_LAW_FIXED_COROTATED] = &fixed_corotated_law,
    [PLI_LAW_LINEAR] = &linear_law,
    [PLI_LAW_NEO_HOOKEAN] = &neo_hookean_law,
    [PLI_LAW_ST_VENANT_KIRCHHOFF] = &st_venant_kirchhoff_law,
    [PLI_LAW_STABLE_NEO_HOOKEAN] = &stable_neo_hookean_law,
    [PLI_LAW_VOLUME] = &volume_law,
};

#endif
