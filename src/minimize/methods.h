// Inside minimize: the state of a minimizer and the table of methods.
#ifndef PLI_MINIMIZE_METHODS_H
#define PLI_MINIMIZE_METHODS_H

#include "minimize/adapt.h"
#include "minimize/minimize.h"
#include "sparse/woodbury.h"

enum { PLI_LBFGS_MEMORY = 8 };

typedef struct pli_method {
    const char* name;
    const char* help;
    bool newton;  // uses the matrix; p means a correction, so its speed is the stopping test
    bool project; // the matrix is made positive semi-definite stencil by stencil, where it must be
    // m->g holds dE/dq (and the problem its matrix); fills m->p. Sets *reason if there is none.
    pli_status (*direction)(pli_minimizer* m, const pli_problem* problem, pli_reason* reason,
                            pli_error* error);
    // After the step from q to q + alpha p; NULL: nothing to remember.
    void (*accepted)(pli_minimizer* m, double alpha);
} pli_method;

typedef struct pli_line_search {
    const char* name;
    const char* help;
    double decrease; // c in E(q + alpha p) <= E(q) + c alpha g.p
    bool check;      // false: any finite E will do
} pli_line_search;

struct pli_minimizer {
    pli_memory* memory;
    pli_pool* pool;
    pli_solver_def def;
    const pli_method* method;
    const pli_line_search* line_search;
    const pli_linear_ops* linear; // NULL unless the method is a Newton method
    void* solver;
    pli_woodbury woodbury; // of solvers that cannot add low-rank matrices
    const pli_problem* problem; // while it is minimized
    uint64_t analyzed_epoch;
    pli_adapt adapt; // of methods that project
    int n;
    double *g, *p, *trial, *trial_g, *last_p;
    double* islands; // room for numbers of islands
    int island_capacity;
    double *last_g, *history; // L-BFGS: s and y of the last steps, newest last
    double rho[PLI_LBFGS_MEMORY];
    int history_count;
    bool pair_waiting; // the newest s is stored, its y is not yet known
    int linear_iterations, symbolic_count;
    double gain;    // the last residual over the one before; 0: there are no two yet
    double forcing; // how exact the next direction must be
    bool first;     // the next matrix is the first of a run
    bool exact;     // all of the next matrix is evaluated
    bool projected; // the last matrix was
    bool loose;     // the last direction is inexact, says the linear solver
    pli_phase_times* seconds;
};

// Allowed relative error of the next direction; `residual`: of the last.
double pli_method_forcing(const pli_minimizer* m, const pli_problem* problem, double residual);
// The next matrix, and how much of the last one may be kept for it.
pli_hessian_wish pli_method_wish(pli_minimizer* m);

const pli_method* pli_method_find(const char* name);
const pli_line_search* pli_line_search_find(const char* name);

#endif
