// Scaling and squaring: exp(A) = (N/D)^(2^s) with A / 2^s small.
#include "math/expm.h"

#include <math.h>
#include <string.h>

// C = A B
static void multiply(int n, const double* A, const double* B, double* C) {
    memset(C, 0, sizeof *C * (size_t)(n * n));
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            double a = A[i * n + k];
            for (int j = 0; j < n; ++j) C[i * n + j] += a * B[k * n + j];
        }
}

// X = D^-1 X by Gaussian elimination; D is destroyed. With |B| <= 1/2 the rows of D - 1 have sums
// of at most e^(1/4) - 1 < 0.3, and elimination keeps that: the diagonal is the largest of each
// column without any exchange of rows.
static void solve(int n, double* D, double* X) {
    for (int c = 0; c < n; ++c) {
        for (int r = 0; r < n; ++r) {
            if (r == c) continue;
            double factor = D[r * n + c] / D[c * n + c];
            if (factor == 0) continue;
            for (int j = c; j < n; ++j) D[r * n + j] -= factor * D[c * n + j];
            for (int j = 0; j < n; ++j) X[r * n + j] -= factor * X[c * n + j];
        }
    }
    for (int r = 0; r < n; ++r)
        for (int j = 0; j < n; ++j) X[r * n + j] /= D[r * n + r];
}

// N = sum c_k B^k, D = sum (-1)^k c_k B^k with c_0 = 1, c_k = c_(k-1) (p - k + 1) / (k (2 p - k +
// 1)).
void pli_expm(int n, const double* A, double* E, double* work) {
    enum { ORDER = 6 };
    size_t size = (size_t)n * (size_t)n;
    double *B = work, *D = work + size, *power = work + 2 * size, *next = work + 3 * size;
    double norm = 0;
    for (int i = 0; i < n; ++i) {
        double row = 0;
        for (int j = 0; j < n; ++j) row += fabs(A[i * n + j]);
        norm = fmax(norm, row);
    }
    int squarings = 0; // until the norm is at most 1/2
    double part = norm > 0.5 ? frexp(norm, &squarings) : 0.5;
    if (part > 0.5) squarings++;
    for (size_t i = 0; i < size; ++i) B[i] = ldexp(A[i], -squarings);
    memset(E, 0, sizeof *E * size);
    for (int i = 0; i < n; ++i) E[i * n + i] = 1;
    memcpy(D, E, sizeof *E * size);
    memcpy(power, E, sizeof *E * size);
    double c = 1;
    for (int k = 1; k <= ORDER; ++k) {
        c *= (double)(ORDER - k + 1) / (k * (2 * ORDER - k + 1));
        multiply(n, power, B, next);
        memcpy(power, next, sizeof *E * size);
        for (size_t i = 0; i < size; ++i) {
            E[i] += c * power[i];
            D[i] += (k % 2 ? -c : c) * power[i];
        }
    }
    solve(n, D, E);
    for (int s = 0; s < squarings; ++s) {
        multiply(n, E, E, next);
        memcpy(E, next, sizeof *E * size);
    }
}
