// The table of materials. Constants are from [Ashby11], appendix A, where no other source is named;
// Poisson's ratios of foam and cork from [GibsonAshby97]; gels keep their volume [Nielsen01].
// Ratios near 1/2 are limited to 0.49 to avoid locking. Yield stresses vary by factors with alloy
// and treatment: those of metals are the lower ends of their ranges.
//
// Sheets are for triangles in space. Fabrics have the numbers of the scenes of [Li21], measured on
// one cloth each: other cloths of the same name differ by factors. Woven ones with axes have the
// limit of their softer axis.
#include "scene/tables.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

#define SOLID(name_, energies_, density, young, poisson, yield, low, high, what_, source_)         \
    {                                                                                              \
        .name = (name_), .what = (what_), .source = (source_), .young_low = (low),                 \
        .young_high = (high), .energies = (energies_),                                             \
        .values = {{"density", (density)},                                                         \
                   {"young", (young)},                                                             \
                   {"poisson", (poisson)},                                                         \
                   {"von-mises.yield", (yield)}},                                                  \
    }
#define MATERIAL(name, density, young, poisson, low, high, what, source)                           \
    SOLID(name, elastic, density, young, poisson, NONE, low, high, what, source)
#define METAL(name, density, young, poisson, yield, low, high, what, source)                       \
    SOLID(name, yielding, density, young, poisson, yield, low, high, what, source)
#define NONE ((double)NAN)

static const char* const elastic[] = {"neo-hookean", NULL};
static const char* const yielding[] = {"von-mises", NULL};

// clang-format off
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
    METAL("mild-steel", 7850, 2.1e11, 0.3, 2.5e8, 2e11, 2.15e11, "low carbon steel, that yields", "Ashby11"),
    METAL("soft-aluminium", 2700, 7e10, 0.33, 3e7, 6.8e10, 8.2e10, "the softest of its alloys", "Ashby11"),
    METAL("soft-copper", 8930, 1.2e11, 0.34, 3e7, 1.12e11, 1.48e11, "the softest of its alloys", "Ashby11"),
    METAL("lead", 11300, 1.4e10, 0.44, 1e7, 1.25e10, 1.5e10, "lead and its alloys", "Ashby11"),
};
// clang-format on

const pli_material* pli_material_at(int i) {
    return i >= 0 && (size_t)i < sizeof materials / sizeof *materials ? &materials[i] : NULL;
}

// ---- sheets

static const char* const plain[] = {"shell", NULL};
static const char* const cloth[] = {"shell", "strain-limit", NULL};
static const char* const woven[] = {"orthotropic", "bending", "strain-limit", NULL};

// mm and MPa. E t^3 / (36 (1 - nu^2)) is the stiffness of hinges (hinge.c).
#define SHEET(name_, energies_, density, t, young, nu, limit, c11, c12, c22, c33, what_, source_)  \
    {                                                                                              \
        .name = (name_), .what = (what_), .energies = (energies_), .source = (source_),            \
        .values = {                                                                                \
            {"density", (density)},                                                                \
            {"thickness", (t)*1e-3},                                                               \
            {"young", (young)*1e6},                                                                \
            {"poisson", (nu)},                                                                     \
            {"hinge.stiffness", (young) * (t) * (t) * (t)*1e-3 / (36 * (1 - (nu) * (nu)))},        \
            {"strain-limit.limit", (limit)},                                                       \
            {"orthotropic.c11", 1e6 * (double)(c11)},                                              \
            {"orthotropic.c12", 1e6 * (double)(c12)},                                              \
            {"orthotropic.c22", 1e6 * (double)(c22)},                                              \
            {"orthotropic.c33", 1e6 * (double)(c33)},                                              \
        },                                                                                         \
    }
#define EVEN(name, energies, density, t, young, nu, limit, what, source)                           \
    SHEET(name, energies, density, t, young, nu, limit, NONE, NONE, NONE, NONE, what, source)

// clang-format off
static const pli_sheet_material sheets[] = {
    EVEN("cotton", cloth, 472.64, 0.318, 0.821, 0.243, 1.0608, "cotton cloth", "Li21"),
    EVEN("wool", cloth, 413.38, 0.568, 0.170, 0.277, 1.085, "woollen cloth", "Li21"),
    EVEN("wool-lycra", cloth, 543.29, 0.328, 0.076, 0.071, 1.134, "stretch cloth", "Li21"),
    EVEN("polyester", cloth, 653.17, 0.252, 0.478, 0.381, 1.0646, "polyester cloth", "Li21"),
    SHEET("silk", woven, 83, 0.18, 0.57, 0, 1.349, 4.3, 4.971, 9.942, 0.285, "silk, with axes", "Li21"),
    SHEET("denim", woven, 400, 0.66, 2.448, 0, 1.249, 4.793, 4.515, 9.029, 1.224, "denim, with axes", "Li21"),
    SHEET("canvas", woven, 294, 0.53, 2.009, 0, 1.105, 5.366, 2.683, 19.804, 1.0045, "canvas, with axes", "Li21"),
    EVEN("paper", cloth, 800, 0.3, 3000, 0.3, 1.005, "stiff paper", "Li21"),
    EVEN("rubber-sheet", plain, 930, 1, 2, 0.49, NONE, "natural rubber, 1 mm", "Ashby11"),
    EVEN("aluminium-foil", plain, 2700, 0.016, 7e4, 0.33, NONE, "as in kitchens", "Ashby11"),
    EVEN("steel-sheet", plain, 7850, 0.5, 2.1e5, 0.3, NONE, "low carbon steel, 0.5 mm", "Ashby11"),
};
// clang-format on

const pli_sheet_material* pli_sheet_material_at(int i) {
    return i >= 0 && (size_t)i < sizeof sheets / sizeof *sheets ? &sheets[i] : NULL;
}

const pli_sheet_material* pli_sheet_material_find(const char* name) {
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; ++i)
        if (strcmp(sheets[i].name, name) == 0) return &sheets[i];
    return NULL;
}

// ---- both

// "none", solids, sheets
const char* pli_material_name(int i) {
    int solids = sizeof materials / sizeof *materials;
    if (i == 0) return "none";
    if (i <= solids) return pli_material_at(i - 1) ? pli_material_at(i - 1)->name : NULL;
    const pli_sheet_material* sheet = pli_sheet_material_at(i - 1 - solids);
    return sheet ? sheet->name : NULL;
}

const char* pli_material_help(int i) {
    int solids = sizeof materials / sizeof *materials;
    if (i == 0) return "density and energies as given";
    if (i <= solids) return pli_material_at(i - 1) ? pli_material_at(i - 1)->what : NULL;
    const pli_sheet_material* sheet = pli_sheet_material_at(i - 1 - solids);
    return sheet ? sheet->what : NULL;
}

static const pli_material* find(const char* name) {
    for (size_t i = 0; i < sizeof materials / sizeof *materials; ++i)
        if (strcmp(materials[i].name, name) == 0) return &materials[i];
    return NULL;
}

// Not used for energies whose constants are given in another way.
pli_preset pli_material_preset(const char* name) {
    static const char* const unless[] = {"lame_mu", "lame_lambda", "young_warp", NULL};
    const pli_material* m = find(name);
    const pli_sheet_material* sheet = pli_sheet_material_find(name);
    if (sheet)
        return (pli_preset){sheet->values, PLI_SHEET_VALUES, PLI_SHEET_THICKNESS + 1, unless};
    if (!m) return (pli_preset){0};
    return (pli_preset){m->values, PLI_MATERIAL_VALUES, PLI_MATERIAL_DENSITY + 1, unless};
}

static json_t* energies_of(const char* name) {
    const pli_sheet_material* sheet = pli_sheet_material_find(name);
    json_t* list = json_array();
    for (const char* const* type = sheet ? sheet->energies : find(name)->energies; *type && list;
         ++type)
        if (json_array_append_new(list, json_pack("{s:s}", "type", *type)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

pli_status pli_material_complete(json_t* scene, pli_error* error) {
    size_t i;
    json_t* body;
    json_array_foreach(json_object_get(scene, "bodies"), i, body) {
        const char* name = json_string_value(json_object_get(body, "material"));
        if (!name || json_object_get(body, "energies")) continue;
        if (!find(name) && !pli_sheet_material_find(name)) continue;
        json_t* energies = energies_of(name);
        if (!energies || json_object_set_new(body, "energies", energies) != 0)
            return pli_fail(error, PLI_E_MEMORY, "out of memory: energies of a material");
    }
    return PLI_OK;
}
