// Elastic solids: constants, records, the step bound and the choice of kernels.
#include "energy/solid.h"

#include <math.h>

#include "base/base.h"
#include "energy/solid_element.h"
#include "math/machine.h"
#include "math/small.h"
#include "math/vec.h"
#include "mesh/reference.h"

// Exactly one pair must be given, and completely.
static pli_status check_pairs(const pli_elastic* given, pli_error* error) {
    bool technical = !isnan(given->young) || !isnan(given->poisson);
    bool has_mu = !isnan(given->mu), has_lam = !isnan(given->lam);
    if (technical && (has_mu || has_lam))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "%s and %s are both given: write either young and poisson or lame_mu and "
                        "lame_lambda",
                        isnan(given->young) ? "poisson" : "young",
                        has_mu ? "lame_mu" : "lame_lambda");
    if (has_mu != has_lam)
        return pli_fail(error, PLI_E_ARGUMENT, "%s is given without %s",
                        has_mu ? "lame_mu" : "lame_lambda", has_mu ? "lame_lambda" : "lame_mu");
    return PLI_OK;
}

// mu = E / (2 (1 + nu)), lam = E nu / ((1 + nu) (1 - 2 nu))
static pli_status read_constants(const pli_elastic* given, pli_solid* solid, pli_error* error) {
    PLI_TRY(check_pairs(given, error));
    double young = isnan(given->young) ? 1e5 : given->young;
    double nu = isnan(given->poisson) ? 0.4 : given->poisson;
    bool lame = !isnan(given->mu);
    solid->mu = lame ? given->mu : young / (2 * (1 + nu));
    solid->lam = lame ? given->lam : young * nu / ((1 + nu) * (1 - 2 * nu));
    solid->plane_stress = given->plane_stress;
    if (!(3 * solid->lam + 2 * solid->mu > 0)) // the bulk modulus
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "lame_lambda = %g Pa, must be > -2/3 lame_mu = %g",
                                      solid->lam, -2.0 / 3 * solid->mu),
                             error, "lame_lambda");
    if (solid->plane_stress != 0 && solid->plane_stress != 1)
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "plane_stress = %g, must be 0 or 1",
                                      solid->plane_stress),
                             error, "plane_stress");
    return PLI_OK;
}

pli_status pli_solid_check_given(const pli_elastic* given, pli_error* error) {
    pli_solid solid;
    return read_constants(given, &solid, error);
}

pli_solid pli_solid_constants(const pli_elastic* given) {
    pli_solid solid = {0};
    (void)read_constants(given, &solid, NULL);
    return solid;
}

pli_elastic pli_solid_rows(const double* params) {
    return (pli_elastic){params[PLI_YOUNG], params[PLI_POISSON], params[PLI_MU], params[PLI_LAMBDA],
                         params[PLI_PLANE_STRESS]};
}

pli_status pli_solid_check(const double* params, pli_error* error) {
    pli_elastic given = pli_solid_rows(params);
    return pli_solid_check_given(&given, error);
}

pli_status pli_solid_prepare(const double* params, const pli_element* element, void* data,
                             pli_error* error) {
    pli_elastic given = pli_solid_rows(params);
    return pli_solid_prepare_given(&given, element, data, error);
}

// Inverse and determinant of a dim x dim matrix (rows of 3).
static double invert(int dim, double A[3][3], double inverse[3][3]) {
    if (dim == 2) {
        double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
        inverse[0][0] = A[1][1] / det;
        inverse[0][1] = -A[0][1] / det;
        inverse[1][0] = -A[1][0] / det;
        inverse[1][1] = A[0][0] / det;
        return det;
    }
    double cofactor[3][3];
    for (int i = 0; i < 3; ++i) pli_cross3(A[(i + 1) % 3], A[(i + 2) % 3], cofactor[i]);
    double det = pli_dot(A[0], cofactor[0], 3);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) inverse[i][j] = cofactor[j][i] / det;
    return det;
}

static pli_status refuse_shape(const pli_element* element, double measure, pli_error* error) {
    if (element->vertex_count > element->dim + 1)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "inverted or too curved at rest: %s at a quadrature point = %g "
                        "%s, must be > 0",
                        element->dim == 2 ? "area" : "volume", measure,
                        element->dim == 2 ? "m^2" : "m^3");
    if (element->dim == 2)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "area at rest = %g m^2, must be > 0 (vertices counter-clockwise)", measure);
    return pli_fail(error, PLI_E_ARGUMENT,
                    "volume at rest = %g m^3, must be > 0 (two of its vertices must be swapped)",
                    measure);
}

// One quadrature point: weight and dF/dx. X = sum X_v N_v, so dX/dL = sum X_v dN_v/dL and dN_v/dX =
// dN_v/dL (dX/dL)^-1.
static pli_status prepare_point(const pli_element* element, const double at[4], double share,
                                double* out, pli_error* error) {
    int dim = element->dim, width = element->vertex_count;
    double derivatives[30], map[3][3] = {{0}}, inverse[3][3];
    pli_shape_derivatives(element->kind, at, derivatives);
    // Differences from the first vertex: the derivatives sum to 0, and no digits are lost far from
    // the origin.
    const double* origin = element->rest + 3 * (size_t)element->vertices[0];
    for (int v = 1; v < width; ++v) {
        double X[3];
        pli_sub(element->rest + 3 * (size_t)element->vertices[v], origin, X, dim);
        for (int a = 0; a < dim; ++a)
            for (int b = 0; b < dim; ++b) map[a][b] += X[a] * derivatives[v * dim + b];
    }
    double det = invert(dim, map, inverse), measure = dim == 2 ? 0.5 * det : det / 6;
    if (!(measure > 0 && measure < HUGE_VAL)) return refuse_shape(element, measure, error);
    *out++ = share * measure * (dim == 2 ? element->thickness : 1);
    for (int v = 1; v < width; ++v)
        for (int b = 0; b < dim; ++b) {
            double sum = 0;
            for (int c = 0; c < dim; ++c) sum += derivatives[v * dim + c] * inverse[c][b];
            *out++ = sum;
        }
    return PLI_OK;
}

// A triangle in space, in its own plane with the first axis along the first edge: the inverse of
// its edges (|d1|, 0) and (d2.d1, |d1 x d2|) / |d1|.
static pli_status prepare_sheet(const pli_element* element, double* out, pli_error* error) {
    const double *origin = element->rest + 3 * (size_t)element->vertices[0], *p = element->pattern;
    double d1[3] = {0}, d2[3] = {0}, n[3];
    if (p) { // only lengths and angles matter: it may be mirrored
        pli_sub(p + 2, p, d1, 2);
        pli_sub(p + 4, p, d2, 2);
    } else {
        pli_sub(element->rest + 3 * (size_t)element->vertices[1], origin, d1, 3);
        pli_sub(element->rest + 3 * (size_t)element->vertices[2], origin, d2, 3);
    }
    pli_cross3(d1, d2, n);
    double length = pli_norm(d1, 3), area = 0.5 * pli_norm(n, 3), height = 2 * area / length;
    if (!(area > 0 && area < HUGE_VAL))
        return pli_fail(error, PLI_E_ARGUMENT, "area at rest = %g m^2, must be > 0", area);
    out[0] = area * element->thickness;
    out[1] = 1 / length;
    out[2] = -pli_dot(d1, d2, 3) / length / (length * height);
    out[3] = 0;
    out[4] = 1 / height;
    return PLI_OK;
}

pli_status pli_solid_prepare_given(const pli_elastic* given, const pli_element* element, void* data,
                                   pli_error* error) {
    const pli_quadrature* rule = pli_stiffness_quadrature(element->kind);
    PLI_TRY(read_constants(given, data, error));
    bool flat = pli_element_dimension(element->kind) == 2;
    if (given->plane_stress != 0 && !flat)
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "plane_stress is for triangles"),
                             error, "plane_stress");
    double* out = (double*)data + PLI_SOLID_HEAD;
    if (flat && element->dim == 3) {
        pli_solid* solid = data;
        if (given->plane_stress == 0)
            solid->lam = 2 * solid->lam * solid->mu / (solid->lam + 2 * solid->mu);
        return prepare_sheet(element, out, error);
    }
    for (int q = 0; q < rule->count; ++q) {
        PLI_TRY(prepare_point(element, rule->at[q], rule->weight[q], out, error));
        out += PLI_SOLID_POINT(element->dim, element->vertex_count);
    }
    return PLI_OK;
}

// det(F + t D) / det F = 1 + c t + b t^2 + a t^3 must stay above 0.1.
PLI_SOLID_INLINE double point_bound(int dim, const double* F, const double* D) {
    if (dim == 2) {
        double J = pli_cross2(F, F + 2);
        double b = (pli_cross2(F, D + 2) + pli_cross2(D, F + 2)) / J;
        return J > 0 ? pli_smallest_positive_root2(pli_cross2(D, D + 2) / J, b, 0.9) : HUGE_VAL;
    }
    double a = 0, b = 0, c = 0, J = 0, n[3], m[3];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        pli_cross3(F + 3 * j, F + 3 * k, n);
        pli_cross3(D + 3 * j, D + 3 * k, m);
        c += pli_dot(D + 3 * i, n, 3);
        b += pli_dot(F + 3 * i, m, 3);
        J = pli_dot(F + 3 * i, n, 3); // the same for all i
        a = pli_dot(D + 3 * i, m, 3);
    }
    return J > 0 ? pli_first_root3(a / J, b / J, c / J, 0.9) : HUGE_VAL;
}

PLI_SOLID_INLINE double max_step_of_kind(int dim, int width, const pli_batch* in, const double* p,
                                         int constants) {
    int size = PLI_SOLID_POINT(dim, width), points = width == dim + 1 ? 1 : dim + 1;
    const double* record = in->data;
    double bound = 1;
    for (int i = 0; i < in->count; ++i, record += PLI_SOLID_HEAD + points * size + constants) {
        const int32_t* vertices = in->vertices + (size_t)i * (size_t)width;
        double x_edges[27], p_edges[27], F[9], D[9];
        pli_solid_edges(dim, width, vertices, in->x, x_edges);
        pli_solid_edges(dim, width, vertices, p, p_edges);
        for (int q = 0; q < points; ++q) {
            const double* G = record + PLI_SOLID_HEAD + q * size + 1;
            pli_solid_gradient(dim, width, x_edges, G, F);
            pli_solid_gradient(dim, width, p_edges, G, D);
            double root = point_bound(dim, F, D);
            if (root < bound) bound = root;
        }
    }
    return bound;
}

// Triangles in space: the area that the normal n of the start sees, n.(d1 + t p1) x (d2 + t p2), is
// a lower bound of the area, and equal to it at the start.
static double max_step_of_sheets(const pli_batch* in, const double* p) {
    double bound = 1;
    for (int i = 0; i < in->count; ++i) {
        double d[6], q[6], n[3], first[3], second[3], last[3];
        pli_solid_edges(3, 3, in->vertices + 3 * (size_t)i, in->x, d);
        pli_solid_edges(3, 3, in->vertices + 3 * (size_t)i, p, q);
        pli_cross3(d, d + 3, n);
        pli_cross3(d, q + 3, first);
        pli_cross3(q, d + 3, second);
        pli_cross3(q, q + 3, last);
        double square = pli_dot(n, n, 3);
        if (!(square > 0)) continue;
        double slope = (pli_dot(first, n, 3) + pli_dot(second, n, 3)) / square;
        double root = pli_smallest_positive_root2(pli_dot(last, n, 3) / square, slope, 0.9);
        if (root < bound) bound = root;
    }
    return bound;
}

double pli_flow_max_step(const pli_batch* in, const double* p, int constants) {
    if (in->kind == PLI_TRIANGLE && in->dim == 3) return max_step_of_sheets(in, p);
    if (in->kind == PLI_TRIANGLE) return max_step_of_kind(2, 3, in, p, constants);
    if (in->kind == PLI_TRIANGLE6) return max_step_of_kind(2, 6, in, p, constants);
    if (in->kind == PLI_TETRAHEDRON) return max_step_of_kind(3, 4, in, p, constants);
    PLI_ASSERT(in->kind == PLI_TETRAHEDRON10);
    return max_step_of_kind(3, 10, in, p, constants);
}

double pli_solid_max_step(const pli_batch* in, const double* p) {
    return pli_flow_max_step(in, p, 0);
}

// ---- materials with memory

const pli_energy_field pli_flow_fields[PLI_FLOW_FIELDS] = {
    {"dissipated_density", "Dissipated energy per volume", "J/m^3"},
    {"plastic_strain", "Equivalent plastic strain", ""},
    {"yield_ratio", "Stress over yield stress", ""},
};

// In the plane, of triangles in space in their own.
static int flat_dimension(pli_element_kind kind) { return pli_element_dimension(kind); }

static int point_count(pli_element_kind kind) {
    int dim = flat_dimension(kind);
    return pli_element_size(kind) == dim + 1 ? 1 : dim + 1;
}

pli_status pli_flow_prepare(const pli_elastic* given, const pli_element* element, void* data,
                            double** constants, pli_error* error) {
    PLI_TRY(pli_solid_prepare_given(given, element, data, error));
    int dim = flat_dimension(element->kind);
    if (dim < element->dim) { // a sheet has no stress across it
        *(pli_solid*)data = pli_solid_constants(given);
        ((pli_solid*)data)->plane_stress = 1;
    }
    *constants =
        (double*)data + PLI_SOLID_SIZE(dim, element->vertex_count, point_count(element->kind));
    return PLI_OK;
}

void pli_flow_init(const pli_element* element, int branches, void* state) {
    int dim = flat_dimension(element->kind), count = branches * point_count(element->kind);
    double* out = state;
    for (int i = 0; i < count; ++i, out += PLI_FLOW_STATE(dim)) {
        for (int k = 0; k < PLI_FLOW_STATE(dim); ++k) out[k] = 0;
        for (int k = 0; k < dim; ++k) out[(dim + 1) * k] = 1;
        if (dim == 2) out[4] = 1;
    }
}

void pli_flow_spent(const pli_batch* in, int constants, int branches, double* out) {
    int dim = flat_dimension(in->kind), points = point_count(in->kind);
    int size = PLI_SOLID_POINT(dim, in->width), state_size = PLI_FLOW_STATE(dim);
    const double *record = in->data, *state = in->state;
    for (int i = 0; i < in->count; ++i, record += PLI_SOLID_HEAD + points * size + constants) {
        out[i] = 0;
        for (int k = 0; k < points * branches; ++k, state += state_size)
            out[i] += record[PLI_SOLID_HEAD + k / branches * size] *
                      state[state_size - PLI_FLOW_SCALARS + 1];
    }
}

const pli_solid_kernels* pli_solid_kernels_at(int i) {
    const pli_solid_kernels* usable[3];
    int count = 0;
#if defined(__x86_64__) && defined(__GNUC__)
    if (pli_machine_lanes() >= 8) usable[count++] = &pli_solid_avx512;
    if (pli_machine_lanes() >= 4) usable[count++] = &pli_solid_avx2;
#endif
    usable[count++] = &pli_solid_baseline;
    return i >= 0 && i < count ? usable[i] : NULL;
}
