// Orthotropic St. Venant-Kirchhoff law of sheets. With the Green strain E = (F^T F - I) / 2 in the
// axes of warp (1) and weft (2), per volume at rest
//
//     psi = c11/2 E11^2 + c12 E11 E22 + c22/2 E22^2 + 2 c33 E12^2,   S = dpsi/dE
//
// c33 is the shear modulus: 2 E12 is the shear angle. In plane stress [Jones99]
//
//     c11 = E1 / (1 - nu12 nu21), c22 = E2 / (1 - nu12 nu21), c12 = nu12 c22, nu21 = nu12 E2 / E1.
//
// Small strains, any rotation; under strong compression it softens and buckles through itself.
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "energy/sheet.h"
#include "math/small.h"
#include "math/vec.h"

enum {
    C11,
    C12,
    C22,
    C33,
    YOUNG_WARP,
    YOUNG_WEFT,
    POISSON,
    SHEAR,
    WARP,
    PARAM_COUNT = WARP + PLI_WARP_COUNT
};

typedef struct cloth {
    pli_sheet sheet;
    double c[4]; // c11, c12, c22, c33 [Pa]
} cloth;

// ---- constants

static int given_count(const double* params, int first) {
    int count = 0;
    for (int i = 0; i < 4; ++i) count += !isnan(params[first + i]);
    return count;
}

static pli_status convert(const double* params, double c[4], pli_error* error) {
    static const double usual[PARAM_COUNT] = {NAN,
                                              NAN,
                                              NAN,
                                              NAN,
                                              [YOUNG_WARP] = 1e6,
                                              [YOUNG_WEFT] = 1e6,
                                              [POISSON] = 0.3,
                                              [SHEAR] = 3.8e5};
    if (given_count(params, C11) + given_count(params, YOUNG_WARP) == 0) params = usual;
    int direct = given_count(params, C11), moduli = given_count(params, YOUNG_WARP);
    if (direct > 0 && moduli > 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "c11 to c33 and young_warp to shear are two ways to give the same "
                        "constants: use one of them");
    if (direct != 4 && moduli != 4)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "constants are missing: give c11, c12, c22 and c33, or young_warp, "
                        "young_weft, poisson_warp and shear");
    pli_copy(params + C11, c, 4);
    if (moduli == 0) return PLI_OK;
    double nu = params[POISSON], ratio = params[YOUNG_WEFT] / params[YOUNG_WARP];
    double rest = 1 - nu * nu * ratio;
    c[0] = params[YOUNG_WARP] / rest;
    c[2] = params[YOUNG_WEFT] / rest;
    c[1] = nu * c[2];
    c[3] = params[SHEAR];
    if (rest > 0) return PLI_OK;
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                  "poisson_warp = %g, must be between -%.4g and %.4g, the root of "
                                  "young_warp / young_weft",
                                  nu, sqrt(1 / ratio), sqrt(1 / ratio)),
                         error, "poisson_warp");
}

static pli_status check(const double* params, pli_error* error) {
    double c[4];
    PLI_TRY(convert(params, c, error));
    double most = sqrt(c[0]) * sqrt(c[2]);
    if (fabs(c[1]) < most) return PLI_OK;
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                  "c12 = %g Pa, must be between -%.4g and %.4g Pa, the root of c11 "
                                  "c22: else some strains give energy back",
                                  c[1], most, most),
                         error, "c12");
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    cloth* m = data;
    PLI_TRY(convert(params, m->c, error));
    return pli_sheet_prepare(element, params + WARP, &m->sheet, error);
}

// ---- the law

// S = {S11, S12, S12, S22}; returns psi = S : E / 2.
static double find_stress(const cloth* m, const double F[6], double S[4]) {
    double E11 = 0.5 * (pli_dot(F, F, 3) - 1), E22 = 0.5 * (pli_dot(F + 3, F + 3, 3) - 1);
    double E12 = 0.5 * pli_dot(F, F + 3, 3);
    S[0] = m->c[0] * E11 + m->c[1] * E22;
    S[3] = m->c[1] * E11 + m->c[2] * E22;
    S[1] = S[2] = 2 * m->c[3] * E12;
    return 0.5 * (S[0] * E11 + S[3] * E22) + S[1] * E12;
}

// P = F S
static void push(const double F[6], const double S[4], double P[6]) {
    for (int r = 0; r < 3; ++r) {
        P[r] = F[r] * S[0] + F[3 + r] * S[2];
        P[3 + r] = F[r] * S[1] + F[3 + r] * S[3];
    }
}

// The material part dE : C : dE is positive semi-definite, and so is the geometric part S : dF^T dF
// with the positive part of S.
static void find_stiffness(const cloth* m, const double F[6], const double S[4], double K[36]) {
    pli_sheet_material_stiffness(F, m->c, K);
    for (int i = 0; i < 4; ++i)
        for (int r = 0; r < 3; ++r) K[6 * (3 * (i / 2) + r) + 3 * (i % 2) + r] += S[i];
}

static void eval(const pli_batch* in, pli_local* out) {
    const cloth* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const cloth* m = &records[i];
        double F[6], S[4], P[6], K[36];
        pli_sheet_gradient(&m->sheet, in->vertices + 3 * i, in->x, F);
        double psi = find_stress(m, F, S);
        if (in->want & PLI_VALUE) out->e[i] += m->sheet.volume * psi;
        if (in->want & PLI_GRADIENT) {
            push(F, S, P);
            pli_sheet_add_force(&m->sheet, P, out->g + 9 * i);
        }
        if (!(in->want & PLI_HESSIAN)) continue;
        if (in->project) pli_project_psd(2, S);
        find_stiffness(m, F, S, K);
        pli_sheet_add_stiffness(&m->sheet, K, out->H + 81 * i);
    }
}

static void stress(const pli_batch* in, double* out) {
    const cloth* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        double F[6], S[4], P[6];
        pli_sheet_gradient(&records[i].sheet, in->vertices + 3 * i, in->x, F);
        find_stress(&records[i], F, S);
        push(F, S, P);
        pli_sheet_add_stress(F, P, out + 6 * i);
    }
}

#define POSITIVE(name_, help_)                                                                     \
    {                                                                                              \
        .name = (name_), .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = NAN,            \
        .flags = PLI_PARAM_ABOVE_MIN, .help = (help_)                                              \
    }

static const pli_param params[PARAM_COUNT] = {
    [C11] = POSITIVE("c11", "stress along the warp per strain along it"),
    [C12] = {.name = "c12",
             .unit = "Pa",
             .min = -HUGE_VAL,
             .max = HUGE_VAL,
             .default_value = NAN,
             .help = "stress along the warp per strain along the weft"},
    [C22] = POSITIVE("c22", "stress along the weft per strain along it"),
    [C33] = POSITIVE("c33", "shear modulus: shear stress per shear angle"),
    [YOUNG_WARP] =
        POSITIVE("young_warp", "modulus of Young along the warp; young_warp to shear are "
                               "given instead of c11 to c33. None of both: 1e6 Pa "
                               "along both, poisson_warp 0.3, shear 3.8e5 Pa"),
    [YOUNG_WEFT] = POSITIVE("young_weft", "modulus of Young along the weft"),
    [POISSON] = {.name = "poisson_warp",
                 .unit = "",
                 .min = -1e6,
                 .max = 1e6,
                 .default_value = NAN,
                 .help = "contraction of the weft per stretch of the warp"},
    [SHEAR] = POSITIVE("shear", "shear modulus"),
    [WARP] = PLI_WARP_ROWS};

const pli_energy_type pli_energy_orthotropic = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "orthotropic",
    .help =
        "V (c11/2 E11^2 + c12 E11 E22 + c22/2 E22^2 + 2 c33 E12^2) with the Green strain E along "
        "warp (1) and weft (2), of triangles in space",
    .dims = 1u << 3,
    .params = params,
    .param_count = PARAM_COUNT,
    .data_size = {[PLI_TRIANGLE] = sizeof(cloth)},
    .check = check,
    .prepare = prepare,
    .eval = eval,
    .stress = stress,
};
