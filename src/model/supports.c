// Adding supports to the model: vertices that are fixed, slide or have a prescribed motion.
#include "model/model.h"

#include "kinematics/frame.h"
#include "math/vec.h"
#include "model/params.h"

#include <math.h>
#include <string.h>

// Fails if a vertex is listed twice.
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

// Checks that a vertex can take a support of this kind: only supports along axes can be combined.
static pli_status check_held(const pli_model* model, const pli_body* body, int vertex,
                             pli_support_kind kind, pli_error* error) {
    static const char* const words[] = {"", "fixed", "on an inclined support", "prescribed"};
    pli_support_kind held = model->supports[body->first_vertex + vertex].kind;
    if (held == PLI_SUPPORT_NONE || (held == PLI_SUPPORT_AXES && kind == PLI_SUPPORT_AXES))
        return PLI_OK;
    return pli_fail(
        error, PLI_E_ARGUMENT,
        "body \"%s\": vertex %d is already %s, and only supports along axes can be combined at "
        "a vertex: leave it out of one of the two",
        body->name, vertex, words[held]);
}

// An affine body follows when the vertices that span the others are held: the set keeps only those.
static pli_status keep_independent(pli_model* model, pli_support_set* set, pli_error* error) {
    int dim = model->def.dimension, count = set->vertex_count;
    double* places = NULL;
    int32_t *kept = NULL, chosen[PLI_FRAME_MAX];
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(model->memory, places, 3 * (size_t)count, error));
    for (int i = 0; i < count; ++i)
        pli_copy(model->rest + 3 * (size_t)set->vertices[i], places + 3 * (size_t)i, 3);
    double length = pli_model_rest_diagonal(model, set->body);
    int n = pli_independent_places(dim, count, places, length, 0, chosen);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(model->memory, kept, n, error));
    for (int i = 0; i < n; ++i) kept[i] = set->vertices[chosen[i]];
cleanup:
    PLI_FREE(model->memory, places, 3 * (size_t)count);
    PLI_FREE(model->memory, set->vertices, count);
    set->vertices = kept;
    set->vertex_count = status == PLI_OK ? n : 0;
    return status;
}

// Checks that all vertices of a support exist, occur once and can be supported; returns its list in
// world numbers.
static pli_status select_vertices(pli_model* model, const int32_t* vertices, int count,
                                  pli_support_set* set, pli_error* error) {
    const pli_body* body = &model->bodies[set->body];
    int total = pli_body_end_vertex(model, set->body) - body->first_vertex;
    if (count < 0)
        return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": vertex_count = %d, must be >= 0",
                        body->name, count);
    if (!vertices) count = total;
    for (int i = 0; i < count; ++i) {
        if (vertices && (vertices[i] < 0 || vertices[i] >= total))
            return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": vertex %d, must be 0 to %d",
                            body->name, vertices[i], total - 1);
        PLI_TRY(check_held(model, body, vertices ? vertices[i] : i, set->kind, error));
    }
    bool affine = pli_body_is_affine(&body->def) && !body->modes;
    if (count > 0 && !affine && (body->modes || strcmp(body->def.kinematics, "free") != 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "body \"%s\": its vertices do not move independently and cannot be fixed "
                        "or prescribed",
                        body->name);
    if (vertices) PLI_TRY(check_twice(model, body, vertices, count, error));
    PLI_TRY(PLI_ALLOC(model->memory, set->vertices, count, error));
    set->vertex_count = count;
    for (int i = 0; i < count; ++i)
        set->vertices[i] = body->first_vertex + (vertices ? vertices[i] : i);
    return affine ? keep_independent(model, set, error) : PLI_OK;
}

void pli_support_set_free(pli_memory* memory, pli_support_set* set) {
    PLI_FREE(memory, set->vertices, set->vertex_count);
}

static pli_status reserve_set(pli_model* model, pli_error* error) {
    PLI_TRY(pli_slots_reserve(model, PLI_SLOT_SUPPORT, error));
    return PLI_GROW(model->memory, model->support_sets, model->support_set_capacity,
                    model->support_set_count + 1, error);
}

// Axes that are already fixed stay with the support that fixed them.
static void hold(pli_support* held, const pli_support* support) {
    if (held->kind == PLI_SUPPORT_NONE) *held = *support;
    held->clamped = held->clamped || support->clamped;
    held->no_contact = held->no_contact || support->no_contact;
    for (int c = 0; c < 3; ++c)
        if (support->axes[c] && !held->axes[c]) {
            held->axes[c] = true;
            held->axis_set[c] = support->set;
        }
}

static void hold_set(pli_model* model, int number) {
    const pli_support_set* set = &model->support_sets[number];
    pli_support support = {.kind = set->kind,
                           .clamped = set->clamped,
                           .no_contact = set->no_contact,
                           .set = number,
                           .axis_set = {number, number, number}};
    memcpy(support.axes, set->axes, sizeof support.axes);
    memcpy(support.normal, set->normal, sizeof support.normal);
    for (int i = 0; i < set->vertex_count; ++i) hold(&model->supports[set->vertices[i]], &support);
}

void pli_model_hold_vertices(pli_model* model) {
    for (int v = 0; v < model->vertex_count; ++v)
        model->supports[v] = (pli_support){.kind = PLI_SUPPORT_NONE};
    for (int i = 0; i < model->support_set_count; ++i) hold_set(model, i);
}

// Takes ownership of the set.
static void add_set(pli_model* model, const pli_support_set* set) {
    int number = model->support_set_count;
    model->support_sets[number] = *set;
    model->support_sets[number].slot = pli_slots_add(model, PLI_SLOT_SUPPORT, number);
    model->support_set_count++;
    hold_set(model, number);
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
    pli_support_set set = {.kind = PLI_SUPPORT_AXES,
                           .body = (int)(body - model->bodies),
                           .clamped = def->clamped,
                           .no_contact = def->no_contact};
    memcpy(set.axes, def->axes, sizeof set.axes);
    double length = pli_norm(def->normal, model->def.dimension);
    if (length > 0) {
        set.kind = PLI_SUPPORT_INCLINED;
        for (int c = 0; c < model->def.dimension; ++c) set.normal[c] = def->normal[c] / length;
    } else if (!def->axes[0] && !def->axes[1] && !(def->axes[2] && model->def.dimension == 3)) {
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "body \"%s\": the support fixes no axis; set at least one",
                                      body->name),
                             error, "axes");
    }
    if (!model->trial) PLI_TRY(reserve_set(model, error));
    pli_status listed = select_vertices(model, def->vertices, def->vertex_count, &set, error);
    PLI_TRY(pli_error_key(listed, error, "vertices"));
    if (model->trial)
        pli_support_set_free(model->memory, &set);
    else
        add_set(model, &set);
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
                                     pli_support_set* set, pli_error* error) {
    pli_body* body = NULL;
    PLI_TRY(pli_model_find_body(model, id, &body, error));
    PLI_TRY(pli_params_check(&pli_prescribe_params, def, "prescribed motion", error));
    PLI_TRY(check_keys(def, error));
    if (model->def.dimension == 2) def->velocity[2] = 0;
    if (body->def.obstacle && (def->free[0] || def->free[1] || def->free[2]))
        return pli_error_key(
            pli_fail(error, PLI_E_ARGUMENT,
                     "body \"%s\": the motion of an obstacle must be prescribed along all axes",
                     body->name),
            error, "free");
    if (pli_body_is_affine(&body->def) && def->per_vertex)
        return pli_error_key(
            pli_fail(error, PLI_E_ARGUMENT,
                     "body \"%s\" is %s: a motion of its own for each vertex would deform it; "
                     "prescribe one motion, or use kinematics \"free\"",
                     body->name, body->def.kinematics),
            error, "per_vertex");
    if (!model->trial) PLI_TRY(reserve_set(model, error));
    *set = (pli_support_set){.kind = PLI_SUPPORT_PRESCRIBED,
                             .body = (int)(body - model->bodies),
                             .clamped = def->clamped,
                             .no_contact = def->no_contact};
    pli_status listed = select_vertices(model, def->vertices, def->vertex_count, set, error);
    set->each = def->per_vertex && set->vertex_count > 1;
    return pli_error_key(listed, error, "vertices");
}

void pli_model_add_prescribed(pli_model* model, pli_support_set* set, int32_t motion) {
    set->motion = motion;
    add_set(model, set);
}
