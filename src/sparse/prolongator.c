// Smoothed aggregation: see prolongator.h. Only vanishing columns of T depend on values here, so
// the pattern of P depends only on aggregates and matrix pattern.
#include "sparse/prolongator.h"

#include "math/vec.h"
#include "sparse/aggregate.h"
#include "sparse/dense_block.h"
#include "sparse/linear.h"
#include "sparse/preconditioner.h"
#include "sparse/reserve.h"

#include <math.h>
#include <string.h>

enum { ROW_GRAIN = 256, AGGREGATE_GRAIN = 16, POWER_STEPS = 6 };

// Blocks weaker than this fraction of the geometric mean of their diagonal blocks do not aggregate.
static const double strength = 0.01;
// A mode is independent on an aggregate if this fraction of its norm remains after
// orthogonalization.
static const double new_part = 1e-6;

pli_status pli_prolongator_init(pli_prolongator* p, pli_memory* memory, pli_pool* pool,
                                pli_error* error) {
    *p = (pli_prolongator){.memory = memory, .pool = pool, .group_count = -1};
    pli_adjacency_init(&p->adjacency, memory);
    pli_product_init(&p->product, memory, pool);
    return pli_block_jacobi.create(memory, pool, &(pli_near_null){0}, &p->jacobi, error);
}

void pli_prolongator_free(pli_prolongator* p) {
    pli_memory* memory = p->memory;
    pli_adjacency_free(&p->adjacency);
    pli_product_free(&p->product);
    PLI_FREE(memory, p->offset, p->offset_capacity);
    PLI_FREE(memory, p->aggregate, p->aggregate_capacity);
    PLI_FREE(memory, p->member_start, p->member_start_capacity);
    PLI_FREE(memory, p->member, p->member_capacity);
    PLI_FREE(memory, p->tentative, p->tentative_capacity);
    PLI_FREE(memory, p->coarse_modes, p->coarse_mode_capacity);
    PLI_FREE(memory, p->rows.start, p->rows.start_capacity);
    PLI_FREE(memory, p->rows.column, p->rows.column_capacity);
    PLI_FREE(memory, p->rows.value, p->rows.value_capacity);
    PLI_FREE(memory, p->rows.values, p->rows.values_capacity);
    PLI_FREE(memory, p->own_slot, p->own_slot_capacity);
    PLI_FREE(memory, p->slot, p->slot_capacity);
    PLI_FREE(memory, p->column_start, p->column_start_capacity);
    PLI_FREE(memory, p->column_row, p->column_row_capacity);
    PLI_FREE(memory, p->column_block, p->column_block_capacity);
    PLI_FREE(memory, p->mark, p->mark_capacity);
    PLI_FREE(memory, p->strong, p->strong_capacity);
    PLI_FREE(memory, p->x, p->x_capacity);
    PLI_FREE(memory, p->y, p->y_capacity);
    PLI_FREE(memory, p->z, p->z_capacity);
    pli_block_jacobi.destroy(p->jacobi);
}

static int width_of(const pli_prolongator* p, int i) {
    return p->pattern->group_offset[i + 1] - p->pattern->group_offset[i];
}

static bool takes_part(const pli_prolongator* p, int i) {
    return width_of(p, i) > 0 && width_of(p, i) <= PLI_BLOCK_ROWS_HEIGHT;
}

void pli_prolongator_block(const pli_prolongator* p, const double* values, int i, int entry,
                           double* block) {
    const pli_pattern* pattern = p->pattern;
    int j = entry < 0 ? i : p->adjacency.neighbour[entry], column = pli_min_int(i, j);
    int b = entry < 0 ? pattern->block_start[i] : p->adjacency.block[entry];
    int rows = width_of(p, i), columns = width_of(p, j), height = pattern->column_height[column];
    const double* a = values + pattern->block_value[b];
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            bool transposed = j > i || (j == i && c > r);
            block[r * columns + c] = transposed ? a[r * height + c] : a[c * height + r];
        }
}

// ---- aggregates

static double block_size(const pli_prolongator* p, const double* values, int i, int entry) {
    double block[PLI_BLOCK_ROWS_HEIGHT * PLI_BLOCK_ROWS_HEIGHT];
    int columns = width_of(p, entry < 0 ? i : p->adjacency.neighbour[entry]);
    pli_prolongator_block(p, values, i, entry, block);
    return pli_norm(block, width_of(p, i) * columns);
}

static void find_strong(pli_prolongator* p, const double* values) {
    const pli_adjacency* a = &p->adjacency;
    for (int i = 0; i < a->group_count; ++i)
        p->x[i] = takes_part(p, i) ? sqrt(block_size(p, values, i, -1)) : 0;
    for (int i = 0; i < a->group_count; ++i)
        for (int e = a->start[i]; e < a->start[i + 1]; ++e) {
            int j = a->neighbour[e];
            p->strong[e] = takes_part(p, i) && takes_part(p, j) &&
                           block_size(p, values, i, e) > strength * p->x[i] * p->x[j];
        }
}

static pli_status reserve_groups(pli_prolongator* p, int n, pli_error* error) {
    pli_memory* memory = p->memory;
    p->group_count = -1;
    PLI_TRY(PLI_RESERVE(memory, p->offset, p->offset_capacity, n + 1, error));
    PLI_TRY(PLI_RESERVE(memory, p->aggregate, p->aggregate_capacity, n, error));
    return PLI_RESERVE(memory, p->member, p->member_capacity, n, error);
}

// From `aggregate` of n groups.
static pli_status list_members(pli_prolongator* p, int n, pli_error* error) {
    PLI_TRY(PLI_RESERVE(p->memory, p->member_start, p->member_start_capacity,
                        p->aggregate_count + 1, error));
    for (int k = 0; k <= p->aggregate_count; ++k) p->member_start[k] = 0;
    for (int i = 0; i < n; ++i)
        if (p->aggregate[i] >= 0) p->member_start[p->aggregate[i]]++;
    for (int k = 1; k <= p->aggregate_count; ++k) p->member_start[k] += p->member_start[k - 1];
    for (int i = n - 1; i >= 0; --i)
        if (p->aggregate[i] >= 0) p->member[--p->member_start[p->aggregate[i]]] = i;
    p->group_count = n;
    return PLI_OK;
}

static pli_status find_aggregates(pli_prolongator* p, const double* values, pli_error* error) {
    const pli_adjacency* a = &p->adjacency;
    int n = a->group_count;
    PLI_TRY(reserve_groups(p, n, error));
    PLI_TRY(PLI_RESERVE(p->memory, p->strong, p->strong_capacity, a->entry_count, error));
    find_strong(p, values);
    p->aggregate_count = pli_aggregate(a, p->strong, p->aggregate);
    memcpy(p->offset, p->pattern->group_offset, sizeof *p->offset * ((size_t)n + 1));
    return list_members(p, n, error);
}

// Groups that are too wide must not be in an aggregate: loops over members rely on it. Checks the
// bytes ahead, n + 1 offsets and n aggregates, whether they are applied or not.
static void check_members(int n, int aggregate_count, pli_unpack* in) {
    pli_unpack offsets = *in, aggregates = *in;
    aggregates.at += sizeof(int32_t) * ((size_t)n + 1);
    int32_t next = pli_unpack_int(&offsets, 0, INT32_MAX, "offset");
    for (int i = 0; i < n; ++i) {
        int32_t offset = next;
        next = pli_unpack_int(&offsets, 0, INT32_MAX, "offset");
        int aggregate = pli_unpack_int(&aggregates, -1, aggregate_count - 1, "aggregate");
        if (!pli_unpack_good(&offsets) || !pli_unpack_good(&aggregates)) return; // reported later
        int64_t width = (int64_t)next - offset;
        bool part = width > 0 && width <= PLI_BLOCK_ROWS_HEIGHT;
        if (width >= 0 && (part || aggregate < 0)) continue;
        pli_unpack_fail(in, "group %d of width %lld cannot be in an aggregate", i,
                        (long long)width);
        return;
    }
}

void pli_prolongator_save(const pli_prolongator* p, pli_pack* out) {
    pli_pack_int(out, p->group_count);
    if (p->group_count < 0) return;
    pli_pack_int(out, p->aggregate_count);
    pli_pack_ints(out, p->offset, (size_t)p->group_count + 1);
    pli_pack_ints(out, p->aggregate, (size_t)p->group_count);
}

pli_status pli_prolongator_restore(pli_prolongator* p, int group_count, pli_unpack* in,
                                   pli_error* error) {
    int n = pli_unpack_int(in, -1, INT32_MAX - 1, "groups with aggregates");
    if (p) p->group_count = -1;
    if (n < 0 || !pli_unpack_good(in)) return PLI_OK;
    if (group_count >= 0 && n != group_count)
        pli_unpack_fail(in, "aggregates of %d groups, must be of %d", n, group_count);
    int count = pli_unpack_int(in, 0, n, "aggregates");
    if ((size_t)(in->end - in->at) / sizeof(int32_t) < 2 * (size_t)n + 1)
        pli_unpack_fail(in, "it ends within the aggregates of %d groups", n);
    else
        check_members(n, count, in);
    if (!pli_unpack_good(in)) return PLI_OK;
    if (p) PLI_TRY(reserve_groups(p, n, error));
    pli_unpack_ints(in, p ? p->offset : NULL, (size_t)n + 1, 0, INT32_MAX, "offset");
    pli_unpack_ints(in, p ? p->aggregate : NULL, (size_t)n, -1, count - 1, "aggregate");
    if (!p || !pli_unpack_good(in)) return PLI_OK;
    p->aggregate_count = count;
    return list_members(p, n, error);
}

static bool same_groups(const pli_prolongator* p, const pli_pattern* pattern) {
    size_t bytes = sizeof *p->offset * ((size_t)pattern->group_count + 1);
    return p->group_count == pattern->group_count &&
           memcmp(p->offset, pattern->group_offset, bytes) == 0;
}

// ---- pattern of P

// Inserts aggregate k into row i, columns ascending; does nothing if it is already there.
static void enter(pli_prolongator* p, int i, int k, int32_t* end) {
    if (k < 0 || p->mark[k] == i) return;
    p->mark[k] = i;
    int at = (*end)++;
    for (; at > p->rows.start[i] && p->rows.column[at - 1] > k; --at)
        p->rows.column[at] = p->rows.column[at - 1];
    p->rows.column[at] = k;
}

static int slot_of(const pli_prolongator* p, int i, int k) {
    if (k < 0) return -1;
    int s = p->rows.start[i];
    while (p->rows.column[s] != k) ++s;
    return s - p->rows.start[i];
}

static int count_row(pli_prolongator* p, int i) {
    const pli_adjacency* a = &p->adjacency;
    if (!takes_part(p, i)) return 0;
    int count = p->aggregate[i] >= 0;
    if (count) p->mark[p->aggregate[i]] = i;
    for (int e = a->start[i]; e < a->start[i + 1]; ++e) {
        int k = p->aggregate[a->neighbour[e]];
        if (k < 0 || p->mark[k] == i) continue;
        p->mark[k] = i;
        count++;
    }
    return count;
}

static void reset_marks(pli_prolongator* p) {
    for (int k = 0; k < p->aggregate_count; ++k) p->mark[k] = -1;
}

static void fill_rows(pli_prolongator* p) {
    const pli_adjacency* a = &p->adjacency;
    size_t value = 0;
    reset_marks(p);
    for (int i = 0; i < a->group_count; ++i) {
        int32_t end = p->rows.start[i];
        p->rows.value[i] = value;
        p->own_slot[i] = -1;
        for (int e = a->start[i]; e < a->start[i + 1]; ++e) p->slot[e] = -1;
        if (!takes_part(p, i)) continue;
        enter(p, i, p->aggregate[i], &end);
        for (int e = a->start[i]; e < a->start[i + 1]; ++e)
            enter(p, i, p->aggregate[a->neighbour[e]], &end);
        p->own_slot[i] = slot_of(p, i, p->aggregate[i]);
        for (int e = a->start[i]; e < a->start[i + 1]; ++e)
            p->slot[e] = slot_of(p, i, p->aggregate[a->neighbour[e]]);
        value += (size_t)(end - p->rows.start[i]) * (size_t)(width_of(p, i) * p->mode_count);
    }
}

static void fill_columns(pli_prolongator* p) {
    int n = p->adjacency.group_count, blocks = p->rows.start[n];
    int32_t* start = p->column_start;
    for (int k = 0; k <= p->aggregate_count; ++k) start[k] = 0;
    for (int b = 0; b < blocks; ++b) start[p->rows.column[b]]++;
    for (int k = 1; k <= p->aggregate_count; ++k) start[k] += start[k - 1];
    for (int i = n - 1; i >= 0; --i)
        for (int b = p->rows.start[i]; b < p->rows.start[i + 1]; ++b) {
            int at = --start[p->rows.column[b]];
            p->column_row[at] = i;
            p->column_block[at] = b;
        }
}

static pli_status lay_out_rows(pli_prolongator* p, pli_error* error) {
    pli_memory* memory = p->memory;
    pli_block_rows* rows = &p->rows;
    int n = p->adjacency.group_count;
    PLI_TRY(PLI_RESERVE(memory, p->mark, p->mark_capacity, p->aggregate_count, error));
    PLI_TRY(PLI_RESERVE(memory, rows->start, rows->start_capacity, n + 1, error));
    PLI_TRY(PLI_RESERVE(memory, rows->value, rows->value_capacity, n, error));
    PLI_TRY(PLI_RESERVE(memory, p->own_slot, p->own_slot_capacity, n, error));
    PLI_TRY(PLI_RESERVE(memory, p->slot, p->slot_capacity, p->adjacency.entry_count, error));
    reset_marks(p);
    size_t values = 0;
    rows->start[0] = 0;
    for (int i = 0; i < n; ++i) {
        int count = count_row(p, i);
        rows->start[i + 1] = rows->start[i] + count;
        values += (size_t)count * (size_t)(width_of(p, i) * p->mode_count);
    }
    int blocks = rows->start[n];
    PLI_TRY(PLI_RESERVE(memory, rows->column, rows->column_capacity, blocks, error));
    PLI_TRY(PLI_RESERVE(memory, rows->values, rows->values_capacity, values, error));
    PLI_TRY(PLI_RESERVE(memory, p->column_start, p->column_start_capacity, p->aggregate_count + 1,
                        error));
    PLI_TRY(PLI_RESERVE(memory, p->column_row, p->column_row_capacity, blocks, error));
    PLI_TRY(PLI_RESERVE(memory, p->column_block, p->column_block_capacity, blocks, error));
    fill_rows(p);
    fill_columns(p);
    return PLI_OK;
}

pli_status pli_prolongator_analyze(pli_prolongator* p, const pli_pattern* pattern,
                                   const double* values, int mode_count, pli_error* error) {
    pli_memory* memory = p->memory;
    size_t n = (size_t)pattern->unknown_count, modes = (size_t)mode_count;
    p->pattern = pattern;
    p->mode_count = mode_count;
    PLI_TRY(pli_adjacency_build(&p->adjacency, pattern, error));
    PLI_TRY(pli_product_analyze(&p->product, pattern, error));
    PLI_TRY(pli_block_jacobi.analyze(p->jacobi, pattern, error));
    size_t room = n > (size_t)pattern->group_count ? n : (size_t)pattern->group_count;
    PLI_TRY(PLI_RESERVE(memory, p->x, p->x_capacity, room, error));
    PLI_TRY(PLI_RESERVE(memory, p->y, p->y_capacity, n, error));
    PLI_TRY(PLI_RESERVE(memory, p->z, p->z_capacity, n, error));
    PLI_TRY(PLI_RESERVE(memory, p->tentative, p->tentative_capacity, n * modes, error));
    if (!same_groups(p, pattern)) PLI_TRY(find_aggregates(p, values, error));
    size_t coarse = (size_t)p->aggregate_count * modes * modes;
    PLI_TRY(PLI_RESERVE(memory, p->coarse_modes, p->coarse_mode_capacity, coarse, error));
    return lay_out_rows(p, error);
}

// ---- numeric part

typedef struct update_task {
    pli_prolongator* p;
    const double *values, *modes;
    double omega;
} update_task;

static bool couples(const pli_prolongator* p, const double* values, int i) {
    double block[PLI_BLOCK_ROWS_HEIGHT * PLI_BLOCK_ROWS_HEIGHT];
    const pli_adjacency* a = &p->adjacency;
    for (int e = a->start[i]; e < a->start[i + 1]; ++e) {
        int count = width_of(p, i) * width_of(p, a->neighbour[e]);
        if (width_of(p, a->neighbour[e]) > PLI_BLOCK_ROWS_HEIGHT) return true;
        pli_prolongator_block(p, values, i, e, block);
        for (int k = 0; k < count; ++k)
            if (block[k] != 0) return true;
    }
    return false;
}

static double* tentative_row(const pli_prolongator* p, int i) {
    return p->tentative + (size_t)p->pattern->group_offset[i] * (size_t)p->mode_count;
}

static void copy_modes(void* context, int first, int end) {
    const update_task* task = context;
    const pli_prolongator* p = task->p;
    for (int i = first; i < end; ++i) {
        if (p->aggregate[i] < 0) continue;
        size_t at = (size_t)p->pattern->group_offset[i] * (size_t)p->mode_count;
        size_t bytes = (size_t)(width_of(p, i) * p->mode_count) * sizeof(double);
        if (couples(p, task->values, i))
            memcpy(p->tentative + at, task->modes + at, bytes);
        else
            memset(p->tentative + at, 0, bytes);
    }
}

// Inner product of columns a and b of T on aggregate k.
static double column_dot(const pli_prolongator* p, int k, int a, int b) {
    int m = p->mode_count;
    double sum = 0;
    for (int at = p->member_start[k]; at < p->member_start[k + 1]; ++at) {
        const double* t = tentative_row(p, p->member[at]);
        for (int r = 0; r < width_of(p, p->member[at]); ++r) sum += t[r * m + a] * t[r * m + b];
    }
    return sum;
}

// Column b of T on aggregate k becomes scale * (b + weight * a).
static void column_add(const pli_prolongator* p, int k, int b, double scale, int a, double weight) {
    int m = p->mode_count;
    for (int at = p->member_start[k]; at < p->member_start[k + 1]; ++at) {
        double* t = tentative_row(p, p->member[at]);
        for (int r = 0; r < width_of(p, p->member[at]); ++r)
            t[r * m + b] = scale * (t[r * m + b] + weight * t[r * m + a]);
    }
}

// T = Q R by Gram-Schmidt, twice per column for accuracy; R are the modes of the coarse group.
static void orthonormalize(const pli_prolongator* p, int k) {
    int m = p->mode_count;
    double* R = p->coarse_modes + (size_t)k * (size_t)(m * m);
    for (int i = 0; i < m * m; ++i) R[i] = 0;
    for (int b = 0; b < m; ++b) {
        double before = sqrt(column_dot(p, k, b, b));
        for (int pass = 0; pass < 2; ++pass)
            for (int a = 0; a < b; ++a) {
                double part = column_dot(p, k, a, b);
                R[a * m + b] += part;
                column_add(p, k, b, 1, a, -part);
            }
        double size = sqrt(column_dot(p, k, b, b));
        bool new = size > new_part* before;
        column_add(p, k, b, new ? 1 / size : 0, b, 0);
        R[b * m + b] = new ? size : 0;
    }
}

static void orthonormalize_range(void* context, int first, int end) {
    const update_task* task = context;
    for (int k = first; k < end; ++k) orthonormalize(task->p, k);
}

// Largest eigenvalue of D^-1 A by the power method, from below; the start vector has all
// frequencies.
static double largest_eigenvalue(pli_prolongator* p, const double* values) {
    int n = p->pattern->unknown_count;
    uint32_t seed = 1;
    double eigenvalue = 0;
    for (int i = 0; i < n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        p->x[i] = (double)(seed >> 8) / (1 << 23) - 1;
    }
    for (int step = 0; step < POWER_STEPS; ++step) {
        pli_product_multiply(&p->product, values, p->x, p->y);
        pli_block_jacobi.apply(p->jacobi, p->y, p->z);
        // With x_k = z_(k-1), x . D x = z_(k-1) . y_(k-1): the Rayleigh quotient of the next step.
        double now = pli_dot(p->y, p->z, n), quotient = pli_dot(p->x, p->y, n);
        eigenvalue = quotient > 0 ? fmax(eigenvalue, now / quotient) : eigenvalue;
        double scale = now > 0 ? 1 / sqrt(now) : 0;
        for (int i = 0; i < n; ++i) p->x[i] = scale * p->z[i];
    }
    return eigenvalue;
}

// Row i of P.
static void smooth_row(const update_task* task, int i) {
    const pli_prolongator* p = task->p;
    const pli_adjacency* a = &p->adjacency;
    int w = width_of(p, i), m = p->mode_count, count = p->rows.start[i + 1] - p->rows.start[i];
    double block[PLI_BLOCK_ROWS_HEIGHT * PLI_BLOCK_ROWS_HEIGHT], column[PLI_BLOCK_ROWS_HEIGHT];
    double* row = p->rows.values + p->rows.value[i];
    const double* own = tentative_row(p, i);
    for (int k = 0; k < count * w * m; ++k) row[k] = 0;
    if (count == 0) return;
    pli_prolongator_block(p, task->values, i, -1, block);
    if (p->own_slot[i] >= 0)
        PLI_BLOCK_CALL(pli_block_add, w, w, m, block, own, row + p->own_slot[i] * w * m);
    for (int e = a->start[i]; e < a->start[i + 1]; ++e) {
        int j = a->neighbour[e];
        if (p->slot[e] < 0) continue;
        pli_prolongator_block(p, task->values, i, e, block);
        PLI_BLOCK_CALL(pli_block_add, w, width_of(p, j), m, block, tentative_row(p, j),
                       row + p->slot[e] * w * m);
    }
    pli_prolongator_block(p, task->values, i, -1, block);
    (void)pli_block_factorize(w, block, w); // symmetric: rows are columns; D is positive definite
    for (int c = 0; c < count * m; ++c) {
        double* entry = row + c / m * w * m + c % m;
        for (int r = 0; r < w; ++r) column[r] = entry[r * m];
        pli_block_solve(w, block, w, column);
        for (int r = 0; r < w; ++r) entry[r * m] = -task->omega * column[r];
    }
    for (int k = 0; p->own_slot[i] >= 0 && k < w * m; ++k)
        row[p->own_slot[i] * w * m + k] += own[k];
}

static void smooth_rows(void* context, int first, int end) {
    for (int i = first; i < end; ++i) smooth_row(context, i);
}

pli_status pli_prolongator_update(pli_prolongator* p, const double* values, const double* modes,
                                  bool* definite, pli_error* error) {
    update_task task = {.p = p, .values = values, .modes = modes};
    PLI_TRY(pli_block_jacobi.factorize(p->jacobi, values, NULL, definite, error));
    if (!*definite) return PLI_OK;
    pli_parallel_for(p->pool, p->group_count, ROW_GRAIN, copy_modes, &task);
    pli_parallel_for(p->pool, p->aggregate_count, AGGREGATE_GRAIN, orthonormalize_range, &task);
    double eigenvalue = largest_eigenvalue(p, values);
    task.omega = eigenvalue > 0 ? 4.0 / 3 / eigenvalue : 0;
    pli_parallel_for(p->pool, p->group_count, ROW_GRAIN, smooth_rows, &task);
    return PLI_OK;
}

// ---- products

typedef struct product_task {
    const pli_prolongator* p;
    const double* in;
    double* out;
} product_task;

static void restrict_columns(void* context, int first, int end) {
    const product_task* task = context;
    const pli_prolongator* p = task->p;
    int m = p->mode_count;
    for (int k = first; k < end; ++k) {
        double sum[PLI_MAX_MODES] = {0};
        for (int at = p->column_start[k]; at < p->column_start[k + 1]; ++at) {
            int i = p->column_row[at], w = width_of(p, i);
            size_t block = (size_t)(p->column_block[at] - p->rows.start[i]);
            const double* v = p->rows.values + p->rows.value[i] + block * (size_t)(w * m);
            const double* r = task->in + p->pattern->group_offset[i];
            for (int a = 0; a < w; ++a)
                for (int c = 0; c < m; ++c) sum[c] += v[a * m + c] * r[a];
        }
        for (int c = 0; c < m; ++c) task->out[(size_t)k * (size_t)m + (size_t)c] = sum[c];
    }
}

void pli_prolongator_restrict(const pli_prolongator* p, const double* fine, double* coarse) {
    product_task task = {p, fine, coarse};
    pli_parallel_for(p->pool, p->aggregate_count, AGGREGATE_GRAIN, restrict_columns, &task);
}

static void add_rows(void* context, int first, int end) {
    const product_task* task = context;
    const pli_prolongator* p = task->p;
    int m = p->mode_count;
    for (int i = first; i < end; ++i) {
        int w = width_of(p, i);
        const double* v = p->rows.values + p->rows.value[i];
        double* out = task->out + p->pattern->group_offset[i];
        for (int b = p->rows.start[i]; b < p->rows.start[i + 1]; ++b, v += w * m) {
            const double* in = task->in + (size_t)p->rows.column[b] * (size_t)m;
            for (int a = 0; a < w; ++a)
                for (int c = 0; c < m; ++c) out[a] += v[a * m + c] * in[c];
        }
    }
}

void pli_prolongator_add(const pli_prolongator* p, const double* coarse, double* fine) {
    product_task task = {p, coarse, fine};
    pli_parallel_for(p->pool, p->group_count, ROW_GRAIN, add_rows, &task);
}
