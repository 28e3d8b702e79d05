// Masses of vertices from the density of their body.
#include "model/model.h"

#include "mesh/measure.h"

#include <string.h>

double pli_own_section(const pli_model* model, int body, const pli_body_def* def, int dimension) {
    double own = dimension == 2 ? def->thickness : dimension == 1 ? def->cross_section : 1;
    for (int i = 0; i < model->energy_count && body >= 0 && own == 0; ++i) {
        const pli_body_energy* energy = &model->energies[i];
        if (energy->body == body && energy->type->section)
            own = energy->type->section(energy->params, dimension);
    }
    return own;
}

double pli_volume_factor(const pli_model* model, int body, const pli_body_def* def, int dimension) {
    double own = pli_own_section(model, body, def, dimension);
    return own == 0 && dimension == 2 ? model->def.thickness : own;
}

// The largest dimension of its elements: segments count if there is nothing larger.
static int weight_dimension(const pli_elements* all) {
    int dimension = pli_mass_dimension(all->count);
    return dimension == 0 && all->count[PLI_SEGMENT] > 0 ? 1 : dimension;
}

int pli_body_lumps(const pli_model* model, int body, const pli_body_def* def,
                   const pli_elements* all, const double* x,
                   pli_lump lumps[PLI_ELEMENT_KIND_COUNT]) {
    int dimension = weight_dimension(all), count = 0;
    double section = pli_volume_factor(model, body, def, dimension);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        if (pli_element_dimension(kind) != dimension || all->count[k] == 0) continue;
        lumps[count++] = (pli_lump){.dim = model->def.dimension,
                                    .kind = kind,
                                    .element_count = all->count[k],
                                    .vertices = all->elements[k],
                                    .x = x,
                                    .density = def->density,
                                    .pattern = kind == PLI_TRIANGLE ? def->pattern : NULL,
                                    .section = section};
    }
    return count;
}

static pli_status check_mass(const pli_body_def* def, const pli_elements* all, pli_error* error) {
    pli_status status = PLI_OK;
    if (def->obstacle || pli_body_is_embedded(def)) return PLI_OK;
    if (def->vertex_mass > 0 && strcmp(def->mass, "consistent") == 0)
        status = pli_fail(error, PLI_E_ARGUMENT,
                          "mass = \"consistent\" comes from density: vertex_mass must be 0");
    else if (def->vertex_mass == 0 && weight_dimension(all) == 0)
        status = pli_fail(error, PLI_E_ARGUMENT,
                          "the mesh has no elements, so density gives it no mass: set vertex_mass");
    return pli_error_key(status, error, "vertex_mass");
}

pli_status pli_body_check_mass(const pli_body_def* def, const pli_mesh* mesh, pli_error* error) {
    pli_elements all = pli_elements_of(mesh);
    return check_mass(def, &all, error);
}

// Masses of the vertices [first, end).
static pli_status weigh(const pli_model* model, int body, const pli_body_def* def,
                        const pli_elements* all, const double* x, int first, int end, double* mass,
                        pli_error* error) {
    pli_lump lumps[PLI_ELEMENT_KIND_COUNT];
    for (int v = first; v < end; ++v) mass[v] = 0;
    if (def->obstacle || pli_body_is_embedded(def)) return PLI_OK;
    PLI_TRY(check_mass(def, all, error));
    for (int v = first; v < end; ++v) mass[v] = def->vertex_mass;
    if (def->vertex_mass > 0) return PLI_OK;
    int count = pli_body_lumps(model, body, def, all, x, lumps);
    for (int i = 0; i < count; ++i) pli_lump_mass(&lumps[i], mass);
    if (strcmp(def->mass, "even") == 0) {
        double total = 0;
        for (int v = first; v < end; ++v) total += mass[v];
        for (int v = first; v < end; ++v) mass[v] = total / (end - first);
    }
    return PLI_OK;
}

pli_status pli_body_weigh(const pli_model* model, int body, const pli_body_def* def,
                          const pli_mesh* mesh, double* mass, pli_error* error) {
    pli_elements all = pli_elements_of(mesh);
    return weigh(model, body, def, &all, mesh->positions, 0, mesh->vertex_count, mass, error);
}

void pli_model_weigh(pli_model* model, int body) {
    pli_elements all = pli_model_elements(model, body);
    // Cannot fail: the same def and mesh were accepted before.
    (void)weigh(model, body, &model->bodies[body].def, &all, model->rest,
                model->bodies[body].first_vertex, pli_body_end_vertex(model, body), model->masses,
                NULL);
}
