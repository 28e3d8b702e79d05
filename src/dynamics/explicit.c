// Explicit steps: accelerations of the unknowns and motion of constrained vertices.
#include "dynamics/world.h"

#include "math/vec.h"

#include <string.h>

// The step size; before the first step that of the world.
static double stage_size(const pli_world* w) { return w->h > 0 ? w->h : w->model.def.time_step; }

// Passes time, position and velocity to loads and dissipation: v = rate (x - x_still). Constraints
// keep the data of the whole step. Leaves the positions in world->x.
static pli_status set_stage(pli_world* w, double time, const double* q, const double* v,
                            double rate, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    double h = stage_size(w);
    pli_kinematics_positions(k, w->pool, q, w->x);
    pli_kinematics_directions(k, w->pool, v, w->dx);
    for (int i = 0; i < 3 * k->vertex_count; ++i)
        w->x_still[i] = rate > 0 ? w->x[i] - w->dx[i] / rate : w->x[i];
    pli_step step = {.h = h,
                     .time = time,
                     .share = 1,
                     .force_time = time,
                     .inertia = 1 / (h * h),
                     .velocity_rate = rate,
                     .x_n = w->x,
                     .x_still = w->x_still};
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->begin_step && term->ops->role != PLI_PULL)
            PLI_TRY(term->ops->begin_step(term->self, &step, error));
    }
    return PLI_OK;
}

// Subtracts from `force` the forces that constrained vertices exert on others through a mass that
// is not lumped.
static void add_constraint_inertia(pli_world* w, double* force) {
    const pli_kinematics* k = &w->kinematics;
    if (pli_constraints_count(&w->constraints) == 0 || k->mass_count <= k->group_count) return;
    memset(w->product, 0, sizeof *w->product * (size_t)k->unknown_count);
    pli_constraints_accelerate(&w->constraints, k, w->product);
    pli_mass_multiply(k, w->product, w->scratch);
    pli_axpy(-1, w->scratch, force, k->unknown_count);
}

// a = -M^-1 (dP/dq + dR/dv - f(t))
static pli_status acceleration(void* self, double time, const double* q, const double* v, double* a,
                               pli_error* error) {
    pli_world* w = self;
    const pli_kinematics* k = &w->kinematics;
    PLI_TRY(set_stage(w, time, q, v, 1 / stage_size(w), error));
    pli_assembly_evaluate(&w->assembly, w->x, NULL);
    pli_assembly_gradient(&w->assembly, w->gx, NULL);
    pli_kinematics_pull(k, w->pool, w->gx, w->force);
    for (int i = 0; i < k->unknown_count; ++i) w->force[i] = -w->force[i];
    add_constraint_inertia(w, w->force);
    pli_constraints_clear(&w->constraints, k,
                          w->force); // forces do not accelerate prescribed vertices
    return pli_mass_solve(w->mass_solver, w->force, a, error);
}

static bool has_role(const pli_world* w, pli_role role) {
    for (int t = 0; t < w->term_count; ++t)
        if (w->plain_terms[t].ops->role == role) return true;
    return false;
}

// Leaves K in the assembly and C in world->damping. A matrix assembled at the velocity rate r is
// K + r C.
static pli_status assemble_jacobian(pli_world* w, pli_error* error) {
    const pli_history* at = &w->history;
    int count = w->assembly.pattern.value_count;
    double rate = 1 / stage_size(w);
    if (has_role(w, PLI_DISSIPATION)) {
        PLI_TRY(PLI_GROW(&w->memory, w->damping, w->damping_capacity, count, error));
        PLI_TRY(set_stage(w, at->time[0], at->q[0], at->v[0], rate, error));
        pli_assembly_evaluate(&w->assembly, w->x, &(pli_hessian_wish){0});
        pli_assembly_matrix(&w->assembly, 0, NULL);
        pli_copy(w->assembly.values, w->damping, count);
    }
    PLI_TRY(set_stage(w, at->time[0], at->q[0], at->v[0], 0, error));
    pli_assembly_evaluate(&w->assembly, w->x, &(pli_hessian_wish){0});
    pli_assembly_matrix(&w->assembly, 0, NULL);
    for (int i = 0; i < count && w->damping; ++i)
        w->damping[i] = (w->damping[i] - w->assembly.values[i]) / rate;
    return PLI_OK;
}

// y = -M^-1 (K x + C u) with the matrices of assemble_jacobian.
static pli_status jacobian(void* self, const double* x, const double* u, double* y,
                           pli_error* error) {
    pli_world* w = self;
    const pli_pattern* pattern = &w->assembly.pattern;
    int n = w->kinematics.unknown_count;
    pli_pattern_multiply(pattern, w->assembly.values, x, w->force);
    pli_low_rank_multiply(&w->assembly.low_rank, x, w->force);
    if (w->damping) {
        pli_pattern_multiply(pattern, w->damping, u, w->scratch);
        pli_axpy(1, w->scratch, w->force, n);
    }
    pli_constraints_clear(&w->constraints, &w->kinematics, w->force);
    for (int i = 0; i < n; ++i) w->force[i] = -w->force[i];
    return pli_mass_solve(w->mass_solver, w->force, y, error);
}

pli_status pli_world_find_acceleration(pli_world* w, pli_error* error) {
    const pli_history* at = &w->history;
    if (w->scheme->aim) pli_constraints_bend(&w->constraints, w->time, stage_size(w));
    PLI_TRY(acceleration(w, w->time, at->q[0], at->v[0], w->history.a, error));
    if (w->scheme->aim) PLI_TRY(pli_world_leave_contact(w, at->q[0], w->history.a, error));
    pli_joints_project(w, w->time, true, w->history.a);
    w->acceleration_known = true;
    return PLI_OK;
}

static pli_status stage_acceleration(void* self, double time, const double* q, const double* v,
                                     double* a, pli_error* error) {
    pli_world* w = self;
    PLI_TRY(acceleration(w, time, q, v, a, error));
    pli_constraints_accelerate(&w->constraints, &w->kinematics, a);
    return PLI_OK;
}

// One step of the scheme. It starts from history.a, in which prescribed vertices have no
// acceleration before and after it.
static pli_status step_scheme(pli_world* w, const pli_forces* forces, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    pli_drive drive = pli_world_drive(w);
    pli_constraints_guide(&w->constraints, &drive);
    pli_constraints_accelerate(&w->constraints, k, w->history.a);
    pli_status status = w->scheme->step(&w->history, w->h, forces, w->q, w->v, error);
    pli_constraints_clear(&w->constraints, k, w->history.a);
    return status;
}

static bool all_finite(const double* values, int n) {
    for (int i = 0; i < n; ++i)
        if (!isfinite(values[i])) return false;
    return true;
}

pli_status pli_world_advance_explicit(pli_world* w, pli_step_info* info, pli_error* error) {
    int n = w->kinematics.unknown_count;
    bool diverged = false;
    pli_forces forces = {.self = w,
                         .acceleration = stage_acceleration,
                         .jacobian = jacobian,
                         .drift = has_role(w, PLI_LOAD) || has_role(w, PLI_DISSIPATION),
                         .work = w->scheme_work,
                         .diverged = &diverged};
    if (w->scheme->stiffness) PLI_TRY(assemble_jacobian(w, error));
    PLI_TRY(step_scheme(w, &forces, error));
    pli_drive drive = pli_world_drive(w);
    pli_constraints_place(&w->constraints, &drive, w->q, w->v);
    PLI_TRY(acceleration(w, w->time + w->h, w->q, w->v, w->a, error));
    info->iterations++;
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    if (diverged || !all_finite(w->q, n) || !all_finite(w->v, n) || !all_finite(w->a, n) ||
        !all_finite(w->term_values, w->term_count))
        info->reason = PLI_DIVERGED;
    return PLI_OK;
}
