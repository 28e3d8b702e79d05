// Adding energies to a world: over a body, or over stencils that the caller lists.
#include "dynamics/world.h"

#include <string.h>

static void free_energy(pli_memory* memory, pli_body_energy* energy) {
    PLI_FREE(memory, energy->params, energy->type->param_count);
    PLI_FREE(memory, energy->vertices, energy->entry_count);
}

void pli_world_free_energies(pli_world* world) {
    pli_model* m = &world->model;
    for (int i = 0; i < m->energy_count; ++i) free_energy(m->memory, &m->energies[i]);
    PLI_FREE(m->memory, m->energies, m->energy_capacity);
}

static const pli_energy_type* look_up(const pli_world_def* def, const char* name) {
    for (int i = 0; i < def->energy_type_count; ++i)
        if (strcmp(def->energy_types[i]->name, name) == 0) return def->energy_types[i];
    for (int i = 0; pli_energy_type_at(i); ++i)
        if (strcmp(pli_energy_type_at(i)->name, name) == 0) return pli_energy_type_at(i);
    return NULL;
}

static pli_status find_type(const pli_model* model, const char* name, const pli_energy_type** type,
                            pli_error* error) {
    *type = name ? look_up(&model->def, name) : NULL;
    if (!*type)
        return pli_fail(error, PLI_E_ARGUMENT, "there is no energy type \"%s\"", name ? name : "");
    if (!((*type)->dims & (1u << model->def.dimension)))
        return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" does not work in dimension %d", name,
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

// Beside the energies that the body has already.
static pli_status check_beside(const pli_model* model, const pli_body_energy* energy,
                               pli_error* error) {
    for (int i = 0; i < model->energy_count && model->def.dimension == 2; ++i) {
        const pli_body_energy* other = &model->energies[i];
        if (other->body != energy->body || energy->body < 0) continue;
        PLI_TRY(pli_energy_check_beside(energy->type, energy->params, other->type, error));
        pli_status status =
            pli_energy_check_beside(other->type, other->params, energy->type, error);
        PLI_TRY(pli_error_place(status, error, PLI_OBJECT_ENERGY, i, NULL));
    }
    return PLI_OK;
}

// Takes over what `energy` owns, or frees it.
static pli_status append(pli_model* model, pli_body_energy* energy, const pli_setting* settings,
                         int setting_count, pli_error* error) {
    pli_memory* m = model->memory;
    int count = energy->type->param_count;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_GROW(m, model->energies, model->energy_capacity,
                                     model->energy_count + 1, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, energy->params, count, error));
    PLI_TRY_CLEANUP(
        status, pli_energy_params(energy->type, settings, setting_count, energy->params, error));
    PLI_TRY_CLEANUP(status, check_beside(model, energy, error));
    model->energies[model->energy_count++] = *energy;
    return PLI_OK;
cleanup:
    free_energy(m, energy);
    return status;
}

static pli_status add_energy(pli_world* world, pli_body_id id, const char* name,
                             const pli_setting* settings, int setting_count, pli_error* error) {
    PLI_TRY(pli_world_not_prepared(world, error));
    pli_body* body = NULL;
    pli_body_energy energy = {.body = id.index};
    PLI_TRY(pli_world_find_body(world, id, &body, error));
    PLI_TRY(pli_world_can_deform(body, "energy", error));
    PLI_TRY(check_settings(settings, setting_count, error));
    PLI_TRY(find_type(&world->model, name, &energy.type, error));
    pli_status status = append(&world->model, &energy, settings, setting_count, error);
    if (status != PLI_OK) pli_error_prefix(error, "body \"%s\"", body->name);
    return status;
}

pli_status pli_world_add_energy(pli_world* world, pli_body_id id, const char* name,
                                const pli_setting* settings, int setting_count, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = add_energy(world, id, name, settings, setting_count, error);
    pli_error_place(status, error, PLI_OBJECT_ENERGY, world->model.energy_count, NULL);
    return pli_world_leave(world, status);
}

// ---- listed stencils

// What each stencil is, and how many vertices it has.
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
        !pli_energy_covers(type, dim, energy->kind))
        return pli_fail(error, PLI_E_ARGUMENT, "kind of the stencils must be one of: %s",
                        type->width > 0 ? "stencil" : pli_energy_kinds(type, dim, kinds));
    *width = energy->kind == PLI_STENCIL ? type->width : pli_element_size(energy->kind);
    return PLI_OK;
}

static pli_status take_vertices(pli_world* world, const pli_stencils_def* def,
                                pli_body_energy* energy, int width, pli_error* error) {
    PLI_TRY(PLI_ALLOC(&world->memory, energy->vertices, (size_t)def->count * (size_t)width, error));
    energy->stencil_count = def->count;
    energy->entry_count = def->count * width;
    for (int i = 0; i < energy->entry_count; ++i) {
        const pli_vertex_ref* at = &def->vertices[i];
        pli_body* body = NULL;
        PLI_TRY(pli_world_find_body(world, at->body, &body, error));
        int count = pli_body_end_vertex(&world->model, at->body.index) - body->first_vertex;
        if (at->vertex < 0 || at->vertex >= count)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "stencil %d: vertex %d of body \"%s\", must be 0 to %d", i / width,
                            at->vertex, body->name, count - 1);
        energy->vertices[i] = body->first_vertex + at->vertex;
    }
    return PLI_OK;
}

static pli_status add_stencils(pli_world* world, const pli_stencils_def* def, pli_error* error) {
    PLI_TRY(pli_world_not_prepared(world, error));
    if (!def) return pli_fail(error, PLI_E_ARGUMENT, "stencils: def is NULL");
    pli_body_energy energy = {.body = -1};
    int width = 0;
    PLI_TRY(find_type(&world->model, def->energy, &energy.type, error));
    PLI_TRY(check_settings(def->settings, def->setting_count, error));
    PLI_TRY(choose_kind(&world->model, def, &energy, &width, error));
    if (def->count < 1 || def->count > INT32_MAX / width || !def->vertices)
        return pli_fail(error, PLI_E_ARGUMENT, "count = %d, %s", def->count,
                        def->vertices ? "must be 1 or more, and not too many"
                                      : "but vertices is NULL");
    pli_status status = take_vertices(world, def, &energy, width, error);
    if (status != PLI_OK) {
        free_energy(&world->memory, &energy);
        return status;
    }
    return append(&world->model, &energy, def->settings, def->setting_count, error);
}

pli_status pli_world_add_stencils(pli_world* world, const pli_stencils_def* def, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = add_stencils(world, def, error);
    if (status != PLI_OK)
        pli_error_prefix(error, "stencils of energy \"%.60s\"",
                         def && def->energy ? def->energy : "");
    pli_error_place(status, error, PLI_OBJECT_ENERGY, world->model.energy_count, NULL);
    return pli_world_leave(world, status);
}
