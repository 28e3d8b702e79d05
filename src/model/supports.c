// Adding supports to the model: vertices that are fixed, slide or have a prescribed motion.
#include "model/model.h"

#include "math/vec.h"
#include "model/params.h"

#include <math.h>
#include <string.h>

int pli_model_selected(const pli_model* model, int body, const int32_t* vertices, int i) {
    return model->bodies[body].first_vertex + (vertices ? vertices[i] : i);
}

// Finds a vertex that is listed twice.
static pli_status check_twice(pli_model* model, const pli_body* body, const int32_t* vertices,
                              int count, pli_error* error) {
    int total = pli_body_end_vertex(model, (int)(body - model->bodies)) - body->first_vertex;
    bool* seen;
    pli_status status = PLI_ALLOC(model->memory, seen, total, error);
    for (int i = 0; i < count && status == PLI_OK; ++i) {
        if (seen[vertices[i]])
            status = pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": vertex %d is listed twice",
                              body->name, vertices[i]);
        seen[vertices[i]] = true;
    }
    PLI_FREE(model->memory, seen, total);
    return status;
}

// That a support of this kind can take a vertex: those along axes can meet, no others.
static pli_status check_held(const pli_model* model, const pli_body* body, int vertex,
                             pli_support_kind kind, pli_error* error) {
    static const char* const words[] = {"", "fixed", "on an inclined support", "prescribed"};
    pli_support_kind held = model->supports[body->first_vertex + vertex].kind;
    if (held == PLI_SUPPORT_NONE || (held == PLI_SUPPORT_AXES && kind == PLI_SUPPORT_AXES))
        return PLI_OK;
    return pli_fail(
        error, PLI_E_ARGUMENT,
        "body \"%s\": vertex %d is already %s, and only supports along axes can meet at "
        "a vertex: leave it out of one of the two",
        body->name, vertex, words[held]);
}

// How many vertices a support takes, and that all are there, once, and can be held by it.
static pli_status check_selection(pli_model* model, const pli_body* body, const int32_t* vertices,
                                  int count, pli_support_kind kind, int* out, pli_error* error) {
    int total = pli_body_end_vertex(model, (int)(body - model->bodies)) - body->first_vertex;
    if (count < 0)
        return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": vertex_count = %d, must be >= 0",
                        body->name, count);
    *out = vertices ? count : total;
    for (int i = 0; i < *out; ++i) {
        if (vertices && (vertices[i] < 0 || vertices[i] >= total))
            return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": vertex %d, must be 0 to %d",
                            body->name, vertices[i], total - 1);
        PLI_TRY(check_held(model, body, vertices ? vertices[i] : i, kind, error));
    }
    if (*out > 0 && (body->modes || strcmp(body->def.kinematics, "free") != 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "body \"%s\": its vertices do not move one by one, so they cannot be fixed "
                        "or prescribed",
                        body->name);
    return vertices ? check_twice(model, body, vertices, count, error) : PLI_OK;
}

// Room for one more support; its number goes to the vertices.
static pli_status reserve_set(pli_model* model, pli_error* error) {
    return PLI_GROW(model->memory, model->support_sets, model->support_set_capacity,
                    model->support_set_count + 1, error);
}

static void add_set(pli_model* model, pli_support_kind kind, const pli_body* body, bool each) {
    model->support_sets[model->support_set_count++] =
        (pli_support_set){.kind = kind, .body = (int)(body - model->bodies), .each = each};
}

// What is fixed already stays with the support that fixed it.
static void hold(pli_support* held, const pli_support* support) {
    if (held->kind == PLI_SUPPORT_NONE) *held = *support;
    for (int c = 0; c < 3; ++c)
        if (support->axes[c] && !held->axes[c]) {
            held->axes[c] = true;
            held->axis_set[c] = support->set;
        }
}

pli_status pli_model_add_fixed(pli_model* model, pli_body_id id, const pli_fix_def* def,
                               pli_error* error) {
    pli_body* body = NULL;
    PLI_TRY(pli_model_find_body(model, id, &body, error));
    for (int c = 0; c < 3; ++c)
        if (!isfinite(def->normal[c]))
            return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                          "body \"%s\": fix: normal is not finite", body->name),
                                 error, "normal");
    int count, set = model->support_set_count;
    pli_support support = {.kind = PLI_SUPPORT_AXES, .set = set, .axis_set = {set, set, set}};
    memcpy(support.axes, def->axes, sizeof support.axes);
    double length = pli_norm(def->normal, model->def.dimension);
    if (length > 0) {
        support.kind = PLI_SUPPORT_INCLINED;
        for (int c = 0; c < model->def.dimension; ++c) support.normal[c] = def->normal[c] / length;
    } else if (!def->axes[0] && !def->axes[1] && !(def->axes[2] && model->def.dimension == 3)) {
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "body \"%s\": a support that fixes no axis", body->name),
                             error, "axes");
    }
    pli_status listed =
        check_selection(model, body, def->vertices, def->vertex_count, support.kind, &count, error);
    PLI_TRY(pli_error_key(listed, error, "vertices"));
    PLI_TRY(reserve_set(model, error));
    for (int i = 0; i < count; ++i)
        hold(&model->supports[pli_model_selected(model, id.index, def->vertices, i)], &support);
    add_set(model, support.kind, body, false);
    return PLI_OK;
}

// ---- prescribed motion

static pli_status check_keys(const pli_prescribe_def* def, pli_error* error) {
    if (def->key_count >= 0 && (def->key_count == 0 || (def->times && def->offsets))) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "prescribed motion: key_count = %d, but %s",
                    def->key_count,
                    def->key_count < 0 ? "must be >= 0" : "times or offsets is NULL");
}

pli_status pli_model_check_prescribe(pli_model* model, pli_body_id id, pli_prescribe_def* def,
                                     int* count, pli_error* error) {
    pli_body* body = NULL;
    PLI_TRY(pli_model_find_body(model, id, &body, error));
    PLI_TRY(pli_params_check(&pli_prescribe_params, def, "prescribed motion", error));
    PLI_TRY(check_keys(def, error));
    pli_status listed = check_selection(model, body, def->vertices, def->vertex_count,
                                        PLI_SUPPORT_PRESCRIBED, count, error);
    PLI_TRY(pli_error_key(listed, error, "vertices"));
    if (model->def.dimension == 2) def->velocity[2] = 0;
    if (body->def.obstacle && (def->free[0] || def->free[1] || def->free[2]))
        return pli_error_key(
            pli_fail(error, PLI_E_ARGUMENT,
                     "body \"%s\": the motion of an obstacle is prescribed along all axes",
                     body->name),
            error, "free");
    return reserve_set(model, error);
}

void pli_model_add_prescribed(pli_model* model, int body, const pli_prescribe_def* def, int count,
                              int first_pin) {
    for (int i = 0; i < count; ++i)
        model->supports[pli_model_selected(model, body, def->vertices, i)] = (pli_support){
            .kind = PLI_SUPPORT_PRESCRIBED, .pin = first_pin + i, .set = model->support_set_count};
    add_set(model, PLI_SUPPORT_PRESCRIBED, &model->bodies[body], def->per_vertex && count > 1);
}
