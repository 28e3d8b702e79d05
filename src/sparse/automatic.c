// Chooses the cheapest of a factorization and conjugate gradients with one of the preconditioners
// that have a cost estimate.
//
// The cost of the factor is known before the values: the symbolic analysis gives flops and
// nonzeros. One iteration of pcg costs in proportion to the nonzeros of H. The number of iterations
// with incomplete Cholesky is estimated from H. Stiffness does not resist translations, so the row
// sums over equal axes are what constrains a vertex: its inertia, and its supports if there are
// any. With d_J the diagonal and s_J the row sums of vertex J, over equal axes,
//
//     iterations = min(5 sqrt(mean of d_J / s_J), 1.5 (sum of d_J) / (sum of s_J)).
//
// The first is the root of a condition number, for inertia that acts on every vertex separately;
// the second is for supports that hold a stiff body as a whole. The multilevel preconditioner takes
// about 35 iterations at any size and stiffness, after a setup. Both hold for residuals of 1e-8.
// The last solve indicates how accurate the next is likely to be, and how wrong the estimate is for
// this body:
//
//     cost = value * nonzeros * (setup + iteration * iterations * log(tolerance) / log(1e-8) * c)
//     factor = flop * flops + entry * factor nonzeros                                          [s]
//
// with c = (iterations observed) / (iterations expected) of the last solve with that
// preconditioner; its logarithm is halved at every analysis. The cheapest is chosen, but never a
// factor that needs more than a fraction of the machine's memory or more than a limit allows. The
// constants were fitted to cubes, bars and slabs, soft and stiff; the table is in bench/README.md.
// If pcg needs more than `patience` times the cost of the factor, the factor is used until the next
// analysis. All costs are counted and none is timed, so the choice, and with it all bits, are the
// same for any number of threads.
#define _POSIX_C_SOURCE 200809L // sysconf
#include "sparse/linear.h"
#include "sparse/multifrontal.h"
#include "sparse/pcg.h"
#include "sparse/preconditioner.h"
#include "sparse/reserve.h"
#include "sparse/woodbury.h"

#include "math/elementary.h"
#include "math/vec.h"

#include <unistd.h>

// Seconds on one thread of a 3 GHz machine; only their ratios matter.
static const double flop = 1 / 32e9, entry = 1.3e-9, value = 2.5e-9;
static const double margin = 0.5;       // a factor is also exact, and its cost is certain
static const double patience = 1;       // multiple of the factor's cost
static const double memory_part = 0.4;  // fraction of the machine's memory that a factor may use
static const double nonzero_bytes = 24; // including zeros in fronts and update matrices
static const double usual_tolerance = 1e-8;

enum { MAX_METHODS = 4 };

typedef struct automatic {
    pli_memory* memory;
    void *direct, *pcg[MAX_METHODS];
    pli_preconditioner_price price[MAX_METHODS]; // of the preconditioners in pcg
    int method_count;
    int max_iterations;
    const pli_pattern* pattern;
    const double* values;
    const pli_low_rank* low; // NULL: nothing is added to the values
    pli_woodbury woodbury;   // of the factor
    double* row_sum;         // of groups
    size_t row_sum_capacity;
    double break_even; // cost of the factor in units of one iteration
    bool fits;         // the factor fits into memory
    int chosen;        // by the last factorize: a method, or -1 for the factor
    bool analyzed[MAX_METHODS];
    bool disappointed;              // pcg was too slow since the last analyze
    int wasted;                     // iterations before the factor took over, in the last solve
    double expected;                // iterations of the chosen method
    double tolerance;               // of the last solve
    double correction[MAX_METHODS]; // c above
} automatic;

static void destroy(void* object) {
    automatic* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    pli_multifrontal.destroy(self->direct);
    for (int k = 0; k < self->method_count; ++k) pli_pcg.destroy(self->pcg[k]);
    PLI_FREE(memory, self->row_sum, self->row_sum_capacity);
    pli_woodbury_free(&self->woodbury);
    PLI_FREE(memory, self, 1);
}

// Conjugate gradients with each preconditioner that has a price.
static pli_status create_methods(automatic* self, pli_pool* pool, const pli_linear_def* def,
                                 pli_error* error) {
    for (int i = 0; pli_preconditioner_at(i); ++i) {
        const pli_preconditioner_ops* ops = pli_preconditioner_at(i);
        pli_linear_def with = *def;
        int k = self->method_count;
        if (ops->price.iteration == 0) continue;
        PLI_ASSERT(k < MAX_METHODS);
        with.preconditioner = ops->name;
        PLI_TRY(pli_pcg.create(self->memory, pool, &with, &self->pcg[k], error));
        self->price[k] = ops->price;
        self->correction[k] = 1;
        self->method_count++;
    }
    return PLI_OK;
}

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_linear_def* def, void** out,
                         pli_error* error) {
    automatic* self;
    pli_status status;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    self->max_iterations = def->max_iterations;
    self->tolerance = usual_tolerance;
    pli_woodbury_init(&self->woodbury, memory);
    PLI_TRY_CLEANUP(status, pli_multifrontal.create(memory, pool, def, &self->direct, error));
    PLI_TRY_CLEANUP(status, create_methods(self, pool, def, error));
    *out = self;
    return PLI_OK;
cleanup:
    destroy(self);
    return status;
}

static void add(void* object, const pli_low_rank* low) {
    automatic* self = object;
    self->low = low;
    for (int k = 0; k < self->method_count; ++k) pli_pcg.add(self->pcg[k], low);
}

static double machine_bytes(void) {
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
}

static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    automatic* self = object;
    pli_factor_cost cost;
    self->pattern = NULL;
    for (int k = 0; k < self->method_count; ++k) {
        self->analyzed[k] = false;
        self->correction[k] = sqrt(self->correction[k]); // square root: halves its logarithm
    }
    PLI_TRY(pli_multifrontal_plan(self->direct, pattern, &cost, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->row_sum, self->row_sum_capacity, pattern->group_count,
                        error));
    self->pattern = pattern;
    double bytes = nonzero_bytes * cost.nonzeros; // estimated: the exact size depends on threads
    double room =
        (double)pli_memory_room(self->memory) + (double)pli_multifrontal_held(self->direct);
    self->fits = bytes <= fmin(room, memory_part * machine_bytes());
    self->disappointed = false;
    double factor = flop * cost.flops + entry * cost.nonzeros;
    double iteration = value * pattern->value_count;
    self->break_even = iteration > 0 ? factor / iteration : 0;
    return PLI_OK;
}

// Equal axes are the diagonals of blocks.
static double block_trace(const pli_pattern* pattern, const double* values, int j, int k) {
    const int32_t* offset = pattern->group_offset;
    int i = pattern->block_row[k];
    int n = pli_min_int(offset[i + 1] - offset[i], offset[j + 1] - offset[j]);
    const double* block = values + pattern->block_value[k];
    double trace = 0;
    for (int c = 0; c < n; ++c) trace += block[c * (pattern->column_height[j] + 1)];
    return trace;
}

// For incomplete Cholesky.
static double told_iterations(automatic* self, const double* values) {
    const pli_pattern* pattern = self->pattern;
    const double rounding = 1e-12; // relative to d_J: a smaller s_J counts as 0
    double *row_sum = self->row_sum, diagonals = 0, sums = 0, ratios = 0;
    for (int j = 0; j < pattern->group_count; ++j) row_sum[j] = 0;
    for (int j = 0; j < pattern->group_count; ++j)
        for (int k = pattern->block_start[j]; k < pattern->block_start[j + 1]; ++k) {
            double trace = block_trace(pattern, values, j, k);
            row_sum[j] += trace;
            if (pattern->block_row[k] != j) row_sum[pattern->block_row[k]] += trace;
        }
    for (int j = 0; j < pattern->group_count; ++j) {
        double diagonal = block_trace(pattern, values, j, pattern->block_start[j]);
        if (!(diagonal > 0)) continue;
        diagonals += diagonal;
        sums += row_sum[j];
        ratios += diagonal / fmax(row_sum[j], rounding * diagonal);
    }
    double by_inertia = 5 * sqrt(ratios / pattern->group_count);
    return sums > rounding * diagonals ? fmin(by_inertia, 1.5 * diagonals / sums) : by_inertia;
}

// Chooses the method for these values, -1: the factor; sets `expected`.
static int choose(automatic* self, const double* values) {
    double least = self->fits ? margin * self->break_even : HUGE_VAL;
    double exactness = pli_log(self->tolerance) / pli_log(usual_tolerance);
    int best = -1;
    if (self->fits && self->disappointed) return -1;
    for (int k = 0; k < self->method_count; ++k) {
        const pli_preconditioner_price* m = &self->price[k];
        double iterations = m->iterations > 0 ? m->iterations : told_iterations(self, values);
        double expected = fmax(1, exactness * iterations);
        double price = m->setup + m->iteration * expected * self->correction[k];
        if (!(price < least) && (best >= 0 || self->fits)) continue;
        least = price;
        best = k;
        self->expected = expected;
    }
    return best;
}

static pli_status factorize_directly(automatic* self, const uint8_t* changed,
                                     pli_linear_verdict* verdict, pli_error* error) {
    self->chosen = -1;
    PLI_TRY(pli_multifrontal_reserve(self->direct, error));
    PLI_TRY(pli_multifrontal.factorize(self->direct, self->values, changed, verdict, error));
    return pli_woodbury_factorize(&self->woodbury, &pli_multifrontal, self->direct, self->pattern,
                                  self->values, self->low, verdict, error);
}

static pli_status prepare(automatic* self, int k, pli_error* error) {
    if (!self->analyzed[k]) PLI_TRY(pli_pcg.analyze(self->pcg[k], self->pattern, error));
    self->analyzed[k] = true;
    double limit = self->fits ? ceil(patience * self->break_even / self->price[k].iteration) + 1
                              : self->max_iterations;
    pli_pcg_limit(self->pcg[k], (int)fmin(limit, self->max_iterations));
    return PLI_OK;
}

static pli_status factorize(void* object, const double* values, const uint8_t* changed,
                            pli_linear_verdict* verdict, pli_error* error) {
    automatic* self = object;
    PLI_ASSERT(self->pattern);
    int last = self->chosen;
    self->values = values;
    self->wasted = 0;
    self->chosen = choose(self, values);
    if (self->chosen < 0)
        return factorize_directly(self, last < 0 ? changed : NULL, verdict, error);
    PLI_TRY(prepare(self, self->chosen, error));
    if (self->chosen != last) changed = NULL; // its preconditioner belongs to other values
    PLI_TRY(pli_pcg.factorize(self->pcg[self->chosen], values, changed, verdict, error));
    if (*verdict == PLI_LINEAR_OK || !self->fits) return PLI_OK;
    return factorize_directly(self, NULL, verdict, error);
}

static pli_status solve(void* object, const double* b, double tolerance, double* x,
                        pli_linear_verdict* verdict, pli_error* error) {
    automatic* self = object;
    self->tolerance = tolerance;
    if (self->chosen >= 0) {
        void* pcg = self->pcg[self->chosen];
        PLI_TRY(pli_pcg.solve(pcg, b, tolerance, x, verdict, error));
        pli_linear_info info;
        pli_pcg.info(pcg, &info);
        double found = *verdict == PLI_LINEAR_OK ? info.iterations : 2 * info.iterations;
        if (*verdict != PLI_LINEAR_NOT_POSITIVE_DEFINITE && found > 0)
            self->correction[self->chosen] = found / self->expected;
        if (*verdict == PLI_LINEAR_OK || !self->fits) return PLI_OK;
        self->wasted = info.iterations;
        PLI_TRY(factorize_directly(self, NULL, verdict, error));
        self->disappointed = *verdict == PLI_LINEAR_OK;
    }
    return pli_woodbury_solve(&self->woodbury, b, tolerance, x, verdict, error);
}

// For the method it would choose now. If pcg turns out too slow, the factor is added.
static pli_status plan(void* object, const pli_pattern* pattern, const double* values, size_t* rest,
                       pli_error* error) {
    automatic* self = object;
    pli_linear_verdict unused;
    PLI_TRY(analyze(object, pattern, error));
    self->chosen = choose(self, values);
    *rest = self->chosen < 0 ? pli_multifrontal_rest(self->direct) : 0;
    if (self->chosen < 0) return PLI_OK;
    PLI_TRY(prepare(self, self->chosen, error));
    return pli_pcg.factorize(self->pcg[self->chosen], values, NULL, &unused, error);
}

static void info(const void* object, pli_linear_info* out) {
    const automatic* self = object;
    if (self->chosen >= 0) {
        pli_pcg.info(self->pcg[self->chosen], out);
    } else {
        pli_multifrontal.info(self->direct, out);
        out->iterations = self->wasted;
    }
}

static void save(const void* object, pli_pack* out) {
    const automatic* self = object;
    pli_pack_number(out, self->tolerance);
    pli_pack_int(out, self->disappointed);
    for (int k = 0; k < self->method_count; ++k) pli_pack_number(out, self->correction[k]);
    pli_multifrontal.save(self->direct, out);
    for (int k = 0; k < self->method_count; ++k) {
        pli_pack_int(out, self->analyzed[k]);
        pli_pcg.save(self->pcg[k], out);
    }
}

// The analysis halves the corrections, so they are set after it.
static pli_status restore(void* object, int group_count, const pli_pattern* pattern, pli_unpack* in,
                          pli_error* error) {
    automatic* self = object;
    double correction[MAX_METHODS], tolerance = pli_unpack_number(in, 0, 1, "tolerance");
    bool disappointed = pli_unpack_int(in, 0, 1, "disappointed"), analyzed[MAX_METHODS];
    for (int k = 0; k < self->method_count; ++k)
        correction[k] = pli_unpack_number(in, 0, HUGE_VAL, "correction of iterations");
    PLI_TRY(pli_multifrontal_restore(self->direct, group_count, pattern != NULL, in, error));
    bool set = in->apply && pli_unpack_good(in);
    if (set && pattern) PLI_TRY(analyze(self, pattern, error));
    for (int k = 0; k < self->method_count; ++k) {
        analyzed[k] = pli_unpack_int(in, 0, 1, "analyzed");
        PLI_TRY(
            pli_pcg.restore(self->pcg[k], group_count, analyzed[k] ? pattern : NULL, in, error));
        if (set) self->analyzed[k] = pattern && analyzed[k];
        if (set) self->correction[k] = correction[k];
    }
    if (set) self->tolerance = tolerance;
    if (set) self->disappointed = disappointed;
    return PLI_OK;
}

const pli_linear_ops pli_automatic = {
    .name = "auto",
    .help = "multifrontal, or pcg with incomplete-cholesky or multilevel, by the predicted work "
            "and memory",
    .iterative = true,
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
