// Looks at E before and after every minimization, with lag and stiffnesses as they are then. The
// programs are linked with --wrap=pli_minimizer_run: every call of the world comes here first.
#include "minimize/minimize.h"
#include "torture/torture.h"

// Differences below this part of the sizes of its parts may be rounding, at each direction.
static const double ROUNDING = 1e-13;

static double largest_rise; // one world runs at a time

double pli_energy_rise(void) {
    double rise = largest_rise;
    largest_rise = 0;
    return rise;
}

pli_status __real_pli_minimizer_run(pli_minimizer* minimizer, const pli_problem* problem, double* q,
                                    pli_minimize_info* info, pli_error* error);
pli_status __wrap_pli_minimizer_run(pli_minimizer* minimizer, const pli_problem* problem, double* q,
                                    pli_minimize_info* info, pli_error* error);

pli_status __wrap_pli_minimizer_run(pli_minimizer* minimizer, const pli_problem* problem, double* q,
                                    pli_minimize_info* info, pli_error* error) {
    double before, after, size, end_size;
    TRY(problem->ops->value(problem->self, q, &before, &size, error));
    TRY(__real_pli_minimizer_run(minimizer, problem, q, info, error));
    TRY(problem->ops->value(problem->self, q, &after, &end_size, error));
    double rounding = ROUNDING * (info->iterations + 1) * fmax(size, end_size);
    if (after > before) largest_rise = fmax(largest_rise, (after - before) / rounding);
    return PLI_OK;
}
