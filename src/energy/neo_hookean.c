// Neo-Hookean solid with logarithmic volume term, plane strain, on linear triangles [BonetWood08]:
//
//     P = A t Psi(F),   F = dx/dX,   J = det F    [J]
//     Psi = mu/2 (tr F^T F - 2) - mu ln J + lam/2 ln^2 J    [Pa]
//
// A: rest area, t: thickness. States with J <= 0 are forbidden (HUGE_VAL).
#include <math.h>

#include "base/base.h"
#include "math/small.h"
#include "math/vec.h"
#include "pliant/energy.h"

typedef struct triangle {
    double inverse[4]; // of the rest edges (X1 - X0, X2 - X0) as columns [1/m]
    double volume;     // A t [m^3]
    double mu, lam;    // Lame parameters [Pa]
} triangle;

// The state of one triangle, computed once for value, gradient and Hessian.
typedef struct state {
    double F[4];
    double J, log_J;
    double A[4]; // F^-T
} state;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    const double *X0 = element->rest + 3 * (size_t)element->vertices[0],
                 *X1 = element->rest + 3 * (size_t)element->vertices[1],
                 *X2 = element->rest + 3 * (size_t)element->vertices[2];
    double a[2], b[2];
    pli_sub(X1, X0, a, 2);
    pli_sub(X2, X0, b, 2);
    double det = pli_cross2(a, b);
    if (!(det > 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "area at rest = %g m^2, must be > 0 (vertices counter-clockwise)",
                        0.5 * det);
    double young = params[0], poisson = params[1];
    *(triangle*)data = (triangle){
        .inverse = {b[1] / det, -b[0] / det, -a[1] / det, a[0] / det},
        .volume = 0.5 * det * element->thickness,
        .mu = young / (2 * (1 + poisson)),
        .lam = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
    };
    return PLI_OK;
}

// Edges of stencil i as columns: D = (y1 - y0, y2 - y0) where y is x or a direction.
static inline void edges(const pli_batch* in, const double* y, int i, double D[4]) {
    const int32_t* v = in->vertices + 3 * (size_t)i;
    const double *y0 = y + 3 * (size_t)v[0], *y1 = y + 3 * (size_t)v[1], *y2 = y + 3 * (size_t)v[2];
    D[0] = y1[0] - y0[0];
    D[1] = y2[0] - y0[0];
    D[2] = y1[1] - y0[1];
    D[3] = y2[1] - y0[1];
}

static inline double det2(const double M[4]) { return M[0] * M[3] - M[1] * M[2]; }

// False if the state is forbidden. Near rest ln J = ln(1 + u) with u = J - 1 summed from F - I
// keeps the digits that 1 + u would drop.
static inline bool compute_state(const pli_batch* in, int i, const triangle* t, state* s) {
    double D[4], *F = s->F;
    const double* B = t->inverse;
    edges(in, in->x, i, D);
    F[0] = D[0] * B[0] + D[1] * B[2];
    F[1] = D[0] * B[1] + D[1] * B[3];
    F[2] = D[2] * B[0] + D[3] * B[2];
    F[3] = D[2] * B[1] + D[3] * B[3];
    s->J = det2(F);
    if (!(s->J > 0 && s->J < HUGE_VAL)) return false;
    double dx = F[0] - 1, dy = F[3] - 1, u = dx + dy + (dx * dy - F[1] * F[2]);
    s->log_J = fabs(u) < 0.5 ? log1p(u) : log(s->J);
    s->A[0] = F[3] / s->J;
    s->A[1] = -F[2] / s->J;
    s->A[2] = -F[1] / s->J;
    s->A[3] = F[0] / s->J;
    return true;
}

// Psi, with (tr F^T F - 2)/2 = tr D + |D|^2 / 2 for D = F - I
static inline double density(const triangle* t, const state* s) {
    const double* F = s->F;
    double dx = F[0] - 1, dy = F[3] - 1;
    double shape = dx + dy + 0.5 * (dx * dx + dy * dy + F[1] * F[1] + F[2] * F[2]);
    double psi = t->mu * (shape - s->log_J) + 0.5 * t->lam * s->log_J * s->log_J;
    return psi < HUGE_VAL ? psi : HUGE_VAL;
}

// dF_ab / dx_va = G_vb: row v - 1 of the inverse rest edges, and minus their sum for vertex 0.
static inline void shape_gradients(const triangle* t, double G[3][2]) {
    for (int b = 0; b < 2; ++b) {
        G[1][b] = t->inverse[b];
        G[2][b] = t->inverse[2 + b];
        G[0][b] = -G[1][b] - G[2][b];
    }
}

// P = mu (F - F^-T) + lam ln J F^-T;   g_va += volume P_ab G_vb
static inline void add_gradient(const triangle* t, const state* s, double G[3][2], double* g) {
    double P[4], factor = t->lam * s->log_J;
    for (int k = 0; k < 4; ++k) P[k] = t->volume * (t->mu * (s->F[k] - s->A[k]) + factor * s->A[k]);
    for (int a = 0; a < 2; ++a) {
        double g1 = P[2 * a] * G[1][0] + P[2 * a + 1] * G[1][1];
        double g2 = P[2 * a] * G[2][0] + P[2 * a + 1] * G[2][1];
        g[a] -= g1 + g2;
        g[2 + a] += g1;
        g[4 + a] += g2;
    }
}

// C += w v v^T
static inline void add_outer(double w, const double v[4], double C[16]) {
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) C[4 * i + j] += w * v[i] * v[j];
}

// Lifts negative eigenvalues of flip and scaling to 0.
static void project_flip_and_scaling(const triangle* t, const state* s, double q, double C[16]) {
    double U[4], sigma[2], V[4], E0[4], E1[4], flip[4], both[4];
    pli_svd2(s->F, U, sigma, V);
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) { // E_ij = u_i v_j^T
            int k = 2 * a + b;
            E0[k] = U[2 * a] * V[2 * b];
            E1[k] = U[2 * a + 1] * V[2 * b + 1];
            flip[k] = U[2 * a] * V[2 * b + 1] + U[2 * a + 1] * V[2 * b];
            both[k] = E0[k] + E1[k];
        }
    double flip_value = t->mu + q / s->J;
    if (flip_value < 0) add_outer(-0.5 * flip_value, flip, C);
    double s0 = sigma[0], s1 = s->J / s0, coupling = t->lam / s->J;
    double old[4] = {t->mu + (q + t->lam) / (s0 * s0), coupling, coupling,
                     t->mu + (q + t->lam) / (s1 * s1)};
    double fresh[4] = {old[0], old[1], old[2], old[3]};
    pli_project_psd(2, fresh);
    // [a c; c b] over E0, E1 = (a - c) E0 E0^T + (b - c) E1 E1^T + c (E0 + E1)(E0 + E1)^T
    double c = fresh[1] - old[1];
    add_outer(fresh[0] - old[0] - c, E0, C);
    add_outer(fresh[3] - old[3] - c, E1, C);
    add_outer(c, both, C);
}

// The second derivative of Psi by F is
//     C_ab,cd = mu d_ac d_bd + q A_ad A_cb + lam A_ab A_cd,   A = F^-T, q = mu - lam ln J.
// With F = U diag(s) V^T and E_ij = u_i v_j^T its eigensystem is [Smith19]
//     twist (E01 - E10)/sqrt2:  mu - q/J
//     flip  (E01 + E10)/sqrt2:  mu + q/J
//     scaling, span{E00, E11}:  [mu + (q + lam)/s0^2, lam/J; lam/J, mu + (q + lam)/s1^2]
// Projection adds what lifts negative eigenvalues to 0. Only the twist can be negative when q >= 0
// and lam >= 0, and the twist needs no decomposition: it is the rotation part of F turned by 90
// degrees.
static inline void second_derivative(const triangle* t, const state* s, bool project,
                                     double C[16]) {
    const double* A = s->A;
    double q = t->mu - t->lam * s->log_J;
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            for (int c = 0; c < 2; ++c)
                for (int d = 0; d < 2; ++d)
                    C[4 * (2 * a + b) + 2 * c + d] = q * A[2 * a + d] * A[2 * c + b] +
                                                     t->lam * A[2 * a + b] * A[2 * c + d] +
                                                     (a == c && b == d ? t->mu : 0);
    if (!project) return;
    double twist_value = t->mu - q / s->J;
    if (twist_value < 0) {
        // The rotation part of F has the direction (F00 + F11, F10 - F01), not 0 because J > 0.
        double x = s->F[0] + s->F[3], y = s->F[2] - s->F[1];
        double twist[4] = {-y, -x, x, -y};
        add_outer(-0.5 * twist_value / (x * x + y * y), twist, C);
    }
    if (q < 0 || t->lam < 0) project_flip_and_scaling(t, s, q, C);
}

// H_va,wc += volume C_ab,cd G_vb G_wd
static inline void add_hessian(const triangle* t, const double C[16], double G[3][2], double* H) {
    for (int v = 0; v < 3; ++v)
        for (int a = 0; a < 2; ++a) {
            double row[4]; // volume C_ab,cd G_vb
            for (int k = 0; k < 4; ++k)
                row[k] = t->volume * (C[8 * a + k] * G[v][0] + C[8 * a + 4 + k] * G[v][1]);
            double* out = H + 6 * (2 * v + a);
            for (int w = 0; w < 3; ++w) {
                out[2 * w] += row[0] * G[w][0] + row[1] * G[w][1];
                out[2 * w + 1] += row[2] * G[w][0] + row[3] * G[w][1];
            }
        }
}

static void eval(const pli_batch* in, pli_local* out) {
    const triangle* triangles = in->data;
    for (int i = 0; i < in->count; ++i) {
        const triangle* t = &triangles[i];
        state s;
        if (!compute_state(in, i, t, &s)) {
            if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
            continue;
        }
        if (in->want & PLI_VALUE) out->e[i] += t->volume * density(t, &s);
        if (!(in->want & (PLI_GRADIENT | PLI_HESSIAN))) continue;
        double G[3][2];
        shape_gradients(t, G);
        if (in->want & PLI_GRADIENT) add_gradient(t, &s, G, out->g + 6 * (size_t)i);
        if (in->want & PLI_HESSIAN) {
            double C[16];
            second_derivative(t, &s, in->project, C);
            add_hessian(t, C, G, out->H + 36 * (size_t)i);
        }
    }
}

// area(t) / area(0) = 1 + b t + a t^2 must not fall below 0.1: the step ends at the first root of
// a t^2 + b t + 0.9.
static double max_step(const pli_batch* in, const double* p) {
    double bound = 1;
    for (int i = 0; i < in->count; ++i) {
        double D[4], dD[4];
        edges(in, in->x, i, D);
        edges(in, p, i, dD);
        double area = det2(D);
        if (!(area > 0)) continue;
        double a = det2(dD) / area;
        double b = (D[0] * dD[3] + dD[0] * D[3] - D[1] * dD[2] - dD[1] * D[2]) / area;
        double root = pli_smallest_positive_root2(a, b, 0.9);
        if (root < bound) bound = root;
    }
    return bound;
}

// Cauchy stress P F^T / J = [mu (F F^T - I) + lam ln J I] / J; across the plane F_zz = 1.
static void stress(const pli_batch* in, double* out) {
    const triangle* triangles = in->data;
    for (int i = 0; i < in->count; ++i) {
        const triangle* t = &triangles[i];
        state s;
        if (!compute_state(in, i, t, &s)) continue;
        const double* F = s.F;
        double pressure = t->lam * s.log_J, *o = out + 6 * (size_t)i;
        o[0] += (t->mu * (F[0] * F[0] + F[1] * F[1] - 1) + pressure) / s.J;
        o[1] += (t->mu * (F[2] * F[2] + F[3] * F[3] - 1) + pressure) / s.J;
        o[2] += pressure / s.J;
        o[5] += t->mu * (F[0] * F[2] + F[1] * F[3]) / s.J;
    }
}

static const pli_param params[] = {
    {.name = "young",
     .unit = "Pa",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e5,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "Young's modulus: stress per small strain"},
    {.name = "poisson",
     .unit = "",
     .min = -1,
     .max = 0.5,
     .default_value = 0.4,
     .flags = PLI_PARAM_ABOVE_MIN | PLI_PARAM_BELOW_MAX,
     .help = "Poisson's ratio: near 0.5 the material keeps its volume"},
};

const pli_energy_type pli_energy_neo_hookean = {
    .abi = PLI_ENERGY_ABI,
    .name = "neo-hookean",
    .help = "mu/2 (tr F^T F - 2) - mu ln J + lam/2 ln^2 J per rest volume, plane strain; "
            "triangles never invert",
    .element = PLI_TRIANGLE,
    .dims = 1u << 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = sizeof(triangle),
    .prepare = prepare,
    .eval = eval,
    .max_step = max_step,
    .stress = stress,
};
