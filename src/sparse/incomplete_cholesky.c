// Incomplete Cholesky without fill, by blocks: M = L L^T with L in the pattern of H.
//
// Columns from left to right; column K takes what earlier columns J give to its blocks in the
// pattern, and is finished by the Cholesky factor of its diagonal block:
//   A_IK -= L_IJ L_KJ^T,  L_KK L_KK^T = A_KK,  L_IK = A_IK L_KK^-T.
// Where H has changed in some columns only, these and their neighbours are made anew, and the
// others stay: what changed far away hardly reaches them, and L L^T is positive definite whatever
// L. As a part of the multilevel preconditioner large matrices are cut into domains, ranges of
// groups, whose couplings to each other are left out: threads work on them side by side, and since
// the cuts follow from the pattern alone, M does not depend on their number. Alone it stays whole:
// two domains already cost a quarter more iterations, which other levels make up for.
//
// A positive definite H may still break down (a pivot <= 0) because fill was dropped. Then H + s
// diag(H) is tried with a growing s [Manteuffel80]; every factorize starts with s = 0, so that M
// depends on H alone.
#include "sparse/dense_block.h"
#include "sparse/preconditioner.h"
#include "sparse/reserve.h"
#include "sparse/strip.h"

#include <string.h>

enum { DOMAIN_GROUPS = 8192, MAX_DOMAINS = 64 };

typedef struct incomplete_cholesky {
    pli_memory* memory;
    pli_pool* pool;
    const pli_pattern* pattern;
    int max_domains;
    int domain_count;
    int32_t domain[MAX_DOMAINS + 1]; // first group
    bool done[MAX_DOMAINS];          // it did not break down
    int32_t* inner;                  // of column groups: the end of their blocks in the domain
    // Of row groups K: the blocks (K, J), J < K, in the domain are row_block[row_start[K]] to
    // row_start[K + 1], J ascending, and row_column says which J.
    int32_t *row_start, *row_block, *row_column;
    size_t inner_capacity, row_start_capacity, row_block_capacity, row_column_capacity;
    bool whole;     // the factor is that of the last values, without a shift
    double* factor; // as the values of the pattern; reciprocals on the diagonal
    int factor_capacity;
} incomplete_cholesky;

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_near_null* near_null,
                         void** out, pli_error* error) {
    (void)near_null;
    incomplete_cholesky* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    self->pool = pool;
    self->max_domains = 1;
    *out = self;
    return PLI_OK;
}

static pli_status create_domains(pli_memory* memory, pli_pool* pool, const pli_near_null* near_null,
                                 void** out, pli_error* error) {
    PLI_TRY(create(memory, pool, near_null, out, error));
    ((incomplete_cholesky*)*out)->max_domains = MAX_DOMAINS;
    return PLI_OK;
}

static void destroy(void* object) {
    incomplete_cholesky* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    PLI_FREE(memory, self->factor, self->factor_capacity);
    PLI_FREE(memory, self->inner, self->inner_capacity);
    PLI_FREE(memory, self->row_start, self->row_start_capacity);
    PLI_FREE(memory, self->row_block, self->row_block_capacity);
    PLI_FREE(memory, self->row_column, self->row_column_capacity);
    PLI_FREE(memory, self, 1);
}

// Domains of equal numbers of groups.
static void cut_domains(incomplete_cholesky* self) {
    const pli_pattern* pattern = self->pattern;
    int n = pattern->group_count;
    self->domain_count = pli_max_int(1, pli_min_int(n / DOMAIN_GROUPS, self->max_domains));
    for (int d = 0; d <= self->domain_count; ++d)
        self->domain[d] = (int32_t)((int64_t)n * d / self->domain_count);
    for (int d = 0; d < self->domain_count; ++d)
        for (int j = self->domain[d]; j < self->domain[d + 1]; ++j) {
            int end = pattern->block_start[j + 1];
            while (pattern->block_row[end - 1] >= self->domain[d + 1]) --end; // j itself is inside
            self->inner[j] = end;
        }
}

// Row lists from columns: counted, then filled with row_start as cursor, which is mended at last.
static void list_rows(incomplete_cholesky* self) {
    const pli_pattern* pattern = self->pattern;
    int n = pattern->group_count;
    memset(self->row_start, 0, sizeof *self->row_start * (size_t)(n + 1));
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < self->inner[j]; ++b)
            self->row_start[pattern->block_row[b] + 1]++;
    for (int k = 0; k < n; ++k) self->row_start[k + 1] += self->row_start[k];
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < self->inner[j]; ++b) {
            int at = self->row_start[pattern->block_row[b]]++;
            self->row_block[at] = b;
            self->row_column[at] = j;
        }
    memmove(self->row_start + 1, self->row_start, sizeof *self->row_start * (size_t)n);
    self->row_start[0] = 0;
}

static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    incomplete_cholesky* self = object;
    int need = pattern->value_count;
    self->whole = false;
    PLI_TRY(PLI_GROW(self->memory, self->factor, self->factor_capacity, need, error));
    PLI_TRY(
        PLI_RESERVE(self->memory, self->inner, self->inner_capacity, pattern->group_count, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->row_start, self->row_start_capacity,
                        pattern->group_count + 1, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->row_block, self->row_block_capacity,
                        pattern->block_count, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->row_column, self->row_column_capacity,
                        pattern->block_count, error));
    self->pattern = pattern;
    cut_domains(self);
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

// Block k of column J is row group K: subtracts what column J gives to column K. Both columns are
// sorted, so the common rows are found by walking down both.
static void update_column(const incomplete_cholesky* self, int j, int k) {
    const pli_pattern* pattern = self->pattern;
    const int32_t* offset = pattern->group_offset;
    int column = pattern->block_row[k];
    int inner = offset[j + 1] - offset[j], columns = offset[column + 1] - offset[column];
    int target = pattern->block_start[column];
    update u = {.c = self->factor + pattern->block_value[k],
                .a_height = pattern->column_height[column],
                .b_height = pattern->column_height[j]};
    for (int i = k; i < self->inner[j]; ++i) {
        int row = pattern->block_row[i];
        while (target < self->inner[column] && pattern->block_row[target] < row) target++;
        if (target == self->inner[column]) return;
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

// Scalar rows of column group j in its domain.
static int inner_height(const incomplete_cholesky* self, int j) {
    const pli_pattern* pattern = self->pattern;
    int end = self->inner[j];
    if (end == pattern->block_start[j + 1]) return pattern->column_height[j];
    return pattern->block_value[end] - pattern->block_value[pattern->block_start[j]];
}

typedef struct attempt {
    incomplete_cholesky* self;
    const double* values;
    const uint8_t* changed; // NULL: all
    double shift;
} attempt;

// Must column k be made anew? If it, or one that it takes from, has changed.
static bool needs_work(const attempt* at, int k) {
    const incomplete_cholesky* self = at->self;
    if (!at->changed || at->changed[k]) return true;
    for (int i = self->row_start[k]; i < self->row_start[k + 1]; ++i)
        if (at->changed[self->row_column[i]]) return true;
    return false;
}

// False if it breaks down.
static bool factorize_column(const attempt* at, int k) {
    const incomplete_cholesky* self = at->self;
    const pli_pattern* pattern = self->pattern;
    const int32_t* offset = pattern->group_offset;
    int width = offset[k + 1] - offset[k], height = pattern->column_height[k];
    if (width == 0) return true;
    double* diagonal = self->factor + pattern->start[offset[k]];
    memcpy(diagonal, at->values + pattern->start[offset[k]],
           (size_t)(pattern->start[offset[k + 1]] - pattern->start[offset[k]]) * sizeof(double));
    for (int c = 0; c < width; ++c)
        self->factor[pattern->start[offset[k] + c] + c] *= 1 + at->shift;
    for (int i = self->row_start[k]; i < self->row_start[k + 1]; ++i)
        update_column(self, self->row_column[i], self->row_block[i]);
    if (!pli_block_factorize(width, diagonal, height)) return false;
    solve_below(width, diagonal, height, inner_height(self, k) - width);
    return true;
}

static void factorize_domains(void* context, int first, int end) {
    const attempt* at = context;
    incomplete_cholesky* self = at->self;
    for (int d = first; d < end; ++d) {
        self->done[d] = true;
        for (int k = self->domain[d]; k < self->domain[d + 1] && self->done[d]; ++k)
            if (needs_work(at, k)) self->done[d] = factorize_column(at, k);
    }
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
        self->whole = *definite && shift == 0;
        if (i >= 0) shift = i == 0 ? first_shift : shift * shift_growth;
    }
    return PLI_OK;
}

// L y = x, in place, one strip.
static inline void forward(int width, const pli_strip* strip, const double* factor, double* x) {
    const double* l = factor + strip->top;
    int height = strip->height;
    double own[PLI_STRIP_WIDTH] = {0};
    for (int c = 0; c < width; ++c) own[c] = x[strip->first + c];
    for (int c = 0; c < width; ++c) {
        own[c] *= l[c * height + c];
        for (int r = c + 1; r < width; ++r) own[r] -= l[c * height + r] * own[c];
        x[strip->first + c] = own[c];
    }
    l += width;
    for (int k = 0; k < strip->below; ++k) {
        double sum = 0;
        for (int c = 0; c < width; ++c) sum += l[c * height + k] * own[c];
        x[strip->row[k]] -= sum;
    }
}

// L^T y = x, in place, one strip.
static inline void backward(int width, const pli_strip* strip, const double* factor, double* x) {
    const double* l = factor + strip->top;
    int height = strip->height;
    double own[PLI_STRIP_WIDTH] = {0};
    for (int c = 0; c < width; ++c) own[c] = x[strip->first + c];
    for (int k = 0; k < strip->below; ++k) {
        double other = x[strip->row[k]];
        for (int c = 0; c < width; ++c) own[c] -= l[c * height + width + k] * other;
    }
    for (int c = width - 1; c >= 0; --c) {
        for (int r = c + 1; r < width; ++r) own[c] -= l[c * height + r] * own[r];
        own[c] *= l[c * height + c];
        x[strip->first + c] = own[c];
    }
}

static void forward_group(const incomplete_cholesky* self, int group, int width, double* z) {
    int outer = self->pattern->column_height[group] - inner_height(self, group);
    for (int c = 0; c < width; c += PLI_STRIP_WIDTH) {
        pli_strip strip = pli_strip_at(self->pattern, group, c);
        strip.below -= outer;
        switch (strip.width) {
        case 1:
            forward(1, &strip, self->factor, z);
            break;
        case 2:
            forward(2, &strip, self->factor, z);
            break;
        case 3:
            forward(3, &strip, self->factor, z);
            break;
        default:
            forward(4, &strip, self->factor, z);
            break;
        }
    }
}

static void backward_group(const incomplete_cholesky* self, int group, int width, double* z) {
    int outer = self->pattern->column_height[group] - inner_height(self, group);
    for (int c = pli_last_strip(width); c >= 0; c -= PLI_STRIP_WIDTH) {
        pli_strip strip = pli_strip_at(self->pattern, group, c);
        strip.below -= outer;
        switch (strip.width) {
        case 1:
            backward(1, &strip, self->factor, z);
            break;
        case 2:
            backward(2, &strip, self->factor, z);
            break;
        case 3:
            backward(3, &strip, self->factor, z);
            break;
        default:
            backward(4, &strip, self->factor, z);
            break;
        }
    }
}

typedef struct application {
    const incomplete_cholesky* self;
    const double* r;
    double* z;
} application;

static void apply_domains(void* context, int first, int end) {
    const application* a = context;
    const incomplete_cholesky* self = a->self;
    const int32_t* offset = self->pattern->group_offset;
    for (int d = first; d < end; ++d) {
        int begin = self->domain[d], stop = self->domain[d + 1];
        memcpy(a->z + offset[begin], a->r + offset[begin],
               (size_t)(offset[stop] - offset[begin]) * sizeof *a->z);
        for (int j = begin; j < stop; ++j) forward_group(self, j, offset[j + 1] - offset[j], a->z);
        for (int j = stop - 1; j >= begin; --j)
            backward_group(self, j, offset[j + 1] - offset[j], a->z);
    }
}

static void apply(const void* object, const double* r, double* z) {
    const incomplete_cholesky* self = object;
    application a = {self, r, z};
    if (self->pattern->unknown_count == 0) return;
    pli_parallel_for(self->pool, self->domain_count, 1, apply_domains, &a);
}

static int64_t nonzeros(const void* object) {
    const incomplete_cholesky* self = object;
    return self->pattern ? self->pattern->value_count : 0;
}

const pli_preconditioner_ops pli_incomplete_cholesky = {
    .name = "incomplete-cholesky",
    .help = "block Cholesky factor without fill: few iterations",
    .create = create,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .apply = apply,
    .nonzeros = nonzeros,
};

const pli_preconditioner_ops pli_domain_cholesky = {
    .name = "domain-cholesky",
    .help = "the same by domains",
    .create = create_domains,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .apply = apply,
    .nonzeros = nonzeros,
};
