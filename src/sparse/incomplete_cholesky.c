// Block incomplete Cholesky without fill: M = L L^T with L in the pattern of H.
//
// Left-looking: column K subtracts the updates of earlier columns J within the pattern, and ends
// with the Cholesky factorization of its diagonal block:
//   A_IK -= L_IJ L_KJ^T,  L_KK L_KK^T = A_KK,  L_IK = A_IK L_KK^-T.
// If H changed in some columns only, these and their neighbours are recomputed and the others stay:
// distant changes hardly affect them, and L L^T is positive definite for any L.
//
// Large matrices are split into domains (domains.h) that threads factorize in parallel; separators
// follow. Within the multilevel preconditioner the domains are ranges of groups without separators:
// the couplings between them are dropped. Alone this would cost 25 % more iterations, but the other
// levels make up for it. The split depends only on the pattern, so M does not depend on threads.
//
// A positive definite H may still break down (a pivot <= 0) because fill was dropped. Then H + s
// diag(H) is tried with increasing s [Manteuffel80]. Every factorize starts with s = 0, so M
// depends only on H.
#include "sparse/dense_block.h"
#include "sparse/domains.h"
#include "sparse/preconditioner.h"
#include "sparse/reserve.h"
#include "sparse/triangle.h"

#include <string.h>

// Minimum number of groups per domain. Each additional domain costs some iterations (two domains of
// a bar or a heap: 4 to 8 %).
enum { DOMAIN_GROUPS = 12288, RANGE_GROUPS = 8192, MAX_RANGES = 64, GRAIN = 64 };

typedef struct incomplete_cholesky {
    pli_memory* memory;
    pli_pool* pool;
    const pli_pattern* given;
    const pli_pattern* pattern; // of the factor: the given one or that of `domains`
    pli_domains domains;
    bool ranges; // couplings between domains are dropped
    int domain_count;
    int32_t domain[MAX_RANGES + 1]; // first group; the last: first separator
    bool done[MAX_RANGES];          // no breakdown
    int32_t* inner;                 // of column groups: the end of their blocks in the domain
    // Of row groups K: the blocks (K, J), J < K, of the factor are row_block[row_start[K]] to
    // row_start[K + 1], J ascending, and row_column says which J.
    int32_t *row_start, *row_block, *row_column;
    size_t inner_capacity, row_start_capacity, row_block_capacity, row_column_capacity;
    bool whole;     // the factor belongs to the last values, without a shift
    double* factor; // as the values of the pattern; reciprocals on the diagonal
    double* work;   // unknowns in the order of the factor, if it differs from the given one
    int factor_capacity, work_capacity;
} incomplete_cholesky;

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_near_null* near_null,
                         void** out, pli_error* error) {
    (void)near_null;
    incomplete_cholesky* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    self->pool = pool;
    pli_domains_init(&self->domains, memory);
    *out = self;
    return PLI_OK;
}

static pli_status create_ranges(pli_memory* memory, pli_pool* pool, const pli_near_null* near_null,
                                void** out, pli_error* error) {
    PLI_TRY(create(memory, pool, near_null, out, error));
    ((incomplete_cholesky*)*out)->ranges = true;
    return PLI_OK;
}

static void destroy(void* object) {
    incomplete_cholesky* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    PLI_FREE(memory, self->factor, self->factor_capacity);
    PLI_FREE(memory, self->work, self->work_capacity);
    pli_domains_free(&self->domains);
    PLI_FREE(memory, self->inner, self->inner_capacity);
    PLI_FREE(memory, self->row_start, self->row_start_capacity);
    PLI_FREE(memory, self->row_block, self->row_block_capacity);
    PLI_FREE(memory, self->row_column, self->row_column_capacity);
    PLI_FREE(memory, self, 1);
}

// Domains of equal numbers of groups, without separators.
static void cut_ranges(incomplete_cholesky* self) {
    int n = self->given->group_count;
    self->domain_count = pli_max_int(1, pli_min_int(n / RANGE_GROUPS, MAX_RANGES));
    for (int d = 0; d <= self->domain_count; ++d)
        self->domain[d] = (int32_t)((int64_t)n * d / self->domain_count);
    self->pattern = self->given;
}

static pli_status cut_domains(incomplete_cholesky* self, pli_error* error) {
    PLI_TRY(pli_domains_cut(&self->domains, self->given, DOMAIN_GROUPS, self->pool, error));
    self->domain_count = self->domains.count;
    for (int d = 0; d <= self->domain_count; ++d) self->domain[d] = self->domains.first[d];
    self->pattern = self->domain_count > 1 ? &self->domains.pattern : self->given;
    if (self->pattern == self->given) return PLI_OK;
    return PLI_GROW(self->memory, self->work, self->work_capacity, self->given->unknown_count,
                    error);
}

static void find_inner(incomplete_cholesky* self) {
    const pli_pattern* pattern = self->pattern;
    for (int d = 0; d < self->domain_count; ++d)
        for (int j = self->domain[d]; j < self->domain[d + 1]; ++j) {
            int end = pattern->block_start[j + 1];
            while (pattern->block_row[end - 1] >= self->domain[d + 1]) --end; // j itself is inside
            self->inner[j] = end;
        }
    for (int j = self->domain[self->domain_count]; j < pattern->group_count; ++j)
        self->inner[j] = pattern->block_start[j + 1];
}

// The end of the blocks of a column that are part of the factor.
static int column_end(const incomplete_cholesky* self, int j) {
    return self->ranges ? self->inner[j] : self->pattern->block_start[j + 1];
}

// Builds row lists from columns: counts, then fills with row_start as cursor, which is restored at
// the end.
static void list_rows(incomplete_cholesky* self) {
    const pli_pattern* pattern = self->pattern;
    int n = pattern->group_count;
    memset(self->row_start, 0, sizeof *self->row_start * (size_t)(n + 1));
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < column_end(self, j); ++b)
            self->row_start[pattern->block_row[b] + 1]++;
    for (int k = 0; k < n; ++k) self->row_start[k + 1] += self->row_start[k];
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < column_end(self, j); ++b) {
            int at = self->row_start[pattern->block_row[b]]++;
            self->row_block[at] = b;
            self->row_column[at] = j;
        }
    memmove(self->row_start + 1, self->row_start, sizeof *self->row_start * (size_t)n);
    self->row_start[0] = 0;
}

static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    incomplete_cholesky* self = object;
    self->whole = false;
    self->given = pattern;
    PLI_TRY(
        PLI_GROW(self->memory, self->factor, self->factor_capacity, pattern->value_count, error));
    PLI_TRY(
        PLI_RESERVE(self->memory, self->inner, self->inner_capacity, pattern->group_count, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->row_start, self->row_start_capacity,
                        pattern->group_count + 1, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->row_block, self->row_block_capacity,
                        pattern->block_count, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->row_column, self->row_column_capacity,
                        pattern->block_count, error));
    if (self->ranges)
        cut_ranges(self);
    else
        PLI_TRY(cut_domains(self, error));
    find_inner(self);
    list_rows(self);
    return PLI_OK;
}

// X = X L^-T for the `count` rows under the w x w triangle at `l`.
static void solve_below(int width, double* l, int height, int count) {
    for (int c = 0; c < width; ++c) {
        double* target = l + c * height + width;
        for (int d = 0; d < c; ++d) {
            const double* source = l + d * height + width;
            double weight = l[d * height + c];
            for (int k = 0; k < count; ++k) target[k] -= source[k] * weight;
        }
        for (int k = 0; k < count; ++k) target[k] *= l[c * height + c];
    }
}

// The blocks of one update A -= B C^T; B and C lie in the same block column.
typedef struct update {
    double* a;
    const double *b, *c;
    int a_height, b_height; // leading dimensions of A, and of B and C
} update;

static inline void apply_update(int rows, int columns, int inner, const update* u) {
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) {
            double sum = 0;
            for (int k = 0; k < inner; ++k)
                sum += u->b[k * u->b_height + i] * u->c[k * u->b_height + j];
            u->a[j * u->a_height + i] -= sum;
        }
}

// Block k of column J is in row group K: subtracts the update of column J from column K. Both
// columns are sorted, so the common rows are found by a merge.
static void update_column(const incomplete_cholesky* self, int j, int k) {
    const pli_pattern* pattern = self->pattern;
    const int32_t* offset = pattern->group_offset;
    int column = pattern->block_row[k];
    int inner = offset[j + 1] - offset[j], columns = offset[column + 1] - offset[column];
    int target = pattern->block_start[column];
    update u = {.c = self->factor + pattern->block_value[k],
                .a_height = pattern->column_height[column],
                .b_height = pattern->column_height[j]};
    int end = column_end(self, j), target_end = column_end(self, column);
    for (int i = k; i < end; ++i) {
        int row = pattern->block_row[i];
        while (target < target_end && pattern->block_row[target] < row) target++;
        if (target == target_end) return;
        if (pattern->block_row[target] != row) continue;
        u.a = self->factor + pattern->block_value[target];
        u.b = self->factor + pattern->block_value[i];
        int rows = offset[row + 1] - offset[row];
        if (rows == 2 && columns == 2 && inner == 2)
            apply_update(2, 2, 2, &u);
        else if (rows == 3 && columns == 3 && inner == 3)
            apply_update(3, 3, 3, &u);
        else
            apply_update(rows, columns, inner, &u);
    }
}

// Scalar rows of column group j down to block `end`.
static int height_to(const incomplete_cholesky* self, int j, int end) {
    const pli_pattern* pattern = self->pattern;
    if (end == pattern->block_start[j + 1]) return pattern->column_height[j];
    return pattern->block_value[end] - pattern->block_value[pattern->block_start[j]];
}

typedef struct attempt {
    incomplete_cholesky* self;
    const double* values;
    const uint8_t* changed; // NULL: all
    double shift;
} attempt;

static int old_number(const incomplete_cholesky* self, int group) {
    return self->pattern == self->given ? group : self->domains.order[group];
}

// Must column k be recomputed? Yes if it, or a column that updates it, has changed. If the order
// differs, some of its blocks belong to the columns of its rows.
static bool needs_work(const attempt* at, int k) {
    const incomplete_cholesky* self = at->self;
    const pli_pattern* pattern = self->pattern;
    if (!at->changed || at->changed[old_number(self, k)]) return true;
    for (int i = self->row_start[k]; i < self->row_start[k + 1]; ++i)
        if (at->changed[old_number(self, self->row_column[i])]) return true;
    if (pattern == self->given) return false;
    for (int b = pattern->block_start[k] + 1; b < pattern->block_start[k + 1]; ++b)
        if (at->changed[self->domains.order[pattern->block_row[b]]]) return true;
    return false;
}

// Copies block b of column k from the given order, transposed if needed.
static void fetch_block(const attempt* at, int k, int b) {
    const incomplete_cholesky* self = at->self;
    const pli_pattern *to = self->pattern, *from = self->given;
    const int32_t* order = self->domains.order;
    int row = order[to->block_row[b]], column = order[k];
    int rows = from->group_offset[row + 1] - from->group_offset[row];
    int columns = from->group_offset[column + 1] - from->group_offset[column];
    int to_height = to->column_height[k];
    int from_height = from->column_height[pli_min_int(row, column)];
    double* target = self->factor + to->block_value[b];
    const double* source = at->values + from->block_value[self->domains.source[b]];
    for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rows; ++r)
            target[c * to_height + r] =
                row >= column ? source[c * from_height + r] : source[r * from_height + c];
}

// Column k of H + s diag(H) into the factor.
static void fetch_column(const attempt* at, int k) {
    const incomplete_cholesky* self = at->self;
    const pli_pattern* pattern = self->pattern;
    const int32_t *offset = pattern->group_offset, *start = pattern->start;
    if (pattern == self->given)
        memcpy(self->factor + start[offset[k]], at->values + start[offset[k]],
               (size_t)(start[offset[k + 1]] - start[offset[k]]) * sizeof(double));
    else
        for (int b = pattern->block_start[k]; b < pattern->block_start[k + 1]; ++b)
            fetch_block(at, k, b);
    for (int c = 0; c < offset[k + 1] - offset[k]; ++c)
        self->factor[start[offset[k] + c] + c] *= 1 + at->shift;
}

// Applies the updates of columns [first, end) to column k. Returns the next position in the row
// list.
static int take_columns(const incomplete_cholesky* self, int k, int i, int end) {
    for (; i < self->row_start[k + 1] && self->row_column[i] < end; ++i)
        update_column(self, self->row_column[i], self->row_block[i]);
    return i;
}

// Left-looking factorization of all columns. False if it breaks down.
static bool finish_column(const incomplete_cholesky* self, int k) {
    const pli_pattern* pattern = self->pattern;
    const int32_t* offset = pattern->group_offset;
    int width = offset[k + 1] - offset[k], height = pattern->column_height[k];
    if (width == 0) return true;
    double* diagonal = self->factor + pattern->start[offset[k]];
    if (!pli_block_factorize(width, diagonal, height)) return false;
    solve_below(width, diagonal, height, height_to(self, k, column_end(self, k)) - width);
    return true;
}

static void factorize_domains(void* context, int first, int end) {
    const attempt* at = context;
    incomplete_cholesky* self = at->self;
    for (int d = first; d < end; ++d) {
        self->done[d] = true;
        for (int k = self->domain[d]; k < self->domain[d + 1] && self->done[d]; ++k) {
            if (!needs_work(at, k)) continue;
            fetch_column(at, k);
            (void)take_columns(self, k, self->row_start[k], k);
            self->done[d] = finish_column(self, k);
        }
    }
}

// Separators are updated by the domains in parallel, and by each other in order.
static void join_separators(void* context, int first, int end) {
    const attempt* at = context;
    const incomplete_cholesky* self = at->self;
    int separator = self->domain[self->domain_count];
    for (int k = separator + first; k < separator + end; ++k) {
        if (!needs_work(at, k)) continue;
        fetch_column(at, k);
        (void)take_columns(self, k, self->row_start[k], separator);
    }
}

static bool factorize_separators(attempt* at) {
    const incomplete_cholesky* self = at->self;
    int separator = self->domain[self->domain_count], n = self->pattern->group_count;
    pli_parallel_for(self->pool, n - separator, GRAIN, join_separators, at);
    for (int k = separator; k < n; ++k) {
        if (!needs_work(at, k)) continue;
        int i = self->row_start[k];
        while (i < self->row_start[k + 1] && self->row_column[i] < separator) ++i;
        (void)take_columns(self, k, i, k);
        if (!finish_column(self, k)) return false;
    }
    return true;
}

static pli_status factorize(void* object, const double* values, const uint8_t* changed,
                            bool* definite, pli_error* error) {
    (void)error;
    incomplete_cholesky* self = object;
    const double first_shift = 1e-3, shift_growth = 4;
    const int try_count = 10; // up to a shift of 262, beyond which M is nearly diagonal
    double shift = 0;
    bool mend = self->whole && changed;
    *definite = self->pattern->value_count == 0;
    for (int i = mend ? -1 : 0; i < try_count && !*definite; ++i) {
        attempt at = {self, values, i < 0 ? changed : NULL, shift};
        pli_parallel_for(self->pool, self->domain_count, 1, factorize_domains, &at);
        *definite = true;
        for (int d = 0; d < self->domain_count; ++d) *definite &= self->done[d];
        if (*definite) *definite = factorize_separators(&at);
        self->whole = *definite && shift == 0;
        if (i >= 0) shift = i == 0 ? first_shift : shift * shift_growth;
    }
    return PLI_OK;
}

// Scalar rows of a column that lie below block `end`.
static int height_from(const incomplete_cholesky* self, int j, int end) {
    return self->pattern->column_height[j] - height_to(self, j, end);
}

typedef struct application {
    const incomplete_cholesky* self;
    const double* r;
    double *z, *x; // the result, and in the order of the factor
} application;

// Permutes between the given order and that of the factor.
static void fetch_groups(const application* a, int first, int end) {
    const incomplete_cholesky* self = a->self;
    const int32_t *to = self->pattern->group_offset, *from = self->given->group_offset;
    if (self->pattern == self->given) {
        memcpy(a->x + to[first], a->r + to[first], (size_t)(to[end] - to[first]) * sizeof *a->x);
        return;
    }
    for (int g = first; g < end; ++g)
        for (int c = to[g]; c < to[g + 1]; ++c)
            a->x[c] = a->r[from[self->domains.order[g]] + c - to[g]];
}

static void return_groups(const application* a, int first, int end) {
    const incomplete_cholesky* self = a->self;
    const int32_t *to = self->pattern->group_offset, *from = self->given->group_offset;
    if (self->pattern == self->given) return;
    for (int g = first; g < end; ++g)
        for (int c = to[g]; c < to[g + 1]; ++c)
            a->z[from[self->domains.order[g]] + c - to[g]] = a->x[c];
}

static void forward_range(const application* a, int begin, int end) {
    const incomplete_cholesky* self = a->self;
    for (int j = begin; j < end; ++j)
        pli_forward_group(self->pattern, self->factor, j, height_from(self, j, self->inner[j]),
                          a->x);
}

static void backward_range(const application* a, int begin, int end) {
    const incomplete_cholesky* self = a->self;
    for (int j = end - 1; j >= begin; --j)
        pli_backward_group(self->pattern, self->factor, j,
                           height_from(self, j, column_end(self, j)), a->x);
    return_groups(a, begin, end);
}

static void forward_domains(void* context, int first, int end) {
    const application* a = context;
    const int32_t* domain = a->self->domain;
    for (int d = first; d < end; ++d) {
        fetch_groups(a, domain[d], domain[d + 1]);
        forward_range(a, domain[d], domain[d + 1]);
    }
}

static void backward_domains(void* context, int first, int end) {
    const application* a = context;
    const int32_t* domain = a->self->domain;
    for (int d = first; d < end; ++d) backward_range(a, domain[d], domain[d + 1]);
}

// y -= L x for a block with leading dimension `height`.
static inline void subtract(int rows, int columns, const double* l, int height,
                            const double* restrict x, double* restrict y) {
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int c = 0; c < columns; ++c) sum += l[c * height + r] * x[c];
        y[r] -= sum;
    }
}

// Updates separators I by the domains: x_I -= sum over J of L_IJ x_J.
static void collect_separators(void* context, int first, int end) {
    const application* a = context;
    const incomplete_cholesky* self = a->self;
    const pli_pattern* pattern = self->pattern;
    const int32_t* offset = pattern->group_offset;
    int separator = self->domain[self->domain_count];
    fetch_groups(a, separator + first, separator + end);
    for (int k = separator + first; k < separator + end; ++k)
        for (int i = self->row_start[k];
             i < self->row_start[k + 1] && self->row_column[i] < separator; ++i) {
            int j = self->row_column[i], height = pattern->column_height[j];
            int rows = offset[k + 1] - offset[k], columns = offset[j + 1] - offset[j];
            const double* l = self->factor + pattern->block_value[self->row_block[i]];
            const double* x = a->x + offset[j];
            if (rows == 3 && columns == 3)
                subtract(3, 3, l, height, x, a->x + offset[k]);
            else
                subtract(rows, columns, l, height, x, a->x + offset[k]);
        }
}

static void apply(const void* object, const double* r, double* z) {
    const incomplete_cholesky* self = object;
    application a = {self, r, z, self->pattern == self->given ? z : self->work};
    int separator = self->domain[self->domain_count], n = self->pattern->group_count;
    if (self->pattern->unknown_count == 0) return;
    pli_parallel_for(self->pool, self->domain_count, 1, forward_domains, &a);
    pli_parallel_for(self->pool, n - separator, GRAIN, collect_separators, &a);
    forward_range(&a, separator, n);
    backward_range(&a, separator, n);
    pli_parallel_for(self->pool, self->domain_count, 1, backward_domains, &a);
}

static int64_t nonzeros(const void* object) {
    const incomplete_cholesky* self = object;
    return self->given ? self->given->value_count : 0;
}

const pli_preconditioner_ops pli_incomplete_cholesky = {
    .name = "incomplete-cholesky",
    .help = "block Cholesky factor without fill: few iterations",
    .price = {.setup = 1, .iteration = 1},
    .create = create,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .apply = apply,
    .nonzeros = nonzeros,
};

const pli_preconditioner_ops pli_domain_cholesky = {
    .name = "domain-cholesky",
    .help = "incomplete-cholesky by ranges, without the couplings between them",
    .create = create_ranges,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .apply = apply,
    .nonzeros = nonzeros,
};
