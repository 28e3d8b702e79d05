// Spring in the squared length, smooth everywhere [PhysSimBook, mass-spring systems]:
//
//     P = l^2 (k/2) (q - 1)^2,   q = |d|^2 / l^2,   d = x_a - x_b    [J]
//     dP/dd = 2 k (q - 1) d
//     d2P/dd2 = 2 k (q - 1) I + (4 k / l^2) d d^T
//
// For small strains it is a linear spring of stiffness 4 k.
#include "energy/segment.h"

typedef struct spring {
    double k;             // [N/m]
    double length_square; // l^2 [m^2]
} spring;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    double length;
    pli_status status = pli_segment_rest_length(element, 0, 1, &length, error);
    if (status != PLI_OK) return status;
    *(spring*)data = (spring){.k = params[0], .length_square = length * length};
    return PLI_OK;
}

// a I + b d d^T has the eigenvalue a across d and a + b |d|^2 along d. b > 0, so only a negative a
// can make it indefinite; the projection is then max(a + b |d|^2, 0) along d.
static inline pli_segment_response law(const void* record, const double* state, double square,
                                       bool project) {
    const spring* s = record;
    double strain = square / s->length_square - 1;
    double a = 2 * s->k * strain, b = 4 * s->k / s->length_square;
    (void)state;
    pli_segment_response out = {
        .energy = 0.5 * s->k * s->length_square * strain * strain, .slope = a, .a = a, .b = b};
    if (project && a < 0) {
        double along = a + b * square;
        out.a = 0;
        out.b = along > 0 ? along / square : 0;
    }
    return out;
}

PLI_SEGMENT_EVAL(eval, spring, law, 2, 0, 1)

static const pli_param params[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e5,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "k; at small strain a linear spring of stiffness 4 k"},
};

const pli_energy_type pli_energy_spring = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "spring",
    .help = "l^2 (k/2) (|d|^2 / l^2 - 1)^2 for each segment d of rest length l",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(spring)},
    .prepare = prepare,
    .eval = eval,
};
