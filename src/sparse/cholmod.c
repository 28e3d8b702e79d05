// Sparse Cholesky, H = L L^T, by CHOLMOD [Chen08].
//
// The values are read in place: a cholmod_sparse header points to the pattern and to them. L L^T is
// used (never L D L^T), so that a pivot <= 0 is detected in both of CHOLMOD's modes. CHOLMOD
// allocates with malloc; the same amount is claimed from our memory budget: an estimate before the
// factor is built, later the amount that CHOLMOD reports.
#include "sparse/foreign.h"
#include "sparse/linear.h"
#include "sparse/ordering.h"

#include <cholmod.h>
#include <math.h>
#include <string.h>

// Tuned on grids of 25 to 26000 groups of width 2 and 3. Supernodes larger than CHOLMOD's default
// gain 15 % there (fewer BLAS and OpenMP calls); below this ratio of flops to nonzeros of L the
// simplicial mode is faster.
static const size_t relax_columns[3] = {8, 32, 64};
static const double relax_zeros[3] = {0.8, 0.2, 0.05};
static const double supernodal_switch = 30;

typedef struct cholesky {
    pli_memory* memory;
    cholmod_common common;
    const pli_pattern* pattern;
    cholmod_sparse matrix; // a view of pattern and values
    cholmod_factor* factor;
    cholmod_dense *x, *y, *e; // work space that cholmod_solve2 keeps
    pli_ordering ordering;
    int32_t* group_order;
    int32_t* unknown_order;
    int group_capacity, unknown_capacity;
    bool positive_definite; // the last factor is complete
    size_t claimed;         // bytes allocated by CHOLMOD
} cholesky;

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_linear_def* def, void** out,
                         pli_error* error) {
    (void)pool;
    (void)def;
    cholesky* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    pli_ordering_init(&self->ordering, memory);
    cholmod_common* common = &self->common;
    cholmod_start(common);
    common->print = 0;
    common->error_handler = NULL;
    common->final_ll = true;
    common->quick_return_if_not_posdef = true;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_GIVEN;
    common->postorder = true;
    common->supernodal = CHOLMOD_AUTO;
    common->supernodal_switch = supernodal_switch;
    memcpy(common->nrelax, relax_columns, sizeof relax_columns);
    memcpy(common->zrelax, relax_zeros, sizeof relax_zeros);
    *out = self;
    return PLI_OK;
}

static void destroy(void* object) {
    cholesky* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    cholmod_free_factor(&self->factor, &self->common);
    cholmod_free_dense(&self->x, &self->common);
    cholmod_free_dense(&self->y, &self->common);
    cholmod_free_dense(&self->e, &self->common);
    cholmod_finish(&self->common);
    (void)pli_claim(memory, &self->claimed, 0, NULL);
    pli_ordering_free(&self->ordering);
    PLI_FREE(memory, self->group_order, self->group_capacity);
    PLI_FREE(memory, self->unknown_order, self->unknown_capacity);
    PLI_FREE(memory, self, 1);
}

static pli_status cholmod_failed(const cholesky* self, const char* what, pli_error* error) {
    int status = self->common.status;
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        return pli_fail(error, PLI_E_MEMORY, "out of memory in the %s of %d unknowns by CHOLMOD",
                        what, self->pattern->unknown_count);
    return pli_fail(error, PLI_E_ARGUMENT, "CHOLMOD: the %s of %d unknowns failed with status %d",
                    what, self->pattern->unknown_count, status);
}

// The lower triangle in CHOLMOD's format, without values. Entries above the diagonal are ignored
// (stype -1).
static cholmod_sparse view(int n, int32_t* start, int32_t* row) {
    return (cholmod_sparse){
        .nrow = (size_t)n,
        .ncol = (size_t)n,
        .nzmax = (size_t)start[n],
        .p = start,
        .i = row,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_PATTERN,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = true,
        .packed = true,
    };
}

// The order of the groups, then of their unknowns.
static pli_status order(cholesky* self, pli_error* error) {
    const pli_pattern* pattern = self->pattern;
    pli_memory* memory = self->memory;
    PLI_TRY(PLI_GROW(memory, self->group_order, self->group_capacity, pattern->group_count, error));
    PLI_TRY(PLI_GROW(memory, self->unknown_order, self->unknown_capacity, pattern->unknown_count,
                     error));
    PLI_TRY(pli_order_groups(&self->ordering, pattern, self->group_order, error));
    int32_t* next = self->unknown_order;
    for (int k = 0; k < pattern->group_count; ++k) {
        int group = self->group_order[k];
        for (int i = pattern->group_offset[group]; i < pattern->group_offset[group + 1]; ++i)
            *next++ = i;
    }
    return PLI_OK;
}

static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    cholesky* self = object;
    self->pattern = pattern;
    self->positive_definite = false;
    cholmod_free_factor(&self->factor, &self->common);
    if (pattern->unknown_count == 0) return PLI_OK;
    PLI_TRY(order(self, error));
    self->matrix = view(pattern->unknown_count, pattern->start, pattern->row);
    self->factor = cholmod_analyze_p(&self->matrix, self->unknown_order, NULL, 0, &self->common);
    if (!self->factor) return cholmod_failed(self, "analysis", error);
    return pli_claim(self->memory, &self->claimed, self->common.memory_inuse, error);
}

// Memory of factorize. Supernodal: the panels and the largest update. Simplicial: numbers and rows,
// with the slack that CHOLMOD leaves for growing columns.
static size_t factor_size(const cholesky* self) {
    const cholmod_factor* f = self->factor;
    if (!f || f->xtype != CHOLMOD_PATTERN) return 0; // already allocated
    if (f->is_super) return (f->xsize + f->maxcsize + self->matrix.nrow) * sizeof(double);
    return (size_t)(self->common.grow0 * self->common.lnz) * (sizeof(double) + sizeof(int32_t)) +
           6 * f->n * sizeof(double);
}

static pli_status plan(void* object, const pli_pattern* pattern, const double* values, size_t* rest,
                       pli_error* error) {
    (void)values;
    PLI_TRY(analyze(object, pattern, error));
    *rest = factor_size(object);
    return PLI_OK;
}

static pli_status factorize(void* object, const double* values, const uint8_t* changed,
                            pli_linear_verdict* verdict, pli_error* error) {
    (void)changed;
    cholesky* self = object;
    PLI_ASSERT(self->pattern);
    self->positive_definite = self->pattern->unknown_count == 0;
    *verdict = PLI_LINEAR_OK;
    if (self->pattern->unknown_count == 0) return PLI_OK;
    PLI_TRY(pli_claim(self->memory, &self->claimed, self->common.memory_inuse + factor_size(self),
                      error));
    self->matrix.xtype = CHOLMOD_REAL;
    memcpy(&self->matrix.x, &values, sizeof values); // CHOLMOD reads them but has no const
    int token = pli_single_threaded_enter();
    int done = cholmod_factorize(&self->matrix, self->factor, &self->common);
    pli_single_threaded_leave(token);
    (void)pli_claim(self->memory, &self->claimed, self->common.memory_inuse, NULL);
    if (!done) return cholmod_failed(self, "factorization", error);
    self->positive_definite =
        self->common.status == CHOLMOD_OK && self->factor->minor == self->factor->n;
    if (!self->positive_definite) *verdict = PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    return PLI_OK;
}

static pli_status solve(void* object, const double* b, double tolerance, double* x,
                        pli_linear_verdict* verdict, pli_error* error) {
    (void)tolerance;
    cholesky* self = object;
    *verdict = PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    if (!self->positive_definite) return PLI_OK;
    *verdict = PLI_LINEAR_OK;
    int n = self->pattern->unknown_count;
    if (n == 0) return PLI_OK;
    cholmod_dense right = {.nrow = (size_t)n,
                           .ncol = 1,
                           .nzmax = (size_t)n,
                           .d = (size_t)n,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
    memcpy(&right.x, &b, sizeof b);
    int token = pli_single_threaded_enter();
    int done = cholmod_solve2(CHOLMOD_A, self->factor, &right, NULL, &self->x, NULL, &self->y,
                              &self->e, &self->common);
    pli_single_threaded_leave(token);
    if (!done) return cholmod_failed(self, "solution", error);
    memcpy(x, self->x->x, (size_t)n * sizeof *x);
    // NaN values may pass the pivot test; the solution reveals them.
    for (int i = 0; i < n; ++i)
        if (!isfinite(x[i])) *verdict = PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    return PLI_OK;
}

static void info(const void* object, pli_linear_info* out) {
    const cholesky* self = object;
    *out = (pli_linear_info){0};
    if (self->factor) out->factor_nonzeros = (int64_t)self->common.lnz;
}

const pli_linear_ops pli_cholmod = {
    .name = "cholesky",
    .help = "sparse Cholesky factor (CHOLMOD): exact, best for thin and plane bodies",
    .create = create,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .solve = solve,
    .info = info,
    .plan = plan,
};
