// Springs across the edges of a sheet of triangles, which resist bending: of the two triangles at
// each inner edge, the apexes a and b are joined by a spring,
//
//     P = (k/2) (|x_a - x_b| - l)^2    [J]
//
// Cheap, and right for no material: the force depends on the mesh, and in-plane stretch across the
// edge feels it too. This is the example of an energy over stencils that are derived from the mesh:
// `stencils` finds them, the records hold what depends on the rest shape.
#include <math.h>

#include "energy/segment.h"

enum { WIDTH = 4, APEX = 0, OTHER = 3 }; // apex, the two ends of the edge, the other apex

typedef struct bending_spring {
    double k;      // [N/m]
    double length; // l [m]
} bending_spring;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    bending_spring* s = data;
    int32_t ends[2] = {element->vertices[APEX], element->vertices[OTHER]};
    pli_element segment = *element;
    segment.vertices = ends;
    s->k = params[0];
    return pli_segment_rest_length(&segment, &s->length, error);
}

// The same blocks as those of Hooke's spring (hooke.c), at the apexes.
static void add_hessian(const bending_spring* s, int dim, const double d[3], double r, bool project,
                        double* H) {
    double n[3] = {0}, across = s->k, local[36] = {0};
    if (r > 0) {
        for (int c = 0; c < dim; ++c) n[c] = d[c] / r;
        across = s->k * (1 - s->length / r);
        if (project && across < 0) across = 0;
    }
    pli_segment_add_hessian(dim, across, s->k - across, n, local);
    static const int corner[2] = {APEX, OTHER};
    for (int i = 0; i < 2 * dim; ++i)
        for (int j = 0; j < 2 * dim; ++j) {
            int row = corner[i / dim] * dim + i % dim, column = corner[j / dim] * dim + j % dim;
            H[row * WIDTH * dim + column] += local[i * 2 * dim + j];
        }
}

static void eval(const pli_batch* in, pli_local* out) {
    const bending_spring* springs = in->data;
    int dim = in->dim, n = WIDTH * dim;
    for (int i = 0; i < in->count; ++i) {
        const bending_spring* s = &springs[i];
        const int32_t* v = in->vertices + WIDTH * i;
        double d[3];
        pli_sub(in->x + 3 * (size_t)v[APEX], in->x + 3 * (size_t)v[OTHER], d, dim);
        double r = pli_norm(d, dim), extension = r - s->length;
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * s->k * extension * extension;
        for (int c = 0; c < dim && in->want & PLI_GRADIENT && r > 0; ++c) {
            double* g = out->g + (size_t)i * (size_t)n;
            g[APEX * dim + c] += s->k * extension / r * d[c];
            g[OTHER * dim + c] -= s->k * extension / r * d[c];
        }
        if (in->want & PLI_HESSIAN)
            add_hessian(s, dim, d, r, in->project, out->H + (size_t)i * (size_t)(n * n));
    }
}

static const pli_param params[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 10,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "k, force per change of distance between the apexes"},
};

const pli_energy_type pli_energy_bending_spring = {
    .abi = PLI_ENERGY_ABI,
    .name = "bending-spring",
    .help = "(k/2) (|d| - l)^2 between the apexes of the two triangles at each inner edge",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(bending_spring)},
    .width = WIDTH,
    .stencils = pli_hinge_stencils,
    .prepare = prepare,
    .eval = eval,
};
