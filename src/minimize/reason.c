// Why a minimization ended, in words. tests/scene/test_remedies.c tries each remedy on a step that
// fails: the remedy must make it pass.
#include "minimize/minimize.h"

static const struct {
    const char* text;
    const char* remedy[PLI_SITUATION_COUNT]; // NULL: as in the first situation
} reasons[] = {
    [PLI_CONVERGED] = {"converged", {""}},
    [PLI_ITERATION_CAP] =
        {"iteration cap",
         {"raise solver.max_iterations, or use a smaller time.step",
          [PLI_BY_STATICS] =
              "there may be no equilibrium: check that every body is held against its "
              "loads. Otherwise raise solver.max_iterations, or let the loads "
              "grow with t and use more load steps (time.steps)"}},
    [PLI_LINE_SEARCH_STALLED] =
        {"line search stalled",
         {"rounding limits the step: use a larger contact.dhat, or put the scene nearer to the "
          "origin, where positions resolve smaller distances",
          [PLI_BY_FORCE] = "rounding limits the step: raise solver.gradient_tolerance above the "
                           "residual",
          [PLI_BY_STATICS] = "there may be no equilibrium: check that every body is held against "
                             "its loads. If so and the "
                             "residual is small, raise solver.gradient_tolerance above it"}},
    [PLI_INDEFINITE] = {"indefinite matrix",
                        {"use solver.method \"projected-newton\", or a smaller time.step",
                         [PLI_BY_STATICS] = "use solver.method \"projected-newton\""}},
    [PLI_OUT_OF_DOMAIN] =
        {"out of domain",
         {"the energy at the start of the step is not a finite number: an element is inverted, "
          "something touches an obstacle, or a load or target is far out of range"}},
    [PLI_LINEAR_STALLED] = {"linear solver stalled",
                            {"use solver.linear \"multifrontal\", or raise "
                             "solver.max_linear_iterations"}},
    [PLI_DIVERGED] =
        {"diverged",
         {"an explicit scheme needs steps below its limit: use a smaller time.step, or an "
          "implicit time.scheme"}},
    [PLI_BLOCKED] = {"prescribed motion blocked",
                     {"an obstacle blocks it: shorten the motion, or set solver.on_blocked to "
                      "\"go-on\" to continue; if what lies on it only should follow, raise stiffness "
                      "of the motion, to 1e6"}},
    [PLI_INTERRUPTED] = {"interrupted", {"repeat the step to continue"}},
    [PLI_UNBALANCED] = {"forces not balanced",
                        {"contacts are squeezed far below contact.dhat: use a smaller time.step, "
                         "or a larger contact.stiffness (or \"auto\")"}},
    [PLI_ROUNDING] = {"rounding reached",
                      {"positions cannot resolve the contact forces any better: use a smaller "
                       "contact.stiffness or a larger contact.dhat, or put the scene nearer to the "
                       "origin"}},
};

enum { REASON_COUNT = sizeof reasons / sizeof *reasons };

const char* pli_reason_text(pli_reason reason) {
    return (unsigned)reason < REASON_COUNT ? reasons[reason].text : "unknown";
}

const char* pli_reason_remedy(pli_reason reason, pli_situation situation) {
    if ((unsigned)reason >= REASON_COUNT) return "";
    const char* special = reasons[reason].remedy[situation];
    return special ? special : reasons[reason].remedy[PLI_BY_SPEED];
}
