// One time step. pli_world_advance is the algorithm; its parts are here, in lag.c (the loop),
// explicit.c (explicit schemes) and contact.c. Policies for failed steps are in policy.c.
#include "dynamics/step.h"

#include "base/base.h"
#include "math/vec.h"

// A constraint has arrived when it misses its target by less than this fraction of tolerance * h;
// the error of its velocity is then well below the tolerance.
static const double ARRIVAL = 0.1;

static void finish(pli_world* w, pli_step_info* info);
static void judge(pli_world* w, pli_permitted permitted, int iterations, pli_step_info* info);
static pli_status commit(pli_world* w, pli_step_info* info, pli_error* error);

pli_status pli_world_advance(pli_world* w, double h, pli_permitted permitted, pli_step_info* info,
                             pli_error* error) {
    int before = info->iterations;
    info->reason = PLI_CONVERGED;
    info->time_step = fmin(info->time_step, h); // also on failure
    PLI_TRY(pli_pool_check(w->pool, error));
    PLI_TRY(pli_world_begin(w, h, error)); // q_hat, targets, pairs at x_n
    if (w->scheme->step) {
        PLI_TRY(pli_world_advance_explicit(w, info, error));
    } else {
        pli_lag_loop loop;
        PLI_TRY(pli_lag_begin(w, &loop, info, error)); // stages of constraints
        for (int pass = 0; loop.more; ++pass) {
            PLI_TRY(pli_lag_freeze(w, &loop, pass, error));      // friction and loads at q
            PLI_TRY(pli_lag_predict(w, pass, error));            // start from predicted positions
            PLI_TRY(pli_lag_minimize(w, &loop, info, error));    // q = argmin E
            PLI_TRY(pli_lag_judge(w, &loop, pass, info, error)); // did freezing change anything?
        }
        if (info->reason == PLI_BLOCKED) PLI_TRY(pli_lag_retreat(w, info, error));
        finish(w, info); // v and a of the scheme
    }
    judge(w, permitted, info->iterations - before, info);
    return info->kept ? commit(w, info, error) : PLI_OK;
}

// ---- the start of a step

// Passes the present step to the pulls of constraints, or to all other terms.
static pli_status begin_terms(pli_world* w, bool pulls, pli_error* error) {
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->begin_step && (term->ops->role == PLI_PULL) == pulls)
            PLI_TRY(term->ops->begin_step(term->self, &w->present, error));
    }
    return PLI_OK;
}

void pli_world_aim_constraints(pli_world* w) {
    pli_drive drive = pli_world_drive(w);
    if (w->scheme->keeps_jumps) pli_constraints_aim(&w->constraints, &drive, &w->aim);
}

pli_status pli_world_begin(pli_world* w, double h, pli_error* error) {
    const pli_history* at = &w->history;
    w->h = h;
    w->arrival = ARRIVAL * w->tolerance * h;
    w->rounded = false;
    pli_copy(at->q[0], w->q, at->n);
    pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
    pli_copy(w->x, w->x_n, 3 * w->kinematics.vertex_count);
    if (w->scheme->aim) w->scheme->aim(at, h, &w->scheme_def, &w->aim);
    w->present = (pli_step){.h = h,
                            .time = w->time + h,
                            .share = w->scheme->middle ? 0.5 : 1,
                            .force_time = w->time + (w->scheme->mean ? 0.5 : 1) * h,
                            .inertia = w->aim.inertia > 0 ? w->aim.inertia : 1 / (h * h),
                            .velocity_rate = w->aim.rate,
                            .x_n = w->x_n,
                            .x_still = w->x_still};
    PLI_TRY(begin_terms(w, true, error));
    pli_world_aim_constraints(w);
    for (int i = 0; i < at->n; ++i)
        w->scratch[i] = w->scheme->aim ? w->aim.q_hat[i] - w->aim.v_base[i] / w->aim.rate : w->q[i];
    pli_kinematics_positions(&w->kinematics, w->pool, w->scratch, w->x_still);
    PLI_TRY(begin_terms(w, false, error));
    pli_measures_begin(w);
    double alpha = 1;
    return pli_world_refresh(w, NULL, &alpha, error);
}

// ---- end of a step

// M a is the contribution of inertia to the gradient: a = inertia (q - q_hat).
static void finish(pli_world* w, pli_step_info* info) {
    const pli_history* at = &w->history;
    pli_drive drive = pli_world_drive(w);
    info->blocked = pli_constraints_behind(&w->constraints);
    if (info->reason == PLI_CONVERGED && info->blocked > 0) info->reason = PLI_BLOCKED;
    for (int i = 0; i < at->n; ++i) {
        double moved = w->q[i] - w->aim.q_hat[i];
        w->v[i] = w->aim.v_base[i] + w->aim.rate * moved;
        w->a[i] = w->aim.inertia * moved;
    }
    if (w->scheme->finish) w->scheme->finish(at, w->q, w->v);
    if (w->scheme->keeps_jumps) pli_constraints_finish(&w->constraints, &drive, w->q, w->v, w->a);
    if (w->scheme->keeps_jumps) pli_world_rest_massless(w);
    if (w->scheme->keeps_jumps) pli_joints_project(w, w->present.time, false, w->v);
}

// Did the minimizer take any step? If not, there is nothing to accept: all momentum would be lost.
static bool has_moved(const pli_world* w) {
    for (int i = 0; i < w->history.n; ++i)
        if (w->q[i] != w->history.q[0][i]) return true;
    return false;
}

// Decides whether the end is accepted. `iterations`: of this step, for the step size control.
static void judge(pli_world* w, pli_permitted permitted, int iterations, pli_step_info* info) {
    bool certified = info->reason != PLI_OUT_OF_DOMAIN && info->reason != PLI_DIVERGED;
    info->kept = info->reason == PLI_CONVERGED ||
                 (permitted.blocked && info->reason == PLI_BLOCKED) ||
                 (permitted.failure && certified && has_moved(w));
    info->no_progress = !info->kept && permitted.failure && certified;
    if (info->reason == PLI_CONVERGED && w->rounded) info->reason = PLI_ROUNDING;
    if (info->kept && info->reason != PLI_BLOCKED && pli_control_on(w))
        info->kept = pli_control_judge(w, w->h, iterations);
}

// Accelerations of vertices. In explicit steps only the constraints know theirs.
static void find_accelerations(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    if (w->scheme->step) pli_constraints_accelerate(&w->constraints, k, w->a);
    pli_kinematics_directions(k, w->pool, w->a, w->accelerations);
    if (w->scheme->step) pli_constraints_clear(&w->constraints, k, w->a);
}

// The end becomes the newest state.
static pli_status commit(pli_world* w, pli_step_info* info, pli_error* error) {
    pli_solved_note(w);
    pli_balance balance = pli_world_account(w);
    pli_world_commit(w, &balance);
    if (w->scheme->aim && w->scheme->accelerates)
        PLI_TRY(pli_world_end_contact(w, &balance, error));
    else
        find_accelerations(w);
    if (w->scheme->accelerates) pli_joints_project(w, w->present.time, true, w->a);
    pli_balance_add(&info->balance, &balance);
    pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x_n);
    pli_measures_end(w);
    pli_constraints_arrive(&w->constraints, w->x_n, w->arrival);
    pli_constraints_commit(&w->constraints, w->h, w->x_n);
    w->time += w->h;
    pli_history_push(&w->history, w->time, w->q, w->v);
    pli_copy(w->a, w->history.a, w->history.n);
    info->substeps++;
    return PLI_OK;
}

// ---- pli_world_step

pli_status pli_world_refresh_start(pli_world* w, pli_error* error) {
    double alpha = 1;
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->x);
    return pli_world_refresh(w, NULL, &alpha, error);
}

// Accelerations of the newest state, if the scheme starts from them; sets the contact stiffness of
// the step. Reserves space for the contacts at the end of an accepted step.
static pli_status attempt(pli_world* w, pli_step_info* info, pli_error* error) {
    w->solved.known = false;
    PLI_TRY(pli_joints_follow(w, error));
    if (w->scheme->accelerates && !w->acceleration_known) {
        PLI_TRY(pli_world_refresh_start(w, error));
        PLI_TRY(pli_world_find_acceleration(w, error));
    }
    pli_collision_forget_friction(&w->collision);
    PLI_TRY(pli_world_end_exemptions(w, error));
    pli_world_adapt_stiffness(w, &info->balance);
    pli_world_adapt_rigidity(w, &info->balance);
    PLI_TRY(pli_world_advance_by_policy(w, info, error));
    return info->kept ? pli_world_find_contacts(w, error) : PLI_OK;
}

static void publish(pli_world* w, pli_step_info* info) {
    pli_world_keep_full_step(w);
    w->step++;
    if (!pli_control_on(w)) w->time = w->history.time[0] = w->undo.time + w->model.def.time_step;
    pli_world_publish(w);
    pli_joints_break(w, &info->balance);
    pli_balance_add(&info->balance, &w->pending);
    w->pending = (pli_balance){0};
    pli_balance_add(&w->balance, &info->balance);
}

// Restores the start of the step; the published data are still valid.
static pli_status undo(pli_world* w, pli_step_info* info, pli_error* error) {
    info->balance = (pli_balance){0};
    PLI_TRY(pli_undo_go_back(w, error));
    return pli_world_refresh_start(w, error);
}

// The step was interrupted: also restores what can only change the last bits.
static pli_status undo_interrupted(pli_world* w, pli_step_info* info, pli_error* error) {
    info->reason = PLI_INTERRUPTED;
    info->kept = false;
    info->balance = (pli_balance){0};
    PLI_TRY(pli_undo_go_back(w, error));
    return pli_undo_solver(w, error);
}

static void count_contacts(const pli_world* w, pli_step_info* info) {
    info->contact_count = w->collision.contacts.count;
    info->min_distance = HUGE_VAL;
    for (int i = 0; i < w->collision.contacts.pair_count; ++i)
        info->min_distance = fmin(info->min_distance, w->collision.contacts.pairs[i].min_distance);
}

static pli_situation situation_of(pli_world* w) {
    pli_problem problem = pli_world_problem(w);
    if (w->scheme->statics) return PLI_BY_STATICS;
    if (!pli_minimizer_by_speed(w->minimizer, &problem)) return PLI_BY_FORCE;
    return PLI_BY_SPEED;
}

// If forces are not finite, the usual remedies do not help.
static const char* remedy_of(pli_world* w, const pli_step_info* info) {
    bool failed = info->reason == PLI_LINE_SEARCH_STALLED || info->reason == PLI_ITERATION_CAP ||
                  info->reason == PLI_INDEFINITE;
    if (failed && !isfinite(info->residual))
        return "forces are not finite: a load, stiffness, mass or velocity is far too "
               "large";
    return pli_reason_remedy(info->reason, situation_of(w));
}

static void report(pli_world* w, double start, pli_step_info* info) {
    count_contacts(w, info);
    if (info->kept) pli_collision_note_gap(&w->collision, info->min_distance);
    info->step = w->step + !info->kept;
    info->time = w->time;
    info->worst_vertex = w->worst_vertex;
    info->remedy = remedy_of(w, info);
    w->seconds.total = pli_now() - start;
    info->seconds = w->seconds;
}

static pli_status step(pli_world* w, pli_step_info* info, pli_error* error) {
    PLI_TRY(pli_world_make_ready(w, error));
    if (w->step == INT32_MAX)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "step count = %d, the maximum: no further step is possible", w->step);
    double start = pli_now();
    w->seconds = (pli_phase_times){0};
    w->worst_vertex = -1;
    *info = (pli_step_info){.min_step = 1,
                            .time_step = w->model.def.time_step,
                            .unknown_count = w->kinematics.unknown_count};
    PLI_TRY(pli_undo_keep(w, error));
    pli_pool_listen(w->pool, w->cancel, w->cancel_context);
    pli_status status = attempt(w, info, error);
    pli_pool_listen(w->pool, NULL, NULL);
    bool interrupted = status == PLI_E_CANCELLED;
    if (status != PLI_OK && !interrupted) {
        (void)undo(w, info, NULL); // without pairs, the next step searches for them
        return status;
    }
    if (interrupted)
        PLI_TRY(undo_interrupted(w, info, error));
    else if (info->kept)
        publish(w, info);
    else
        PLI_TRY(undo(w, info, error));
    report(w, start, info);
    return PLI_OK;
}

pli_status pli_world_step(pli_world* world, pli_step_info* info, pli_error* error) {
    pli_step_info local;
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = pli_world_leave(world, step(world, &local, error));
    if (status == PLI_OK && info) *info = local;
    return status;
}

bool pli_cancel_if_set(void* context) {
    const volatile char* flag = context;
    return flag && *flag != 0;
}

pli_status pli_world_set_cancel(pli_world* world, pli_cancel_fn* cancel, void* context,
                                pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    world->cancel = cancel;
    world->cancel_context = context;
    return pli_world_leave(world, PLI_OK);
}
