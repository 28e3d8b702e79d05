// Time schemes: one table row each. A scheme says where the step aims (q_hat), how strongly inertia
// holds it there (c), and what the velocity is afterwards. Nobody else knows h^2.
#ifndef PLI_DYNAMICS_SCHEME_H
#define PLI_DYNAMICS_SCHEME_H

#include "base/base.h"

// The state at the start of a step, on unknowns.
typedef struct pli_history {
    int n;
    const double *q, *v;
} pli_history;

typedef struct pli_scheme {
    const char* name;
    const char* help;
    double c;                        // E has 1/(2 c h^2) |q - q_hat|^2_M
    double (*velocity_rate)(double h); // dv/dq [1/s]
    void (*predict)(const pli_history* at, double h, double* q_hat);
    void (*velocity)(const pli_history* at, double h, const double* q_new, double* v_new);
} pli_scheme;

const pli_scheme* pli_scheme_find(const char* name);
const char* pli_scheme_name(int i); // NULL after the last

#endif
