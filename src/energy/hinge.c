// Bending of a sheet of triangles, by the angle between the two triangles at each inner edge
// [Grinspun03],
//
//     P = (k/2) w (theta - theta_rest)^2,    w = 3 |e|^2 / (A1 + A2)    [J]
//
// with length and areas at rest, in the pattern where there is one; k may differ along warp and weft
// (crease.h). theta is 0 where the triangles are coplanar, and is the signed
// angle of their normals about the edge, in -pi .. pi. On regular and on equilateral meshes
// k = D/3 = E t^3 / (36 (1 - nu^2)) gives the cylindrical bending of a plate of thickness t. Bent
// in two directions, or on other meshes, the stiffness depends on the mesh, at any resolution: a
// simply supported square plate deflects by 0.56 (one diagonal), 0.74 (union jack) or 0.77 (random)
// of the exact value. `bending` is right on all of them.
//
// The projected Hessian is that of Gauss and Newton, k w (d theta)(d theta)^T.
#include <math.h>

#include "base/base.h"
#include "energy/crease.h"

enum { WIDTH = PLI_FOLD_WIDTH, SIZE = PLI_FOLD_SIZE };

typedef struct hinge {
    double stiffness; // k w [J]
    double angle;     // theta_rest [rad]
} hinge;

// H += s d2theta/dx2, as the mean with its transpose: rounding leaves it symmetric.
static void add_curvature(const pli_fold* f, double s, double* H) {
    for (int c = 0; c < SIZE; ++c) {
        double d[SIZE] = {0}, column[SIZE];
        d[c] = 1;
        pli_fold_curvature(f, d, column);
        for (int r = 0; r < SIZE; ++r) {
            H[r * SIZE + c] += 0.5 * s * column[r];
            H[c * SIZE + r] += 0.5 * s * column[r];
        }
    }
}

static void gather(const double* x, const int32_t* v, double out[SIZE]) {
    for (int a = 0; a < WIDTH; ++a) pli_copy(x + 3 * (size_t)v[a], out + 3 * a, 3);
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    hinge* h = data;
    pli_crease rest;
    PLI_TRY(pli_crease_prepare(params, element, &rest, error));
    const pli_fold* f = &rest.fold;
    double areas = 0.5 * (sqrt(f->square[0]) + sqrt(f->square[1]));
    h->stiffness = rest.stiffness * 3 * f->length * f->length / areas;
    h->angle = rest.angle;
    return PLI_OK;
}

static void eval(const pli_batch* in, pli_local* out) {
    const hinge* hinges = in->data;
    for (int i = 0; i < in->count; ++i) {
        const hinge* h = &hinges[i];
        double x[SIZE], g[SIZE];
        pli_fold f;
        gather(in->x, in->vertices + (size_t)i * WIDTH, x);
        if (!pli_fold_open(x, &f)) {
            if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
            continue;
        }
        double bend = pli_fold_angle(&f) - h->angle, moment = h->stiffness * bend;
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * moment * bend;
        if (!(in->want & (PLI_GRADIENT | PLI_HESSIAN))) continue;
        pli_fold_gradient(&f, g);
        if (in->want & PLI_GRADIENT) pli_axpy(moment, g, out->g + (size_t)i * SIZE, SIZE);
        if (!(in->want & PLI_HESSIAN)) continue;
        double* H = out->H + (size_t)i * SIZE * SIZE;
        for (int r = 0; r < SIZE; ++r) pli_axpy(h->stiffness * g[r], g, H + r * SIZE, SIZE);
        if (!in->project) add_curvature(&f, moment, H);
    }
}

// Angle between the triangles, and the moment about the edge per length of it.
static void show(const pli_batch* in, double* out) {
    const hinge* hinges = in->data;
    for (int i = 0; i < in->count; ++i) {
        double x[SIZE];
        pli_fold f;
        gather(in->x, in->vertices + (size_t)i * WIDTH, x);
        double angle = pli_fold_open(x, &f) ? pli_fold_angle(&f) : (double)NAN;
        out[2 * i] = angle;
        out[2 * i + 1] = hinges[i].stiffness * (angle - hinges[i].angle) / f.length;
    }
}

static const pli_energy_field fields[] = {
    {"fold_angle", "Angle of folds", "rad"},
    {"bending_moment", "Bending moment per length", "N"},
};

static const pli_param params[PLI_CREASE_PARAMS] = {
    PLI_CREASE_ROWS("k; E t^3 / (36 (1 - nu^2)) gives a plate of thickness t 0.56 to 0.77 of its "
                    "deflection, however fine the mesh")};

const pli_energy_type pli_energy_hinge = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "hinge",
    .help = "(k/2) w (theta - theta_rest)^2 of the angle at each inner edge, w = 3 |e|^2 / (A1 + "
            "A2); cheap, "
            "for cloth: its stiffness depends on the mesh",
    .dims = 1u << 3,
    .params = params,
    .param_count = PLI_CREASE_PARAMS,
    .data_size = {[PLI_STENCIL] = sizeof(hinge)},
    .width = WIDTH,
    .stencils = pli_hinge_stencils,
    .check = pli_crease_check,
    .prepare = prepare,
    .eval = eval,
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .field_places = 1u << 1 | 1u << 2, // the ends of the edge
    .show = show,
};
