// The loop that all methods share.
//
// Invariant: q is always a certified point, and (but for line search "none") E(q) never rises by
// more than rounding. The last direction is taken even when it is already below the tolerance, so a
// body slower than the tolerance still moves.
#include "minimize/minimize.h"

#include "base/clock.h"
#include "math/vec.h"
#include "minimize/methods.h"

#include <math.h>
#include <string.h>

// E is a sum of many parts: differences below this fraction of their sizes may be rounding. There
// the slope at the trial point decides instead, which constant parts of E do not disturb.
static const double ROUNDING = 1e-13;

// Of the slope at the start: up to this uphill slope at its end a step has not gone too far.
static const double UPHILL = 0.5;

// What a first whole step usually leaves of the residual.
static const double FIRST_GAIN = 0.03;

// Of the largest forces present so far.
static const double VANISHED = 1e-6;

enum {
    MAX_HALVINGS = 60, // below 1e-18 of the direction nothing moves
    MAX_FLAT = 100,    // steps in a row that neither lower E beyond rounding nor the residual
};

// pli_near_null.fill of the problem that is being minimized.
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
    m->method = pli_method_find(def->method);
    m->line_search = pli_line_search_find(def->line_search);
    PLI_ASSERT(m->method && m->line_search);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->g, m->n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->p, m->n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->trial, m->n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m->trial_g, m->n, error));
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
    pli_memory memory; // counts what another solver takes
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
    PLI_FREE(memory, m->g, m->n);
    PLI_FREE(memory, m->p, m->n);
    PLI_FREE(memory, m->trial, m->n);
    PLI_FREE(memory, m->trial_g, m->n);
    PLI_FREE(memory, m->last_g, m->n);
    PLI_FREE(memory, m->history, 2 * PLI_LBFGS_MEMORY * (size_t)m->n);
    PLI_FREE(memory, m, 1);
}

// Where the iteration is.
typedef struct iterate {
    double* q;
    double e, size; // E and the sum of the sizes of its parts
    int flat;       // steps in a row without progress
    double best;    // lowest residual so far
    double load;    // largest forces present so far
    bool moved;     // since m->g was computed
} iterate;

// Has a step whose change of E is lost in rounding lowered it? By the slope at its end.
static pli_status slope_descends(pli_minimizer* m, const pli_problem* problem, double slope,
                                 bool* descends, pli_error* error) {
    PLI_TRY(problem->ops->derivatives(problem->self, m->trial, NULL, m->trial_g, NULL, error));
    *descends = pli_dot(m->trial_g, m->p, m->n) <= UPHILL * fabs(slope);
    return PLI_OK;
}

// Shortens the certified segment until E is low enough. *alpha = 0: there is no such step.
static pli_status search(pli_minimizer* m, const pli_problem* problem, iterate* at, double* alpha,
                         pli_error* error) {
    const pli_line_search* rule = m->line_search;
    double slope = pli_dot(m->g, m->p, m->n), slack = ROUNDING * at->size;
    for (int i = 0; i < MAX_HALVINGS; *alpha *= 0.5, ++i) {
        for (int j = 0; j < m->n; ++j) m->trial[j] = at->q[j] + *alpha * m->p[j];
        double e, size;
        PLI_TRY(pli_pool_check(m->pool, error));
        PLI_TRY(problem->ops->value(problem->self, m->trial, &e, &size, error));
        if (!isfinite(e)) continue;
        bool unclear = fabs(at->e - e) <= slack, low = true;
        if (rule->check && unclear)
            PLI_TRY(slope_descends(m, problem, slope, &low, error));
        else if (rule->check)
            low = e <= at->e + rule->decrease * *alpha * slope;
        if (!low) continue;
        at->flat = unclear ? at->flat + 1 : 0;
        at->e = e;
        at->size = size;
        pli_copy(m->trial, at->q, m->n);
        return PLI_OK;
    }
    *alpha = 0;
    return PLI_OK;
}

// A lengthened step may have passed the lowest point: goes back by halves while E falls.
static pli_status shorten(pli_minimizer* m, const pli_problem* problem, iterate* at, double* alpha,
                          pli_error* error) {
    while (*alpha > 0) {
        for (int j = 0; j < m->n; ++j) m->trial[j] = at->q[j] - 0.5 * *alpha * m->p[j];
        double e, size;
        PLI_TRY(problem->ops->value(problem->self, m->trial, &e, &size, error));
        if (!(e < at->e)) return PLI_OK;
        *alpha *= 0.5;
        at->e = e;
        at->size = size;
        pli_copy(m->trial, at->q, m->n);
    }
    return PLI_OK;
}

// Newton's direction is a correction, so its speed tells how far the minimum is; not in statics,
// where the matrix may be nearly singular, and not for other methods.
bool pli_minimizer_by_speed(const pli_minimizer* m, const pli_problem* problem) {
    return m->method->newton && !problem->by_force;
}

// With an iterative solver a small correction may only mean that it stopped early: then the net
// force must be small as well, against the forces present.
static bool needs_load(const pli_minimizer* m, const pli_problem* problem) {
    return !pli_minimizer_by_speed(m, problem) || m->linear->iterative;
}

// How far from the minimum: speed of the correction (Newton) or net force against forces present.
static double residual(pli_minimizer* m, const pli_problem* problem, double load) {
    if (pli_minimizer_by_speed(m, problem)) return problem->ops->speed(problem->self, m->p);
    double net = pli_norm(m->g, m->n);
    return load > 0 ? net / load : net;
}

// Derivatives and direction at q; again, with another matrix, where that has no factor.
static pli_status find_direction(pli_minimizer* m, const pli_problem* problem, const double* q,
                                 double* load, pli_reason* reason, pli_error* error) {
    const pli_method* method = m->method;
    do {
        *reason = PLI_CONVERGED;
        pli_hessian_wish wish = {.project = method->project && m->adapt.project,
                                 .keep = pli_method_keep(m)};
        PLI_TRY(problem->ops->derivatives(problem->self, q, method->newton ? &wish : NULL, m->g,
                                          load, error));
        PLI_TRY(method->direction(m, problem, reason, error));
    } while (*reason == PLI_INDEFINITE && method->project && pli_adapt_refused(&m->adapt));
    return PLI_OK;
}

// A net force that rounding of positions alone could make is none: a body at rest that nothing
// loads has no forces to compare it with. Looked at where that may be: at the start, where E no
// longer falls, where the forces present have all but vanished.
static pli_status only_rounding(pli_minimizer* m, const pli_problem* problem, iterate* at,
                                double load, bool* none, pli_error* error) {
    bool first = at->load == 0;
    at->load = fmax(at->load, load);
    *none = false;
    if (pli_minimizer_by_speed(m, problem) ||
        !(first || at->flat > 0 || load < VANISHED * at->load))
        return PLI_OK;
    double force = 0, net = pli_norm(m->g, m->n);
    PLI_TRY(problem->ops->rounding(problem->self, at->q, &force, error));
    *none = net <= force;
    return PLI_OK;
}

// The longest certified step along stride * p that lowers E; *alpha = 0: there is none.
static pli_status take_step(pli_minimizer* m, const pli_problem* problem, iterate* at,
                            double stride, double size, double* alpha, pli_error* error) {
    for (int i = 0; i < m->n && stride > 1; ++i) m->p[i] *= stride;
    double certified = 1;
    PLI_TRY(problem->ops->segment(problem->self, at->q, m->p, &certified, error));
    double start = pli_now();
    *alpha = certified;
    PLI_TRY(search(m, problem, at, alpha, error));
    if (stride > 1) PLI_TRY(shorten(m, problem, at, alpha, error));
    m->seconds->line_search += pli_now() - start;
    if (*alpha > 0) pli_adapt_stepped(&m->adapt, size, certified, *alpha / certified);
    return PLI_OK;
}

// One direction and one step. *done tells that the loop is over, with info->reason set.
static pli_status iterate_once(pli_minimizer* m, const pli_problem* problem, iterate* at,
                               pli_minimize_info* info, bool* done, pli_error* error) {
    const pli_method* method = m->method;
    bool speed = pli_minimizer_by_speed(m, problem);
    double load = 0;
    m->forcing = pli_method_forcing(m, problem, info->residual);
    PLI_TRY(pli_pool_check(m->pool, error));
    PLI_TRY(problem->ops->update(problem->self, at->q, error));
    PLI_TRY(find_direction(m, problem, at->q, needs_load(m, problem) ? &load : NULL, &info->reason,
                           error));
    info->iterations++;
    at->moved = false;
    *done = true;
    if (info->reason != PLI_CONVERGED) { // as fast as inertia alone would correct it
        if (speed) problem->ops->metric(problem->self, m->g, m->p);
        info->residual = residual(m, problem, load);
        return PLI_OK;
    }
    double before = info->residual;
    info->residual = residual(m, problem, load);
    m->gain = info->iterations > 1 ? info->residual / before : 0;
    double tolerance = speed ? m->def.tolerance : m->def.gradient_tolerance;
    bool converged = info->residual <= tolerance;
    if (speed && m->loose)
        converged = converged && pli_norm(m->g, m->n) <= m->def.gradient_tolerance * load;
    if (info->residual < 0.9 * at->best) {
        at->best = info->residual;
        at->flat = 0;
    }
    bool none = false;
    if (!converged) PLI_TRY(only_rounding(m, problem, at, load, &none, error));
    if (none) info->residual = 0;
    if (none || (converged && !speed)) return PLI_OK;

    bool lengthen = method->project && m->adapt.project && m->line_search->check && !converged;
    double stride = lengthen ? m->adapt.stride : 1, alpha;
    PLI_TRY(take_step(m, problem, at, stride, info->residual, &alpha, error));
    at->moved = alpha > 0;
    if (info->iterations == 1) m->gain = alpha < 1 ? 1 : FIRST_GAIN;
    if (alpha > 0) info->min_step = fmin(info->min_step, alpha * stride);
    if (alpha > 0 && method->accepted) method->accepted(m, alpha);
    if (converged) return PLI_OK; // a last correction lost in rounding does no harm
    m->exact = alpha == 0;
    bool stalled = alpha == 0 && !(method->project && pli_adapt_stuck(&m->adapt));
    if (stalled || at->flat > MAX_FLAT) {
        info->reason = PLI_LINE_SEARCH_STALLED;
        return PLI_OK;
    }
    *done = problem->ops->hopeless && problem->ops->hopeless(problem->self);
    if (*done) info->reason = PLI_BLOCKED;
    return PLI_OK;
}

// Net forces belong to the state that is returned: computed again if the last step changed it.
static pli_status look_back(pli_minimizer* m, const pli_problem* problem, const iterate* at,
                            pli_minimize_info* info, pli_error* error) {
    double load = 0;
    if (pli_minimizer_by_speed(m, problem)) return PLI_OK;
    if (at->moved) {
        PLI_TRY(problem->ops->update(problem->self, at->q, error));
        PLI_TRY(problem->ops->derivatives(problem->self, at->q, NULL, m->g, &load, error));
        info->residual = residual(m, problem, load);
    }
    if (problem->ops->leave) problem->ops->leave(problem->self, m->g);
    return PLI_OK;
}

pli_status pli_minimizer_run(pli_minimizer* m, const pli_problem* problem, double* q,
                             pli_minimize_info* info, pli_error* error) {
    PLI_ASSERT(problem->unknown_count == m->n);
    *info = (pli_minimize_info){.reason = PLI_CONVERGED, .min_step = 1};
    m->problem = problem;
    m->history_count = 0;
    m->pair_waiting = false;
    m->gain = 0;
    m->exact = true;
    m->linear_iterations = m->symbolic_count = 0;
    pli_adapt_begin(&m->adapt, problem->by_force);
    iterate at = {.q = q, .best = HUGE_VAL};
    PLI_TRY(problem->ops->value(problem->self, q, &at.e, &at.size, error));
    if (!isfinite(at.e)) {
        info->reason = PLI_OUT_OF_DOMAIN;
        return PLI_OK;
    }
    bool done = false;
    while (!done && info->iterations < m->def.max_iterations)
        PLI_TRY(iterate_once(m, problem, &at, info, &done, error));
    if (!done) info->reason = PLI_ITERATION_CAP;
    PLI_TRY(look_back(m, problem, &at, info, error));
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

// The state depends on these.
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
