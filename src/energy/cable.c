// Cables: springs that pull and never push,
//
//     P = (k/2) max(|x_a - x_b| - l, 0)^2    [J]
//
// Slack, a cable has no energy and no stiffness. Where it becomes taut the force is continuous and
// the stiffness jumps.
#include "base/base.h"
#include "energy/segment.h"

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    pli_hooke* cable = data;
    cable->k = params[0];
    PLI_TRY(pli_segment_rest_length(element, 0, 1, &cable->length, error));
    cable->length *= params[1];
    return PLI_OK;
}

static inline pli_segment_response law(const void* record, const double* state, double square,
                                       bool project) {
    const pli_hooke* cable = record;
    if (square <= cable->length * cable->length) return (pli_segment_response){.unit = true};
    return pli_hooke_law(record, state, square, project);
}

PLI_SEGMENT_EVAL(eval, pli_hooke, law, 2, 0, 1)

static const pli_param params[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e5,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "k, force per extension once it is taut"},
    {.name = "slack",
     .unit = "",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "l, the length at which it becomes taut, as a multiple of the rest length"},
};

const pli_energy_type pli_energy_cable = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "cable",
    .help = "(k/2) max(|d| - l, 0)^2 for each segment: pulls and never pushes",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(pli_hooke)},
    .prepare = prepare,
    .eval = eval,
};
