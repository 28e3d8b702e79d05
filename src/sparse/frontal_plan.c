// Builds the plan: fronts from supernodes, then their rows, then where every value goes.
//
// Update matrices wait for their parent on one of two stacks, chosen by the parity of their depth
// in the tree. So a front's own matrix is never on the stack that holds its children's, and both
// can be in use at once.
#include "sparse/frontal_plan.h"

#include "sparse/reserve.h"

// Minimum of total flops above which threads are used.
static const double parallel_flops = 3e7;

// Number of equal subtrees if all work were in subtrees: enough for balanced loads, few enough to
// leave little work above them.
static const double subtrees_per_thread = 3;

void pli_frontal_plan_init(pli_frontal_plan* plan, pli_memory* memory) {
    *plan = (pli_frontal_plan){.memory = memory};
}

void pli_frontal_plan_free(pli_frontal_plan* plan) {
    pli_memory* memory = plan->memory;
    PLI_FREE(memory, plan->sequence, plan->sequence_capacity);
    PLI_FREE(memory, plan->fronts, plan->front_capacity);
    PLI_FREE(memory, plan->unknown, plan->unknown_capacity);
    PLI_FREE(memory, plan->row, plan->row_capacity);
    PLI_FREE(memory, plan->runs, plan->run_capacity);
    PLI_FREE(memory, plan->source, plan->source_capacity);
    PLI_FREE(memory, plan->target, plan->target_capacity);
    PLI_FREE(memory, plan->work, plan->work_capacity);
    pli_frontal_plan_init(plan, memory);
}

// Work space, cut from plan->work.
typedef struct work {
    int32_t* offset; // group_count + 1: unknowns before a group, in the order of elimination
    int32_t* place;  // of the pattern's groups in that order
    int32_t* local;  // of the places in the current front: their row in it
    int32_t* start;  // group_count + 1: lists of blocks by the place that is eliminated first
    int32_t* block;  // the blocks: numbers and columns in the pattern
    int32_t* column;
    int32_t* odd; // of fronts: parity of the depth
} work;

static pli_status prepare(pli_frontal_plan* plan, const pli_pattern* pattern,
                          const pli_supernodes* s, work* w, pli_error* error) {
    size_t n = (size_t)pattern->group_count, blocks = (size_t)pattern->block_count;
    pli_memory* memory = plan->memory;
    PLI_TRY(PLI_RESERVE(memory, plan->work, plan->work_capacity, 5 * n + 2 + 2 * blocks, error));
    PLI_TRY(PLI_RESERVE(memory, plan->sequence, plan->sequence_capacity, 2 * s->count + 2, error));
    PLI_TRY(PLI_RESERVE(memory, plan->fronts, plan->front_capacity, s->count + 1, error));
    PLI_TRY(
        PLI_RESERVE(memory, plan->unknown, plan->unknown_capacity, pattern->unknown_count, error));
    w->offset = plan->work;
    w->place = w->offset + n + 1;
    w->local = w->place + n;
    w->start = w->local + n;
    w->odd = w->start + n + 1;
    w->block = w->odd + n;
    w->column = w->block + blocks;
    int32_t next = 0;
    for (int p = 0; p < pattern->group_count; ++p) {
        int group = s->group[p];
        w->place[group] = p;
        w->offset[p] = next;
        for (int i = pattern->group_offset[group]; i < pattern->group_offset[group + 1]; ++i)
            plan->unknown[next++] = i;
    }
    w->offset[pattern->group_count] = next;
    plan->unknown_count = next;
    plan->front_count = s->count;
    plan->segment_start = plan->sequence + s->count;
    return PLI_OK;
}

// Shapes of all fronts and offsets of their panels. False if a panel exceeds the index range.
static bool lay_out_panels(pli_frontal_plan* plan, const pli_supernodes* s, const work* w) {
    size_t panel = 0, row = 0;
    plan->max_stride = 0;
    plan->has_large = false;
    plan->factor_nonzeros = 0;
    for (int i = 0; i < s->count; ++i) {
        int first = w->offset[s->first[i]], pivots = w->offset[s->first[i + 1]] - first, below = 0;
        for (int r = s->row_start[i]; r < s->row_start[i + 1]; ++r)
            below += w->offset[s->row[r] + 1] - w->offset[s->row[r]];
        pli_front_plan* f = &plan->fronts[i];
        *f = (pli_front_plan){
            .shape = {.pivots = pivots,
                      .below = below,
                      .stride = pli_round_up_lanes(pivots + below),
                      .update_stride = pli_round_up_lanes(below)},
            .first = first,
            .descendant = s->descendant[i],
            .panel = panel,
            .row = row,
            .run = (size_t)s->row_start[i],
        };
        f->flops = pli_front_flops(&f->shape);
        for (int c = i - 1; c >= f->descendant; c = plan->fronts[c].descendant - 1)
            f->flops += plan->fronts[c].flops;
        if (pli_front_panel_size(&f->shape) > INT32_MAX) return false;
        panel += pli_front_panel_size(&f->shape) + PLI_LANES; // the kernels read past the end
        row += (size_t)below;
        plan->max_stride = pli_max_int(plan->max_stride, f->shape.stride);
        plan->has_large |= pli_front_is_large(&f->shape);
        plan->factor_nonzeros += (int64_t)pivots * below + (int64_t)pivots * (pivots + 1) / 2;
    }
    plan->fronts[s->count] = (pli_front_plan){.panel = panel, .row = row};
    plan->factor_size = panel;
    return true;
}

// Subtrees are cut off where they fall below a share of all flops. Problems too small for threads
// stay whole.
static void cut_segments(pli_frontal_plan* plan, const pli_supernodes* s, int thread_count) {
    plan->flops = 0;
    for (int i = 0; i < s->count; ++i)
        if (s->parent[i] < 0) plan->flops += plan->fronts[i].flops;
    bool parallel = thread_count > 1 && plan->flops > parallel_flops;
    double limit = parallel ? plan->flops / (subtrees_per_thread * thread_count) : -1;
    int32_t next = 0;
    plan->subtree_count = 0;
    for (int i = 0; i < s->count; ++i) {
        pli_front_plan* f = &plan->fronts[i];
        bool above = s->parent[i] < 0 || plan->fronts[s->parent[i]].flops > limit;
        f->segment = -1;
        if (f->flops > limit || !above) continue;
        plan->segment_start[plan->subtree_count] = next;
        for (int d = f->descendant; d <= i; ++d) {
            plan->fronts[d].segment = plan->subtree_count;
            plan->sequence[next++] = d;
        }
        plan->subtree_count++;
    }
    plan->segment_start[plan->subtree_count] = next;
    for (int i = 0; i < s->count; ++i) {
        if (plan->fronts[i].segment >= 0) continue;
        plan->fronts[i].segment = plan->subtree_count;
        plan->sequence[next++] = i;
    }
    plan->segment_start[plan->subtree_count + 1] = next;
}

// Assigns places to a segment's update matrices, from `base` on; returns their end.
static size_t lay_out_stack(pli_frontal_plan* plan, const work* w, int segment, size_t base) {
    size_t top[2] = {0}, peak[2] = {0};
    int first = plan->segment_start[segment], end = plan->segment_start[segment + 1];
    for (int k = first; k < end; ++k) {
        int i = plan->sequence[k], odd = w->odd[i];
        pli_front_plan* f = &plan->fronts[i];
        f->update = top[odd];
        top[odd] += pli_front_update_size(&f->shape);
        if (top[odd] > peak[odd]) peak[odd] = top[odd];
        // The children are on top of the other stack; the first of them is popped last.
        for (int c = i - 1; c >= f->descendant; c = plan->fronts[c].descendant - 1)
            if (plan->fronts[c].segment == segment) top[!odd] = plan->fronts[c].update;
    }
    for (int k = first; k < end; ++k) {
        int i = plan->sequence[k];
        plan->fronts[i].update += base + (w->odd[i] ? peak[0] : 0);
    }
    return base + peak[0] + peak[1];
}

static void lay_out_stacks(pli_frontal_plan* plan, const pli_supernodes* s, const work* w) {
    for (int i = s->count - 1; i >= 0; --i)
        w->odd[i] = s->parent[i] < 0 ? 0 : !w->odd[s->parent[i]];
    plan->stack_size = 0;
    for (int segment = 0; segment <= plan->subtree_count; ++segment)
        plan->stack_size = lay_out_stack(plan, w, segment, plan->stack_size);
}

// Sorts the blocks by whichever of their two groups is eliminated first.
static void sort_blocks(const pli_pattern* pattern, work* w) {
    int n = pattern->group_count;
    for (int p = 0; p <= n; ++p) w->start[p] = 0;
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j]; b < pattern->block_start[j + 1]; ++b)
            w->start[pli_min_int(w->place[j], w->place[pattern->block_row[b]])]++;
    for (int p = 1; p <= n; ++p) w->start[p] += w->start[p - 1];
    for (int j = n - 1; j >= 0; --j)
        for (int b = pattern->block_start[j + 1] - 1; b >= pattern->block_start[j]; --b) {
            int32_t k = --w->start[pli_min_int(w->place[j], w->place[pattern->block_row[b]])];
            w->block[k] = b;
            w->column[k] = j;
        }
}

// The runs of the rows of front `child` in its parent; a run ends where the parent's pivots end.
static void relate(pli_frontal_plan* plan, const pli_supernodes* s, const work* w, int child,
                   int pivots) {
    pli_front_plan* f = &plan->fronts[child];
    pli_front_run run = {0};
    int32_t from = 0;
    for (int r = s->row_start[child]; r < s->row_start[child + 1]; ++r) {
        int p = s->row[r], to = w->local[p], count = w->offset[p + 1] - w->offset[p];
        if (f->run_count == 0 || run.to + run.count != to || to == pivots) {
            run = (pli_front_run){.from = from, .to = to};
            f->run_count++;
            f->shared += to < pivots;
        }
        run.count += count;
        from += count;
        plan->runs[f->run + (size_t)f->run_count - 1] = run;
    }
}

// Block k of the sorted list, whose first group has its columns at `column` in the panel. Of
// diagonal blocks only the lower triangle is used; blocks of the upper triangle are transposed.
static size_t send_block(pli_frontal_plan* plan, const pli_pattern* pattern, const work* w, int k,
                         int column, int stride, size_t next) {
    int j = w->column[k], b = w->block[k], i = pattern->block_row[b];
    int rows = pattern->group_offset[i + 1] - pattern->group_offset[i];
    int columns = pattern->group_offset[j + 1] - pattern->group_offset[j];
    bool transposed = w->place[i] < w->place[j];
    int row = w->local[transposed ? w->place[j] : w->place[i]];
    for (int c = 0; c < columns; ++c)
        for (int r = i == j ? c : 0; r < rows; ++r) {
            plan->source[next] = pattern->block_value[b] + c * pattern->column_height[j] + r;
            plan->target[next++] =
                transposed ? (column + r) * stride + row + c : (column + c) * stride + row + r;
        }
    return next;
}

// Front by front: the rows of its children in it, then its values.
static void route(pli_frontal_plan* plan, const pli_pattern* pattern, const pli_supernodes* s,
                  const work* w) {
    size_t next = 0;
    for (int i = 0; i < s->count; ++i) {
        pli_front_plan* f = &plan->fronts[i];
        f->value = next;
        int local = 0;
        size_t row = f->row;
        for (int p = s->first[i]; p < s->first[i + 1]; ++p) w->local[p] = w->offset[p] - f->first;
        for (int r = s->row_start[i]; r < s->row_start[i + 1]; ++r) {
            int p = s->row[r];
            w->local[p] = f->shape.pivots + local;
            local += w->offset[p + 1] - w->offset[p];
            for (int u = w->offset[p]; u < w->offset[p + 1]; ++u) plan->row[row++] = u;
        }
        for (int c = i - 1; c >= f->descendant; c = plan->fronts[c].descendant - 1)
            relate(plan, s, w, c, f->shape.pivots);
        for (int p = s->first[i]; p < s->first[i + 1]; ++p)
            for (int k = w->start[p]; k < w->start[p + 1]; ++k)
                next = send_block(plan, pattern, w, k, w->local[p], f->shape.stride, next);
    }
    plan->fronts[s->count].value = next;
}

pli_status pli_frontal_plan_build(pli_frontal_plan* plan, const pli_pattern* pattern,
                                  const pli_supernodes* s, int thread_count, bool* too_large,
                                  pli_error* error) {
    work w;
    pli_memory* memory = plan->memory;
    PLI_TRY(prepare(plan, pattern, s, &w, error));
    *too_large = !lay_out_panels(plan, s, &w);
    if (*too_large) return PLI_OK;
    size_t rows = plan->fronts[s->count].row, values = (size_t)pattern->value_count;
    PLI_TRY(PLI_RESERVE(memory, plan->row, plan->row_capacity, rows, error));
    PLI_TRY(PLI_RESERVE(memory, plan->runs, plan->run_capacity, s->row_start[s->count], error));
    PLI_TRY(PLI_RESERVE(memory, plan->source, plan->source_capacity, values, error));
    PLI_TRY(PLI_RESERVE(memory, plan->target, plan->target_capacity, values, error));
    cut_segments(plan, s, thread_count);
    lay_out_stacks(plan, s, &w);
    sort_blocks(pattern, &w);
    route(plan, pattern, s, &w);
    return PLI_OK;
}
