// The loop shared by all methods.
//
// Invariant: q is always a certified point, and (except with line search "none") E(q) never rises
// by more than rounding. The last direction is taken even if it is already below the tolerance, so
// a body slower than the tolerance still moves.
#include "minimize/minimize.h"

#include "base/base.h"
#include "math/vec.h"
#include "minimize/methods.h"
#include "minimize/search.h"
#include "sparse/reserve.h"

#include <math.h>
#include <string.h>

// A first full step usually reduces the residual to this fraction.
static const double FIRST_GAIN = 0.03;

// A step shorter than this fraction of the certified one is short: the matrix predicts E badly.
static const double SHORT = 0.1;

// Islands are scaled again in the next step if that gains at least this factor, or if this fraction
// of the unknowns takes a full step.
static const double LARGE_GAIN = 4, LARGE_PART = 0.5;

// Lower bound of the shift in statics with equations: a body that only equations hold leaves the
// matrix singular, and the Schur complement loses the digits of 1 / shift.
static const double EQUATION_SHIFT = 1e-9;

// Relative to the largest forces so far.
static const double VANISHED = 1e-6;

// Relative to solver.gradient_tolerance: the fraction of the stored energy that a static solution
// may still lose. The default 1e-4 allows 1e-6, an error of about 0.1 % in the energy norm.
static const double ENERGY_SHARE = 1e-2;

enum {
    MAX_FLAT = 100,       // steps in a row that lower neither E (beyond rounding) nor the residual
    MAX_UNBALANCED = 150, // steps below the speed tolerance with unbalanced forces, see judge
    MAX_SHORT_STEPS = 20, // short steps in a row before the matrix is corrected
    FLAT_ENOUGH = 3,      // steps without progress after which balanced static forces are accepted
    MAX_APPROACHES = 60,  // steps towards the equations
    MAX_CUTS = 40,        // halvings of such a step until E is finite
};

// pli_near_null.fill of the problem being minimized.
static int near_null(void* self, double* modes) {
    const pli_problem* problem = ((pli_minimizer*)self)->problem;
    return problem->ops->rigid ? problem->ops->rigid(problem->self, modes) : 0;
}

static pli_linear_def linear_def(pli_minimizer* m) {
    return (pli_linear_def){.preconditioner = m->def.preconditioner,
                            .max_iterations = m->def.max_linear_iterations,
                            .near_null = {.fill = near_null, .self = m},
                            .blas = m->def.blas};
}

pli_status pli_minimizer_create(pli_memory* memory, pli_pool* pool, const pli_solver_def* def,
                                int unknown_count, pli_phase_times* seconds, pli_minimizer** out,
                                pli_error* error) {
    pli_minimizer* m = NULL;
    pli_status status = PLI_ALLOC(memory, m, 1, error);
    if (status != PLI_OK) return status;
    m->memory = memory;
    m->pool = pool;
    m->def = *def;
    m->n = unknown_count;
    m->seconds = seconds;
    pli_woodbury_init(&m->woodbury, memory);
    pli_schur_init(&m->schur, memory);
    pli_augmented_init(&m->augmented, memory);
    m->method = pli_method_find(def->method);
    m->line_search = pli_line_search_find(def->line_search);
    PLI_ASSERT(m->method && m->line_search);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->g, m->n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->p, m->n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->trial, m->n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->trial_g, m->n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->last_p, m->n, error));
    if (m->method->newton) {
        pli_linear_def linear = linear_def(m);
        m->linear = pli_linear_find(def->linear);
        PLI_ASSERT(m->linear);
        PLI_TRY_CLEANUP(status, m->linear->create(memory, pool, &linear, &m->solver, error));
    }
    if (m->method->accepted) {
        PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->last_g, m->n, error));
        PLI_TRY_CLEANUP(status,
                        PLI_ALLOC(memory, m->history, 2 * PLI_LBFGS_MEMORY * (size_t)m->n, error));
    }
    *out = m;
    return PLI_OK;
cleanup:
    pli_minimizer_destroy(m);
    return status;
}

pli_status pli_minimizer_forget(pli_minimizer* m, pli_error* error) {
    if (!m->linear) return PLI_OK;
    pli_linear_def def = linear_def(m);
    void* fresh = NULL;
    PLI_TRY(m->linear->create(m->memory, m->pool, &def, &fresh, error));
    m->linear->destroy(m->solver);
    m->solver = fresh;
    m->analyzed_epoch = 0;
    return PLI_OK;
}

bool pli_minimizer_analyzed(const pli_minimizer* m) { return !m->linear || m->analyzed_epoch != 0; }

pli_status pli_minimizer_predict(pli_minimizer* m, const pli_problem* problem, size_t* bytes,
                                 pli_error* error) {
    PLI_ASSERT(m->linear);
    const pli_pattern* pattern;
    double* values;
    uint64_t epoch;
    problem->ops->matrix(problem->self, &pattern, &values, &epoch);
    pli_memory memory; // counts the memory of a second solver
    pli_memory_init(&memory, &m->memory->allocator);
    pli_linear_def def = linear_def(m);
    void* solver = NULL;
    size_t rest = 0;
    PLI_TRY(m->linear->create(&memory, m->pool, &def, &solver, error));
    m->problem = problem;
    pli_status status = m->linear->plan(solver, pattern, values, &rest, error);
    m->problem = NULL;
    *bytes = memory.bytes + rest > memory.peak ? memory.bytes + rest : memory.peak;
    m->linear->destroy(solver);
    return status;
}

void pli_minimizer_destroy(pli_minimizer* m) {
    if (!m) return;
    pli_memory* memory = m->memory;
    if (m->solver) m->linear->destroy(m->solver);
    pli_woodbury_free(&m->woodbury);
    pli_schur_free(&m->schur);
    pli_augmented_free(&m->augmented);
    PLI_FREE(memory, m->gaps, m->gap_capacity);
    PLI_FREE(memory, m->net, m->net_capacity);
    PLI_FREE(memory, m->g, m->n);
    PLI_FREE(memory, m->p, m->n);
    PLI_FREE(memory, m->trial, m->n);
    PLI_FREE(memory, m->trial_g, m->n);
    PLI_FREE(memory, m->last_p, m->n);
    PLI_FREE(memory, m->islands, m->island_capacity);
    PLI_FREE(memory, m->last_g, m->n);
    PLI_FREE(memory, m->history, 2 * PLI_LBFGS_MEMORY * (size_t)m->n);
    PLI_FREE(memory, m, 1);
}

bool pli_minimizer_multiplies(const pli_solver_def* def) {
    return !pli_method_find(def->method)->newton || pli_linear_find(def->linear)->multiplies;
}

bool pli_minimizer_keeps_equations(const pli_solver_def* def) {
    return pli_method_find(def->method)->newton && !pli_linear_find(def->linear)->iterative;
}

// Newton's direction is a correction, so its speed measures the distance to the minimum. Not in
// statics, where the matrix may be nearly singular, and not for other methods.
bool pli_minimizer_by_speed(const pli_minimizer* m, const pli_problem* problem) {
    return m->method->newton && !problem->by_force;
}

// ---- equations

// The gaps of the equations at q, followed by their rounding.
static pli_status find_gaps(pli_minimizer* m, const pli_problem* problem, const double* q,
                            pli_error* error) {
    if (!problem->equations) return PLI_OK;
    size_t count = (size_t)problem->equations->count;
    PLI_TRY(PLI_RESERVE(m->memory, m->gaps, m->gap_capacity, 2 * count, error));
    PLI_TRY(PLI_RESERVE(m->memory, m->net, m->net_capacity, (size_t)m->n, error));
    problem->ops->gaps(problem->self, q, m->gaps, m->gaps + count);
    return PLI_OK;
}

static bool is_met(const pli_minimizer* m, const pli_equations* e) {
    for (int i = 0; i < e->count; ++i)
        if (!e->dropped[i] && !(fabs(m->gaps[i]) <= m->gaps[e->count + i])) return false;
    return true;
}

// dE/dq = m->g and the forces of the equations that balance it best.
static pli_status net_force(pli_minimizer* m, const pli_problem* problem, const double** net,
                            pli_error* error) {
    bool known;
    PLI_TRY(pli_method_balance(m, problem, &known, error));
    *net = known ? m->net : m->g;
    if (!known) return PLI_OK;
    pli_copy(m->g, m->net, m->n);
    pli_equations_pull(problem->equations, 1, problem->equations->multipliers, m->net);
    return PLI_OK;
}

// Distance to the minimum: speed of the correction (Newton), or net force relative to the forces.
static pli_status find_residual(pli_minimizer* m, const pli_problem* problem, double load,
                                double* residual, pli_error* error) {
    const double* net;
    if (pli_minimizer_by_speed(m, problem)) {
        *residual = problem->ops->speed(problem->self, m->p);
        return PLI_OK;
    }
    PLI_TRY(net_force(m, problem, &net, error));
    *residual = pli_norm(net, m->n);
    if (load > 0) *residual /= load;
    return PLI_OK;
}

// Derivatives and direction at q; repeated with another matrix if that cannot be factorized.
static pli_status find_direction(pli_minimizer* m, const pli_problem* problem, const double* q,
                                 double* load, pli_reason* reason, pli_error* error) {
    const pli_method* method = m->method;
    PLI_TRY(find_gaps(m, problem, q, error));
    for (int i = 0; problem->equations && i < problem->equations->count && !m->closing; ++i)
        m->gaps[i] = 0;
    do {
        *reason = PLI_CONVERGED;
        pli_hessian_wish wish = pli_method_wish(m);
        PLI_TRY(problem->ops->derivatives(problem->self, q, method->newton ? &wish : NULL, m->g,
                                          load, error));
        PLI_TRY(method->direction(m, problem, reason, error));
    } while (*reason == PLI_INDEFINITE && method->project && pli_adapt_refused(&m->adapt));
    return PLI_OK;
}

// A net force that rounding of positions could cause counts as 0: a body at rest without loads has
// no forces for comparison. The largest entries count: a norm would hide a small load at one vertex
// behind the rounding of all. Tested where this can occur: at the start, where E no longer falls,
// and where the forces have nearly vanished. At the start a small load across a thin shell, which
// rounding along it exceeds, may move it by far more than rounding: the energy to be gained tells.
static pli_status only_rounding(pli_minimizer* m, const pli_problem* problem, pli_iterate* at,
                                double load, bool* none, pli_error* error) {
    bool first = at->load == 0;
    at->load = fmax(at->load, load);
    *none = false;
    if (pli_minimizer_by_speed(m, problem) ||
        !(first || at->flat > 0 || load < VANISHED * at->load))
        return PLI_OK;
    pli_rounding rounding = {0};
    const double* force;
    PLI_TRY(net_force(m, problem, &force, error));
    double net = pli_largest(force, m->n);
    double gain = -0.5 * pli_dot(m->g, m->p, m->n);
    PLI_TRY(problem->ops->rounding(problem->self, at->q, &rounding, error));
    *none = net <= rounding.force && !(first && m->method->newton && gain > rounding.energy);
    return PLI_OK;
}

// The step found along m->p is short. The matrix is corrected with E at the point where it began to
// rise, which gives other descent directions. Returns the best of all steps in *step and its
// direction in m->p, with its segment certified.
static pli_status correct(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                          double* certified, pli_found_step* step, int* directions,
                          pli_error* error) {
    const pli_problem_ops* ops = problem->ops;
    pli_hessian_wish wish = {.project = m->method->project && m->adapt.project, .keep = 1};
    pli_found_step now = *step;
    bool last = true; // the best is that of the last direction
    m->exact = true;
    pli_copy(m->p, m->last_p, m->n);
    for (int round = 0; round < PLI_MAX_CORRECTIONS; ++round) {
        pli_reason reason = PLI_CONVERGED;
        double rose = now.alpha > 0 ? fmin(2 * now.alpha, *certified) : SHORT * *certified;
        PLI_TRY(ops->correct(problem->self, at->q, m->p, rose, round, &wish, error));
        PLI_TRY(m->method->direction(m, problem, &reason, error));
        ++*directions;
        last = false;
        if (reason != PLI_CONVERGED) break;
        *certified = 1;
        PLI_TRY(ops->segment(problem->self, at->q, m->p, certified, error));
        PLI_TRY(pli_search(m, problem, at, *certified, &now, error));
        last = now.e < step->e;
        if (last) {
            *step = now;
            pli_copy(m->p, m->last_p, m->n);
        }
        if (now.alpha >= SHORT * *certified) break;
    }
    if (last) return PLI_OK;
    pli_copy(m->last_p, m->p, m->n);
    *certified = 1;
    PLI_TRY(ops->segment(problem->self, at->q, m->p, certified, error));
    for (int j = 0; j < m->n; ++j) m->trial[j] = at->q[j] + step->alpha * m->p[j];
    return PLI_OK;
}

// True if the energy that Newton's method expects to gain, -g.p / 2 = g.H^-1 g / 2, is small
// relative to the stored energy, or below rounding.
static pli_status gains_little(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                               bool* little, pli_error* error) {
    double gain = -0.5 * pli_dot(m->g, m->p, m->n), stored = 0;
    PLI_TRY(problem->ops->stored(problem->self, at->q, &stored, error));
    double share = ENERGY_SHARE * m->def.gradient_tolerance;
    *little = gain <= fmax(share * stored, PLI_ROUNDING_SHARE * at->size);
    return PLI_OK;
}

// Forces may balance within a tolerance of those present although a slender body is far from its
// equilibrium: its internal forces are large and its bending stiffness is small. So in statics the
// energy left to gain counts as well. Projected Hessians are too stiff to decide this (by the
// stress, where bending is softer). So the unprojected matrix decides if it is positive definite;
// otherwise the point is a saddle and the projected one decides. This direction is not counted as
// an iteration; it is used as the step if there is more to gain.
static pli_status energy_settled(pli_minimizer* m, const pli_problem* problem,
                                 const pli_iterate* at, pli_minimize_info* info, bool* settled,
                                 pli_error* error) {
    *settled = true;
    if (!problem->by_force || !m->method->newton || !problem->ops->stored) return PLI_OK;
    if (at->flat >= FLAT_ENOUGH) return PLI_OK;
    PLI_TRY(gains_little(m, problem, at, settled, error));
    bool judged = !m->method->project || !m->adapt.project || pli_dot(m->g, m->p, m->n) == 0;
    if (!*settled || judged) return PLI_OK;
    m->adapt.project = false;
    PLI_TRY(find_direction(m, problem, at->q, NULL, &info->reason, error));
    if (info->reason != PLI_CONVERGED || m->adapt.project) {
        info->reason = PLI_CONVERGED;
        return PLI_OK;
    }
    return gains_little(m, problem, at, settled, error);
}

// Scales m->p island by island and certifies it, if that promises more than a common factor.
// *whole: the smallest factor. *pays: most of the unknowns take a full step, or the gain is large.
static pli_status scale_islands(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                                double* certified, double* whole, bool* pays, pli_error* error) {
    double slope = pli_dot(m->g, m->p, m->n), better = 0, free;
    pli_copy(m->p, m->last_p, m->n);
    PLI_TRY(problem->ops->shorten(problem->self, at->q, m->p, whole, &free, error));
    double together = *whole * slope, apart = pli_dot(m->g, m->p, m->n);
    if (apart < together || *whole == 1) {
        PLI_TRY(problem->ops->segment(problem->self, at->q, m->p, certified, error));
        better = *whole == 1 ? 1 : *certified * apart / together;
    }
    *pays = *whole == 1 || better > LARGE_GAIN || (better >= 1 && free > LARGE_PART);
    if (better >= 1) return PLI_OK;
    pli_copy(m->last_p, m->p, m->n);
    *certified = *whole = 1;
    return problem->ops->segment(problem->self, at->q, m->p, certified, error);
}

// The certified part of m->p, scaled island by island where contact limits it: bodies that do not
// touch need not stop at the same time. This takes one more search, so if it gains little it is not
// tried again for some steps.
static pli_status certify(pli_minimizer* m, const pli_problem* problem, pli_iterate* at,
                          double* certified, double* whole, pli_error* error) {
    const pli_problem_ops* ops = problem->ops;
    bool may = ops->shorten && m->method->newton && m->line_search->check;
    *certified = *whole = 1;
    if (!may || at->wait-- > 0) return ops->segment(problem->self, at->q, m->p, certified, error);
    bool pays;
    PLI_TRY(scale_islands(m, problem, at, certified, whole, &pays, error));
    at->wait = at->pause = pays ? 0 : 2 * at->pause + 1;
    return PLI_OK;
}

// The longest certified step along stride * p that lowers E; *alpha = 0: there is none.
static pli_status take_step(pli_minimizer* m, const pli_problem* problem, pli_iterate* at,
                            double stride, pli_minimize_info* info, double* alpha,
                            pli_error* error) {
    bool learns = m->method->newton && m->line_search->check && problem->ops->correct;
    for (int i = 0; i < m->n && stride > 1; ++i) m->p[i] *= stride;
    double certified, whole;
    PLI_TRY(certify(m, problem, at, &certified, &whole, error));
    double start = pli_now();
    pli_found_step step;
    PLI_TRY(pli_search(m, problem, at, certified, &step, error));
    at->short_steps = step.alpha < SHORT * certified ? at->short_steps + 1 : 0;
    bool correcting = learns && at->short_steps > MAX_SHORT_STEPS;
    if (correcting) PLI_TRY(correct(m, problem, at, &certified, &step, &info->iterations, error));
    double fraction = step.alpha / certified;
    if (!correcting && learns && fraction < 1)
        PLI_TRY(pli_search_islands(m, problem, at, certified, &step, error));
    m->seconds->line_search += pli_now() - start;
    pli_search_take(m, at, &step);
    *alpha = step.alpha;
    if (stride > 1) PLI_TRY(pli_search_shorten(m, problem, at, alpha, error));
    if (*alpha == 0) return PLI_OK;
    double left = *alpha / step.alpha, least = step.least > 0 ? step.least : step.alpha;
    info->min_step = fmin(info->min_step, whole * least * left * stride);
    pli_adapt_stepped(&m->adapt, info->residual, fmin(certified, whole), fraction * left);
    return PLI_OK;
}

// A correction slower than the tolerance may still be large for a contact, so the forces of the
// final state must balance as well. A correction from an inexact solution may be too short: then
// the net force must be small relative to the forces. *done: all of this holds, or never will.
static pli_status judge(pli_minimizer* m, const pli_problem* problem, pli_iterate* at,
                        pli_minimize_info* info, bool* done, pli_error* error) {
    double load = 0, *wanted = m->loose ? &load : NULL;
    *done = true;
    if (!problem->ops->unbalanced && !m->loose) return PLI_OK;
    if (at->moved || m->loose)
        PLI_TRY(problem->ops->derivatives(problem->self, at->q, NULL, m->g, wanted, error));
    at->moved = false;
    if (m->loose && pli_norm(m->g, m->n) > m->def.gradient_tolerance * load) *done = false;
    if (!*done || !problem->ops->unbalanced) return PLI_OK;
    const double* net;
    PLI_TRY(net_force(m, problem, &net, error));
    pli_unbalanced left = problem->ops->unbalanced(problem->self, net);
    info->unbalanced = left.share;
    if (left.share <= PLI_BALANCED) return PLI_OK;
    if (left.resolved <= PLI_BALANCED)
        info->reason = PLI_ROUNDING;
    else if (++at->unbalanced > MAX_UNBALANCED)
        info->reason = PLI_UNBALANCED;
    else
        *done = false;
    // Near the minimum the true Hessian is usually positive definite, and converges faster.
    if (!*done && at->unbalanced == 1) m->adapt.project = false;
    return PLI_OK;
}

// One direction and one step. *done: the loop is finished, and info->reason is set.
static pli_status iterate_once(pli_minimizer* m, const pli_problem* problem, pli_iterate* at,
                               pli_minimize_info* info, bool* done, pli_error* error) {
    const pli_method* method = m->method;
    bool speed = pli_minimizer_by_speed(m, problem);
    double load = 0;
    m->forcing = pli_method_forcing(m, problem, info->residual);
    PLI_TRY(pli_pool_check(m->pool, error));
    if (at->unbalanced > 0) { // the tolerance is met but not sufficient
        m->forcing = fmin(m->forcing, PLI_BALANCED);
        m->exact = true;
    }
    // Closing gaps of rounding costs energy, lambda times the gap, which soon is more than a
    // direction gains: only the first one does.
    m->closing = info->iterations == 0;
    PLI_TRY(problem->ops->update(problem->self, at->q, error));
    PLI_TRY(find_direction(m, problem, at->q, speed ? NULL : &load, &info->reason, error));
    info->iterations++;
    at->moved = false;
    *done = true;
    if (info->reason != PLI_CONVERGED) { // falls back to the correction by inertia alone
        if (speed) problem->ops->metric(problem->self, m->g, m->p);
        return find_residual(m, problem, load, &info->residual, error);
    }
    double before = info->residual;
    PLI_TRY(find_residual(m, problem, load, &info->residual, error));
    m->gain = info->iterations > 1 ? info->residual / before : 0;
    double tolerance = speed ? m->def.tolerance : m->def.gradient_tolerance;
    bool converged = info->residual <= tolerance;
    bool balanced = converged;
    if (balanced) PLI_TRY(energy_settled(m, problem, at, info, &converged, error));
    if (info->residual < 0.9 * at->best) {
        at->best = info->residual;
        at->flat = 0;
    }
    bool none = false;
    if (!converged) PLI_TRY(only_rounding(m, problem, at, load, &none, error));
    if (none) info->residual = 0;
    if (none || (converged && !speed)) return PLI_OK;

    bool last = converged && at->unbalanced == 0; // very probably
    bool lengthen = method->project && m->adapt.project && m->line_search->check && !last;
    double stride = lengthen ? m->adapt.stride : 1, alpha;
    PLI_TRY(take_step(m, problem, at, stride, info, &alpha, error));
    at->moved = alpha > 0;
    if (info->iterations == 1) m->gain = alpha < 1 ? 1 : FIRST_GAIN;
    if (alpha > 0 && method->accepted) method->accepted(m, alpha);
    if (converged) PLI_TRY(judge(m, problem, at, info, done, error));
    if (converged && *done) return PLI_OK;
    m->exact = alpha == 0;
    // The direction that closes gaps may lead uphill: the next one does not.
    bool closing = m->closing && problem->equations;
    bool stalled = alpha == 0 && !closing && !(method->project && pli_adapt_stuck(&m->adapt));
    if (stalled || at->flat > MAX_FLAT) { // static forces balance: no more can be gained
        info->reason = !balanced ? PLI_LINE_SEARCH_STALLED : speed ? PLI_UNBALANCED : PLI_CONVERGED;
        return PLI_OK;
    }
    *done = problem->ops->blocked && problem->ops->blocked(problem->self);
    if (*done) info->reason = PLI_BLOCKED;
    return PLI_OK;
}

// The net force of the returned state: computed again if the last step changed it.
static pli_status final_residual(pli_minimizer* m, const pli_problem* problem,
                                 const pli_iterate* at, pli_minimize_info* info, pli_error* error) {
    double load = 0;
    if (pli_minimizer_by_speed(m, problem)) return PLI_OK;
    if (at->moved) {
        PLI_TRY(problem->ops->update(problem->self, at->q, error));
        PLI_TRY(problem->ops->derivatives(problem->self, at->q, NULL, m->g, &load, error));
        PLI_TRY(find_residual(m, problem, load, &info->residual, error));
    }
    if (!problem->ops->report_force) return PLI_OK;
    const double* net;
    PLI_TRY(net_force(m, problem, &net, error));
    problem->ops->report_force(problem->self, net);
    return PLI_OK;
}

// One certified step towards A q = b; E may rise. *stuck: there is none.
static pli_status approach(pli_minimizer* m, const pli_problem* problem, double* q,
                           pli_minimize_info* info, bool* stuck, pli_error* error) {
    double alpha = 1, e = HUGE_VAL, size;
    m->closing = true;
    PLI_TRY(pli_pool_check(m->pool, error));
    PLI_TRY(problem->ops->update(problem->self, q, error));
    PLI_TRY(find_direction(m, problem, q, NULL, &info->reason, error));
    info->iterations++;
    *stuck = info->reason != PLI_CONVERGED;
    if (*stuck) return PLI_OK;
    PLI_TRY(problem->ops->segment(problem->self, q, m->p, &alpha, error));
    for (int i = 0; i < MAX_CUTS && !isfinite(e); ++i, alpha *= isfinite(e) ? 1 : 0.5) {
        for (int j = 0; j < m->n; ++j) m->trial[j] = q[j] + alpha * m->p[j];
        PLI_TRY(problem->ops->value(problem->self, m->trial, &e, &size, error));
    }
    *stuck = !isfinite(e);
    if (!*stuck) pli_copy(m->trial, q, m->n);
    return PLI_OK;
}

// Where q misses the equations, because what they ask for has moved, it is led there first.
static pli_status meet_equations(pli_minimizer* m, const pli_problem* problem, double* q,
                                 pli_minimize_info* info, pli_error* error) {
    if (!problem->equations) return PLI_OK;
    bool stuck = false;
    for (int i = 0; i < MAX_APPROACHES && !stuck; ++i) {
        PLI_TRY(find_gaps(m, problem, q, error));
        if (is_met(m, problem->equations)) return PLI_OK;
        PLI_TRY(approach(m, problem, q, info, &stuck, error));
    }
    if (info->reason == PLI_CONVERGED) info->reason = PLI_LINE_SEARCH_STALLED;
    return PLI_OK;
}

// The forces of the equations at the end, with those of islands that were settled.
static pli_status final_multipliers(pli_minimizer* m, const pli_problem* problem, const double* q,
                                    pli_error* error) {
    bool known;
    if (!problem->equations || !(m->schur.equations || m->weighed)) return PLI_OK;
    PLI_TRY(problem->ops->derivatives(problem->self, q, NULL, m->g, NULL, error));
    return pli_method_balance(m, problem, &known, error);
}

// Default cap: a Newton method that needs more iterations in a time step should use a smaller step.
static int max_iterations(const pli_minimizer* m, const pli_problem* problem) {
    if (m->def.max_iterations > 0) return m->def.max_iterations;
    return pli_minimizer_by_speed(m, problem) ? 1000 : 5000;
}

pli_status pli_minimizer_run(pli_minimizer* m, const pli_problem* problem, double* q,
                             pli_minimize_info* info, pli_error* error) {
    PLI_ASSERT(problem->unknown_count == m->n);
    *info = (pli_minimize_info){.reason = PLI_CONVERGED, .min_step = 1};
    m->problem = problem;
    m->history_count = 0;
    m->pair_waiting = false;
    m->gain = 0;
    m->first = true;
    m->linear_iterations = m->symbolic_count = 0;
    pli_adapt_begin(&m->adapt, problem->by_force);
    if (problem->by_force && problem->equations) m->adapt.shift = m->adapt.least = EQUATION_SHIFT;
    pli_iterate at = {.q = q, .best = HUGE_VAL};
    m->schur.equations = NULL;
    m->weighed = false;
    PLI_TRY(meet_equations(m, problem, q, info, error));
    if (info->reason != PLI_CONVERGED) return PLI_OK;
    PLI_TRY(problem->ops->value(problem->self, q, &at.e, &at.size, error));
    if (!isfinite(at.e)) {
        info->reason = PLI_OUT_OF_DOMAIN;
        return PLI_OK;
    }
    bool done = false;
    int most = max_iterations(m, problem);
    while (!done && info->iterations < most)
        PLI_TRY(iterate_once(m, problem, &at, info, &done, error));
    if (!done) info->reason = PLI_ITERATION_CAP;
    PLI_TRY(final_residual(m, problem, &at, info, error));
    PLI_TRY(final_multipliers(m, problem, q, error));
    info->linear_iterations = m->linear_iterations;
    info->symbolic_count = m->symbolic_count;
    if (m->linear) {
        pli_linear_info linear;
        m->linear->info(m->solver, &linear);
        info->factor_nonzeros = linear.factor_nonzeros;
    }
    return PLI_OK;
}

// ---- state

#define SOLVER_SECTION PLI_SECTION('s', 'o', 'l', 'v')

// Settings that the state depends on.
static const char* solver_words(const pli_minimizer* m, int i) {
    const char* words[] = {m->linear ? m->linear->name : "none", m->def.preconditioner};
    return words[i];
}

void pli_minimizer_save(const pli_minimizer* m, const pli_problem* problem, pli_pack* out) {
    const pli_pattern* pattern;
    double* values;
    uint64_t epoch;
    problem->ops->matrix(problem->self, &pattern, &values, &epoch);
    size_t place = pli_pack_open(out, SOLVER_SECTION, 1);
    for (int i = 0; i < 2; ++i) pli_pack_text(out, solver_words(m, i));
    pli_pack_int(out, pattern->group_count);
    pli_pack_int(out, epoch == m->analyzed_epoch);
    if (m->linear && m->linear->save) m->linear->save(m->solver, out);
    pli_pack_close(out, place);
}

static bool is_text(const char* word, const char* text, size_t length) {
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

pli_status pli_minimizer_restore(pli_minimizer* m, const pli_problem* problem, bool same,
                                 pli_unpack* in, pli_error* error) {
    const pli_pattern* pattern;
    double* values;
    uint64_t epoch;
    int version = 1;
    bool mine = true;
    problem->ops->matrix(problem->self, &pattern, &values, &epoch);
    pli_unpack from = pli_unpack_enter(in, SOLVER_SECTION, &version);
    for (int i = 0; i < 2; ++i) {
        size_t length;
        const char* text = pli_unpack_text(&from, 64, &length, "name of the solver");
        mine = mine && is_text(solver_words(m, i), text, length);
    }
    mine = mine && pli_unpack_int(&from, 0, INT32_MAX, "groups") == pattern->group_count;
    if (!mine || !pli_unpack_good(&from)) {
        if (pli_unpack_good(&from)) from.at = from.end;
        pli_unpack_leave(in, &from);
        return in->apply && pli_unpack_good(in) ? pli_minimizer_forget(m, error) : PLI_OK;
    }
    bool analyzed = pli_unpack_int(&from, 0, 1, "analyzed") && same;
    if (m->linear && m->linear->restore)
        PLI_TRY(m->linear->restore(m->solver, pattern->group_count, analyzed ? pattern : NULL,
                                   &from, error));
    else if (m->linear && in->apply && analyzed)
        PLI_TRY(m->linear->analyze(m->solver, pattern, error));
    pli_unpack_leave(in, &from);
    if (in->apply && pli_unpack_good(in)) m->analyzed_epoch = analyzed ? epoch : 0;
    return PLI_OK;
}
