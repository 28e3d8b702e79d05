// Explicit steps: accelerations, and what becomes of prescribed vertices.
#include "dynamics/world.h"

#include "math/vec.h"

#include <string.h>

// Prescribed vertices do not accelerate.
static void hold_pins(const pli_world* w, double* force) {
    const pli_kinematics* k = &w->kinematics;
    for (int i = 0; i < w->pins.count; ++i) {
        int group = k->vertices[w->pins.pins[i].vertex].identity_group;
        memset(force + k->group_offset[group], 0, sizeof(double) * (size_t)k->dim);
    }
}

// a = -M^-1 dP/dq
static pli_status acceleration(void* self, const double* q, double* a, pli_error* error) {
    pli_world* w = self;
    const pli_kinematics* k = &w->kinematics;
    pli_kinematics_positions(k, w->pool, q, w->x);
    pli_assembly_evaluate(&w->assembly, w->x, false, false);
    pli_assembly_gradient(&w->assembly, w->gx, NULL);
    pli_kinematics_pull(k, w->pool, w->gx, w->force);
    for (int i = 0; i < k->unknown_count; ++i) w->force[i] = -w->force[i];
    hold_pins(w, w->force);
    return pli_mass_solve(w->mass_solver, w->force, a, error);
}

// y = -M^-1 K x with the matrix that pli_world_advance_explicit assembled.
static pli_status stiffness(void* self, const double* x, double* y, pli_error* error) {
    pli_world* w = self;
    pli_pattern_multiply(&w->assembly.pattern, w->assembly.values, x, w->force);
    hold_pins(w, w->force);
    for (int i = 0; i < w->kinematics.unknown_count; ++i) w->force[i] = -w->force[i];
    return pli_mass_solve(w->mass_solver, w->force, y, error);
}

pli_status pli_world_find_acceleration(pli_world* w, pli_error* error) {
    PLI_TRY(acceleration(w, w->history.q[0], w->history.a, error));
    w->acceleration_known = true;
    return PLI_OK;
}

// Prescribed vertices are where they should be: nothing can block them here.
static void place_pins(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    for (int i = 0; i < w->pins.count; ++i) {
        const pli_pin* pin = &w->pins.pins[i];
        int at = k->group_offset[k->vertices[pin->vertex].identity_group];
        for (int c = 0; c < k->dim; ++c) {
            w->q[at + c] = pin->target[c];
            w->v[at + c] = (pin->target[c] - w->x_n[3 * pin->vertex + c]) / w->h;
        }
    }
}

static bool all_finite(const double* values, int n) {
    for (int i = 0; i < n; ++i)
        if (!isfinite(values[i])) return false;
    return true;
}

pli_status pli_world_advance_explicit(pli_world* w, pli_step_info* info, pli_error* error) {
    int n = w->kinematics.unknown_count;
    pli_forces forces = {
        .self = w, .acceleration = acceleration, .stiffness = stiffness, .work = w->scheme_work};
    if (w->scheme->stiffness) {
        pli_assembly_evaluate(&w->assembly, w->x_n, true, false);
        pli_assembly_matrix(&w->assembly, 0, NULL);
    }
    PLI_TRY(w->scheme->step(&w->history, w->h, &forces, w->q, w->v, error));
    place_pins(w);
    PLI_TRY(acceleration(w, w->q, w->a, error));
    info->iterations++;
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    if (!all_finite(w->q, n) || !all_finite(w->v, n) || !all_finite(w->a, n) ||
        !all_finite(w->term_values, w->term_count))
        info->reason = PLI_DIVERGED;
    return PLI_OK;
}
