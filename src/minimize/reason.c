// Why a minimization ended, in words.
#include "minimize/minimize.h"

static const struct {
    const char *text, *remedy;
} reasons[] = {
    [PLI_CONVERGED] = {"converged", ""},
    [PLI_ITERATION_CAP] = {"iteration cap",
                           "raise solver.max_iterations, or use a smaller time.step"},
    [PLI_LINE_SEARCH_STALLED] =
        {"line search stalled",
         "the tolerance may be below rounding: raise solver.tolerance (or gradient_tolerance)"},
    [PLI_INDEFINITE] = {"indefinite matrix",
                        "use solver.method \"projected-newton\", or a smaller time.step"},
    [PLI_OUT_OF_DOMAIN] =
        {"out of domain",
         "the start has an inverted element or touches an obstacle: see pliant check"},
    [PLI_LINEAR_STALLED] =
        {"linear solver stalled",
         "use solver.linear \"cholesky\", or raise solver.max_linear_iterations"},
    [PLI_DIVERGED] =
        {"diverged",
         "an explicit scheme needs steps below its limit: use a smaller time.step, or an "
         "implicit scheme"},
    [PLI_BLOCKED] = {"prescribed motion blocked",
                     "something is in the way: shorten the motion, or let solver.on_failure be "
                     "\"accept\" to push on"},
};

enum { REASON_COUNT = sizeof reasons / sizeof *reasons };

const char* pli_reason_text(pli_reason reason) {
    return (unsigned)reason < REASON_COUNT ? reasons[reason].text : "unknown";
}

const char* pli_reason_remedy(pli_reason reason) {
    return (unsigned)reason < REASON_COUNT ? reasons[reason].remedy : "";
}
