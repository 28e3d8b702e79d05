// One time step: prediction, the lag loop, prescribed motion, policies when it fails.
#include "dynamics/world.h"

#include "base/base.h"
#include "math/vec.h"

#include <string.h>

// A pin has arrived when it would miss its target by less than this fraction of tolerance * h; the
// error of its velocity is then well below the tolerance.
static const double ARRIVAL = 0.1;

// Of its way in a step: a pin that misses less of it where its last motion leads goes on steadily.
static const double STEADY = 0.1;

// The very first part of a run of high order begins with 2^-7 of itself; less would lose v to
// rounding.
enum {
    MAX_STIFFENINGS = 40,
    MAX_RETREATS = 4,
    START_HALVINGS = 7,
    MAX_LOAD_PASSES = 200,
    MAX_FRICTION_PASSES = 100
};

// Adds what one minimization reports to the step's report. One that reached rounding is as good as
// can be: the step goes on as if it had converged, and says so in the end.
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

// Minimizes at fixed friction; while pins are held back their pull is made stiffer. *iterations
// tells how much work it was.
static pli_status minimize(pli_world* w, double* q, pli_step_info* info, int* iterations,
                           pli_error* error) {
    pli_problem problem = pli_world_problem(w);
    if (w->kinematics.group_count > 0) memset(w->frozen, 0, (size_t)w->kinematics.group_count);
    *iterations = w->crawl = 0;
    for (int i = 0; i < MAX_STIFFENINGS; ++i) {
        pli_minimize_info part;
        w->on_the_way = 0;
        w->averaging.on = w->scheme->averages;
        pli_islands_begin(w);
        pli_status status = pli_minimizer_run(w->minimizer, &problem, q, &part, error);
        pli_islands_begin(w);
        w->averaging.on = false;
        PLI_TRY(status);
        add_info(w, info, &part);
        *iterations += part.iterations;
        bool failed = part.reason != PLI_CONVERGED && part.reason != PLI_BLOCKED &&
                      part.reason != PLI_LINE_SEARCH_STALLED && part.reason != PLI_UNBALANCED;
        if (failed) return PLI_OK;
        pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
        info->blocked = pli_pins_arrive(&w->pins, w->x, w->arrival);
        if (info->blocked == 0) return PLI_OK;
        if (part.reason != PLI_CONVERGED) break; // what is in the way is too much for the minimizer
        if (!pli_pins_stiffen(&w->pins, w->x, w->arrival)) break;
    }
    info->reason = PLI_BLOCKED;
    return PLI_OK;
}

static int unknown_of(const pli_world* w, const pli_pin* pin) {
    const pli_kinematics* k = &w->kinematics;
    return k->group_offset[k->vertices[pin->vertex].identity_group];
}

// Rates of pin i if it ends at `end`, and its acceleration `a` where the scheme balances forces.
static pli_pin_rates find_pin_rates(const pli_world* w, int i, const double* end, double* a) {
    const double* v_n = w->history.v[0] + unknown_of(w, &w->pins.pins[i]);
    pli_pin_rates rates;
    pli_pin_find_rates(&w->pins, i, w->h, end, v_n, &rates);
    for (int c = 0; c < w->kinematics.dim; ++c)
        a[c] = w->scheme->mean ? (rates.velocity[c] - v_n[c]) / w->h
                               : rates.acceleration[c] + rates.jump[c];
    return rates;
}

// Inertia of prescribed vertices, under a scheme whose own recursion of velocities has the
// eigenvalue -1 and would never forget a jump: what the scheme aims at for them is such that at
// their target their velocity and acceleration are differences of their places.
static void aim_pins(pli_world* w) {
    for (int i = 0; i < w->pins.count; ++i) {
        pli_pin* pin = &w->pins.pins[i];
        int at = unknown_of(w, pin);
        pli_pin_rates rates = find_pin_rates(w, i, pin->end, pin->aimed);
        const double* v = w->scheme->mean ? rates.mean : rates.velocity;
        for (int c = 0; c < w->kinematics.dim; ++c) {
            double moved = pin->aimed[c] / w->aim.inertia;
            w->aim.q_hat[at + c] = pin->target[c] - moved;
            w->aim.v_base[at + c] = v[c] - w->aim.rate * moved;
        }
    }
}

// Tells the pins, or all other terms, what the present step is.
static pli_status begin_terms(pli_world* w, bool pins, pli_error* error) {
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->begin_step && (term->ops->role == PLI_PULL) == pins)
            PLI_TRY(term->ops->begin_step(term->self, &w->present, error));
    }
    return PLI_OK;
}

// The targets of the end of the step; the part `from` of it is done.
static pli_status aim_at_end(pli_world* w, double from, pli_error* error) {
    PLI_TRY(pli_pins_aim(&w->pins, &w->present, from, 1, error));
    if (w->scheme->rings) aim_pins(w);
    return PLI_OK;
}

pli_status pli_world_begin(pli_world* w, double h, pli_error* error) {
    const pli_history* at = &w->history;
    w->h = h;
    w->arrival = ARRIVAL * w->tolerance * h;
    pli_copy(at->q[0], w->q, at->n);
    pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
    pli_copy(w->x, w->x_n, 3 * w->model.vertex_count);
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
    if (w->scheme->rings) aim_pins(w);
    for (int i = 0; i < at->n; ++i)
        w->scratch[i] = w->scheme->aim ? w->aim.q_hat[i] - w->aim.v_base[i] / w->aim.rate : w->q[i];
    pli_kinematics_positions(&w->kinematics, w->pool, w->scratch, w->x_still);
    PLI_TRY(begin_terms(w, false, error));
    double alpha = 1;
    return pli_world_refresh(w, NULL, &alpha, error);
}

// Freezes what terms lag at q: friction forces, the rim of a pressure. `loads`: of loads alone.
static pli_status lag(pli_world* w, const double* q, bool loads, pli_error* error) {
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_view view = pli_world_view(w);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->lag && (!loads || term->ops->role == PLI_LOAD))
            PLI_TRY(term->ops->lag(term->self, &view, error));
    }
    return pli_assembly_update(&w->assembly, error);
}

// What aim_pins aimed at, of where prescribed vertices came to.
static void set_pin_rates(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    for (int i = 0; i < w->pins.count; ++i) {
        int at = unknown_of(w, &w->pins.pins[i]);
        const double* end = pli_pin_place(&w->pins, i, w->q + at);
        pli_pin_rates rates = find_pin_rates(w, i, end, w->a + at);
        pli_copy(rates.velocity, w->v + at, k->dim);
    }
}

static bool has_lagged_load(const pli_world* w) {
    for (int t = 0; t < w->term_count; ++t)
        if (w->plain_terms[t].ops->role == PLI_LOAD && w->plain_terms[t].ops->lag) return true;
    return false;
}

// Prescribed vertices whose path bends much in this step follow it in stages; the last is left to
// do. *go_on is false if they did not come so far.
static pli_status follow_path(pli_world* w, pli_step_info* info, bool* go_on, pli_error* error) {
    int stages = pli_pins_stages(&w->pins, &w->present), iterations;
    *go_on = true;
    for (int i = 1; i < stages && *go_on; ++i) {
        double from = (double)(i - 1) / stages, part = (double)i / stages;
        PLI_TRY(pli_pins_aim(&w->pins, &w->present, from, part, error));
        PLI_TRY(lag(w, w->q, false, error));
        PLI_TRY(minimize(w, w->q, info, &iterations, error));
        *go_on = info->reason == PLI_CONVERGED;
    }
    return *go_on ? aim_at_end(w, (double)(stages - 1) / stages, error) : PLI_OK;
}

// Prescribed vertices were held back, some more than others: the step is made anew, and those of
// one motion go together, as far as the last of them came. What never deforms does not bend so.
static pli_status stay_behind(pli_world* w, pli_step_info* info, pli_error* error) {
    for (int left = MAX_RETREATS; left > 0 && info->reason != PLI_CONVERGED; --left) {
        double alpha = 1;
        int iterations;
        bool go_on;
        pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
        pli_pins_hold_back(&w->pins, &w->present, w->x, left == 1);
        pli_copy(w->history.q[0], w->q, w->history.n);
        pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
        PLI_TRY(pli_world_refresh(w, NULL, &alpha, error));
        PLI_TRY(follow_path(w, info, &go_on, error));
        if (!go_on) continue;
        PLI_TRY(lag(w, w->q, false, error));
        PLI_TRY(minimize(w, w->q, info, &iterations, error));
    }
    return PLI_OK;
}

// How often friction is lagged, at most: where there is none, once is enough.
static int friction_passes(const pli_world* w) {
    int asked = w->model.def.contact.friction_iterations;
    if (!w->collision.has_friction) return 1;
    return asked > 0 ? asked : MAX_FRICTION_PASSES;
}

// What is placed at dhat has contact, but no force yet that friction could be lagged from: in the
// first step it is lagged once more. If that does not converge, the pass before it counts.
static pli_status lag_again(pli_world* w, pli_step_info* info, pli_error* error) {
    int n = w->history.n, iterations;
    double alpha = 1;
    if (!pli_collision_friction_is_stale(&w->collision, w->x)) return PLI_OK;
    pli_copy(w->q, w->v, n); // whose own value is found at the end of the step
    PLI_TRY(lag(w, w->q, false, error));
    PLI_TRY(minimize(w, w->q, info, &iterations, error));
    info->lag_passes++;
    if (info->reason == PLI_CONVERGED) return PLI_OK;
    info->reason = PLI_CONVERGED;
    pli_copy(w->v, w->q, n);
    pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x);
    pli_collision_forget_friction(&w->collision); // there was hardly any friction
    return pli_world_refresh(w, NULL, &alpha, error);
}

// Puts pins to their targets in `ahead`. False: one goes elsewhere than it went so far, and its
// neighbours do not know yet.
static bool predict_pins(const pli_world* w, double* ahead) {
    for (int i = 0; i < w->pins.count; ++i) {
        const pli_pin* pin = &w->pins.pins[i];
        const bool* free = w->pins.motions[pin->motion].free;
        double* at = ahead + unknown_of(w, pin);
        for (int c = 0; c < w->kinematics.dim; ++c) {
            if (free[c]) continue;
            if (fabs(pin->target[c] - at[c]) > STEADY * pin->way) return false;
            at[c] = pin->target[c];
        }
    }
    return true;
}

// By the values of the last problem value: pairs that are only near have none.
static bool touches(const pli_world* w) {
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].contact && w->term_values[t] != 0) return true;
    return false;
}

// Where nothing touches, the minimization starts from where accelerations that stay what they were
// lead, q_hat + a / inertia, if the way there is free and E is lower there: one direction less
// where motion is smooth. Contact forces do not stay what they were.
static pli_status predict(pli_world* w, pli_error* error) {
    const pli_history* at = &w->history;
    double *p = w->v, *ahead = w->a, alpha = 1, e, e_ahead, size; // both are set at the end
    bool useful = w->aim.inertia > 0 && !w->scheme->averages;
    if (!useful || w->collision.contacts.count > 0) return PLI_OK;
    for (int i = 0; i < at->n; ++i) ahead[i] = w->aim.q_hat[i] + at->a[i] / w->aim.inertia;
    if (!predict_pins(w, ahead)) return PLI_OK;
    pli_sub(ahead, w->q, p, at->n);
    pli_problem problem = pli_world_problem(w);
    PLI_TRY(problem.ops->segment(problem.self, w->q, p, &alpha, error));
    if (alpha < 1) return PLI_OK;
    PLI_TRY(problem.ops->value(problem.self, w->q, &e, &size, error));
    PLI_TRY(problem.ops->value(problem.self, ahead, &e_ahead, &size, error));
    if (e_ahead < e && !touches(w)) pli_copy(ahead, w->q, at->n);
    return PLI_OK;
}

// Implicit: minimizes, lagging friction anew as often as asked, and loads until that changes
// nothing: what they lag is a matter of method, not of physics. q and v of the end of the step.
static pli_status advance_implicit(pli_world* w, pli_step_info* info, pli_error* error) {
    const pli_history* at = &w->history;
    bool loads = has_lagged_load(w);
    int asked = friction_passes(w);
    int passes = loads ? pli_max_int(asked, MAX_LOAD_PASSES) : asked;
    bool go_on;
    PLI_TRY(follow_path(w, info, &go_on, error));
    for (int pass = 0; pass < passes && go_on; ++pass) {
        int iterations;
        PLI_TRY(lag(w, w->q, pass >= asked, error));
        if (pass == 0) PLI_TRY(predict(w, error));
        PLI_TRY(minimize(w, w->q, info, &iterations, error));
        info->lag_passes++;
        // One direction below the tolerance right after lagging: nothing changed any more.
        if (info->reason != PLI_CONVERGED || iterations == 1) break;
        if (w->step == 0 && pass == 0 && asked == 1) PLI_TRY(lag_again(w, info, error));
        if (loads && pass + 1 == passes) info->reason = PLI_ITERATION_CAP;
    }
    if (info->reason == PLI_BLOCKED) PLI_TRY(stay_behind(w, info, error));
    info->blocked = pli_pins_behind(&w->pins);
    if (info->reason == PLI_CONVERGED && info->blocked > 0) info->reason = PLI_BLOCKED;
    // M a is what inertia contributes to the gradient: a = inertia (q - q_hat).
    for (int i = 0; i < at->n; ++i) {
        double moved = w->q[i] - w->aim.q_hat[i];
        w->v[i] = w->aim.v_base[i] + w->aim.rate * moved;
        w->a[i] = w->aim.inertia * moved;
    }
    if (w->scheme->finish) w->scheme->finish(at, w->q, w->v);
    if (w->scheme->rings) set_pin_rates(w);
    return PLI_OK;
}

// Did the minimizer take any step? If not there is nothing to accept: all momentum would be lost.
static bool moved(const pli_world* w) {
    for (int i = 0; i < w->history.n; ++i)
        if (w->q[i] != w->history.q[0][i]) return true;
    return false;
}

// What a step may end with, beside convergence, and be kept.
typedef struct pardon {
    bool failure; // "accept": any certified state
    bool blocked; // prescribed vertices that were held back
} pardon;

static pardon pardon_of(const pli_world* w, bool last) {
    return (pardon){.failure = last && strcmp(w->model.def.solver.on_failure, "accept") == 0,
                    .blocked = strcmp(w->model.def.solver.on_blocked, "go-on") == 0};
}

// One step of size h from the newest state. On convergence, or if it is pardoned, the result
// becomes the newest state; otherwise nothing changes.
static pli_status advance(pli_world* w, double h, pardon pardoned, pli_step_info* info,
                          pli_error* error) {
    int before = info->iterations;
    PLI_TRY(pli_pool_check(w->pool, error));
    PLI_TRY(pli_world_begin(w, h, error));
    info->reason = PLI_CONVERGED;
    info->time_step = fmin(info->time_step, h); // also if it fails
    w->rounded = false;
    if (w->scheme->step)
        PLI_TRY(pli_world_advance_explicit(w, info, error));
    else
        PLI_TRY(advance_implicit(w, info, error));
    bool certified = info->reason != PLI_OUT_OF_DOMAIN && info->reason != PLI_DIVERGED;
    info->kept = info->reason == PLI_CONVERGED ||
                 (pardoned.blocked && info->reason == PLI_BLOCKED) ||
                 (pardoned.failure && certified && moved(w));
    info->no_progress = !info->kept && pardoned.failure && certified;
    if (info->reason == PLI_CONVERGED && w->rounded) info->reason = PLI_ROUNDING;
    if (info->kept && info->reason != PLI_BLOCKED && pli_control_on(w))
        info->kept = pli_control_judge(w, h, info->iterations - before);
    if (!info->kept) return PLI_OK;
    pli_balance balance = pli_world_account(w);
    pli_world_commit(w, &balance);
    if (w->scheme->aim && w->scheme->accelerates)
        PLI_TRY(pli_world_end_contact(w, &balance, error));
    else
        pli_kinematics_directions(&w->kinematics, w->pool, w->a, w->accelerations);
    pli_balance_add(&info->balance, &balance);
    pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->x_n);
    pli_pins_arrive(&w->pins, w->x_n, w->arrival);
    pli_pins_commit(&w->pins, h, w->x_n);
    w->time += h;
    if (w->scheme->step) pli_pins_accelerate_vertices(&w->pins, w->accelerations);
    pli_history_push(&w->history, w->time, w->q, w->v);
    pli_copy(w->a, w->history.a, w->history.n);
    info->substeps++;
    return PLI_OK;
}

// Advances by h; if that fails and halving is allowed, by two halves.
static pli_status advance_or_divide(pli_world* w, double h, int halvings, pli_step_info* info,
                                    pli_error* error) {
    PLI_TRY(advance(w, h, pardon_of(w, halvings == 0), info, error));
    if (info->kept || halvings == 0) return PLI_OK;
    for (int half = 0; half < 2; ++half) {
        PLI_TRY(advance_or_divide(w, 0.5 * h, halvings - 1, info, error));
        if (!info->kept) return PLI_OK;
    }
    return PLI_OK;
}

// Advances by a step of the size that the control chooses; shorter ones until one is good enough.
static pli_status advance_controlled(pli_world* w, pli_step_info* info, pli_error* error) {
    for (;; info->rejected++) {
        double h = pli_control_size(w);
        bool shortest = h <= w->model.def.step_min;
        info->time_step = h;
        PLI_TRY(advance(w, h, pardon_of(w, shortest), info, error));
        if (info->kept || (info->reason != PLI_CONVERGED && !pli_control_shorten(w, h)))
            return PLI_OK;
    }
}

// The first steps of schemes of order k >= 3, which need k states. Each is made of 2^(k + 1) equal
// parts, and the very first part grows from a tiny one at order 2 (steps that
// double are not stable at higher orders), so that what low orders lose is far below what the steps
// after it lose. The states at full steps are kept beside, until there are enough of them.
static pli_status advance_first(pli_world* w, double h, int halvings, pli_step_info* info,
                                pli_error* error) {
    pli_history* at = &w->history;
    int parts = 1 << (at->depth + 1);
    double part = h / parts;
    info->kept = true;
    if (w->coarse.count == 0) {
        pli_history_restart(&w->coarse, w->time, at->q[0], at->v[0]);
        double tiny = part / (1 << START_HALVINGS);
        PLI_TRY(advance_or_divide(w, tiny, halvings, info, error));
        for (int i = 0; i < START_HALVINGS && info->kept; ++i) {
            at->count = pli_min_int(at->count, 2);
            PLI_TRY(advance_or_divide(w, tiny, halvings, info, error));
            tiny *= 2;
        }
        at->count = pli_min_int(at->count, 2);
    } else {
        PLI_TRY(advance_or_divide(w, part, halvings, info, error));
    }
    for (int i = 1; i < parts && info->kept; ++i)
        PLI_TRY(advance_or_divide(w, part, halvings, info, error));
    return PLI_OK;
}

// The end of such a step.
static void keep_coarse(pli_world* w) {
    pli_history* at = &w->history;
    pli_history_push(&w->coarse, w->time, at->q[0], at->v[0]);
    if (w->coarse.count < w->coarse.depth) return;
    pli_history fine = *at;
    *at = w->coarse;
    w->coarse = fine;
}

static void count_contacts(const pli_world* w, pli_step_info* info) {
    info->contact_count = w->collision.contacts.count;
    info->min_distance = HUGE_VAL;
    for (int i = 0; i < w->collision.contacts.pair_count; ++i)
        info->min_distance = fmin(info->min_distance, w->collision.contacts.pairs[i].min_distance);
}

pli_status pli_world_refresh_start(pli_world* w, pli_error* error) {
    double alpha = 1;
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->x);
    return pli_world_refresh(w, NULL, &alpha, error);
}

// As the control, the start of a scheme or the policy for failures want it. Leaves room for the
// contacts at the end of a step that is kept.
static pli_status attempt(pli_world* w, pli_step_info* info, pli_error* error) {
    if (w->scheme->accelerates && !w->acceleration_known) {
        PLI_TRY(pli_world_refresh_start(w, error));
        PLI_TRY(pli_world_find_acceleration(w, error));
    }
    pli_collision_forget_friction(&w->collision);
    PLI_TRY(pli_world_end_exemptions(w, error));
    pli_world_adapt_stiffness(w, &info->balance);
    double h = w->model.def.time_step;
    int halvings = strcmp(w->model.def.solver.on_failure, "substep") == 0
                       ? w->model.def.solver.max_substeps
                       : 0;
    if (w->history.count == 1) w->coarse.count = 0; // a start, or a start anew
    if (pli_control_on(w))
        PLI_TRY(advance_controlled(w, info, error));
    else if (pli_world_is_starting(w))
        PLI_TRY(advance_first(w, h, halvings, info, error));
    else
        PLI_TRY(advance_or_divide(w, h, halvings, info, error));
    return info->kept ? pli_world_find_contacts(w, error) : PLI_OK;
}

static void commit(pli_world* w, const pli_step_info* info) {
    if (pli_world_is_starting(w)) keep_coarse(w);
    w->step++;
    if (!pli_control_on(w)) w->time = w->history.time[0] = w->undo.time + w->model.def.time_step;
    pli_world_publish(w);
    pli_balance_add(&w->balance, &info->balance);
}

// What was published still holds.
static pli_status go_back(pli_world* w, pli_step_info* info, pli_error* error) {
    info->balance = (pli_balance){0};
    PLI_TRY(pli_undo_go_back(w, error));
    return pli_world_refresh_start(w, error);
}

// The step was interrupted: all is as before it, and so is what only changes the last bits.
static pli_status give_up(pli_world* w, pli_step_info* info, pli_error* error) {
    info->reason = PLI_INTERRUPTED;
    info->kept = false;
    info->balance = (pli_balance){0};
    PLI_TRY(pli_undo_go_back(w, error));
    return pli_undo_solver(w, error);
}

static pli_situation situation_of(pli_world* w) {
    pli_problem problem = pli_world_problem(w);
    if (w->scheme->statics) return PLI_BY_STATICS;
    if (!pli_minimizer_by_speed(w->minimizer, &problem)) return PLI_BY_FORCE;
    return PLI_BY_SPEED;
}

// Where forces are not finite none of the usual advice is true.
static const char* remedy_of(pli_world* w, const pli_step_info* info) {
    bool failed = info->reason == PLI_LINE_SEARCH_STALLED || info->reason == PLI_ITERATION_CAP ||
                  info->reason == PLI_INDEFINITE;
    if (failed && !isfinite(info->residual))
        return "forces are not finite numbers: a load, stiffness, mass or velocity is far too "
               "large";
    return pli_reason_remedy(info->reason, situation_of(w));
}

static pli_status step(pli_world* world, pli_step_info* info, pli_error* error) {
    PLI_TRY(pli_world_make_ready(world, error));
    pli_world* w = world;
    if (w->step == INT32_MAX)
        return pli_fail(error, PLI_E_ARGUMENT, "%d steps are done: numbers end here", w->step);
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
        (void)go_back(w, info, NULL); // if there are no pairs, the next step looks for them
        return status;
    }
    if (interrupted)
        PLI_TRY(give_up(w, info, error));
    else if (info->kept)
        commit(w, info);
    else
        PLI_TRY(go_back(w, info, error));
    count_contacts(w, info);
    if (info->kept) pli_collision_note_gap(&w->collision, info->min_distance);
    info->step = w->step + !info->kept;
    info->time = w->time;
    info->worst_vertex = w->worst_vertex;
    info->remedy = remedy_of(w, info);
    w->seconds.total = pli_now() - start;
    info->seconds = w->seconds;
    return PLI_OK;
}

pli_status pli_world_step(pli_world* world, pli_step_info* info, pli_error* error) {
    pli_step_info local;
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = pli_world_leave(world, step(world, &local, error));
    if (status == PLI_OK && info) *info = local;
    return status;
}

pli_status pli_world_set_cancel(pli_world* world, pli_cancel_fn* cancel, void* context,
                                pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    world->cancel = cancel;
    world->cancel_context = context;
    return pli_world_leave(world, PLI_OK);
}
