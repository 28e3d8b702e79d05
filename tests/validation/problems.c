// Runs a row and judges it: tolerance at the finest resolution run, order of convergence, side.
#include "validation/problems.h"

#include <stdio.h>

int pli_problem_resolutions(const problem* row) {
    int count = 0;
    while (count < PLI_RESOLUTIONS && row->resolution[count] > 0) ++count;
    return count;
}

static pli_status run(const problem* row, double resolution, outcome* out, pli_error* error) {
    trial t;
    pli_trial_init(&t);
    *out = (outcome){.computed = NAN, .exact = row->exact, .error = NAN};
    pli_status status = row->run(row, resolution, &t, out);
    pli_trial_close(&t);
    *error = t.error;
    if (isnan(out->error)) {
        out->error = fabs(out->computed - out->exact);
        if (out->exact != 0) out->error /= fabs(out->exact);
    }
    return status;
}

// Between the last two resolutions, error ~ resolution^-order.
static double measured_order(const problem* row, const verdict* v) {
    if (v->count < 2) return NAN;
    int n = v->count - 1;
    return log(v->at[n - 1].error / v->at[n].error) /
           log(row->resolution[n] / row->resolution[n - 1]);
}

static void judge_side(const problem* row, verdict* v) {
    for (int i = 0; i < v->count && row->from_below; ++i) {
        double before = i > 0 ? v->at[i - 1].computed : -HUGE_VAL;
        if (v->at[i].computed < v->at[i].exact && v->at[i].computed > before) continue;
        snprintf(v->message, sizeof v->message, "does not come from below at resolution %g",
                 row->resolution[i]);
    }
}

void pli_problem_judge(const problem* row, int count, verdict* v) {
    *v = (verdict){.order = NAN};
    bool all = count >= pli_problem_resolutions(row);
    v->tolerance = all && row->fine_tolerance > 0 ? row->fine_tolerance : row->tolerance;
    for (int i = 0; i < count; ++i) {
        pli_error error;
        if (run(row, row->resolution[i], &v->at[i], &error) != PLI_OK) {
            snprintf(v->message, sizeof v->message, "resolution %g: %s", row->resolution[i],
                     error.message);
            return;
        }
        v->count = i + 1;
    }
    const outcome* last = &v->at[v->count - 1];
    v->order = measured_order(row, v);
    judge_side(row, v);
    if (row->order > 0 && v->count > 1 && !(fabs(v->order - row->order) <= row->order_tolerance))
        snprintf(v->message, sizeof v->message, "order %.3f, expected %g +- %g", v->order,
                 row->order, row->order_tolerance);
    if (!(last->error <= v->tolerance))
        snprintf(v->message, sizeof v->message, "computed %.9g, exact %.9g: error %.3g > %.3g",
                 last->computed, last->exact, last->error, v->tolerance);
    v->pass = v->message[0] == 0;
}
