// Checks of solids that keep their volume or flow: linear elements that lock, softening, and yield
// stresses beyond any elastic strain.
#include "scene/check.h"

#include <math.h>
#include <string.h>

// The value of a parameter in the data of an energy; NAN: it has no such row, or it is not given.
static double value_of(const pli_energy_type* type, const double* values, const char* name) {
    for (int i = 0; i < type->param_count; ++i)
        if (strcmp(type->params[i].name, name) == 0) return values[i];
    return (double)NAN;
}

// Young's modulus and Poisson's ratio as given, by either pair or by default.
static void constants_of(const pli_energy_type* type, const double* values, double* young,
                         double* poisson) {
    double mu = value_of(type, values, "lame_mu"), lam = value_of(type, values, "lame_lambda");
    *young = value_of(type, values, "young");
    *poisson = value_of(type, values, "poisson");
    if (!isnan(mu) && !isnan(lam)) {
        *poisson = lam / (2 * (lam + mu));
        *young = 2 * mu * (1 + *poisson);
    }
    if (isnan(*young)) *young = 1e5;
    if (isnan(*poisson)) *poisson = 0.4;
}

static bool yields(const pli_energy_type* type) {
    return type->solid && strcmp(type->name, "von-mises") == 0;
}

// Linear elements whose volume is stiff and whose shear is not lock. Where it costs digits or a
// frozen shape: beyond a ratio of 0.495, or in plastic flow. Plane stress has no volume to keep.
static pli_status check_locking(pli_builder* b, const pli_shape* shape, const pli_energy_type* type,
                                const double* values, const pli_path* at, pli_error* error) {
    const pli_mesh* mesh = &shape->mesh;
    double young, poisson;
    constants_of(type, values, &young, &poisson);
    bool plane = b->scene->world.dimension == 2, flows = yields(type);
    int linear = mesh->element_count[plane ? PLI_TRIANGLE : PLI_TETRAHEDRON];
    bool tight = poisson > 0.495;
    if (linear == 0 || !(flows || tight)) return PLI_OK;
    if (plane && value_of(type, values, "plane_stress") == 1) return PLI_OK;
    return PLI_WARN(b->findings, at, error,
                    "linear elements lock where %s: the body is too stiff. Use \"order\": 2 where "
                    "numbers matter",
                    tight ? "the volume hardly changes (poisson > 0.495)"
                          : "the material yields, because plastic flow keeps the volume");
}

static pli_status check_yield(pli_builder* b, const pli_energy_type* type, const double* values,
                              const pli_path* at, pli_error* error) {
    double young, poisson, yield = value_of(type, values, "yield");
    double hardening = value_of(type, values, "hardening");
    constants_of(type, values, &young, &poisson);
    if (yield > 0.5 * young)
        PLI_TRY(PLI_WARN(b->findings, PLI_KEY(at, "yield"), error,
                         "yield = %g Pa is reached at an elastic strain of %.3g: it hardly ever "
                         "yields; is a unit wrong?",
                         yield, yield / young));
    if (hardening < 0)
        PLI_TRY(PLI_WARN(b->findings, PLI_KEY(at, "hardening"), error,
                         "hardening < 0 softens: strain localizes in bands of one element, so "
                         "results depend on the mesh"));
    return PLI_OK;
}

pli_status pli_check_flow(pli_builder* b, const pli_shape* shape, const pli_path* at,
                          pli_error* error) {
    const pli_tagged* energies = shape->data->energies.items;
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        pli_path entry = pli_path_index(PLI_KEY(at, "energies"), i);
        if (!type || !type->solid || type->dissipation) continue;
        if (yields(type)) PLI_TRY(check_yield(b, type, energies[i].data, &entry, error));
        PLI_TRY(check_locking(b, shape, type, energies[i].data, &entry, error));
    }
    return PLI_OK;
}
