// Adding energies to the model, on a body or on stencils listed by the caller, and loads.
#include "model/model.h"

#include "base/text.h"
#include "energy/element_term.h"
#include "energy/load.h"
#include "model/params.h"

#include <math.h>
#include <string.h>

// ---- energies of bodies

void pli_body_energy_free(pli_memory* memory, pli_body_energy* energy) {
    PLI_FREE(memory, energy->params, energy->type->param_count);
    PLI_FREE(memory, energy->vertices, energy->entry_capacity);
}

const pli_energy_type* pli_model_energy_type(const pli_model* model, const char* name) {
    const pli_world_def* def = &model->def;
    for (int i = 0; i < def->energy_type_count; ++i)
        if (strcmp(def->energy_types[i]->name, name) == 0) return def->energy_types[i];
    for (int i = 0; pli_energy_type_at(i); ++i)
        if (strcmp(pli_energy_type_at(i)->name, name) == 0) return pli_energy_type_at(i);
    return NULL;
}

static pli_status unknown_type(const pli_model* model, const char* name, pli_error* error) {
    pli_nearest near = {.word = name};
    for (int i = 0; i < model->def.energy_type_count; ++i)
        pli_nearest_try(&near, model->def.energy_types[i]->name);
    for (int i = 0; pli_energy_type_at(i); ++i) pli_nearest_try(&near, pli_energy_type_at(i)->name);
    if (!near.best) return pli_fail(error, PLI_E_ARGUMENT, "unknown energy type \"%s\"", name);
    return pli_fail(error, PLI_E_ARGUMENT, "unknown energy type \"%s\", did you mean \"%s\"?", name,
                    near.best);
}

static pli_status find_type(const pli_model* model, const char* name, const pli_energy_type** type,
                            pli_error* error) {
    *type = name ? pli_model_energy_type(model, name) : NULL;
    if (!*type) return unknown_type(model, name ? name : "", error);
    if (!((*type)->dims & (1u << model->def.dimension)))
        return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" does not support dimension %d", name,
                        model->def.dimension);
    return PLI_OK;
}

static pli_status check_settings(const pli_setting* settings, int count, pli_error* error) {
    if (count < 0 || (count > 0 && !settings))
        return pli_fail(error, PLI_E_ARGUMENT, "energy: setting_count = %d, but %s", count,
                        count < 0 ? "must be >= 0" : "settings is NULL");
    for (int i = 0; i < count; ++i)
        if (!settings[i].name)
            return pli_fail(error, PLI_E_ARGUMENT, "energy: the name of setting %d is NULL", i);
    return PLI_OK;
}

// Checks that an energy with these parameters is compatible with the other energies of its body.
static pli_status check_beside(const pli_model* model, const pli_body_energy* energy,
                               const double* params, pli_error* error) {
    for (int i = 0; i < model->energy_count; ++i) {
        const pli_body_energy* other = &model->energies[i];
        if (other == energy || other->body != energy->body || energy->body < 0) continue;
        PLI_TRY(pli_energy_check_beside(energy->type, params, other->type, error));
        pli_status status =
            pli_energy_check_beside(other->type, other->params, energy->type, error);
        PLI_TRY(pli_error_place(status, error, PLI_OBJECT_ENERGY, i, NULL));
    }
    return PLI_OK;
}

// Takes ownership of `energy`, or frees it (also in a trial).
static pli_status append(pli_model* model, pli_body_energy* energy, const pli_setting* settings,
                         int setting_count, pli_error* error) {
    pli_memory* m = model->memory;
    int count = energy->type->param_count;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, energy->params, count, error));
    PLI_TRY_CLEANUP(
        status, pli_energy_params(energy->type, settings, setting_count, energy->params, error));
    PLI_TRY_CLEANUP(status, check_beside(model, energy, energy->params, error));
    if (model->trial) goto cleanup;
    PLI_TRY_CLEANUP(status, PLI_GROW(m, model->energies, model->energy_capacity,
                                     model->energy_count + 1, error));
    PLI_TRY_CLEANUP(status, pli_slots_reserve(model, PLI_SLOT_ENERGY, error));
    energy->slot = pli_slots_add(model, PLI_SLOT_ENERGY, model->energy_count);
    model->energies[model->energy_count++] = *energy;
    return PLI_OK;
cleanup:
    pli_body_energy_free(m, energy);
    return status;
}

pli_status pli_model_add_energy(pli_model* model, pli_body_id id, const char* name,
                                const pli_setting* settings, int setting_count, pli_error* error) {
    pli_body* body = NULL;
    pli_body_energy energy = {0};
    PLI_TRY(pli_model_find_body(model, id, &body, error));
    energy.body = (int)(body - model->bodies);
    PLI_TRY(pli_can_deform(body, "energy", error));
    PLI_TRY(check_settings(settings, setting_count, error));
    PLI_TRY(find_type(model, name, &energy.type, error));
    pli_status status = append(model, &energy, settings, setting_count, error);
    if (status != PLI_OK) pli_error_prefix(error, "body \"%s\"", body->name);
    if (status == PLI_OK && energy.type->section) pli_model_weigh(model, energy.body);
    return status;
}

pli_status pli_model_set_energy(pli_model* model, int number, const pli_setting* settings,
                                int setting_count, pli_error* error) {
    pli_body_energy* energy = &model->energies[number];
    const pli_energy_type* type = energy->type;
    int total = type->param_count + pli_max_int(setting_count, 0), count = 0;
    pli_setting* all;
    double* params = NULL;
    PLI_TRY(check_settings(settings, setting_count, error));
    PLI_TRY(PLI_ALLOC(model->memory, all, total, error));
    pli_status status = PLI_ALLOC(model->memory, params, type->param_count, error);
    for (int i = 0; i < type->param_count; ++i)
        if (!isnan(energy->params[i]))
            all[count++] = (pli_setting){type->params[i].name, energy->params[i]};
    for (int i = 0; i < setting_count; ++i) all[count++] = settings[i];
    if (status == PLI_OK) status = pli_energy_params(type, all, count, params, error);
    if (status == PLI_OK) status = check_beside(model, energy, params, error);
    if (status == PLI_OK) memcpy(energy->params, params, sizeof *params * (size_t)type->param_count);
    if (status == PLI_OK && type->section && energy->body >= 0) pli_model_weigh(model, energy->body);
    PLI_FREE(model->memory, params, type->param_count);
    PLI_FREE(model->memory, all, total);
    return status;
}

// ---- listed stencils

// The kind of each stencil, and its vertex count.
static pli_status choose_kind(const pli_model* model, const pli_stencils_def* def,
                              pli_body_energy* energy, int* width, pli_error* error) {
    const pli_energy_type* type = energy->type;
    int dim = model->def.dimension, covered = 0;
    energy->kind = def->kind;
    if (def->kind == PLI_STENCIL && type->width == 0)
        for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k)
            if (pli_energy_covers(type, dim, (pli_element_kind)k)) {
                energy->kind = (pli_element_kind)k;
                covered++;
            }
    char kinds[PLI_KINDS_SIZE];
    if ((int)energy->kind < 0 || energy->kind > PLI_STENCIL || covered > 1 ||
        !pli_energy_covers(type, dim, energy->kind) || type->width == PLI_WIDE)
        return pli_fail(error, PLI_E_ARGUMENT, "kind of the stencils must be one of: %s",
                        type->width > 0           ? "stencil"
                        : type->width == PLI_WIDE ? "none (wide stencils cannot be listed)"
                                                  : pli_energy_kinds(type, dim, kinds));
    *width = energy->kind == PLI_STENCIL ? type->width : pli_element_size(energy->kind);
    return PLI_OK;
}

static pli_status take_entries(pli_model* model, const pli_stencils_def* def,
                               pli_body_energy* energy, int width, pli_error* error) {
    PLI_TRY(PLI_ALLOC(model->memory, energy->vertices, (size_t)def->count * (size_t)width, error));
    energy->stencil_count = def->count;
    energy->entry_count = energy->entry_capacity = def->count * width;
    for (int i = 0; i < energy->entry_count; ++i) {
        const pli_vertex_ref* at = &def->vertices[i];
        pli_body* body = NULL;
        PLI_TRY(pli_model_find_body(model, at->body, &body, error));
        int count = pli_body_end_vertex(model, (int)(body - model->bodies)) - body->first_vertex;
        if (at->vertex < 0 || at->vertex >= count)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "stencil %d: vertex %d of body \"%s\", must be 0 to %d", i / width,
                            at->vertex, body->name, count - 1);
        energy->vertices[i] = body->first_vertex + at->vertex;
    }
    return PLI_OK;
}

pli_status pli_model_add_stencils(pli_model* model, const pli_stencils_def* def, pli_error* error) {
    pli_body_energy energy = {.body = -1};
    int width = 0;
    PLI_TRY(find_type(model, def->energy, &energy.type, error));
    PLI_TRY(check_settings(def->settings, def->setting_count, error));
    PLI_TRY(choose_kind(model, def, &energy, &width, error));
    if (def->count < 1 || def->count > INT32_MAX / width || !def->vertices)
        return pli_fail(error, PLI_E_ARGUMENT, "count = %d, %s", def->count,
                        def->vertices ? "must be > 0 and within the limit"
                                      : "but vertices is NULL");
    pli_status status = take_entries(model, def, &energy, width, error);
    if (status != PLI_OK) {
        pli_body_energy_free(model->memory, &energy);
        return status;
    }
    return append(model, &energy, def->settings, def->setting_count, error);
}

void pli_model_free_energies(pli_model* model) {
    for (int i = 0; i < model->energy_count; ++i) pli_body_energy_free(model->memory, &model->energies[i]);
    PLI_FREE(model->memory, model->energies, model->energy_capacity);
}

// ---- loads

void pli_body_load_free(pli_memory* memory, pli_body_load* load) {
    PLI_FREE(memory, load->vertices, load->vertex_count);
    pli_skin_free(&load->skin);
}

void pli_model_free_loads(pli_model* model) {
    for (int i = 0; i < model->load_count; ++i) pli_body_load_free(model->memory, &model->loads[i]);
    PLI_FREE(model->memory, model->loads, model->load_capacity);
}

// Copies the selection in world numbers and marks it in `listed` (1 per vertex of the world).
static pli_status take_vertices(pli_model* model, const pli_load_def* def, pli_body_load* load,
                                bool* listed, pli_error* error) {
    int first = model->bodies[load->body].first_vertex;
    int total = pli_body_end_vertex(model, load->body) - first;
    int count = def->vertices ? def->vertex_count : total;
    if (count <= 0) return pli_fail(error, PLI_E_ARGUMENT, "vertex_count = %d, must be > 0", count);
    PLI_TRY(PLI_ALLOC(model->memory, load->vertices, count, error));
    load->vertex_count = count;
    for (int i = 0; i < count; ++i) {
        int v = def->vertices ? def->vertices[i] : i;
        if (v < 0 || v >= total)
            return pli_fail(error, PLI_E_ARGUMENT, "vertex %d, must be 0 to %d", v, total - 1);
        if (listed[first + v])
            return pli_fail(error, PLI_E_ARGUMENT, "vertex %d is listed twice", v);
        load->vertices[i] = first + v;
        listed[first + v] = true;
    }
    return PLI_OK;
}

static pli_status take_faces(pli_model* model, pli_body_load* load, const bool* listed,
                             pli_error* error) {
    bool plane = model->def.dimension == 2;
    PLI_TRY(pli_model_skin(model, load->body, model->def.dimension, &load->skin, error));
    if (load->skin.count[0] + load->skin.count[1] == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the body has no surface: use a mesh with triangles%s, or a "
                        "force",
                        plane ? "" : " or tetrahedra");
    pli_skin_keep(&load->skin, listed);
    if (load->skin.count[0] + load->skin.count[1] == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "no %s has all its corners among the %d listed vertices: select "
                        "at least one whole %s",
                        plane ? "edge of the outline" : "face of the surface", load->vertex_count,
                        plane ? "edge" : "face");
    return PLI_OK;
}

pli_status pli_model_find_faces(pli_model* model, pli_body_load* load, pli_error* error) {
    bool* listed;
    pli_skin_free(&load->skin);
    load->skin = (pli_skin){0};
    if (!pli_load_on_faces(load->def.kind)) return PLI_OK;
    PLI_TRY(PLI_ALLOC(model->memory, listed, model->vertex_count, error));
    for (int i = 0; i < load->vertex_count; ++i) listed[load->vertices[i]] = true;
    pli_status status = take_faces(model, load, listed, error);
    PLI_FREE(model->memory, listed, model->vertex_count);
    return status;
}

pli_status pli_model_add_load(pli_model* model, pli_body_id id, const pli_load_def* def,
                              pli_error* error) {
    pli_body* body = NULL;
    PLI_TRY(pli_model_find_body(model, id, &body, error));
    PLI_TRY(pli_can_deform(body, "load", error));
    pli_memory* m = model->memory;
    pli_body_load load = {.body = (int)(body - model->bodies), .def = *def};
    bool* listed = NULL;
    pli_status status = pli_params_check(&pli_load_params, &load.def, "load", error);
    if (status != PLI_OK) {
        pli_error_prefix(error, "body \"%s\"", body->name);
        return status;
    }
    const char* kind = load.def.kind; // the string in the table
    if (model->def.dimension == 2) load.def.value[2] = 0;
    load.def.vertices = NULL;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, listed, model->vertex_count, error));
    status = take_vertices(model, def, &load, listed, error);
    if (status == PLI_OK && pli_load_on_faces(kind))
        status = take_faces(model, &load, listed, error);
    PLI_TRY_CLEANUP(status, pli_error_key(status, error, "vertices"));
    if (model->trial) goto cleanup;
    PLI_TRY_CLEANUP(status,
                    PLI_GROW(m, model->loads, model->load_capacity, model->load_count + 1, error));
    PLI_TRY_CLEANUP(status, pli_slots_reserve(model, PLI_SLOT_LOAD, error));
    load.slot = pli_slots_add(model, PLI_SLOT_LOAD, model->load_count);
    model->loads[model->load_count++] = load;
    load = (pli_body_load){0};
cleanup:
    if (status != PLI_OK) pli_error_prefix(error, "body \"%s\": %s", body->name, kind);
    pli_body_load_free(m, &load);
    PLI_FREE(m, listed, model->vertex_count);
    return status;
}
