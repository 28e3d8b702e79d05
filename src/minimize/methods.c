// The methods: Newton with and without projection, gradient descent, L-BFGS.
#include "minimize/methods.h"

#include "base/base.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

// The diagonal entry of unknown c of group J.
static double* diagonal(const pli_pattern* pattern, double* values, int J, int c) {
    return values + pattern->block_value[pattern->block_start[J]] +
           c * (pattern->column_height[J] + 1);
}

// H_ii += shift max(|H_ii|, mean): relative to each unknown's own stiffness, so that a few very
// stiff ones (prescribed vertices) do not affect the others. Entries near 0 (unconstrained
// unknowns) get the geometric mean. Semi-definite plus shift is positive definite, so the direction
// still descends.
static void shift_diagonal(const pli_pattern* pattern, double* values, double shift) {
    double sum = 0, count = 0;
    for (int J = 0; J < pattern->group_count; ++J)
        for (int c = 0; c < pattern->group_offset[J + 1] - pattern->group_offset[J]; ++c) {
            double d = fabs(*diagonal(pattern, values, J, c));
            if (!(d > 0)) continue;
            sum += pli_log(d);
            count++;
        }
    double mean = count > 0 ? pli_exp(sum / count) : 1;
    for (int J = 0; J < pattern->group_count; ++J)
        for (int c = 0; c < pattern->group_offset[J + 1] - pattern->group_offset[J]; ++c) {
            double* d = diagonal(pattern, values, J, c);
            *d += shift * fmax(fabs(*d), mean);
        }
}

// Whether there are more equations than the dense way takes, so that they are added to the matrix.
static bool augments(const pli_minimizer* m, const pli_problem* problem) {
    return problem->equations && problem->equations->count > m->def.dense_equations;
}

// Factorizes the matrix of the last derivatives, with the shift that the last steps suggest.
static pli_status factorize(pli_minimizer* m, const pli_problem* problem,
                            pli_linear_verdict* verdict, pli_error* error) {
    const pli_pattern* pattern;
    double* values;
    uint64_t epoch;
    problem->ops->matrix(problem->self, &pattern, &values, &epoch);
    const uint8_t* changed = problem->ops->changed ? problem->ops->changed(problem->self) : NULL;
    double start = pli_now();
    if (epoch != m->analyzed_epoch) {
        m->analyzed_epoch = 0;
        PLI_TRY(m->linear->analyze(m->solver, pattern, error));
        m->analyzed_epoch = epoch;
        m->symbolic_count++;
    }
    if (augments(m, problem) && epoch != m->augmented_epoch) {
        PLI_TRY(pli_augmented_analyze(&m->augmented, problem->equations, pattern, error));
        m->augmented_epoch = epoch;
    }
    double analyzed = pli_now();
    m->seconds->symbolic += analyzed - start;
    if (m->method->project && m->adapt.shift > 0) {
        shift_diagonal(pattern, values, m->adapt.shift);
        changed = NULL;
    }
    const pli_low_rank* low = problem->ops->low_rank ? problem->ops->low_rank(problem->self) : NULL;
    if (m->linear->add) m->linear->add(m->solver, low);
    if (augments(m, problem)) {
        pli_augmented_weigh(&m->augmented, values, changed);
        values = m->augmented.sum;
        if (changed) changed = m->augmented.changed;
        m->weighed = true;
    }
    PLI_TRY(m->linear->factorize(m->solver, values, changed, verdict, error));
    PLI_TRY(pli_woodbury_factorize(&m->woodbury, m->linear, m->solver, pattern, values,
                                   m->linear->add ? NULL : low, verdict, error));
    m->seconds->numeric += pli_now() - analyzed;
    return PLI_OK;
}

// The largest allowed relative error of a direction.
static const double LOOSEST = 3e-2;

static const double EXACT = 1e-12; // tolerance passed to solvers that ignore it

// More accurate if the last step gained more, because Newton's method will then gain even more
// [Eisenstat96, choice 2], but not more accurate than the last direction needs. The first direction
// of a step solves its linear part; in statics a small residual may hide a large error.
double pli_method_forcing(const pli_minimizer* m, const pli_problem* problem, double residual) {
    static const double first = 1e-3, least = 1e-8, factor = 0.3;
    if (problem->by_force) return least;
    if (m->gain <= 0) return first;
    double expected = residual * m->gain, enough = factor * m->def.tolerance / expected;
    return fmin(LOOSEST, fmax(least, fmax(factor * m->gain * m->gain, enough)));
}

// The bound on the error of kept Hessians is a sum of norms, about thirty times the actual error.
// After a shift nothing is kept, and no Hessian may stay unprojected if the last matrix was
// indefinite. The first direction is usually followed by another, or is very short, so its matrix
// may have the same error as any other.
pli_hessian_wish pli_method_wish(pli_minimizer* m) {
    bool first = m->first, project = m->method->project && m->adapt.project;
    bool exact = m->exact || (m->adapt.project && !m->projected);
    if (first) exact = false;
    if (m->adapt.shift > 0) exact = true;
    m->first = false;
    m->exact = m->adapt.shift > 0;
    m->projected = m->adapt.project;
    return (pli_hessian_wish){.project = project,
                              .settle = !m->loose && m->adapt.shift == 0 && m->line_search->check,
                              .keep = exact   ? 0
                                      : first ? 1
                                              : m->forcing / LOOSEST,
                              .whole = first && !exact};
}

// Few equations: their forces are balanced before the solution, which then is as small as p:
// nothing large cancels.
static pli_status solve_dense(pli_minimizer* m, const pli_problem* problem,
                              pli_linear_verdict* verdict, pli_error* error) {
    const pli_equations* equations = problem->equations;
    PLI_TRY(pli_schur_factorize(&m->schur, equations, &m->woodbury, verdict, error));
    if (m->schur.equations) {
        pli_schur_balance(&m->schur, m->g);
        pli_equations_pull(equations, -1, equations->multipliers, m->trial);
    }
    PLI_TRY(pli_woodbury_solve(&m->woodbury, m->trial, EXACT, m->p, verdict, error));
    if (m->schur.equations) pli_schur_correct(&m->schur, m->gaps, m->p);
    return PLI_OK;
}

// H p = -g; with equations H p + A^T lambda = -g, A p = their gaps.
static pli_status newton_direction(pli_minimizer* m, const pli_problem* problem, pli_reason* reason,
                                   pli_error* error) {
    pli_linear_verdict verdict = PLI_LINEAR_OK;
    PLI_TRY(factorize(m, problem, &verdict, error));
    if (verdict != PLI_LINEAR_OK) {
        *reason = PLI_INDEFINITE;
        return PLI_OK;
    }
    double start = pli_now();
    double tolerance = m->def.linear_tolerance > 0 ? m->def.linear_tolerance : m->forcing;
    for (int i = 0; i < m->n; ++i) m->trial[i] = -m->g[i];
    if (augments(m, problem))
        PLI_TRY(
            pli_augmented_solve(&m->augmented, &m->woodbury, m->g, m->gaps, m->p, &verdict, error));
    else if (problem->equations)
        PLI_TRY(solve_dense(m, problem, &verdict, error));
    else
        PLI_TRY(pli_woodbury_solve(&m->woodbury, m->trial, tolerance, m->p, &verdict, error));
    if (problem->ops->rest) problem->ops->rest(problem->self, m->p);
    m->seconds->solve += pli_now() - start;
    pli_linear_info info;
    m->linear->info(m->solver, &info);
    m->linear_iterations += info.iterations;
    m->loose = info.loose;
    // An inexact solution still descends and the outer iteration corrects it; an ascent direction
    // is rejected.
    bool descends = pli_dot(m->g, m->p, m->n) <= 0;
    if (verdict == PLI_LINEAR_NOT_POSITIVE_DEFINITE) *reason = PLI_INDEFINITE;
    if (verdict == PLI_LINEAR_NOT_CONVERGED && !descends) *reason = PLI_LINEAR_STALLED;
    return PLI_OK;
}

pli_status pli_method_balance(pli_minimizer* m, const pli_problem* problem, bool* known,
                              pli_error* error) {
    pli_linear_verdict verdict = PLI_LINEAR_OK;
    *known = problem->equations && (m->weighed || m->schur.equations);
    if (*known && augments(m, problem))
        return pli_augmented_balance(&m->augmented, &m->woodbury, m->g, &verdict, error);
    if (*known) pli_schur_balance(&m->schur, m->g);
    return PLI_OK;
}

// p = -D^-1 g
static pli_status gradient_direction(pli_minimizer* m, const pli_problem* problem,
                                     pli_reason* reason, pli_error* error) {
    (void)reason, (void)error;
    problem->ops->metric(problem->self, m->g, m->p);
    for (int i = 0; i < m->n; ++i) m->p[i] = -m->p[i];
    return PLI_OK;
}

static double* history_s(pli_minimizer* m, int i) {
    return m->history + (size_t)(2 * i) * (size_t)m->n;
}
static double* history_y(pli_minimizer* m, int i) { return history_s(m, i) + m->n; }

// Adds the pair s = alpha p (already stored), y = g - last_g. Pairs without positive curvature are
// dropped: the approximation must stay positive definite.
static void learn(pli_minimizer* m) {
    int i = m->history_count;
    double *s = history_s(m, i), *y = history_y(m, i);
    m->pair_waiting = false;
    pli_sub(m->g, m->last_g, y, m->n);
    double sy = pli_dot(s, y, m->n);
    if (!(sy > 1e-12 * pli_norm(s, m->n) * pli_norm(y, m->n))) return;
    m->rho[i] = 1 / sy;
    if (++m->history_count == PLI_LBFGS_MEMORY) { // the last slot stays free for the next pair
        size_t pair = 2 * (size_t)m->n;
        memmove(m->history, m->history + pair, sizeof(double) * pair * (PLI_LBFGS_MEMORY - 1));
        memmove(m->rho, m->rho + 1, sizeof(double) * (PLI_LBFGS_MEMORY - 1));
        m->history_count--;
    }
}

// Two-loop recursion [Nocedal80] with the metric D^-1 as initial matrix, scaled by s.y / y.D^-1 y.
static pli_status lbfgs_direction(pli_minimizer* m, const pli_problem* problem, pli_reason* reason,
                                  pli_error* error) {
    (void)reason, (void)error;
    if (m->pair_waiting) learn(m);
    double a[PLI_LBFGS_MEMORY];
    pli_copy(m->g, m->trial, m->n);
    for (int i = m->history_count - 1; i >= 0; --i) {
        a[i] = m->rho[i] * pli_dot(history_s(m, i), m->trial, m->n);
        pli_axpy(-a[i], history_y(m, i), m->trial, m->n);
    }
    double scale = 1;
    if (m->history_count > 0) {
        const double* y = history_y(m, m->history_count - 1);
        problem->ops->metric(problem->self, y, m->p);
        scale = 1 / (m->rho[m->history_count - 1] * pli_dot(y, m->p, m->n));
    }
    problem->ops->metric(problem->self, m->trial, m->p);
    for (int i = 0; i < m->n; ++i) m->p[i] *= scale;
    for (int i = 0; i < m->history_count; ++i) {
        double b = m->rho[i] * pli_dot(history_y(m, i), m->p, m->n);
        pli_axpy(a[i] - b, history_s(m, i), m->p, m->n);
    }
    for (int i = 0; i < m->n; ++i) m->p[i] = -m->p[i];
    pli_copy(m->g, m->last_g, m->n);
    return PLI_OK;
}

static void lbfgs_accepted(pli_minimizer* m, double alpha) {
    double* s = history_s(m, m->history_count);
    for (int i = 0; i < m->n; ++i) s[i] = alpha * m->p[i];
    m->pair_waiting = true; // waits for the next gradient
}

static const pli_method methods[] = {
    {.name = "projected-newton",
     .help =
         "Newton with Hessians projected to positive semi-definite where needed: always descends",
     .newton = true,
     .project = true,
     .direction = newton_direction},
    {.name = "newton",
     .help = "plain Newton: fast near the minimum, may overshoot or stop as indefinite far from it",
     .newton = true,
     .direction = newton_direction},
    {.name = "gradient-descent",
     .help = "steepest descent in the metric of the mass: no matrix, very many iterations",
     .direction = gradient_direction},
    {.name = "l-bfgs",
     .help = "quasi-Newton from the last 7 steps: no matrix, many cheap iterations",
     .direction = lbfgs_direction,
     .accepted = lbfgs_accepted},
};

static const pli_line_search line_searches[] = {
    {.name = "backtracking", .help = "halve until E does not rise", .check = true},
    {.name = "armijo",
     .help = "halve until E falls enough for the slope",
     .decrease = 1e-4,
     .check = true},
    {.name = "none", .help = "the full certified step, even if E rises"},
};

enum {
    METHOD_COUNT = sizeof methods / sizeof *methods,
    LINE_SEARCH_COUNT = sizeof line_searches / sizeof *line_searches,
};

const char* pli_method_name(int i) { return i < METHOD_COUNT ? methods[i].name : NULL; }
const char* pli_method_help(int i) { return i < METHOD_COUNT ? methods[i].help : NULL; }

const char* pli_line_search_name(int i) {
    return i < LINE_SEARCH_COUNT ? line_searches[i].name : NULL;
}
const char* pli_line_search_help(int i) {
    return i < LINE_SEARCH_COUNT ? line_searches[i].help : NULL;
}

const pli_method* pli_method_find(const char* name) {
    for (int i = 0; i < METHOD_COUNT; ++i)
        if (strcmp(methods[i].name, name) == 0) return &methods[i];
    return NULL;
}

const pli_line_search* pli_line_search_find(const char* name) {
    for (int i = 0; i < LINE_SEARCH_COUNT; ++i)
        if (strcmp(line_searches[i].name, name) == 0) return &line_searches[i];
    return NULL;
}
