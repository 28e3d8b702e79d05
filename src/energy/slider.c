// Elastic, perfectly plastic spring: a spring k in series with a slider that yields at the force
// f_y (Prandtl). With r = |x_a - x_b|, rest length l, u = r - l, and the slip s at the start of the
// step,
//
//     P = min over s' of  (k/2) (u - s')^2 + f_y |s' - s|    [J]
//       = (k/2) (u - s)^2               if k |u - s| <= f_y
//       = f_y |u - s| - f_y^2 / (2 k)   otherwise,
//     dP/dr = k (u - s), clamped to -f_y .. f_y.
//
// An incremental potential: it stores (k/2) (u - s')^2 and dissipates f_y |s' - s|. `commit` sets
// the slip to s', after which P equals the stored energy. This is the example of an energy with
// state.
#include "energy/segment.h"

typedef struct slider {
    double k;      // [N/m]
    double yield;  // f_y [N]
    double length; // l [m]
} slider;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    slider* s = data;
    s->k = params[0];
    s->yield = params[1];
    return pli_segment_rest_length(element, 0, 1, &s->length, error);
}

static inline pli_segment_response law(const void* record, const double* slip, double square,
                                       bool project) {
    const slider* s = record;
    double r = sqrt(square), u = r - s->length - *slip;
    bool slides = s->k * fabs(u) > s->yield;
    double force = slides ? copysign(s->yield, u) : s->k * u;
    double along = slides ? 0 : s->k, across = r > 0 ? force / r : along;
    if (project) across = fmax(across, 0);
    return (pli_segment_response){.energy = slides ? s->yield * (fabs(u) - 0.5 * s->yield / s->k)
                                                   : 0.5 * s->k * u * u,
                                  .slope = r > 0 ? force / r : 0,
                                  .a = across,
                                  .b = along - across,
                                  .unit = true};
}

PLI_SEGMENT_EVAL(eval, slider, law, 2, 0, 1)

static void commit(const pli_batch* in, void* state) {
    const slider* sliders = in->data;
    double* slip = state;
    for (int i = 0; i < in->count; ++i) {
        const slider* s = &sliders[i];
        const int32_t* v = in->vertices + 2 * (size_t)i;
        double d[3], u = sqrt(pli_segment_difference(in, v[0], v[1], d)) - s->length - slip[i];
        if (s->k * fabs(u) > s->yield) slip[i] += u - copysign(s->yield / s->k, u);
    }
}

static const pli_param params[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e5,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "k, force per extension before it yields"},
    {.name = "yield",
     .unit = "N",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e3,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "f_y, the force at which it yields"},
};

const pli_energy_type pli_energy_slider = {
    .abi = PLI_ENERGY_ABI,
    .name = "slider",
    .help = "elastic, perfectly plastic spring for each segment: k (|d| - l - slip), at most f_y",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(slider)},
    .state_size = sizeof(double),
    .prepare = prepare,
    .commit = commit,
    .eval = eval,
};
