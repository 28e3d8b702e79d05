// Hooke's spring, with r = |d|, d = x_a - x_b, n = d / r:
//
//     P = (k/2) (r - l)^2    [J]
//     dP/dd = k (1 - l/r) d
//     d2P/dd2 = k (1 - l/r) (I - n n^T) + k n n^T
//
// P has a kink at d = 0; there the gradient is taken as 0 and the second derivative as k I, its
// value along any line through the kink.
#include <math.h>

#include "energy/segment.h"

typedef struct hooke {
    double k;      // [N/m]
    double length; // l [m]
} hooke;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    hooke* h = data;
    h->k = params[0];
    return pli_segment_rest_length(element, &h->length, error);
}

// The eigenvalue along d is k > 0, the one across d is negative when the spring is compressed.
static inline void add_hessian(const hooke* h, int dim, const double d[3], double r, bool project,
                               double* H) {
    double n[3] = {0}, across = h->k;
    if (r > 0) {
        for (int i = 0; i < dim; ++i) n[i] = d[i] / r;
        across = h->k * (1 - h->length / r);
        if (project && across < 0) across = 0;
    }
    pli_segment_add_hessian(dim, across, h->k - across, n, H);
}

static inline void eval_in(int dim, const pli_batch* in, pli_local* out) {
    const hooke* springs = in->data;
    int n = 2 * dim;
    for (int i = 0; i < in->count; ++i) {
        const hooke* h = &springs[i];
        double d[3];
        double r = sqrt(pli_segment_difference(in, i, d)), extension = r - h->length;
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * h->k * extension * extension;
        if (in->want & PLI_GRADIENT)
            pli_segment_add_gradient(dim, r > 0 ? h->k * extension / r : 0, d,
                                     out->g + (size_t)i * (size_t)n);
        if (in->want & PLI_HESSIAN)
            add_hessian(h, dim, d, r, in->project, out->H + (size_t)i * (size_t)(n * n));
    }
}

static void eval(const pli_batch* in, pli_local* out) {
    if (in->dim == 2)
        eval_in(2, in, out);
    else
        eval_in(3, in, out);
}

static const pli_param params[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e5,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "k, force per extension"},
};

const pli_energy_type pli_energy_hooke = {
    .abi = PLI_ENERGY_ABI,
    .name = "hooke",
    .help = "(k/2) (|d| - l)^2 for each segment d of rest length l",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(hooke)},
    .prepare = prepare,
    .eval = eval,
};
