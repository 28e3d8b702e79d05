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

#include "energy/solid_local.h"

#include "energy/laws.h"
#include "energy/solid_flow_kernels.h"

// Linear triangles in space.
PLI_LANE_INLINE void eval_sheets(const pli_law* law, const pli_batch* in, int first,
                                 local_lanes* out) {
    const bool want_stiffness = in->want & PLI_HESSIAN;
    const bool condensed = ((const pli_solid*)in->data)->plane_stress != 0;
    pli_lanes record[MAX_RECORD], d[MAX_EDGES + 5], P[9], S[3], plane[PLI_PACKED_SIZE(2, 3)];
    pli_quadrature_point p;
    pli_stress_parts parts;
    pli_sheet_frame f;
    load_elements(3, 3, 1, in, first, record, d);
    const pli_lame m = {record[0], record[1]};
    const pli_lanes *G = record + PLI_SOLID_HEAD + 1, w = G[-1];
    pli_sheet_frame_of(d, &f);
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
        pli_sheet_lift_force(&f, g, out->g);
        pli_solid_close_force(3, 3, out->g);
    }
    if (want_stiffness) {
        pli_curvature c;
        pli_point_curvature(law, 2, &m, condensed, in->project, &p, &c);
        add_stiffness2(3, w, &c, &p, G, true, plane);
        pli_sheet_tension(law, &p, &parts, in->project, S);
        pli_sheet_lift_stiffness(&f, plane, w, S, G, out->H);
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
    if (law->flow)
        eval_flow(law, dim, width, in, first, out);
    else if (is_sheet(dim, width))
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

PLI_LANE_INLINE void sheet_fields(const pli_law* law, const pli_batch* in, int first,
                                  pli_lanes stress[6], pli_lanes* across) {
    const bool condensed = ((const pli_solid*)in->data)->plane_stress != 0;
    pli_lanes record[MAX_RECORD], d[MAX_EDGES + 5], plane[6];
    pli_quadrature_point p;
    pli_stress_parts parts;
    pli_sheet_frame f;
    load_elements(3, 3, 1, in, first, record, d);
    const pli_lame m = {record[0], record[1]};
    pli_sheet_frame_of(d, &f);
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
        if (law->flow)
            flow_fields(law, dim, width, in, i, sigma, &stretch);
        else if (is_sheet(dim, width))
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
                                      .fields = fields,
                                      .commit = commit,
                                      .show = show};

#endif
