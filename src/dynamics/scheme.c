// The table of time schemes.
#include "dynamics/scheme.h"

#include <string.h>

// Backward Euler: q_hat = q + h v, c = 1, v' = (q' - q) / h. E is then a step of gradient flow in
// phase space: unconditionally stable, damped.
static double backward_euler_rate(double h) { return 1 / h; }

static void backward_euler_predict(const pli_history* at, double h, double* q_hat) {
    for (int i = 0; i < at->n; ++i) q_hat[i] = at->q[i] + h * at->v[i];
}

static void backward_euler_velocity(const pli_history* at, double h, const double* q_new,
                                    double* v_new) {
    for (int i = 0; i < at->n; ++i) v_new[i] = (q_new[i] - at->q[i]) / h;
}

static const pli_scheme schemes[] = {
    {.name = "backward-euler",
     .help = "first order, stable at any step size, damps",
     .c = 1,
     .velocity_rate = backward_euler_rate,
     .predict = backward_euler_predict,
     .velocity = backward_euler_velocity},
};

enum { SCHEME_COUNT = sizeof schemes / sizeof *schemes };

const char* pli_scheme_name(int i) { return i < SCHEME_COUNT ? schemes[i].name : NULL; }

const pli_scheme* pli_scheme_find(const char* name) {
    for (int i = 0; i < SCHEME_COUNT; ++i)
        if (strcmp(schemes[i].name, name) == 0) return &schemes[i];
    return NULL;
}
