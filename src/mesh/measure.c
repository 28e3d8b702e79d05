// Sizes, lumped masses and stretches of elements.
#include "mesh/measure.h"

#include <math.h>

#include "math/small.h"
#include "math/vec.h"
#include "mesh/reference.h"

const char* pli_element_word(pli_element_kind kind) {
    static const char* const words[PLI_ELEMENT_KIND_COUNT + 1] = {
        "vertex", "segment", "triangle", "tetrahedron", "6-node triangle", "10-node tetrahedron",
        "stencil"};
    return kind >= 0 && kind <= PLI_STENCIL ? words[kind] : "";
}

int pli_element_dimension(pli_element_kind kind) {
    static const int dimensions[PLI_ELEMENT_KIND_COUNT] = {0, 1, 2, 3, 2, 3};
    return kind >= 0 && kind < PLI_ELEMENT_KIND_COUNT ? dimensions[kind] : 0;
}

// Length, area or volume of the simplex with these edges from one corner; signed if they fill
// space.
static double edge_measure(int dimension, int dim, double edge[3][3]) {
    double normal[3];
    if (dimension == 1) return pli_norm(edge[0], 3);
    if (dimension == 2 && dim == 2) return 0.5 * pli_cross2(edge[0], edge[1]);
    pli_cross3(edge[0], edge[1], normal);
    return dimension == 2 ? 0.5 * pli_norm(normal, 3) : pli_dot(normal, edge[2], 3) / 6;
}

// For quadratic elements: the mean over the quadrature points of the simplices that have their
// tangents as edges.
static double curved_measure(int dim, pli_element_kind kind, const int32_t* vertices,
                             const double* x) {
    const pli_quadrature* rule = pli_measure_quadrature(kind);
    int dimension = pli_element_dimension(kind);
    double sum = 0;
    for (int q = 0; q < rule->count; ++q) {
        double derivatives[30], edge[3][3] = {{0}};
        pli_shape_derivatives(kind, rule->at[q], derivatives);
        for (int v = 0; v < pli_element_size(kind); ++v)
            for (int b = 0; b < dimension; ++b)
                pli_axpy(derivatives[v * dimension + b], x + 3 * (size_t)vertices[v], edge[b], dim);
        sum += rule->weight[q] * edge_measure(dimension, dim, edge);
    }
    return sum;
}

double pli_element_measure(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* x) {
    double edge[3][3] = {{0}};
    int dimension = pli_element_dimension(kind);
    if (dimension == 0 || !vertices || !x) return 0;
    if (pli_element_size(kind) > dimension + 1) return curved_measure(dim, kind, vertices, x);
    for (int i = 0; i < dimension; ++i)
        pli_sub(x + 3 * (size_t)vertices[i + 1], x + 3 * (size_t)vertices[0], edge[i], dim);
    return edge_measure(dimension, dim, edge);
}

void pli_element_mirror(pli_element_kind kind, int32_t* vertices) {
    // Swaps corners 1 and 2 of triangles, 2 and 3 of tetrahedra, and the mid-edge nodes with them.
    static const int swaps[PLI_ELEMENT_KIND_COUNT][3][2] = {
        [PLI_TRIANGLE] = {{1, 2}},
        [PLI_TETRAHEDRON] = {{2, 3}},
        [PLI_TRIANGLE6] = {{1, 2}, {3, 5}},
        [PLI_TETRAHEDRON10] = {{2, 3}, {5, 8}, {6, 7}},
    };
    for (int i = 0; i < 3 && vertices && pli_element_dimension(kind) > 1; ++i) {
        int a = swaps[kind][i][0], b = swaps[kind][i][1];
        int32_t vertex = vertices[a];
        vertices[a] = vertices[b];
        vertices[b] = vertex;
    }
}

int pli_mass_dimension(const int count[PLI_ELEMENT_KIND_COUNT]) {
    int dimension = 0;
    for (int kind = PLI_TRIANGLE; count && kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        int own = pli_element_dimension((pli_element_kind)kind);
        if (count[kind] > 0 && own > dimension) dimension = own;
    }
    return dimension;
}

// Share of a corner and of a mid-edge node in the mass: equal shares for linear elements; for
// quadratic ones the diagonal of the consistent mass matrix, scaled to the sum 1 [Hinton76]:
//     triangle     integral N^2 = 3/90 at a corner and 16/90 at a middle of the area
//     tetrahedron  6/420 and 32/420 of the volume
static const double shares[PLI_ELEMENT_KIND_COUNT][2] = {
    {1}, {1.0 / 2}, {1.0 / 3}, {1.0 / 4}, {3.0 / 57, 16.0 / 57}, {6.0 / 216, 32.0 / 216},
};

double pli_pattern_area(const double pattern[6]) {
    double d1[2], d2[2];
    pli_sub(pattern + 2, pattern, d1, 2);
    pli_sub(pattern + 4, pattern, d2, 2);
    return 0.5 * fabs(pli_cross2(d1, d2));
}

double pli_pattern_ratio(const double* pattern, const int32_t* vertices, const double* x) {
    return pattern ? pli_pattern_area(pattern) / pli_element_measure(3, PLI_TRIANGLE, vertices, x)
                   : 1;
}

void pli_lump_mass(const pli_lump* lump, double* mass) {
    int width = pli_element_size(lump->kind), corners = pli_element_dimension(lump->kind) + 1;
    for (int e = 0; e < lump->element_count; ++e) {
        const int32_t* vertices = lump->vertices + (size_t)e * (size_t)width;
        double measure = pli_element_measure(lump->dim, lump->kind, vertices, lump->x);
        if (lump->pattern) measure = pli_pattern_area(lump->pattern + 6 * (size_t)e);
        double total = lump->density * fabs(measure) * lump->section;
        for (int i = 0; i < width; ++i)
            mass[vertices[i]] += shares[lump->kind][i >= corners] * total;
    }
}

// ---- stretches
//
// Principal stretches. With the tangents T = dx/dL and T0 = dX/dL at the centroid of the element
// (L: barycentric coordinates), and T0 = Q B with orthonormal columns Q and B upper triangular,
//
//     F Q = T B^-1
//
// has the singular values of F along the element, also of a triangle or a segment in space.

// Columns of T, one per dimension of the element.
static void tangents(int dim, pli_element_kind kind, const int32_t* vertices, const double* x,
                     double T[3][3]) {
    int dimension = pli_element_dimension(kind);
    double at[4], derivatives[30];
    for (int i = 0; i < 4; ++i) at[i] = 1.0 / (dimension + 1);
    pli_shape_derivatives(kind, at, derivatives);
    for (int b = 0; b < dimension; ++b) {
        for (int c = 0; c < 3; ++c) T[b][c] = 0;
        for (int v = 0; v < pli_element_size(kind); ++v)
            pli_axpy(derivatives[v * dimension + b], x + 3 * (size_t)vertices[v], T[b], dim);
    }
}

// Gram-Schmidt on the columns of T0, with the same steps on those of T: T becomes T B^-1. False:
// the columns of T0 are linearly dependent.
static bool divide(int dimension, double T0[3][3], double T[3][3]) {
    for (int i = 0; i < dimension; ++i) {
        double whole = pli_norm(T0[i], 3);
        for (int j = 0; j < i; ++j) {
            double along = pli_dot(T0[j], T0[i], 3);
            pli_axpy(-along, T0[j], T0[i], 3);
            pli_axpy(-along, T[j], T[i], 3);
        }
        double length = pli_norm(T0[i], 3);
        if (!(length > 1e-14 * whole)) return false;
        for (int c = 0; c < 3; ++c) {
            T0[i][c] /= length;
            T[i][c] /= length;
        }
    }
    return true;
}

void pli_element_stretches(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* rest, const double* x, double stretches[3]) {
    int dimension = pli_element_dimension(kind);
    double T0[3][3] = {{0}}, T[3][3] = {{0}}, s[3];
    for (int i = 0; i < 3; ++i) stretches[i] = 1;
    tangents(dim, kind, vertices, rest, T0);
    tangents(dim, kind, vertices, x, T);
    if (!divide(dimension, T0, T)) return;
    double U[9], V[9];
    if (dimension == 2 && dim == 2) {
        const double F[4] = {T[0][0], T[1][0], T[0][1], T[1][1]};
        pli_svd2(F, U, s, V);
    } else {
        double F[9];
        for (int i = 0; i < 9; ++i) F[i] = T[i % 3][i / 3]; // missing columns are 0
        pli_svd3(F, U, s, V);
    }
    for (int i = 0; i < dimension; ++i) stretches[i] = s[i];
}

void pli_pattern_stretches(const double pattern[6], const int32_t* vertices, const double* x,
                           double stretches[3]) {
    static const int32_t corners[3] = {0, 1, 2};
    double rest[9] = {0}, now[9];
    for (int v = 0; v < 3; ++v) {
        for (int c = 0; c < 2; ++c) rest[3 * v + c] = pattern[2 * v + c];
        for (int c = 0; c < 3; ++c) now[3 * v + c] = x[3 * (size_t)vertices[v] + (size_t)c];
    }
    pli_element_stretches(3, PLI_TRIANGLE, corners, rest, now, stretches);
}
