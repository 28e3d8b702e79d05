// The matrix pattern, and where its blocks gather from.
//
// Each block of each stencil has a slot; `places` holds the pattern block that it goes to. Slots of
// a term are ordered by stencil, in the order of the packed Hessians; those of its mapped stencils
// follow. All slots are looked up in parallel; only new pairs change the pattern.
#include "energy/assembly_parts.h"
#include "sparse/reserve.h"

#include <string.h>

enum { MISSING = -1, NOWHERE = -2 }; // no block yet; a fixed vertex, or a mapped stencil
enum { SLOT_GRAIN = 512 };           // stencils

// ---- gather lists

enum { GATHER_PARTS = 8, GATHER_SMALL = 8192 }; // below GATHER_SMALL contributions: one part

typedef struct gather_task {
    const pli_assembly* a;
    int class_index, part_count;
    pli_gather_fn* visit;
    pli_gather_pass pass;
} gather_task;

static void gather_parts(void* context, int first, int end) {
    const gather_task* task = context;
    int64_t all = task->pass.gather->destination_count;
    pli_gather_pass pass = task->pass;
    pass.first = (int)(all * first / task->part_count);
    pass.end = (int)(all * end / task->part_count);
    task->visit(task->a, task->class_index, &pass);
}

pli_status pli_gather_make(const pli_assembly* a, int class_index, pli_gather* gather,
                           int destination_count, int contribution_count, pli_gather_fn* visit,
                           pli_error* error) {
    pli_memory* m = a->memory;
    int starts = destination_count + 1;
    gather_task task = {a, class_index, 1, visit, {.gather = gather}};
    if (contribution_count >= GATHER_SMALL)
        task.part_count = pli_min_int(pli_pool_thread_count(a->pool), GATHER_PARTS);
    PLI_TRY(PLI_GROW(m, gather->start, gather->destination_capacity, starts, error));
    gather->destination_count = destination_count;
    int32_t* start = gather->start;
    memset(start, 0, sizeof *start * (size_t)starts);
    pli_parallel_for(a->pool, task.part_count, 1, gather_parts, &task);
    for (int d = 0; d < destination_count; ++d) start[d + 1] += start[d];
    gather->count = start[destination_count];
    PLI_TRY(
        PLI_RESERVE(m, gather->source, gather->capacity, gather->count + PLI_GATHER_AHEAD, error));
    task.pass.fill = true;
    pli_parallel_for(a->pool, task.part_count, 1, gather_parts, &task);
    memmove(start + 1, start, sizeof *start * (size_t)destination_count);
    start[0] = 0;
    memset(gather->source + gather->count, 0, sizeof *gather->source * PLI_GATHER_AHEAD);
    return PLI_OK;
}

// ---- slots

static int triangle(int n) { return n * (n + 1) / 2; }

// Groups of the vertices of stencil s, or -1.
static void stencil_groups(const pli_assembly* a, int t, int s, int32_t* groups) {
    int width = a->layout[t].width;
    const int32_t* vertices =
        a->terms[t].ops->vertices(a->terms[t].self) + (size_t)s * (size_t)width;
    double weights[PLI_STENCIL_MAX];
    (void)pli_stencil_groups(a->kinematics, vertices, width, groups, weights);
}

static int find(const pli_assembly* a, int one, int two) {
    return pli_pattern_find(&a->pattern, pli_max_int(one, two), pli_min_int(one, two));
}

typedef struct place_task {
    pli_assembly* a;
    int term, slot; // its first slot
} place_task;

static void place_range(void* context, int first, int end) {
    const place_task* task = context;
    const pli_assembly* a = task->a;
    int width = a->layout[task->term].width;
    int32_t* place = a->places + task->slot + (size_t)first * (size_t)triangle(width);
    for (int s = first; s < end; ++s) {
        int32_t groups[PLI_STENCIL_MAX];
        stencil_groups(a, task->term, s, groups);
        for (int i = 0; i < width; ++i)
            for (int j = 0; j <= i; ++j)
                *place++ =
                    groups[i] >= 0 && groups[j] >= 0 ? find(a, groups[i], groups[j]) : NOWHERE;
    }
}

// Slots of a term's mapped stencils; the same stencils get none among the ordinary ones. Returns
// the next slot.
static int place_mapped(pli_assembly* a, int t, int slot) {
    const pli_term_layout* layout = &a->layout[t];
    int own = triangle(layout->width), next = slot + layout->count * own;
    for (int m = layout->mapped_start; m < layout->mapped_end; ++m) {
        const pli_mapped* mapped = &a->mapped[m];
        const int32_t* groups = a->mapped_groups + mapped->group_start;
        for (int k = 0; k < own; ++k) a->places[slot + mapped->stencil * own + k] = NOWHERE;
        if (mapped->adds) continue;
        for (int i = 0; i < mapped->group_count; ++i)
            for (int j = 0; j <= i; ++j) a->places[next++] = find(a, groups[i], groups[j]);
    }
    return next;
}

static int count_slots(const pli_assembly* a, int t) {
    const pli_term_layout* layout = &a->layout[t];
    if (layout->hessian < 0) return 0;
    int count = layout->count * triangle(layout->width);
    for (int m = layout->mapped_start; m < layout->mapped_end; ++m)
        count += a->mapped[m].adds ? 0 : triangle(a->mapped[m].group_count);
    return count;
}

// Looks up all slots of a class.
static pli_status place_slots(pli_assembly* a, int class_index, pli_error* error) {
    int count = 0, slot = 0;
    for (int t = pli_first_term(a, class_index); t < pli_end_term(a, class_index); ++t)
        count += count_slots(a, t);
    a->slot_count = count;
    PLI_TRY(PLI_RESERVE(a->memory, a->places, a->place_capacity, count, error));
    for (int t = pli_first_term(a, class_index); t < pli_end_term(a, class_index); ++t) {
        if (a->layout[t].hessian < 0) continue;
        place_task task = {a, t, slot};
        pli_parallel_for(a->pool, a->layout[t].count, SLOT_GRAIN, place_range, &task);
        slot = place_mapped(a, t, slot);
    }
    return PLI_OK;
}

// ---- missing blocks

pli_status pli_assembly_add_pair(pli_assembly* a, int row, int column, pli_error* error) {
    PLI_TRY(PLI_GROW(a->memory, a->pairs, a->pair_capacity, a->pair_count + 1, error));
    a->pairs[a->pair_count++] =
        (pli_pair){.row = pli_max_int(row, column), .column = pli_min_int(row, column)};
    return PLI_OK;
}

// The pairs of a term's slots without a block. Returns the next term's first slot in *slot.
static pli_status collect_missing(pli_assembly* a, int t, int* slot, pli_error* error) {
    const pli_term_layout* layout = &a->layout[t];
    int own = triangle(layout->width), count = layout->count * own;
    if (count == 0) return PLI_OK; // `places` may be NULL
    const int32_t* places = a->places + *slot;
    for (int k = 0; k < count; ++k) {
        if (places[k] != MISSING) continue;
        int32_t groups[PLI_STENCIL_MAX];
        stencil_groups(a, t, k / own, groups);
        int i = 0, j = k % own;
        while (j > i) j -= ++i;
        PLI_TRY(pli_assembly_add_pair(a, groups[i], groups[j], error));
    }
    for (int m = layout->mapped_start; m < layout->mapped_end; ++m) {
        const int32_t* groups = a->mapped_groups + a->mapped[m].group_start;
        for (int i = 0; i < a->mapped[m].group_count && !a->mapped[m].adds; ++i)
            for (int j = 0; j <= i; ++j)
                if (places[count++] == MISSING)
                    PLI_TRY(pli_assembly_add_pair(a, groups[i], groups[j], error));
    }
    *slot += count;
    return PLI_OK;
}

// The pairs that expanded wide stencils couple.
static pli_status add_wide_pair(void* context, int row, int column, pli_error* error) {
    return pli_assembly_add_pair(context, row, column, error);
}

static pli_status keep_wide_pair(void* context, int row, int column, pli_error* error) {
    (void)error;
    pli_assembly* a = context;
    a->keep[find(a, row, column)] = 1;
    return PLI_OK;
}

// keep[b]: block b is needed by fixed terms, the masses or the present dynamic terms.
static pli_status mark_needed(pli_assembly* a, pli_error* error) {
    const pli_kinematics* k = a->kinematics;
    const int32_t* fixed = a->block_gather[0].start;
    int blocks = a->pattern.block_count;
    PLI_TRY(PLI_RESERVE(a->memory, a->keep, a->keep_capacity, blocks, error));
    for (int b = 0; b < blocks; ++b) a->keep[b] = fixed[b] < fixed[b + 1];
    for (int b = 0; b < k->mass_count; ++b) a->keep[find(a, k->mass[b].row, k->mass[b].column)] = 1;
    for (int i = 0; i < a->coupled_count; ++i)
        a->keep[find(a, a->coupled[i].row, a->coupled[i].column)] = 1;
    for (int i = 0; i < a->slot_count; ++i)
        if (a->places[i] >= 0) a->keep[a->places[i]] = 1;
    return pli_low_rank_pairs(&a->low_rank, keep_wide_pair, a, error);
}

// Remaps the gather list of the fixed terms to a changed pattern: the same contributions.
static pli_status move_fixed(pli_assembly* a, pli_error* error) {
    pli_gather* gather = &a->block_gather[0];
    int count = a->pattern.block_count, next = 0;
    PLI_TRY(PLI_GROW(a->memory, a->spare_start, a->spare_capacity, count + 1, error));
    for (int b = 0; b < gather->destination_count; ++b)
        while (next <= a->moved[b]) a->spare_start[next++] = gather->start[b];
    while (next <= count) a->spare_start[next++] = gather->count;
    int32_t* start = gather->start;
    int capacity = gather->destination_capacity;
    gather->start = a->spare_start;
    gather->destination_capacity = a->spare_capacity;
    gather->destination_count = count;
    a->spare_start = start;
    a->spare_capacity = capacity;
    return PLI_OK;
}

static pli_status pattern_changed(pli_assembly* a, pli_error* error) {
    a->pattern_epoch++;
    a->gathered = false;
    return PLI_RESERVE(a->memory, a->values, a->value_capacity, a->pattern.value_count, error);
}

// Adds the collected pairs and removes what is no longer needed.
static pli_status change_pattern(pli_assembly* a, pli_error* error) {
    const pli_kinematics* k = a->kinematics;
    PLI_TRY(mark_needed(a, error));
    PLI_TRY(pli_pattern_build_blocks(&a->added, k->group_count, k->group_offset, a->pair_count,
                                     a->pairs, error));
    PLI_TRY(PLI_RESERVE(a->memory, a->moved, a->moved_capacity, a->pattern.block_count, error));
    PLI_TRY(pli_pattern_change(&a->pattern, &a->added, a->keep, a->moved, a->pool, error));
    PLI_TRY(move_fixed(a, error));
    return pattern_changed(a, error);
}

static pli_status build_pattern(pli_assembly* a, pli_error* error) {
    const pli_kinematics* k = a->kinematics;
    PLI_TRY(pli_pattern_build(&a->pattern, k->group_count, k->group_offset, a->pair_count, a->pairs,
                              error));
    return pattern_changed(a, error);
}

pli_status pli_assembly_begin_pattern(pli_assembly* a, pli_error* error) {
    const pli_kinematics* k = a->kinematics;
    for (int b = 0; b < k->mass_count; ++b)
        PLI_TRY(pli_assembly_add_pair(a, k->mass[b].row, k->mass[b].column, error));
    for (int i = 0; i < a->coupled_count; ++i)
        PLI_TRY(pli_assembly_add_pair(a, a->coupled[i].row, a->coupled[i].column, error));
    PLI_TRY(pli_low_rank_pairs(&a->low_rank, add_wide_pair, a, error));
    return build_pattern(a, error);
}

// ---- what blocks gather

static void gather_slots(const pli_assembly* a, int class_index, const pli_gather_pass* pass) {
    int dim = a->kinematics->dim;
    const int32_t* place = a->places;
    for (int t = pli_first_term(a, class_index); t < pli_end_term(a, class_index); ++t) {
        const pli_term_layout* layout = &a->layout[t];
        if (layout->hessian < 0) continue;
        int at = layout->hessian, end = at + layout->count * layout->packed;
        for (; at < end; at += dim * dim) pli_gather_add(pass, *place++, at, dim);
        for (int m = layout->mapped_start; m < layout->mapped_end; ++m) {
            const pli_mapped* mapped = &a->mapped[m];
            const int32_t* groups = a->mapped_groups + mapped->group_start;
            if (mapped->adds) continue;
            int row_at = 0, own = mapped->scalar ? triangle(mapped->group_count) : 0;
            for (int i = 0; i < own; ++i)
                pli_gather_add(pass, *place++, mapped->hessian + i * dim * dim, dim);
            for (int i = 0; i < mapped->group_count && !mapped->scalar; ++i) {
                int corner = mapped->hessian + row_at;
                for (int j = 0; j <= i; ++j) {
                    pli_gather_add(pass, *place++, corner, mapped->width);
                    corner += pli_group_width(a->kinematics, groups[j]) * mapped->width;
                }
                row_at += pli_group_width(a->kinematics, groups[i]);
            }
        }
    }
}

// Slots and pairs of the fixed terms are not needed again.
static void free_work(pli_assembly* a) {
    PLI_FREE(a->memory, a->places, a->place_capacity);
    PLI_FREE(a->memory, a->pairs, a->pair_capacity);
    a->place_capacity = 0;
    a->pair_count = a->pair_capacity = 0;
}

pli_status pli_assembly_gather_blocks(pli_assembly* a, int class_index, pli_error* error) {
    pli_gather* gather = &a->block_gather[class_index];
    bool fixed = class_index == 0;
    int slot = 0, before = a->pair_count = fixed ? a->pair_count : 0;
    PLI_TRY(place_slots(a, class_index, error));
    for (int t = pli_first_term(a, class_index); t < pli_end_term(a, class_index); ++t)
        if (a->layout[t].hessian >= 0) PLI_TRY(collect_missing(a, t, &slot, error));
    a->may_trim = !fixed;
    if (a->pair_count > before) {
        PLI_TRY(fixed ? build_pattern(a, error) : change_pattern(a, error));
        PLI_TRY(place_slots(a, class_index, error));
    }
    PLI_TRY(pli_gather_make(a, class_index, gather, a->pattern.block_count, a->slot_count,
                            gather_slots, error));
    if (fixed) free_work(a);
    return PLI_OK;
}

// Is the pattern much larger than needed? Another analysis pays only for many blocks.
static pli_status is_overgrown(pli_assembly* a, bool* overgrown, pli_error* error) {
    enum { SHARE = 4, LEAST = 1000 };
    const int32_t* fixed = a->block_gather[0].start;
    int unused = 0, blocks = a->pattern.block_count, others = 0;
    for (int b = 0; b < blocks; ++b) others += fixed[b] == fixed[b + 1];
    *overgrown = false;
    if (others <= LEAST) return PLI_OK;
    PLI_TRY(mark_needed(a, error));
    for (int b = 0; b < blocks; ++b) unused += !a->keep[b];
    *overgrown = unused > LEAST && unused > blocks / SHARE;
    return PLI_OK;
}

pli_status pli_assembly_trim(pli_assembly* a, pli_error* error) {
    bool overgrown;
    if (!a->may_trim) return PLI_OK;
    a->may_trim = false;
    PLI_TRY(is_overgrown(a, &overgrown, error));
    if (!overgrown) return PLI_OK;
    a->laid_out = false; // if anything below fails, the next update rebuilds everything
    a->pair_count = 0;
    PLI_TRY(change_pattern(a, error));
    PLI_TRY(place_slots(a, 1, error));
    PLI_TRY(pli_gather_make(a, 1, &a->block_gather[1], a->pattern.block_count, a->slot_count,
                            gather_slots, error));
    a->laid_out = true;
    return PLI_OK;
}
