// Adaptive step size.
//
// By error: a step of order p has a local error of about
//     e = C h |dv|      (p = 1)        e = C h^2 |da|      (p = 2)
// over all free vertices, with C from the scheme's row: backward Euler has an error of half a
// step's change of velocity, the trapezoid rule of a twelfth of the change of acceleration
// [Zienkiewicz and Xie 1991]. Steps whose e is above the allowed error are rejected and repeated
// with a smaller size; the next size aims at the allowed error.
//
// By effort: the next size aims at a number of Newton iterations. In both cases a step that does
// not converge is repeated at a quarter of its size.
#include "dynamics/world.h"

#include "math/elementary.h"
#include "math/vec.h"

#include <string.h>

static const double SAFETY = 0.9; // factor on the largest allowed size
static const double SHRINK = 0.25,
                    SLOWEST = 0.3; // factors after a failure and, at most, after a large error
static const double FASTEST = 1.5; // largest growth from step to step

bool pli_control_on(const pli_world* w) { return w->model.def.time_step == 0; }

static bool is_by_error(const pli_world_def* def) {
    return strcmp(def->step_control, "error") == 0;
}
static bool by_error(const pli_world* w) { return is_by_error(&w->model.def); }

static pli_status refuse(pli_status status, const char* key, pli_error* error) {
    return pli_error_place(status, error, PLI_OBJECT_TIME, -1, key);
}

pli_status pli_control_check(const pli_world_def* def, pli_error* error) {
    const pli_scheme* scheme = pli_scheme_find(def->scheme);
    if (def->time_step > 0) return PLI_OK;
    if (def->step_min > def->step_max)
        return refuse(pli_fail(error, PLI_E_ARGUMENT,
                               "step_min = %g s, must be at most step_max = %g s", def->step_min,
                               def->step_max),
                      "step_min", error);
    if (scheme->depth > 2)
        return refuse(pli_fail(error, PLI_E_ARGUMENT,
                               "scheme \"%s\" is unstable with a variable step size: set a "
                               "fixed step or use bdf2",
                               scheme->name),
                      "scheme", error);
    if (is_by_error(def) && scheme->order == 0)
        return refuse(
            pli_fail(error, PLI_E_ARGUMENT, "scheme \"%s\" has no error estimate: %s", scheme->name,
                     scheme->step ? "set a fixed step" : "set step_control to \"effort\""),
            "scheme", error);
    if (!is_by_error(def) && scheme->step)
        return refuse(pli_fail(error, PLI_E_ARGUMENT,
                               "scheme \"%s\" is explicit, so all steps have the same effort: set "
                               "step_control to \"error\"",
                               scheme->name),
                      "step_control", error);
    return PLI_OK;
}

void pli_control_start(pli_world* w, double size) {
    w->allowed_error = w->model.def.step_error > 0 ? w->model.def.step_error : 1e-4 * size;
    // A first guess that is too large costs one rejected step by error, but little by effort.
    w->next_step =
        by_error(w) ? sqrt(w->model.def.step_min * w->model.def.step_max) : w->model.def.step_max;
}

double pli_control_size(const pli_world* w) {
    double h = fmax(w->model.def.step_min, fmin(w->model.def.step_max, w->next_step));
    double left = w->model.def.end_time - w->time;
    if (w->model.def.end_time == 0 || left <= 0) return h;
    // The rest in one step, or in two equal ones instead of a long and a tiny one.
    return left <= 1.001 * h ? left : fmin(h, 0.5 * left);
}

bool pli_control_shorten(pli_world* w, double h) {
    if (h <= w->model.def.step_min) return false;
    w->next_step = SHRINK * h;
    return true;
}

// Largest change over the step of velocity or acceleration of a vertex that is not prescribed, or
// of a node, converted to metres by its scale.
static double largest_change(pli_world* w, const double* now, const double* before) {
    pli_sub(now, before, w->scratch, w->kinematics.unknown_count);
    pli_kinematics_directions(&w->kinematics, w->pool, w->scratch, w->dx);
    double largest = 0;
    for (int v = 0; v < w->model.vertex_count; ++v)
        if (w->model.supports[v].kind != PLI_SUPPORT_PRESCRIBED)
            largest = fmax(largest, pli_norm(w->dx + 3 * (size_t)v, 3));
    for (int i = 0; i < w->nodes.count; ++i) // massless nodes are not integrated
        if (w->nodes.list[i].def.mass > 0)
            largest = fmax(largest, w->nodes.list[i].def.scale *
                                        fabs(w->dx[3 * (size_t)(w->nodes.first + i)]));
    return largest;
}

static double error_growth(pli_world* w, double h) {
    const pli_scheme* scheme = w->scheme;
    double change = scheme->order == 1 ? largest_change(w, w->v, w->history.v[0])
                                       : h * largest_change(w, w->a, w->history.a);
    double e = scheme->error * h * change;
    return e > 0 ? SAFETY * pli_pow(w->allowed_error / e, 1. / (scheme->order + 1)) : FASTEST;
}

bool pli_control_judge(pli_world* w, double h, int iterations) {
    double growth = by_error(w)
                        ? error_growth(w, h)
                        : sqrt((double)w->model.def.step_effort / pli_max_int(iterations, 1));
    bool good = !by_error(w) || growth >= SAFETY || h <= w->model.def.step_min;
    w->next_step = h * fmax(SLOWEST, fmin(FASTEST, growth));
    return good;
}
