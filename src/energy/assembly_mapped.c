// Local Hessians of stencils with vertices that are no unknowns themselves: W^T H W.
#include "energy/assembly_parts.h"
#include "math/vec.h"

#include <string.h>

static bool all_zero(const double* a, int n) {
    for (int i = 0; i < n; ++i)
        if (a[i] != 0) return false;
    return true;
}

// Blocks (a, b <= a) += sum of w_ia w_jb H_ij over vertices i, j: first the rows T_a = sum of
// w_ia H_i, then T_a w_b. Column by column.
static inline void map_scalar(const pli_assembly* a, const pli_mapped* mapped, int dim, int width,
                              const double* H) {
    int groups = mapped->group_count, size = width * dim;
    const double* weights = a->mapped_weights + mapped->weights;
    double *out = a->hessians + mapped->hessian, T[3 * PLI_LOCAL_MAX];
    if (!mapped->adds)
        memset(out, 0, sizeof *out * (size_t)(groups * (groups + 1) / 2 * dim * dim));
    if (all_zero(H, size * size)) return;
    for (int g = 0; g < groups; ++g) {
        memset(T, 0, sizeof *T * (size_t)(dim * size));
        for (int i = 0; i < width; ++i) {
            double w = weights[i * groups + g];
            if (w != 0) pli_axpy(w, H + i * dim * size, T, dim * size);
        }
        for (int b = 0; b <= g; ++b, out += dim * dim) {
            double sum[9] = {0};
            for (int j = 0; j < width; ++j) {
                double w = weights[j * groups + b];
                if (w == 0) continue;
                for (int c = 0; c < dim; ++c)
                    for (int r = 0; r < dim; ++r) sum[c * dim + r] += w * T[r * size + j * dim + c];
            }
            for (int k = 0; k < dim * dim; ++k) out[k] += sum[k];
        }
    }
}

// The sum of H_ij w_i w_j^T over local rows i, j. W is mostly zeros.
static void map_rows(const pli_assembly* a, const pli_mapped* mapped, int size, const double* H) {
    int n = mapped->width;
    double* out = a->hessians + mapped->hessian;
    memset(out, 0, sizeof *out * (size_t)(n * n));
    const double* weights = a->mapped_weights + mapped->weights;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            double h = H[i * size + j];
            if (h == 0) continue;
            const double *wi = weights + i * n, *wj = weights + j * n;
            for (int r = 0; r < n; ++r)
                if (wi[r] != 0) pli_axpy(h * wi[r], wj, out + r * n, n);
        }
}

void pli_assembly_map(const pli_assembly* a, const pli_mapped* mapped, int size, const double* H) {
    if (!mapped->scalar)
        map_rows(a, mapped, size, H);
    else if (a->kinematics->dim == 3)
        map_scalar(a, mapped, 3, size / 3, H);
    else
        map_scalar(a, mapped, 2, size / 2, H);
}
