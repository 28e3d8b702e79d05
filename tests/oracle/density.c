// See density.h.
#include "oracle/density.h"

#include <math.h>
#include <stdlib.h>

enum { STIFFNESS, RADIUS, DENSITY };

typedef struct density {
    double kV;     // [J]
    double square; // R^2 [m^2]
    double sum;    // of w at rest
} density;

static double square_distance(int dim, const double* x, int32_t a, int32_t b) {
    double sum = 0;
    for (int c = 0; c < dim; ++c) sum += pow(x[3 * a + c] - x[3 * b + c], 2);
    return sum;
}

static pli_status stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    int end = body->first_vertex + body->vertex_count;
    int32_t* list = malloc(sizeof *list * (size_t)body->vertex_count);
    pli_status status = PLI_OK;
    double most = pow(body->params[RADIUS], 2);
    for (int i = body->first_vertex; i < end && status == PLI_OK; ++i) {
        int count = 0;
        list[count++] = i;
        for (int j = body->first_vertex; j < end; ++j)
            if (j != i && square_distance(body->dim, body->rest, i, j) < most) list[count++] = j;
        status = pli_sink_wide(sink, count, list, error);
    }
    free(list);
    return status;
}

static double kernel(const density* d, double r2) {
    double u = 1 - r2 / d->square;
    return u > 0 ? u * u * u : 0;
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    (void)error;
    density* d = data;
    const int32_t* v = element->vertices;
    *d = (density){.kV = params[STIFFNESS] * element->mass[v[0]] / params[DENSITY],
                   .square = params[RADIUS] * params[RADIUS]};
    for (int j = 0; j < element->vertex_count; ++j)
        d->sum += kernel(d, square_distance(element->dim, element->rest, v[0], v[j]));
    return PLI_OK;
}

// out += weight d(sum of w)/dx
static void add_gradient(const density* d, int dim, int width, const int32_t* v, const double* x,
                         double weight, double* out) {
    for (int j = 1; j < width; ++j) {
        double u = 1 - square_distance(dim, x, v[0], v[j]) / d->square;
        double slope = u > 0 ? -6 * u * u / d->square : 0; // dw/dr / r
        for (int c = 0; c < dim; ++c) {
            double part = weight * slope * (x[3 * v[j] + c] - x[3 * v[0] + c]);
            out[j * dim + c] += part;
            out[c] -= part;
        }
    }
}

static void eval(const pli_batch* in, pli_local* out) {
    for (int i = 0; i < in->count; ++i) {
        const density* d = (const density*)in->data + i;
        size_t at = pli_batch_start(in, i), first = at * (size_t)in->dim;
        const int32_t* v = in->vertices + at;
        int width = pli_batch_width(in, i);
        double sum = 0;
        for (int j = 0; j < width; ++j)
            sum += kernel(d, square_distance(in->dim, in->x, v[0], v[j]));
        double s = sum / d->sum;
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * d->kV * (s - 1) * (s - 1);
        if (in->want & PLI_GRADIENT)
            add_gradient(d, in->dim, width, v, in->x, d->kV * (s - 1) / d->sum, out->g + first);
        if (!(in->want & PLI_HESSIAN)) continue;
        out->factor_weights[i] = d->kV;
        add_gradient(d, in->dim, width, v, in->x, 1 / d->sum, out->factors + first);
    }
}

// k V (s - 1) / sum d2(sum of w)/dx2
static pli_status curvature(const pli_batch* in, pli_curvature_sink* sink, pli_error* error) {
    pli_status status = PLI_OK;
    for (int i = 0; i < in->count; ++i) {
        const density* d = (const density*)in->data + i;
        const int32_t* v = in->vertices + pli_batch_start(in, i);
        int width = pli_batch_width(in, i), dim = in->dim;
        double sum = 0, block[9], opposite[9];
        for (int j = 0; j < width; ++j) sum += kernel(d, square_distance(dim, in->x, v[0], v[j]));
        double weight = d->kV * (sum / d->sum - 1) / d->sum;
        for (int j = 1; j < width && status == PLI_OK; ++j) {
            double u = 1 - square_distance(dim, in->x, v[0], v[j]) / d->square;
            if (u <= 0) continue;
            for (int k = 0; k < dim * dim; ++k) {
                int r = k / dim, c = k % dim;
                double product = (in->x[3 * v[j] + r] - in->x[3 * v[0] + r]) *
                                 (in->x[3 * v[j] + c] - in->x[3 * v[0] + c]);
                block[k] = 24 * weight * u / (d->square * d->square) * product -
                           (r == c ? 6 * weight * u * u / d->square : 0);
                opposite[k] = -block[k];
            }
            status = pli_sink_curvature(sink, i, 0, 0, block, error);
            if (status == PLI_OK) status = pli_sink_curvature(sink, i, j, j, block, error);
            if (status == PLI_OK) status = pli_sink_curvature(sink, i, 0, j, opposite, error);
        }
    }
    return status;
}

static const pli_param params[] = {
    {.name = "stiffness", .unit = "Pa", .max = HUGE_VAL, .default_value = 1e4},
    {.name = "radius", .unit = "m", .max = HUGE_VAL, .default_value = 0.22},
    {.name = "density", .unit = "kg/m^3", .max = HUGE_VAL, .default_value = 1000},
};

#define TYPE(title, is_global)                                                                     \
    {                                                                                              \
        .abi = PLI_ENERGY_ABI, .name = title, .help = "(k/2) V (s - 1)^2",                         \
        .dims = 1u << 2 | 1u << 3, .params = params,                                               \
        .param_count = sizeof params / sizeof *params,                                             \
        .data_size = {[PLI_STENCIL] = sizeof(density)}, .width = PLI_WIDE, .rank = 1,              \
        .global = is_global, .stencils = stencils, .prepare = prepare, .eval = eval,               \
        .curvature = curvature                                                                     \
    }

const pli_energy_type density_type = TYPE("density", false);
const pli_energy_type global_density_type = TYPE("global-density", true);
