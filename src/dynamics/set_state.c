// Sets a new state: positions and velocities that were not reached by steps.
#include "dynamics/world.h"

#include "math/vec.h"

#include <string.h>

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

// Drops what earlier contacts left in the matrix and what the solver kept from it: results must
// depend only on the state, to the last bit.
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
    if (state->positions && k->unknown_count > 0)
        PLI_TRY(pli_kinematics_fit(k, state->positions, true, w->q, error));
    if (state->velocities && k->unknown_count > 0)
        PLI_TRY(pli_kinematics_fit_rates(k, state->velocities, w->q, w->v, error));
    if (state->positions) pli_world_start_nodes(w, w->q, w->v);
    pli_world_place_nodes(w, state->node_values, state->node_rates, w->q, w->v);
    pli_kinematics_positions(k, w->pool, w->q, w->x);
    pli_status status = pli_world_check_allowed(w, error);
    if (status == PLI_OK) status = forget(w, error);
    if (status != PLI_OK) {
        PLI_TRY(pli_world_refresh_start(w, NULL));
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
