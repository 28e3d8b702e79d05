// Textbook dense Cholesky.
#include "oracle/dense.h"

#include <math.h>

bool pli_dense_cholesky(int n, double* A) {
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; ++k) sum -= A[i * n + k] * A[j * n + k];
            if (i > j)
                A[i * n + j] = sum / A[j * n + j];
            else if (sum > 0)
                A[j * n + j] = sqrt(sum);
            else
                return false;
        }
    return true;
}

void pli_dense_solve(int n, const double* L, const double* b, double* x) {
    for (int i = 0; i < n; ++i) {
        double sum = b[i];
        for (int k = 0; k < i; ++k) sum -= L[i * n + k] * x[k];
        x[i] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        double sum = x[i];
        for (int k = i + 1; k < n; ++k) sum -= L[k * n + i] * x[k];
        x[i] = sum / L[i * n + i];
    }
}

void pli_dense_multiply(int n, const double* A, const double* x, double* y) {
    for (int i = 0; i < n; ++i) {
        y[i] = 0;
        for (int k = 0; k < n; ++k) y[i] += A[i * n + k] * x[k];
    }
}
