// Adding bodies to the model: checks of the def, masses, copies of its arrays.
#include "model/model.h"

#include "base/text.h"
#include "mesh/measure.h"
#include "model/params.h"

#include <math.h>
#include <string.h>

pli_status pli_model_find_body(const pli_model* model, pli_body_id id, pli_body** body,
                               pli_error* error) {
    bool own = id.generation == model->generation;
    int number = own ? pli_slots_number(model, PLI_SLOT_BODY, id.index) : -1;
    if (number < 0)
        return pli_error_place(pli_fail(error, PLI_E_ARGUMENT,
                                        "no body has this id%s: it was removed, or never added",
                                        own ? "" : " in this world"),
                               error, PLI_OBJECT_BODY, id.index, NULL);
    *body = &model->bodies[number];
    return PLI_OK;
}

pli_status pli_can_deform(const pli_body* body, const char* what, pli_error* error) {
    if (!body->def.obstacle) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "body \"%s\" is an obstacle: it does not deform and cannot have %s", body->name,
                    what);
}

// ---- tags

static void free_tags(pli_model* model, pli_body* body) {
    for (int i = 0; body->tags && i < body->def.tag_count; ++i)
        pli_free_text(model->memory, &body->tags[i]);
    PLI_FREE(model->memory, body->tags, body->def.tag_count);
}

static pli_status copy_tags(pli_model* model, const pli_body_def* def, pli_body* body,
                            pli_error* error) {
    if (def->tag_count < 0 || (def->tag_count > 0 && !def->tags))
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "tag_count = %d, but %s",
                                      def->tag_count,
                                      def->tag_count < 0 ? "must be >= 0" : "tags is NULL"),
                             error, "tags");
    PLI_TRY(PLI_ALLOC(model->memory, body->tags, def->tag_count, error));
    for (int i = 0; i < def->tag_count; ++i) {
        const char* tag = def->tags[i] ? def->tags[i] : "";
        PLI_TRY(pli_copy_text(model->memory, tag, &body->tags[i], error));
    }
    body->def.tags = (const char* const*)body->tags;
    return PLI_OK;
}

// ---- checks

static pli_status check_finite(const double* values, int count, const char* what,
                               pli_error* error) {
    for (int i = 0; values && i < count; ++i)
        if (!isfinite(values[i]))
            return pli_fail(error, PLI_E_ARGUMENT, "%s of vertex %d is not finite", what, i / 3);
    return PLI_OK;
}

// Limits of a world: three coordinates and a few more numbers per vertex, and four faces of twelve
// corners per element, must fit into an int. (The matrix of so large a mesh would not.)
enum { MAX_VERTICES = INT32_MAX / 12, MAX_ELEMENTS = INT32_MAX / 48 };

// Checks that the lists exist before they are read.
static pli_status check_lists(const pli_mesh* mesh, pli_error* error) {
    if (!mesh || mesh->vertex_count <= 0)
        return pli_fail(error, PLI_E_ARGUMENT, "the mesh has no vertices");
    if (!mesh->positions || mesh->vertex_count > MAX_VERTICES)
        return pli_fail(error, PLI_E_ARGUMENT, "the mesh has %d vertices, but %s",
                        mesh->vertex_count,
                        mesh->positions ? "there are too many" : "positions is NULL");
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int count = mesh->element_count[k];
        if (count < 0 || count > MAX_ELEMENTS || (count > 0 && !mesh->elements[k]))
            return pli_fail(error, PLI_E_ARGUMENT, "the mesh has %d elements \"%s\", %s", count,
                            pli_element_word((pli_element_kind)k),
                            count < 0 || count > MAX_ELEMENTS ? "must be >= 0 and at most 4.4e7"
                                                              : "but their list is NULL");
    }
    return PLI_OK;
}

pli_status pli_check_mesh(const pli_mesh* mesh, pli_error* error) {
    PLI_TRY(check_lists(mesh, error));
    PLI_TRY(check_finite(mesh->positions, 3 * mesh->vertex_count, "position", error));
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        for (int i = 0; i < mesh->element_count[k] * pli_element_size((pli_element_kind)k); ++i)
            if (mesh->elements[k][i] < 0 || mesh->elements[k][i] >= mesh->vertex_count)
                return pli_fail(error, PLI_E_ARGUMENT, "%s %d: vertex %d, must be 0 to %d",
                                pli_element_word((pli_element_kind)k),
                                i / pli_element_size((pli_element_kind)k), mesh->elements[k][i],
                                mesh->vertex_count - 1);
    return PLI_OK;
}

static pli_status check_start(const pli_body_def* def, pli_error* error) {
    int count = 3 * def->mesh->vertex_count;
    pli_status status = check_finite(def->initial, count, "initial position", error);
    PLI_TRY(pli_error_key(status, error, "initial"));
    status = check_finite(def->velocities, count, "velocity", error);
    return pli_error_key(status, error, "velocities");
}

static pli_status check_modes(pli_body_def* def, pli_error* error) {
    if (!def->modes) {
        def->mode_count = 0;
        return PLI_OK;
    }
    const int size = 3 * def->mesh->vertex_count; // of one mode; the mesh is already checked
    pli_status status = PLI_OK;
    if (def->mode_count < 1 || def->mode_count > size) {
        status = pli_fail(error, PLI_E_ARGUMENT, "mode_count = %d, must be 1 to %d",
                          def->mode_count, size);
        return pli_error_key(status, error, "mode_count");
    }
    if ((int64_t)size * def->mode_count > INT32_MAX) {
        status =
            pli_fail(error, PLI_E_ARGUMENT, "mode_count = %d, must be at most %d for %d vertices",
                     def->mode_count, INT32_MAX / size, def->mesh->vertex_count);
        return pli_error_key(status, error, "mode_count");
    }
    for (int i = 0; i < def->mode_count && status == PLI_OK; ++i)
        status = check_finite(def->modes + (size_t)i * (size_t)size, size, "mode", error);
    return pli_error_key(status, error, "modes");
}

// An obstacle has no unknowns but those of prescribed vertices.
static pli_status check_obstacle(const pli_body_def* def, pli_error* error) {
    if (!def->obstacle) return PLI_OK;
    if (def->modes || strcmp(def->kinematics, "free") != 0)
        return pli_error_key(
            pli_fail(error, PLI_E_ARGUMENT,
                     "an obstacle cannot have %s: it does not deform; prescribe its motion",
                     def->modes ? "modes" : "kinematics other than \"free\""),
            error, def->modes ? "modes" : "kinematics");
    return PLI_OK;
}

// Adding reallocates the arrays of the world: arguments must not point into them.
static pli_status check_foreign(const pli_model* model, const double* values, const char* what,
                                pli_error* error) {
    const double* arrays[] = {model->rest, model->positions, model->velocities};
    for (int i = 0; i < 3; ++i)
        if (pli_offset_in(values, arrays[i], 3 * sizeof(double) * (size_t)model->vertex_count) >= 0)
            return pli_error_key(
                pli_fail(error, PLI_E_ARGUMENT, "%s points into the world: pass a copy", what),
                error, what);
    return PLI_OK;
}

// An embedded body needs a cage: a body of free tetrahedra added just before it.
static pli_status check_cage(const pli_model* model, const pli_body_def* def, pli_error* error) {
    if (!pli_body_is_embedded(def)) return PLI_OK;
    int cage = model->body_count - 1;
    const pli_body_def* other = cage >= 0 ? &model->bodies[cage].def : NULL;
    bool good = other && !other->obstacle && !model->bodies[cage].modes &&
                strcmp(other->kinematics, "free") == 0;
    int count = !good ? 0
                      : pli_body_end_element(model, cage, PLI_TETRAHEDRON) -
                            model->bodies[cage].first_element[PLI_TETRAHEDRON];
    if (count > 0 && model->def.dimension == 3) return PLI_OK;
    return pli_error_key(
        pli_fail(error, PLI_E_ARGUMENT,
                 "kinematics = \"embedded\" needs a cage, a body of free linear tetrahedra "
                 "added just before it, in space"),
        error, "kinematics");
}

// The cage has no contact from now on.
static void release_cage(pli_model* model) {
    pli_body* cage = &model->bodies[model->body_count - 2];
    cage->own_contact_bodies = cage->def.contact_bodies;
    cage->own_contact_vertices = cage->def.contact_vertices;
    cage->def.contact_bodies = false;
    cage->def.contact_vertices = "none";
}

// ---- adding

pli_status pli_model_reserve_vertices(pli_model* model, int count, pli_error* error) {
    pli_memory* m = model->memory;
    if (count > MAX_VERTICES - model->vertex_count)
        return pli_fail(error, PLI_E_MEMORY, "more than %d vertices", MAX_VERTICES);
    int n = model->vertex_count + count;
    PLI_TRY(PLI_GROW(m, model->rest, model->rest_capacity, 3 * n, error));
    PLI_TRY(PLI_GROW(m, model->positions, model->position_capacity, 3 * n, error));
    PLI_TRY(PLI_GROW(m, model->velocities, model->velocity_capacity, 3 * n, error));
    PLI_TRY(PLI_GROW(m, model->masses, model->mass_capacity, n, error));
    return PLI_GROW(m, model->supports, model->support_capacity, n, error);
}

pli_status pli_model_reserve_elements(pli_model* model, const pli_mesh* mesh, pli_error* error) {
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int size = pli_element_size((pli_element_kind)k);
        if (mesh->element_count[k] > MAX_ELEMENTS - model->element_count[k])
            return pli_fail(error, PLI_E_MEMORY, "more than %d elements \"%s\"", MAX_ELEMENTS,
                            pli_element_word((pli_element_kind)k));
        PLI_TRY(PLI_GROW(model->memory, model->elements[k], model->element_capacity[k],
                         (model->element_count[k] + mesh->element_count[k]) * size, error));
    }
    return PLI_OK;
}

// Takes ownership of `pattern`, which is that of the def, if it succeeds.
static pli_status append_body(pli_model* model, const pli_body_def* def, double* pattern,
                              pli_error* error) {
    pli_memory* m = model->memory;
    const pli_mesh* mesh = def->mesh;
    int first = model->vertex_count, count = mesh->vertex_count;
    PLI_TRY(PLI_GROW(m, model->bodies, model->body_capacity, model->body_count + 1, error));
    PLI_TRY(pli_slots_reserve(model, PLI_SLOT_BODY, error));
    PLI_TRY(pli_model_reserve_vertices(model, count, error));
    PLI_TRY(pli_model_reserve_elements(model, mesh, error));
    bool closed;
    PLI_TRY(pli_body_find_closed(model, def, mesh, &closed, error));
    PLI_TRY(pli_body_weigh(model, -1, def, mesh, closed, model->masses + first, error));
    pli_body body = {.first_vertex = first, .def = *def, .pattern = pattern, .closed = closed};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_copy_text(m, def->name ? def->name : "body", &body.name, error));
    PLI_TRY_CLEANUP(status, copy_tags(model, def, &body, error));
    if (def->modes) {
        size_t size = 3 * (size_t)count * (size_t)def->mode_count;
        PLI_TRY_CLEANUP(status, PLI_ALLOC(m, body.modes, size, error));
        memcpy(body.modes, def->modes, sizeof(double) * size);
    }
    body.def.name = body.name;
    body.def.mesh = NULL;
    body.def.initial = body.def.velocities = body.def.modes = NULL;
    size_t bytes = 3 * sizeof(double) * (size_t)count;
    memcpy(model->rest + 3 * first, mesh->positions, bytes);
    memcpy(model->positions + 3 * first, def->initial ? def->initial : mesh->positions, bytes);
    for (int i = 0; i < count; ++i) {
        memcpy(model->velocities + 3 * (first + i),
               def->velocities ? def->velocities + 3 * i : def->velocity, 3 * sizeof(double));
        model->supports[first + i] = (pli_support){.kind = PLI_SUPPORT_NONE};
    }
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        body.first_element[k] = model->element_count[k];
        int size = pli_element_size((pli_element_kind)k);
        int32_t* out = model->elements[k] + model->element_count[k] * size;
        for (int i = 0; i < mesh->element_count[k] * size; ++i)
            out[i] = first + mesh->elements[k][i];
        model->element_count[k] += mesh->element_count[k];
    }
    body.first_element[PLI_VERTEX] = first;
    model->vertex_count += count;
    body.slot = pli_slots_add(model, PLI_SLOT_BODY, model->body_count);
    model->bodies[model->body_count++] = body;
cleanup:
    if (status != PLI_OK) {
        pli_free_text(m, &body.name);
        free_tags(model, &body);
    }
    return status;
}

static pli_status add_checked(pli_model* model, pli_body_def* def, pli_error* error) {
    double* pattern = NULL;
    PLI_TRY(pli_pattern_make(model, def, &pattern, error));
    pli_status status = append_body(model, def, pattern, error);
    if (status != PLI_OK)
        PLI_FREE(model->memory, pattern, 6 * (size_t)def->mesh->element_count[PLI_TRIANGLE]);
    return status;
}

pli_status pli_model_add_body(pli_model* model, const pli_body_def* def, pli_body_id* id,
                              pli_error* error) {
    pli_body_def checked = *def;
    char what[128];
    pli_format(what, sizeof what, "body \"%.100s\"", def->name ? def->name : "");
    pli_status status = pli_params_check(&pli_body_params, &checked, what, error);
    if (status != PLI_OK) return status;
    status = pli_error_key(pli_check_mesh(def->mesh, error), error, "mesh");
    if (status == PLI_OK) status = check_start(def, error);
    if (status == PLI_OK) status = check_modes(&checked, error);
    if (status == PLI_OK) status = check_foreign(model, def->initial, "initial", error);
    if (status == PLI_OK) status = check_foreign(model, def->velocities, "velocities", error);
    if (status == PLI_OK) status = check_foreign(model, def->modes, "modes", error);
    if (status == PLI_OK) status = check_foreign(model, def->pattern, "pattern", error);
    if (status == PLI_OK) status = check_obstacle(&checked, error);
    if (status == PLI_OK) status = check_cage(model, &checked, error);
    if (status == PLI_OK) status = pli_body_check_mass(model, &checked, def->mesh, error);
    bool adds = status == PLI_OK && !model->trial;
    if (adds) status = add_checked(model, &checked, error);
    if (adds && status == PLI_OK && pli_body_is_embedded(&checked)) release_cage(model);
    if (status != PLI_OK)
        pli_error_prefix(error, "%s", what);
    else if (id && adds)
        *id = (pli_body_id){.index = model->bodies[model->body_count - 1].slot,
                            .generation = model->generation};
    return status;
}

// ---- freeing

// Entries of the modes of a body.
static size_t mode_size(const pli_model* model, int body) {
    int vertices = pli_body_end_vertex(model, body) - model->bodies[body].first_vertex;
    return 3 * (size_t)vertices * (size_t)model->bodies[body].def.mode_count;
}

void pli_body_free(pli_model* model, int body) {
    pli_memory* m = model->memory;
    pli_free_text(m, &model->bodies[body].name);
    free_tags(model, &model->bodies[body]);
    PLI_FREE(m, model->bodies[body].modes, mode_size(model, body));
    PLI_FREE(m, model->bodies[body].pattern,
             6 * (size_t)pli_body_element_count(model, body, PLI_TRIANGLE));
}

void pli_model_free_bodies(pli_model* model) {
    pli_memory* m = model->memory;
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k)
        PLI_FREE(m, model->elements[k], model->element_capacity[k]);
    PLI_FREE(m, model->supports, model->support_capacity);
    for (int i = 0; i < model->support_set_count; ++i)
        pli_support_set_free(m, &model->support_sets[i]);
    PLI_FREE(m, model->support_sets, model->support_set_capacity);
    PLI_FREE(m, model->rest, model->rest_capacity);
    PLI_FREE(m, model->positions, model->position_capacity);
    PLI_FREE(m, model->velocities, model->velocity_capacity);
    PLI_FREE(m, model->masses, model->mass_capacity);
    for (int b = 0; b < model->body_count; ++b) pli_body_free(model, b);
    PLI_FREE(m, model->bodies, model->body_capacity);
}
