// Inside minimize: the state of a minimizer and the table of methods.
#ifndef PLI_MINIMIZE_METHODS_H
#define PLI_MINIMIZE_METHODS_H

#include "minimize/adapt.h"
#include "minimize/minimize.h"
#include "sparse/augmented.h"

enum { PLI_LBFGS_MEMORY = 8 };

typedef struct pli_method {
    const char* name;
    const char* help;
    bool newton;  // uses the matrix; p is a correction, so its speed is the stopping test
    bool project; // the matrix is projected to positive semi-definite per stencil where needed
    // m->g holds dE/dq (and the problem its matrix); fills m->p. Sets *reason if there is no
    // direction.
    pli_status (*direction)(pli_minimizer* m, const pli_problem* problem, pli_reason* reason,
                            pli_error* error);
    // Called after the step from q to q + alpha p; NULL: nothing to store.
    void (*accepted)(pli_minimizer* m, double alpha);
} pli_method;

typedef struct pli_line_search {
    const char* name;
    const char* help;
    double decrease; // c in E(q + alpha p) <= E(q) + c alpha g.p
    bool check;      // false: any finite E is accepted
} pli_line_search;

struct pli_minimizer {
    pli_memory* memory;
    pli_pool* pool;
    pli_solver_def def;
    const pli_method* method;
    const pli_line_search* line_search;
    const pli_linear_ops* linear; // NULL unless the method is a Newton method
    void* solver;
    pli_woodbury woodbury; // for solvers that cannot add low-rank matrices
    // For problems with equations: few by a dense complement, many by an augmented matrix. Either
    // has `equations` once a factor exists, the augmented matrix once `weighed`.
    pli_schur schur;
    pli_augmented augmented;
    bool weighed;
    double *gaps, *net; // their gaps and rounding; dE/dq with their forces
    size_t gap_capacity, net_capacity;
    bool closing; // the next direction closes the gaps; otherwise it leaves them as they are
    const pli_problem* problem; // during a minimization
    uint64_t analyzed_epoch, augmented_epoch;
    pli_adapt adapt; // for methods that project
    int n;
    double *g, *p, *trial, *trial_g, *last_p;
    double* islands; // work space, numbers of islands
    int island_capacity;
    double *last_g, *history; // L-BFGS: s and y of the last steps, newest last
    double rho[PLI_LBFGS_MEMORY];
    int history_count;
    bool pair_waiting; // the newest s is stored, its y is not yet known
    int linear_iterations, symbolic_count;
    double gain;    // ratio of the last two residuals; 0: fewer than two so far
    double forcing; // required relative accuracy of the next direction
    bool first;     // the next matrix is the first of a run
    bool exact;     // all Hessians of the next matrix are evaluated
    bool projected; // the last matrix was projected
    bool loose;     // the linear solver reports an inexact last direction
    pli_phase_times* seconds;
};

// Allowed relative error of the next direction; `residual`: of the last.
double pli_method_forcing(const pli_minimizer* m, const pli_problem* problem, double residual);
// The multipliers of the equations that balance dE/dq = m->g best. *known: there is a factor, and
// there are equations.
pli_status pli_method_balance(pli_minimizer* m, const pli_problem* problem, bool* known,
                              pli_error* error);
// Options of the next matrix, including how much of the last one may be kept.
pli_hessian_wish pli_method_wish(pli_minimizer* m);

const pli_method* pli_method_find(const char* name);
const pli_line_search* pli_line_search_find(const char* name);

#endif
