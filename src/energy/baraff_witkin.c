// Cloth of warp and weft threads that do not know of each other. With y = F a, z = F b, the images
// of the unit vectors along warp and weft, per volume at rest
//
//     psi = sum_i k_i (l_i - 1)^2 + r max(l_i - 1, 0)^3 + k_s (y . z)^2,   l = |y|, |z|
//
// [BaraffWitkin98], with a cubic term that stiffens long threads. No effect of Poisson.
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "energy/sheet.h"
#include "math/small.h"
#include "math/vec.h"

enum { STRETCH, STRETCH_WEFT, SHEAR, CUBIC, WARP, PARAM_COUNT = WARP + PLI_WARP_COUNT };

typedef struct cloth {
    pli_sheet sheet;
    double stretch[2], shear, cubic; // [Pa]
} cloth;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    cloth* m = data;
    m->stretch[0] = params[STRETCH];
    m->stretch[1] = isnan(params[STRETCH_WEFT]) ? params[STRETCH] : params[STRETCH_WEFT];
    m->shear = params[SHEAR];
    m->cubic = params[CUBIC];
    return pli_sheet_prepare(element, params + WARP, &m->sheet, error);
}

// psi of one thread and its derivatives by l
typedef struct thread {
    double value, first, second;
} thread;

static thread pull(const cloth* m, int i, double length) {
    double e = length - 1, over = e > 0 ? e : 0;
    return (thread){(m->stretch[i] * e + m->cubic * over * over) * e,
                    2 * m->stretch[i] * e + 3 * m->cubic * over * over,
                    2 * m->stretch[i] + 6 * m->cubic * over};
}

static double density(const cloth* m, const double F[6]) {
    double shear = pli_dot(F, F + 3, 3), value = m->shear * shear * shear;
    for (int i = 0; i < 2; ++i) value += pull(m, i, pli_norm(F + 3 * i, 3)).value;
    return value;
}

static void find_stress(const cloth* m, const double F[6], double P[6]) {
    double shear = pli_dot(F, F + 3, 3);
    for (int i = 0; i < 2; ++i) {
        double length = pli_norm(F + 3 * i, 3);
        double along = length > 0 ? pull(m, i, length).first / length : 0;
        for (int r = 0; r < 3; ++r)
            P[3 * i + r] = along * F[3 * i + r] + 2 * m->shear * shear * F[3 * (1 - i) + r];
    }
}

// In y: psi'' along n = y / l, psi' / l across.
static void add_pull(const cloth* m, int i, const double y[3], bool project, double K[36]) {
    double length = pli_norm(y, 3);
    if (length == 0) return;
    thread t = pull(m, i, length);
    double across = t.first / length;
    if (project && across < 0) across = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            K[6 * (3 * i + r) + 3 * i + c] +=
                (r == c ? across : 0) + (t.second - across) * (y[r] / length) * (y[c] / length);
}

// d2 (y.z)^2 = 2 w w^T + 2 s X, w = (z, y), X exchanges the halves, s = y.z. With the coordinates
// (z + y)/sqrt 2 and (z - y)/sqrt 2 of the eigenspaces of X, p and q long, the eigenvalues are 2 s
// twice (across the first), -2 s twice (across the second), and those of the matrix
// [2 s + 2 p^2, 2 p q; 2 p q, -2 s + 2 q^2] in the plane of both.
static void add_shear(double k, const double F[6], bool project, double K[36]) {
    double s = pli_dot(F, F + 3, 3), half[2][3], length[2], unit[2][6];
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1 : -1;
        for (int r = 0; r < 3; ++r) half[side][r] = (F[3 + r] + sign * F[r]) * PLI_SQRT_HALF;
        length[side] = pli_norm(half[side], 3);
        for (int r = 0; r < 3; ++r) {
            if (length[side] > 0) half[side][r] /= length[side];
            unit[side][r] = half[side][r] * PLI_SQRT_HALF;
            unit[side][3 + r] = sign * half[side][r] * PLI_SQRT_HALF;
        }
    }
    double plane[4] = {2 * s + 2 * length[0] * length[0], 2 * length[0] * length[1],
                       2 * length[0] * length[1], -2 * s + 2 * length[1] * length[1]};
    double across[2] = {2 * s, -2 * s};
    if (project) pli_project_psd(2, plane);
    for (int side = 0; side < 2; ++side)
        if (project && across[side] < 0) across[side] = 0;
    for (int i = 0; i < 36; ++i) {
        int r = i / 6, c = i % 6;
        for (int n = 0; n < 4; ++n) K[i] += k * plane[n] * unit[n / 2][r] * unit[n % 2][c];
        for (int side = 0; side < 2; ++side) {
            double sign = r / 3 == c / 3 || side == 0 ? 1 : -1;
            double of = 0.5 * sign * ((r % 3 == c % 3) - half[side][r % 3] * half[side][c % 3]);
            K[i] += k * across[side] * of;
        }
    }
}

static void eval(const pli_batch* in, pli_local* out) {
    const cloth* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const cloth* m = &records[i];
        double F[6], P[6], K[36] = {0};
        pli_sheet_gradient(&m->sheet, in->vertices + 3 * i, in->x, F);
        if (in->want & PLI_VALUE) out->e[i] += m->sheet.volume * density(m, F);
        if (in->want & PLI_GRADIENT) {
            find_stress(m, F, P);
            pli_sheet_add_force(&m->sheet, P, out->g + 9 * i);
        }
        if (!(in->want & PLI_HESSIAN)) continue;
        for (int side = 0; side < 2; ++side) add_pull(m, side, F + 3 * side, in->project, K);
        add_shear(m->shear, F, in->project, K);
        pli_sheet_add_stiffness(&m->sheet, K, out->H + 81 * i);
    }
}

static void stress(const pli_batch* in, double* out) {
    const cloth* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        double F[6], P[6];
        pli_sheet_gradient(&records[i].sheet, in->vertices + 3 * i, in->x, F);
        find_stress(&records[i], F, P);
        pli_sheet_add_stress(F, P, out + 6 * i);
    }
}

#define MODULUS(name_, default_, help_)                                                            \
    {                                                                                              \
        .name = (name_), .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = (default_),     \
        .help = (help_)                                                                            \
    }

static const pli_param params[PARAM_COUNT] = {
    [STRETCH] = {.name = "stretch",
                 .unit = "Pa",
                 .min = 0,
                 .max = HUGE_VAL,
                 .default_value = 5e5,
                 .flags = PLI_PARAM_ABOVE_MIN,
                 .help = "k of the warp, half the modulus of Young along it"},
    [STRETCH_WEFT] = MODULUS("stretch_weft", NAN, "k of the weft; not given: that of the warp"),
    [SHEAR] = MODULUS("shear", 5e4, "k_s, half the shear modulus"),
    [CUBIC] = MODULUS("cubic", 0,
                      "r, stiffens threads longer than at rest; limits nothing strictly: "
                      "see strain-limit"),
    [WARP] = PLI_WARP_ROWS};

const pli_energy_type pli_energy_baraff_witkin = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "baraff-witkin",
    .help =
        "V (sum k (|y| - 1)^2 + r max(|y| - 1, 0)^3 + k_s (y . z)^2) with the images y and z of "
        "warp and weft, of triangles in space",
    .dims = 1u << 3,
    .params = params,
    .param_count = PARAM_COUNT,
    .data_size = {[PLI_TRIANGLE] = sizeof(cloth)},
    .prepare = prepare,
    .eval = eval,
    .stress = stress,
};
