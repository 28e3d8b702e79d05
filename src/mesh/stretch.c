// Principal stretches. With the tangents T = dx/dL and T0 = dX/dL in the middle of the element (L:
// barycentric coordinates), and T0 = Q B with orthonormal columns Q and B upper triangular,
//
//     F Q = T B^-1
//
// has the singular values of F along the element, also of a triangle or a segment in space.
#include "mesh/stretch.h"

#include <math.h>

#include "math/small.h"
#include "math/vec.h"
#include "mesh/measure.h"
#include "mesh/reference.h"

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

// Gram-Schmidt on the columns of T0, with the same steps on those of T: T becomes T B^-1. False: a
// column of T0 has no length of its own.
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
        for (int i = 0; i < 9; ++i) F[i] = T[i % 3][i / 3]; // columns that are not there are 0
        pli_svd3(F, U, s, V);
    }
    for (int i = 0; i < dimension; ++i) stretches[i] = s[i];
}
