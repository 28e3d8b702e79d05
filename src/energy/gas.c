// Gas in a closed surface, a balloon: V is the volume inside all triangles of a body in space (in
// the plane: the area inside its outline of segments, times the thickness). At constant temperature
// p V = p1 V1, with p1 and V1 at rest, against the pressure p0 outside:
//
//     P     = -p1 V1 ln(V / V1) + p0 (V - V1)          [J], HUGE_VAL for V <= 0
//     dP/dx = -(p - p0) dV/dx,  p = p1 V1 / V          [N]
//     d2P/dx2 = (p1 V1 / V^2) dV/dx dV/dx^T - (p - p0) d2V/dx2            [N/m]
//
// The first part is the factor. The second part is of either sign: the minimizer does without it,
// `curvature` gives it. All vertices of the body are one stencil: the corners of its triangles one
// after the other, so that a vertex occurs once for each of its triangles. This is the example of
// an energy that is wide and global.
#include <math.h>
#include <string.h>

#include "energy/stencils.h"
#include "math/elementary.h"
#include "math/small.h"
#include "math/vec.h"
#include "mesh/topology.h"

typedef struct gas {
    double scale;   // volume of a face from its determinant, signed by the orientation
    double volume;  // V1 [m^3]
    double energy;  // p1 V1 [J]
    double ambient; // p0 [Pa]
} gas;

// The corners of a face relative to the first vertex: avoids cancellation far from the origin.
static void face_corners(int dim, const int32_t* vertices, int face, const double* x,
                         double corners[9]) {
    for (int i = 0; i < dim; ++i)
        pli_sub(x + 3 * (size_t)vertices[face * dim + i], x + 3 * (size_t)vertices[0],
                corners + dim * i, dim);
}

// Derivative of the corner determinant by corner i: the cofactors, row by row.
static void face_cofactors(int dim, const double* corners, double n[9]) {
    for (int i = 0; i < dim && dim == 3; ++i)
        pli_cross3(corners + 3 * ((i + 1) % 3), corners + 3 * ((i + 2) % 3), n + 3 * i);
    if (dim == 3) return;
    n[0] = corners[3];
    n[1] = -corners[2];
    n[2] = -corners[1];
    n[3] = corners[0];
}

static double volume_of(int dim, double scale, int width, const int32_t* vertices,
                        const double* x) {
    double sum = 0, corners[9], n[9];
    for (int face = 0; face < width / dim; ++face) {
        face_corners(dim, vertices, face, x, corners);
        face_cofactors(dim, corners, n);
        sum += pli_dot(corners, n, dim);
    }
    return scale * sum;
}

// ---- the surface

static pli_status open_surface(const char* what, int a, int b, pli_error* error) {
    return pli_fail(error, PLI_E_ARGUMENT,
                    "gas needs a closed surface with consistent orientation: %s %d %d", what, a, b);
}

static pli_status check_triangles(const pli_body_view* body, pli_memory* memory, pli_error* error) {
    pli_surface_report report;
    int first = body->first_vertex;
    PLI_TRY(pli_surface_inspect(memory, first + body->vertex_count,
                                body->element_count[PLI_TRIANGLE], body->elements[PLI_TRIANGLE],
                                &report, error));
    const struct {
        const char* what;
        const int* edge;
    } defects[] = {{"only one triangle at edge", report.first_open},
                   {"two triangles of opposite orientation at edge", report.first_turned},
                   {"more than two triangles at edge", report.first_crowded}};
    for (size_t i = 0; i < sizeof defects / sizeof *defects; ++i)
        if (defects[i].edge[0] >= 0)
            return open_surface(defects[i].what, defects[i].edge[0] - first,
                                defects[i].edge[1] - first, error);
    return PLI_OK;
}

// Each vertex with segments must start exactly one and end exactly one.
static pli_status check_segments(const pli_body_view* body, pli_memory* memory, pli_error* error) {
    const int32_t* segments = body->elements[PLI_SEGMENT];
    int count = body->element_count[PLI_SEGMENT], first = body->first_vertex;
    int32_t* begun;
    PLI_TRY(PLI_ALLOC(memory, begun, 2 * (size_t)body->vertex_count, error));
    int32_t* ended = begun + body->vertex_count;
    for (int i = 0; i < count; ++i) {
        begun[segments[2 * i] - first]++;
        ended[segments[2 * i + 1] - first]++;
    }
    pli_status status = PLI_OK;
    for (int i = 0; i < 2 * count && status == PLI_OK; ++i) {
        int v = segments[i] - first;
        if (begun[v] != 1 || ended[v] != 1)
            status = open_surface("the outline ends or changes orientation at segment",
                                  segments[i & ~1] - first, segments[i | 1] - first, error);
    }
    PLI_FREE(memory, begun, 2 * (size_t)body->vertex_count);
    return status;
}

static pli_status stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    pli_element_kind kind = body->dim == 3 ? PLI_TRIANGLE : PLI_SEGMENT;
    int count = body->element_count[kind];
    if (count == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "gas needs a closed surface of %s elements; the mesh "
                        "has none",
                        pli_element_word(kind));
    PLI_TRY(body->dim == 3 ? check_triangles(body, sink->memory, error)
                           : check_segments(body, sink->memory, error));
    return pli_sink_wide(sink, count * body->dim, body->elements[kind], error);
}

// ---- the energy

static pli_status check(const double* params, pli_error* error) {
    if (params[0] + params[1] > 0) return PLI_OK;
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                  "pressure + ambient = %g Pa, must be > 0: a gas has no negative "
                                  "pressure",
                                  params[0] + params[1]),
                         error, "pressure");
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    gas* s = data;
    int dim = element->dim, n = element->vertex_count;
    double scale = dim == 3 ? 1. / 6 : 0.5 * element->thickness;
    double volume = volume_of(dim, scale, n, element->vertices, element->rest);
    if (!(fabs(volume) > 0) || !isfinite(volume))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the surface encloses no volume at rest; the volume must be > 0");
    *s = (gas){.scale = copysign(scale, volume),
               .volume = fabs(volume),
               .energy = (params[0] + params[1]) * fabs(volume),
               .ambient = params[1]};
    return PLI_OK;
}

// g += weight dV/dx
static void add_gradient(int dim, double weight, int width, const int32_t* vertices,
                         const double* x, double* g) {
    double corners[9], n[9];
    for (int face = 0; face < width / dim; ++face) {
        face_corners(dim, vertices, face, x, corners);
        face_cofactors(dim, corners, n);
        pli_axpy(weight, n, g + face * dim * dim, dim * dim);
    }
}

static void eval(const pli_batch* in, pli_local* out) {
    for (int i = 0; i < in->count; ++i) {
        const gas* s = (const gas*)in->data + i;
        size_t at = pli_batch_start(in, i), first = at * (size_t)in->dim;
        int width = pli_batch_width(in, i);
        const int32_t* vertices = in->vertices + at;
        double V = volume_of(in->dim, s->scale, width, vertices, in->x);
        if (!(V > 0)) {
            if (in->want & PLI_VALUE) out->e[i] += HUGE_VAL;
            continue;
        }
        if (in->want & PLI_VALUE)
            out->e[i] += s->ambient * (V - s->volume) - s->energy * pli_log(V / s->volume);
        if (in->want & PLI_GRADIENT)
            add_gradient(in->dim, (s->ambient - s->energy / V) * s->scale, width, vertices, in->x,
                         out->g + first);
        if (!(in->want & PLI_HESSIAN)) continue;
        out->factor_weights[i] = s->energy / (V * V);
        add_gradient(in->dim, s->scale, width, vertices, in->x, out->factors + first);
    }
}

// weight times the second derivative of the determinant by corner i and the next one, row by row;
// of a . (b x c) by a and b it is v -> v x c. The first vertex of all, which corners are seen from,
// drops out of the sum over a closed surface.
static void face_curvature(int dim, double weight, const double* corners, int i, double block[9]) {
    const double* c = corners + 3 * ((i + 2) % 3);
    if (dim == 2) {
        memcpy(block, (double[4]){0, weight, -weight, 0}, 4 * sizeof *block);
        return;
    }
    for (int r = 0; r < 3; ++r) {
        block[4 * r] = 0;
        block[3 * r + (r + 1) % 3] = weight * c[(r + 2) % 3];
        block[3 * r + (r + 2) % 3] = -weight * c[(r + 1) % 3];
    }
}

static pli_status curvature(const pli_batch* in, pli_curvature_sink* sink, pli_error* error) {
    double corners[9] = {0}, block[9];
    int dim = in->dim;
    for (int i = 0; i < in->count; ++i) {
        const gas* s = (const gas*)in->data + i;
        int width = pli_batch_width(in, i);
        const int32_t* vertices = in->vertices + pli_batch_start(in, i);
        double V = volume_of(dim, s->scale, width, vertices, in->x);
        if (!(V > 0)) continue;
        double weight = (s->ambient - s->energy / V) * s->scale;
        for (int first = 0; first < width; first += dim) {
            face_corners(dim, vertices, first / dim, in->x, corners);
            for (int k = 0; k < (dim == 3 ? 3 : 1); ++k) {
                face_curvature(dim, weight, corners, k, block);
                PLI_TRY(
                    pli_sink_curvature(sink, i, first + k, first + (k + 1) % dim, block, error));
            }
        }
    }
    return PLI_OK;
}

// Coefficients of V(x + t p) / V(x) - 1 = c[0] t + c[1] t^2 + c[2] t^3.
static void volume_along(int dim, int width, const int32_t* vertices, const double* x,
                         const double* p, double c[3]) {
    double V = 0, sum[3] = {0}, X[9], D[9], n[9], m[9];
    for (int face = 0; face < width / dim; ++face) {
        face_corners(dim, vertices, face, x, X);
        face_corners(dim, vertices, face, p, D);
        face_cofactors(dim, X, n);
        face_cofactors(dim, D, m);
        V += pli_dot(X, n, dim);
        sum[0] += pli_dot(D, n, dim * dim);
        sum[dim - 1] += pli_dot(D, m, dim);
        if (dim == 3) sum[1] += pli_dot(X, m, 9);
    }
    for (int i = 0; i < 3; ++i) c[i] = sum[i] / V;
}

// V must stay above a tenth of its value.
static double max_step(const pli_batch* in, const double* p) {
    double bound = 1, c[3];
    for (int i = 0; i < in->count; ++i) {
        volume_along(in->dim, pli_batch_width(in, i), in->vertices + pli_batch_start(in, i), in->x,
                     p, c);
        bound = fmin(bound, in->dim == 3 ? pli_first_root3(c[2], c[1], c[0], 0.9)
                                         : pli_smallest_positive_root2(c[1], c[0], 0.9));
    }
    return bound;
}

static const pli_param params[] = {
    {.name = "pressure",
     .unit = "Pa",
     .min = -HUGE_VAL,
     .max = HUGE_VAL,
     .default_value = 0,
     .help = "p1 - p0, pressure above the ambient pressure at the volume of rest"},
    {.name = "ambient",
     .unit = "Pa",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 101325,
     .help = "p0, pressure outside"},
};

const pli_energy_type pli_energy_gas = {
    .abi = PLI_ENERGY_ABI,
    .name = "gas",
    .help = "-p1 V1 ln(V / V1) + p0 (V - V1), gas inside the closed surface of the body: p V is "
            "constant",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(gas)},
    .width = PLI_WIDE,
    .rank = 1,
    .global = true,
    .stencils = stencils,
    .check = check,
    .prepare = prepare,
    .eval = eval,
    .curvature = curvature,
    .max_step = max_step,
};
