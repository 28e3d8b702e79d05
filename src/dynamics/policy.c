// Step sizes, and what happens to failed steps.
//
// A step that is not accepted is repeated in two halves (solver.on_failure: substep), or shorter
// (with adaptive step size), or not at all: then pli_world_step restores its start. "accept"
// accepts any certified state, "substep" and "stop" only a converged one.
#include "dynamics/step.h"

#include <string.h>

// The very first part of a run of high order starts with 2^-7 of itself; less would lose v to
// rounding.
enum { START_HALVINGS = 7 };

// `last`: there is no shorter step to fall back to.
static pli_permitted permitted_ends(const pli_world* w, bool last) {
    return (pli_permitted){.failure = last && strcmp(w->model.def.solver.on_failure, "accept") == 0,
                           .blocked = strcmp(w->model.def.solver.on_blocked, "go-on") == 0};
}

// Advances by h; if that fails and halving is allowed, by two halves.
static pli_status advance_or_divide(pli_world* w, double h, int halvings, pli_step_info* info,
                                    pli_error* error) {
    PLI_TRY(pli_world_advance(w, h, permitted_ends(w, halvings == 0), info, error));
    if (info->kept || halvings == 0) return PLI_OK;
    for (int half = 0; half < 2; ++half) {
        PLI_TRY(advance_or_divide(w, 0.5 * h, halvings - 1, info, error));
        if (!info->kept) return PLI_OK;
    }
    return PLI_OK;
}

// Advances by a step of the adaptive size; repeats with shorter ones until one is accepted.
static pli_status advance_controlled(pli_world* w, pli_step_info* info, pli_error* error) {
    for (;; info->rejected++) {
        double h = pli_control_size(w);
        bool shortest = h <= w->model.def.step_min;
        info->time_step = h;
        PLI_TRY(pli_world_advance(w, h, permitted_ends(w, shortest), info, error));
        if (info->kept || (info->reason != PLI_CONVERGED && !pli_control_shorten(w, h)))
            return PLI_OK;
    }
}

// The first steps of schemes of order k >= 3, which need k states. Each is divided into 2^(k + 1)
// equal parts, and the very first part grows from a tiny one at order 2 (doubling steps are
// unstable at higher orders). So the error of the low orders is far below that of the later steps.
// The states at full steps are stored separately until there are enough of them.
static pli_status advance_first(pli_world* w, double h, int halvings, pli_step_info* info,
                                pli_error* error) {
    pli_history* at = &w->history;
    int parts = 1 << (at->depth + 1);
    double part = h / parts;
    info->kept = true;
    if (w->coarse.count == 0) {
        pli_history_restart(&w->coarse, w->time, at->q[0], at->v[0]);
        double tiny = part / (1 << START_HALVINGS);
        PLI_TRY(advance_or_divide(w, tiny, halvings, info, error));
        for (int i = 0; i < START_HALVINGS && info->kept; ++i) {
            at->count = pli_min_int(at->count, 2);
            PLI_TRY(advance_or_divide(w, tiny, halvings, info, error));
            tiny *= 2;
        }
        at->count = pli_min_int(at->count, 2);
    } else {
        PLI_TRY(advance_or_divide(w, part, halvings, info, error));
    }
    for (int i = 1; i < parts && info->kept; ++i)
        PLI_TRY(advance_or_divide(w, part, halvings, info, error));
    return PLI_OK;
}

void pli_world_keep_full_step(pli_world* w) {
    pli_history* at = &w->history;
    if (!pli_world_is_starting(w)) return;
    pli_history_push(&w->coarse, w->time, at->q[0], at->v[0]);
    if (w->coarse.count < w->coarse.depth) return;
    pli_history fine = *at;
    *at = w->coarse;
    w->coarse = fine;
}

pli_status pli_world_advance_by_policy(pli_world* w, pli_step_info* info, pli_error* error) {
    double h = w->model.def.time_step;
    int halvings = strcmp(w->model.def.solver.on_failure, "substep") == 0
                       ? w->model.def.solver.max_substeps
                       : 0;
    if (w->history.count == 1) w->coarse.count = 0; // a start, or a restart
    if (pli_control_on(w)) return advance_controlled(w, info, error);
    if (pli_world_is_starting(w)) return advance_first(w, h, halvings, info, error);
    return advance_or_divide(w, h, halvings, info, error);
}
