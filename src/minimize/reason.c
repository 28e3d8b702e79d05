// Why a minimization ended, in words.
#include "minimize/minimize.h"

static const struct {
    const char *text, *remedy;
    const char* statics; // what to change if there is no inertia; NULL: the same
} reasons[] = {
    [PLI_CONVERGED] = {"converged", "", NULL},
    [PLI_ITERATION_CAP] = {"iteration cap",
                           "raise solver.max_iterations, or use a smaller time.step",
                           "there may be no equilibrium: is every body held against its loads? "
                           "Otherwise use more load steps, or raise solver.max_iterations"},
    [PLI_LINE_SEARCH_STALLED] =
        {"line search stalled",
         "the tolerance may be below rounding: raise solver.tolerance (or gradient_tolerance)",
         "there may be no equilibrium: is every body held against its loads? If it is and the "
         "residual is small, raise solver.gradient_tolerance"},
    [PLI_INDEFINITE] = {"indefinite matrix",
                        "use solver.method \"projected-newton\", or a smaller time.step",
                        "use solver.method \"projected-newton\""},
    [PLI_OUT_OF_DOMAIN] =
        {"out of domain",
         "the energy at the start of the step is not a finite number: an element is inverted, "
         "something touches an obstacle, or a load or target is far out of range",
         NULL},
    [PLI_LINEAR_STALLED] = {"linear solver stalled",
                            "use solver.linear \"cholesky\", or raise solver.max_linear_iterations",
                            NULL},
    [PLI_DIVERGED] =
        {"diverged",
         "an explicit scheme needs steps below its limit: use a smaller time.step, or an "
         "implicit scheme",
         NULL},
    [PLI_BLOCKED] = {"prescribed motion blocked",
                     "something is in the way: shorten the motion, or let solver.on_blocked be "
                     "\"go-on\" to push on",
                     NULL},
    [PLI_UNBALANCED] =
        {"forces not balanced",
         "contacts are squeezed far below contact.dhat: use a smaller time.step, or a "
         "larger contact.stiffness (or \"auto\")",
         NULL},
    [PLI_ROUNDING] = {"rounding reached",
                      "positions cannot resolve the forces of contact any better: use a smaller "
                      "contact.stiffness, a larger contact.dhat, or put the scene near the origin",
                      NULL},
};

enum { REASON_COUNT = sizeof reasons / sizeof *reasons };

const char* pli_reason_text(pli_reason reason) {
    return (unsigned)reason < REASON_COUNT ? reasons[reason].text : "unknown";
}

const char* pli_reason_remedy(pli_reason reason, bool statics) {
    if ((unsigned)reason >= REASON_COUNT) return "";
    const char* special = reasons[reason].statics;
    return statics && special ? special : reasons[reason].remedy;
}
