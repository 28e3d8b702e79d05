// Bending that keeps creases: `bending` (mid_edge.h) in series with a slider that yields at the
// curvature kappa_y. With the plastic angles p of a triangle at the start of the step, b = alpha -
// alpha_rest - p, r = sqrt(b^T Q b) and y = kappa_y sqrt(A D),
//
//     P = min over p' of 1/2 (b - p')^T Q (b - p') + y |p'|_Q
//       = r^2 / 2          if r <= y
//       = y r - y^2 / 2    otherwise    [J]:
//
// an incremental potential that stores the first part and dissipates the second. `commit` moves p
// to p + (1 - y/r) b. Bent in one direction, the sheet yields at the curvature kappa_y; a woven one
// with D = (D1 D2)^1/2 along the warp at (D2 / D1)^1/4 of it.
#include <math.h>

#include "base/base.h"
#include "energy/mid_edge.h"

enum { YIELD = PLI_PLATE_PARAMS };

typedef struct crease {
    pli_mid_edge bending;
    double yield; // y [J^1/2]
} crease;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    crease* c = data;
    pli_plate plate = pli_plate_of(params, element);
    PLI_TRY(pli_mid_edge_prepare(&plate, element, &c->bending, error));
    c->yield = params[YIELD] * sqrt(c->bending.area * pli_plate_stiffness(&plate));
    return PLI_OK;
}

// y / r, at most 1, and the moments Q b of elastic bending; p is taken from b.
static double slip(const crease* c, const double* p, pli_bend* bend, double moment[3]) {
    for (int k = 0; k < 3; ++k) bend->b[k] -= p[k];
    for (int k = 0; k < 3; ++k) moment[k] = pli_dot(c->bending.Q[k], bend->b, 3);
    double r = sqrt(fmax(0, pli_dot(moment, bend->b, 3)));
    return r > c->yield ? c->yield / r : 1;
}

static void eval(const pli_batch* in, pli_local* out) {
    const crease* records = in->data;
    const double* plastic = in->state;
    for (int i = 0; i < in->count; ++i) {
        const crease* c = &records[i];
        const int32_t* v = in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH;
        double moment[3];
        pli_bend bend;
        if (!pli_mid_edge_bend(&c->bending, in->x, v, in->want & (PLI_GRADIENT | PLI_HESSIAN),
                               &bend)) {
            if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
            continue;
        }
        double s = slip(c, plastic + 3 * (size_t)i, &bend, moment),
               square = pli_dot(moment, bend.b, 3);
        pli_moments r = {.energy = s < 1 ? (s - 0.5 * s * s) * square : 0.5 * square};
        for (int k = 0; k < 3; ++k) {
            r.moment[k] = s * moment[k];
            for (int l = 0; l < 3; ++l)
                r.C[k][l] = s * (c->bending.Q[k][l] - (s < 1 ? moment[k] * moment[l] / square : 0));
        }
        pli_mid_edge_spread(&c->bending, &bend, &r, in, i, out);
    }
}

static void commit(const pli_batch* in, void* state) {
    const crease* records = in->data;
    double* plastic = state;
    for (int i = 0; i < in->count; ++i, plastic += 3) {
        const int32_t* v = in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH;
        double moment[3];
        pli_bend bend;
        if (!pli_mid_edge_bend(&records[i].bending, in->x, v, false, &bend)) continue;
        double s = slip(&records[i], plastic, &bend, moment);
        for (int k = 0; k < 3; ++k) plastic[k] += (1 - s) * bend.b[k];
    }
}

// The whole change of curvature, with the plastic part; the moment of what is elastic.
static void show(const pli_batch* in, double* out) {
    const crease* records = in->data;
    const double* plastic = in->state;
    for (int i = 0; i < in->count; ++i, plastic += 3, out += PLI_PLATE_FIELD_COUNT) {
        const crease* c = &records[i];
        const int32_t* v = in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH;
        double moment[3], unused;
        pli_bend bend;
        pli_mid_edge_show(&c->bending, in->x, v, out);
        if (!pli_mid_edge_bend(&c->bending, in->x, v, false, &bend)) continue;
        double s = slip(c, plastic, &bend, moment);
        for (int k = 0; k < 3; ++k) moment[k] *= s;
        pli_mid_edge_principal(&c->bending, moment, &unused, &out[1]);
    }
}

static const pli_energy_field fields[] = {PLI_PLATE_FIELDS};

// clang-format off
static const pli_param params[] = {
    PLI_PLATE_ROWS,
    {.name = "yield", .unit = "1/m", .min = 0, .max = HUGE_VAL, .default_value = 10,
     .flags = PLI_PARAM_ABOVE_MIN, .help = "kappa_y, the curvature at which it yields"},
};
// clang-format on

const pli_energy_type pli_energy_plastic_bending = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "plastic-bending",
    .help = "\"bending\" that yields at a curvature and keeps creases",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(crease)},
    .width = PLI_MID_EDGE_WIDTH,
    .stencils = pli_plate_stencils,
    .per_triangle = true,
    .check = pli_plate_check,
    .prepare = prepare,
    .state_size = 3 * sizeof(double),
    .commit = commit,
    .eval = eval,
    .section = pli_plate_section,
    .fields = fields,
    .field_count = PLI_PLATE_FIELD_COUNT,
    .field_places = PLI_PLATE_FIELD_PLACES,
    .show = show,
};
