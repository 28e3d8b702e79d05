// Viscosity: R = V (eta |D|^2 + zeta/2 (tr D)^2) [W] with the rate of the Green strain
//
//     D = sym(F^T L),   L = dv/dX,   F = dx/dX at the start of the step.
//
// Combined with an elastic material on the same body it makes a Kelvin-Voigt solid: stresses add. R
// is quadratic and convex in v; a rigid motion at the start of the step has D = 0 and no cost. In
// the plane there is no motion across it. [BonetWood08]
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "energy/solid.h"
#include "energy/solid_element.h"
#include "math/vec.h"

enum { SHEAR, BULK };

// eta and zeta are stored as the Lame parameters of the record.
static pli_elastic constants(const double* params) {
    return (pli_elastic){
        .young = NAN, .poisson = NAN, .mu = params[SHEAR], .lam = params[BULK], .plane_stress = 0};
}

static pli_status check(const double* params, pli_error* error) {
    if (params[SHEAR] == 0 && params[BULK] == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "shear and bulk are both 0: at least one must be > 0");
    return PLI_OK;
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    pli_elastic given = constants(params);
    return pli_solid_prepare_given(&given, element, data, error);
}

// D = sym(F^T L)
PLI_SOLID_INLINE void strain_rate(int dim, const double* F, const double* L, double* D) {
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
            double sum = 0;
            for (int k = 0; k < dim; ++k)
                sum += F[dim * k + i] * L[dim * k + j] + F[dim * k + j] * L[dim * k + i];
            D[dim * i + j] = 0.5 * sum;
        }
}

// S = 2 eta D + zeta tr(D) I and dR/dL = w F S. Returns R / w = S : D / 2.
PLI_SOLID_INLINE double viscous_stress(int dim, const pli_solid* m, const double* F,
                                       const double* D, double* P) {
    double trace = 0, S[9], power = 0;
    for (int i = 0; i < dim; ++i) trace += D[dim * i + i];
    for (int i = 0; i < dim * dim; ++i) {
        S[i] = 2 * m->mu * D[i] + (i % (dim + 1) == 0 ? m->lam * trace : 0);
        power += 0.5 * S[i] * D[i];
    }
    for (int i = 0; i < dim * dim; ++i) {
        P[i] = 0;
        for (int k = 0; k < dim; ++k) P[i] += F[i / dim * dim + k] * S[dim * k + i % dim];
    }
    return power;
}

// With f_v = F G_v: H_vu += w [eta (G_v . G_u) F F^T + eta f_u f_v^T + zeta f_v f_u^T], for v <= u
// but the first vertex.
PLI_SOLID_INLINE void add_hessian(int dim, int width, double w, const pli_solid* m, const double* F,
                                  const double* G, double* H) {
    double f[27], B[9];
    for (int i = 0; i < dim * (width - 1); ++i)
        f[i] = pli_dot(F + i % dim * dim, G + i / dim * dim, dim);
    for (int i = 0; i < dim * dim; ++i) B[i] = pli_dot(F + i / dim * dim, F + i % dim * dim, dim);
    for (int v = 0; v < width - 1; ++v)
        for (int u = v; u < width - 1; ++u) {
            double both = pli_dot(G + v * dim, G + u * dim, dim);
            const double *fv = f + v * dim, *fu = f + u * dim;
            double* block = H + PLI_PACKED_AT(dim, u + 1, v + 1);
            for (int a = 0; a < dim; ++a)
                for (int c = 0; c < dim; ++c)
                    block[dim * a + c] += w * (m->mu * (both * B[dim * a + c] + fu[a] * fv[c]) +
                                               m->lam * fv[a] * fu[c]);
        }
}

PLI_SOLID_INLINE void eval_kind(int dim, int width, const pli_batch* in, pli_local* out) {
    int points = width == dim + 1 ? 1 : dim + 1;
    size_t n = (size_t)width * (size_t)dim, size = PLI_SOLID_POINT((size_t)dim, (size_t)width);
    const double* record = in->data;
    for (int i = 0; i < in->count; ++i, record += PLI_SOLID_HEAD + (size_t)points * size) {
        const pli_solid* m = (const pli_solid*)record;
        const int32_t* vertices = in->vertices + (size_t)i * (size_t)width;
        double d[27], dv[27], g[30] = {0}, H[PLI_PACKED_SIZE(3, 10)], power = 0;
        if (in->want & PLI_HESSIAN) memset(H, 0, sizeof H);
        pli_solid_edges(dim, width, vertices, in->x, d);
        pli_solid_edges(dim, width, vertices, in->v, dv);
        for (int q = 0; q < points; ++q) {
            const double* G = record + PLI_SOLID_HEAD + (size_t)q * size + 1;
            double F[9], L[9], D[9], P[9], w = G[-1];
            pli_solid_gradient(dim, width, d, G, F);
            pli_solid_gradient(dim, width, dv, G, L);
            strain_rate(dim, F, L, D);
            power += w * viscous_stress(dim, m, F, D, P);
            pli_solid_add_force(dim, width, w, P, G, g);
            if (in->want & PLI_HESSIAN) add_hessian(dim, width, w, m, F, G, H);
        }
        if (in->want & PLI_VALUE) out->e[i] += power;
        pli_solid_close_force(dim, width, g);
        if (in->want & PLI_GRADIENT) pli_axpy(1, g, out->g + (size_t)i * n, (int)n);
        if (in->want & PLI_HESSIAN) {
            pli_solid_close_stiffness(dim, width, H);
            pli_packed_add_to(dim, width, H, out->H + (size_t)i * n * n);
        }
    }
}

static void eval(const pli_batch* in, pli_local* out) {
    if (in->kind == PLI_TRIANGLE) eval_kind(2, 3, in, out);
    if (in->kind == PLI_TETRAHEDRON) eval_kind(3, 4, in, out);
    if (in->kind == PLI_TRIANGLE6) eval_kind(2, 6, in, out);
    if (in->kind == PLI_TETRAHEDRON10) eval_kind(3, 10, in, out);
}

static const pli_param params[] = {
    [SHEAR] = {.name = "shear",
               .unit = "Pa s",
               .min = 0,
               .max = HUGE_VAL,
               .default_value = 100,
               .help = "eta: stress 2 eta D at strain rate D; a bar of constant width "
                       "relaxes in (2 eta + zeta) / (stress per strain)"},
    [BULK] = {.name = "bulk",
              .unit = "Pa s",
              .min = 0,
              .max = HUGE_VAL,
              .default_value = 0,
              .help = "zeta: stress zeta tr(D) per volume rate"},
};

const pli_energy_type pli_energy_viscosity = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "viscosity",
    .help =
        "dissipation V (eta |D|^2 + zeta/2 tr(D)^2) with the rate D of the Green strain; beside "
        "an elastic energy it makes a Kelvin-Voigt solid",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = PLI_SOLID_SIZES,
    .solid = true,
    .dissipation = true,
    .check = check,
    .prepare = prepare,
    .eval = eval,
};
