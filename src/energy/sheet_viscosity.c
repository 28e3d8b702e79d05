// Viscosity of sheets: R = V (eta |D|^2 + zeta/2 (tr D)^2) [W] with the rate of the Green strain
//
//     D = sym(F^T L),   L = dv/dX,   F = dx/dX at the start of the step, both 3x2.
//
// Beside an elastic law it makes a Kelvin-Voigt sheet, as `viscosity` makes a solid. R is quadratic
// and convex in v; a rigid motion at the start of the step has D = 0 and no cost. [BonetWood08]
#include <math.h>

#include "base/base.h"
#include "energy/sheet.h"
#include "math/vec.h"

enum { SHEAR, BULK };

typedef struct viscous {
    pli_sheet sheet;
    double shear, bulk; // eta, zeta [Pa s]
} viscous;

static pli_status check(const double* params, pli_error* error) {
    if (params[SHEAR] == 0 && params[BULK] == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "shear and bulk are both 0: at least one must be > 0");
    return PLI_OK;
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    viscous* m = data;
    m->shear = params[SHEAR];
    m->bulk = params[BULK];
    return pli_sheet_prepare(element, NULL, &m->sheet, error);
}

// P = dR/dL per volume = F S, S = 2 eta D + zeta tr(D) I; returns R per volume.
static double find_stress(const viscous* m, const double F[6], const double L[6], double P[6]) {
    double D11 = pli_dot(F, L, 3), D22 = pli_dot(F + 3, L + 3, 3);
    double D12 = 0.5 * (pli_dot(F, L + 3, 3) + pli_dot(F + 3, L, 3));
    double S11 = 2 * m->shear * D11 + m->bulk * (D11 + D22);
    double S22 = 2 * m->shear * D22 + m->bulk * (D11 + D22), S12 = 2 * m->shear * D12;
    for (int r = 0; r < 3; ++r) {
        P[r] = F[r] * S11 + F[3 + r] * S12;
        P[3 + r] = F[r] * S12 + F[3 + r] * S22;
    }
    return 0.5 * (S11 * D11 + S22 * D22) + S12 * D12;
}

static void eval(const pli_batch* in, pli_local* out) {
    const viscous* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const viscous* m = &records[i];
        double F[6], L[6], P[6], K[36], along = 2 * m->shear + m->bulk;
        pli_sheet_gradient(&m->sheet, in->vertices + 3 * i, in->x, F);
        pli_sheet_gradient(&m->sheet, in->vertices + 3 * i, in->v, L);
        double R = find_stress(m, F, L, P);
        if (in->want & PLI_VALUE) out->e[i] += m->sheet.volume * R;
        if (in->want & PLI_GRADIENT) pli_sheet_add_force(&m->sheet, P, out->g + 9 * i);
        if (!(in->want & PLI_HESSIAN)) continue;
        pli_sheet_material_stiffness(F, (const double[4]){along, m->bulk, along, m->shear}, K);
        pli_sheet_add_stiffness(&m->sheet, K, out->H + 81 * i);
    }
}

static const pli_param params[] = {
    [SHEAR] = {.name = "shear",
               .unit = "Pa s",
               .min = 0,
               .max = HUGE_VAL,
               .default_value = 100,
               .help = "eta: stress 2 eta D at strain rate D"},
    [BULK] = {.name = "bulk",
              .unit = "Pa s",
              .min = 0,
              .max = HUGE_VAL,
              .default_value = 0,
              .help = "zeta: stress zeta tr(D) per rate of area"},
};

const pli_energy_type pli_energy_sheet_viscosity = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "sheet-viscosity",
    .help =
        "dissipation V (eta |D|^2 + zeta/2 tr(D)^2) of triangles in space with the rate D of the "
        "Green strain",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_TRIANGLE] = sizeof(viscous)},
    .dissipation = true,
    .check = check,
    .prepare = prepare,
    .eval = eval,
};
