// Consistent mass. Linear simplices of dimension d have a closed form [Zienkiewicz13],
//
//     M_ij = V (1 + delta_ij) / ((d + 1) (d + 2))
//
// Quadratic ones are integrated: N_i N_j has degree 4 and the determinant of a curved element at
// most 3. The Gauss rule with 5 points per direction on the cube that is collapsed onto the simplex
// (one degree more for each collapse) is exact.
#include "kinematics/consistent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "mesh/reference.h"

enum { POINTS = 5 };

// Gauss-Legendre on [0, 1].
static const double gauss_at[POINTS] = {0.046910077030668004, 0.23076534494715845, 0.5,
                                        0.76923465505284155, 0.953089922969332};
static const double gauss_weight[POINTS] = {0.11846344252809454, 0.23931433524968324,
                                            0.28444444444444444, 0.23931433524968324,
                                            0.11846344252809454};

// Shape functions of a quadratic simplex at barycentric coordinates L.
static void quadratic_shapes(int corners, int width, const double L[4], double* N) {
    for (int i = 0; i < corners; ++i) N[i] = L[i] * (2 * L[i] - 1);
    for (int i = corners; i < width; ++i)
        N[i] = 4 * L[pli_middle_ends[i - corners][0]] * L[pli_middle_ends[i - corners][1]];
}

// |d position / d coordinates|, for edge vectors in the plane or in space.
static double stretch(int dimension, double edge[3][3]) {
    double normal[3];
    pli_cross3(edge[0], edge[1], normal);
    return dimension == 2 ? pli_norm(normal, 3) : fabs(pli_dot(normal, edge[2], 3));
}

// M += w N N^T |J| at one point of the reference simplex.
static void add_point(int dim, pli_element_kind kind, const double* corners, const double L[4],
                      double w, double* M) {
    int dimension = pli_element_dimension(kind), width = pli_element_size(kind);
    double N[PLI_MAX_ELEMENT_SIZE], D[3 * PLI_MAX_ELEMENT_SIZE], edge[3][3] = {{0}};
    quadratic_shapes(dimension + 1, width, L, N);
    pli_shape_derivatives(kind, L, D);
    for (int v = 0; v < width; ++v)
        for (int b = 0; b < dimension; ++b)
            pli_axpy(D[v * dimension + b], corners + 3 * v, edge[b], dim);
    double scale = w * stretch(dimension, edge);
    for (int i = 0; i < width; ++i) pli_axpy(scale * N[i], N, M + i * width, width);
}

// With u, v (and t) in the unit cube L1 = u, L2 = (1 - u) v, L3 = (1 - u) (1 - v) t.
static void quadratic_mass(int dim, pli_element_kind kind, const double* places, double* M) {
    bool solid = pli_element_dimension(kind) == 3;
    for (int a = 0; a < POINTS; ++a)
        for (int b = 0; b < POINTS; ++b)
            for (int c = 0; c < (solid ? POINTS : 1); ++c) {
                double u = gauss_at[a], v = gauss_at[b], t = solid ? gauss_at[c] : 0;
                double L[4] = {0, u, (1 - u) * v, (1 - u) * (1 - v) * t};
                double w = gauss_weight[a] * gauss_weight[b] * (1 - u);
                if (solid) w *= gauss_weight[c] * (1 - u) * (1 - v);
                L[0] = 1 - L[1] - L[2] - L[3];
                add_point(dim, kind, places, L, w, M);
            }
}

void pli_element_mass(int dim, pli_element_kind kind, const int32_t* vertices, const double* x,
                      double* M) {
    int dimension = pli_element_dimension(kind), n = pli_element_size(kind);
    for (int i = 0; i < n * n; ++i) M[i] = 0;
    if (n > dimension + 1) {
        double places[3 * PLI_MAX_ELEMENT_SIZE];
        for (int v = 0; v < n; ++v)
            memcpy(places + 3 * v, x + 3 * (size_t)vertices[v], 3 * sizeof(double));
        quadratic_mass(dim, kind, places, M);
        return;
    }
    double share = fabs(pli_element_measure(dim, kind, vertices, x)) / (n * (n + 1));
    for (int i = 0; i < n * n; ++i) M[i] = i % (n + 1) == 0 ? 2 * share : share;
}

// A contribution and its number; the number breaks ties, so the order of the sum is fixed.
typedef struct part {
    int32_t row, column, number;
    double mass;
} part;

static int compare_parts(const void* a, const void* b) {
    const part *p = a, *q = b;
    if (p->row != q->row) return p->row < q->row ? -1 : 1;
    if (p->column != q->column) return p->column < q->column ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

// Pairs row >= column of all elements of one kind; returns their count.
static int collect(const pli_lump* source, part* parts, int count) {
    int n = pli_element_size(source->kind);
    double M[PLI_MAX_ELEMENT_SIZE * PLI_MAX_ELEMENT_SIZE];
    for (int e = 0; e < source->element_count; ++e) {
        const int32_t* v = source->vertices + (size_t)e * (size_t)n;
        pli_element_mass(source->dim, source->kind, v, source->x, M);
        const double* pattern = source->pattern ? source->pattern + 6 * (size_t)e : NULL;
        double density = source->density * source->section * pli_pattern_ratio(pattern, v, source->x);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j, ++count)
                parts[count] = (part){.row = v[i] > v[j] ? v[i] : v[j],
                                      .column = v[i] > v[j] ? v[j] : v[i],
                                      .number = count,
                                      .mass = density * M[i * n + j]};
    }
    return count;
}

pli_status pli_kinematics_add_consistent(pli_kinematics* k, const pli_lump* sources, int count,
                                         pli_error* error) {
    int64_t total = 0;
    for (int s = 0; s < count; ++s) {
        int64_t n = pli_element_size(sources[s].kind);
        total += n * (n + 1) / 2 * sources[s].element_count;
    }
    if (total > INT32_MAX)
        return pli_fail(error, PLI_E_MEMORY, "consistent mass: too many elements, use lumped");
    part* parts;
    PLI_TRY(PLI_ALLOC(k->memory, parts, total, error));
    int used = 0;
    for (int s = 0; s < count; ++s) used = collect(&sources[s], parts, used);
    if (used > 0) qsort(parts, (size_t)used, sizeof *parts, compare_parts);
    pli_status status = PLI_OK;
    for (int i = 0, next; i < used && status == PLI_OK; i = next) {
        double sum = 0;
        for (next = i; next < used && parts[next].row == parts[i].row &&
                       parts[next].column == parts[i].column;
             ++next)
            sum += parts[next].mass;
        status = pli_kinematics_add_mass(k, parts[i].row, parts[i].column, sum, error);
    }
    PLI_FREE(k->memory, parts, total);
    return status;
}
