// What happens to a world between steps by somebody's hand: a spring that pulls a vertex, another
// state.
#include "dynamics/hand.h"

#include "dynamics/world.h"
#include "math/vec.h"

#include <string.h>

// ---- the spring: P = k/2 |x - target|^2, of one vertex or of none

static int hand_count(const void* self) { return ((const pli_hand*)self)->vertex >= 0; }

static const int32_t* hand_vertices(const void* self) { return &((const pli_hand*)self)->vertex; }

static uint64_t hand_epoch(const void* self) { return ((const pli_hand*)self)->epoch; }

static void hand_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const pli_hand* hand = self;
    double d[3];
    (void)first;
    for (int i = 0; i < in->count; ++i) {
        pli_sub(in->x + 3 * (size_t)hand->vertex, hand->target, d, in->dim);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * hand->k * pli_dot(d, d, in->dim);
        if (in->want & PLI_GRADIENT) pli_axpy(hand->k, d, out->g + i * in->dim, in->dim);
        if (in->want & PLI_HESSIAN)
            for (int c = 0; c < in->dim; ++c)
                out->H[i * in->dim * in->dim + c * (in->dim + 1)] += hand->k;
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
    hand->vertex = -1;
    return (pli_term){.ops = &ops, .self = hand};
}

// Of its body: a spring on so much mass has a quarter of a swing in a tenth of a second.
static double chosen_stiffness(const pli_world* w, int vertex) {
    static const double rate = 15.7; // [1/s]
    double mass = 0;
    int body = w->collision.body[vertex];
    for (int v = w->bodies[body].first_vertex; v < pli_body_end_vertex(w, body); ++v)
        mass += w->masses[v];
    return mass * rate * rate;
}

pli_status pli_world_grab(pli_world* world, int vertex, const double target[3], double k,
                          pli_error* error) {
    PLI_TRY(pli_world_prepare(world, error));
    pli_world* w = world;
    if (!w->def.interactive)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: the world's def must say interactive");
    if (vertex < 0 || vertex >= w->vertex_count)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: vertex %d, must be 0 to %d", vertex,
                        w->vertex_count - 1);
    const pli_vertex_map* map = &w->kinematics.vertices[vertex];
    bool moves = map->identity_group >= 0 || map->entry_end > map->entry_start;
    if (!moves || w->supports[vertex].kind == PLI_SUPPORT_PRESCRIBED)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: vertex %d is fixed or prescribed", vertex);
    if (!target || !isfinite(target[0] + target[1] + target[2]) || !(k >= 0) || !isfinite(k))
        return pli_fail(error, PLI_E_ARGUMENT, "grab: target and k must be finite, and k >= 0");
    w->hand.epoch += w->hand.vertex != vertex;
    w->hand.vertex = vertex;
    w->hand.k = k > 0 ? k : chosen_stiffness(w, vertex);
    memcpy(w->hand.target, target, sizeof w->hand.target);
    return PLI_OK;
}

void pli_world_release(pli_world* world) {
    if (!world || !world->def.interactive || world->hand.vertex < 0) return;
    world->hand.vertex = -1;
    world->hand.epoch++;
}

// ---- another state

static pli_status check_state(const pli_world* w, const pli_world_state* state, pli_error* error) {
    if (!state || !isfinite(state->time) || state->step < 0)
        return pli_fail(error, PLI_E_ARGUMENT, "state: time must be finite and step >= 0");
    for (int i = 0; i < 3 * w->vertex_count; ++i)
        if ((state->positions && !isfinite(state->positions[i])) ||
            (state->velocities && !isfinite(state->velocities[i])))
            return pli_fail(error, PLI_E_ARGUMENT, "state: vertex %d is not finite", i / 3);
    return PLI_OK;
}

// Contact pairs and all that goes with them are those of the newest state again.
static pli_status go_back(pli_world* w, pli_error* error) {
    double alpha = 1;
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->x);
    return pli_world_refresh(w, NULL, &alpha, error);
}

pli_status pli_world_set_state(pli_world* world, const pli_world_state* state, pli_error* error) {
    PLI_TRY(pli_world_prepare(world, error));
    pli_world* w = world;
    const pli_kinematics* k = &w->kinematics;
    PLI_TRY(check_state(w, state, error));
    pli_copy(w->history.q[0], w->q, k->unknown_count);
    memset(w->v, 0, sizeof *w->v * (size_t)k->unknown_count);
    if (state->positions && k->unknown_count > 0)
        PLI_TRY(pli_kinematics_fit(k, state->positions, true, w->q, error));
    if (state->velocities && k->unknown_count > 0)
        PLI_TRY(pli_kinematics_fit(k, state->velocities, false, w->v, error));
    pli_kinematics_positions(k, w->pool, w->q, w->x);
    pli_status status = pli_world_check_allowed(w, error);
    if (status != PLI_OK) {
        PLI_TRY(go_back(w, NULL));
        return status;
    }
    pli_history_restart(&w->history, state->time, w->q, w->v);
    w->coarse.count = 0;
    w->acceleration_known = false;
    w->time = state->time;
    w->step = state->step;
    memset(w->accelerations, 0, 3 * sizeof *w->accelerations * (size_t)w->vertex_count);
    pli_pins_move(&w->pins, w->x);
    w->gap[0] = w->gap[1] = HUGE_VAL;
    PLI_TRY(pli_world_find_contacts(w, error));
    pli_world_evaluate(w);
    pli_world_publish(w);
    w->stored = pli_world_stored(w, w->energy_values);
    return PLI_OK;
}
