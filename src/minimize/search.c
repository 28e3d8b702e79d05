// Line search by halving; if that is not enough, by the minimum along the direction.
#include "minimize/search.h"

#include "math/vec.h"

#include <math.h>

// Relative to the slope at the start: up to this uphill slope at its end, a step is not too long.
static const double UPHILL = 0.5;

// Relative to the slope at the start: below this slope a step has reached the minimum.
static const double FLAT = 0.1;

// Relative to the certified step: if halving goes below this, it may have stopped before a kink.
static const double KINK = 0.25;

enum { MAX_HALVINGS = 60 }; // below 1e-18 of the direction nothing moves

// For a step whose change of E is below rounding: did it lower E? Decided by the slope at its end.
static pli_status slope_descends(pli_minimizer* m, const pli_problem* problem, double slope,
                                 bool* descends, pli_error* error) {
    PLI_TRY(problem->ops->derivatives(problem->self, m->trial, NULL, m->trial_g, NULL, error));
    *descends = pli_dot(m->trial_g, m->p, m->n) <= UPHILL * fabs(slope);
    return PLI_OK;
}

// Shortens the certified segment until E is low enough.
static pli_status halve(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                        double certified, pli_found_step* out, pli_error* error) {
    const pli_line_search* rule = m->line_search;
    double slope = pli_dot(m->g, m->p, m->n), slack = PLI_ROUNDING_SHARE * at->size,
           alpha = certified;
    for (int i = 0; i < MAX_HALVINGS; alpha *= 0.5, ++i) {
        for (int j = 0; j < m->n; ++j) m->trial[j] = at->q[j] + alpha * m->p[j];
        double e, size;
        PLI_TRY(pli_pool_check(m->pool, error));
        PLI_TRY(problem->ops->value(problem->self, m->trial, &e, &size, error));
        if (!isfinite(e)) continue;
        bool unclear = fabs(at->e - e) <= slack, low = true;
        if (rule->check && unclear)
            PLI_TRY(slope_descends(m, problem, slope, &low, error));
        else if (rule->check)
            low = e <= at->e + rule->decrease * alpha * slope;
        if (!low) continue;
        *out = (pli_found_step){.alpha = alpha, .e = e, .size = size, .unclear = unclear};
        return PLI_OK;
    }
    *out = (pli_found_step){.alpha = 0, .e = at->e};
    return PLI_OK;
}

// dE/dalpha at q + alpha p.
static pli_status slope_at(pli_minimizer* m, const pli_problem* problem, const double* q,
                           double alpha, double* slope, pli_error* error) {
    for (int j = 0; j < m->n; ++j) m->trial[j] = q[j] + alpha * m->p[j];
    PLI_TRY(problem->ops->derivatives(problem->self, m->trial, NULL, m->trial_g, NULL, error));
    *slope = pli_dot(m->trial_g, m->p, m->n);
    return PLI_OK;
}

// The lowest point along m->p between *step and `other`: E falls at one of them and rises at the
// other. Finds where the slope is nearly 0, by the Illinois method. `wall`: where a contact would
// close, so that the slope grows as 1 / (wall - alpha). The end of *step is in m->trial.
static pli_status find_lowest(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                              double other, double wall, pli_found_step* step, pli_error* error) {
    enum { MAX_TRIALS = 12 };
    double start = pli_dot(m->g, m->p, m->n), ends[2] = {step->alpha, other}, f[2];
    for (int i = 0; i < 2; ++i) {
        f[i] = start;
        if (ends[i] > 0) PLI_TRY(slope_at(m, problem, at->q, ends[i], &f[i], error));
        f[i] *= isfinite(wall) ? wall - ends[i] : 1;
    }
    bool bracketed = isfinite(f[0]) && isfinite(f[1]) && (f[0] < 0) != (f[1] < 0);
    for (int i = 0; i < MAX_TRIALS && bracketed; ++i) {
        double alpha = (ends[0] * f[1] - ends[1] * f[0]) / (f[1] - f[0]), slope, e, size;
        PLI_TRY(slope_at(m, problem, at->q, alpha, &slope, error));
        PLI_TRY(problem->ops->value(problem->self, m->trial, &e, &size, error));
        bool unclear = fabs(at->e - e) <= PLI_ROUNDING_SHARE * at->size;
        if (e < step->e)
            *step = (pli_found_step){.alpha = alpha, .e = e, .size = size, .unclear = unclear};
        if (!isfinite(slope) || fabs(slope) <= FLAT * fabs(start)) break;
        int side = (slope < 0) != (f[0] < 0); // the end that is replaced
        ends[side] = alpha;
        f[side] = slope * (isfinite(wall) ? wall - alpha : 1);
        f[!side] *= 0.5;
    }
    for (int j = 0; j < m->n; ++j) m->trial[j] = at->q[j] + step->alpha * m->p[j];
    return PLI_OK;
}

// A step along m->p that lowers E, at most the certified one. Where E has a kink (a contact
// closes), halving stops before it many times in a row although the minimum is behind it. A step
// truncated by a contact leaves a twentieth of the gap. E may be low there, but if it rises steeply
// the contact is squeezed with a far too large force, which later steps must undo.
pli_status pli_search(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                      double certified, pli_found_step* out, pli_error* error) {
    PLI_TRY(halve(m, problem, at, certified, out, error));
    if (!m->line_search->check || out->alpha == 0) return PLI_OK;
    if (out->alpha <= KINK * certified)
        return find_lowest(m, problem, at, 2 * out->alpha, HUGE_VAL, out, error);
    if (certified == 1 || out->alpha < certified) return PLI_OK;
    double slope;
    PLI_TRY(slope_at(m, problem, at->q, out->alpha, &slope, error));
    if (slope <= UPHILL * fabs(pli_dot(m->g, m->p, m->n))) return PLI_OK;
    return find_lowest(m, problem, at, 0, out->alpha / 0.95, out, error);
}

// E of each island at q + alpha p: e, followed by the sizes.
static pli_status island_values(pli_minimizer* m, const pli_problem* problem, const double* q,
                                double alpha, int count, double* e, pli_error* error) {
    for (int j = 0; j < m->n; ++j) m->trial[j] = q[j] + alpha * m->p[j];
    return problem->ops->island_values(problem->self, m->trial, e, e + count, error);
}

// The islands on a segment, the island of each unknown and the step length of each island; `length`
// is followed by space for energies, sizes and slopes.
typedef struct island_steps {
    int count;
    const int32_t* of;
    double* length;
} island_steps;

// Islands whose E is low enough at the end of the certified segment take all of it, the others
// `cut`. *any: there is such an island.
static pli_status choose_steps(pli_minimizer* m, const pli_problem* problem, const double* q,
                               double certified, double cut, const island_steps* islands, bool* any,
                               pli_error* error) {
    int count = islands->count;
    double *start = islands->length + count, *end = start + 2 * count, *slope = end + 2 * count;
    PLI_TRY(island_values(m, problem, q, 0, count, start, error));
    PLI_TRY(island_values(m, problem, q, certified, count, end, error));
    for (int i = 0; i < count; ++i) slope[i] = 0;
    for (int j = 0; j < m->n; ++j) slope[islands->of[j]] += m->g[j] * m->p[j];
    *any = false;
    for (int i = 0; i < count; ++i) {
        bool low = end[i] < start[i] + m->line_search->decrease * certified * slope[i] &&
                   start[i] - end[i] > PLI_ROUNDING_SHARE * start[count + i];
        islands->length[i] = low ? certified : cut;
        *any = *any || low;
    }
    return PLI_OK;
}

pli_status pli_search_islands(pli_minimizer* m, const pli_problem* problem, const pli_iterate* at,
                              double certified, pli_found_step* step, pli_error* error) {
    const pli_problem_ops* ops = problem->ops;
    island_steps islands = {.count = 1};
    if (ops->islands) islands.count = ops->islands(problem->self, &islands.of);
    bool any;
    if (islands.count < 2) return PLI_OK;
    PLI_TRY(PLI_GROW(m->memory, m->islands, m->island_capacity, 6 * islands.count, error));
    islands.length = m->islands;
    PLI_TRY(choose_steps(m, problem, at->q, certified, step->alpha, &islands, &any, error));
    pli_copy(m->p, m->last_p, m->n);
    double reach = 1, e = HUGE_VAL, size = 0;
    if (any) {
        for (int j = 0; j < m->n; ++j) m->p[j] *= islands.length[islands.of[j]];
        PLI_TRY(ops->segment(problem->self, at->q, m->p, &reach, error));
        for (int j = 0; j < m->n; ++j) m->trial[j] = at->q[j] + reach * m->p[j];
        PLI_TRY(ops->value(problem->self, m->trial, &e, &size, error));
    }
    if (e < step->e) {
        bool unclear = fabs(at->e - e) <= PLI_ROUNDING_SHARE * at->size;
        *step = (pli_found_step){reach, e, size, unclear, reach * step->alpha};
        return PLI_OK;
    }
    pli_copy(m->last_p, m->p, m->n);
    if (any) PLI_TRY(ops->segment(problem->self, at->q, m->p, &certified, error));
    for (int j = 0; j < m->n; ++j) m->trial[j] = at->q[j] + step->alpha * m->p[j];
    return PLI_OK;
}

void pli_search_take(pli_minimizer* m, pli_iterate* at, const pli_found_step* step) {
    at->flat = step->unclear || step->alpha == 0 ? at->flat + 1 : 0;
    if (step->alpha == 0) return;
    at->e = step->e;
    at->size = step->size;
    pli_copy(m->trial, at->q, m->n);
}

pli_status pli_search_shorten(pli_minimizer* m, const pli_problem* problem, pli_iterate* at,
                              double* alpha, pli_error* error) {
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
