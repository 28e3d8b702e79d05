// The loops over elements and points of a solid. Law, dimension, vertices and points per element
// are constants after inlining; each material compiles its own copy.
#ifndef PLI_ENERGY_SOLID_EVAL_H
#define PLI_ENERGY_SOLID_EVAL_H

#include "energy/solid_point.h"

// Differences of the positions of a stencil from its first vertex, for all others.
PLI_SOLID_INLINE void pli_solid_edges(int dim, int width, const int32_t* vertices, const double* x,
                                      double* d) {
    const double* x0 = x + 3 * (size_t)vertices[0];
    for (int v = 1; v < width; ++v) {
        const double* xv = x + 3 * (size_t)vertices[v];
        for (int a = 0; a < dim; ++a) d[(v - 1) * dim + a] = xv[a] - x0[a];
    }
}

// F = sum d_v x G_v
PLI_SOLID_INLINE void pli_solid_gradient(int dim, int width, const double* d, const double* G,
                                         double F[9]) {
    for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b) {
            double sum = d[a] * G[b];
            for (int v = 1; v < width - 1; ++v) sum += d[v * dim + a] * G[v * dim + b];
            F[dim * a + b] = sum;
        }
}

// g_v += w P G_v
PLI_SOLID_INLINE void pli_solid_add_force(int dim, int width, double w, const double* P,
                                          const double* G, double* g) {
    for (int v = 0; v < width - 1; ++v)
        for (int a = 0; a < dim; ++a) {
            double sum = 0;
            for (int b = 0; b < dim; ++b) sum += P[dim * a + b] * G[v * dim + b];
            g[v * dim + a] += w * sum;
        }
}

// In the plane: the second derivative C_ab,cd in the basis of rotation R, reflection K, and both
// turned by a right angle, T = R J (twist) and L = K J (flip):
//     C = [(A00 + A11 + 2 A01) R R + (A00 - A11) (R K + K R) + (A00 + A11 - 2 A01) K K] / 4
//       + [twist T T + flip L L] / 2
PLI_SOLID_INLINE void pli_solid_tensor2(const pli_curvature* k, const pli_point* p, double w,
                                        double C[16]) {
    const double *R = p->R, *K = p->K;
    double T[4] = {-R[1], R[0], -R[3], R[2]}, L[4] = {-K[1], K[0], -K[3], K[2]};
    double rr = 0.25 * w * (k->same[0] + k->same[1] + 2 * k->cross[2]);
    double rk = 0.25 * w * (k->same[0] - k->same[1]);
    double kk = 0.25 * w * (k->same[0] + k->same[1] - 2 * k->cross[2]);
    double tt = 0.5 * w * k->twist[2], ll = 0.5 * w * k->flip[2];
    for (int i = 0; i < 4; ++i)
        for (int j = i; j < 4; ++j) {
            double sum = (rr * R[i] + rk * K[i]) * R[j] + (rk * R[i] + kk * K[i]) * K[j];
            C[4 * i + j] = C[4 * j + i] = sum + (tt * T[i] * T[j] + ll * L[i] * L[j]);
        }
}

// H_va,wc (+)= C_ab,cd G_vb G_wd for all pairs v <= w of vertices but the first.
PLI_SOLID_INLINE void pli_solid_add_stiffness2(int width, double w, const pli_curvature* k,
                                               const pli_point* p, const double* G, bool first,
                                               double* H) {
    double C[16];
    int m = 2 * (width - 1);
    pli_solid_tensor2(k, p, w, C);
    for (int v = 0; v < width - 1; ++v)
        for (int a = 0; a < 2; ++a) {
            double row[4]; // C_ab,cd G_vb
            for (int l = 0; l < 4; ++l)
                row[l] = C[8 * a + l] * G[2 * v] + C[8 * a + 4 + l] * G[2 * v + 1];
            for (int u = v; u < width - 1; ++u)
                for (int c = 0; c < 2; ++c) {
                    double value = row[2 * c] * G[2 * u] + row[2 * c + 1] * G[2 * u + 1];
                    double* at = &H[(2 * v + a) * m + 2 * u + c];
                    *at = first ? value : *at + value;
                }
        }
}

// In space: in the frames U and V the second derivative couples E_ij with itself and with E_ji
// alone, so with h_v = V^T G_v the block of two vertices is U B U^T,
//     B_ii = A_ii h_i k_i + sum over j != i of (flip + twist)/2 h_j k_j
//     B_ij = A_ij h_i k_j + (flip - twist)/2 h_j k_i
// Here c->flip holds the half sums and c->twist the half differences.
PLI_SOLID_INLINE void pli_solid_block(const pli_curvature* c, const double h[3], const double k[3],
                                      const double U[9], double out[9]) {
    double B[9], T[9], hk[9];
    for (int i = 0; i < 9; ++i) hk[i] = h[i / 3] * k[i % 3];
    B[0] = c->same[0] * hk[0] + c->flip[2] * hk[4] + c->flip[1] * hk[8];
    B[4] = c->same[1] * hk[4] + c->flip[2] * hk[0] + c->flip[0] * hk[8];
    B[8] = c->same[2] * hk[8] + c->flip[1] * hk[0] + c->flip[0] * hk[4];
    B[1] = c->cross[2] * hk[1] + c->twist[2] * hk[3];
    B[3] = c->cross[2] * hk[3] + c->twist[2] * hk[1];
    B[2] = c->cross[1] * hk[2] + c->twist[1] * hk[6];
    B[6] = c->cross[1] * hk[6] + c->twist[1] * hk[2];
    B[5] = c->cross[0] * hk[5] + c->twist[0] * hk[7];
    B[7] = c->cross[0] * hk[7] + c->twist[0] * hk[5];
    for (int i = 0; i < 9; ++i) T[i] = pli_dot(B + i / 3 * 3, U + i % 3 * 3, 3);
    for (int i = 0; i < 9; ++i) {
        const double *u = U + i / 3 * 3, *t = T + i % 3;
        out[i] = u[0] * t[0] + u[1] * t[3] + u[2] * t[6];
    }
}

// Blocks of all pairs v <= w of vertices but the first, into H of 3 (width - 1) rows.
PLI_SOLID_INLINE void pli_solid_add_stiffness3(int width, double w, pli_curvature* c,
                                               const pli_point* p, const double* G, bool first,
                                               double* H) {
    double h[27], block[9];
    int m = 3 * (width - 1);
    for (int i = 0; i < 3; ++i) {
        double flip = 0.5 * w * c->flip[i], twist = 0.5 * w * c->twist[i];
        c->same[i] *= w;
        c->cross[i] *= w;
        c->flip[i] = flip + twist;
        c->twist[i] = flip - twist;
    }
    for (int i = 0; i < m; ++i) {
        const double *g = G + i / 3 * 3, *v = p->V + i % 3;
        h[i] = v[0] * g[0] + v[3] * g[1] + v[6] * g[2];
    }
    for (int v = 0; v < width - 1; ++v)
        for (int u = v; u < width - 1; ++u) {
            pli_solid_block(c, h + 3 * v, h + 3 * u, p->U, block);
            for (int i = 0; i < 9; ++i) {
                double* at = &H[(3 * v + i / 3) * m + 3 * u + i % 3];
                *at = first ? block[i] : *at + block[i];
            }
        }
}

// The first vertex takes minus the sum of all others.
PLI_SOLID_INLINE void pli_solid_scatter_force(int dim, int width, const double* g, double* out) {
    for (int a = 0; a < dim; ++a) {
        double sum = 0;
        for (int v = 0; v < width - 1; ++v) {
            sum += g[v * dim + a];
            out[(v + 1) * dim + a] += g[v * dim + a];
        }
        out[a] -= sum;
    }
}

// H holds blocks v <= w; the first vertex takes minus the sums of rows and columns.
PLI_SOLID_INLINE void pli_solid_scatter_stiffness(int dim, int width, double* H, double* out) {
    int m = (width - 1) * dim, n = width * dim;
    double sum[3 * 27], corner[9];
    for (int r = 0; r < m; ++r)
        for (int c = 0; c < r; ++c) H[r * m + c] = H[c * m + r];
    for (int a = 0; a < dim; ++a) {
        for (int c = 0; c < m; ++c) {
            double s = H[a * m + c];
            for (int v = 1; v < width - 1; ++v) s += H[(v * dim + a) * m + c];
            sum[a * m + c] = s;
        }
        for (int c = 0; c < dim; ++c) {
            double s = sum[a * m + c];
            for (int v = 1; v < width - 1; ++v) s += sum[a * m + v * dim + c];
            corner[a * dim + c] = s;
        }
    }
    for (int a = 0; a < dim; ++a) {
        for (int c = 0; c < dim; ++c) out[a * n + c] += corner[a * dim + c];
        for (int c = 0; c < m; ++c) out[a * n + dim + c] -= sum[a * m + c];
    }
    for (int r = 0; r < m; ++r) {
        double* row = out + (r + dim) * n;
        for (int a = 0; a < dim; ++a) row[a] -= sum[a * m + r];
        for (int c = 0; c < m; ++c) row[dim + c] += H[r * m + c];
    }
}

// All elements of a batch have the same material, so plane stress (`condensed`) is a constant, too.
PLI_SOLID_INLINE void pli_solid_eval_kind(const pli_law* law, int dim, int width, bool condensed,
                                          const pli_batch* in, pli_local* out) {
    int points = width == dim + 1 ? 1 : dim + 1;
    int n = width * dim, size = PLI_SOLID_POINT(dim, width);
    const double* record = in->data;
    const bool want_value = in->want & PLI_VALUE, want_force = in->want & PLI_GRADIENT;
    const bool want_stiffness = in->want & PLI_HESSIAN, project = in->project;
    for (int i = 0; i < in->count; ++i, record += PLI_SOLID_HEAD + points * size) {
        const pli_solid* m = (const pli_solid*)record;
        double d[27], g[27], H[27 * 27], energy = 0;
        bool allowed = true;
        pli_solid_edges(dim, width, in->vertices + (size_t)i * (size_t)width, in->x, d);
        for (int k = 0; k < n - dim; ++k) g[k] = 0;
        for (int q = 0; q < points; ++q) {
            const double* G = record + PLI_SOLID_HEAD + q * size + 1;
            double w = G[-1];
            pli_point p;
            pli_solid_gradient(dim, width, d, G, p.F);
            allowed = pli_point_state(law, dim, m, condensed, want_stiffness, &p);
            if (!allowed) break;
            if (want_value) energy += w * law->value(m, &p.strain);
            if (want_force) {
                pli_parts parts;
                double P[9];
                law->first(m, &p.strain, &parts);
                pli_point_stress(law, dim, &p, &parts, P);
                pli_solid_add_force(dim, width, w, P, G, g);
            }
            if (want_stiffness) {
                pli_curvature c;
                pli_point_curvature(law, dim, m, condensed, project, &p, &c);
                if (dim == 2)
                    pli_solid_add_stiffness2(width, w, &c, &p, G, q == 0, H);
                else
                    pli_solid_add_stiffness3(width, w, &c, &p, G, q == 0, H);
            }
        }
        if (want_value) { // the sum may overflow to infinity minus infinity
            double sum = out->e[i] + energy;
            out->e[i] = allowed && sum < HUGE_VAL ? sum : HUGE_VAL;
        }
        if (!allowed) continue;
        if (want_force) pli_solid_scatter_force(dim, width, g, out->g + (size_t)i * (size_t)n);
        if (want_stiffness)
            pli_solid_scatter_stiffness(dim, width, H, out->H + (size_t)i * (size_t)(n * n));
    }
}

// `eval` of a material: static void eval(in, out) { pli_solid_eval(&law, in, out); }
PLI_SOLID_INLINE void pli_solid_eval(const pli_law* law, const pli_batch* in, pli_local* out) {
    bool condensed = in->count > 0 && ((const pli_solid*)in->data)->plane_stress != 0;
    if (in->width == 4)
        pli_solid_eval_kind(law, 3, 4, false, in, out);
    else if (in->width == 10)
        pli_solid_eval_kind(law, 3, 10, false, in, out);
    else if (in->width == 3 && condensed)
        pli_solid_eval_kind(law, 2, 3, true, in, out);
    else if (in->width == 3)
        pli_solid_eval_kind(law, 2, 3, false, in, out);
    else if (condensed)
        pli_solid_eval_kind(law, 2, 6, true, in, out);
    else
        pli_solid_eval_kind(law, 2, 6, false, in, out);
}

// sigma = P F^T / J, in the plane with the row and column of z; small-strain laws: sigma = P.
PLI_SOLID_INLINE void pli_cauchy_stress(const pli_law* law, int dim, const pli_point* p,
                                        const pli_parts* parts, double sigma[6]) {
    static const int rows[6] = {0, 1, 2, 1, 2, 0}, columns[6] = {0, 1, 2, 2, 0, 1};
    double P[9], J = p->strain.J;
    pli_point_stress(law, dim, p, parts, P);
    for (int k = 0; k < 6; ++k) {
        int a = rows[k], b = columns[k];
        sigma[k] = 0;
        if (a >= dim || b >= dim) continue;
        double sum = law->small ? P[dim * a + b] : 0;
        for (int c = 0; c < dim && !law->small; ++c) sum += P[dim * a + c] * p->F[dim * b + c] / J;
        sigma[k] = sum;
    }
    if (dim == 2) sigma[2] = pli_stress_across(law, p, parts) * (law->small ? 1 : p->zz / J);
}

// Either of `stress` (6 per element) and `across` (1 per element) may be NULL.
PLI_SOLID_INLINE void pli_solid_stress_kind(const pli_law* law, int dim, int width,
                                            const pli_batch* in, double* stress, double* across) {
    int points = width == dim + 1 ? 1 : dim + 1, size = PLI_SOLID_POINT(dim, width);
    const double* record = in->data;
    for (int i = 0; i < in->count; ++i, record += PLI_SOLID_HEAD + points * size) {
        const pli_solid* m = (const pli_solid*)record;
        double d[27], volume = 0, sigma[6];
        pli_solid_edges(dim, width, in->vertices + (size_t)i * (size_t)width, in->x, d);
        for (int q = 0; q < points; ++q) volume += record[PLI_SOLID_HEAD + q * size];
        if (across) across[i] = 0;
        for (int q = 0; q < points; ++q) {
            const double* G = record + PLI_SOLID_HEAD + q * size + 1;
            double share = G[-1] / volume;
            pli_point p;
            pli_parts parts;
            pli_solid_gradient(dim, width, d, G, p.F);
            bool condensed = dim == 2 && m->plane_stress != 0;
            bool allowed = pli_point_state(law, dim, m, condensed, false, &p);
            if (across) across[i] += share * (allowed && dim == 2 ? p.zz : 1);
            if (!stress || !allowed || p.strain.J == 0) continue;
            law->first(m, &p.strain, &parts);
            pli_cauchy_stress(law, dim, &p, &parts, sigma);
            for (int k = 0; k < 6; ++k) stress[6 * (size_t)i + (size_t)k] += share * sigma[k];
        }
    }
}

// `stress` of a material: the mean over the points of each element; nothing is added where J = 0.
PLI_SOLID_INLINE void pli_solid_stress(const pli_law* law, const pli_batch* in, double* out) {
    if (in->width == 3) pli_solid_stress_kind(law, 2, 3, in, out, NULL);
    if (in->width == 4) pli_solid_stress_kind(law, 3, 4, in, out, NULL);
    if (in->width == 6) pli_solid_stress_kind(law, 2, 6, in, out, NULL);
    if (in->width == 10) pli_solid_stress_kind(law, 3, 10, in, out, NULL);
}

// `across` of a material: F_zz under plane stress, the mean over the points of each element;
// nothing is written under plane strain, so that it does not cover what another energy has written.
PLI_SOLID_INLINE void pli_solid_across(const pli_law* law, const pli_batch* in, double* out) {
    if (in->count == 0 || ((const pli_solid*)in->data)->plane_stress == 0) return;
    if (in->width == 3) pli_solid_stress_kind(law, 2, 3, in, NULL, out);
    if (in->width == 6) pli_solid_stress_kind(law, 2, 6, in, NULL, out);
}

// ---- what every material's row has, from its `law`, its `params` and (PLI_SOLID_GIVEN) the
// `constants` that it makes of their values

#define PLI_SOLID_FUNCTIONS                                                                        \
    static void eval(const pli_batch* in, pli_local* out) { pli_solid_eval(&law, in, out); }       \
    static void stress(const pli_batch* in, double* out) { pli_solid_stress(&law, in, out); }      \
    static void across(const pli_batch* in, double* out) { pli_solid_across(&law, in, out); }

#define PLI_SOLID_GIVEN                                                                            \
    static pli_status check(const double* values, pli_error* error) {                              \
        pli_elastic given = constants(values);                                                     \
        return pli_solid_check_given(&given, error);                                               \
    }                                                                                              \
    static pli_status prepare(const double* values, const pli_element* element, void* data,        \
                              pli_error* error) {                                                  \
        pli_elastic given = constants(values);                                                     \
        return pli_solid_prepare_given(&given, element, data, error);                              \
    }

#define PLI_SOLID_FIELDS                                                                           \
    .abi = PLI_ENERGY_ABI, .dims = 1u << 2 | 1u << 3, .params = params,                            \
    .param_count = sizeof params / sizeof *params, .data_size = PLI_SOLID_SIZES, .solid = true,    \
    .eval = eval, .stress = stress, .across = across

#endif
