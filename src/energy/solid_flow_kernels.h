// The loops over elements of solids with memory (solid_flow.h); included by solid_kernels.h.
#ifndef PLI_ENERGY_SOLID_FLOW_KERNELS_H
#define PLI_ENERGY_SOLID_FLOW_KERNELS_H

#include "energy/solid_local.h"

#include "energy/laws.h"
#include "energy/solid_flow.h"

enum {
    FLOW_STATE = PLI_FLOW_STATE(3),
    FLOW_RECORD = MAX_RECORD + PLI_FLOW_CONSTANTS + 8, // padded to a whole square of lanes
};

// Elements [first, first + LANES) of a batch. Triangles in space are in their own plane.
typedef struct flow_elements {
    const pli_law* law;
    int dim, flat, width, points;
    bool sheet, condensed;
    bool used[PLI_FLOW_BRANCHES];
    double h;
    pli_lame m;
    pli_lanes record[FLOW_RECORD], edges[MAX_EDGES + 5];
    const pli_lanes* constants;
    pli_sheet_frame frame;
} flow_elements;

PLI_LANE_FUNCTION void open_elements(const pli_law* law, int dim, int width, const pli_batch* in,
                                     int first, flow_elements* f) {
    f->law = law;
    f->dim = dim;
    f->width = width;
    f->sheet = is_sheet(dim, width);
    f->flat = f->sheet ? 2 : dim;
    f->points = width == f->flat + 1 ? 1 : f->flat + 1;
    f->condensed = f->flat == 2 && ((const pli_solid*)in->data)->plane_stress != 0;
    f->h = in->h;
    int size = PLI_SOLID_SIZE(f->flat, width, f->points), n = dim * (width - 1);
    double edges[LANES][MAX_EDGES + 5];
    const double *rows[LANES], *edge_rows[LANES], *data = in->data;
    for (int l = 0; l < LANES; ++l) {
        size_t i = (size_t)pli_min_int(first + l, in->count - 1);
        rows[l] = data + i * (size_t)(size + law->constants);
        pli_solid_edges(dim, width, in->vertices + i * (size_t)width, in->x, edges[l]);
        for (int k = n; k < LANES; ++k) edges[l][k] = 0;
        edge_rows[l] = edges[l];
    }
    load_rows(size + law->constants, rows, f->record);
    load_rows(n < LANES ? LANES : n, edge_rows, f->edges);
    f->m = (pli_lame){f->record[0], f->record[1]};
    f->constants = f->record + size;
    for (int b = 0; b < PLI_FLOW_BRANCHES; ++b)
        f->used[b] = b == 1 || (b <= law->branches && data[size + b] != 0);
    if (!f->sheet) return;
    pli_sheet_frame_of(f->edges, &f->frame);
    for (int k = 0; k < 4; ++k) f->edges[k] = f->frame.d[k];
}

// F_p^-1 and scalars of a branch; branch 0 has none.
PLI_LANE_INLINE void load_memory(const flow_elements* f, const pli_batch* in, int first, int q,
                                 int branch, pli_flow_branch* b) {
    const int size = PLI_FLOW_STATE(f->flat), tensor = size - PLI_FLOW_SCALARS;
    pli_lanes all[FLOW_STATE];
    const double* rows[LANES];
    if (branch == 0) {
        for (int k = 0; k < tensor; ++k) all[k] = pli_lanes_all(k % (f->flat + 1) == 0 || k == 4);
        for (int k = tensor; k < size; ++k) all[k] = pli_lanes_all(0);
        if (f->flat == 2) all[3] = all[4] = pli_lanes_all(1);
    } else {
        for (int l = 0; l < LANES; ++l) {
            size_t i = (size_t)pli_min_int(first + l, in->count - 1) * (size_t)f->points;
            size_t at = (i + (size_t)q) * (size_t)f->law->branches + (size_t)(branch - 1);
            rows[l] = (const double*)in->state + at * (size_t)size;
        }
        load_rows(size, rows, all);
    }
    for (int k = 0; k < tensor; ++k) b->Fp[k] = all[k];
    for (int k = 0; k < PLI_FLOW_SCALARS; ++k) b->memory[k] = all[tensor + k];
}

// G_v F_p^-1, the derivatives of the trial.
PLI_LANE_INLINE void trial_gradient(int dim, int width, const pli_lanes* G, const pli_lanes Fp[9],
                                    pli_lanes* out) {
    for (int v = 0; v < width - 1; ++v)
        for (int b = 0; b < dim; ++b) {
            pli_lanes sum = G[v * dim] * Fp[b];
            for (int c = 1; c < dim; ++c) sum += G[v * dim + c] * Fp[dim * c + b];
            out[v * dim + b] = sum;
        }
}

// All branches at point q; `G` gets their derivatives, *z the logarithm of F_zz in the plane.
PLI_LANE_FUNCTION pli_lane_mask open_point(const flow_elements* f, const pli_batch* in, int first,
                                           int q, pli_flow_branch b[PLI_FLOW_BRANCHES],
                                           pli_lanes G[PLI_FLOW_BRANCHES][MAX_EDGES],
                                           pli_lanes* z) {
    const pli_lanes* own = f->record + PLI_SOLID_HEAD + q * PLI_SOLID_POINT(f->flat, f->width) + 1;
    pli_lane_mask allowed = f->m.mu == f->m.mu;
    *z = pli_lanes_all(0);
    for (int k = 0; k <= f->law->branches; ++k) {
        if (!f->used[k]) continue;
        load_memory(f, in, first, q, k, &b[k]);
        trial_gradient(f->flat, f->width, own, b[k].Fp, G[k]);
        pli_solid_gradient(f->flat, f->width, f->edges, G[k], b[k].p.F);
        allowed &= pli_flow_stretches(f->law, f->flat, &b[k]);
    }
    if (f->condensed) *z = pli_flow_condense(f->law, &f->m, f->constants, f->h, f->used, b);
    for (int k = 0; k <= f->law->branches && !f->condensed; ++k) {
        if (!f->used[k]) continue;
        if (f->flat == 2) pli_flow_set_across(*z, &b[k]);
        pli_flow_respond(f->law, &f->m, f->constants, f->h, k, &b[k]);
    }
    return allowed;
}

// Several branches share F_zz under plane stress. Each was condensed on its own; what remains is
// sum over branches of A w w^T with w = a / A - (sum a) / (sum A), A and a the derivatives of
// tau_zz by ln F_zz and by the vertices.
PLI_LANE_FUNCTION void add_shared_thickness(const flow_elements* f, const pli_flow_branch* b,
                                            pli_lanes G[PLI_FLOW_BRANCHES][MAX_EDGES], pli_lanes w,
                                            pli_lanes* H) {
    const int n = 2 * (f->width - 1);
    pli_lanes a[PLI_FLOW_BRANCHES][MAX_EDGES], A[PLI_FLOW_BRANCHES], sum[MAX_EDGES], all = {0};
    for (int i = 0; i < n; ++i) sum[i] = pli_lanes_all(0);
    for (int k = 0; k <= f->law->branches; ++k) {
        if (!f->used[k]) continue;
        const pli_quadrature_point* p = &b[k].p;
        pli_lanes a0 = pli_flow_slope(&b[k], 0, 2) / p->s[0], T[4];
        pli_lanes a1 = pli_flow_slope(&b[k], 1, 2) / p->s[1];
        for (int i = 0; i < 4; ++i) T[i] = 0.5 * (a0 + a1) * p->R[i] + 0.5 * (a0 - a1) * p->K[i];
        A[k] = pli_flow_slope(&b[k], 2, 2);
        all += A[k];
        for (int i = 0; i < n; ++i) {
            const pli_lanes *g = G[k] + i / 2 * 2, *t = T + i % 2 * 2;
            a[k][i] = t[0] * g[0] + t[1] * g[1];
            sum[i] += a[k][i];
        }
    }
    for (int k = 0; k <= f->law->branches; ++k) {
        if (!f->used[k]) continue;
        for (int i = 0; i < n; ++i) a[k][i] = a[k][i] / A[k] - sum[i] / all;
        for (int u = 0; u < f->width - 1; ++u)
            for (int v = 0; v <= u; ++v)
                for (int i = 0; i < 4; ++i) // rows of v, columns of u
                    H[PLI_PACKED_AT(2, u + 1, v + 1) + i] +=
                        w * A[k] * (a[k][2 * v + i / 2] * a[k][2 * u + i % 2]);
    }
}

// What sheets need besides their plane: the tension F^-1 P of a branch, pulled back by its F_p.
PLI_LANE_INLINE void add_tension(const pli_flow_branch* b, bool project, pli_lanes S[3]) {
    const pli_quadrature_point* p = &b->p;
    pli_lanes a[2], T[3];
    for (int i = 0; i < 2; ++i) {
        a[i] = pli_flow_stress(b, i) / (p->s[i] * p->s[i]);
        if (project) a[i] = pli_lanes_where(a[i] > 0, a[i]);
    }
    const pli_lanes *R = p->R, *K = p->K, mean = 0.5 * (a[0] + a[1]), half = 0.5 * (a[0] - a[1]);
    T[0] = mean + half * (R[0] * K[0] + R[2] * K[2]);
    T[1] = mean - half * (R[0] * K[0] + R[2] * K[2]);
    T[2] = half * (R[0] * K[1] + R[2] * K[3]);
    const pli_lanes* B = b->Fp;
    static const int row[3] = {0, 1, 0}, column[3] = {0, 1, 1};
    for (int k = 0; k < 3; ++k) {
        const pli_lanes *x = B + 2 * row[k], *y = B + 2 * column[k];
        S[k] += x[0] * (T[0] * y[0] + T[2] * y[1]) + x[1] * (T[2] * y[0] + T[1] * y[1]);
    }
}

PLI_LANE_INLINE void eval_flow(const pli_law* law, int dim, int width, const pli_batch* in,
                               int first, local_lanes* out) {
    const bool want_force = in->want & PLI_GRADIENT, want_stiffness = in->want & PLI_HESSIAN;
    const bool sheet = is_sheet(dim, width);
    const int flat = sheet ? 2 : dim, size = PLI_SOLID_POINT(flat, width);
    pli_flow_branch b[PLI_FLOW_BRANCHES];
    pli_lanes G[PLI_FLOW_BRANCHES][MAX_EDGES], plane_g[6] = {{0}}, plane[PLI_PACKED_SIZE(2, 3)], z;
    pli_lanes S[3] = {{0}}, *g = sheet ? plane_g : out->g, *H = sheet ? plane : out->H;
    flow_elements f;
    open_elements(law, dim, width, in, first, &f);
    out->e = pli_lanes_all(0);
    for (int k = 0; k < width * dim; ++k) out->g[k] = pli_lanes_all(0);
    for (int q = 0; q < f.points; ++q) {
        const pli_lanes w = f.record[PLI_SOLID_HEAD + q * size];
        bool started = q > 0;
        int used = 0;
        pli_lane_mask allowed = open_point(&f, in, first, q, b, G, &z);
        out->allowed = q == 0 ? allowed : out->allowed & allowed;
        for (int k = 0; k <= law->branches; ++k) {
            if (!f.used[k]) continue;
            ++used;
            if (in->want & PLI_VALUE) out->e += w * b[k].r.value;
            if (want_force) {
                pli_lanes P[9];
                pli_flow_piola(flat, &b[k], P);
                pli_solid_add_force(flat, width, w, P, G[k], g);
            }
            if (want_stiffness) {
                pli_curvature c;
                pli_flow_curvature(flat, f.condensed, in->project, &b[k], &c);
                if (flat == 2)
                    add_stiffness2(width, w, &c, &b[k].p, G[k], !started, H);
                else
                    add_stiffness3(width, w, &c, &b[k].p, G[k], !started, H);
                if (sheet) add_tension(&b[k], in->project, S);
                started = true;
            }
        }
        if (want_stiffness && f.condensed && used > 1) add_shared_thickness(&f, b, G, w, H);
    }
    if (sheet) {
        const pli_lanes* own = f.record + PLI_SOLID_HEAD + 1;
        if (want_force) pli_sheet_lift_force(&f.frame, g, out->g);
        if (want_stiffness) pli_sheet_lift_stiffness(&f.frame, H, own[-1], S, own, out->H);
    }
    if (want_force) pli_solid_close_force(dim, width, out->g);
    if (want_stiffness) pli_solid_close_stiffness(dim, width, out->H);
    clear_forbidden(dim, width, want_stiffness, out);
}

// ---- output quantities

// tau of a branch in space (xx yy zz yz zx xy) or in the plane: U diag(tau) U^T.
PLI_LANE_INLINE void add_kirchhoff(int flat, const pli_flow_branch* b, pli_lanes tau[6]) {
    static const int rows[6] = {0, 1, 2, 1, 2, 0}, columns[6] = {0, 1, 2, 2, 0, 1};
    const pli_quadrature_point* p = &b->p;
    pli_lanes d[3];
    for (int i = 0; i < 3; ++i) d[i] = pli_flow_stress(b, i);
    if (flat == 3) {
        for (int k = 0; k < 6; ++k)
            for (int i = 0; i < 3; ++i)
                tau[k] += d[i] * p->U[3 * rows[k] + i] * p->U[3 * columns[k] + i];
        return;
    }
    const pli_lanes *R = p->R, *K = p->K; // K R^T = U diag(1, -1) U^T
    pli_lanes mean = 0.5 * (d[0] + d[1]), half = 0.5 * (d[0] - d[1]);
    pli_lanes xx = K[0] * R[0] + K[1] * R[1];
    tau[0] += mean + half * xx;
    tau[1] += mean - half * xx;
    tau[2] += d[2];
    tau[5] += half * (K[0] * R[2] + K[1] * R[3]);
}

PLI_LANE_FUNCTION void flow_fields(const pli_law* law, int dim, int width, const pli_batch* in,
                                   int first, pli_lanes stress[6], pli_lanes* across) {
    const int flat = is_sheet(dim, width) ? 2 : dim, size = PLI_SOLID_POINT(flat, width);
    pli_flow_branch b[PLI_FLOW_BRANCHES];
    pli_lanes G[PLI_FLOW_BRANCHES][MAX_EDGES], z, volume = {0}, plane[6];
    flow_elements f;
    open_elements(law, dim, width, in, first, &f);
    for (int q = 0; q < f.points; ++q) volume += f.record[PLI_SOLID_HEAD + q * size];
    for (int k = 0; k < 6; ++k) plane[k] = pli_lanes_all(0);
    *across = pli_lanes_all(0);
    for (int q = 0; q < f.points; ++q) {
        const pli_lanes *own = f.record + PLI_SOLID_HEAD + q * size + 1, share = own[-1] / volume;
        pli_lane_mask allowed = open_point(&f, in, first, q, b, G, &z);
        pli_lanes tau[6] = {{0}}, F[9], n[3], zz = pli_lanes_exp(z), J;
        for (int k = 0; k <= law->branches; ++k)
            if (f.used[k]) add_kirchhoff(flat, &b[k], tau);
        pli_solid_gradient(flat, width, f.edges, own, F);
        if (flat == 2) {
            J = (F[0] * F[3] - F[1] * F[2]) * zz;
        } else {
            pli_lanes_cross3(F + 3, F + 6, n);
            J = pli_lanes_dot3(F, n);
        }
        *across += share * pli_lanes_select(allowed, zz, pli_lanes_all(1));
        for (int k = 0; k < 6; ++k) plane[k] += pli_lanes_where(allowed, share * tau[k] / J);
    }
    if (f.sheet)
        lift_stress(&f.frame, plane, stress);
    else
        for (int k = 0; k < 6; ++k) stress[k] = plane[k];
}

PLI_LANE_FUNCTION void show_kind(const pli_law* law, int dim, int width, const pli_batch* in,
                                 int count, double* out) {
    const int flat = is_sheet(dim, width) ? 2 : dim, size = PLI_SOLID_POINT(flat, width);
    pli_flow_branch b[PLI_FLOW_BRANCHES];
    pli_lanes G[PLI_FLOW_BRANCHES][MAX_EDGES], z;
    flow_elements f;
    for (int first = 0; first < in->count; first += LANES) {
        pli_lanes volume = {0}, sums[PLI_FLOW_FIELDS] = {{0}};
        open_elements(law, dim, width, in, first, &f);
        for (int q = 0; q < f.points; ++q) volume += f.record[PLI_SOLID_HEAD + q * size];
        for (int q = 0; q < f.points; ++q) {
            pli_lanes share = f.record[PLI_SOLID_HEAD + q * size] / volume;
            pli_lane_mask allowed = open_point(&f, in, first, q, b, G, &z);
            for (int k = 1; k <= law->branches; ++k) {
                if (!f.used[k]) continue;
                sums[0] += share * b[k].memory[1];
                sums[1] += share * pli_lanes_where(allowed, b[k].r.strain);
                sums[2] += share * pli_lanes_where(allowed, b[k].r.ratio);
            }
        }
        for (int l = 0; l < LANES && first + l < in->count; ++l)
            for (int k = 0; k < count; ++k)
                out[(size_t)(first + l) * (size_t)count + (size_t)k] = sums[k][l];
    }
}

PLI_LANE_TARGET static void show(pli_law_number number, const pli_batch* in, int count,
                                 double* out) {
    show_kind(pli_laws[number], in->dim, in->width, in, count, out);
}

// ---- the end of a step

// `in->state` is the same memory as `state`.
PLI_LANE_FUNCTION void commit_kind(const pli_law* law, int dim, int width, const pli_batch* in,
                                   double* state) {
    pli_flow_branch b[PLI_FLOW_BRANCHES];
    pli_lanes G[PLI_FLOW_BRANCHES][MAX_EDGES], z;
    flow_elements f;
    for (int first = 0; first < in->count; first += LANES) {
        open_elements(law, dim, width, in, first, &f);
        const int size = PLI_FLOW_STATE(f.flat), tensor = size - PLI_FLOW_SCALARS;
        for (int q = 0; q < f.points; ++q) {
            pli_lane_mask allowed = open_point(&f, in, first, q, b, G, &z);
            for (int k = 1; k <= law->branches; ++k) {
                if (!f.used[k]) continue;
                pli_flow_take_over(f.flat, &b[k]);
                for (int l = 0; l < LANES && first + l < in->count; ++l) {
                    if (!allowed[l]) continue; // never accepted
                    size_t at = (size_t)((first + l) * f.points + q) * (size_t)law->branches;
                    double* own = state + (at + (size_t)(k - 1)) * (size_t)size;
                    for (int i = 0; i < tensor; ++i) own[i] = b[k].Fp[i][l];
                    for (int i = 0; i < PLI_FLOW_SCALARS; ++i) own[tensor + i] = b[k].memory[i][l];
                }
            }
        }
    }
}

PLI_LANE_TARGET static void commit(pli_law_number number, const pli_batch* in, double* state) {
    pli_batch batch = *in;
    batch.state = state;
    commit_kind(pli_laws[number], in->dim, in->width, &batch, state);
}

#endif
