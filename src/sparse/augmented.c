// Equations by an augmented matrix: see augmented.h.
#include "sparse/augmented.h"

#include "math/vec.h"
#include "sparse/reserve.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double WEIGHT = 1e3;

// Solutions are refined until a correction is below this part of them, at most MAX_PASSES times.
static const double REFINED = 4 * DBL_EPSILON;

// Conjugate residuals end when the residual is below this part of what it was (refinement does the
// rest), or when a step leaves more than STUCK of it: that part has no multiplier.
static const double ENOUGH = 1e-9, STUCK = 0.9;

static const double EXACT = 1e-12; // tolerance passed to solvers that need one

enum { MAX_PASSES = 5, MAX_RESIDUALS = 60 };

void pli_augmented_init(pli_augmented* a, pli_memory* memory) {
    *a = (pli_augmented){.memory = memory};
}

void pli_augmented_free(pli_augmented* a) {
    pli_memory* m = a->memory;
    if (!m) return;
    PLI_FREE(m, a->sum, a->sum_capacity);
    PLI_FREE(m, a->group_start, a->group_start_capacity);
    PLI_FREE(m, a->group, a->group_capacity);
    PLI_FREE(m, a->offset, a->offset_capacity);
    PLI_FREE(m, a->block_start, a->block_start_capacity);
    PLI_FREE(m, a->block, a->block_capacity);
    PLI_FREE(m, a->place, a->place_capacity);
    PLI_FREE(m, a->changed, a->changed_capacity);
    PLI_FREE(m, a->spread, a->spread_capacity);
    PLI_FREE(m, a->root, a->row_capacity);
    PLI_FREE(m, a->net, a->unknown_capacity);
    pli_augmented_init(a, m);
}

// ---- pairs

// The group of an unknown.
static int group_of(int group_count, const int32_t* group_offset, int32_t unknown) {
    int low = 0, high = group_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (group_offset[middle] <= unknown)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The groups of a row, ascending, each once; at most as many as it has entries. Returns their
// number.
static int list_groups(const pli_equations* e, int row, int group_count,
                       const int32_t* group_offset, int32_t* groups) {
    int count = 0;
    for (int k = e->start[row]; k < e->start[row + 1]; ++k) {
        int32_t group = group_of(group_count, group_offset, e->unknown[k]);
        int at = count;
        while (at > 0 && groups[at - 1] > group) --at;
        if (at > 0 && groups[at - 1] == group) continue;
        memmove(groups + at + 1, groups + at, sizeof *groups * (size_t)(count - at));
        groups[at] = group;
        ++count;
    }
    return count;
}

static int longest_row(const pli_equations* e) {
    int longest = 0;
    for (int i = 0; i < e->count; ++i)
        longest = pli_max_int(longest, e->start[i + 1] - e->start[i]);
    return longest;
}

pli_status pli_equations_pairs(const pli_equations* e, int group_count, const int32_t* group_offset,
                               pli_memory* memory, pli_pair** pairs, int* count, int* capacity,
                               pli_error* error) {
    int longest = longest_row(e);
    int32_t* groups;
    PLI_TRY(PLI_ALLOC(memory, groups, longest, error));
    pli_status status = PLI_OK;
    for (int row = 0; row < e->count && status == PLI_OK; ++row) {
        int n = list_groups(e, row, group_count, group_offset, groups), more = n * (n - 1) / 2;
        status = PLI_GROW(memory, *pairs, *capacity, *count + more, error);
        for (int i = 0; i < n && status == PLI_OK; ++i)
            for (int j = 0; j < i; ++j)
                (*pairs)[(*count)++] = (pli_pair){.row = groups[i], .column = groups[j]};
    }
    PLI_FREE(memory, groups, longest);
    return status;
}

// ---- the matrix

static pli_status make_room(pli_augmented* a, const pli_equations* e, const pli_pattern* pattern,
                            pli_error* error) {
    pli_memory* m = a->memory;
    size_t rows = (size_t)e->count, n = (size_t)pattern->unknown_count;
    size_t entries = (size_t)e->start[e->count];
    PLI_TRY(PLI_RESERVE(m, a->group_start, a->group_start_capacity, rows + 1, error));
    PLI_TRY(PLI_RESERVE(m, a->block_start, a->block_start_capacity, rows + 1, error));
    PLI_TRY(PLI_RESERVE(m, a->group, a->group_capacity, entries, error));
    PLI_TRY(PLI_RESERVE(m, a->offset, a->offset_capacity, entries, error));
    PLI_TRY(PLI_RESERVE(m, a->place, a->place_capacity, entries, error));
    PLI_TRY(PLI_RESERVE(m, a->changed, a->changed_capacity, pattern->group_count, error));
    PLI_TRY(PLI_RESERVE(m, a->root, a->row_capacity, 6 * rows, error));
    PLI_TRY(PLI_RESERVE(m, a->net, a->unknown_capacity, 4 * n, error));
    a->rest = a->root + rows;
    a->work = a->rest + rows;
    a->step = a->net + n;
    a->solution = a->step + n;
    a->along = a->solution + n;
    return PLI_RESERVE(m, a->sum, a->sum_capacity, pattern->value_count, error);
}

// Where the entries of a row are in it when it is spread over its groups; returns its length then.
static int place_entries(pli_augmented* a, const pli_equations* e, int row) {
    const int32_t* offset = a->pattern->group_offset;
    int first = a->group_start[row], count = a->group_start[row + 1] - first, length = 0;
    for (int i = 0; i < count; ++i) {
        int32_t group = a->group[first + i];
        a->offset[first + i] = length;
        length += offset[group + 1] - offset[group];
    }
    for (int k = e->start[row]; k < e->start[row + 1]; ++k) {
        int i = count - 1;
        while (offset[a->group[first + i]] > e->unknown[k]) --i;
        a->place[k] = a->offset[first + i] + e->unknown[k] - offset[a->group[first + i]];
    }
    return length;
}

pli_status pli_augmented_analyze(pli_augmented* a, const pli_equations* e,
                                 const pli_pattern* pattern, pli_error* error) {
    int blocks = 0, longest = 0;
    a->equations = NULL;
    a->pattern = pattern;
    a->n = pattern->unknown_count;
    PLI_TRY(make_room(a, e, pattern, error));
    a->group_start[0] = 0;
    for (int row = 0; row < e->count; ++row) {
        int32_t* groups = a->group + a->group_start[row];
        int n = list_groups(e, row, pattern->group_count, pattern->group_offset, groups);
        a->group_start[row + 1] = a->group_start[row] + n;
        a->block_start[row] = blocks;
        blocks += n * (n + 1) / 2;
        longest = pli_max_int(longest, place_entries(a, e, row));
    }
    PLI_TRY(PLI_RESERVE(a->memory, a->block, a->block_capacity, blocks, error));
    PLI_TRY(PLI_RESERVE(a->memory, a->spread, a->spread_capacity, longest, error));
    for (int row = 0, b = 0; row < e->count; ++row)
        for (int i = a->group_start[row]; i < a->group_start[row + 1]; ++i)
            for (int j = a->group_start[row]; j <= i; ++j)
                a->block[b++] = pli_pattern_find(pattern, a->group[i], a->group[j]);
    a->equations = e;
    return PLI_OK;
}

static double diagonal_of(const pli_pattern* pattern, const double* values, int32_t group,
                          int32_t unknown) {
    int c = unknown - pattern->group_offset[group];
    return values[pattern->block_value[pattern->block_start[group]] +
                  c * (pattern->column_height[group] + 1)];
}

// Spreads a row over its groups and returns its weight.
static double spread_row(pli_augmented* a, int row) {
    const pli_equations* e = a->equations;
    const int32_t* groups = a->group + a->group_start[row];
    int count = a->group_start[row + 1] - a->group_start[row], length = 0;
    double square = 0, stiffness = 0;
    for (int i = 0; i < count; ++i)
        length += a->pattern->group_offset[groups[i] + 1] - a->pattern->group_offset[groups[i]];
    memset(a->spread, 0, sizeof *a->spread * (size_t)length);
    for (int k = e->start[row]; k < e->start[row + 1]; ++k)
        if (!e->held[e->unknown[k]]) a->spread[a->place[k]] += e->weight[k];
    for (int i = 0, at = 0; i < count; ++i)
        for (int32_t u = a->pattern->group_offset[groups[i]];
             u < a->pattern->group_offset[groups[i] + 1]; ++u, ++at) {
            double w = a->spread[at] * a->spread[at];
            square += w;
            if (w > 0) stiffness += w * fabs(diagonal_of(a->pattern, a->values, groups[i], u));
        }
    bool used = !e->dropped[row] && square > 0 && stiffness > 0;
    return used ? WEIGHT * stiffness / (square * square) : 0;
}

// K += weight a a^T
static void add_row(pli_augmented* a, int row, double weight) {
    const pli_pattern* p = a->pattern;
    const int32_t *groups = a->group + a->group_start[row],
                  *offset = a->offset + a->group_start[row];
    const int32_t* block = a->block + a->block_start[row];
    int count = a->group_start[row + 1] - a->group_start[row];
    for (int i = 0; i < count; ++i)
        for (int j = 0; j <= i; ++j, ++block) {
            const double *down = a->spread + offset[i], *across = a->spread + offset[j];
            double* out = a->sum + p->block_value[*block];
            int height = p->column_height[groups[j]];
            int rows = p->group_offset[groups[i] + 1] - p->group_offset[groups[i]];
            int columns = p->group_offset[groups[j] + 1] - p->group_offset[groups[j]];
            for (int c = 0; c < columns; ++c, out += height)
                if (across[c] != 0) pli_axpy(weight * across[c], down, out, rows);
        }
}

// Columns of K change with the weights of their rows, and these with any group of the row.
static void extend_changed(pli_augmented* a, const uint8_t* changed) {
    memcpy(a->changed, changed, (size_t)a->pattern->group_count);
    for (int row = 0; row < a->equations->count; ++row) {
        bool any = false;
        for (int i = a->group_start[row]; i < a->group_start[row + 1]; ++i)
            any = any || changed[a->group[i]];
        for (int i = a->group_start[row]; i < a->group_start[row + 1] && any; ++i)
            a->changed[a->group[i]] = 1;
    }
}

void pli_augmented_weigh(pli_augmented* a, const double* values, const uint8_t* changed) {
    a->values = values;
    if (changed) extend_changed(a, changed);
    memcpy(a->sum, values, sizeof *values * (size_t)a->pattern->value_count);
    for (int row = 0; row < a->equations->count; ++row) {
        double weight = spread_row(a, row);
        a->root[row] = sqrt(weight);
        if (weight > 0) add_row(a, row, weight);
    }
}

// ---- solving

typedef struct solve {
    pli_augmented* a;
    pli_woodbury* solver;
    bool once; // without refinement
    pli_linear_verdict* verdict;
    pli_error* error;
} solve;

static pli_status solve_K(const solve* s, const double* b, double* x) {
    s->a->solves++;
    if (s->once) return pli_woodbury_solve_once(s->solver, b, EXACT, x, s->verdict, s->error);
    return pli_woodbury_solve(s->solver, b, EXACT, x, s->verdict, s->error);
}

// out = R^1/2 A x
static void scaled_rows(const pli_augmented* a, const double* x, double* out) {
    for (int i = 0; i < a->equations->count; ++i)
        out[i] = a->root[i] > 0 ? a->root[i] * pli_equations_row(a->equations, i, x) : 0;
}

// y += factor A^T R^1/2 x; changes x.
static void pull_scaled(const pli_augmented* a, double factor, double* x, double* y) {
    for (int i = 0; i < a->equations->count; ++i) x[i] *= a->root[i];
    pli_equations_pull(a->equations, factor, x, y);
}

// Conjugate residuals [Stiefel55] on S d = b, S = R^1/2 A K^-1 A^T R^1/2, with b in a->rest, which
// becomes the rest. x -= K^-1 A^T R^1/2 d, and the multipliers += R^1/2 d.
static pli_status find_multipliers(const solve* s, double* x) {
    pli_augmented* a = s->a;
    int rows = a->equations->count, n = a->n;
    double *product = a->work, *direction = product + rows, *image = direction + rows;
    double *scaled = image + rows, *z = a->step, *along = a->along;
    double before = 0, start = pli_norm(a->rest, rows), norm = start;
    for (int i = 0; i < rows; ++i) direction[i] = image[i] = 0;
    memset(along, 0, sizeof *along * (size_t)n);
    for (int round = 0; round < MAX_RESIDUALS && norm > ENOUGH * start; ++round) {
        pli_copy(a->rest, scaled, rows);
        memset(a->net, 0, sizeof *a->net * (size_t)n);
        pull_scaled(a, 1, scaled, a->net);
        PLI_TRY(solve_K(s, a->net, z));
        if (*s->verdict != PLI_LINEAR_OK) return PLI_OK;
        scaled_rows(a, z, product);
        double now = pli_dot(a->rest, product, rows), beta = round > 0 ? now / before : 0;
        if (!(now > 0)) break;
        for (int i = 0; i < rows; ++i) {
            direction[i] = a->rest[i] + beta * direction[i];
            image[i] = product[i] + beta * image[i];
        }
        for (int i = 0; i < n; ++i) along[i] = z[i] + beta * along[i];
        double alpha = now / pli_dot(image, image, rows), last = norm;
        pli_axpy(-alpha, image, a->rest, rows);
        pli_axpy(-alpha, along, x, n);
        for (int i = 0; i < rows; ++i)
            a->equations->multipliers[i] += alpha * a->root[i] * direction[i];
        before = now;
        norm = pli_norm(a->rest, rows);
        if (norm > STUCK * last) break;
    }
    return PLI_OK;
}

// a->net = -g - H p - A^T lambda, a->rest = R^1/2 (r - A p)
static void find_residual(const solve* s, const double* g, const double* r, const double* p) {
    pli_augmented* a = s->a;
    const pli_equations* e = a->equations;
    int n = a->n;
    pli_pattern_multiply(a->pattern, a->values, p, a->net);
    if (s->solver->low) pli_low_rank_multiply(s->solver->low, p, a->net);
    pli_equations_pull(e, 1, e->multipliers, a->net);
    for (int i = 0; i < n; ++i) a->net[i] = -g[i] - a->net[i];
    for (int i = 0; i < e->count; ++i)
        a->rest[i] =
            a->root[i] > 0 ? a->root[i] * ((r ? r[i] : 0) - pli_equations_row(e, i, p)) : 0;
}

// One pass: a->solution = d with H d + A^T mu = net, R^1/2 A d = rest.
static pli_status refine(const solve* s) {
    pli_augmented* a = s->a;
    int rows = a->equations->count;
    double *x = a->solution, *scaled = a->work, *reached = a->work + rows;
    pli_copy(a->rest, scaled, rows);
    pull_scaled(a, 1, scaled, a->net);
    PLI_TRY(solve_K(s, a->net, x));
    if (*s->verdict != PLI_LINEAR_OK) return PLI_OK;
    scaled_rows(a, x, reached);
    for (int i = 0; i < rows; ++i) a->rest[i] = reached[i] - a->rest[i];
    return find_multipliers(s, x);
}

pli_status pli_augmented_solve(pli_augmented* a, pli_woodbury* solver, const double* g,
                               const double* r, double* p, pli_linear_verdict* verdict,
                               pli_error* error) {
    const solve s = {a, solver, false, verdict, error};
    int n = a->n;
    double last = HUGE_VAL;
    *verdict = PLI_LINEAR_OK;
    memset(p, 0, sizeof *p * (size_t)n);
    for (int i = 0; i < a->equations->count; ++i) a->equations->multipliers[i] = 0;
    for (int pass = 0; pass < MAX_PASSES; ++pass) {
        find_residual(&s, g, r, p);
        PLI_TRY(refine(&s));
        if (*verdict != PLI_LINEAR_OK) return PLI_OK;
        pli_axpy(1, a->solution, p, n);
        double change = pli_largest(a->solution, n);
        if (change <= REFINED * pli_largest(p, n) || change >= last) break;
        last = change;
    }
    return PLI_OK;
}

pli_status pli_augmented_balance(pli_augmented* a, pli_woodbury* solver, const double* g,
                                 pli_linear_verdict* verdict, pli_error* error) {
    const solve s = {a, solver, true, verdict, error};
    const pli_equations* e = a->equations;
    for (int i = 0; i < a->n; ++i) a->net[i] = -g[i];
    pli_equations_pull(e, -1, e->multipliers, a->net);
    for (int i = 0; i < e->count; ++i) a->rest[i] = 0;
    *verdict = PLI_LINEAR_OK;
    return refine(&s);
}
