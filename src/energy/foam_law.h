// Foam that stays crushed: the volume yields under pressure as shear does in von_mises_law.h. With
// the crushed volume v (logarithmic, >= 0) at the start of the step,
//
//     V(t) = min over 0 <= g <= v_d - v of  K/2 (t + g)^2 + p g + H/2 ((v + g)^2 - v^2)    [Pa],
//
// so cells collapse at the pressure p + H v until they are closed (v = v_d) and the foam is elastic
// again. Under tension the volume is elastic. Shear yields by itself, without hardening.
#ifndef PLI_ENERGY_FOAM_LAW_H
#define PLI_ENERGY_FOAM_LAW_H

#include "energy/foam.h"
#include "energy/von_mises_law.h"

PLI_LAW void foam_volume(const pli_flow_in* in, pli_flow* out) {
    const pli_lanes* c = in->constants;
    const pli_lanes zero = {0}, bulk = c[PLI_MISES_BULK], v = in->memory[2],
                    H = c[PLI_FOAM_HARDENING];
    pli_lanes start = c[PLI_FOAM_CRUSH] + H * v, left = c[PLI_FOAM_CLOSED] - v;
    pli_lanes g = (-bulk * in->t - start) / (bulk + H);
    g = pli_lanes_where((g > 0) & (left > 0), g);
    pli_lane_mask crushes = g > 0, closes = g >= left;
    g = pli_lanes_select(crushes & closes, left, g);
    pli_lanes elastic = in->t + g, work = (start + 0.5 * H * g) * g;
    out->value += 0.5 * bulk * elastic * elastic + work;
    out->pressure = bulk * elastic;
    out->bulk = pli_lanes_select(crushes & ~closes, bulk * H / (bulk + H), bulk);
    out->swell = pli_lanes_select(crushes, -g, zero);
    out->memory[1] += work;
    out->memory[2] = v + g;
    pli_lanes end = start + H * g, ratio = pli_lanes_where(end > 0, -out->pressure / end);
    out->ratio = pli_lanes_select(ratio > out->ratio, ratio, out->ratio);
    out->strain += v + g;
}

PLI_LAW void foam_flow(const pli_lame* m, const pli_flow_in* in, pli_flow* out) {
    (void)m;
    flow_shear(in, out);
    out->strain = in->constants[PLI_MISES_STRAIN] * out->memory[0];
    foam_volume(in, out);
}

static const pli_law foam_law = {
    .positive = true, .flow = foam_flow, .constants = PLI_FOAM_CONSTANTS, .branches = 1};

#endif
