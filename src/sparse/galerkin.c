// Row by row: first A P, then every coarse row I gathers P_iI^T (A P)_iJ for J <= I. The
// destination of each product is found once, with the patterns.
#include "sparse/galerkin.h"

#include "sparse/reserve.h"

enum { ROW_GRAIN = 256, COARSE_GRAIN = 16 };

void pli_galerkin_init(pli_galerkin* g, pli_memory* memory) {
    *g = (pli_galerkin){.memory = memory};
    pli_pattern_init(&g->pattern, memory);
}

void pli_galerkin_free(pli_galerkin* g) {
    pli_memory* memory = g->memory;
    pli_pattern_free(&g->pattern);
    PLI_FREE(memory, g->values, g->value_capacity);
    PLI_FREE(memory, g->rows.start, g->rows.start_capacity);
    PLI_FREE(memory, g->rows.column, g->rows.column_capacity);
    PLI_FREE(memory, g->rows.value, g->rows.value_capacity);
    PLI_FREE(memory, g->rows.values, g->rows.values_capacity);
    PLI_FREE(memory, g->slot, g->slot_capacity);
    PLI_FREE(memory, g->slot_start, g->slot_start_capacity);
    PLI_FREE(memory, g->target, g->target_capacity);
    PLI_FREE(memory, g->target_start, g->target_start_capacity);
    PLI_FREE(memory, g->mark, g->mark_capacity);
    PLI_FREE(memory, g->offset, g->offset_capacity);
    PLI_FREE(memory, g->pairs, g->pair_capacity);
}

static int row_width(const pli_prolongator* p, int i) {
    return p->pattern->group_offset[i + 1] - p->pattern->group_offset[i];
}

static bool is_empty(const pli_prolongator* p, int i) {
    return p->rows.start[i] == p->rows.start[i + 1];
}

// Counts (fill false) or inserts the columns of P's row j into row i of A P; returns the number of
// new ones. mark[2 k] is the last row that contained column k, mark[2 k + 1] its slot there.
static int visit_columns(pli_galerkin* g, int i, int j, bool fill, int known, size_t* slot) {
    const pli_prolongator* p = g->p;
    int32_t* column = g->rows.column + (fill ? g->rows.start[i] : 0);
    int count = 0;
    for (int b = p->rows.start[j]; b < p->rows.start[j + 1]; ++b) {
        int k = p->rows.column[b];
        if (g->mark[2 * k] != i) {
            g->mark[2 * k] = i;
            g->mark[2 * k + 1] = known + count;
            if (fill) column[known + count] = k;
            count++;
        }
        if (fill) g->slot[*slot] = g->mark[2 * k + 1];
        (*slot)++;
    }
    return count;
}

static int visit_row(pli_galerkin* g, int i, bool fill, size_t* slot) {
    const pli_prolongator* p = g->p;
    const pli_adjacency* a = &p->adjacency;
    if (is_empty(p, i)) return 0;
    int count = visit_columns(g, i, i, fill, 0, slot);
    for (int e = a->start[i]; e < a->start[i + 1]; ++e)
        count += visit_columns(g, i, a->neighbour[e], fill, count, slot);
    return count;
}

static void reset_marks(pli_galerkin* g) {
    for (int k = 0; k < 2 * g->p->aggregate_count; ++k) g->mark[k] = -1;
}

static pli_status lay_out_rows(pli_galerkin* g, pli_error* error) {
    pli_memory* memory = g->memory;
    const pli_prolongator* p = g->p;
    pli_block_rows* rows = &g->rows;
    int n = p->group_count;
    PLI_TRY(PLI_RESERVE(memory, g->mark, g->mark_capacity, 2 * p->aggregate_count, error));
    PLI_TRY(PLI_RESERVE(memory, rows->start, rows->start_capacity, n + 1, error));
    PLI_TRY(PLI_RESERVE(memory, rows->value, rows->value_capacity, n, error));
    PLI_TRY(PLI_RESERVE(memory, g->slot_start, g->slot_start_capacity, n, error));
    size_t slots = 0, values = 0;
    reset_marks(g);
    rows->start[0] = 0;
    for (int i = 0; i < n; ++i) {
        g->slot_start[i] = slots;
        rows->value[i] = values;
        int count = visit_row(g, i, false, &slots);
        rows->start[i + 1] = rows->start[i] + count;
        values += (size_t)count * (size_t)(row_width(p, i) * p->mode_count);
    }
    PLI_TRY(PLI_RESERVE(memory, rows->column, rows->column_capacity, rows->start[n], error));
    PLI_TRY(PLI_RESERVE(memory, rows->values, rows->values_capacity, values, error));
    PLI_TRY(PLI_RESERVE(memory, g->slot, g->slot_capacity, slots, error));
    reset_marks(g);
    slots = 0;
    for (int i = 0; i < n; ++i) (void)visit_row(g, i, true, &slots);
    return PLI_OK;
}

// The pairs of the coarse pattern, and the number of products in each coarse row.
static pli_status find_pairs(pli_galerkin* g, int* pair_count, pli_error* error) {
    const pli_prolongator* p = g->p;
    int count = 0;
    size_t targets = 0;
    reset_marks(g);
    for (int I = 0; I < p->aggregate_count; ++I) {
        g->target_start[I] = targets;
        for (int at = p->column_start[I]; at < p->column_start[I + 1]; ++at) {
            int i = p->column_row[at];
            for (int b = g->rows.start[i]; b < g->rows.start[i + 1]; ++b) {
                int J = g->rows.column[b];
                if (J > I) continue;
                targets++;
                if (g->mark[J] == I) continue;
                g->mark[J] = I;
                PLI_TRY(PLI_GROW(g->memory, g->pairs, g->pair_capacity, count + 1, error));
                g->pairs[count++] = (pli_pair){.row = I, .column = J};
            }
        }
    }
    *pair_count = count;
    return PLI_RESERVE(g->memory, g->target, g->target_capacity, targets, error);
}

static void find_targets(pli_galerkin* g) {
    const pli_prolongator* p = g->p;
    size_t target = 0;
    for (int I = 0; I < p->aggregate_count; ++I)
        for (int at = p->column_start[I]; at < p->column_start[I + 1]; ++at) {
            int i = p->column_row[at];
            for (int b = g->rows.start[i]; b < g->rows.start[i + 1]; ++b) {
                int J = g->rows.column[b];
                if (J > I) continue;
                int block = pli_pattern_find(&g->pattern, I, J);
                g->target[target++] = g->pattern.block_value[block];
            }
        }
}

pli_status pli_galerkin_analyze(pli_galerkin* g, const pli_prolongator* p, pli_error* error) {
    pli_memory* memory = g->memory;
    int coarse = p->aggregate_count, pair_count;
    g->p = p;
    PLI_TRY(lay_out_rows(g, error));
    PLI_TRY(PLI_RESERVE(memory, g->target_start, g->target_start_capacity, coarse, error));
    PLI_TRY(PLI_RESERVE(memory, g->offset, g->offset_capacity, coarse + 1, error));
    for (int k = 0; k <= coarse; ++k) g->offset[k] = k * p->mode_count;
    PLI_TRY(find_pairs(g, &pair_count, error));
    PLI_TRY(pli_pattern_build(&g->pattern, coarse, g->offset, pair_count, g->pairs, error));
    PLI_TRY(PLI_RESERVE(memory, g->values, g->value_capacity, g->pattern.value_count, error));
    find_targets(g);
    return PLI_OK;
}

typedef struct task {
    pli_galerkin* g;
    const double* values;
} task;

// (A P)_i += A_ij P_j, entry -1: j = i.
static void add_product(const task* t, int i, int entry, const int32_t** slot) {
    const pli_galerkin* g = t->g;
    const pli_prolongator* p = g->p;
    int j = entry < 0 ? i : p->adjacency.neighbour[entry];
    int w = row_width(p, i), u = row_width(p, j), m = p->mode_count;
    double block[PLI_BLOCK_ROWS_HEIGHT * PLI_BLOCK_ROWS_HEIGHT];
    if (is_empty(p, j)) return;
    pli_prolongator_block(p, t->values, i, entry, block);
    double* row = g->rows.values + g->rows.value[i];
    const double* v = p->rows.values + p->rows.value[j];
    for (int b = p->rows.start[j]; b < p->rows.start[j + 1]; ++b, v += u * m) {
        double* out = row + *(*slot)++ * w * m;
        PLI_BLOCK_CALL(pli_block_add, w, u, m, block, v, out);
    }
}

static void multiply_rows(void* context, int first, int end) {
    const task* t = context;
    const pli_galerkin* g = t->g;
    const pli_adjacency* a = &g->p->adjacency;
    for (int i = first; i < end; ++i) {
        if (is_empty(g->p, i)) continue;
        int count =
            (g->rows.start[i + 1] - g->rows.start[i]) * row_width(g->p, i) * g->p->mode_count;
        double* row = g->rows.values + g->rows.value[i];
        const int32_t* slot = g->slot + g->slot_start[i];
        for (int k = 0; k < count; ++k) row[k] = 0;
        add_product(t, i, -1, &slot);
        for (int e = a->start[i]; e < a->start[i + 1]; ++e) add_product(t, i, e, &slot);
    }
}

// Coarse block at `to`, column by column with this leading dimension: += (P_iI^T (A P)_iJ).
static void add_coarse(int w, int m, const double* p, const double* ap, double* to, int height) {
    double sum[PLI_BLOCK_ROWS_HEIGHT * PLI_BLOCK_ROWS_HEIGHT] = {0};
    PLI_BLOCK_CALL(pli_block_add_transposed, m, w, m, ap, p, sum); // its transpose
    for (int c = 0; c < m; ++c)
        for (int r = 0; r < m; ++r) to[c * height + r] += sum[c * m + r];
}

static void gather_rows(void* context, int first, int end) {
    const task* t = context;
    const pli_galerkin* g = t->g;
    const pli_prolongator* p = g->p;
    int m = p->mode_count;
    for (int I = first; I < end; ++I) {
        const int32_t* target = g->target + g->target_start[I];
        for (int at = p->column_start[I]; at < p->column_start[I + 1]; ++at) {
            int i = p->column_row[at], w = row_width(p, i);
            size_t size = (size_t)w * (size_t)m;
            const double* v = p->rows.values + p->rows.value[i] +
                              (size_t)(p->column_block[at] - p->rows.start[i]) * size;
            const double* ap = g->rows.values + g->rows.value[i];
            for (int b = g->rows.start[i]; b < g->rows.start[i + 1]; ++b, ap += size) {
                int J = g->rows.column[b];
                if (J <= I)
                    add_coarse(w, m, v, ap, g->values + *target++, g->pattern.column_height[J]);
            }
        }
    }
}

void pli_galerkin_update(pli_galerkin* g, const double* values) {
    task t = {g, values};
    const pli_prolongator* p = g->p;
    pli_parallel_for(p->pool, p->group_count, ROW_GRAIN, multiply_rows, &t);
    for (int k = 0; k < g->pattern.value_count; ++k) g->values[k] = 0;
    pli_parallel_for(p->pool, p->aggregate_count, COARSE_GRAIN, gather_rows, &t);
    for (int I = 0; I < p->aggregate_count; ++I) {
        double* block = g->values + g->pattern.block_value[g->pattern.block_start[I]];
        for (int c = 0; c < p->mode_count; ++c) {
            double* d = block + c * (g->pattern.column_height[I] + 1);
            if (*d == 0) *d = 1;
        }
    }
}
