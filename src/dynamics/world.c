// Creating a world and adding to it. Nothing here knows how a step works.
#include "dynamics/world.h"

#include "base/clock.h"
#include "base/text.h"
#include "dynamics/params.h"
#include "math/vec.h"
#include "mesh/measure.h"

#include <string.h>

static pli_status check_def(pli_world_def* def, pli_error* error) {
    const struct {
        pli_object object;
        const pli_params* params;
        void* values;
        const char* word;
    } parts[] = {{PLI_OBJECT_WORLD, &pli_world_params, def, "world"},
                 {PLI_OBJECT_TIME, &pli_time_params, def, "time"},
                 {PLI_OBJECT_SOLVER, &pli_solver_params, &def->solver, "solver"},
                 {PLI_OBJECT_CONTACT, &pli_contact_params, &def->contact, "contact"}};
    pli_status status = PLI_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == PLI_OK; ++i) {
        status = pli_params_check(parts[i].params, parts[i].values, parts[i].word, error);
        pli_error_place(status, error, parts[i].object, -1, NULL);
    }
    PLI_TRY(status);
    status = pli_world_check_friction(def->contact.friction, def->contact.friction_static,
                                      "contact", error);
    PLI_TRY(pli_error_place(status, error, PLI_OBJECT_CONTACT, -1, NULL));
    if (!isfinite(def->end_time)) {
        status =
            pli_fail(error, PLI_E_ARGUMENT, "time: end_time = %g s, must be finite", def->end_time);
        return pli_error_place(status, error, PLI_OBJECT_TIME, -1, "end_time");
    }
    PLI_TRY(pli_control_check(def, error));
    status = pli_energy_types_check(def->energy_types, def->energy_type_count, error);
    return pli_error_place(status, error, PLI_OBJECT_WORLD, -1, "energy_types");
}

pli_status pli_world_def_check(const pli_world_def* def, pli_error* error) {
    if (!def) return pli_fail(error, PLI_E_ARGUMENT, "world: def is NULL");
    pli_world_def copy = *def;
    return check_def(&copy, error);
}

// What tells the bodies of this world from those of others, also of one that lived at the same
// address before: its address and the time of its making, mixed (the finalizer of SplitMix64).
static uint32_t make_generation(const pli_world* world) {
    double now = pli_now();
    uint64_t bits;
    memcpy(&bits, &now, sizeof bits);
    bits += (uint64_t)(uintptr_t)world;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    uint32_t generation = (uint32_t)(bits ^ bits >> 31);
    return generation ? generation : 1; // 0 means no body
}

pli_status pli_world_create(const pli_world_def* def, pli_world** out, pli_error* error) {
    if (!def || !out) return pli_fail(error, PLI_E_ARGUMENT, "world: def or result is NULL");
    pli_world_def checked = *def;
    PLI_TRY(check_def(&checked, error));
    pli_memory memory;
    pli_memory_init(&memory, def->allocator);
    pli_world* world;
    PLI_TRY(PLI_ALLOC(&memory, world, 1, error));
    world->memory = memory;
    world->generation = make_generation(world);
    world->model = (pli_model){.memory = &world->memory, .def = checked};
    world->scheme = pli_scheme_find(checked.scheme);
    world->scheme_def =
        (pli_scheme_def){.beta = checked.newmark_beta, .gamma = checked.newmark_gamma};
    pli_pins_init(&world->pins, &world->memory, checked.dimension);
    pli_status status = pli_pool_create(&world->memory, checked.thread_count, &world->pool, error);
    world->model.pool = world->pool;
    if (status != PLI_OK) {
        pli_world_destroy(world);
        return status;
    }
    *out = world;
    return PLI_OK;
}

static void free_step_arrays(pli_world* world) {
    pli_memory* m = &world->memory;
    int v3 = 3 * world->model.vertex_count, n = world->kinematics.unknown_count;
    PLI_FREE(m, world->x, v3);
    PLI_FREE(m, world->dx, v3);
    PLI_FREE(m, world->gx, v3);
    PLI_FREE(m, world->x_n, v3);
    PLI_FREE(m, world->x_still, v3);
    PLI_FREE(m, world->reactions, v3);
    PLI_FREE(m, world->accelerations, v3);
    PLI_FREE(m, world->load, world->model.vertex_count);
    PLI_FREE(m, world->residuals, world->model.vertex_count);
    PLI_FREE(m, world->ends, 3 * PLI_MAX_CORRECTIONS * (size_t)world->model.vertex_count);
    PLI_FREE(m, world->q, n);
    PLI_FREE(m, world->v, n);
    PLI_FREE(m, world->a, n);
    PLI_FREE(m, world->scratch, n);
    PLI_FREE(m, world->force, n);
    PLI_FREE(m, world->product, n);
    PLI_FREE(m, world->mass_diagonal, n);
    PLI_FREE(m, world->aim.q_hat, n);
    PLI_FREE(m, world->aim.v_base, n);
    PLI_FREE(m, world->frozen, world->kinematics.group_count);
    pli_islands_free(world);
    PLI_FREE(m, world->term_values, world->term_count);
    PLI_FREE(m, world->term_works, world->term_count);
    PLI_FREE(m, world->energy_values, world->term_count);
}

// Entries of the modes of a body.
static size_t mode_size(const pli_world* world, int body) {
    int vertices =
        pli_body_end_vertex(&world->model, body) - world->model.bodies[body].first_vertex;
    return 3 * (size_t)vertices * (size_t)world->model.bodies[body].def.mode_count;
}

void pli_world_destroy(pli_world* world) {
    if (!world || pli_world_enter(world, NULL) != PLI_OK) return;
    pli_memory* m = &world->memory;
    pli_minimizer_destroy(world->minimizer);
    free_step_arrays(world);
    pli_contacts_free(&world->contacts, m);
    if (world->rub_forces) PLI_FREE(m, world->rub_forces, 2 * world->model.body_count);
    pli_history_free(&world->history);
    pli_history_free(&world->coarse);
    pli_undo_free(world);
    pli_mass_solver_destroy(world->mass_solver);
    pli_hand_free(&world->hand, m);
    PLI_FREE(m, world->scheme_work, world->scheme_work_size);
    PLI_FREE(m, world->damping, world->damping_capacity);
    pli_assembly_free(&world->assembly);
    pli_kinematics_free(&world->kinematics);
    pli_world_free_averages(world);
    for (int t = world->term_count; t-- > 0;) {
        pli_term* term = &world->terms[t].term;
        if (term->ops->destroy) term->ops->destroy(term->self);
    }
    PLI_FREE(m, world->terms, world->term_capacity);
    PLI_FREE(m, world->plain_terms, world->plain_term_count);
    pli_pins_free(&world->pins);
    pli_world_free_energies(world);
    pli_world_free_loads(world);
    pli_collision_free(&world->collision);
    pli_world_free_rules(world);
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k)
        PLI_FREE(m, world->model.elements[k], world->model.element_capacity[k]);
    PLI_FREE(m, world->model.supports, world->model.support_capacity);
    PLI_FREE(m, world->model.support_sets, world->model.support_set_capacity);
    PLI_FREE(m, world->model.rest, world->model.rest_capacity);
    PLI_FREE(m, world->model.positions, world->model.position_capacity);
    PLI_FREE(m, world->model.velocities, world->model.velocity_capacity);
    PLI_FREE(m, world->model.masses, world->model.mass_capacity);
    for (int b = 0; b < world->model.body_count; ++b) {
        pli_free_text(m, &world->model.bodies[b].name);
        pli_world_free_tags(world, &world->model.bodies[b]);
        PLI_FREE(m, world->model.bodies[b].modes, mode_size(world, b));
    }
    PLI_FREE(m, world->model.bodies, world->model.body_capacity);
    pli_pool_destroy(world->pool);
    pli_memory last = *m; // the world itself is freed through a copy of its own counters
    PLI_FREE(&last, world, 1);
}

pli_status pli_world_not_prepared(const pli_world* world, pli_error* error) {
    if (!world) return pli_fail(error, PLI_E_ARGUMENT, "world is NULL");
    if (world->prepared || (world->collision.memory && !world->failed)) {
        pli_status status = pli_fail(
            error, PLI_E_ARGUMENT,
            "the world is prepared: everything must be added before the first step or survey");
        return pli_error_place(status, error, PLI_OBJECT_WORLD, -1, NULL);
    }
    return pli_world_not_failed(world, error);
}

pli_status pli_world_find_body(const pli_world* world, pli_body_id id, pli_body** body,
                               pli_error* error) {
    if (id.generation != world->generation || id.index < 0 || id.index >= world->model.body_count) {
        pli_status status = pli_fail(error, PLI_E_ARGUMENT, "there is no body with this id%s",
                                     id.generation != world->generation ? " in this world" : "");
        return pli_error_place(status, error, PLI_OBJECT_BODY, id.index, NULL);
    }
    *body = &world->model.bodies[id.index];
    return PLI_OK;
}

static pli_status check_finite(const double* values, int count, const char* what,
                               pli_error* error) {
    for (int i = 0; values && i < count; ++i)
        if (!isfinite(values[i]))
            return pli_fail(error, PLI_E_ARGUMENT, "%s of vertex %d is not finite", what, i / 3);
    return PLI_OK;
}

// That the lists are there before anything looks into them.
static pli_status check_lists(const pli_mesh* mesh, pli_error* error) {
    if (!mesh || mesh->vertex_count <= 0)
        return pli_fail(error, PLI_E_ARGUMENT, "the mesh has no vertices");
    if (!mesh->positions || mesh->vertex_count > INT32_MAX / 3)
        return pli_fail(error, PLI_E_ARGUMENT, "the mesh has %d vertices, but %s",
                        mesh->vertex_count,
                        mesh->positions ? "that is too many" : "positions is NULL");
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int count = mesh->element_count[k],
            most = INT32_MAX / pli_element_size((pli_element_kind)k);
        if (count < 0 || count > most || (count > 0 && !mesh->elements[k]))
            return pli_fail(error, PLI_E_ARGUMENT, "the mesh has %d elements \"%s\", %s", count,
                            pli_element_word((pli_element_kind)k),
                            count < 0 || count > most ? "must be 0 or more and not too many"
                                                      : "but their list is NULL");
    }
    return PLI_OK;
}

static pli_status check_mesh(const pli_mesh* mesh, pli_error* error) {
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

// All modes together may have more numbers than an int counts.
static pli_status check_modes(pli_body_def* def, pli_error* error) {
    if (!def->modes) {
        def->mode_count = 0;
        return PLI_OK;
    }
    const int size = 3 * def->mesh->vertex_count; // of one mode; the mesh was checked
    pli_status status = PLI_OK;
    if (def->mode_count < 1 || def->mode_count > size) {
        status = pli_fail(error, PLI_E_ARGUMENT, "mode_count = %d, must be 1 to %d",
                          def->mode_count, size);
        return pli_error_key(status, error, "mode_count");
    }
    for (int i = 0; i < def->mode_count && status == PLI_OK; ++i)
        status = check_finite(def->modes + (size_t)i * (size_t)size, size, "mode", error);
    return pli_error_key(status, error, "modes");
}

// An obstacle has no unknowns but those of prescribed vertices.
static pli_status check_obstacle(const pli_body_def* def, pli_error* error) {
    if (!def->obstacle) return PLI_OK;
    if (!def->modes && strcmp(def->kinematics, "free") == 0) return PLI_OK;
    pli_status status =
        pli_fail(error, PLI_E_ARGUMENT,
                 "an obstacle cannot have %s: it does not deform; prescribe its motion",
                 def->modes ? "modes" : "kinematics other than \"free\"");
    return pli_error_key(status, error, def->modes ? "modes" : "kinematics");
}

// Adding moves the arrays of the world: nothing may be given out of them.
static pli_status check_foreign(const pli_world* w, const double* values, const char* what,
                                pli_error* error) {
    const double* arrays[] = {w->model.rest, w->model.positions, w->model.velocities};
    for (int i = 0; i < 3; ++i)
        if (pli_offset_in(values, arrays[i], 3 * sizeof(double) * (size_t)w->model.vertex_count) >=
            0) {
            pli_status status = pli_fail(error, PLI_E_ARGUMENT,
                                         "%s is an array of the world itself: give a copy", what);
            return pli_error_key(status, error, what);
        }
    return PLI_OK;
}

// Masses of the body's vertices from density or vertex_mass; obstacles and skins have none.
static pli_status weigh(const pli_body_def* def, const pli_world* world, double* mass,
                        pli_error* error) {
    const pli_mesh* mesh = def->mesh;
    int n = mesh->vertex_count;
    for (int i = 0; i < n; ++i) mass[i] = 0;
    if (def->obstacle || pli_body_is_embedded(def)) return PLI_OK;
    if (def->vertex_mass > 0) {
        if (strcmp(def->mass, "consistent") == 0) {
            pli_status status =
                pli_fail(error, PLI_E_ARGUMENT,
                         "mass = \"consistent\" comes from density: vertex_mass must be 0");
            return pli_error_key(status, error, "vertex_mass");
        }
        for (int i = 0; i < n; ++i) mass[i] = def->vertex_mass;
        return PLI_OK;
    }
    int dimension = pli_mass_dimension(mesh->element_count);
    if (dimension == 0) {
        pli_status status =
            pli_fail(error, PLI_E_ARGUMENT,
                     "the mesh has no triangles, so density gives it no mass: set vertex_mass");
        return pli_error_key(status, error, "vertex_mass");
    }
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        if (pli_element_dimension((pli_element_kind)k) != dimension) continue;
        pli_lump lump = {.dim = world->model.def.dimension,
                         .kind = (pli_element_kind)k,
                         .element_count = mesh->element_count[k],
                         .vertices = mesh->elements[k],
                         .x = mesh->positions,
                         .density = def->density,
                         .section = dimension == 2 ? world->model.def.thickness : 1};
        pli_lump_mass(&lump, mass);
    }
    if (strcmp(def->mass, "even") == 0) {
        double total = 0;
        for (int i = 0; i < n; ++i) total += mass[i];
        for (int i = 0; i < n; ++i) mass[i] = total / n;
    }
    return PLI_OK;
}

// Room for `count` more vertices in all vertex arrays.
static pli_status reserve_vertices(pli_world* w, int count, pli_error* error) {
    pli_memory* m = &w->memory;
    if (count > INT32_MAX / 3 - w->model.vertex_count)
        return pli_fail(error, PLI_E_MEMORY, "more than %d vertices", INT32_MAX / 3);
    int n = w->model.vertex_count + count;
    PLI_TRY(PLI_GROW(m, w->model.rest, w->model.rest_capacity, 3 * n, error));
    PLI_TRY(PLI_GROW(m, w->model.positions, w->model.position_capacity, 3 * n, error));
    PLI_TRY(PLI_GROW(m, w->model.velocities, w->model.velocity_capacity, 3 * n, error));
    PLI_TRY(PLI_GROW(m, w->model.masses, w->model.mass_capacity, n, error));
    return PLI_GROW(m, w->model.supports, w->model.support_capacity, n, error);
}

static pli_status append_body(pli_world* w, const pli_body_def* def, pli_error* error) {
    pli_memory* m = &w->memory;
    const pli_mesh* mesh = def->mesh;
    int first = w->model.vertex_count, count = mesh->vertex_count;
    PLI_TRY(PLI_GROW(m, w->model.bodies, w->model.body_capacity, w->model.body_count + 1, error));
    PLI_TRY(reserve_vertices(w, count, error));
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int size = pli_element_size((pli_element_kind)k);
        if (mesh->element_count[k] > INT32_MAX / size - w->model.element_count[k])
            return pli_fail(error, PLI_E_MEMORY, "more than %d elements \"%s\"", INT32_MAX / size,
                            pli_element_word((pli_element_kind)k));
        PLI_TRY(PLI_GROW(m, w->model.elements[k], w->model.element_capacity[k],
                         (w->model.element_count[k] + mesh->element_count[k]) * size, error));
    }
    PLI_TRY(weigh(def, w, w->model.masses + first, error));
    pli_body body = {.first_vertex = first, .def = *def};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_copy_text(m, def->name ? def->name : "body", &body.name, error));
    PLI_TRY_CLEANUP(status, pli_world_copy_tags(w, def, &body, error));
    if (def->modes) {
        size_t size = 3 * (size_t)count * (size_t)def->mode_count;
        PLI_TRY_CLEANUP(status, PLI_ALLOC(m, body.modes, size, error));
        memcpy(body.modes, def->modes, sizeof(double) * size);
    }
    body.def.name = body.name;
    body.def.mesh = NULL;
    body.def.initial = body.def.velocities = body.def.modes = NULL;
    size_t bytes = 3 * sizeof(double) * (size_t)count;
    memcpy(w->model.rest + 3 * first, mesh->positions, bytes);
    memcpy(w->model.positions + 3 * first, def->initial ? def->initial : mesh->positions, bytes);
    for (int i = 0; i < count; ++i) {
        memcpy(w->model.velocities + 3 * (first + i),
               def->velocities ? def->velocities + 3 * i : def->velocity, 3 * sizeof(double));
        w->model.supports[first + i] = (pli_support){.kind = PLI_SUPPORT_NONE};
    }
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        body.first_element[k] = w->model.element_count[k];
        int size = pli_element_size((pli_element_kind)k);
        int32_t* out = w->model.elements[k] + w->model.element_count[k] * size;
        for (int i = 0; i < mesh->element_count[k] * size; ++i)
            out[i] = first + mesh->elements[k][i];
        w->model.element_count[k] += mesh->element_count[k];
    }
    body.first_element[PLI_VERTEX] = first;
    w->model.vertex_count += count;
    w->model.bodies[w->model.body_count++] = body;
cleanup:
    if (status != PLI_OK) {
        pli_free_text(m, &body.name);
        pli_world_free_tags(w, &body);
    }
    return status;
}

static pli_status add_body(pli_world* world, const pli_body_def* def, pli_body_id* id,
                           pli_error* error) {
    PLI_TRY(pli_world_not_prepared(world, error));
    if (!def) return pli_fail(error, PLI_E_ARGUMENT, "body: def is NULL");
    pli_body_def checked = *def;
    char what[128];
    pli_format(what, sizeof what, "body \"%.100s\"", def->name ? def->name : "");
    pli_status status = pli_params_check(&pli_body_params, &checked, what, error);
    if (status != PLI_OK) return status;
    status = pli_error_key(check_mesh(def->mesh, error), error, "mesh");
    if (status == PLI_OK) status = check_start(def, error);
    if (status == PLI_OK) status = check_modes(&checked, error);
    if (status == PLI_OK) status = check_foreign(world, def->initial, "initial", error);
    if (status == PLI_OK) status = check_foreign(world, def->velocities, "velocities", error);
    if (status == PLI_OK) status = check_foreign(world, def->modes, "modes", error);
    if (status == PLI_OK) status = check_obstacle(&checked, error);
    if (status == PLI_OK) status = pli_check_cage(world, &checked, error);
    if (status == PLI_OK) status = append_body(world, &checked, error);
    if (status == PLI_OK && pli_body_is_embedded(&checked)) pli_release_cage(world);
    if (status != PLI_OK)
        pli_error_prefix(error, "%s", what);
    else if (id)
        *id = (pli_body_id){.index = world->model.body_count - 1, .generation = world->generation};
    return status;
}

pli_status pli_world_add_body(pli_world* world, const pli_body_def* def, pli_body_id* id,
                              pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = add_body(world, def, id, error);
    pli_error_place(status, error, PLI_OBJECT_BODY, world->model.body_count, NULL);
    return pli_world_leave(world, status);
}

pli_status pli_world_can_deform(const pli_body* body, const char* what, pli_error* error) {
    if (!body->def.obstacle) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "body \"%s\" is an obstacle: it does not deform and takes no %s", body->name,
                    what);
}

// The i-th selected vertex in world numbers; the selection is checked before.
static int selected(const pli_body* body, const int32_t* vertices, int i) {
    return body->first_vertex + (vertices ? vertices[i] : i);
}

// Finds a vertex that is listed twice.
static pli_status check_twice(pli_world* world, const pli_body* body, const int32_t* vertices,
                              int count, pli_error* error) {
    int total =
        pli_body_end_vertex(&world->model, (int)(body - world->model.bodies)) - body->first_vertex;
    bool* seen;
    pli_status status = PLI_ALLOC(&world->memory, seen, total, error);
    for (int i = 0; i < count && status == PLI_OK; ++i) {
        if (seen[vertices[i]])
            status = pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": vertex %d is listed twice",
                              body->name, vertices[i]);
        seen[vertices[i]] = true;
    }
    PLI_FREE(&world->memory, seen, total);
    return status;
}

// That a support of this kind can take a vertex: those along axes can meet, no others.
static pli_status check_held(const pli_world* world, const pli_body* body, int vertex,
                             pli_support_kind kind, pli_error* error) {
    static const char* const words[] = {"", "fixed", "on an inclined support", "prescribed"};
    pli_support_kind held = world->model.supports[body->first_vertex + vertex].kind;
    if (held == PLI_SUPPORT_NONE || (held == PLI_SUPPORT_AXES && kind == PLI_SUPPORT_AXES))
        return PLI_OK;
    return pli_fail(
        error, PLI_E_ARGUMENT,
        "body \"%s\": vertex %d is already %s, and only supports along axes can meet at "
        "a vertex: leave it out of one of the two",
        body->name, vertex, words[held]);
}

// How many vertices a support takes, and that all are there, once, and can be held by it.
static pli_status check_selection(pli_world* world, const pli_body* body, const int32_t* vertices,
                                  int count, pli_support_kind kind, int* out, pli_error* error) {
    int total =
        pli_body_end_vertex(&world->model, (int)(body - world->model.bodies)) - body->first_vertex;
    if (count < 0)
        return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": vertex_count = %d, must be >= 0",
                        body->name, count);
    *out = vertices ? count : total;
    for (int i = 0; i < *out; ++i) {
        if (vertices && (vertices[i] < 0 || vertices[i] >= total))
            return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": vertex %d, must be 0 to %d",
                            body->name, vertices[i], total - 1);
        PLI_TRY(check_held(world, body, vertices ? vertices[i] : i, kind, error));
    }
    if (*out > 0 && (body->modes || strcmp(body->def.kinematics, "free") != 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "body \"%s\": its vertices do not move one by one, so they cannot be fixed "
                        "or prescribed",
                        body->name);
    return vertices ? check_twice(world, body, vertices, count, error) : PLI_OK;
}

// Room for one more support; its number goes to the vertices.
static pli_status reserve_set(pli_world* world, pli_error* error) {
    return PLI_GROW(&world->memory, world->model.support_sets, world->model.support_set_capacity,
                    world->model.support_set_count + 1, error);
}

static void add_set(pli_world* world, pli_support_kind kind, const pli_body* body) {
    world->model.support_sets[world->model.support_set_count++] =
        (pli_support_set){.kind = kind, .body = (int)(body - world->model.bodies)};
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

static pli_status fix(pli_world* world, pli_body_id id, const pli_fix_def* def, pli_error* error) {
    PLI_TRY(pli_world_not_prepared(world, error));
    pli_body* body = NULL;
    PLI_TRY(pli_world_find_body(world, id, &body, error));
    if (!def) return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": fix: def is NULL", body->name);
    pli_status finite = check_finite(def->normal, 3, "normal", error);
    PLI_TRY(pli_error_key(finite, error, "normal"));
    int count, set = world->model.support_set_count;
    pli_support support = {.kind = PLI_SUPPORT_AXES, .set = set, .axis_set = {set, set, set}};
    memcpy(support.axes, def->axes, sizeof support.axes);
    double length = pli_norm(def->normal, world->model.def.dimension);
    if (length > 0) {
        support.kind = PLI_SUPPORT_INCLINED;
        for (int c = 0; c < world->model.def.dimension; ++c)
            support.normal[c] = def->normal[c] / length;
    } else if (!def->axes[0] && !def->axes[1] &&
               !(def->axes[2] && world->model.def.dimension == 3)) {
        pli_status status = pli_fail(error, PLI_E_ARGUMENT,
                                     "body \"%s\": a support that fixes no axis", body->name);
        return pli_error_key(status, error, "axes");
    }
    pli_status listed =
        check_selection(world, body, def->vertices, def->vertex_count, support.kind, &count, error);
    PLI_TRY(pli_error_key(listed, error, "vertices"));
    PLI_TRY(reserve_set(world, error));
    for (int i = 0; i < count; ++i)
        hold(&world->model.supports[selected(body, def->vertices, i)], &support);
    add_set(world, support.kind, body);
    return PLI_OK;
}

pli_status pli_world_fix(pli_world* world, pli_body_id id, const pli_fix_def* def,
                         pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = fix(world, id, def, error);
    pli_error_place(status, error, PLI_OBJECT_SUPPORT, world->model.support_set_count, NULL);
    return pli_world_leave(world, status);
}

static pli_status prescribe(pli_world* world, pli_body_id id, const pli_prescribe_def* def,
                            pli_error* error) {
    PLI_TRY(pli_world_not_prepared(world, error));
    pli_body* body = NULL;
    PLI_TRY(pli_world_find_body(world, id, &body, error));
    if (!def)
        return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": prescribe: def is NULL", body->name);
    pli_prescribe_def checked = *def;
    PLI_TRY(pli_params_check(&pli_prescribe_params, &checked, "prescribed motion", error));
    if (def->key_count < 0 || (def->key_count > 0 && (!def->times || !def->offsets)))
        return pli_fail(error, PLI_E_ARGUMENT, "prescribed motion: key_count = %d, but %s",
                        def->key_count,
                        def->key_count < 0 ? "must be >= 0" : "times or offsets is NULL");
    int count, dim = world->model.def.dimension;
    pli_status listed = check_selection(world, body, def->vertices, def->vertex_count,
                                        PLI_SUPPORT_PRESCRIBED, &count, error);
    PLI_TRY(pli_error_key(listed, error, "vertices"));
    if (dim == 2) checked.velocity[2] = 0;
    if (body->def.obstacle && (def->free[0] || def->free[1] || def->free[2])) {
        pli_status status = pli_fail(
            error, PLI_E_ARGUMENT,
            "body \"%s\": the motion of an obstacle is prescribed along all axes", body->name);
        return pli_error_key(status, error, "free");
    }
    int32_t motion;
    PLI_TRY(reserve_set(world, error));
    PLI_TRY(pli_pins_reserve(&world->pins, count, error)); // from here on all or nothing
    PLI_TRY(pli_pins_add_motion(&world->pins, &checked, count, &motion, error));
    for (int i = 0; i < count; ++i) {
        int v = selected(body, def->vertices, i);
        world->model.supports[v] = (pli_support){.kind = PLI_SUPPORT_PRESCRIBED,
                                                 .pin = world->pins.count,
                                                 .set = world->model.support_set_count};
        pli_pins_add(&world->pins, v, motion, world->model.positions + 3 * v,
                     world->model.masses[v]);
    }
    add_set(world, PLI_SUPPORT_PRESCRIBED, body);
    return PLI_OK;
}

pli_status pli_world_prescribe(pli_world* world, pli_body_id id, const pli_prescribe_def* def,
                               pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = prescribe(world, id, def, error);
    pli_error_place(status, error, PLI_OBJECT_SUPPORT, world->model.support_set_count, NULL);
    return pli_world_leave(world, status);
}

static pli_status add_half_space(pli_world* world, const pli_half_space_def* def,
                                 pli_error* error) {
    PLI_TRY(pli_world_not_prepared(world, error));
    if (!def) return pli_fail(error, PLI_E_ARGUMENT, "half-space: def is NULL");
    pli_half_space_def checked = *def;
    PLI_TRY(pli_params_check(&pli_half_space_params, &checked, "half-space", error));
    PLI_TRY(pli_world_check_friction(def->friction, def->friction_static, "half-space", error));
    double length = pli_norm(def->normal, world->model.def.dimension);
    if (!(length > 0)) {
        pli_status status = pli_fail(error, PLI_E_ARGUMENT, "half-space: normal has no length%s",
                                     world->model.def.dimension == 2 ? " in the plane" : "");
        return pli_error_key(status, error, "normal");
    }
    for (int c = 0; c < 3; ++c)
        checked.normal[c] = c < world->model.def.dimension ? def->normal[c] / length : 0;
    if (def->carrier.generation > 0) {
        pli_body* body = NULL;
        PLI_TRY(pli_world_find_body(world, def->carrier, &body, error));
    }
    PLI_TRY(PLI_GROW(&world->memory, world->model.half_spaces, world->model.half_space_capacity,
                     world->model.half_space_count + 1, error));
    PLI_TRY(pli_world_name_half_space(world, &checked, error));
    world->model.half_spaces[world->model.half_space_count++] = checked;
    return PLI_OK;
}

pli_status pli_world_add_half_space(pli_world* world, const pli_half_space_def* def,
                                    pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = add_half_space(world, def, error);
    pli_error_place(status, error, PLI_OBJECT_HALF_SPACE, world->model.half_space_count, NULL);
    return pli_world_leave(world, status);
}
