// The kernels. front_avx512.c, front_avx2.c and front_baseline.c each include this file once after
// setting:
//   KERNEL_SET     name of the table
//   KERNEL_TARGET  attribute that allows the instructions
//   KERNEL_WIDTH   numbers in a vector register: 2, 4 or 8
//   KERNEL_VECTORS vectors of rows per tile, 1 or 2
// A tile has four columns and KERNEL_VECTORS vectors of rows, with all its sums in registers.
// Columns are processed in blocks of four, rows in tiles. Every number is computed by the same
// operations in the same order, for any width.
#include "sparse/front.h"

#include <float.h>
#include <math.h>

#ifndef KERNEL_SET
#define KERNEL_SET pli_front_baseline
#define KERNEL_TARGET
#define KERNEL_WIDTH 2
#define KERNEL_VECTORS 2
#endif

#define KERNEL KERNEL_TARGET static
#define INLINE KERNEL_TARGET static inline __attribute__((always_inline))

enum { COLUMNS = 4, WIDTH = KERNEL_WIDTH, VECTORS = KERNEL_VECTORS, TILE = WIDTH * VECTORS };
_Static_assert(TILE % COLUMNS == 0 && PLI_LANES % TILE == 0,
               "a tile must hold whole diagonal blocks");

// An unaligned vector register.
typedef double vector
    __attribute__((vector_size(KERNEL_WIDTH * sizeof(double)), aligned(8), may_alias));

// sum[c] = sum over k of a(rows of the tile, k) b(c, k), c < n
INLINE void tile_product(int n, int depth, size_t stride, const double* a, const double* b,
                         vector sum[COLUMNS][VECTORS]) {
    vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
    for (int k = 0; k < depth; ++k) {
        vector v = *(const vector*)a;
        s0 += v * b[0];
        if (n > 1) s1 += v * b[1];
        if (n > 2) s2 += v * b[2];
        if (n > 3) s3 += v * b[3];
        if (VECTORS > 1) {
            v = *(const vector*)(a + WIDTH);
            t0 += v * b[0];
            if (n > 1) t1 += v * b[1];
            if (n > 2) t2 += v * b[2];
            if (n > 3) t3 += v * b[3];
        }
        a += stride;
        b += stride;
    }
    sum[0][0] = s0;
    sum[1][0] = s1;
    sum[2][0] = s2;
    sum[3][0] = s3;
    if (VECTORS > 1) {
        sum[0][VECTORS - 1] = t0;
        sum[1][VECTORS - 1] = t1;
        sum[2][VECTORS - 1] = t2;
        sum[3][VECTORS - 1] = t3;
    }
}

// A small lower triangle [column][row] with the reciprocals of its diagonal.
typedef struct triangle {
    double l[COLUMNS][COLUMNS];
} triangle;

// t = Cholesky factor of the n x n matrix at a
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

// x = (x - sum) t^-T for the rows of a tile at x
INLINE void tile_solve(int n, size_t stride, const triangle* t, vector sum[COLUMNS][VECTORS],
                       double* x) {
    for (int v = 0; v < VECTORS; ++v, x += WIDTH) {
        vector *c0 = (vector*)x, *c1 = (vector*)(x + stride), *c2 = (vector*)(x + 2 * stride),
               *c3 = (vector*)(x + 3 * stride);
        vector x0 = (*c0 - sum[0][v]) * t->l[0][0], x1 = x0, x2 = x0;
        *c0 = x0;
        if (n > 1) *c1 = x1 = (*c1 - sum[1][v] - x0 * t->l[0][1]) * t->l[1][1];
        if (n > 2) *c2 = x2 = (*c2 - sum[2][v] - x0 * t->l[0][2] - x1 * t->l[1][2]) * t->l[2][2];
        if (n > 3)
            *c3 = (*c3 - sum[3][v] - x0 * t->l[0][3] - x1 * t->l[1][3] - x2 * t->l[2][3]) *
                  t->l[3][3];
    }
}

// Columns j to j + n of a panel; earlier columns are done. The tile that holds the diagonal block
// goes first; that block is restored after the tile was solved with it.
INLINE bool factorize_columns(int n, int j, int height, size_t stride, double* panel) {
    int top = j / TILE * TILE;
    double* block = panel + (size_t)j * stride;
    vector sum[COLUMNS][VECTORS];
    vector none[COLUMNS][VECTORS] = {0};
    triangle t;
    tile_product(n, j, stride, panel + top, panel + j, sum);
    for (int c = 0; c < n; ++c)
        for (int v = 0; v < VECTORS; ++v)
            *(vector*)(block + (size_t)c * stride + top + v * WIDTH) -= sum[c][v];
    if (!factorize_triangle(n, stride, block + j, &t)) return false;
    tile_solve(n, stride, &t, none, block + top);
    for (int c = 0; c < n; ++c)
        for (int r = c; r < n; ++r) block[(size_t)c * stride + (size_t)(j + r)] = t.l[c][r];
    for (int i = top + TILE; i < height; i += TILE) {
        tile_product(n, j, stride, panel + i, panel + j, sum);
        tile_solve(n, stride, &t, sum, block + i);
    }
    return true;
}

KERNEL bool factorize(int columns, int height, size_t stride, double* panel) {
    int j = 0;
    for (; j + COLUMNS <= columns; j += COLUMNS)
        if (!factorize_columns(COLUMNS, j, height, stride, panel)) return false;
    if (columns - j == 3) return factorize_columns(3, j, height, stride, panel);
    if (columns - j == 2) return factorize_columns(2, j, height, stride, panel);
    if (columns - j == 1) return factorize_columns(1, j, height, stride, panel);
    return true;
}

INLINE void update_columns(int n, int j, const pli_front_shape* f, const double* l, double* out) {
    size_t stride = (size_t)f->stride, out_stride = (size_t)f->update_stride;
    for (int i = j / TILE * TILE; i < f->below; i += TILE) {
        vector sum[COLUMNS][VECTORS];
        tile_product(n, f->pivots, stride, l + i, l + j, sum);
        for (int c = 0; c < n; ++c)
            for (int v = 0; v < VECTORS; ++v)
                *(vector*)(out + (size_t)(j + c) * out_stride + i + v * WIDTH) = -sum[c][v];
    }
}

KERNEL void update(const pli_front_shape* f, const double* panel, double* out, int first, int end) {
    const double* l = panel + f->pivots;
    int j = first;
    for (; j + COLUMNS <= end; j += COLUMNS) update_columns(COLUMNS, j, f, l, out);
    if (end - j == 3) update_columns(3, j, f, l, out);
    if (end - j == 2) update_columns(2, j, f, l, out);
    if (end - j == 1) update_columns(1, j, f, l, out);
}

// ---- products of large blocks: operands are packed first, so that they stay in the cache

// A strip has PLI_LANES rows, stored column by column.
enum { PACK_ROWS = 128, PACK_COLUMNS = 64, PACK_DEPTH = 128, STRIP = PLI_LANES * PACK_DEPTH };

INLINE void pack(int rows, int depth, size_t stride, const double* source, double* out) {
    for (int i = 0; i < rows; i += PLI_LANES, out += STRIP)
        for (int k = 0; k < depth; ++k)
            for (int v = 0; v < PLI_LANES; v += WIDTH)
                *(vector*)(out + k * PLI_LANES + v) =
                    *(const vector*)(source + (size_t)k * stride + i + v);
}

// Tiles of a block of rows and columns, those that reach below the diagonal.
INLINE void subtract_block(const pli_front_product* p, int rows, int columns, int depth,
                           const double* a, const double* b) {
    const vector zero = {0};
    for (int j = 0; j < columns; j += COLUMNS) {
        const double* strip = b + j / PLI_LANES * STRIP + j % PLI_LANES;
        int first = pli_max_int(0, (j - p->lead) / TILE * TILE);
        int n = pli_min_int(columns - j, COLUMNS);
        for (int i = first; i < rows; i += TILE) {
            vector sum[COLUMNS][VECTORS];
            tile_product(COLUMNS, depth, PLI_LANES, a + i / PLI_LANES * STRIP + i % PLI_LANES,
                         strip, sum);
            for (int c = 0; c < n; ++c)
                for (int v = 0; v < VECTORS; ++v) {
                    vector* out =
                        (vector*)(p->out + (size_t)(j + c) * p->out_stride + i + v * WIDTH);
                    *out = (p->fresh ? zero : *out) - sum[c][v];
                }
        }
    }
}

KERNEL void subtract(const pli_front_product* whole) {
    _Alignas(64) double a[PACK_ROWS * PACK_DEPTH], b[PACK_COLUMNS * PACK_DEPTH];
    for (int k = 0; k < whole->depth; k += PACK_DEPTH)
        for (int j = 0; j < whole->columns; j += PACK_COLUMNS) {
            int depth = pli_min_int(whole->depth - k, PACK_DEPTH);
            int columns = pli_min_int(whole->columns - j, PACK_COLUMNS);
            size_t before = (size_t)k * whole->stride;
            pack(columns, depth, whole->stride, whole->b + before + j, b);
            int start = pli_max_int(0, (j - whole->lead) / PACK_ROWS * PACK_ROWS);
            for (int i = start; i < whole->rows; i += PACK_ROWS) {
                pli_front_product part = *whole;
                int rows = pli_min_int(whole->rows - i, PACK_ROWS);
                part.out += (size_t)j * whole->out_stride + (size_t)i;
                part.lead = whole->lead + i - j;
                part.fresh = whole->fresh && k == 0;
                pack(rows, depth, whole->stride, whole->a + before + i, a);
                subtract_block(&part, rows, columns, depth, a, b);
            }
        }
}

// target(0..rows, 0..columns) += source(...)
INLINE void add_rectangle(int rows, int columns, const double* source, size_t source_stride,
                          double* target, size_t stride) {
    for (int c = 0; c < columns; ++c) {
        int r = 0;
        for (; r + WIDTH <= rows; r += WIDTH)
            *(vector*)(target + r) += *(const vector*)(source + r);
        for (; r < rows; ++r) target[r] += source[r];
        source += source_stride;
        target += stride;
    }
}

// The columns of the runs first to end. On the diagonal whole squares are added: entries above it
// are garbage before and after.
INLINE void add_columns(const pli_front_child* child, int first, int end, int shift, size_t stride,
                        double* target) {
    size_t source_stride = (size_t)child->stride;
    for (int j = first; j < end; ++j) {
        pli_front_run column = child->runs[j];
        const double* source = child->update + (size_t)column.from * source_stride;
        double* to = target + (size_t)(column.to - shift) * stride;
        for (int i = j; i < child->run_count; ++i) {
            pli_front_run row = child->runs[i];
            add_rectangle(row.count, column.count, source + row.from, source_stride,
                          to + (row.to - shift), stride);
        }
    }
}

KERNEL void add_to_panel(const pli_front_child* child, const pli_front_shape* parent,
                         double* panel) {
    add_columns(child, 0, child->shared, 0, (size_t)parent->stride, panel);
}

KERNEL void add_to_update(const pli_front_child* child, const pli_front_shape* parent,
                          double* out) {
    add_columns(child, child->shared, child->run_count, parent->pivots,
                (size_t)parent->update_stride, out);
}

INLINE void forward_columns(int n, int j, const pli_front_shape* f, const double* panel, double* z,
                            double* x) {
    size_t stride = (size_t)f->stride;
    const double* l = panel + (size_t)j * stride;
    double xj[COLUMNS];
    for (int c = 0; c < n; ++c) {
        double v = z[j + c];
        for (int k = 0; k < c; ++k) v -= l[(size_t)k * stride + (size_t)(j + c)] * xj[k];
        xj[c] = x[j + c] = v * l[(size_t)c * stride + (size_t)(j + c)];
    }
    for (int i = j / TILE * TILE; i < f->stride; i += WIDTH) {
        vector v = *(vector*)(z + i);
        for (int c = 0; c < n; ++c) v -= *(const vector*)(l + (size_t)c * stride + i) * xj[c];
        *(vector*)(z + i) = v;
    }
}

KERNEL void forward(const pli_front_shape* f, const double* panel, double* z, double* x) {
    int j = 0;
    for (; j + COLUMNS <= f->pivots; j += COLUMNS) forward_columns(COLUMNS, j, f, panel, z, x);
    if (f->pivots - j == 3) forward_columns(3, j, f, panel, z, x);
    if (f->pivots - j == 2) forward_columns(2, j, f, panel, z, x);
    if (f->pivots - j == 1) forward_columns(1, j, f, panel, z, x);
}

// Sums PLI_LANES numbers that are spread over vectors.
INLINE double sum_of_lanes(const vector* v) {
    double s[PLI_LANES];
    for (int i = 0; i < PLI_LANES; ++i) s[i] = v[i / WIDTH][i % WIDTH];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

// The rows up to the next multiple of PLI_LANES one by one, then PLI_LANES partial sums for all
// widths.
INLINE void backward_columns(int n, int j, const pli_front_shape* f, const double* panel,
                             double* z) {
    enum { PARTS = PLI_LANES / WIDTH };
    size_t stride = (size_t)f->stride;
    const double* l = panel + (size_t)j * stride;
    vector sum[COLUMNS][PARTS] = {0};
    int next = pli_round_up_lanes(j + n);
    for (int i = next; i < f->stride; i += PLI_LANES)
        for (int p = 0; p < PARTS; ++p) {
            vector v = *(const vector*)(z + i + p * WIDTH);
            for (int c = 0; c < n; ++c)
                sum[c][p] += *(const vector*)(l + (size_t)c * stride + i + p * WIDTH) * v;
        }
    for (int c = n - 1; c >= 0; --c) {
        double v = z[j + c] - sum_of_lanes(sum[c]);
        for (int i = j + c + 1; i < next; ++i) v -= l[(size_t)c * stride + (size_t)i] * z[i];
        z[j + c] = v * l[(size_t)c * stride + (size_t)(j + c)];
    }
}

KERNEL void backward(const pli_front_shape* f, const double* panel, double* z) {
    int j = f->pivots / COLUMNS * COLUMNS;
    if (f->pivots - j == 3) backward_columns(3, j, f, panel, z);
    if (f->pivots - j == 2) backward_columns(2, j, f, panel, z);
    if (f->pivots - j == 1) backward_columns(1, j, f, panel, z);
    for (j -= COLUMNS; j >= 0; j -= COLUMNS) backward_columns(COLUMNS, j, f, panel, z);
}

#define KERNEL_TEXT(name) #name
#define KERNEL_NAME(name) KERNEL_TEXT(name)
const pli_front_kernels KERNEL_SET = {
    .name = KERNEL_NAME(KERNEL_SET),
    .factorize = factorize,
    .update = update,
    .subtract = subtract,
    .add_to_panel = add_to_panel,
    .add_to_update = add_to_update,
    .forward = forward,
    .backward = backward,
};
