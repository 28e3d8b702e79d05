// The kernels. Columns go in blocks of four, rows in lanes of eight, the way sums are ordered does
// not depend on the instruction set: except where BLAS is called, results have the same bits on
// every machine.
#include "sparse/front.h"

#include <float.h>
#include <math.h>
#include <string.h>

// One version for each level of x86-64, chosen when the program starts. Sanitizers do not like
// code that runs so early.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

enum { COLUMNS = 4 };

// Eight numbers at any address; on narrower machines the compiler makes several of it.
typedef double lanes __attribute__((vector_size(PLI_LANES * sizeof(double)), aligned(8), may_alias));

void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
            const int* k, const double* alpha, const double* a, const int* lda, const double* b,
            const int* ldb, const double* beta, double* c, const int* ldc);
void dsyrk_(const char* triangle, const char* transpose, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* beta, double* c,
            const int* ldc);

// sum[c] = sum over k of a(0..7, k) b(c, k), c < n
INLINE void tile_product(int n, int depth, size_t stride, const double* a, const double* b,
                         lanes sum[COLUMNS]) {
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (int k = 0; k < depth; ++k) {
        lanes v = *(const lanes*)a;
        s0 += v * b[0];
        if (n > 1) s1 += v * b[1];
        if (n > 2) s2 += v * b[2];
        if (n > 3) s3 += v * b[3];
        a += stride;
        b += stride;
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

// The lower triangle of a small matrix; the reciprocal of the diagonal beside it.
typedef struct triangle {
    double l[COLUMNS][COLUMNS]; // [column][row]
} triangle;

// t = Cholesky factor of the n x n matrix at a.
INLINE bool factorize_triangle(int n, size_t stride, const double* a, triangle* t) {
    for (int c = 0; c < n; ++c) {
        for (int r = c; r < n; ++r) {
            double v = a[(size_t)c * stride + (size_t)r];
            for (int k = 0; k < c; ++k) v -= t->l[k][r] * t->l[k][c];
            t->l[c][r] = v;
        }
        double pivot = t->l[c][c];
        if (!(pivot > 0 && pivot <= DBL_MAX)) return false;
        double inverse = 1 / sqrt(pivot);
        t->l[c][c] = inverse;
        for (int r = c + 1; r < n; ++r) t->l[c][r] *= inverse;
    }
    return true;
}

// x = (x - sum) t^-T for eight rows, x at c
INLINE void tile_solve(int n, size_t stride, const triangle* t, const lanes sum[COLUMNS],
                       double* c) {
    lanes *c0 = (lanes*)c, *c1 = (lanes*)(c + stride), *c2 = (lanes*)(c + 2 * stride),
          *c3 = (lanes*)(c + 3 * stride);
    lanes x0 = (*c0 - sum[0]) * t->l[0][0], x1, x2;
    *c0 = x0;
    if (n < 2) return;
    x1 = (*c1 - sum[1] - x0 * t->l[0][1]) * t->l[1][1];
    *c1 = x1;
    if (n < 3) return;
    x2 = (*c2 - sum[2] - x0 * t->l[0][2] - x1 * t->l[1][2]) * t->l[2][2];
    *c2 = x2;
    if (n < 4) return;
    *c3 = (*c3 - sum[3] - x0 * t->l[0][3] - x1 * t->l[1][3] - x2 * t->l[2][3]) * t->l[3][3];
}

// Columns j to j + n of a panel of `height` rows, those before it being done.
INLINE bool factorize_columns(int n, int j, int height, size_t stride, double* a) {
    int top = j / PLI_LANES * PLI_LANES;
    double* block = a + (size_t)j * stride;
    lanes sum[COLUMNS];
    triangle t;
    tile_product(n, j, stride, a + top, a + j, sum);
    for (int c = 0; c < n; ++c) *(lanes*)(block + (size_t)c * stride + top) -= sum[c];
    if (!factorize_triangle(n, stride, block + j, &t)) return false;
    lanes none[COLUMNS] = {0};
    tile_solve(n, stride, &t, none, block + top);
    for (int c = 0; c < n; ++c)
        for (int r = c; r < n; ++r) block[(size_t)c * stride + (size_t)(j + r)] = t.l[c][r];
    for (int i = top + PLI_LANES; i < height; i += PLI_LANES) {
        tile_product(n, j, stride, a + i, a + j, sum);
        tile_solve(n, stride, &t, sum, block + i);
    }
    return true;
}

CLONES static bool factorize_panel(int columns, int height, size_t stride, double* a) {
    int j = 0;
    for (; j + COLUMNS <= columns; j += COLUMNS)
        if (!factorize_columns(COLUMNS, j, height, stride, a)) return false;
    if (columns - j == 3) return factorize_columns(3, j, height, stride, a);
    if (columns - j == 2) return factorize_columns(2, j, height, stride, a);
    if (columns - j == 1) return factorize_columns(1, j, height, stride, a);
    return true;
}

INLINE void update_columns(int n, int j, const pli_front_shape* f, const double* l, double* out) {
    size_t stride = (size_t)f->stride, out_stride = (size_t)f->update_stride;
    for (int i = j / PLI_LANES * PLI_LANES; i < f->below; i += PLI_LANES) {
        lanes sum[COLUMNS];
        tile_product(n, f->pivots, stride, l + i, l + j, sum);
        for (int c = 0; c < n; ++c) *(lanes*)(out + (size_t)(j + c) * out_stride + i) = -sum[c];
    }
}

// out = -L21 L21^T
CLONES static void update_matrix(const pli_front_shape* f, const double* panel, double* out) {
    const double* l = panel + f->pivots;
    int j = 0;
    for (; j + COLUMNS <= f->below; j += COLUMNS) update_columns(COLUMNS, j, f, l, out);
    if (f->below - j == 3) update_columns(3, j, f, l, out);
    if (f->below - j == 2) update_columns(2, j, f, l, out);
    if (f->below - j == 1) update_columns(1, j, f, l, out);
}

// Columns that go through factorize_panel at once when BLAS does the rest; a multiple of PLI_LANES.
enum { BLAS_COLUMNS = 64 };

bool pli_front_uses_blas(const pli_front_shape* f) {
    double rows = f->pivots + f->below;
    return f->pivots >= 16 && rows * rows * f->pivots > 4e5;
}

static bool factorize_by_blas(const pli_front_shape* f, double* panel, double* update) {
    const double one = 1, minus_one = -1, zero = 0;
    size_t stride = (size_t)f->stride;
    for (int j = 0; j < f->pivots; j += BLAS_COLUMNS) {
        int n = f->pivots - j < BLAS_COLUMNS ? f->pivots - j : BLAS_COLUMNS;
        int height = f->stride - j;
        double* block = panel + (size_t)j * stride + j;
        if (j > 0)
            dgemm_("N", "T", &height, &n, &j, &minus_one, panel + j, &f->stride, panel + j,
                   &f->stride, &one, block, &f->stride);
        if (!factorize_panel(n, height, stride, block)) return false;
    }
    if (f->below > 0)
        dsyrk_("L", "N", &f->below, &f->pivots, &minus_one, panel + f->pivots, &f->stride, &zero,
               update, &f->update_stride);
    return true;
}

bool pli_front_factorize(const pli_front_shape* f, double* panel, double* update) {
    if (pli_front_uses_blas(f)) return factorize_by_blas(f, panel, update);
    if (!factorize_panel(f->pivots, f->stride, (size_t)f->stride, panel)) return false;
    update_matrix(f, panel, update);
    return true;
}

// z -= L x for n columns at once, from row `top` on.
INLINE void forward_columns(int n, int j, const pli_front_shape* f, const double* panel,
                            double* z) {
    size_t stride = (size_t)f->stride;
    const double* l = panel + (size_t)j * stride;
    double x[COLUMNS];
    for (int c = 0; c < n; ++c) {
        double v = z[j + c];
        for (int k = 0; k < c; ++k) v -= l[(size_t)k * stride + (size_t)(j + c)] * x[k];
        x[c] = v * l[(size_t)c * stride + (size_t)(j + c)];
    }
    for (int i = j / PLI_LANES * PLI_LANES; i < f->stride; i += PLI_LANES) {
        lanes v = *(lanes*)(z + i);
        for (int c = 0; c < n; ++c) v -= *(const lanes*)(l + (size_t)c * stride + i) * x[c];
        *(lanes*)(z + i) = v;
    }
    for (int c = 0; c < n; ++c) z[j + c] = x[c];
}

CLONES void pli_front_forward(const pli_front_shape* f, const double* panel, double* z) {
    int j = 0;
    for (; j + COLUMNS <= f->pivots; j += COLUMNS) forward_columns(COLUMNS, j, f, panel, z);
    if (f->pivots - j == 3) forward_columns(3, j, f, panel, z);
    if (f->pivots - j == 2) forward_columns(2, j, f, panel, z);
    if (f->pivots - j == 1) forward_columns(1, j, f, panel, z);
}

INLINE double lane_sum(const lanes* v) {
    return (((*v)[0] + (*v)[4]) + ((*v)[2] + (*v)[6])) +
           (((*v)[1] + (*v)[5]) + ((*v)[3] + (*v)[7]));
}

INLINE void backward_columns(int n, int j, const pli_front_shape* f, const double* panel,
                             double* z) {
    size_t stride = (size_t)f->stride;
    const double* l = panel + (size_t)j * stride;
    lanes sum[COLUMNS] = {0};
    int next = (j + n + PLI_LANES - 1) / PLI_LANES * PLI_LANES;
    for (int i = next; i < f->stride; i += PLI_LANES) {
        lanes v = *(const lanes*)(z + i);
        for (int c = 0; c < n; ++c) sum[c] += *(const lanes*)(l + (size_t)c * stride + i) * v;
    }
    for (int c = n - 1; c >= 0; --c) {
        double v = z[j + c] - lane_sum(&sum[c]);
        for (int i = j + c + 1; i < next; ++i) v -= l[(size_t)c * stride + (size_t)i] * z[i];
        z[j + c] = v * l[(size_t)c * stride + (size_t)(j + c)];
    }
}

CLONES void pli_front_backward(const pli_front_shape* f, const double* panel, double* z) {
    int j = f->pivots / COLUMNS * COLUMNS;
    if (f->pivots - j == 3) backward_columns(3, j, f, panel, z);
    if (f->pivots - j == 2) backward_columns(2, j, f, panel, z);
    if (f->pivots - j == 1) backward_columns(1, j, f, panel, z);
    for (j -= COLUMNS; j >= 0; j -= COLUMNS) backward_columns(COLUMNS, j, f, panel, z);
}
