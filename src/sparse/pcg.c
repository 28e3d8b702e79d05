// Preconditioned conjugate gradients from x = 0. Only create and analyze allocate memory.
//
// Every iterate minimizes the error in the norm of H over a growing space, so the last one is the
// best. The residual of the recurrence drifts away from b - H x. So when the recurrence has
// converged, the true residual is computed; if it is too large, the iteration restarts from there,
// as long as that helps. Sums are computed per block of unknowns and added in block order: the same
// bits for any number of threads.
#include "sparse/pcg.h"
#include "math/vec.h"
#include "sparse/preconditioner.h"
#include "sparse/product.h"

#include <string.h>

enum { BLOCK = 8192 }; // unknowns

typedef struct pcg {
    pli_memory* memory;
    pli_pool* pool;
    const pli_preconditioner_ops* ops;
    void* preconditioner;
    int max_iterations;
    const pli_pattern* pattern;
    const double* values;
    const pli_low_rank* low; // NULL: H is the matrix of the values
    bool positive_definite;  // as far as the preconditioner can tell
    pli_product product;
    double *r, *z, *p, *q; // residual, M^-1 r, direction, H p
    double* partial;       // sums of blocks
    int capacity[5];
    pli_linear_info info;
} pcg;

static void destroy(void* object) {
    pcg* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    self->ops->destroy(self->preconditioner);
    PLI_FREE(memory, self->r, self->capacity[0]);
    PLI_FREE(memory, self->z, self->capacity[1]);
    PLI_FREE(memory, self->p, self->capacity[2]);
    PLI_FREE(memory, self->q, self->capacity[3]);
    PLI_FREE(memory, self->partial, self->capacity[4]);
    pli_product_free(&self->product);
    PLI_FREE(memory, self, 1);
}

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_linear_def* def, void** out,
                         pli_error* error) {
    const char* name = def->preconditioner ? def->preconditioner : pli_preconditioner_name(0);
    const pli_preconditioner_ops* ops = pli_preconditioner_find(name);
    if (!ops) return pli_fail(error, PLI_E_ARGUMENT, "preconditioner \"%s\" is unknown", name);
    if (def->max_iterations < 1)
        return pli_fail(error, PLI_E_ARGUMENT, "pcg: iteration cap = %d, must be at least 1",
                        def->max_iterations);
    pcg* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    self->pool = pool;
    pli_product_init(&self->product, memory, pool);
    self->ops = ops;
    self->max_iterations = def->max_iterations;
    pli_status status = ops->create(memory, pool, &def->near_null, &self->preconditioner, error);
    if (status != PLI_OK) {
        destroy(self);
        return status;
    }
    *out = self;
    return PLI_OK;
}

void pli_pcg_limit(void* object, int max_iterations) {
    pcg* self = object;
    self->max_iterations = max_iterations;
}

static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    pcg* self = object;
    pli_memory* memory = self->memory;
    int n = pattern->unknown_count;
    self->positive_definite = false;
    PLI_TRY(PLI_GROW(memory, self->r, self->capacity[0], n, error));
    PLI_TRY(PLI_GROW(memory, self->z, self->capacity[1], n, error));
    PLI_TRY(PLI_GROW(memory, self->p, self->capacity[2], n, error));
    PLI_TRY(PLI_GROW(memory, self->q, self->capacity[3], n, error));
    PLI_TRY(PLI_GROW(memory, self->partial, self->capacity[4], n / BLOCK + 1, error));
    PLI_TRY(pli_product_analyze(&self->product, pattern, error));
    PLI_TRY(self->ops->analyze(self->preconditioner, pattern, error));
    self->pattern = pattern;
    return PLI_OK;
}

static void add(void* object, const pli_low_rank* low) {
    pcg* self = object;
    self->low = low;
}

// y = H x
static void multiply(const pcg* self, const double* x, double* y) {
    pli_product_multiply(&self->product, self->values, x, y);
    pli_low_rank_multiply(self->low, x, y);
}

static pli_status factorize(void* object, const double* values, const uint8_t* changed,
                            pli_linear_verdict* verdict, pli_error* error) {
    pcg* self = object;
    PLI_ASSERT(self->pattern);
    self->values = values;
    self->positive_definite = false;
    bool definite;
    PLI_TRY(self->ops->factorize(self->preconditioner, values, changed, &definite, error));
    self->positive_definite = definite;
    self->info.factor_nonzeros = self->ops->nonzeros(self->preconditioner);
    *verdict = self->positive_definite ? PLI_LINEAR_OK : PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    return PLI_OK;
}

// One loop over all unknowns, block by block.
typedef struct sweep {
    pcg* self;
    const double *a, *b;
    double weight;
    double* x;
} sweep;

static double sweep_sum(sweep* s, pli_range_fn* body) {
    pcg* self = s->self;
    int n = self->pattern->unknown_count;
    double sum = 0;
    pli_parallel_for(self->pool, n, BLOCK, body, s);
    for (int k = 0; k * BLOCK < n; ++k) sum += self->partial[k];
    return sum;
}

static void dot_block(void* context, int first, int end) {
    const sweep* s = context;
    s->self->partial[first / BLOCK] = pli_dot(s->a + first, s->b + first, end - first);
}

static double dot(pcg* self, const double* a, const double* b) {
    sweep s = {.self = self, .a = a, .b = b};
    return sweep_sum(&s, dot_block);
}

// p = z + weight p
static void turn_block(void* context, int first, int end) {
    const sweep* s = context;
    const pcg* self = s->self;
    for (int i = first; i < end; ++i) self->p[i] = self->z[i] + s->weight * self->p[i];
}

// x += weight p, r -= weight q, and the sum r^T r
static void step_block(void* context, int first, int end) {
    const sweep* s = context;
    const pcg* self = s->self;
    pli_axpy(s->weight, self->p + first, s->x + first, end - first);
    pli_axpy(-s->weight, self->q + first, self->r + first, end - first);
    self->partial[first / BLOCK] = pli_dot(self->r + first, self->r + first, end - first);
}

// Conjugate gradients from x with residual r until |r| <= target by recurrence, or the iteration
// cap:
//   alpha = r^T z / p^T H p,  x += alpha p,  r -= alpha H p,
//   z = M^-1 r,  beta = (r^T z)_new / (r^T z)_old,  p = z + beta p.
// False if a direction with curvature <= 0 shows that H is not positive definite, or if the
// iteration must be given up.
static bool iterate(pcg* self, double target, double* x) {
    int n = self->pattern->unknown_count;
    double rz_old = 0, rr;
    do {
        self->ops->apply(self->preconditioner, self->r, self->z);
        double rz = dot(self, self->r, self->z);
        sweep s = {.self = self, .weight = rz_old > 0 ? rz / rz_old : 0, .x = x};
        pli_parallel_for(self->pool, n, BLOCK, turn_block, &s);
        multiply(self, self->p, self->q);
        double curvature = dot(self, self->p, self->q);
        if (!(curvature > 0 && rz > 0)) return false;
        s.weight = rz / curvature;
        rr = sweep_sum(&s, step_block);
        rz_old = rz;
        self->info.iterations++;
        if (pli_pool_cancelled(self->pool)) return false;
    } while (self->info.iterations < self->max_iterations && sqrt(rr) > target);
    return true;
}

// Inner products of a very small or large b would overflow or underflow: returns a power of two
// that scales b to about 1, or 1 if none is needed.
static double range_scale(const double* b, int n) {
    double largest = 0;
    int exponent;
    for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(b[i]));
    bool ordinary = largest >= 1e-100 && largest <= 1e100;
    if (ordinary || largest == 0 || !isfinite(largest)) return 1;
    frexp(largest, &exponent);
    return ldexp(1, -pli_max_int(-1000, pli_min_int(exponent, 1000))); // its inverse is finite too
}

// H x = scale b
static pli_linear_verdict solve_from_zero(pcg* self, const double* b, double scale,
                                          double tolerance, double* x) {
    int n = self->pattern->unknown_count;
    const double least_gain = 0.9; // a restart that gains less than 10 % is the last
    for (int i = 0; i < n; ++i) {
        x[i] = 0;
        self->r[i] = scale * b[i];
    }
    double norm_b = sqrt(dot(self, self->r, self->r)), before = HUGE_VAL;
    self->info.iterations = 0;
    self->info.residual = norm_b == 0 ? 0 : 1;
    while (!(self->info.residual <= tolerance)) {
        if (self->info.iterations >= self->max_iterations ||
            !(self->info.residual <= least_gain * before))
            return PLI_LINEAR_NOT_CONVERGED;
        before = self->info.residual;
        if (!iterate(self, tolerance * norm_b, x)) return PLI_LINEAR_NOT_POSITIVE_DEFINITE;
        multiply(self, x, self->q);
        for (int i = 0; i < n; ++i) self->r[i] = scale * b[i] - self->q[i];
        self->info.residual = sqrt(dot(self, self->r, self->r)) / norm_b;
    }
    return PLI_LINEAR_OK;
}

static pli_status solve(void* object, const double* b, double tolerance, double* x,
                        pli_linear_verdict* verdict, pli_error* error) {
    pcg* self = object;
    PLI_ASSERT(tolerance > 0 && tolerance < 1);
    *verdict = PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    if (!self->positive_definite) return PLI_OK;
    int n = self->pattern->unknown_count;
    double scale = range_scale(b, n);
    *verdict = solve_from_zero(self, b, scale, tolerance, x);
    for (int i = 0; i < n && scale != 1; ++i) x[i] /= scale;
    return pli_pool_check(self->pool, error);
}

// Does all of it: a preconditioner needs about as much memory as the matrix.
static pli_status plan(void* object, const pli_pattern* pattern, const double* values, size_t* rest,
                       pli_error* error) {
    pli_linear_verdict unused;
    *rest = 0;
    PLI_TRY(analyze(object, pattern, error));
    return factorize(object, values, NULL, &unused, error);
}

// The relative error is at most the condition number times the residual: below this residual the
// norm of a solution is right for all but extremely ill-conditioned matrices.
static const double loose_residual = 1e-7;

static void info(const void* object, pli_linear_info* out) {
    const pcg* self = object;
    *out = self->info;
    out->loose = !(self->info.residual <= loose_residual);
}

static void save(const void* object, pli_pack* out) {
    const pcg* self = object;
    if (self->ops->save) self->ops->save(self->preconditioner, out);
}

static pli_status restore(void* object, int group_count, const pli_pattern* pattern, pli_unpack* in,
                          pli_error* error) {
    pcg* self = object;
    if (self->ops->restore)
        PLI_TRY(self->ops->restore(self->preconditioner, group_count, pattern != NULL, in, error));
    return pattern && in->apply && pli_unpack_good(in) ? analyze(self, pattern, error) : PLI_OK;
}

const pli_linear_ops pli_pcg = {
    .name = "pcg",
    .help = "preconditioned conjugate gradients: little memory, for large solids",
    .iterative = true,
    .multiplies = true,
    .create = create,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .solve = solve,
    .info = info,
    .add = add,
    .save = save,
    .restore = restore,
    .plan = plan,
};
