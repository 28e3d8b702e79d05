// Measures how far elements have rotated and stretched: see kept.h.
#include "energy/kept.h"

#include "energy/packed.h"
#include "math/vec.h"

#include <math.h>

static int run_count(const pli_kept* kept) {
    return (kept->count + PLI_KEPT_RUN - 1) / PLI_KEPT_RUN;
}

pli_status pli_kept_init(pli_kept* kept, pli_memory* memory, const pli_term* term, int dim,
                         pli_error* error) {
    const pli_term_ops* ops = term->ops;
    *kept = (pli_kept){.dim = dim};
    if (!ops->blocks || !ops->simplices) return PLI_OK;
    kept->count = ops->count(term->self);
    PLI_TRY(PLI_ALLOC(memory, kept->inverse, kept->count * dim * dim, error));
    PLI_TRY(PLI_ALLOC(memory, kept->slack, kept->count, error));
    return PLI_ALLOC(memory, kept->fresh, run_count(kept), error);
}

void pli_kept_free(pli_kept* kept, pli_memory* memory) {
    PLI_FREE(memory, kept->inverse, kept->count * kept->dim * kept->dim);
    PLI_FREE(memory, kept->slack, kept->count);
    PLI_FREE(memory, kept->fresh, run_count(kept));
    *kept = (pli_kept){0};
}

// D_ab: component a of edge b, from the first vertex to vertex b + 1.
static inline void edges(int dim, const int32_t* vertices, const double* x, double* D) {
    const double* origin = x + 3 * (size_t)vertices[0];
    for (int b = 0; b < dim; ++b)
        for (int a = 0; a < dim; ++a)
            D[a * dim + b] = x[3 * (size_t)vertices[b + 1] + (size_t)a] - origin[a];
}

// |D inverse - I|^2
static inline double change(int dim, const double* D, const double* inverse) {
    double sum = 0;
    for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b) {
            double entry = a == b ? -1 : 0;
            for (int c = 0; c < dim; ++c) entry += D[a * dim + c] * inverse[c * dim + b];
            sum += entry * entry;
        }
    return sum;
}

static inline bool holds(int dim, const pli_kept* kept, int first, const pli_batch* run,
                         double bound) {
    const double *inverse = kept->inverse + (size_t)first * (size_t)(dim * dim),
                 *slack = kept->slack + first;
    bool all = true;
    for (int s = 0; s < run->count; ++s) {
        double D[9], most = bound * slack[s];
        edges(dim, run->vertices + s * (dim + 1), run->x, D);
        // NaN and elements without volume are never kept.
        all &= change(dim, D, inverse + s * dim * dim) <= most * most && most > 0;
    }
    return all;
}

bool pli_kept_holds(const pli_kept* kept, int first, const pli_batch* run, double bound) {
    return run->dim == 3 ? holds(3, kept, first, run, bound) : holds(2, kept, first, run, bound);
}

static bool invert2(const double* D, double* out) {
    double det = D[0] * D[3] - D[1] * D[2], scale = 1 / det;
    out[0] = scale * D[3];
    out[1] = -scale * D[1];
    out[2] = -scale * D[2];
    out[3] = scale * D[0];
    return det != 0 && isfinite(scale);
}

static bool invert3(const double* D, double* out) {
    double n[3][3];
    for (int i = 0; i < 3; ++i) pli_cross3(D + (i + 1) % 3 * 3, D + (i + 2) % 3 * 3, n[i]);
    double det = pli_dot(D, n[0], 3), scale = 1 / det;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out[3 * j + i] = scale * n[i][j];
    return det != 0 && isfinite(scale);
}

// The smallest mass of a vertex divided by its largest stiffness.
static double slack_of(int dim, const int32_t* vertices, const double* H, const double* share) {
    double k = 0, m = HUGE_VAL;
    for (int i = 0; i <= dim; ++i) {
        const double* block = H + PLI_PACKED_AT(dim, i, i);
        double trace = 0;
        for (int c = 0; c < dim; ++c) trace += fabs(block[c * (dim + 1)]);
        if (share[vertices[i]] >= 0) {
            m = fmin(m, share[vertices[i]]);
            k = fmax(k, trace);
        }
    }
    return k > 0 ? m / k : 0;
}

void pli_kept_note(const pli_kept* kept, int first, const pli_batch* run, const double* H,
                   const double* share) {
    int dim = run->dim, packed = PLI_PACKED_SIZE(dim, dim + 1);
    for (int s = 0; s < run->count; ++s) {
        const int32_t* vertices = run->vertices + s * (dim + 1);
        double D[9], *inverse = kept->inverse + (size_t)(first + s) * (size_t)(dim * dim);
        edges(dim, vertices, run->x, D);
        bool regular = dim == 3 ? invert3(D, inverse) : invert2(D, inverse);
        kept->slack[first + s] = regular ? slack_of(dim, vertices, H + s * packed, share) : 0;
    }
}
