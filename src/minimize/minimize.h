// Minimizers of E, which know nothing of time, bodies or contact.
//
// One loop serves all methods (minimize.c): direction, certified segment, line search. A method is
// a way to find a direction (a row of the table in methods.c).
#ifndef PLI_MINIMIZE_MINIMIZE_H
#define PLI_MINIMIZE_MINIMIZE_H

#include "base/parallel.h"
#include "energy/term.h"
#include "pliant/world.h"
#include "sparse/linear.h"

enum { PLI_MAX_CORRECTIONS = 4 };

// The largest net force on a part of the problem, as a part of the largest force on it.
typedef struct pli_unbalanced {
    double share;
    double resolved; // the same without what rounding of positions may make of it
} pli_unbalanced;

// The function to minimize. All arrays have unknown_count entries.
typedef struct pli_problem_ops {
    // Before each direction; may freeze unknowns (their gradient is 0 and their row the identity).
    pli_status (*update)(void* self, const double* q, pli_error* error);
    // E(q) [J], HUGE_VAL if forbidden, and the sum of the sizes of its parts: what rounding is
    // measured against.
    pli_status (*value)(void* self, const double* q, double* e, double* size, pli_error* error);
    // The part of E that deformation stores [J]: what an error of E is compared with in statics.
    // NULL: forces alone decide.
    pli_status (*stored)(void* self, const double* q, double* energy, pli_error* error);
    // g = dE/dq, and the matrix unless `wish` is NULL. `load` (may be NULL): norm of the forces
    // present, whether they cancel or not, to compare |g| with.
    pli_status (*derivatives)(void* self, const double* q, const pli_hessian_wish* wish, double* g,
                              double* load, pli_error* error);
    // The matrix of the last `derivatives`; *epoch changes with the pattern.
    void (*matrix)(void* self, const pli_pattern** pattern, double** values, uint64_t* epoch);
    // What is to be added to it and is kept as factors; NULL: nothing.
    const pli_low_rank* (*low_rank)(void* self);
    // Where it differs from the one before: flags of groups, as of pli_linear_ops. NULL:
    // everywhere.
    const uint8_t* (*changed)(void* self);
    // Shortens *alpha (at most 1) until q .. q + *alpha p is certified free of forbidden states.
    pli_status (*segment)(void* self, const double* q, const double* p, double* alpha,
                          pli_error* error);
    // Sets p = 0 for unknowns that must not move: their g is 0, but an inexact solution or a
    // corrected matrix may couple them with others. NULL: all may move.
    void (*rest)(void* self, double* p);
    // The unknowns fall into islands that the last matrix does not couple: scales p island by
    // island to what is likely to be certified; *least: the smallest factor, *free: the part of the
    // unknowns whose factor is 1. NULL: there are no islands.
    pli_status (*shorten)(void* self, const double* q, double* p, double* least, double* free,
                          pli_error* error);
    // After `segment`: how many islands E has on it, and that of each unknown. NULL: one.
    int (*islands)(void* self, const int32_t** of);
    // E of each island, as `value`.
    pli_status (*island_values)(void* self, const double* q, double* e, double* size,
                                pli_error* error);
    // The matrix of q, `wish` as for `derivatives`, made to predict what E does at q + alpha p and
    // at the points of the `round` calls before: see pli_assembly_correct. `round`: below
    // PLI_MAX_CORRECTIONS. NULL: the matrix cannot be corrected.
    pli_status (*correct)(void* self, const double* q, const double* p, double alpha, int round,
                          const pli_hessian_wish* wish, pli_error* error);
    // Size of a correction in the unit of the tolerance: |W p|_inf / h [m/s] in dynamics.
    double (*speed)(void* self, const double* p);
    // After `derivatives` at the same q: how far the forces are from balance; of states that are
    // called converged at most PLI_BALANCED. NULL: that is not asked for.
    pli_unbalanced (*unbalanced)(void* self, const double* g);
    // At the end, if the residual is not a speed: the net force, to report where it acts. NULL: it
    // is not reported.
    void (*report_force)(void* self, const double* g);
    // Norm of the change of g if each position is moved by what it cannot resolve: a net force
    // below that means nothing. Called after `derivatives` at the same q.
    pli_status (*rounding)(void* self, const double* q, double* force, pli_error* error);
    // z = D^-1 g with a positive diagonal D: the metric of gradient descent.
    void (*metric)(void* self, const double* g, double* z);
    // The motions of pli_near_null, after `derivatives`; NULL: nothing is known.
    int (*rigid)(void* self, double* modes);
    // After each step: is the motion blocked, so that this will not converge? NULL: never.
    bool (*blocked)(void* self);
} pli_problem_ops;

typedef struct pli_problem {
    const pli_problem_ops* ops;
    void* self;
    int unknown_count;
    bool by_force; // statics: a small correction means nothing, stop by the net force
} pli_problem;

#define PLI_BALANCED 1e-3

typedef struct pli_minimize_info {
    pli_reason reason;
    int iterations;        // directions computed
    int linear_iterations; // of pcg
    double residual;       // see pli_step_info
    double unbalanced;     // see pli_step_info
    double min_step;       // smallest accepted fraction, 1 if there was none
    int64_t factor_nonzeros;
    int symbolic_count;
} pli_minimize_info;

typedef struct pli_minimizer pli_minimizer;

// `seconds` is where times are added. The names in `def` must be in the tables.
pli_status pli_minimizer_create(pli_memory* memory, pli_pool* pool, const pli_solver_def* def,
                                int unknown_count, pli_phase_times* seconds, pli_minimizer** out,
                                pli_error* error);
void pli_minimizer_destroy(pli_minimizer* minimizer);

// Resets the linear solver to its state before the first matrix. On failure nothing changes.
pli_status pli_minimizer_forget(pli_minimizer* minimizer, pli_error* error);
// Has the linear solver seen its matrix, or does the method use none?
bool pli_minimizer_analyzed(const pli_minimizer* minimizer);
// What the linear solver will take in the first run [bytes], for the matrix of the last
// `derivatives`; of a method that uses one. The minimizer does not change.
pli_status pli_minimizer_predict(pli_minimizer* minimizer, const pli_problem* problem,
                                 size_t* bytes, pli_error* error);

// Minimizes from q, in place. E at the result is not above E at the start (but for rounding) unless
// line search "none" was asked for; every iterate is certified, whatever the reason of the stop.
pli_status pli_minimizer_run(pli_minimizer* minimizer, const pli_problem* problem, double* q,
                             pli_minimize_info* info, pli_error* error);

// What the linear solver keeps from step to step. `same`: the pattern is the one that it had when
// it was saved; then it is analyzed at once, if it was. State of another solver is
// skipped and this one reset: results depend on what was restored alone, to the last bit.
void pli_minimizer_save(const pli_minimizer* minimizer, const pli_problem* problem, pli_pack* out);
pli_status pli_minimizer_restore(pli_minimizer* minimizer, const pli_problem* problem, bool same,
                                 pli_unpack* in, pli_error* error);

// Does a minimizer of this definition need no more of a matrix than products with it? Then wide
// stencils stay factors.
bool pli_minimizer_multiplies(const pli_solver_def* def);

// Is the residual the speed of a correction? Else it is a net force.
bool pli_minimizer_by_speed(const pli_minimizer* minimizer, const pli_problem* problem);

// Words of the tables, for parameter rows; NULL after the last.
const char* pli_method_name(int i);
const char* pli_line_search_name(int i);
const char* pli_method_help(int i);
const char* pli_line_search_help(int i);

// The stopping test of a minimization; remedies depend on it.
typedef enum pli_situation {
    PLI_BY_SPEED,   // of Newton's correction: solver.tolerance
    PLI_BY_FORCE,   // other methods: solver.gradient_tolerance
    PLI_BY_STATICS, // there is no inertia: the same
    PLI_SITUATION_COUNT
} pli_situation;
const char* pli_reason_remedy(pli_reason reason, pli_situation situation); // "" if converged

#endif
