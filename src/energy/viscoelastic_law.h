// Viscoelastic solid: an elastic branch and Maxwell branches (Prony series) in logarithmic strains,
// so objective for any rotation. A branch with modulus mu and relaxation time T has
//
//     D(n) = min over g of  mu (n - g)^2 + mu T / h g^2 = mu n^2 / (1 + h / T)    [Pa],
//
// with g = n h / (T + h): the backward Euler step of g' = (n - g) / T. The volume is elastic.
#ifndef PLI_ENERGY_VISCOELASTIC_LAW_H
#define PLI_ENERGY_VISCOELASTIC_LAW_H

#include "energy/solid_law.h"
#include "energy/viscoelastic.h"

PLI_LAW void viscoelastic_flow(const pli_lame* m, const pli_flow_in* in, pli_flow* out) {
    const pli_lanes zero = {0}, mu = in->constants[in->branch], n = in->n, h = in->h;
    (void)m;
    out->slip = out->swell = out->strain = out->ratio = zero;
    if (in->branch > 0) out->slip = h / (in->constants[PLI_VISCO_TIME + in->branch - 1] + h);
    pli_lanes rest = 1 - out->slip;
    out->shear = out->tangent = 2 * mu * rest;
    out->value = mu * rest * (n * n);
    out->pressure = out->bulk = zero;
    out->memory[0] = in->memory[0];
    out->memory[1] = in->memory[1] + 2 * mu * rest * out->slip * (n * n);
    out->memory[2] = in->memory[2];
    if (in->branch != 1) return;
    out->bulk = in->constants[PLI_VISCO_BULK];
    out->pressure = out->bulk * in->t;
    out->value += 0.5 * out->bulk * (in->t * in->t);
}

static const pli_law viscoelastic_law = {.positive = true,
                                         .flow = viscoelastic_flow,
                                         .constants = PLI_VISCO_CONSTANTS,
                                         .branches = PLI_MAXWELL_BRANCHES};

#endif
