// Eigenvectors and singular vectors of one 3x3 matrix: a lane of lanes_svd3.h.
#include "math/lanes_svd3.h"

static void spread(int n, const double* one, pli_lanes* all) {
    for (int i = 0; i < n; ++i) all[i] = pli_lanes_all(one[i]);
}

static void take(int n, const pli_lanes* all, double* one) {
    for (int i = 0; i < n; ++i) one[i] = all[i][0];
}

void pli_eigen3(const double A[9], double values[3], double V[9]) {
    pli_lanes in[9], out[3], vectors[9];
    spread(9, A, in);
    pli_eigen3_lanes(in, out, vectors);
    take(3, out, values);
    take(9, vectors, V);
}

void pli_svd3(const double F[9], double U[9], double s[3], double V[9]) {
    pli_lanes in[9], left[9], stretches[3], right[9];
    spread(9, F, in);
    pli_svd3_lanes(in, left, stretches, right);
    take(9, left, U);
    take(3, stretches, s);
    take(9, right, V);
}
