// Dashpots: dampers along segments, or between bodies. With the unit vector n from b to a at the
// start of the step and the rate of the length u = n . (v_a - v_b),
//
//     R = (c/2) u^2 [W],   dR/dv_a = c u n = -dR/dv_b [N]
//
// R is quadratic, convex and 0 where the length does not change. Where a and b coincide there is no
// direction and no force.
#include "energy/segment.h"

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    (void)element, (void)error;
    *(double*)data = params[0];
    return PLI_OK;
}

static void eval(const pli_batch* in, pli_local* out) {
    const double* damping = in->data;
    const int dim = in->dim, size = 2 * dim, at[2] = {0, dim};
    for (int i = 0; i < in->count; ++i) {
        const int32_t* v = in->vertices + 2 * (size_t)i;
        double n[3], u[3], c = damping[i];
        double length = sqrt(pli_segment_difference(in, v[0], v[1], n));
        if (!(length > 0)) continue;
        for (int r = 0; r < dim; ++r) n[r] /= length;
        pli_sub(in->v + 3 * (size_t)v[0], in->v + 3 * (size_t)v[1], u, dim);
        double rate = pli_dot(n, u, dim);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * c * rate * rate;
        if (in->want & PLI_GRADIENT) {
            double* g = out->g + (size_t)i * (size_t)size;
            pli_axpy(c * rate, n, g, dim);
            pli_axpy(-c * rate, n, g + dim, dim);
        }
        if (in->want & PLI_HESSIAN)
            pli_segment_add_hessian(dim, size, at, 0, c, n,
                                    out->H + (size_t)i * (size_t)(size * size));
    }
}

static const pli_param params[] = {
    {.name = "damping",
     .unit = "N s/m",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 10,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "c, force per rate of the length"},
};

const pli_energy_type pli_energy_dashpot = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "dashpot",
    .help = "dissipation (c/2) (d|x_a - x_b|/dt)^2 for each segment",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(double)},
    .dissipation = true,
    .prepare = prepare,
    .eval = eval,
};
