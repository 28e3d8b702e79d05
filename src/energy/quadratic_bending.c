// Quadratic bending of sheets that are flat at rest and hardly stretch [Bergou06]: at each inner
// edge, with the cotangents at its ends (1a: at x1 to the apex x0, 2b: at x2 to the apex x3),
//
//     P = (k/2) 3 / (A1 + A2) |K x|^2    [J],
//     K x = (c_2a + c_2b) x1 + (c_1a + c_1b) x2 - (c_1a + c_2a) x0 - (c_1b + c_2b) x3.
//
// The Hessian is constant and positive semi-definite. Without stretch |K x| = 2 |e| sin(theta/2),
// so that small angles have the energy of `hinge` with the same k, and the same dependence on the
// mesh.
#include <math.h>

#include "base/base.h"
#include "energy/crease.h"

enum { WIDTH = PLI_FOLD_WIDTH, SIZE = PLI_FOLD_SIZE };

typedef struct quadratic {
    double K[WIDTH]; // times the root of 3 k / (A1 + A2) [(N/m)^1/2]
} quadratic;

// More than this is not flat [rad]: coordinates of files have six digits.
static const double FLAT = 1e-3;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    quadratic* q = data;
    pli_crease rest;
    PLI_TRY(pli_crease_prepare(params, element, &rest, error));
    const pli_fold* f = &rest.fold;
    if (fabs(rest.angle) > FLAT)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the sheet is not flat at rest: angle %g rad; use \"bending\" or \"hinge\", "
                        "or set flat = 1",
                        rest.angle);
    double root[2] = {sqrt(f->square[0]), sqrt(f->square[1])}, // twice the areas
        scale = sqrt(rest.stiffness * 6 / (root[0] + root[1]));
    for (int a = 0; a < WIDTH; ++a) q->K[a] = 0;
    for (int t = 0; t < 2; ++t) { // c_1t = -p1.e |e| / |n|, c_2t = p2.e |e| / |n|
        double c1 = scale * f->c[2][t] * f->length / root[t],
               c2 = scale * f->c[1][t] * f->length / root[t];
        q->K[1] += c2;
        q->K[2] += c1;
        q->K[3 * t] = -c1 - c2;
    }
    return PLI_OK;
}

static void eval(const pli_batch* in, pli_local* out) {
    const quadratic* records = in->data;
    for (int i = 0; i < in->count; ++i) {
        const double* K = records[i].K;
        const int32_t* v = in->vertices + (size_t)i * WIDTH;
        double y[3] = {0};
        for (int a = 1; a < WIDTH; ++a) // they sum to 0: no digits are lost far from the origin
            for (int r = 0; r < 3; ++r)
                y[r] += K[a] *
                        (in->x[3 * (size_t)v[a] + (size_t)r] - in->x[3 * (size_t)v[0] + (size_t)r]);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * pli_dot(y, y, 3);
        for (int a = 0; a < WIDTH && in->want & PLI_GRADIENT; ++a)
            pli_axpy(K[a], y, out->g + (size_t)i * SIZE + 3 * a, 3);
        double* H = in->want & PLI_HESSIAN ? out->H + (size_t)i * SIZE * SIZE : NULL;
        for (int a = 0; a < WIDTH && H; ++a)
            for (int b = 0; b < WIDTH; ++b)
                for (int r = 0; r < 3; ++r) H[(3 * a + r) * SIZE + 3 * b + r] += K[a] * K[b];
    }
}

static const pli_param params[PLI_CREASE_PARAMS] = {PLI_CREASE_ROWS("k, as of hinge")};

const pli_energy_type pli_energy_quadratic_bending = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "quadratic-bending",
    .help =
        "(k/2) 3 / (A1 + A2) |K x|^2 at each inner edge of a sheet that is flat at rest: hinge for "
        "sheets that hardly stretch, with a constant Hessian",
    .dims = 1u << 3,
    .params = params,
    .param_count = PLI_CREASE_PARAMS,
    .data_size = {[PLI_STENCIL] = sizeof(quadratic)},
    .width = WIDTH,
    .stencils = pli_hinge_stencils,
    .check = pli_crease_check,
    .prepare = prepare,
    .eval = eval,
};
