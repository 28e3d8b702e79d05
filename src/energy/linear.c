// Linear (small-strain) solid, e = (F + F^T) / 2 - I:
//
//     Psi = mu |e|^2 + lam/2 (tr e)^2    [Pa]
//     P = 2 mu e + lam tr e I
//
// Its second derivative is constant and positive, and it does not know rotations: a body that turns
// by a large angle swells. Validation and small motion only.
#include <math.h>

#include "energy/solid_eval.h"

static inline double value(const pli_solid* m, const pli_strain* e) {
    return m->mu * e->e2 + 0.5 * m->lam * (e->tre * e->tre);
}

static inline void first(const pli_solid* m, const pli_strain* e, pli_parts* p) {
    p->e = 2 * m->mu;
    p->one = m->lam * e->tre;
}

// In the frames U = V = I it has the form that all laws have: A = 2 mu I + lam, twist 0, flip 2 mu.
static inline void second(const pli_solid* m, const pli_strain* e, const double s[3],
                          pli_curvature* k) {
    (void)e;
    (void)s;
    for (int i = 0; i < 3; ++i) {
        k->same[i] += 2 * m->mu + m->lam;
        k->cross[i] += m->lam;
        k->flip[i] += 2 * m->mu;
    }
}

static const pli_law law = {.parts = PLI_PART_E | PLI_PART_ONE,
                            .small = true,
                            .value = value,
                            .first = first,
                            .second = second};

PLI_SOLID_FUNCTIONS

static const pli_param params[] = PLI_SOLID_ROWS(-1, PLI_PARAM_ABOVE_MIN, -HUGE_VAL);

const pli_energy_type pli_energy_linear = {
    PLI_SOLID_FIELDS,
    .name = "linear",
    .help = "mu |e|^2 + lam/2 (tr e)^2 per rest volume, e = (F + F^T)/2 - I; for small strains "
            "without rotation",
    .check = pli_solid_check,
    .prepare = pli_solid_prepare,
};
