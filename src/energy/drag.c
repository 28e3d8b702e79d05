// Drag of the surrounding air (or another fluid), per vertex with its share A of the rest surface.
// With u = v - wind
//
//     R = A (c/6 |u|^3 + b/2 |u|^2) [W],   dR/dv = A (c/2 |u| + b) u [N]
//
// R is convex with its minimum at v = wind. In still air it only removes energy; wind may add some.
#include <math.h>

#include "base/base.h"
#include "math/vec.h"
#include "pliant/energy.h"

enum { DENSITY, LINEAR, WIND };

typedef struct drag {
    double quadratic; // c A [kg/m]
    double linear;    // b A [N s/m]
    double wind[3];   // [m/s]
} drag;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    if (!element->area)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the body has no surface, so drag has no area: use a mesh with "
                        "triangles or tetrahedra");
    drag* d = data;
    double area = element->area[element->vertices[0]];
    d->quadratic = area * params[DENSITY];
    d->linear = area * params[LINEAR];
    pli_copy(params + WIND, d->wind, 3);
    return PLI_OK;
}

// d2R/dv2 = (q/2) (|u| I + u u^T / |u|) + l I
static void add_hessian(const drag* d, int dim, const double* u, double speed, double* H) {
    for (int r = 0; r < dim; ++r)
        for (int c = 0; c < dim; ++c) {
            double along = speed > 0 ? u[r] * (u[c] / speed) : 0;
            H[dim * r + c] +=
                0.5 * d->quadratic * along + (r == c ? 0.5 * d->quadratic * speed + d->linear : 0);
        }
}

static void sample(const double value[3], void* data) { pli_copy(value, ((drag*)data)->wind, 3); }

static void eval(const pli_batch* in, pli_local* out) {
    const drag* records = in->data;
    size_t dim = (size_t)in->dim;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const drag* d = &records[i];
        double u[3];
        pli_sub(in->v + 3 * (size_t)in->vertices[i], d->wind, u, in->dim);
        double speed = pli_norm(u, in->dim);
        if (in->want & PLI_VALUE)
            out->e[i] += (d->quadratic / 6 * speed + d->linear / 2) * speed * speed;
        if (in->want & PLI_GRADIENT)
            pli_axpy(d->quadratic / 2 * speed + d->linear, u, out->g + i * dim, in->dim);
        if (in->want & PLI_HESSIAN) add_hessian(d, in->dim, u, speed, out->H + i * dim * dim);
    }
}

#define WIND_ROW(axis)                                                                             \
    {                                                                                              \
        .name = "wind_" axis, .unit = "m/s", .min = -1e6, .max = 1e6, .default_value = 0,          \
        .help = axis " component of the wind; wind may add energy"                                 \
    }

static const pli_param params[] = {
    [DENSITY] = {.name = "density",
                 .unit = "kg/m^3",
                 .min = 0,
                 .max = HUGE_VAL,
                 .default_value = 1.2,
                 .help = "c = rho C_d, density of the fluid times drag coefficient: c/2 |v|^2 is "
                         "the force per area of the whole surface"},
    [LINEAR] = {.name = "linear",
                .unit = "N s/m^3",
                .min = 0,
                .max = HUGE_VAL,
                .default_value = 0,
                .help = "b, force per area and speed, for slow flow"},
    [WIND] = WIND_ROW("x"),
    [WIND + 1] = WIND_ROW("y"),
    [WIND + 2] = WIND_ROW("z"),
};

static const pli_energy_field input = {
    "wind", "velocity of the air; expressions of time and of the present place for gusts", "m/s"};

const pli_energy_type pli_energy_drag = {
    .abi = PLI_ENERGY_ABI,
    .name = "drag",
    .help = "dissipation A (c/6 |v - wind|^3 + b/2 |v - wind|^2) for each vertex with its share A "
            "of the surface",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_VERTEX] = sizeof(drag)},
    .dissipation = true,
    .prepare = prepare,
    .eval = eval,
    .input = &input,
    .sample = sample,
};
