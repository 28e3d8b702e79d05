// Predicts memory. Preparing a world allocates everything that steps need, except the numeric part
// of the linear solver, whose size follows from the symbolic part. Contacts need more, which cannot
// be predicted.
#include "dynamics/world.h"

// The matrix of the first step, for solvers that need values; overwrites scratch data of steps.
static pli_status assemble(pli_world* w, const pli_problem* problem, pli_error* error) {
    double h = pli_control_on(w) ? pli_control_size(w) : w->model.def.time_step;
    PLI_TRY(pli_world_begin(w, h, error));
    const pli_hessian_wish wish = {.project = true};
    return problem->ops->derivatives(w, w->q, &wish, w->product, NULL, error);
}

static pli_status predict(pli_world* world, pli_memory_prediction* prediction, pli_error* error) {
    PLI_TRY(pli_world_make_ready(world, error));
    pli_world* w = world;
    pli_memory_prediction p = {.world = w->memory.bytes};
    for (int t = 0; t < w->term_count; ++t) p.contact |= w->terms[t].contact;
    if (w->scheme->aim && !pli_minimizer_analyzed(w->minimizer)) {
        pli_problem problem = pli_world_problem(w);
        PLI_TRY(pli_undo_keep(w, error));
        pli_status status = assemble(w, &problem, error);
        if (status == PLI_OK)
            status = pli_minimizer_predict(w->minimizer, &problem, &p.solver, error);
        PLI_TRY(pli_undo_go_back(w, status == PLI_OK ? error : NULL));
        PLI_TRY(status);
    } else if (w->scheme->stiffness && !w->damping) {
        p.solver = sizeof *w->damping * (size_t)w->assembly.pattern.value_count;
    }
    p.peak = p.world + p.solver > w->memory.peak ? p.world + p.solver : w->memory.peak;
    *prediction = p;
    return PLI_OK;
}

pli_status pli_world_predict_memory(pli_world* world, pli_memory_prediction* prediction,
                                    pli_error* error) {
    if (!prediction) return pli_fail(error, PLI_E_ARGUMENT, "prediction is NULL");
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, predict(world, prediction, error));
}
