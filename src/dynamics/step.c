// One time step: the problem that the minimizer sees, the loops around it, and what is published.
#include "dynamics/world.h"

#include "base/clock.h"
#include "math/vec.h"

#include <string.h>

// A pin has arrived when it would miss its target by less than this fraction of tolerance * h; the
// error of its velocity is then well below the tolerance.
static const double ARRIVAL = 0.1;

enum { MAX_STIFFENINGS = 40 };

static size_t unknown_bytes(const pli_world* w) {
    return sizeof(double) * (size_t)w->kinematics.unknown_count;
}

static pli_view view_of(const pli_world* w) {
    return (pli_view){
        .dim = w->def.dimension, .vertex_count = w->vertex_count, .x = w->x, .pool = w->pool};
}

pli_status pli_world_refresh(pli_world* w, const double* p, double* alpha, pli_error* error) {
    pli_view view = view_of(w);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->refresh) PLI_TRY(term->ops->refresh(term->self, &view, p, alpha, error));
    }
    return pli_assembly_update(&w->assembly, error);
}

// ---- the problem: E(q) = inertia/2 |q - q_hat|^2_M + sum of terms

// inertia/2 |q - q_hat|^2_M; leaves inertia M (q - q_hat) in `force` if asked for.
static double inertia_energy(pli_world* w, const double* q, double* force) {
    int n = w->kinematics.unknown_count;
    pli_sub(q, w->q_hat, w->scratch, n);
    double* product = force ? force : w->force;
    pli_mass_multiply(&w->kinematics, w->scratch, product);
    double e = 0.5 * w->inertia * pli_dot(w->scratch, product, n);
    if (force)
        for (int i = 0; i < n; ++i) force[i] *= w->inertia;
    return e;
}

// Pins that have arrived become identity rows for the rest of the step.
static pli_status problem_update(void* self, const double* q, pli_error* error) {
    (void)error;
    pli_world* w = self;
    if (w->pins.count == 0) return PLI_OK;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_pins_arrive(&w->pins, w->x, w->arrival);
    for (int i = 0; i < w->pins.count; ++i) {
        int group = w->kinematics.vertices[w->pins.pins[i].vertex].identity_group;
        w->frozen[group] = w->pins.pins[i].arrived;
    }
    return PLI_OK;
}

static pli_status problem_value(void* self, const double* q, double* e, double* size,
                                pli_error* error) {
    (void)error;
    pli_world* w = self;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    *e = *size = inertia_energy(w, q, NULL);
    for (int t = 0; t < w->term_count; ++t) {
        *e += w->term_values[t];
        *size += fabs(w->term_values[t]);
    }
    return PLI_OK;
}

static pli_status problem_derivatives(void* self, const double* q, bool matrix, bool project,
                                      double* g, double* load, pli_error* error) {
    (void)error;
    pli_world* w = self;
    const pli_kinematics* k = &w->kinematics;
    double start = pli_now();
    pli_kinematics_positions(k, w->pool, q, w->x);
    pli_assembly_evaluate(&w->assembly, w->x, matrix, project);
    double evaluated = pli_now();
    *(matrix ? &w->seconds.hessian : &w->seconds.gradient) += evaluated - start;
    pli_assembly_gradient(&w->assembly, w->gx, load ? w->load : NULL);
    pli_kinematics_pull(k, w->pool, w->gx, g);
    inertia_energy(w, q, w->force);
    pli_axpy(1, w->force, g, k->unknown_count);
    if (load) *load = pli_norm(w->load, w->vertex_count) + pli_norm(w->force, k->unknown_count);
    for (int i = 0; i < k->group_count && w->pins.count > 0; ++i)
        if (w->frozen[i])
            memset(g + k->group_offset[i], 0, sizeof *g * (size_t)pli_group_width(k, i));
    double gathered = pli_now();
    w->seconds.gradient += gathered - evaluated;
    if (matrix) pli_assembly_matrix(&w->assembly, w->inertia, w->frozen);
    w->seconds.assembly += pli_now() - gathered;
    return PLI_OK;
}

static void problem_matrix(void* self, const pli_pattern** pattern, double** values,
                           uint64_t* epoch) {
    pli_world* w = self;
    *pattern = &w->assembly.pattern;
    *values = w->assembly.values;
    *epoch = w->assembly.pattern_epoch;
}

// Cheap bounds first (inversion, half-spaces); then contact, whose sets are the smaller the shorter
// the segment already is.
static pli_status problem_segment(void* self, const double* q, const double* p, double* alpha,
                                  pli_error* error) {
    pli_world* w = self;
    double start = pli_now();
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_kinematics_directions(&w->kinematics, w->pool, p, w->dx);
    pli_view view = view_of(w);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->max_step)
            *alpha = fmin(*alpha, term->ops->max_step(term->self, &view, w->dx));
    }
    pli_status status = pli_world_refresh(w, w->dx, alpha, error);
    w->seconds.collision += pli_now() - start;
    return status;
}

static double problem_speed(void* self, const double* p) {
    pli_world* w = self;
    pli_kinematics_directions(&w->kinematics, w->pool, p, w->dx);
    double largest = 0;
    for (int v = 0; v < w->vertex_count; ++v)
        largest = fmax(largest, pli_norm(w->dx + 3 * (size_t)v, 3));
    return largest / w->h;
}

static void problem_metric(void* self, const double* g, double* z) {
    pli_world* w = self;
    for (int i = 0; i < w->kinematics.unknown_count; ++i)
        z[i] = g[i] / (w->inertia * w->mass_diagonal[i]);
}

static const pli_problem_ops problem_ops = {.update = problem_update,
                                            .value = problem_value,
                                            .derivatives = problem_derivatives,
                                            .matrix = problem_matrix,
                                            .segment = problem_segment,
                                            .speed = problem_speed,
                                            .metric = problem_metric};

// ---- the loops around it

// Adds what one minimization reports to the step's report.
static void add_info(pli_step_info* info, const pli_minimize_info* part) {
    info->reason = part->reason;
    info->iterations += part->iterations;
    info->linear_iterations += part->linear_iterations;
    info->residual = part->residual;
    info->min_step = fmin(info->min_step, part->min_step);
    info->factor_nonzeros = part->factor_nonzeros;
}

// Minimizes at fixed friction; while pins are held back their pull is made stiffer. *iterations
// tells how much work it was.
static pli_status minimize(pli_world* w, double* q, pli_step_info* info, int* iterations,
                           pli_error* error) {
    pli_problem problem = {
        .ops = &problem_ops, .self = w, .unknown_count = w->kinematics.unknown_count};
    *iterations = 0;
    for (int i = 0; i < MAX_STIFFENINGS; ++i) {
        pli_minimize_info part;
        PLI_TRY(pli_minimizer_run(w->minimizer, &problem, q, &part, error));
        add_info(info, &part);
        *iterations += part.iterations;
        if (part.reason != PLI_CONVERGED) return PLI_OK;
        pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
        info->blocked = pli_pins_arrive(&w->pins, w->x, w->arrival);
        if (info->blocked == 0) return PLI_OK;
        if (!pli_pins_stiffen(&w->pins, w->x, w->arrival)) break;
    }
    info->reason = PLI_BLOCKED;
    return PLI_OK;
}

static pli_status begin(pli_world* w, double h, pli_error* error) {
    pli_history history = {.n = w->kinematics.unknown_count, .q = w->q_n, .v = w->v_n};
    w->h = h;
    w->inertia = 1 / (w->scheme->c * h * h);
    w->arrival = ARRIVAL * w->def.solver.tolerance * h;
    w->scheme->predict(&history, h, w->q_hat);
    memset(w->frozen, 0, (size_t)w->kinematics.group_count);
    pli_kinematics_positions(&w->kinematics, w->pool, w->q_n, w->x);
    memcpy(w->x_n, w->x, 3 * sizeof(double) * (size_t)w->vertex_count);
    pli_step step = {.h = h,
                     .time = w->state.time + h,
                     .inertia = w->inertia,
                     .velocity_rate = w->scheme->velocity_rate(h),
                     .x_n = w->x_n};
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->begin_step) PLI_TRY(term->ops->begin_step(term->self, &step, error));
    }
    double alpha = 1;
    return pli_world_refresh(w, NULL, &alpha, error);
}

static pli_status lag(pli_world* w, const double* q, pli_error* error) {
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_view view = view_of(w);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->lag) PLI_TRY(term->ops->lag(term->self, &view, error));
    }
    return pli_assembly_update(&w->assembly, error);
}

// One step of size h from the present state. On convergence, or if `accept`, the state moves on;
// otherwise it stays.
static pli_status advance(pli_world* w, double h, bool accept, pli_step_info* info,
                          pli_error* error) {
    memcpy(w->q_n, w->state.q, unknown_bytes(w));
    memcpy(w->v_n, w->state.v, unknown_bytes(w));
    PLI_TRY(begin(w, h, error));
    info->reason = PLI_CONVERGED;
    for (int pass = 0; pass < w->def.contact.friction_iterations; ++pass) {
        int iterations;
        PLI_TRY(lag(w, w->state.q, error));
        PLI_TRY(minimize(w, w->state.q, info, &iterations, error));
        info->lag_passes++;
        // One direction below the tolerance right after lagging: nothing changed any more.
        if (info->reason != PLI_CONVERGED || iterations == 1) break;
    }
    info->kept = info->reason == PLI_CONVERGED || (accept && info->reason != PLI_OUT_OF_DOMAIN);
    if (!info->kept) {
        memcpy(w->state.q, w->q_n, unknown_bytes(w));
        return PLI_OK;
    }
    pli_history history = {.n = w->kinematics.unknown_count, .q = w->q_n, .v = w->v_n};
    w->scheme->velocity(&history, h, w->state.q, w->state.v);
    // M a is what inertia contributes to the gradient: a = W (q - q_hat) / (c h^2).
    pli_sub(w->state.q, w->q_hat, w->scratch, history.n);
    pli_kinematics_directions(&w->kinematics, w->pool, w->scratch, w->accelerations);
    for (int i = 0; i < 3 * w->vertex_count; ++i) w->accelerations[i] *= w->inertia;
    w->state.time += h;
    info->time_step = fmin(info->time_step, h);
    info->substeps++;
    return PLI_OK;
}

// Advances by h; if that fails and halving is allowed, by two halves.
static pli_status advance_or_divide(pli_world* w, double h, int halvings, pli_step_info* info,
                                    pli_error* error) {
    bool accept = strcmp(w->def.solver.on_failure, "accept") == 0;
    PLI_TRY(advance(w, h, accept, info, error));
    if (info->kept || halvings == 0) return PLI_OK;
    for (int half = 0; half < 2; ++half) {
        PLI_TRY(advance_or_divide(w, 0.5 * h, halvings - 1, info, error));
        if (!info->kept) return PLI_OK;
    }
    return PLI_OK;
}

static void count_contacts(const pli_world* w, pli_step_info* info) {
    info->min_distance = HUGE_VAL;
    for (int t = 0; t < w->term_count; ++t) {
        if (!w->terms[t].barrier) continue;
        int count;
        double distance;
        pli_barrier_contacts(&w->terms[t].term, w->positions, &count, &distance);
        info->contact_count += count;
        info->min_distance = fmin(info->min_distance, distance);
    }
}

pli_status pli_world_step(pli_world* world, pli_step_info* info, pli_error* error) {
    pli_step_info local;
    if (!info) info = &local;
    PLI_TRY(pli_world_prepare(world, error));
    pli_world* w = world;
    double start = pli_now();
    w->seconds = (pli_phase_times){0};
    *info = (pli_step_info){
        .min_step = 1, .time_step = w->def.time_step, .unknown_count = w->kinematics.unknown_count};
    bool divide = strcmp(w->def.solver.on_failure, "substep") == 0;
    // A divided step is undone as a whole if one of its parts fails.
    memcpy(w->q_start, w->state.q, unknown_bytes(w));
    memcpy(w->v_start, w->state.v, unknown_bytes(w));
    double time = w->state.time;
    pli_status status = advance_or_divide(w, w->def.time_step,
                                          divide ? w->def.solver.max_substeps : 0, info, error);
    if (status != PLI_OK || !info->kept) {
        memcpy(w->state.q, w->q_start, unknown_bytes(w));
        memcpy(w->state.v, w->v_start, unknown_bytes(w));
        w->state.time = time;
        if (status != PLI_OK) return status;
        double alpha = 1; // contact pairs of the state that was left are of no use here
        pli_kinematics_positions(&w->kinematics, w->pool, w->state.q, w->x);
        PLI_TRY(pli_world_refresh(w, NULL, &alpha, error));
    } else {
        w->state.step++;
        w->state.time = time + w->def.time_step;
    }
    pli_world_publish(w);
    count_contacts(w, info);
    info->step = w->state.step + !info->kept;
    info->time = w->state.time;
    info->remedy = pli_reason_remedy(info->reason);
    w->seconds.total = pli_now() - start;
    info->seconds = w->seconds;
    return PLI_OK;
}

// ---- what readers see

// Force of the support on a vertex: what the other forces and inertia leave over, along the
// directions in which the vertex is held.
static void find_reactions(pli_world* w) {
    int dim = w->def.dimension;
    pli_assembly_evaluate(&w->assembly, w->positions, false, false);
    pli_assembly_gradient(&w->assembly, w->gx, NULL);
    for (int v = 0; v < w->vertex_count; ++v) {
        const pli_support* support = &w->supports[v];
        double* r = w->reactions + 3 * (size_t)v;
        const double *gx = w->gx + 3 * (size_t)v, *x = w->positions + 3 * (size_t)v;
        const double* acceleration = w->accelerations + 3 * (size_t)v;
        if (support->kind == PLI_SUPPORT_NONE) continue;
        for (int c = 0; c < dim; ++c) r[c] = gx[c] + w->masses[v] * acceleration[c];
        if (support->kind == PLI_SUPPORT_AXES)
            for (int c = 0; c < dim; ++c) r[c] = support->axes[c] ? r[c] : 0;
        if (support->kind == PLI_SUPPORT_INCLINED) {
            double along = pli_dot(r, support->normal, dim);
            for (int c = 0; c < dim; ++c) r[c] = along * support->normal[c];
        }
        if (support->kind == PLI_SUPPORT_PRESCRIBED) { // the pull itself is the reaction
            const pli_pin* pin = &w->pins.pins[support->pin];
            double k = w->pins.motions[pin->motion].stiffness * pin->mass * w->pins.inertia;
            for (int c = 0; c < dim; ++c) r[c] -= k * (x[c] - pin->target[c]);
        }
    }
}

void pli_world_publish(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    pli_kinematics_positions(k, w->pool, w->state.q, w->positions);
    pli_kinematics_directions(k, w->pool, w->state.v, w->velocities);
    pli_mass_multiply(k, w->state.v, w->force);
    w->kinetic = 0.5 * pli_dot(w->state.v, w->force, k->unknown_count);
    pli_assembly_values(&w->assembly, w->positions, w->energy_values);
    if (w->supported_count > 0) find_reactions(w);
}
