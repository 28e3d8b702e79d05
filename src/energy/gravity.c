// Gravity: P = -m g . x for each vertex [J]. No second derivative.
#include <math.h>

#include "math/vec.h"
#include "pliant/energy.h"

typedef struct gravity {
    double weight[3]; // m g [N]
} gravity;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    (void)error;
    gravity* g = data;
    for (int i = 0; i < 3; ++i) g->weight[i] = element->mass[element->vertices[0]] * params[i];
    return PLI_OK;
}

static void eval(const pli_batch* in, pli_local* out) {
    const gravity* records = in->data;
    for (int i = 0; i < in->count; ++i) {
        const double* x = in->x + 3 * (size_t)in->vertices[i];
        const double* weight = records[i].weight;
        if (in->want & PLI_VALUE) out->e[i] -= pli_dot(weight, x, in->dim);
        if (in->want & PLI_GRADIENT)
            pli_axpy(-1, weight, out->g + (size_t)i * (size_t)in->dim, in->dim);
    }
}

#define COMPONENT(axis, value)                                                                     \
    {                                                                                              \
        .name = axis, .unit = "m/s^2", .min = -HUGE_VAL, .max = HUGE_VAL, .default_value = value,  \
        .help = axis " component of the acceleration"                                              \
    }

static const pli_param params[] = {COMPONENT("x", 0), COMPONENT("y", -9.81), COMPONENT("z", 0)};

const pli_energy_type pli_energy_gravity = {
    .abi = PLI_ENERGY_ABI,
    .name = "gravity",
    .help = "-m g . x for each vertex",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_VERTEX] = sizeof(gravity)},
    .linear = true,
    .prepare = prepare,
    .eval = eval,
};
