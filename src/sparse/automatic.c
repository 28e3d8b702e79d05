// A factor or conjugate gradients, whichever should take less time.
//
// The factor's price is known before any number is: flops and nonzeros come with the symbolic
// analysis. One iteration of pcg costs in proportion to the nonzeros of H. How many there will be,
// H itself tells roughly: stiffness does not feel translations, so what couples equal axes sums
// up, row by row, to what holds a vertex: its inertia, and supports where there are some. With d_J
// the diagonal and s_J the row sums of vertex J, over equal axes,
//
//     iterations = min(5 sqrt(mean of d_J / s_J), 1.5 (sum of d_J) / (sum of s_J)).
//
// The first is the root of a condition number, for inertia that holds every vertex by itself; the
// second is for supports that hold a stiff body as a whole. The rule is
//
//     pcg  if  iterations * iteration <= margin * factor,
//     factor = flop * flops + entry * factor nonzeros,   iteration = value * nonzeros    [s]
//
// or if the factor would fill more than a part of the machine's memory. All constants were fitted
// to cubes, bars and slabs, soft and stiff, with incomplete Cholesky and residuals of 1e-8; the
// table is in bench/README.md. Where pcg needs more than `patience` times what the factor would
// have cost, the factor takes over until the next analysis. Everything is counted and nothing
// timed, so that the choice, and with it all bits, are the same for any number of threads.
#define _POSIX_C_SOURCE 200809L // sysconf
#include "sparse/linear.h"
#include "sparse/multifrontal.h"
#include "sparse/pcg.h"
#include "sparse/reserve.h"

#include "math/vec.h"

#include <unistd.h>

// Seconds on one thread of a 3 GHz machine; only their ratios matter.
static const double flop = 1 / 32e9, entry = 1.3e-9, value = 2.5e-9;
static const double margin = 0.8;       // a factor is also exact and runs on all threads
static const double patience = 2;       // times the factor's price
static const double memory_part = 0.4;  // of the machine's memory that a factor may take
static const double nonzero_bytes = 24; // with zeros in fronts and update matrices, on any threads

typedef struct automatic {
    pli_memory* memory;
    void *direct, *iterative;
    int max_iterations;
    const pli_pattern* pattern;
    const double* values;
    double* row_sum; // of groups
    size_t row_sum_capacity;
    double break_even; // iterations that cost as much as the factor
    bool fits;         // the factor, into memory
    bool iterates;     // the last factorize chose pcg
    bool disappointed; // by pcg, since the last analyze
    int wasted;        // iterations before the factor took over, in the last solve
} automatic;

static void destroy(void* object) {
    automatic* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    pli_multifrontal.destroy(self->direct);
    pli_pcg.destroy(self->iterative);
    PLI_FREE(memory, self->row_sum, self->row_sum_capacity);
    PLI_FREE(memory, self, 1);
}

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_linear_def* def, void** out,
                         pli_error* error) {
    automatic* self;
    pli_status status;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    self->max_iterations = def->max_iterations;
    PLI_TRY_CLEANUP(status, pli_multifrontal.create(memory, pool, def, &self->direct, error));
    PLI_TRY_CLEANUP(status, pli_pcg.create(memory, pool, def, &self->iterative, error));
    *out = self;
    return PLI_OK;
cleanup:
    destroy(self);
    return status;
}

static double machine_bytes(void) {
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
}

static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    automatic* self = object;
    pli_factor_cost cost;
    self->pattern = NULL;
    PLI_TRY(pli_multifrontal_plan(self->direct, pattern, &cost, error));
    PLI_TRY(pli_pcg.analyze(self->iterative, pattern, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->row_sum, self->row_sum_capacity, pattern->group_count,
                        error));
    self->pattern = pattern;
    self->fits = nonzero_bytes * cost.nonzeros <= memory_part * machine_bytes();
    self->disappointed = false;
    double factor = flop * cost.flops + entry * cost.nonzeros;
    double iteration = value * pattern->value_count;
    self->break_even = iteration > 0 ? factor / iteration : 0;
    double limit = self->fits ? ceil(patience * self->break_even) + 1 : HUGE_VAL;
    pli_pcg_limit(self->iterative, (int)fmin(limit, self->max_iterations));
    return PLI_OK;
}

// Equal axes are on the diagonals of blocks.
static double block_trace(const pli_pattern* pattern, const double* values, int j, int k) {
    const int32_t* offset = pattern->group_offset;
    int i = pattern->block_row[k];
    int n = pli_min_int(offset[i + 1] - offset[i], offset[j + 1] - offset[j]);
    const double* block = values + pattern->block_value[k];
    double trace = 0;
    for (int c = 0; c < n; ++c) trace += block[c * (pattern->column_height[j] + 1)];
    return trace;
}

static double predicted_iterations(automatic* self, const double* values) {
    const pli_pattern* pattern = self->pattern;
    const double rounding = 1e-12; // of d_J: a smaller s_J is none
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

static pli_status factorize_directly(automatic* self, pli_linear_verdict* verdict,
                                     pli_error* error) {
    self->iterates = false;
    PLI_TRY(pli_multifrontal_reserve(self->direct, error));
    return pli_multifrontal.factorize(self->direct, self->values, verdict, error);
}

static pli_status factorize(void* object, const double* values, pli_linear_verdict* verdict,
                            pli_error* error) {
    automatic* self = object;
    PLI_ASSERT(self->pattern);
    self->values = values;
    self->wasted = 0;
    self->iterates = !self->fits || (!self->disappointed && predicted_iterations(self, values) <=
                                                                margin * self->break_even);
    if (!self->iterates) return factorize_directly(self, verdict, error);
    PLI_TRY(pli_pcg.factorize(self->iterative, values, verdict, error));
    if (*verdict == PLI_LINEAR_OK || !self->fits) return PLI_OK;
    return factorize_directly(self, verdict, error);
}

static pli_status solve(void* object, const double* b, double tolerance, double* x,
                        pli_linear_verdict* verdict, pli_error* error) {
    automatic* self = object;
    if (self->iterates) {
        PLI_TRY(pli_pcg.solve(self->iterative, b, tolerance, x, verdict, error));
        if (*verdict == PLI_LINEAR_OK || !self->fits) return PLI_OK;
        pli_linear_info info;
        pli_pcg.info(self->iterative, &info);
        self->wasted = info.iterations;
        PLI_TRY(factorize_directly(self, verdict, error));
        self->disappointed = *verdict == PLI_LINEAR_OK;
    }
    return pli_multifrontal.solve(self->direct, b, tolerance, x, verdict, error);
}

static void info(const void* object, pli_linear_info* out) {
    const automatic* self = object;
    if (self->iterates) {
        pli_pcg.info(self->iterative, out);
    } else {
        pli_multifrontal.info(self->direct, out);
        out->iterations = self->wasted;
    }
}

const pli_linear_ops pli_automatic = {
    .name = "auto",
    .help = "multifrontal or pcg, by the predicted work and the memory; multifrontal if pcg stalls",
    .iterative = true,
    .create = create,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .solve = solve,
    .info = info,
};
