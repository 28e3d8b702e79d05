// Choice of kernels, and large fronts in blocks: with our own kernels or with BLAS.
#include "sparse/front.h"

#include "math/machine.h"

const pli_front_kernels* pli_front_kernels_at(int i) {
    const pli_front_kernels* usable[3];
    int count = 0;
#if defined(__x86_64__) && defined(__GNUC__)
    if (pli_machine_lanes() >= 8) usable[count++] = &pli_front_avx512;
    if (pli_machine_lanes() >= 4) usable[count++] = &pli_front_avx2;
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

// Columns of a large front that are eliminated together, and rows or columns that a thread takes at
// a time; multiples of PLI_LANES.
enum { BLOCK_COLUMNS = 64, BLOCK_ROWS = 512, BLOCK_UPDATE_COLUMNS = 192, UPDATE_COLUMNS = 48 };
static const double parallel_flops = 4e6;

double pli_front_flops(const pli_front_shape* f) {
    double w = f->pivots, m = w + f->below;
    return w * m * m - w * w * m + w * w * w / 3;
}

bool pli_front_is_large(const pli_front_shape* f) { return pli_front_panel_size(f) > 40000; }

typedef struct job {
    const pli_front_kernels* kernels;
    bool blas;
    const pli_front_shape* shape;
    double *panel, *update;
    int column, columns; // of the panel: the current ones
    pli_pool* pool;      // NULL: on this thread
} job;

static void subtract_by_blas(const pli_front_product* p) {
    const double one = 1, zero = 0, minus_one = -1, *factor = p->fresh ? &zero : &one;
    const int stride = (int)p->stride, out_stride = (int)p->out_stride;
    int square = p->lead == 0 && p->fresh ? p->columns : 0, rows = p->rows - square;
    if (square > 0)
        dsyrk_("L", "N", &square, &p->depth, &minus_one, p->a, &stride, factor, p->out,
               &out_stride);
    if (rows > 0)
        dgemm_("N", "T", &rows, &p->columns, &p->depth, &minus_one, p->a + square, &stride, p->b,
               &stride, factor, p->out + square, &out_stride);
}

static void subtract(const job* j, const pli_front_product* product) {
    if (j->blas)
        subtract_by_blas(product);
    else
        j->kernels->subtract(product);
}

// Columns of the panel -= L (its rows) L^T (theirs), rows first to end counted from the diagonal
static void update_panel(void* context, int first, int end) {
    const job* j = context;
    size_t stride = (size_t)j->shape->stride;
    const double* l = j->panel + j->column;
    pli_front_product product = {
        .a = l + first,
        .b = l,
        .stride = stride,
        .rows = end - first,
        .columns = j->columns,
        .depth = j->column,
        .lead = first,
        .out = j->panel + (size_t)j->column * stride + j->column + first,
        .out_stride = stride,
    };
    subtract(j, &product);
}

// Columns first to end of the update matrix, from the diagonal on.
static void update_large(void* context, int first, int end) {
    const job* j = context;
    if (pli_pool_cancelled(j->pool)) return;
    size_t out_stride = (size_t)j->shape->update_stride;
    const double* l = j->panel + j->shape->pivots + first;
    pli_front_product product = {
        .a = l,
        .b = l,
        .stride = (size_t)j->shape->stride,
        .rows = j->shape->update_stride - first,
        .columns = end - first,
        .depth = j->shape->pivots,
        .fresh = true,
        .out = j->update + (size_t)first * out_stride + first,
        .out_stride = out_stride,
    };
    subtract(j, &product);
}

static void update(void* context, int first, int end) {
    const job* j = context;
    j->kernels->update(j->shape, j->panel, j->update, first, end);
}

static bool factorize_large(job* j) {
    const pli_front_shape* f = j->shape;
    size_t stride = (size_t)f->stride;
    for (j->column = 0; j->column < f->pivots; j->column += BLOCK_COLUMNS) {
        if (pli_pool_cancelled(j->pool)) return false;
        j->columns = pli_min_int(f->pivots - j->column, BLOCK_COLUMNS);
        int height = f->stride - j->column;
        if (j->column > 0) pli_parallel_for(j->pool, height, BLOCK_ROWS, update_panel, j);
        double* block = j->panel + (size_t)j->column * stride + j->column;
        if (!j->kernels->factorize(j->columns, height, stride, block)) return false;
    }
    pli_parallel_for(j->pool, f->below, BLOCK_UPDATE_COLUMNS, update_large, j);
    return true;
}

bool pli_front_factorize(const pli_front_kernels* kernels, bool blas, pli_pool* pool,
                         const pli_front_shape* f, double* panel, double* out) {
    job j = {.kernels = kernels, .blas = blas, .shape = f, .panel = panel, .update = out};
    if (pli_front_flops(f) < parallel_flops) pool = NULL;
    j.pool = pool;
    if (pli_front_is_large(f)) return factorize_large(&j);
    if (!kernels->factorize(f->pivots, f->stride, (size_t)f->stride, panel)) return false;
    if (pool)
        pli_parallel_for(pool, f->below, UPDATE_COLUMNS, update, &j);
    else
        kernels->update(f, panel, out, 0, f->below);
    return true;
}
