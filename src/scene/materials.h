// Materials by name: typical constants from handbooks, each with its source and the range that real
// ones have. A start for scenes, not data for design.
#ifndef PLI_SCENE_MATERIALS_H
#define PLI_SCENE_MATERIALS_H

#include <jansson.h>

#include "scene/section.h"

enum { PLI_MATERIAL_DENSITY, PLI_MATERIAL_YOUNG, PLI_MATERIAL_POISSON, PLI_MATERIAL_VALUES };

typedef struct pli_material {
    const char* name;
    const char* what;                        // which one it is, in words
    pli_setting values[PLI_MATERIAL_VALUES]; // density [kg/m^3], young [Pa], poisson
    double young_low, young_high;            // what goes by this name [Pa]
    const char* source;                      // key in docs/references.bib
} pli_material;

const pli_material* pli_material_at(int i); // NULL before the first and after the last

// The words of the key "material", "none" first, and what each means.
const char* pli_material_name(int i);
const char* pli_material_help(int i);

// What a body (density) and its energies (young, poisson) get; empty if there is no such material.
pli_preset pli_material_preset(const char* name);

// Writes the energy PLI_MATERIAL_ENERGY into every body of a scene that has a material but no key
// "energies". Fails only without memory.
#define PLI_MATERIAL_ENERGY "neo-hookean"
pli_status pli_material_complete(json_t* scene, pli_error* error);

#endif
