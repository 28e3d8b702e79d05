// The loop of an implicit step: lagged quantities (friction forces, the boundary terms of a
// pressure) are frozen, E is minimized, and this repeats as often as requested. Around it, what
// constraints need: stages along curved paths, a stiffer pull until they arrive, and reachable
// targets where they are blocked.
#include "dynamics/step.h"

#include "math/vec.h"

#include <string.h>

enum { MAX_STIFFENINGS = 40, MAX_RETREATS = 4, MAX_LOAD_PASSES = 200, MAX_FRICTION_PASSES = 100 };

// ---- one pass

// `loads`: loads only.
static pli_status freeze(pli_world* w, bool loads, pli_error* error) {
    pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
    pli_view view = pli_world_view(w);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->lag && (!loads || term->ops->role == PLI_LOAD))
            PLI_TRY(term->ops->lag(term->self, &view, error));
    }
    return pli_assembly_update(&w->assembly, error);
}

pli_status pli_lag_freeze(pli_world* w, const pli_lag_loop* loop, int pass, pli_error* error) {
    return freeze(w, pass >= loop->friction, error);
}

// From the last values: pairs that are only close have none.
static bool touches(const pli_world* w) {
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].contact && w->term_values[t] != 0) return true;
    return false;
}

// Without contact, the minimization starts from the state that constant accelerations predict,
// q_hat + a / inertia, if the segment to it is certified and E is lower there. This saves one
// direction if motion is smooth. Contact forces are not constant.
pli_status pli_lag_predict(pli_world* w, int pass, pli_error* error) {
    const pli_history* at = &w->history;
    double *p = w->v, *ahead = w->a, alpha = 1, e, e_ahead,
           size; // work space: both are set at the end
    bool useful = pass == 0 && w->aim.inertia > 0 && !w->scheme->averages;
    if (!useful || w->collision.contacts.count > 0) return PLI_OK;
    for (int i = 0; i < at->n; ++i) ahead[i] = w->aim.q_hat[i] + at->a[i] / w->aim.inertia;
    if (!pli_constraints_predict(&w->constraints, &w->kinematics, ahead)) return PLI_OK;
    pli_sub(ahead, w->q, p, at->n);
    pli_problem problem = pli_world_problem(w);
    PLI_TRY(problem.ops->segment(problem.self, w->q, p, &alpha, error));
    if (alpha < 1) return PLI_OK;
    PLI_TRY(problem.ops->value(problem.self, w->q, &e, &size, error));
    PLI_TRY(problem.ops->value(problem.self, ahead, &e_ahead, &size, error));
    if (e_ahead < e && !touches(w)) pli_copy(ahead, w->q, at->n);
    return PLI_OK;
}

// Adds the info of one minimization to that of the step. One that reached rounding cannot be
// improved: the step continues as if it had converged and reports it at the end.
static void add_info(pli_world* w, pli_step_info* info, pli_minimize_info* part) {
    w->rounded = w->rounded || part->reason == PLI_ROUNDING;
    if (part->reason == PLI_ROUNDING) part->reason = PLI_CONVERGED;
    info->reason = part->reason;
    info->iterations += part->iterations;
    info->linear_iterations += part->linear_iterations;
    info->residual = part->residual;
    info->unbalanced = part->unbalanced;
    info->min_step = fmin(info->min_step, part->min_step);
    info->factor_nonzeros = part->factor_nonzeros;
    info->symbolic_count += part->symbolic_count;
}

static pli_status run_minimizer(pli_world* w, pli_minimize_info* part, pli_error* error) {
    pli_problem problem = pli_world_problem(w);
    w->unarrived_steps = 0;
    w->averaging.on = w->scheme->averages;
    pli_islands_begin(w);
    pli_status status = pli_minimizer_run(w->minimizer, &problem, w->q, part, error);
    pli_islands_begin(w);
    w->averaging.on = false;
    return status;
}

// *iterations: the work done.
static pli_status minimize(pli_world* w, pli_step_info* info, int* iterations, pli_error* error) {
    if (w->kinematics.group_count > 0) memset(w->frozen, 0, (size_t)w->kinematics.group_count);
    *iterations = w->short_steps = 0;
    for (int i = 0; i < MAX_STIFFENINGS; ++i) {
        pli_minimize_info part;
        PLI_TRY(run_minimizer(w, &part, error));
        add_info(w, info, &part);
        *iterations += part.iterations;
        bool failed = part.reason != PLI_CONVERGED && part.reason != PLI_BLOCKED &&
                      part.reason != PLI_LINE_SEARCH_STALLED && part.reason != PLI_UNBALANCED;
        if (failed) return PLI_OK;
        pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
        info->blocked = pli_constraints_arrive(&w->constraints, w->x, w->arrival);
        bool off = part.reason == PLI_CONVERGED && pli_measures_tighten(w);
        if (info->blocked == 0 && !off) return PLI_OK;
        if (off) continue;
        if (part.reason != PLI_CONVERGED) break; // the minimizer cannot pass the obstacle
        if (!pli_constraints_stiffen(&w->constraints, w->x, w->arrival)) break;
    }
    info->reason = PLI_BLOCKED;
    return PLI_OK;
}

pli_status pli_lag_minimize(pli_world* w, pli_lag_loop* loop, pli_step_info* info,
                            pli_error* error) {
    return minimize(w, info, &loop->iterations, error);
}

// ---- the loop

static bool has_lagged_load(const pli_world* w) {
    for (int t = 0; t < w->term_count; ++t)
        if (w->plain_terms[t].ops->role == PLI_LOAD && w->plain_terms[t].ops->lag) return true;
    return false;
}

// Maximum number of friction updates: one if there is no friction.
static int friction_passes(const pli_world* w) {
    int asked = w->model.def.contact.friction_iterations;
    if (!w->collision.has_friction) return 1;
    return asked > 0 ? asked : MAX_FRICTION_PASSES;
}

// Sets the targets of the end of the step; the fraction `from` of it is done.
static pli_status retarget_end(pli_world* w, double from, pli_error* error) {
    PLI_TRY(pli_constraints_retarget(&w->constraints, &w->present, from, 1, error));
    pli_constraints_jump(&w->constraints, &w->kinematics, w->q);
    pli_world_aim_constraints(w);
    return PLI_OK;
}

// All stages but the last. *arrived is false if constraints did not reach the last stage.
static pli_status follow_path(pli_world* w, pli_step_info* info, bool* arrived, pli_error* error) {
    int stages = pli_constraints_stages(&w->constraints, &w->present), iterations;
    *arrived = true;
    for (int i = 1; i < stages && *arrived; ++i) {
        double from = (double)(i - 1) / stages, to = (double)i / stages;
        PLI_TRY(pli_constraints_retarget(&w->constraints, &w->present, from, to, error));
        pli_constraints_jump(&w->constraints, &w->kinematics, w->q);
        PLI_TRY(freeze(w, false, error));
        PLI_TRY(minimize(w, info, &iterations, error));
        *arrived = info->reason == PLI_CONVERGED;
    }
    return *arrived ? retarget_end(w, (double)(stages - 1) / stages, error) : PLI_OK;
}

pli_status pli_lag_begin(pli_world* w, pli_lag_loop* loop, pli_step_info* info, pli_error* error) {
    bool loads = has_lagged_load(w);
    int friction = friction_passes(w);
    *loop = (pli_lag_loop){.loads = loads,
                           .friction = friction,
                           .most = loads ? pli_max_int(friction, MAX_LOAD_PASSES) : friction};
    return follow_path(w, info, &loop->more, error);
}

// A body placed at dhat has contact, but no force yet from which friction could be lagged: the
// first step updates friction once more. If that does not converge, the previous pass is used.
static pli_status lag_again(pli_world* w, pli_step_info* info, pli_error* error) {
    int n = w->history.n, iterations;
    double alpha = 1;
    if (!pli_collision_friction_is_stale(&w->collision, w->x)) return PLI_OK;
    pli_copy(w->q, w->v, n); // its own value is computed at the end of the step
    PLI_TRY(freeze(w, false, error));
    PLI_TRY(minimize(w, info, &iterations, error));
    info->lag_passes++;
    if (info->reason == PLI_CONVERGED) return PLI_OK;
    info->reason = PLI_CONVERGED;
    pli_copy(w->v, w->q, n);
    pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
    pli_collision_forget_friction(&w->collision); // there was hardly any friction
    return pli_world_refresh(w, NULL, &alpha, error);
}

// One direction below the tolerance right after freezing: nothing changed any more.
pli_status pli_lag_judge(pli_world* w, pli_lag_loop* loop, int pass, pli_step_info* info,
                         pli_error* error) {
    bool last = pass + 1 == loop->most;
    bool changed = info->reason == PLI_CONVERGED && loop->iterations != 1;
    info->lag_passes++;
    loop->more = changed && !last;
    if (!changed) return PLI_OK;
    if (w->step == 0 && pass == 0 && loop->friction == 1) PLI_TRY(lag_again(w, info, error));
    if (loop->loads && last) info->reason = PLI_ITERATION_CAP;
    return PLI_OK;
}

// ---- blocked constraints

// Some vertices may be blocked more than others: the step is repeated from its start, with targets
// that the constraints can reach as a whole.
pli_status pli_lag_retreat(pli_world* w, pli_step_info* info, pli_error* error) {
    for (int left = MAX_RETREATS; left > 0 && info->reason != PLI_CONVERGED; --left) {
        double alpha = 1;
        int iterations;
        bool arrived;
        pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
        pli_constraints_retreat(&w->constraints, &w->present, w->x, left == 1);
        pli_copy(w->history.q[0], w->q, w->history.n);
        pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
        PLI_TRY(pli_world_refresh(w, NULL, &alpha, error));
        PLI_TRY(follow_path(w, info, &arrived, error));
        if (!arrived) continue;
        PLI_TRY(freeze(w, false, error));
        PLI_TRY(minimize(w, info, &iterations, error));
    }
    return PLI_OK;
}
