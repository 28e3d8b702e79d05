// The loops over the elements of solids. solid_avx512.c, solid_avx2.c and solid_baseline.c each
// include this file once after setting the lanes (math/lanes.h) and KERNEL_SET, the name of the
// table. LANES elements are evaluated at once; unused lanes repeat the last element.
#ifndef PLI_ENERGY_SOLID_KERNELS_H
#define PLI_ENERGY_SOLID_KERNELS_H

#ifndef KERNEL_SET
#define KERNEL_SET pli_solid_baseline
#define PLI_LANE_COUNT 2
#define PLI_LANE_TARGET
#endif

#include "math/lanes.h"

#define PLI_NUMBER pli_lanes
#define PLI_SOLID_INLINE PLI_LANE_INLINE

#include <string.h>

#include "base/base.h"
#include "energy/laws.h"
#include "energy/solid_element.h"
#include "energy/solid_point.h"

enum {
    LANES = PLI_LANE_COUNT,
    MAX_EDGES = 27,
    MAX_LOCAL = 30,
    MAX_PACKED = PLI_PACKED_SIZE(3, 10),
    MAX_RECORD = PLI_SOLID_SIZE(3, 10, 4),
};

// ---- between rows, one per element, and lanes

// out[k][l] = rows[l][k], k < n; the last square of lanes may overlap the previous one.
PLI_LANE_INLINE void load_rows(int n, const double* const rows[LANES], pli_lanes* out) {
    for (int k = 0; k < n; k += LANES) {
        int at = k + LANES <= n ? k : n - LANES;
        pli_lanes t[LANES];
        for (int l = 0; l < LANES; ++l) t[l] = *(const pli_lanes_anywhere*)(rows[l] + at);
        pli_lanes_transpose(t);
        for (int l = 0; l < LANES; ++l) out[at + l] = t[l];
    }
}

// out[l * n + k] = in[k][l], k < n, for all lanes.
PLI_LANE_INLINE void store_rows(int n, const pli_lanes* in, double* out) {
    for (int k = 0; n < LANES && k < n; ++k)
        for (int l = 0; l < LANES; ++l) out[l * n + k] = in[k][l];
    for (int k = 0; n >= LANES && k < n; k += LANES) {
        int at = k + LANES <= n ? k : n - LANES;
        pli_lanes t[LANES];
        for (int l = 0; l < LANES; ++l) t[l] = in[at + l];
        pli_lanes_transpose(t);
        for (int l = 0; l < LANES; ++l) *(pli_lanes_anywhere*)(out + l * n + at) = t[l];
    }
}

// Same for the first `count` lanes.
PLI_LANE_INLINE void store_some_rows(int n, const pli_lanes* in, int count, double* out) {
    if (count == LANES) {
        store_rows(n, in, out);
        return;
    }
    double rows[LANES * MAX_PACKED];
    store_rows(n, in, rows);
    memcpy(out, rows, sizeof *rows * (size_t)(count * n));
}

// Same, with out +=.
PLI_LANE_INLINE void add_rows(int n, const pli_lanes* in, int count, double* out) {
    double rows[LANES * MAX_LOCAL];
    store_rows(n, in, rows);
    for (int k = 0; k < count * n; ++k) out[k] += rows[k];
}

// ---- stiffness

// In the plane: the second derivative C_ab,cd in the basis of rotation R, reflection K, and both
// turned by a right angle, T = R J (twist) and L = K J (flip):
//     C = [(A00 + A11 + 2 A01) R R + (A00 - A11) (R K + K R) + (A00 + A11 - 2 A01) K K] / 4
//       + [twist T T + flip L L] / 2
PLI_LANE_INLINE void tensor2(const pli_curvature* k, const pli_quadrature_point* p, pli_lanes w,
                             pli_lanes C[16]) {
    const pli_lanes *R = p->R, *K = p->K;
    pli_lanes T[4] = {-R[1], R[0], -R[3], R[2]}, L[4] = {-K[1], K[0], -K[3], K[2]};
    pli_lanes rr = 0.25 * w * (k->same[0] + k->same[1] + 2 * k->cross[2]);
    pli_lanes rk = 0.25 * w * (k->same[0] - k->same[1]);
    pli_lanes kk = 0.25 * w * (k->same[0] + k->same[1] - 2 * k->cross[2]);
    pli_lanes tt = 0.5 * w * k->twist[2], ll = 0.5 * w * k->flip[2];
    for (int i = 0; i < 4; ++i)
        for (int j = i; j < 4; ++j) {
            pli_lanes sum = (rr * R[i] + rk * K[i]) * R[j] + (rk * R[i] + kk * K[i]) * K[j];
            C[4 * i + j] = C[4 * j + i] = sum + (tt * T[i] * T[j] + ll * L[i] * L[j]);
        }
}

// H_va,uc (+)= C_ab,cd G_vb G_ud for all pairs v <= u of vertices but the first.
PLI_LANE_INLINE void add_stiffness2(int width, pli_lanes w, const pli_curvature* k,
                                    const pli_quadrature_point* p, const pli_lanes* G, bool first,
                                    pli_lanes* H) {
    pli_lanes C[16];
    tensor2(k, p, w, C);
    for (int v = 0; v < width - 1; ++v)
        for (int a = 0; a < 2; ++a) {
            pli_lanes row[4]; // C_ab,cd G_vb
            for (int l = 0; l < 4; ++l)
                row[l] = C[8 * a + l] * G[2 * v] + C[8 * a + 4 + l] * G[2 * v + 1];
            for (int u = v; u < width - 1; ++u)
                for (int c = 0; c < 2; ++c) {
                    pli_lanes value = row[2 * c] * G[2 * u] + row[2 * c + 1] * G[2 * u + 1];
                    pli_lanes* at = H + PLI_PACKED_AT(2, u + 1, v + 1);
                    // Entries equal by symmetry get the same bits.
                    if (u == v && c < a)
                        at[2 * a + c] = at[2 * c + a];
                    else
                        at[2 * a + c] = first ? value : at[2 * a + c] + value;
                }
        }
}

// In space: in the frames U and V the second derivative couples E_ij with itself and with E_ji
// alone, so with h_v = V^T G_v the block of two vertices is U B U^T,
//     B_ii = A_ii h_i k_i + sum over j != i of (flip + twist)/2 h_j k_j
//     B_ij = A_ij h_i k_j + (flip - twist)/2 h_j k_i
// Here c->flip holds the half sums and c->twist the half differences.
PLI_LANE_INLINE void stiffness_block(const pli_curvature* c, const pli_lanes h[3],
                                     const pli_lanes k[3], const pli_lanes U[9], pli_lanes out[9]) {
    pli_lanes B[9], T[9], hk[9];
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
    for (int i = 0; i < 9; ++i) T[i] = pli_lanes_dot3(B + i / 3 * 3, U + i % 3 * 3);
    for (int i = 0; i < 9; ++i) {
        const pli_lanes *u = U + i / 3 * 3, *t = T + i % 3;
        out[i] = u[0] * t[0] + u[1] * t[3] + u[2] * t[6];
    }
}

// Blocks of all pairs v <= u of vertices but the first.
PLI_LANE_INLINE void add_stiffness3(int width, pli_lanes w, pli_curvature* c,
                                    const pli_quadrature_point* p, const pli_lanes* G, bool first,
                                    pli_lanes* H) {
    pli_lanes h[MAX_EDGES], block[9];
    for (int i = 0; i < 3; ++i) {
        pli_lanes flip = 0.5 * w * c->flip[i], twist = 0.5 * w * c->twist[i];
        c->same[i] *= w;
        c->cross[i] *= w;
        c->flip[i] = flip + twist;
        c->twist[i] = flip - twist;
    }
    for (int i = 0; i < 3 * (width - 1); ++i) {
        const pli_lanes *g = G + i / 3 * 3, *v = p->V + i % 3;
        h[i] = v[0] * g[0] + v[3] * g[1] + v[6] * g[2];
    }
    for (int u = 0; u < width - 1; ++u)
        for (int v = 0; v <= u; ++v) {
            pli_lanes* at = H + PLI_PACKED_AT(3, u + 1, v + 1);
            stiffness_block(c, h + 3 * v, h + 3 * u, p->U, block);
            for (int i = 0; i < 9; ++i) {
                // As above: entries equal by symmetry get the same bits.
                pli_lanes value = u == v && i / 3 > i % 3 ? block[i % 3 * 3 + i / 3] : block[i];
                at[i] = first ? value : at[i] + value;
            }
        }
}

// ---- sheets: triangles in space

// A triangle in its own plane: axes Q = (e1, e2) with e1 along the first edge, the unit normal n,
// and the edges in the plane. Triangles without area get any frame that contains their edges.
typedef struct sheet_frame {
    pli_lanes e1[3], e2[3], n[3], d[4];
} sheet_frame;

// a / |a|, or `other` where a = 0; returns |a|.
PLI_LANE_INLINE pli_lanes unit3(const pli_lanes a[3], const pli_lanes other[3], pli_lanes out[3]) {
    pli_lanes length = pli_lanes_sqrt(pli_lanes_dot3(a, a)), over = 1 / length;
    for (int c = 0; c < 3; ++c) out[c] = pli_lanes_select(length > 0, a[c] * over, other[c]);
    return length;
}

PLI_LANE_INLINE void frame_of_sheet(const pli_lanes edges[6], sheet_frame* f) {
    const pli_lanes none = {0}, one = none + 1, x[3] = {one, none, none};
    const pli_lanes *d1 = edges, *d2 = edges + 3;
    pli_lanes second[3], n[3], side[3];
    unit3(d2, x, second);
    pli_lanes length = unit3(d1, second, f->e1);
    pli_lanes_cross3(f->e1, d2, n);
    // The cross product of nearly parallel edges is not quite normal to e1.
    pli_lanes along = pli_lanes_dot3(n, f->e1);
    for (int c = 0; c < 3; ++c) n[c] -= along * f->e1[c];
    // Any normal to e1: to the axis that is the least parallel to it.
    pli_lane_mask steep = pli_lanes_abs(f->e1[0]) > 0.7;
    pli_lanes axis[3] = {pli_lanes_where(~steep, one), pli_lanes_where(steep, one), none};
    pli_lanes_cross3(f->e1, axis, side);
    unit3(side, x, second);
    unit3(n, second, f->n);
    pli_lanes_cross3(f->n, f->e1, f->e2);
    f->d[0] = length;
    f->d[1] = none;
    f->d[2] = pli_lanes_dot3(d2, f->e1);
    f->d[3] = pli_lanes_dot3(d2, f->e2);
}

// The second Piola-Kirchhoff stress S = F^-1 P = V diag(Psi_i / s_i) V^T, with `project` its
// positive part: xx, yy, xy. Its product with vectors of the sheet is the curvature of the energy
// across it. R^T K = V diag(1, -1) V^T.
PLI_LANE_INLINE void sheet_tension(const pli_law* law, const pli_quadrature_point* p,
                                   const pli_stress_parts* c, bool project, pli_lanes S[3]) {
    pli_lanes a[2];
    for (int i = 0; i < 2; ++i) {
        pli_lanes s = p->s[i], other = p->s[1 - i];
        pli_lanes over = 1 / pli_lanes_select(s > 1e-100, s, pli_lanes_all(1e-100));
        a[i] = pli_lanes_all(0);
        if (law->parts & PLI_PART_F) a[i] += c->F;
        if (law->parts & PLI_PART_COF) a[i] += c->cof * (other * p->zz) * over;
        if (law->parts & PLI_PART_R) a[i] += c->R * over;
        if (law->parts & PLI_PART_FE) a[i] += c->FE * (0.5 * (s - 1) * (s + 1));
        if (project) a[i] = pli_lanes_where(a[i] > 0, a[i]);
    }
    const pli_lanes *R = p->R, *K = p->K, mean = 0.5 * (a[0] + a[1]), half = 0.5 * (a[0] - a[1]);
    pli_lanes xx = R[0] * K[0] + R[2] * K[2], xy = R[0] * K[1] + R[2] * K[3];
    S[0] = mean + half * xx;
    S[1] = mean - half * xx;
    S[2] = half * xy;
}

// The 3x3 block of a pair of vertices: B in the plane of the sheet, `o` across it.
PLI_LANE_INLINE void sheet_block(const sheet_frame* f, const pli_lanes B[4], pli_lanes o,
                                 bool symmetric, pli_lanes out[9]) {
    for (int a = 0; a < 3; ++a) {
        pli_lanes t1 = f->e1[a] * B[0] + f->e2[a] * B[2], t2 = f->e1[a] * B[1] + f->e2[a] * B[3];
        for (int c = symmetric ? a : 0; c < 3; ++c) {
            out[3 * a + c] = t1 * f->e1[c] + t2 * f->e2[c] + o * (f->n[a] * f->n[c]);
            if (symmetric) out[3 * c + a] = out[3 * a + c];
        }
    }
}

// From the stiffness of the triangle in its plane to that in space.
PLI_LANE_INLINE void lift_stiffness(const sheet_frame* f, const pli_lanes* plane, pli_lanes w,
                                    const pli_lanes S[3], const pli_lanes* G, pli_lanes* H) {
    for (int u = 0; u < 2; ++u)
        for (int v = 0; v <= u; ++v) {
            const pli_lanes *g = G + 2 * v, *h = G + 2 * u;
            pli_lanes o = (g[0] * S[0] + g[1] * S[2]) * h[0] + (g[0] * S[2] + g[1] * S[1]) * h[1];
            sheet_block(f, plane + PLI_PACKED_AT(2, u + 1, v + 1), w * o, u == v,
                        H + PLI_PACKED_AT(3, u + 1, v + 1));
        }
}

PLI_LANE_INLINE void lift_force(const sheet_frame* f, const pli_lanes* plane, pli_lanes* g) {
    for (int v = 1; v < 3; ++v)
        for (int a = 0; a < 3; ++a)
            g[3 * v + a] = plane[2 * v] * f->e1[a] + plane[2 * v + 1] * f->e2[a];
}

// ---- elements

// Triangles in space are evaluated in their own plane.
PLI_LANE_INLINE bool is_sheet(int dim, int width) { return width == dim; }

// Results of LANES elements.
typedef struct local_lanes {
    pli_lane_mask allowed;
    pli_lanes e, g[MAX_LOCAL], H[MAX_PACKED];
} local_lanes;

// Records and edges of elements [first, first + LANES), the last of the batch repeated.
PLI_LANE_INLINE void load_elements(int dim, int width, int points, const pli_batch* in, int first,
                                   pli_lanes* record, pli_lanes* d) {
    double edges[LANES][MAX_EDGES + 5]; // padded to a whole square of lanes
    const double *rows[LANES], *edge_rows[LANES], *data = in->data;
    int flat = is_sheet(dim, width) ? 2 : dim, n = dim * (width - 1);
    int size = PLI_SOLID_SIZE(flat, width, points);
    for (int l = 0; l < LANES; ++l) {
        size_t i = (size_t)pli_min_int(first + l, in->count - 1);
        rows[l] = data + i * (size_t)size;
        pli_solid_edges(dim, width, in->vertices + i * (size_t)width, in->x, edges[l]);
        for (int k = n; k < LANES; ++k) edges[l][k] = 0;
        edge_rows[l] = edges[l];
    }
    load_rows(size, rows, record);
    load_rows(n < LANES ? LANES : n, edge_rows, d);
}

// No derivatives where the state is forbidden.
PLI_LANE_INLINE void clear_forbidden(int dim, int width, bool stiffness, local_lanes* out) {
    if (!pli_lanes_any(~out->allowed)) return;
    for (int k = 0; k < width * dim; ++k) out->g[k] = pli_lanes_where(out->allowed, out->g[k]);
    for (int k = 0; stiffness && k < PLI_PACKED_SIZE(dim, width); ++k)
        out->H[k] = pli_lanes_where(out->allowed, out->H[k]);
}

// Linear triangles in space.
PLI_LANE_INLINE void eval_sheets(const pli_law* law, const pli_batch* in, int first,
                                 local_lanes* out) {
    const bool want_stiffness = in->want & PLI_HESSIAN;
    const bool condensed = ((const pli_solid*)in->data)->plane_stress != 0;
    pli_lanes record[MAX_RECORD], d[MAX_EDGES + 5], P[9], S[3], plane[PLI_PACKED_SIZE(2, 3)];
    pli_quadrature_point p;
    pli_stress_parts parts;
    sheet_frame f;
    load_elements(3, 3, 1, in, first, record, d);
    const pli_lame m = {record[0], record[1]};
    const pli_lanes *G = record + PLI_SOLID_HEAD + 1, w = G[-1];
    frame_of_sheet(d, &f);
    pli_solid_gradient(2, 3, f.d, G, p.F);
    out->allowed = pli_point_state(law, 2, &m, condensed, want_stiffness, &p);
    out->e = pli_lanes_all(0);
    for (int k = 0; k < 9; ++k) out->g[k] = pli_lanes_all(0);
    if (in->want & PLI_VALUE) out->e += w * law->value(&m, &p.strain);
    law->first(&m, &p.strain, &parts);
    if (in->want & PLI_GRADIENT) {
        pli_lanes g[6] = {{0}};
        pli_point_stress(law, 2, &p, &parts, P);
        pli_solid_add_force(2, 3, w, P, G, g);
        lift_force(&f, g, out->g);
        pli_solid_close_force(3, 3, out->g);
    }
    if (want_stiffness) {
        pli_curvature c;
        pli_point_curvature(law, 2, &m, condensed, in->project, &p, &c);
        add_stiffness2(3, w, &c, &p, G, true, plane);
        sheet_tension(law, &p, &parts, in->project, S);
        lift_stiffness(&f, plane, w, S, G, out->H);
        pli_solid_close_stiffness(3, 3, out->H);
    }
    clear_forbidden(3, 3, want_stiffness, out);
}

PLI_LANE_INLINE void eval_solids(const pli_law* law, int dim, int width, const pli_batch* in,
                                 int first, local_lanes* out) {
    const int points = width == dim + 1 ? 1 : dim + 1, size = PLI_SOLID_POINT(dim, width);
    const bool want_force = in->want & PLI_GRADIENT, want_stiffness = in->want & PLI_HESSIAN;
    const bool condensed = dim == 2 && ((const pli_solid*)in->data)->plane_stress != 0;
    pli_lanes record[MAX_RECORD], d[MAX_EDGES + 5];
    load_elements(dim, width, points, in, first, record, d);
    const pli_lame m = {record[0], record[1]};
    out->e = pli_lanes_all(0);
    for (int k = 0; k < width * dim; ++k) out->g[k] = pli_lanes_all(0);
    for (int q = 0; q < points; ++q) {
        const pli_lanes *G = record + PLI_SOLID_HEAD + q * size + 1, w = G[-1];
        pli_quadrature_point p;
        pli_solid_gradient(dim, width, d, G, p.F);
        pli_lane_mask allowed = pli_point_state(law, dim, &m, condensed, want_stiffness, &p);
        out->allowed = q == 0 ? allowed : out->allowed & allowed;
        if (in->want & PLI_VALUE) out->e += w * law->value(&m, &p.strain);
        if (want_force) {
            pli_stress_parts parts;
            pli_lanes P[9];
            law->first(&m, &p.strain, &parts);
            pli_point_stress(law, dim, &p, &parts, P);
            pli_solid_add_force(dim, width, w, P, G, out->g);
        }
        if (want_stiffness) {
            pli_curvature c;
            pli_point_curvature(law, dim, &m, condensed, in->project, &p, &c);
            if (dim == 2)
                add_stiffness2(width, w, &c, &p, G, q == 0, out->H);
            else
                add_stiffness3(width, w, &c, &p, G, q == 0, out->H);
        }
    }
    if (want_force) pli_solid_close_force(dim, width, out->g);
    if (want_stiffness) pli_solid_close_stiffness(dim, width, out->H);
    clear_forbidden(dim, width, want_stiffness, out);
}

PLI_LANE_INLINE void eval_lanes(const pli_law* law, int dim, int width, const pli_batch* in,
                                int first, local_lanes* out) {
    if (is_sheet(dim, width))
        eval_sheets(law, in, first, out);
    else
        eval_solids(law, dim, width, in, first, out);
}

PLI_LANE_INLINE void eval_kind(const pli_law* law, int dim, int width, const pli_batch* in,
                               pli_local* out) {
    const int n = width * dim, packed = PLI_PACKED_SIZE(dim, width);
    local_lanes local;
    for (int i = 0; i < in->count; i += LANES) {
        int count = pli_min_int(LANES, in->count - i);
        eval_lanes(law, dim, width, in, i, &local);
        for (int l = 0; l < count && in->want & PLI_VALUE; ++l) {
            double sum = out->e[i + l] + local.e[l]; // may overflow to infinity minus infinity
            out->e[i + l] = local.allowed[l] && sum < HUGE_VAL ? sum : HUGE_VAL;
        }
        if (in->want & PLI_GRADIENT) add_rows(n, local.g, count, out->g + (size_t)i * (size_t)n);
        for (int l = 0; l < count && in->want & PLI_HESSIAN; ++l) {
            double one[MAX_PACKED];
            for (int k = 0; k < packed; ++k) one[k] = local.H[k][l];
            pli_packed_add_to(dim, width, one, out->H + (size_t)(i + l) * (size_t)(n * n));
        }
    }
}

PLI_LANE_TARGET static void eval(pli_law_number number, const pli_batch* in, pli_local* out) {
    const pli_law* law = pli_laws[number];
    if (in->kind == PLI_TRIANGLE && in->dim == 2) eval_kind(law, 2, 3, in, out);
    if (in->kind == PLI_TRIANGLE && in->dim == 3) eval_kind(law, 3, 3, in, out);
    if (in->kind == PLI_TETRAHEDRON) eval_kind(law, 3, 4, in, out);
    if (in->kind == PLI_TRIANGLE6) eval_kind(law, 2, 6, in, out);
    if (in->kind == PLI_TETRAHEDRON10) eval_kind(law, 3, 10, in, out);
}

// Transposes the blocks that are requested transposed.
PLI_LANE_INLINE void turn_blocks(int dim, int width, pli_lane_bits turned, pli_lanes* H) {
    for (int i = 1, block = 1; i < width; ++i, ++block)
        for (int j = 0; j < i; ++j, ++block) {
            pli_lane_mask mask = (pli_lane_mask)(0 - ((turned >> block) & 1));
            pli_lanes* at = H + PLI_PACKED_AT(dim, i, j);
            for (int c = 0; c < dim; ++c)
                for (int r = c + 1; r < dim; ++r)
                    pli_swap_lanes(mask, &at[c * dim + r], &at[r * dim + c]);
        }
}

PLI_LANE_INLINE void blocks_kind(const pli_law* law, int dim, int width, const pli_batch* in,
                                 const uint64_t* turned, pli_local* out) {
    const int n = width * dim, packed = PLI_PACKED_SIZE(dim, width);
    local_lanes local;
    for (int i = 0; i < in->count; i += LANES) {
        int count = pli_min_int(LANES, in->count - i);
        pli_lane_bits bits = {0};
        for (int l = 0; l < count; ++l) bits[l] = turned[i + l];
        eval_lanes(law, dim, width, in, i, &local);
        turn_blocks(dim, width, bits, local.H);
        store_some_rows(n, local.g, count, out->g + (size_t)i * (size_t)n);
        store_some_rows(packed, local.H, count, out->H + (size_t)i * (size_t)packed);
    }
}

PLI_LANE_TARGET static void blocks(pli_law_number number, const pli_batch* in,
                                   const uint64_t* turned, pli_local* out) {
    const pli_law* law = pli_laws[number];
    if (in->kind == PLI_TRIANGLE && in->dim == 2) blocks_kind(law, 2, 3, in, turned, out);
    if (in->kind == PLI_TRIANGLE && in->dim == 3) blocks_kind(law, 3, 3, in, turned, out);
    if (in->kind == PLI_TETRAHEDRON) blocks_kind(law, 3, 4, in, turned, out);
    if (in->kind == PLI_TRIANGLE6) blocks_kind(law, 2, 6, in, turned, out);
    if (in->kind == PLI_TETRAHEDRON10) blocks_kind(law, 3, 10, in, turned, out);
}

// ---- output quantities

// sigma = P F^T / J, in the plane with the row and column of z; small-strain laws: sigma = P.
PLI_LANE_INLINE void cauchy_stress(const pli_law* law, int dim, const pli_quadrature_point* p,
                                   const pli_stress_parts* parts, pli_lanes sigma[6]) {
    static const int rows[6] = {0, 1, 2, 1, 2, 0}, columns[6] = {0, 1, 2, 2, 0, 1};
    pli_lanes P[9], J = p->strain.J;
    pli_point_stress(law, dim, p, parts, P);
    for (int k = 0; k < 6; ++k) {
        int a = rows[k], b = columns[k];
        sigma[k] = pli_lanes_all(0);
        if (a >= dim || b >= dim) continue;
        if (law->small) sigma[k] = P[dim * a + b];
        for (int c = 0; c < dim && !law->small; ++c)
            sigma[k] += P[dim * a + c] * p->F[dim * b + c] / J;
    }
    if (dim == 2) sigma[2] = pli_stress_across(law, p, parts);
    if (dim == 2 && !law->small) sigma[2] *= p->zz / J;
}

// The means over the quadrature points of elements [first, first + LANES). No stress where J = 0.
PLI_LANE_INLINE void fields_lanes(const pli_law* law, int dim, int width, const pli_batch* in,
                                  int first, pli_lanes stress[6], pli_lanes* across) {
    const int points = width == dim + 1 ? 1 : dim + 1, size = PLI_SOLID_POINT(dim, width);
    const bool condensed = dim == 2 && ((const pli_solid*)in->data)->plane_stress != 0;
    pli_lanes record[MAX_RECORD], d[MAX_EDGES + 5], volume = {0};
    load_elements(dim, width, points, in, first, record, d);
    const pli_lame m = {record[0], record[1]};
    for (int q = 0; q < points; ++q) volume += record[PLI_SOLID_HEAD + q * size];
    for (int k = 0; k < 6; ++k) stress[k] = pli_lanes_all(0);
    *across = pli_lanes_all(0);
    for (int q = 0; q < points; ++q) {
        const pli_lanes *G = record + PLI_SOLID_HEAD + q * size + 1, share = G[-1] / volume;
        pli_quadrature_point p;
        pli_stress_parts parts;
        pli_lanes sigma[6];
        pli_solid_gradient(dim, width, d, G, p.F);
        pli_lane_mask allowed = pli_point_state(law, dim, &m, condensed, false, &p);
        *across += share * pli_lanes_select(allowed, p.zz, pli_lanes_all(1));
        law->first(&m, &p.strain, &parts);
        cauchy_stress(law, dim, &p, &parts, sigma);
        allowed &= p.strain.J != 0;
        for (int k = 0; k < 6; ++k) stress[k] += pli_lanes_where(allowed, share * sigma[k]);
    }
}

// Cauchy stress Q sigma Q^T of triangles in space; none across them.
PLI_LANE_INLINE void lift_stress(const sheet_frame* f, const pli_lanes plane[6],
                                 pli_lanes stress[6]) {
    static const int rows[6] = {0, 1, 2, 1, 2, 0}, columns[6] = {0, 1, 2, 2, 0, 1};
    for (int k = 0; k < 6; ++k) {
        int a = rows[k], b = columns[k];
        stress[k] = plane[0] * (f->e1[a] * f->e1[b]) + plane[1] * (f->e2[a] * f->e2[b]) +
                    plane[5] * (f->e1[a] * f->e2[b] + f->e2[a] * f->e1[b]);
    }
}

PLI_LANE_INLINE void sheet_fields(const pli_law* law, const pli_batch* in, int first,
                                  pli_lanes stress[6], pli_lanes* across) {
    const bool condensed = ((const pli_solid*)in->data)->plane_stress != 0;
    pli_lanes record[MAX_RECORD], d[MAX_EDGES + 5], plane[6];
    pli_quadrature_point p;
    pli_stress_parts parts;
    sheet_frame f;
    load_elements(3, 3, 1, in, first, record, d);
    const pli_lame m = {record[0], record[1]};
    frame_of_sheet(d, &f);
    pli_solid_gradient(2, 3, f.d, record + PLI_SOLID_HEAD + 1, p.F);
    pli_lane_mask allowed = pli_point_state(law, 2, &m, condensed, false, &p);
    *across = pli_lanes_select(allowed, p.zz, pli_lanes_all(1));
    law->first(&m, &p.strain, &parts);
    cauchy_stress(law, 2, &p, &parts, plane);
    allowed &= p.strain.J != 0;
    for (int k = 0; k < 6; ++k) plane[k] = pli_lanes_where(allowed, plane[k]);
    lift_stress(&f, plane, stress);
}

PLI_LANE_INLINE void fields_kind(const pli_law* law, int dim, int width, const pli_batch* in,
                                 double* stress, double* across) {
    for (int i = 0; i < in->count; i += LANES) {
        int count = pli_min_int(LANES, in->count - i);
        pli_lanes sigma[6], stretch;
        if (is_sheet(dim, width))
            sheet_fields(law, in, i, sigma, &stretch);
        else
            fields_lanes(law, dim, width, in, i, sigma, &stretch);
        for (int l = 0; l < count; ++l) {
            if (across) across[i + l] = stretch[l];
            for (int k = 0; stress && k < 6; ++k)
                stress[6 * (size_t)(i + l) + (size_t)k] += sigma[k][l];
        }
    }
}

// F_zz is written only under plane stress, so that it does not overwrite the value of another
// energy.
PLI_LANE_TARGET static void fields(pli_law_number number, const pli_batch* in, double* stress,
                                   double* across) {
    const pli_law* law = pli_laws[number];
    if (in->count == 0) return;
    if (((const pli_solid*)in->data)->plane_stress == 0) across = NULL;
    if (!stress && !across) return;
    if (in->kind == PLI_TRIANGLE && in->dim == 2) fields_kind(law, 2, 3, in, stress, across);
    if (in->kind == PLI_TRIANGLE && in->dim == 3) fields_kind(law, 3, 3, in, stress, across);
    if (in->kind == PLI_TETRAHEDRON) fields_kind(law, 3, 4, in, stress, across);
    if (in->kind == PLI_TRIANGLE6) fields_kind(law, 2, 6, in, stress, across);
    if (in->kind == PLI_TETRAHEDRON10) fields_kind(law, 3, 10, in, stress, across);
}

#define KERNEL_TEXT(name) #name
#define KERNEL_NAME(name) KERNEL_TEXT(name)
const pli_solid_kernels KERNEL_SET = {.name = KERNEL_NAME(KERNEL_SET),
                                      .lanes = LANES,
                                      .eval = eval,
                                      .blocks = blocks,
                                      .fields = fields};

#endif
