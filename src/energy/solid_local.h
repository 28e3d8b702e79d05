// What the kernels of solids share: rows of memory and lanes, blocks of stiffness, elements.
// Several elements at once, one per lane (math/lanes.h).
#ifndef PLI_ENERGY_SOLID_LOCAL_H
#define PLI_ENERGY_SOLID_LOCAL_H

#include "math/lanes.h"

#define PLI_NUMBER pli_lanes
#define PLI_SOLID_INLINE PLI_LANE_INLINE

#include <string.h>

#include "base/base.h"
#include "energy/solid_element.h"
#include "energy/solid_point.h"
#include "energy/solid_sheet.h"

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

// Cauchy stress Q sigma Q^T of triangles in space; none across them.
PLI_LANE_INLINE void lift_stress(const pli_sheet_frame* f, const pli_lanes plane[6],
                                 pli_lanes stress[6]) {
    static const int rows[6] = {0, 1, 2, 1, 2, 0}, columns[6] = {0, 1, 2, 2, 0, 1};
    for (int k = 0; k < 6; ++k) {
        int a = rows[k], b = columns[k];
        stress[k] = plane[0] * (f->e1[a] * f->e1[b]) + plane[1] * (f->e2[a] * f->e2[b]) +
                    plane[5] * (f->e1[a] * f->e2[b] + f->e2[a] * f->e1[b]);
    }
}

#endif
