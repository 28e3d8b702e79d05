// Matrices for the tests of this folder: random numbers, a pattern with values, its dense copy.
// Values above the diagonal are NaN on purpose: nobody may read them.
#ifndef TESTS_SPARSE_MATRICES_H
#define TESTS_SPARSE_MATRICES_H

#include "sparse/pattern.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct matrix {
    pli_memory* memory;
    pli_pattern pattern;
    double* values;
    int value_capacity;
} matrix;

// In [-1, 1).
static inline double random_number(uint32_t* seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

static inline int random_below(uint32_t* seed, int n) {
    *seed = *seed * 1664525u + 1013904223u;
    return (int)((*seed >> 8) % (uint32_t)n);
}

static inline void matrix_init(matrix* m, pli_memory* memory) {
    *m = (matrix){.memory = memory};
    pli_pattern_init(&m->pattern, memory);
}

static inline void matrix_free(matrix* m) {
    PLI_FREE(m->memory, m->values, m->value_capacity);
    pli_pattern_free(&m->pattern);
}

// Entry (r, c) of block k in column group `column`.
static inline double* block_entry(matrix* m, int k, int column, int r, int c) {
    return &m->values[m->pattern.block_value[k] + c * m->pattern.column_height[column] + r];
}

// Builds the pattern; all values 0, NaN above the diagonal.
static inline void matrix_build(matrix* m, int group_count, const int32_t* offset, int pair_count,
                                const pli_pair* pairs) {
    const pli_pattern* p = &m->pattern;
    assert_int_equal(pli_pattern_build(&m->pattern, group_count, offset, pair_count, pairs, NULL),
                     PLI_OK);
    assert_int_equal(PLI_GROW(m->memory, m->values, m->value_capacity, p->value_count, NULL),
                     PLI_OK);
    for (int i = 0; i < p->value_count; ++i) m->values[i] = 0;
    for (int j = 0; j < group_count; ++j)
        for (int c = 0; c < offset[j + 1] - offset[j]; ++c)
            for (int r = 0; r < c; ++r) *block_entry(m, p->block_start[j], j, r, c) = (double)NAN;
}

// Adds `value` at unknown c of every diagonal block.
static inline void add_diagonal(matrix* m, double value) {
    const pli_pattern* p = &m->pattern;
    for (int j = 0; j < p->group_count; ++j)
        for (int c = 0; c < p->group_offset[j + 1] - p->group_offset[j]; ++c)
            *block_entry(m, p->block_start[j], j, c, c) += value;
}

// Adds u u^T for every block below the diagonal, u random on its two groups: positive
// semi-definite. With `springs` u is opposite on the two groups (which must have equal widths), so
// that translations are free.
static inline void add_rank_ones(matrix* m, bool springs, uint32_t* seed) {
    const pli_pattern* p = &m->pattern;
    for (int j = 0; j < p->group_count; ++j)
        for (int k = p->block_start[j] + 1; k < p->block_start[j + 1]; ++k) {
            int i = p->block_row[k];
            int wi = p->group_offset[i + 1] - p->group_offset[i];
            int wj = p->group_offset[j + 1] - p->group_offset[j];
            double u[2][16];
            for (int c = 0; c < wj; ++c) u[0][c] = random_number(seed);
            for (int c = 0; c < wi; ++c) u[1][c] = springs ? -u[0][c] : random_number(seed);
            for (int c = 0; c < wj; ++c) {
                for (int r = 0; r < wi; ++r) *block_entry(m, k, j, r, c) += u[1][r] * u[0][c];
                for (int r = c; r < wj; ++r)
                    *block_entry(m, p->block_start[j], j, r, c) += u[0][r] * u[0][c];
            }
            for (int c = 0; c < wi; ++c)
                for (int r = c; r < wi; ++r)
                    *block_entry(m, p->block_start[i], i, r, c) += u[1][r] * u[1][c];
        }
}

// Random positive definite matrix with groups of widths 1, 2, 3, 5 and 12 and about 3 neighbours.
static inline void matrix_random(matrix* m, int group_count, uint32_t* seed) {
    static const int widths[] = {1, 2, 3, 5, 12};
    enum { MAX_GROUPS = 200 };
    int32_t offset[MAX_GROUPS + 1] = {0};
    pli_pair pairs[3 * MAX_GROUPS];
    assert_true(group_count <= MAX_GROUPS);
    for (int j = 0; j < group_count; ++j) offset[j + 1] = offset[j] + widths[random_below(seed, 5)];
    for (int k = 0; k < 3 * group_count; ++k) {
        int a = random_below(seed, group_count), b = random_below(seed, group_count);
        pairs[k] = (pli_pair){a > b ? a : b, a > b ? b : a};
    }
    matrix_build(m, group_count, offset, 3 * group_count, pairs);
    add_rank_ones(m, false, seed);
    add_diagonal(m, 0.5);
}

// side x side grid of groups of one width, every one tied to its 8 neighbours by springs, with
// `anchor` on the diagonal.
static inline void matrix_grid(matrix* m, int side, int width, double anchor, uint32_t* seed) {
    int group_count = side * side, pair_count = 0;
    int32_t* offset = test_malloc(((size_t)group_count + 1) * sizeof *offset);
    pli_pair* pairs = test_malloc(4 * (size_t)group_count * sizeof *pairs);
    for (int j = 0; j <= group_count; ++j) offset[j] = j * width;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            int here = y * side + x;
            if (x + 1 < side) pairs[pair_count++] = (pli_pair){here + 1, here};
            if (y + 1 == side) continue;
            pairs[pair_count++] = (pli_pair){here + side, here};
            if (x + 1 < side) pairs[pair_count++] = (pli_pair){here + side + 1, here};
            if (x > 0) pairs[pair_count++] = (pli_pair){here + side - 1, here};
        }
    matrix_build(m, group_count, offset, pair_count, pairs);
    add_rank_ones(m, true, seed);
    add_diagonal(m, anchor);
    test_free(offset);
    test_free(pairs);
}

// Groups of width 1, every entry of the lower triangle given row by row.
static inline void matrix_from_dense(matrix* m, int n, const double* dense) {
    int32_t offset[8] = {0};
    pli_pair pairs[64];
    int pair_count = 0;
    assert_true(n < 8);
    for (int i = 0; i < n; ++i) {
        offset[i + 1] = i + 1;
        for (int j = 0; j <= i; ++j)
            if (dense[i * n + j] != 0) pairs[pair_count++] = (pli_pair){i, j};
    }
    matrix_build(m, n, offset, pair_count, pairs);
    for (int j = 0; j < n; ++j)
        for (int k = m->pattern.block_start[j]; k < m->pattern.block_start[j + 1]; ++k)
            *block_entry(m, k, j, 0, 0) = dense[m->pattern.block_row[k] * n + j];
}

// The whole symmetric matrix, read through the scalar columns; test_free it.
static inline double* matrix_to_dense(const matrix* m) {
    const pli_pattern* p = &m->pattern;
    int n = p->unknown_count;
    double* dense = test_calloc((size_t)n * (size_t)n + 1, sizeof *dense);
    for (int c = 0; c < n; ++c)
        for (int k = p->start[c]; k < p->start[c + 1]; ++k) {
            int r = p->row[k];
            if (r >= c) dense[r * n + c] = dense[c * n + r] = m->values[k];
        }
    return dense;
}

static inline double* random_vector(int n, uint32_t* seed) {
    double* v = test_calloc((size_t)n + 1, sizeof *v);
    for (int i = 0; i < n; ++i) v[i] = random_number(seed);
    return v;
}

// max |a - b| / max |b|
static inline double relative_error(int n, const double* a, const double* b) {
    double difference = 0, size = 0;
    for (int i = 0; i < n; ++i) {
        difference = isnan(a[i]) ? HUGE_VAL : fmax(difference, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return size > 0 ? difference / size : difference;
}

// An allocator whose call number fail_at (from 0) fails; freeing never does.
typedef struct faulty {
    int calls, fail_at;
} faulty;

static inline void* faulty_resize(void* context, void* block, size_t old_size, size_t new_size) {
    (void)old_size;
    faulty* f = context;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return f->calls++ == f->fail_at ? NULL : realloc(block, new_size);
}

static inline void faulty_memory_init(pli_memory* memory, faulty* f, int fail_at) {
    *f = (faulty){.fail_at = fail_at};
    pli_memory_init(memory, &(pli_allocator){.context = f, .resize = faulty_resize});
}

#endif
