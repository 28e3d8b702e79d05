// Metals: von Mises plasticity in logarithmic strains [Simo92, OrtizStainier99], with isotropic and
// kinematic hardening and rate. All numbers are those of |dev tau|: sqrt(2/3) of a uniaxial stress.
//
// The branch that flows by g >= 0 (with the strain a = its flow so far) takes
//
//     D(n) = min over g of  mu (n - g)^2 + integral from a to a + g of Y(a') da'
//                           + k h / (m + 1) (g / h)^(m + 1),
//     Y(a) = y + c a + q (1 - exp(-b a)),   never below 0,
//
// where the last part is the work against the overstress k (da/dt)^m [Perzyna66]. So g is 0 where
// 2 mu n <= Y(a), else the root of 2 mu (n - g) = Y(a + g) + k (g / h)^m, in closed form if q = 0
// and m = 1. D' = 2 mu (n - g).
//
// Kinematic hardening is an elastic branch beside the one that flows: in small strains it is the
// rule of Prager, with a back stress proportional to the plastic strain.
#ifndef PLI_ENERGY_VON_MISES_LAW_H
#define PLI_ENERGY_VON_MISES_LAW_H

#include "energy/solid_law.h"
#include "energy/von_mises.h"

// x^p for x >= 0
PLI_LANE_INLINE pli_lanes flow_power(pli_lanes x, pli_lanes p) {
    pli_lane_mask some = x > 0;
    pli_lanes y = pli_lanes_select(some, x, pli_lanes_all(1));
    return pli_lanes_where(some, pli_lanes_exp(p * pli_lanes_log(y, y - 1)));
}

// What resists the flow.
typedef struct flow_resistance {
    pli_lanes mu, y, c, q, b, k, m;
    pli_lanes a, h;
    pli_lanes fade; // exp(-b a)
} flow_resistance;

PLI_LANE_INLINE flow_resistance flow_resistance_of(const pli_flow_in* in) {
    const pli_lanes* c = in->constants;
    flow_resistance f = {.mu = c[1],
                         .y = c[PLI_MISES_YIELD],
                         .c = c[PLI_MISES_HARDENING],
                         .q = c[PLI_MISES_SATURATION],
                         .b = c[PLI_MISES_SPEED],
                         .k = c[PLI_MISES_VISCOSITY],
                         .m = c[PLI_MISES_EXPONENT],
                         .a = in->memory[0],
                         .h = in->h};
    f.fade = pli_lanes_all(1);
    if (pli_lanes_any(f.q != 0)) f.fade = pli_lanes_exp(-f.b * f.a);
    return f;
}

// Y(a + g) - Y(a) without the bound, *fade = exp(-b (a + g))
PLI_LANE_INLINE pli_lanes flow_harder(const flow_resistance* f, pli_lanes g, pli_lanes* fade) {
    *fade = f->fade;
    if (pli_lanes_any(f->q != 0)) *fade = f->fade * pli_lanes_exp(-f->b * g);
    return f->c * g + f->q * (f->fade - *fade);
}

// The root of f0 = Y(a + g) - Y(a) + k (g / h)^m in the overstress S = k (g / h)^m, or, where there
// is none, in g. Newton's method from above: both upper bounds of S are within a factor of two of
// it.
PLI_LANE_FUNCTION pli_lanes flow_solve(const flow_resistance* f, pli_lanes f0) {
    pli_lane_mask viscous = (f->k > 0) & (f->h > 0), open = f0 > 0;
    pli_lanes one = pli_lanes_all(1), stiff = 2 * f->mu + f->c, p = 1 / f->m, fade;
    pli_lanes over_k = 1 / pli_lanes_select(viscous, f->k, one);
    pli_lanes h = pli_lanes_select(viscous, f->h, one);
    pli_lanes most = f0 / stiff, S = f->k * flow_power(most / h, f->m);
    S = pli_lanes_select(S < f0, S, f0);
    pli_lanes x = pli_lanes_select(viscous, S, f0 / (stiff + f->q * f->b * f->fade));
    pli_lanes low = pli_lanes_all(0), high = pli_lanes_select(viscous, S, most);
    pli_lanes g = pli_lanes_all(0);
    for (int i = 0; i < 100; ++i) {
        pli_lanes rate = flow_power(x * over_k, p), dg = p * h * rate / x;
        g = pli_lanes_select(open, pli_lanes_select(viscous, h * rate, x), g);
        dg = pli_lanes_select(viscous, dg, one);
        pli_lanes gap = f0 - 2 * f->mu * g - flow_harder(f, g, &fade) - pli_lanes_where(viscous, x);
        pli_lanes slope = (stiff + f->q * f->b * fade) * dg + pli_lanes_where(viscous, one);
        pli_lanes next = x + gap / slope;
        low = pli_lanes_select(gap > 0, x, low);
        high = pli_lanes_select(gap > 0, high, x);
        next = pli_lanes_select((next >= low) & (next <= high), next, 0.5 * (low + high));
        open &= pli_lanes_abs(next - x) > 0x1p-51 * x;
        if (!pli_lanes_any(open)) break;
        x = pli_lanes_select(open, next, x);
    }
    // Without time to flow, nothing does.
    return pli_lanes_where((f0 > 0) & ((f->k == 0) | (f->h > 0)), g);
}

// g in closed form: linear hardening (which may soften down to 0) and linear rate.
PLI_LANE_INLINE pli_lanes flow_linear(const flow_resistance* f, pli_lanes n, pli_lanes f0,
                                      pli_lane_mask* soft) {
    pli_lanes rate = pli_lanes_where(f->k > 0, f->k / f->h), stiff = 2 * f->mu + rate;
    pli_lanes g = f0 / (stiff + f->c);
    *soft = (f0 > 0) & (f->y + f->c * (f->a + g) < 0);
    g = pli_lanes_select(*soft, 2 * f->mu * n / stiff, g);
    return pli_lanes_where(f0 > 0, g);
}

// The integral of Y from a to a + g.
PLI_LANE_INLINE pli_lanes flow_hardening_work(const flow_resistance* f, pli_lanes g, pli_lanes fade,
                                              pli_lane_mask soft) {
    pli_lanes start = f->y + f->c * f->a;
    pli_lanes work = start * g + 0.5 * f->c * (g * g);
    pli_lanes rest = pli_lanes_where(start > 0, -0.5 * start * start / f->c); // down to Y = 0
    work = pli_lanes_select(soft, rest, work);
    if (!pli_lanes_any(f->q != 0)) return work;
    pli_lanes b = pli_lanes_select(f->b > 0, f->b, pli_lanes_all(1));
    return work + pli_lanes_where(f->b > 0, f->q * (g - (f->fade - fade) / b));
}

PLI_LAW void flow_shear(const pli_flow_in* in, pli_flow* out) {
    const flow_resistance f = flow_resistance_of(in);
    const pli_lanes n = in->n, zero = {0};
    pli_lanes start = f.y + f.c * f.a + f.q * (1 - f.fade), fade;
    start = pli_lanes_where(start > 0, start);
    pli_lanes f0 = 2 * f.mu * n - start;
    pli_lane_mask soft = f.mu < 0, curved = (f.q != 0) | ((f.k > 0) & (f.m != 1));
    pli_lanes g = pli_lanes_any(curved) ? flow_solve(&f, f0) : flow_linear(&f, n, f0, &soft);
    flow_harder(&f, g, &fade);
    pli_lane_mask flows = g > 0;
    pli_lanes elastic = n - g, stress = 2 * f.mu * elastic;
    pli_lanes work = flow_hardening_work(&f, g, fade, soft);
    pli_lanes end = pli_lanes_select(soft, zero, f.y + f.c * (f.a + g) + f.q * (1 - fade));
    end = pli_lanes_where(end > 0, end);
    pli_lanes over = pli_lanes_where(flows & (f.k > 0), stress - end); // k (g / h)^m
    out->value = f.mu * elastic * elastic + work + over * g / (f.m + 1);
    out->slip = pli_lanes_where(flows, g / n);
    out->shear = 2 * f.mu * (1 - out->slip);
    pli_lanes slope = pli_lanes_where(~soft, f.c + f.q * f.b * fade);
    slope += pli_lanes_where(flows & (f.k > 0), f.m * over / g);
    out->tangent = pli_lanes_select(flows, 2 * f.mu * slope / (2 * f.mu + slope), 2 * f.mu);
    out->ratio = pli_lanes_select(end > 0, stress / end, pli_lanes_all(1));
    out->memory[0] = f.a + g;
    out->memory[1] = in->memory[1] + pli_lanes_where(flows, work + over * g);
    out->memory[2] = in->memory[2];
}

PLI_LAW void von_mises_flow(const pli_lame* m, const pli_flow_in* in, pli_flow* out) {
    const pli_lanes zero = {0}, mu = in->constants[0];
    (void)m;
    out->swell = zero;
    if (in->branch == 0) {
        out->value = mu * in->n * in->n;
        out->shear = out->tangent = 2 * mu;
        out->pressure = out->bulk = out->slip = out->strain = out->ratio = zero;
        for (int k = 0; k < PLI_FLOW_SCALARS; ++k) out->memory[k] = zero;
        return;
    }
    pli_lanes bulk = in->constants[PLI_MISES_BULK];
    flow_shear(in, out);
    out->strain = in->constants[PLI_MISES_STRAIN] * out->memory[0];
    out->value += 0.5 * bulk * in->t * in->t;
    out->pressure = bulk * in->t;
    out->bulk = bulk;
}

static const pli_law von_mises_law = {
    .positive = true, .flow = von_mises_flow, .constants = PLI_MISES_CONSTANTS, .branches = 1};

#endif
