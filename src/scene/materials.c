// The table of materials. Constants are from [Ashby11], appendix A, where no other source is named;
// Poisson's ratios of foam and cork from [GibsonAshby97]; gels keep their volume [Nielsen01].
// Ratios near 1/2 are limited to 0.49 to avoid locking.
#include "scene/tables.h"

#include "base/base.h"

#include <string.h>

#define MATERIAL(name_, density, young, poisson, low, high, what_, source_)                        \
    {                                                                                              \
        .name = (name_), .what = (what_), .source = (source_), .young_low = (low),                 \
        .young_high = (high),                                                                      \
        .values = {{"density", (density)}, {"young", (young)}, {"poisson", (poisson)}},            \
    }

static const pli_material materials[] = {
    MATERIAL("rubber", 930, 2e6, 0.49, 1.5e6, 2.5e6, "natural rubber", "Ashby11"),
    MATERIAL("silicone", 1500, 1e7, 0.48, 5e6, 2e7, "silicone elastomer", "Ashby11"),
    MATERIAL("foam", 50, 2e6, 0.3, 1e6, 3e6, "flexible polymer foam, light", "GibsonAshby97"),
    MATERIAL("jelly", 1020, 3e3, 0.49, 1e3, 1e4, "gelatin or pectin as eaten", "Nielsen01"),
    MATERIAL("flesh", 1060, 5e4, 0.49, 1e4, 1e6, "muscle and skin, little stretched", "Fung93"),
    MATERIAL("cartilage", 1100, 7e5, 0.1, 4e5, 1e6, "of joints, slowly loaded", "Mow84"),
    MATERIAL("cork", 180, 3e7, 0.05, 1.3e7, 5e7, "as in bottles", "GibsonAshby97"),
    MATERIAL("wood", 700, 1e10, 0.35, 6e9, 2e10, "along the grain, in all directions", "Ashby11"),
    MATERIAL("ice", 917, 9.3e9, 0.33, 9e9, 1e10, "of fresh water, cold", "SchulsonDuval09"),
    MATERIAL("concrete", 2400, 3e10, 0.2, 2.5e10, 3.8e10, "not reinforced", "Ashby11"),
    MATERIAL("glass", 2470, 7e10, 0.22, 6.8e10, 7.2e10, "soda-lime glass", "Ashby11"),
    MATERIAL("aluminium", 2700, 7e10, 0.33, 6.8e10, 8.2e10, "aluminium alloys", "Ashby11"),
    MATERIAL("steel", 7850, 2.1e11, 0.3, 2e11, 2.15e11, "low carbon steel", "Ashby11"),
};

const pli_material* pli_material_at(int i) {
    return i >= 0 && (size_t)i < sizeof materials / sizeof *materials ? &materials[i] : NULL;
}

const char* pli_material_name(int i) {
    if (i == 0) return "none";
    return pli_material_at(i - 1) ? pli_material_at(i - 1)->name : NULL;
}

const char* pli_material_help(int i) {
    if (i == 0) return "density and energies as given";
    return pli_material_at(i - 1) ? pli_material_at(i - 1)->what : NULL;
}

static const pli_material* find(const char* name) {
    for (size_t i = 0; i < sizeof materials / sizeof *materials; ++i)
        if (strcmp(materials[i].name, name) == 0) return &materials[i];
    return NULL;
}

// Not used for energies with given Lame parameters.
pli_preset pli_material_preset(const char* name) {
    static const char* const unless[] = {"lame_mu", "lame_lambda", NULL};
    const pli_material* m = find(name);
    if (!m) return (pli_preset){0};
    return (pli_preset){m->values, PLI_MATERIAL_VALUES, PLI_MATERIAL_DENSITY + 1, unless};
}

pli_status pli_material_complete(json_t* scene, pli_error* error) {
    size_t i;
    json_t* body;
    json_array_foreach(json_object_get(scene, "bodies"), i, body) {
        const char* name = json_string_value(json_object_get(body, "material"));
        if (!name || !find(name) || json_object_get(body, "energies")) continue;
        json_t* energies = json_pack("[{s:s}]", "type", PLI_MATERIAL_ENERGY);
        if (!energies || json_object_set_new(body, "energies", energies) != 0)
            return pli_fail(error, PLI_E_MEMORY, "out of memory: energies of a material");
    }
    return PLI_OK;
}
