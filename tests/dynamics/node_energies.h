// Energies with nodes: examples of pli_sink_node, and what the tests of nodes are made of.
#ifndef TESTS_DYNAMICS_NODE_ENERGIES_H
#define TESTS_DYNAMICS_NODE_ENERGIES_H

#include <math.h>
#include <stddef.h>

#include "pliant/pliant.h"

// ---- torsion: an angle per segment, k/2 (b - a)^2 between neighbours. Angles of segments at a
// held vertex are fixed, at `first` for the first segment and `last` for the others.

enum { TWIST = 1, LEVEL = 2 }; // tags

static const pli_param torsion_params[] = {
    {.name = "stiffness", .unit = "N m", .default_value = 1, .max = HUGE_VAL},
    {.name = "mass", .unit = "kg m^2", .max = HUGE_VAL},
    {.name = "scale", .unit = "m", .default_value = 1, .max = HUGE_VAL},
    {.name = "first", .unit = "1", .min = -HUGE_VAL, .max = HUGE_VAL},
    {.name = "last", .unit = "1", .min = -HUGE_VAL, .max = HUGE_VAL},
    {.name = "value", .unit = "1", .min = -HUGE_VAL, .max = HUGE_VAL},
    {.name = "rate", .unit = "1/s", .min = -HUGE_VAL, .max = HUGE_VAL},
};

static inline pli_status ask_twist(const pli_body_view* body, pli_stencil_sink* sink, int segment,
                                   int32_t* vertex, pli_error* error) {
    const int32_t* ends = body->elements[PLI_SEGMENT] + 2 * (size_t)segment;
    pli_node_key key = {.tag = TWIST, .vertex_count = 2, .vertices = {ends[1], ends[0]}};
    pli_node_def def = pli_default_node_def();
    def.mass = body->params[1];
    def.scale = body->params[2];
    def.fixed = (body->held[ends[0]] | body->held[ends[1]]) & PLI_HELD_X;
    def.value = body->params[!def.fixed ? 5 : segment == 0 ? 3 : 4];
    def.rate = def.fixed ? 0 : body->params[6];
    return pli_sink_node(sink, &key, &def, vertex, error);
}

static inline pli_status torsion_stencils(const pli_body_view* body, pli_stencil_sink* sink,
                                          pli_error* error) {
    int32_t pair[2];
    pli_status status = ask_twist(body, sink, 0, &pair[0], error);
    for (int s = 1; s < body->element_count[PLI_SEGMENT] && status == PLI_OK; ++s) {
        status = ask_twist(body, sink, s, &pair[1], error);
        if (status == PLI_OK) status = pli_sink_stencil(sink, pair, error);
        pair[0] = pair[1];
    }
    return status;
}

static inline pli_status torsion_prepare(const double* params, const pli_element* element,
                                         void* data, pli_error* error) {
    (void)element;
    (void)error;
    *(double*)data = params[0];
    return PLI_OK;
}

static inline void torsion_eval(const pli_batch* in, pli_local* out) {
    size_t dim = (size_t)in->dim, n = 2 * dim;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        double k = ((const double*)in->data)[i];
        double d = in->x[3 * in->vertices[2 * i + 1]] - in->x[3 * in->vertices[2 * i]];
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * k * d * d;
        if (in->want & PLI_GRADIENT) {
            out->g[i * n] -= k * d;
            out->g[i * n + dim] += k * d;
        }
        for (size_t r = 0; r < n && in->want & PLI_HESSIAN; r += dim)
            for (size_t c = 0; c < n; c += dim) out->H[(i * n + r) * n + c] += r == c ? k : -k;
    }
}

static const pli_energy_type torsion = {.abi = PLI_ENERGY_ABI,
                                        .name = "torsion",
                                        .help = "stiffness/2 (b - a)^2 of neighbouring segments",
                                        .dims = 1u << 2 | 1u << 3,
                                        .params = torsion_params,
                                        .param_count = 7,
                                        .data_size = {[PLI_STENCIL] = sizeof(double)},
                                        .width = 2,
                                        .stencils = torsion_stencils,
                                        .prepare = torsion_prepare,
                                        .eval = torsion_eval};

// ---- gauge: a level per vertex that follows its height, k/2 (y - level)^2.

static const pli_param gauge_params[] = {
    {.name = "stiffness", .unit = "N/m", .default_value = 1, .max = HUGE_VAL},
    {.name = "mass", .unit = "kg", .max = HUGE_VAL},
    {.name = "scale", .unit = "1", .default_value = 1, .max = HUGE_VAL},
    {.name = "value", .unit = "m", .min = -HUGE_VAL, .max = HUGE_VAL},
    {.name = "rate", .unit = "m/s", .min = -HUGE_VAL, .max = HUGE_VAL},
    {.name = "tolerance", .unit = "m/s", .max = HUGE_VAL},
};

static inline pli_status gauge_stencils(const pli_body_view* body, pli_stencil_sink* sink,
                                        pli_error* error) {
    pli_status status = PLI_OK;
    for (int32_t i = 0; i < body->vertex_count && status == PLI_OK; ++i) {
        int32_t pair[2] = {body->first_vertex + i, -1};
        pli_node_key key = {.tag = LEVEL, .vertex_count = 1, .vertices = {pair[0]}};
        pli_node_def def = {.value = body->params[3],
                            .rate = body->params[4],
                            .mass = body->params[1],
                            .scale = body->params[2],
                            .tolerance = body->params[5]};
        status = pli_sink_node(sink, &key, &def, &pair[1], error);
        if (status == PLI_OK) status = pli_sink_stencil(sink, pair, error);
    }
    return status;
}

static inline void gauge_eval(const pli_batch* in, pli_local* out) {
    size_t dim = (size_t)in->dim, n = 2 * dim;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        double k = ((const double*)in->data)[i];
        double d = in->x[3 * in->vertices[2 * i + 1]] - in->x[3 * in->vertices[2 * i] + 1];
        double* H = out->H ? out->H + i * n * n : NULL;
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * k * d * d;
        if (in->want & PLI_GRADIENT) {
            out->g[i * n + 1] -= k * d;
            out->g[i * n + dim] += k * d;
        }
        if (in->want & PLI_HESSIAN) {
            H[n + 1] += k;
            H[n + dim] -= k;
            H[dim * n + 1] -= k;
            H[dim * n + dim] += k;
        }
    }
}

static const pli_energy_type gauge = {.abi = PLI_ENERGY_ABI,
                                      .name = "gauge",
                                      .help = "stiffness/2 (y - level)^2 of each vertex",
                                      .dims = 1u << 2 | 1u << 3,
                                      .params = gauge_params,
                                      .param_count = 6,
                                      .data_size = {[PLI_STENCIL] = sizeof(double)},
                                      .width = 2,
                                      .stencils = gauge_stencils,
                                      .prepare = torsion_prepare,
                                      .eval = gauge_eval};

// ---- coil: a segment whose length follows its angle, k/2 r^2 with r = |b - a| - L (1 + sin(a)/2),
// and k/2 L^2 a^2. Asks for the same nodes as torsion.

typedef struct coil_record {
    double k, length;
} coil_record;

static inline pli_status coil_stencils(const pli_body_view* body, pli_stencil_sink* sink,
                                       pli_error* error) {
    pli_status status = PLI_OK;
    for (int s = 0; s < body->element_count[PLI_SEGMENT] && status == PLI_OK; ++s) {
        const int32_t* ends = body->elements[PLI_SEGMENT] + 2 * (size_t)s;
        int32_t stencil[3] = {ends[0], ends[1], -1};
        status = ask_twist(body, sink, s, &stencil[2], error);
        if (status == PLI_OK) status = pli_sink_stencil(sink, stencil, error);
    }
    return status;
}

static inline pli_status coil_prepare(const double* params, const pli_element* element, void* data,
                                      pli_error* error) {
    (void)error;
    const double *a = element->rest + 3 * element->vertices[0],
                 *b = element->rest + 3 * element->vertices[1];
    *(coil_record*)data = (coil_record){params[0], sqrt((b[0] - a[0]) * (b[0] - a[0]) +
                                                        (b[1] - a[1]) * (b[1] - a[1]) +
                                                        (b[2] - a[2]) * (b[2] - a[2]))};
    return PLI_OK;
}

// Gauss-Newton where it must be positive semi-definite.
static inline void coil_add(const coil_record* at, const pli_batch* in, size_t i, pli_local* out) {
    const int32_t* v = in->vertices + 3 * i;
    int dim = in->dim, n = 3 * dim;
    double d[3] = {0}, length = 0, t = in->x[3 * v[2]], J[9] = {0};
    for (int c = 0; c < dim; ++c) d[c] = in->x[3 * v[1] + c] - in->x[3 * v[0] + c];
    for (int c = 0; c < dim; ++c) length += d[c] * d[c];
    length = sqrt(length);
    double L = at->length, r = length - L * (1 + 0.5 * sin(t));
    for (int c = 0; c < dim; ++c) {
        J[c] = -d[c] / length;
        J[dim + c] = d[c] / length;
    }
    J[2 * dim] = -0.5 * L * cos(t);
    if (in->want & PLI_VALUE) out->e[i] += 0.5 * at->k * (r * r + L * L * t * t);
    for (int k = 0; k < n && in->want & PLI_GRADIENT; ++k)
        out->g[(int)i * n + k] += at->k * (r * J[k] + (k == 2 * dim ? L * L * t : 0));
    if (!(in->want & PLI_HESSIAN)) return;
    double* H = out->H + i * (size_t)(n * n);
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) H[k * n + l] += at->k * J[k] * J[l];
    H[2 * dim * n + 2 * dim] += at->k * L * L;
    if (in->project) return;
    H[2 * dim * n + 2 * dim] += at->k * r * 0.5 * L * sin(t);
    for (int k = 0; k < 2 * dim; ++k)
        for (int l = 0; l < 2 * dim; ++l)
            H[k * n + l] +=
                at->k * r / length * ((k % dim == l % dim ? (k == l ? 1 : -1) : 0) - J[k] * J[l]);
}

static inline void coil_eval(const pli_batch* in, pli_local* out) {
    for (size_t i = 0; i < (size_t)in->count; ++i)
        coil_add((const coil_record*)in->data + i, in, i, out);
}

static const pli_energy_type coil = {.abi = PLI_ENERGY_ABI,
                                     .name = "coil",
                                     .help = "stiffness/2 (r^2 + L^2 angle^2) of each segment",
                                     .dims = 1u << 2 | 1u << 3,
                                     .params = torsion_params,
                                     .param_count = 7,
                                     .data_size = {[PLI_STENCIL] = sizeof(coil_record)},
                                     .width = 3,
                                     .stencils = coil_stencils,
                                     .prepare = coil_prepare,
                                     .eval = coil_eval};

static const pli_energy_type* const node_types[] = {&torsion, &gauge, &coil};
enum { NODE_TYPE_COUNT = sizeof node_types / sizeof *node_types };

#endif
