// What happens to a world between steps by somebody's hand: springs that pull at a vertex or a
// body, another state.
#include "dynamics/hand.h"

#include "dynamics/world.h"
#include "math/vec.h"

#include <float.h>
#include <string.h>

// ---- the springs: P = sum of k/2 |x - anchor - move|^2 over the vertices held

static int hand_count(const void* self) { return ((const pli_hand*)self)->count; }

static const int32_t* hand_vertices(const void* self) { return ((const pli_hand*)self)->vertices; }

static uint64_t hand_epoch(const void* self) { return ((const pli_hand*)self)->epoch; }

static void hand_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const pli_hand* hand = self;
    double d[3];
    for (int i = 0; i < in->count; ++i) {
        const pli_grip* grip = &hand->grips[first + i];
        pli_sub(in->x + 3 * (size_t)hand->vertices[first + i], grip->anchor, d, in->dim);
        pli_sub(d, hand->move, d, in->dim);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * grip->k * pli_dot(d, d, in->dim);
        if (in->want & PLI_GRADIENT) pli_axpy(grip->k, d, out->g + i * in->dim, in->dim);
        if (in->want & PLI_HESSIAN)
            for (int c = 0; c < in->dim; ++c)
                out->H[i * in->dim * in->dim + c * (in->dim + 1)] += grip->k;
    }
}

pli_term pli_hand_term(pli_hand* hand) {
    static const pli_term_ops ops = {.name = "hand",
                                     .width = 1,
                                     .dynamic = true,
                                     .role = PLI_PULL,
                                     .count = hand_count,
                                     .vertices = hand_vertices,
                                     .eval = hand_eval,
                                     .epoch = hand_epoch};
    hand->body = -1;
    return (pli_term){.ops = &ops, .self = hand};
}

void pli_hand_free(pli_hand* hand, pli_memory* memory) {
    PLI_FREE(memory, hand->vertices, hand->vertex_room);
    PLI_FREE(memory, hand->grips, hand->grip_room);
    hand->count = hand->vertex_room = hand->grip_room = 0;
}

// ---- who is held

static double body_mass(const pli_world* w, int body) {
    double mass = 0;
    for (int v = w->model.bodies[body].first_vertex; v < pli_body_end_vertex(&w->model, body); ++v)
        mass += w->model.masses[v];
    return mass;
}

// Of a body: a spring on so much mass has a quarter of a swing in a tenth of a second.
static double chosen_stiffness(const pli_world* w, int body) {
    static const double rate = 15.7; // [1/s]
    return body_mass(w, body) * rate * rate;
}

static bool can_move(const pli_world* w, int vertex) {
    const pli_vertex_map* map = &w->kinematics.vertices[vertex];
    bool moves = map->identity_group >= 0 || map->entry_end > map->entry_start;
    return moves && w->model.supports[vertex].kind != PLI_SUPPORT_PRESCRIBED;
}

static pli_status check_grab(pli_world* w, const double place[3], double k, pli_error* error) {
    PLI_TRY(pli_world_make_ready(w, error));
    if (!w->model.def.interactive)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: the world's def must say interactive");
    if (!place || !isfinite(place[0] + place[1] + place[2]) || !(k >= 0) || !isfinite(k))
        return pli_fail(error, PLI_E_ARGUMENT, "grab: target and k must be finite, and k >= 0");
    return PLI_OK;
}

static pli_status make_room(pli_world* w, int count, pli_error* error) {
    PLI_TRY(PLI_GROW(&w->memory, w->hand.vertices, w->hand.vertex_room, count, error));
    return PLI_GROW(&w->memory, w->hand.grips, w->hand.grip_room, count, error);
}

static pli_status grab(pli_world* world, int vertex, const double target[3], double k,
                       pli_error* error) {
    pli_world* w = world;
    pli_hand* hand = &w->hand;
    PLI_TRY(check_grab(w, target, k, error));
    if (vertex < 0 || vertex >= w->model.vertex_count)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: vertex %d, must be 0 to %d", vertex,
                        w->model.vertex_count - 1);
    if (!can_move(w, vertex))
        return pli_fail(error, PLI_E_ARGUMENT, "grab: vertex %d is fixed or prescribed", vertex);
    PLI_TRY(make_room(w, 1, error));
    hand->epoch += hand->body >= 0 || hand->count != 1 || hand->vertices[0] != vertex;
    hand->body = -1;
    hand->count = 1;
    hand->vertices[0] = vertex;
    hand->grips[0].k = k > 0 ? k : chosen_stiffness(w, w->collision.surfaces.body[vertex]);
    memcpy(hand->grips[0].anchor, target, sizeof hand->grips[0].anchor);
    memset(hand->move, 0, sizeof hand->move);
    return PLI_OK;
}

pli_status pli_world_grab(pli_world* world, int vertex, const double target[3], double k,
                          pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, grab(world, vertex, target, k, error));
}

// All vertices of a body that can move, where they are now.
static pli_status hold_body(pli_world* w, int body, pli_error* error) {
    pli_hand* hand = &w->hand;
    int first = w->model.bodies[body].first_vertex, end = pli_body_end_vertex(&w->model, body),
        count = 0;
    for (int v = first; v < end; ++v) count += can_move(w, v);
    if (count == 0)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: body \"%s\" is fixed or prescribed",
                        pli_world_body_name(w, body));
    PLI_TRY(make_room(w, count, error));
    hand->epoch++;
    hand->body = body;
    hand->count = 0;
    for (int v = first; v < end; ++v) {
        if (!can_move(w, v)) continue;
        pli_grip* grip = &hand->grips[hand->count];
        hand->vertices[hand->count++] = v;
        memcpy(grip->anchor, w->model.positions + 3 * (size_t)v, sizeof grip->anchor);
    }
    return PLI_OK;
}

static pli_status grab_body(pli_world* world, int body, const double move[3], double k,
                            pli_error* error) {
    pli_world* w = world;
    pli_hand* hand = &w->hand;
    PLI_TRY(check_grab(w, move, k, error));
    if (body < 0 || body >= w->model.body_count)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: body %d, must be 0 to %d", body,
                        w->model.body_count - 1);
    if (hand->body != body) PLI_TRY(hold_body(w, body, error));
    double per_mass = (k > 0 ? k : chosen_stiffness(w, body)) / body_mass(w, body);
    for (int i = 0; i < hand->count; ++i)
        hand->grips[i].k = per_mass * w->model.masses[hand->vertices[i]];
    memcpy(hand->move, move, sizeof hand->move);
    return PLI_OK;
}

pli_status pli_world_grab_body(pli_world* world, int body, const double move[3], double k,
                               pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, grab_body(world, body, move, k, error));
}

void pli_world_release(pli_world* world) {
    if (!world || pli_world_is_busy(world)) return;
    if (!world->model.def.interactive || world->hand.count == 0) return;
    world->hand.count = 0;
    world->hand.body = -1;
    world->hand.epoch++;
}

void pli_hand_save(const pli_hand* hand, pli_pack* out) {
    pli_pack_int(out, hand->body);
    pli_pack_numbers(out, hand->move, 3);
    pli_pack_int(out, hand->count);
    pli_pack_ints(out, hand->vertices, (size_t)hand->count);
    for (int i = 0; i < hand->count; ++i) {
        pli_pack_numbers(out, hand->grips[i].anchor, 3);
        pli_pack_number(out, hand->grips[i].k);
    }
}

pli_status pli_hand_restore(pli_world* world, pli_unpack* in, pli_error* error) {
    pli_world* w = world;
    pli_hand* hand = &w->hand;
    int body = pli_unpack_int(in, -1, w->model.body_count - 1, "body held");
    pli_unpack_numbers(in, hand->move, 3, "move");
    int count = pli_unpack_int(in, 0, w->model.vertex_count, "vertices held");
    if (in->apply && pli_unpack_good(in)) {
        PLI_TRY(make_room(w, count, error));
        hand->body = body;
        hand->count = 0; // until they are there
        hand->epoch++;
    }
    pli_unpack_ints(in, hand->vertices, (size_t)count, 0, w->model.vertex_count - 1, "vertex held");
    for (int i = 0; i < count && pli_unpack_good(in); ++i) {
        double anchor[3], k;
        pli_unpack_numbers(in, in->apply ? hand->grips[i].anchor : anchor, 3, "anchor");
        k = pli_unpack_number(in, 0, DBL_MAX, "stiffness");
        if (in->apply) hand->grips[i].k = k;
    }
    if (in->apply && pli_unpack_good(in)) hand->count = count;
    return PLI_OK;
}

// ---- another state

static pli_status check_state(const pli_world* w, const pli_world_state* state, pli_error* error) {
    if (!state || !isfinite(state->time) || state->step < 0)
        return pli_fail(error, PLI_E_ARGUMENT, "state: time must be finite and step >= 0");
    for (int i = 0; i < 3 * w->model.vertex_count; ++i)
        if ((state->positions && !isfinite(state->positions[i])) ||
            (state->velocities && !isfinite(state->velocities[i])))
            return pli_fail(error, PLI_E_ARGUMENT, "state: vertex %d is not finite", i / 3);
    for (int i = 0; i < w->nodes.count; ++i)
        if ((state->node_values && !isfinite(state->node_values[i])) ||
            (state->node_rates && !isfinite(state->node_rates[i])))
            return pli_fail(error, PLI_E_ARGUMENT, "state: node %d is not finite", i);
    return PLI_OK;
}

// Contact pairs and all that goes with them are those of the newest state again.
static pli_status go_back(pli_world* w, pli_error* error) {
    double alpha = 1;
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->x);
    return pli_world_refresh(w, NULL, &alpha, error);
}

// What earlier contacts left in the matrix, and what the solver learned from it: bits are to depend
// on the state alone.
static pli_status forget(pli_world* w, pli_error* error) {
    PLI_TRY(pli_minimizer_forget(w->minimizer, error));
    pli_assembly_forget(&w->assembly);
    return pli_assembly_update(&w->assembly, error);
}

static pli_status set_state(pli_world* world, const pli_world_state* state, pli_error* error) {
    PLI_TRY(pli_world_make_ready(world, error));
    pli_world* w = world;
    const pli_kinematics* k = &w->kinematics;
    PLI_TRY(check_state(w, state, error));
    pli_copy(w->history.q[0], w->q, k->unknown_count);
    memset(w->v, 0, sizeof *w->v * (size_t)k->unknown_count);
    if (state->positions) pli_world_start_nodes(w, w->q, w->v);
    pli_world_place_nodes(w, state->node_values, state->node_rates, w->q, w->v);
    if (state->positions && k->unknown_count > 0)
        PLI_TRY(pli_kinematics_fit(k, state->positions, true, w->q, error));
    if (state->velocities && k->unknown_count > 0)
        PLI_TRY(pli_kinematics_fit(k, state->velocities, false, w->v, error));
    pli_kinematics_positions(k, w->pool, w->q, w->x);
    pli_status status = pli_world_check_allowed(w, error);
    if (status == PLI_OK) status = forget(w, error);
    if (status != PLI_OK) {
        PLI_TRY(go_back(w, NULL));
        return status;
    }
    w->worst_vertex = -1;
    w->time = state->time;
    w->step = state->step;
    pli_state_restart(w);
    memset(w->accelerations, 0, 3 * sizeof *w->accelerations * (size_t)w->model.vertex_count);
    PLI_TRY(pli_world_find_contacts(w, error));
    pli_world_evaluate(w);
    pli_world_publish(w);
    w->stored = pli_world_stored(w, w->energy_values);
    return PLI_OK;
}

pli_status pli_world_set_state(pli_world* world, const pli_world_state* state, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, set_state(world, state, error));
}
