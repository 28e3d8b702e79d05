// Contact of the world: its terms.
#include "dynamics/world.h"

#include "contact/barrier_term.h"
#include "math/vec.h"

#include <string.h>

// half_space -1: the barrier is between pairs.
static pli_status add_barrier(pli_world* w, pli_term term, int half_space, pli_error* error) {
    pli_world_term* barrier = pli_world_add_term(w, term);
    barrier->barrier = barrier->contact = true;
    barrier->half_space = half_space;
    int32_t against = half_space < 0 ? -1 : w->rules.classes[w->model.body_count + half_space];
    if (!pli_rules_rub(&w->rules, against)) return PLI_OK;
    pli_friction_def def = {.speed = w->model.def.contact.friction_speed,
                            .filter = &w->collision.filter,
                            .half_space_class = against};
    pli_term added;
    PLI_TRY(pli_friction_create(&w->memory, &term, &def, &added, error));
    barrier->friction = added; // there is room for both terms: it has not moved
    pli_world_add_term(w, added)->contact = true;
    w->rubs = true;
    return PLI_OK;
}

// ---- half-spaces

// Vertices that touch half-space i, but for the carrier; returns their count.
static int half_space_vertices(const pli_world* w, int i, int carrier, int32_t* out) {
    int count = 0;
    int32_t own = w->rules.classes[w->model.body_count + i];
    for (int v = 0; v < w->model.vertex_count; ++v) {
        int body = w->collision.body[v];
        const pli_body_def* def = &w->model.bodies[body].def;
        const char* which = def->contact_vertices;
        bool chosen =
            strcmp(which, "all") == 0 || (strcmp(which, "boundary") == 0 && w->collision.outer[v]);
        if (pli_rules_between(&w->rules, w->rules.classes[body], own)->pass) continue;
        if (chosen && !def->obstacle && v != carrier) out[count++] = v;
    }
    return count;
}

static pli_status add_half_space(pli_world* w, const pli_barrier_def* def, int i, int32_t* list,
                                 pli_error* error) {
    const pli_half_space_def* half_space = &w->model.half_spaces[i];
    pli_plane plane = {.carrier = -1};
    memcpy(plane.point, half_space->point, sizeof plane.point);
    memcpy(plane.normal, half_space->normal, sizeof plane.normal);
    if (half_space->carrier.generation > 0)
        plane.carrier = w->model.bodies[half_space->carrier.index].first_vertex;
    int count = half_space_vertices(w, i, plane.carrier, list);
    pli_term term;
    PLI_TRY(pli_world_reserve_terms(w, 2, error));
    PLI_TRY(pli_half_space_barrier_create(&w->memory, def, &plane, count, list, &term, error));
    return add_barrier(w, term, i, error);
}

// ---- pairs

pli_status pli_world_add_pair_term(pli_world* w, const pli_barrier_def* def, const pli_side* a,
                                   const pli_side* b, pli_error* error) {
    pli_term term;
    PLI_TRY(pli_world_reserve_terms(w, 2, error));
    PLI_TRY(pli_pair_barrier_create(&w->memory, def, a, b, &term, error));
    return add_barrier(w, term, -1, error);
}

pli_status pli_world_add_contact(pli_world* w, pli_error* error) {
    pli_memory* m = &w->memory;
    if (!w->collision.memory) PLI_TRY(pli_world_make_collision(w, error)); // else a survey has
    PLI_TRY(pli_world_make_rules(w, false, error));
    const pli_collision* c = &w->collision;
    pli_barrier_def def = {.dim = w->model.def.dimension,
                           .vertex_count = w->model.vertex_count,
                           .form = pli_barrier_form_of(w->model.def.contact.barrier),
                           .dhat = w->dhat,
                           .stiffness = w->stiffness,
                           .area = c->area,
                           .radius = c->thick ? c->radius : NULL,
                           .filter = &c->filter};
    int32_t* list = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, list, w->model.vertex_count, error));
    for (int i = 0; i < w->model.half_space_count; ++i)
        PLI_TRY_CLEANUP(status, add_half_space(w, &def, i, list, error));
    if (w->model.def.contact.bodies) PLI_TRY_CLEANUP(status, pli_world_add_pairs(w, &def, error));
    if (w->rubs)
        PLI_TRY_CLEANUP(status, PLI_ALLOC(m, w->rub_forces, 2 * w->model.body_count, error));
cleanup:
    PLI_FREE(m, list, w->model.vertex_count);
    return status;
}

// ---- friction

bool pli_world_lag_is_poor(pli_world* w, const double* x) {
    static const double little = 0.1; // of the forces at x
    if (!w->rub_forces) return false;
    double *lagged = w->rub_forces, *now = lagged + w->model.body_count;
    memset(lagged, 0, 2 * sizeof *lagged * (size_t)w->model.body_count);
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].friction.ops)
            pli_friction_forces(&w->terms[t].friction, x, w->collision.body, lagged, now);
    for (int b = 0; b < w->model.body_count; ++b)
        if (!w->model.bodies[b].def.obstacle && lagged[b] < little * now[b]) return true;
    return false;
}
