// Spring in the squared length, smooth everywhere [PhysSimBook, mass-spring systems]:
//
//     P = l^2 (k/2) (q - 1)^2,   q = |d|^2 / l^2,   d = x_a - x_b    [J]
//     dP/dd = 2 k (q - 1) d
//     d2P/dd2 = 2 k (q - 1) I + (4 k / l^2) d d^T
//
// For small strains it is a linear spring of stiffness 4 k.
#include <math.h>

#include "energy/segment.h"

typedef struct spring {
    double k;             // [N/m]
    double length_square; // l^2 [m^2]
} spring;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    double length;
    pli_status status = pli_segment_rest_length(element, &length, error);
    if (status != PLI_OK) return status;
    *(spring*)data = (spring){.k = params[0], .length_square = length * length};
    return PLI_OK;
}

// B = a I + b d d^T has the eigenvalue a across d and a + b |d|^2 along d. b > 0, so only a
// negative a can make B indefinite; then what remains is max(a + b |d|^2, 0) along d. [B -B; -B B]
// has the eigenvalues 2 lambda(B) and 0, so clamping B clamps the whole.
static inline void add_hessian(const spring* s, int dim, const double d[3], double square,
                               bool project, double* H) {
    double a = 2 * s->k * (square / s->length_square - 1), b = 4 * s->k / s->length_square;
    if (project && a < 0) {
        double along = a + b * square;
        if (!(along > 0)) return;
        a = 0;
        b = along / square;
    }
    pli_segment_add_hessian(dim, a, b, d, H);
}

static inline void eval_in(int dim, const pli_batch* in, pli_local* out) {
    const spring* springs = in->data;
    int n = 2 * dim;
    for (int i = 0; i < in->count; ++i) {
        const spring* s = &springs[i];
        double d[3];
        double square = pli_segment_difference(in, i, d), strain = square / s->length_square - 1;
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * s->k * s->length_square * strain * strain;
        if (in->want & PLI_GRADIENT)
            pli_segment_add_gradient(dim, 2 * s->k * strain, d, out->g + (size_t)i * (size_t)n);
        if (in->want & PLI_HESSIAN)
            add_hessian(s, dim, d, square, in->project, out->H + (size_t)i * (size_t)(n * n));
    }
}

// The dimension as a constant lets the compiler unroll the blocks.
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
     .help = "k; small strains see a linear spring of 4 k"},
};

const pli_energy_type pli_energy_spring = {
    .abi = PLI_ENERGY_ABI,
    .name = "spring",
    .help = "l^2 (k/2) (|d|^2 / l^2 - 1)^2 for each segment d of rest length l",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(spring)},
    .prepare = prepare,
    .eval = eval,
};
