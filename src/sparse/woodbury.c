// Low-rank updates of a solver: see woodbury.h.
#include "sparse/woodbury.h"

#include "math/vec.h"
#include "sparse/reserve.h"

#include <string.h>

void pli_woodbury_init(pli_woodbury* w, pli_memory* memory) {
    *w = (pli_woodbury){.memory = memory};
}

void pli_woodbury_free(pli_woodbury* w) {
    pli_memory* m = w->memory;
    if (!m) return;
    PLI_FREE(m, w->rows, w->row_capacity);
    PLI_FREE(m, w->z, w->z_capacity);
    PLI_FREE(m, w->weights, w->weight_capacity);
    PLI_FREE(m, w->scale, w->scale_capacity);
    PLI_FREE(m, w->residual, w->residual_capacity);
    PLI_FREE(m, w->correction, w->correction_capacity);
    pli_woodbury_init(w, m);
}

static pli_status make_room(pli_woodbury* w, int n, pli_error* error) {
    pli_memory* m = w->memory;
    size_t all = (size_t)n * (size_t)w->count;
    PLI_TRY(PLI_RESERVE(m, w->rows, w->row_capacity, all, error));
    PLI_TRY(PLI_RESERVE(m, w->z, w->z_capacity, all, error));
    PLI_TRY(PLI_RESERVE(m, w->weights, w->weight_capacity, w->count, error));
    PLI_TRY(PLI_RESERVE(m, w->scale, w->scale_capacity, w->count, error));
    PLI_TRY(PLI_RESERVE(m, w->residual, w->residual_capacity, n, error));
    return PLI_RESERVE(m, w->correction, w->correction_capacity, n, error);
}

static double* row_of(const pli_woodbury* w, double* array, int k) {
    return array + (size_t)k * (size_t)w->pattern->unknown_count;
}

// g_k over all unknowns, those with positive weight first.
static void spread_rows(pli_woodbury* w) {
    const pli_low_rank* low = w->low;
    int next = 0;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int b = low->expanded; b < low->block_count; ++b)
            for (int k = 0; k < low->blocks[b].rank; ++k) {
                const pli_low_rank_block* block = &low->blocks[b];
                double weight = low->weights[block->row_start + k];
                if ((weight < 0) != (sign < 0)) continue;
                const double* from = pli_low_rank_rows(low, b) + k * block->length;
                double* to = row_of(w, w->rows, next);
                memset(to, 0, sizeof *to * (size_t)w->pattern->unknown_count);
                for (int i = block->group_start; i < block->group_end; ++i) {
                    int at = low->group_offset[low->groups[i]];
                    pli_copy(from + low->offset[i], to + at,
                             low->group_offset[low->groups[i] + 1] - at);
                }
                w->weights[next++] = weight;
            }
}

// x = A^-1 b becomes A_count^-1 b.
static void correct(const pli_woodbury* w, int count, double* x) {
    int n = w->pattern->unknown_count;
    for (int k = 0; k < count; ++k) {
        double along = pli_dot(row_of(w, w->rows, k), x, n);
        pli_axpy(-w->scale[k] * along, row_of(w, w->z, k), x, n);
    }
}

static const double EXACT = 1e-12; // tolerance passed to solvers that need one

pli_status pli_woodbury_factorize(pli_woodbury* w, const pli_linear_ops* ops, void* solver,
                                  const pli_pattern* pattern, const double* values,
                                  const pli_low_rank* low, pli_linear_verdict* verdict,
                                  pli_error* error) {
    w->ops = ops;
    w->solver = solver;
    w->pattern = pattern;
    w->values = values;
    w->low = pli_low_rank_any(low) ? low : NULL;
    w->definite = *verdict == PLI_LINEAR_OK;
    if (!w->low || !w->definite) return PLI_OK;
    w->count = 0;
    for (int b = low->expanded; b < low->block_count; ++b) w->count += low->blocks[b].rank;
    PLI_TRY(make_room(w, pattern->unknown_count, error));
    spread_rows(w);
    for (int k = 0; k < w->count && w->definite; ++k) {
        double *g = row_of(w, w->rows, k), *z = row_of(w, w->z, k);
        PLI_TRY(ops->solve(solver, g, EXACT, z, verdict, error));
        if (*verdict == PLI_LINEAR_NOT_POSITIVE_DEFINITE) break;
        correct(w, k, z);
        double d = 1 + w->weights[k] * pli_dot(g, z, pattern->unknown_count);
        w->definite = d > 0;
        w->scale[k] = w->weights[k] / d;
    }
    w->definite = w->definite && *verdict != PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    if (!w->definite) *verdict = PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    return PLI_OK;
}

pli_status pli_woodbury_solve_once(pli_woodbury* w, const double* b, double tolerance, double* x,
                                   pli_linear_verdict* verdict, pli_error* error) {
    *verdict = PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    if (!w->definite) return PLI_OK;
    PLI_TRY(w->ops->solve(w->solver, b, tolerance, x, verdict, error));
    if (w->low) correct(w, w->count, x);
    return PLI_OK;
}

pli_status pli_woodbury_solve(pli_woodbury* w, const double* b, double tolerance, double* x,
                              pli_linear_verdict* verdict, pli_error* error) {
    if (!w->low) return w->ops->solve(w->solver, b, tolerance, x, verdict, error);
    PLI_TRY(pli_woodbury_solve_once(w, b, tolerance, x, verdict, error));
    if (!w->definite) return PLI_OK;
    int n = w->pattern->unknown_count;
    pli_pattern_multiply(w->pattern, w->values, x, w->residual);
    pli_low_rank_multiply(w->low, x, w->residual);
    for (int i = 0; i < n; ++i) w->residual[i] = b[i] - w->residual[i];
    PLI_TRY(w->ops->solve(w->solver, w->residual, tolerance, w->correction, verdict, error));
    correct(w, w->count, w->correction);
    pli_axpy(1, w->correction, x, n);
    return PLI_OK;
}
