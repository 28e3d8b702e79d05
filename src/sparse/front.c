// Choice of kernels, and large fronts by BLAS.
#include "sparse/front.h"

const pli_front_kernels* pli_front_kernels_at(int i) {
    const pli_front_kernels* usable[3];
    int count = 0;
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) usable[count++] = &pli_front_avx512;
    if (__builtin_cpu_supports("avx2")) usable[count++] = &pli_front_avx2;
#endif
    usable[count++] = &pli_front_baseline;
    return i >= 0 && i < count ? usable[i] : NULL;
}

void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
            const int* k, const double* alpha, const double* a, const int* lda, const double* b,
            const int* ldb, const double* beta, double* c, const int* ldc);
void dsyrk_(const char* triangle, const char* transpose, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* beta, double* c,
            const int* ldc);

// Columns that go through our own kernel at once when BLAS does the rest; a multiple of PLI_LANES.
enum { BLAS_COLUMNS = 64 };

// Rows or columns that a thread takes at once in a front that is worth it; multiples of PLI_LANES.
enum { BLAS_ROWS = 512, BLAS_UPDATE_COLUMNS = 192, UPDATE_COLUMNS = 48 };
static const double parallel_flops = 4e6;

double pli_front_flops(const pli_front_shape* f) {
    double w = f->pivots, m = w + f->below;
    return w * m * m - w * w * m + w * w * w / 3;
}

// Our kernels do not pack their operands: they win as long as the panel stays in the cache.
bool pli_front_uses_blas(const pli_front_shape* f) { return pli_front_panel_size(f) > 40000; }

typedef struct job {
    const pli_front_kernels* kernels;
    const pli_front_shape* shape;
    double *panel, *update;
    int column, columns; // of the panel: those in work
} job;

// Columns of the panel -= L (its rows) L^T (theirs), rows first to end counted from the diagonal
static void update_panel_by_blas(void* context, int first, int end) {
    const job* j = context;
    const double one = 1, minus_one = -1;
    const int *stride = &j->shape->stride, rows = end - first;
    const double* l = j->panel + j->column;
    dgemm_("N", "T", &rows, &j->columns, &j->column, &minus_one, l + first, stride, l, stride, &one,
           j->panel + (size_t)j->column * (size_t)*stride + j->column + first, stride);
}

// A triangle on the diagonal and what lies below.
static void update_by_blas(void* context, int first, int end) {
    const job* j = context;
    const double zero = 0, minus_one = -1;
    const int *stride = &j->shape->stride, *out_stride = &j->shape->update_stride;
    const int *depth = &j->shape->pivots, columns = end - first, rows = j->shape->below - end;
    const double* l = j->panel + j->shape->pivots + first;
    double* out = j->update + (size_t)first * (size_t)*out_stride + first;
    dsyrk_("L", "N", &columns, depth, &minus_one, l, stride, &zero, out, out_stride);
    if (rows > 0)
        dgemm_("N", "T", &rows, &columns, depth, &minus_one, l + columns, stride, l, stride, &zero,
               out + columns, out_stride);
}

static void update(void* context, int first, int end) {
    const job* j = context;
    j->kernels->update(j->shape, j->panel, j->update, first, end);
}

static bool factorize_by_blas(pli_pool* pool, job* j) {
    const pli_front_shape* f = j->shape;
    size_t stride = (size_t)f->stride;
    for (j->column = 0; j->column < f->pivots; j->column += BLAS_COLUMNS) {
        j->columns = pli_min_int(f->pivots - j->column, BLAS_COLUMNS);
        int height = f->stride - j->column;
        if (j->column > 0) pli_parallel_for(pool, height, BLAS_ROWS, update_panel_by_blas, j);
        double* block = j->panel + (size_t)j->column * stride + j->column;
        if (!j->kernels->factorize(j->columns, height, stride, block)) return false;
    }
    pli_parallel_for(pool, f->below, BLAS_UPDATE_COLUMNS, update_by_blas, j);
    return true;
}

bool pli_front_factorize(const pli_front_kernels* kernels, pli_pool* pool, const pli_front_shape* f,
                         double* panel, double* out) {
    job j = {.kernels = kernels, .shape = f, .panel = panel, .update = out};
    if (pli_front_flops(f) < parallel_flops) pool = NULL;
    if (pli_front_uses_blas(f)) return factorize_by_blas(pool, &j);
    if (!kernels->factorize(f->pivots, f->stride, (size_t)f->stride, panel)) return false;
    if (pool)
        pli_parallel_for(pool, f->below, UPDATE_COLUMNS, update, &j);
    else
        kernels->update(f, panel, out, 0, f->below);
    return true;
}
