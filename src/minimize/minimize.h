// Minimizers of E. They know nothing about time, bodies or contact.
//
// One loop serves all methods (minimize.c): direction, certified segment, line search. A method
// computes a direction (a row of the table in methods.c).
#ifndef PLI_MINIMIZE_MINIMIZE_H
#define PLI_MINIMIZE_MINIMIZE_H

#include "base/parallel.h"
#include "energy/term.h"
#include "pliant/world.h"
#include "sparse/linear.h"
#include "sparse/schur.h"

enum { PLI_MAX_CORRECTIONS = 4 };

// The largest net force on a part of the problem, relative to the largest force on it.
typedef struct pli_unbalanced {
    double share;
    double resolved; // same, minus what rounding of positions can cause
} pli_unbalanced;

// Changes if each position moves by its rounding unit: a net force below the first is meaningless
// if it cannot gain more than the second either.
typedef struct pli_rounding {
    double force;  // the largest entry of the change of g
    double energy; // of the energy stored by deformation [J]
} pli_rounding;

// The function to minimize. All arrays have unknown_count entries.
typedef struct pli_problem_ops {
    // Called before each direction; may freeze unknowns (zero gradient, identity row).
    pli_status (*update)(void* self, const double* q, pli_error* error);
    // E(q) [J], HUGE_VAL if forbidden, and the sum of the absolute values of its parts: the scale
    // of rounding.
    pli_status (*value)(void* self, const double* q, double* e, double* size, pli_error* error);
    // The part of E stored by deformation [J]: the scale of errors of E in statics. NULL: only
    // forces decide.
    pli_status (*stored)(void* self, const double* q, double* energy, pli_error* error);
    // g = dE/dq, and the matrix unless `wish` is NULL. `load` (may be NULL): norm of the forces
    // before cancellation, the scale of |g|.
    pli_status (*derivatives)(void* self, const double* q, const pli_hessian_wish* wish, double* g,
                              double* load, pli_error* error);
    // The matrix of the last `derivatives`; *epoch changes with the pattern.
    void (*matrix)(void* self, const pli_pattern** pattern, double** values, uint64_t* epoch);
    // The low-rank part to be added to it; NULL: nothing.
    const pli_low_rank* (*low_rank)(void* self);
    // Where it differs from the previous one: flags of groups, as in pli_linear_ops. NULL:
    // everywhere.
    const uint8_t* (*changed)(void* self);
    // Shortens *alpha (at most 1) until q .. q + *alpha p is certified free of forbidden states.
    pli_status (*segment)(void* self, const double* q, const double* p, double* alpha,
                          pli_error* error);
    // Sets p = 0 for unknowns that must not move. Their g is 0, but an inexact solution or a
    // corrected matrix may couple them with others. NULL: all may move.
    void (*rest)(void* self, double* p);
    // The unknowns form islands that the last matrix does not couple: scales p island by island to
    // what is likely to be certified. *least: the smallest factor, *free: the fraction of the
    // unknowns whose factor is 1. NULL: there are no islands.
    pli_status (*shorten)(void* self, const double* q, double* p, double* least, double* free,
                          pli_error* error);
    // After `segment`: the number of islands of E on it, and the island of each unknown. NULL: one.
    int (*islands)(void* self, const int32_t** of);
    // E of each island, same as `value`.
    pli_status (*island_values)(void* self, const double* q, double* e, double* size,
                                pli_error* error);
    // The matrix at q, `wish` as for `derivatives`, corrected so that it predicts E at q + alpha p
    // and at the points of the `round` calls before: see pli_assembly_correct. `round`: below
    // PLI_MAX_CORRECTIONS. NULL: the matrix cannot be corrected.
    pli_status (*correct)(void* self, const double* q, const double* p, double alpha, int round,
                          const pli_hessian_wish* wish, pli_error* error);
    // Norm of a correction in the unit of the tolerance: |W p|_inf / h [m/s] in dynamics.
    double (*speed)(void* self, const double* p);
    // After `derivatives` at the same q: how far the forces are from balance; converged states have
    // at most PLI_BALANCED. NULL: not required.
    pli_unbalanced (*unbalanced)(void* self, const double* g);
    // At the end, if the residual is not a speed: the net force, to report where it acts. NULL: not
    // reported.
    void (*report_force)(void* self, const double* g);
    // What rounding of positions causes at q, called after `derivatives` there.
    pli_status (*rounding)(void* self, const double* q, pli_rounding* out, pli_error* error);
    // z = D^-1 g with a positive diagonal D: the metric of gradient descent.
    void (*metric)(void* self, const double* g, double* z);
    // The motions of pli_near_null, after `derivatives`; NULL: none are known.
    int (*rigid)(void* self, double* modes);
    // After each step: is the motion blocked, so that this will not converge? NULL: never.
    bool (*blocked)(void* self);
    // b - A q of each equation, and the rounding of that. NULL: there are no equations.
    void (*gaps)(void* self, const double* q, double* gaps, double* rounding);
} pli_problem_ops;

typedef struct pli_problem {
    const pli_problem_ops* ops;
    void* self;
    int unknown_count;
    bool by_force; // statics: a small correction means nothing, stop by the net force
    // A q = b holds at every iterate that is accepted; their forces -A^T lambda balance dE/dq. The
    // unknowns of a row belong to one island. NULL: none. Only with Newton's methods and solvers
    // that are not iterative: pli_minimizer_keeps_equations.
    const pli_equations* equations;
} pli_problem;

#define PLI_BALANCED 1e-3

typedef struct pli_minimize_info {
    pli_reason reason;
    int iterations;        // directions computed
    int linear_iterations; // of pcg
    double residual;       // see pli_step_info
    double unbalanced;     // see pli_step_info
    double min_step;       // smallest accepted fraction, 1 if there was no step
    int64_t factor_nonzeros;
    int symbolic_count;
} pli_minimize_info;

typedef struct pli_minimizer pli_minimizer;

// Times are added to `seconds`. The names in `def` must be in the tables.
pli_status pli_minimizer_create(pli_memory* memory, pli_pool* pool, const pli_solver_def* def,
                                int unknown_count, pli_phase_times* seconds, pli_minimizer** out,
                                pli_error* error);
void pli_minimizer_destroy(pli_minimizer* minimizer);

// Resets the linear solver to its state before the first matrix. On failure nothing changes.
pli_status pli_minimizer_forget(pli_minimizer* minimizer, pli_error* error);
// True if the linear solver has analyzed its matrix, or the method uses none.
bool pli_minimizer_analyzed(const pli_minimizer* minimizer);
// Memory that the linear solver will need in the first run [bytes], for the matrix of the last
// `derivatives`; only for a method that uses one. The minimizer does not change.
pli_status pli_minimizer_predict(pli_minimizer* minimizer, const pli_problem* problem,
                                 size_t* bytes, pli_error* error);

// Minimizes from q, in place. E at the result is not above E at the start (except for rounding)
// unless line search "none" is set; every iterate is certified, for any stop reason. If q does not
// satisfy the equations, certified steps lead to where it does first, and E counts from there; if
// there is no way, the reason is PLI_LINE_SEARCH_STALLED.
pli_status pli_minimizer_run(pli_minimizer* minimizer, const pli_problem* problem, double* q,
                             pli_minimize_info* info, pli_error* error);

// State that the linear solver keeps between steps. `same`: the pattern is the one it had when it
// was saved; then it is analyzed at once, if it was analyzed. State of another solver is skipped
// and this one reset: results depend only on the restored state, to the last bit.
void pli_minimizer_save(const pli_minimizer* minimizer, const pli_problem* problem, pli_pack* out);
pli_status pli_minimizer_restore(pli_minimizer* minimizer, const pli_problem* problem, bool same,
                                 pli_unpack* in, pli_error* error);

// True if a minimizer with this definition needs only products with the matrix. Then wide stencils
// stay factors.
bool pli_minimizer_multiplies(const pli_solver_def* def);

// True if a minimizer with this definition can keep equations.
bool pli_minimizer_keeps_equations(const pli_solver_def* def);

// Is the residual the speed of a correction? Otherwise it is a net force.
bool pli_minimizer_by_speed(const pli_minimizer* minimizer, const pli_problem* problem);

// Names in the tables, for parameter rows; NULL after the last.
const char* pli_method_name(int i);
const char* pli_line_search_name(int i);
const char* pli_method_help(int i);
const char* pli_line_search_help(int i);

// The stopping test of a minimization; remedies depend on it.
typedef enum pli_situation {
    PLI_BY_SPEED,   // of Newton's correction: solver.tolerance
    PLI_BY_FORCE,   // other methods: solver.gradient_tolerance
    PLI_BY_STATICS, // no inertia: solver.gradient_tolerance
    PLI_SITUATION_COUNT
} pli_situation;
const char* pli_reason_remedy(pli_reason reason, pli_situation situation); // "" if converged

#endif
