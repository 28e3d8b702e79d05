// Hooke's spring, with r = |d|, d = x_a - x_b, n = d / r:
//
//     P = (k/2) (r - l)^2    [J]
//     dP/dd = k (1 - l/r) d
//     d2P/dd2 = k (1 - l/r) (I - n n^T) + k n n^T
//
// P has a kink at d = 0; there the gradient is taken as 0 and the second derivative as k I, its
// value along any line through the kink.
#include "energy/segment.h"

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    pli_hooke* h = data;
    h->k = params[0];
    return pli_segment_rest_length(element, 0, 1, &h->length, error);
}

PLI_SEGMENT_EVAL(eval, pli_hooke, pli_hooke_law, 2, 0, 1)

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
    .internal = true,
    .name = "hooke",
    .help = "(k/2) (|d| - l)^2 for each segment d of rest length l",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(pli_hooke)},
    .prepare = prepare,
    .eval = eval,
};
