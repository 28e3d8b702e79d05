// Wide stencils: their factors on vertices, and the rows over unknowns computed from them.
//
// Stencil s of a term is one block of the low-rank part: its groups are all that drive its
// vertices, its rows W^T g. A vertex may occur more than once, and several may hang on one group:
// then their parts add up. Blocks of terms that are not global come first; they are expanded unless
// the solver multiplies. Where exact derivatives are asked for, the global ones are expanded as
// well: then the pattern has all pairs of groups of a stencil, and what the factors leave out is
// added to its blocks.
#include "energy/assembly_parts.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE_GRAIN = 64 };

// ---- blocks

// The distinct groups of one stencil. `mark` holds the last stencil in which a group was found.
typedef struct group_list {
    int32_t *mark, *groups;
    int count, stamp;
} group_list;

static void take_group(group_list* list, int group) {
    if (group < 0 || list->mark[group] == list->stamp) return;
    list->mark[group] = list->stamp;
    list->groups[list->count++] = group;
}

static int compare(const void* a, const void* b) {
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

static void list_groups(const pli_assembly* a, int t, int s, group_list* list) {
    const pli_kinematics* k = a->kinematics;
    const int32_t *start = a->layout[t].start,
                  *vertices = a->terms[t].ops->vertices(a->terms[t].self);
    list->count = 0;
    list->stamp++;
    for (int i = start[s]; i < start[s + 1]; ++i) {
        const pli_vertex_map* map = &k->vertices[vertices[i]];
        take_group(list, map->identity_group);
        for (int e = map->entry_start; e < map->entry_end; ++e)
            take_group(list, k->entries[e].group);
    }
    qsort(list->groups, (size_t)list->count, sizeof *list->groups, compare);
}

// The entry of a group in a block that contains it.
static int entry_of(const pli_low_rank* low, const pli_low_rank_block* block, int group) {
    int first = block->group_start, end = block->group_end;
    while (end - first > 1) {
        int middle = first + (end - first) / 2;
        if (low->groups[middle] <= group)
            first = middle;
        else
            end = middle;
    }
    return first;
}

static pli_status add_blocks(pli_assembly* a, int t, group_list* list, pli_error* error) {
    pli_term_layout* layout = &a->layout[t];
    const pli_kinematics* k = a->kinematics;
    const int32_t* vertices = a->terms[t].ops->vertices(a->terms[t].self);
    pli_low_rank* low = &a->low_rank;
    layout->block = low->block_count;
    for (int s = 0; s < layout->count; ++s) {
        list_groups(a, t, s, list);
        PLI_TRY(pli_low_rank_add(low, a->terms[t].ops->rank, list->count, list->groups,
                                 k->group_offset, error));
        const pli_low_rank_block* block = &low->blocks[layout->block + s];
        for (int i = layout->start[s]; i < layout->start[s + 1]; ++i) {
            int group = k->vertices[vertices[i]].identity_group;
            a->wide_places[layout->place + i] =
                group < 0 ? -1 : low->offset[entry_of(low, block, group)];
        }
    }
    return PLI_OK;
}

// Room for the factors on vertices and for the places; 0 if there are no wide stencils.
static pli_status make_room(pli_assembly* a, pli_error* error) {
    size_t factors = 0, places = 0;
    for (int t = 0; t < a->term_count; ++t) {
        pli_term_layout* layout = &a->layout[t];
        if (!layout->start) continue;
        PLI_ASSERT(!a->terms[t].ops->dynamic);
        size_t corners = pli_layout_vertex(layout, layout->count);
        layout->place = (int)places;
        layout->factor = factors;
        places += corners;
        factors += corners * (size_t)(a->kinematics->dim * a->terms[t].ops->rank);
    }
    if (places > INT32_MAX)
        return pli_fail(error, PLI_E_MEMORY,
                        "wide stencils have more than 2^31 vertices; use a smaller mesh");
    PLI_TRY(PLI_ALLOC(a->memory, a->wide_places, places, error));
    a->place_count = (int)places;
    PLI_TRY(PLI_ALLOC(a->memory, a->factors, factors, error));
    a->factor_capacity = factors;
    return PLI_OK;
}

void pli_assembly_free_wide(pli_assembly* a) {
    pli_low_rank_free(&a->low_rank);
    PLI_FREE(a->memory, a->factors, a->factor_capacity);
    PLI_FREE(a->memory, a->wide_places, a->place_count);
    a->factor_capacity = 0;
    a->place_count = 0;
}

pli_status pli_assembly_make_wide(pli_assembly* a, pli_error* error) {
    int groups = a->kinematics->group_count;
    pli_low_rank* low = &a->low_rank;
    group_list list = {0};
    pli_status status;
    pli_assembly_free_wide(a);
    PLI_TRY(make_room(a, error));
    if (a->place_count == 0) return PLI_OK;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(a->memory, list.mark, groups, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(a->memory, list.groups, groups, error));
    for (int global = 0; global < 2; ++global) {
        for (int t = 0; t < a->term_count; ++t)
            if (a->layout[t].start && a->terms[t].ops->global == global)
                PLI_TRY_CLEANUP(status, add_blocks(a, t, &list, error));
        if (!a->multiplies && (!global || a->expands)) low->expanded = low->block_count;
    }
    status = pli_low_rank_finish(low, groups, a->kinematics->group_offset, a->multiplies, error);
cleanup:
    PLI_FREE(a->memory, list.mark, list.mark ? groups : 0);
    PLI_FREE(a->memory, list.groups, list.groups ? groups : 0);
    return status;
}

// ---- evaluation

void pli_assembly_place_factors(pli_assembly* a, int term, int first, int count, pli_local* local) {
    const pli_term_layout* layout = &a->layout[term];
    size_t rank = (size_t)a->terms[term].ops->rank, size = rank * (size_t)a->kinematics->dim;
    size_t start = pli_layout_vertex(layout, first), end = pli_layout_vertex(layout, first + count);
    local->factors = a->factors + layout->factor + start * size;
    local->factor_weights =
        a->low_rank.weights + a->low_rank.blocks[layout->block + first].row_start;
    memset(local->factors, 0, sizeof(double) * (end - start) * size);
    memset(local->factor_weights, 0, sizeof(double) * (size_t)count * rank);
}

typedef struct pull_task {
    pli_assembly* a;
    int term;
    const uint8_t* frozen;
} pull_task;

// row += W^T g of one vertex.
static void pull_vertex(const pli_assembly* a, const pli_low_rank_block* block, int vertex,
                        int place, const double* g, double* row) {
    const pli_kinematics* k = a->kinematics;
    const pli_vertex_map* map = &k->vertices[vertex];
    if (place >= 0) pli_axpy(1, g, row + place, k->dim);
    for (int e = map->entry_start; e < map->entry_end; ++e) {
        int group = k->entries[e].group, width = pli_group_width(k, group);
        double* out = row + a->low_rank.offset[entry_of(&a->low_rank, block, group)];
        if (k->entries[e].scalar) {
            pli_axpy(k->weights[k->entries[e].weights], g, out, k->dim);
            continue;
        }
        for (int c = 0; c < k->dim; ++c)
            pli_axpy(g[c], k->weights + k->entries[e].weights + c * width, out, width);
    }
}

static void pull_range(void* context, int first, int end) {
    const pull_task* task = context;
    pli_assembly* a = task->a;
    const pli_low_rank* low = &a->low_rank;
    const pli_term_layout* layout = &a->layout[task->term];
    const int32_t *start = layout->start,
                  *vertices = a->terms[task->term].ops->vertices(a->terms[task->term].self);
    int dim = a->kinematics->dim, rank = a->terms[task->term].ops->rank;
    const double* g = a->factors + layout->factor + (size_t)start[first] * (size_t)(rank * dim);
    for (int s = first; s < end; ++s) {
        const pli_low_rank_block* block = &low->blocks[layout->block + s];
        double* row = pli_low_rank_rows(low, layout->block + s);
        memset(row, 0, sizeof *row * (size_t)(rank * block->length));
        for (int k = 0; k < rank; ++k, row += block->length) {
            for (int i = start[s]; i < start[s + 1]; ++i, g += dim)
                pull_vertex(a, block, vertices[i], a->wide_places[layout->place + i], g, row);
            for (int i = block->group_start; i < block->group_end && task->frozen; ++i)
                if (task->frozen[low->groups[i]])
                    memset(row + low->offset[i], 0,
                           sizeof *row * (size_t)pli_group_width(a->kinematics, low->groups[i]));
        }
    }
}

void pli_assembly_pull_factors(pli_assembly* a, const uint8_t* frozen) {
    for (int t = 0; t < a->term_count; ++t) {
        pull_task task = {a, t, frozen};
        if (a->layout[t].start)
            pli_parallel_for(a->pool, a->layout[t].count, WIDE_GRAIN, pull_range, &task);
    }
}

void pli_assembly_mark_wide(pli_assembly* a, int term, int s) {
    const pli_low_rank_block* block = &a->low_rank.blocks[a->layout[term].block + s];
    for (int i = block->group_start; i < block->group_end; ++i)
        a->changed[a->low_rank.groups[i]] = 1;
}

// ---- curvature

struct pli_curvature_sink {
    pli_assembly* a;
    int count; // stencils of the batch
    const int32_t *start, *vertices;
};

// A group that drives a vertex: dim x width weights, NULL: `scale` times the identity.
typedef struct driver {
    int group, width;
    const double* weights;
    double scale;
} driver;

// Driver n of a vertex, the identity last; false: there are no more.
static bool driver_of(const pli_kinematics* k, int vertex, int n, driver* out) {
    const pli_vertex_map* map = &k->vertices[vertex];
    int entries = map->entry_end - map->entry_start;
    if (n < entries) {
        const int at = map->entry_start + n, group = k->entries[at].group;
        const double* weights = k->weights + k->entries[at].weights;
        bool scalar = k->entries[at].scalar;
        *out = (driver){group, pli_group_width(k, group), scalar ? NULL : weights,
                        scalar ? *weights : 1};
        return true;
    }
    *out = (driver){map->identity_group, k->dim, NULL, 1};
    return n == entries && map->identity_group >= 0;
}

static double weight_of(const driver* d, int r, int c) {
    return d->weights ? d->weights[r * d->width + c] : r == c ? d->scale : 0;
}

// out (column-major, leading dimension `height`) += W_a^T block W_b
static void add_pulled(int dim, const driver* a, const driver* b, const double* block, double* out,
                       int height) {
    for (int c = 0; c < b->width; ++c)
        for (int r = 0; r < dim; ++r) {
            double sum = 0; // (block W_b)_rc
            for (int s = 0; s < dim; ++s) sum += block[r * dim + s] * weight_of(b, s, c);
            for (int i = 0; i < a->width; ++i) out[c * height + i] += weight_of(a, r, i) * sum;
        }
}

// The part of the lower triangle that the pair (v, w) has, in this order.
static void add_pair(pli_assembly* a, int v, int w, const double* block) {
    const pli_kinematics* k = a->kinematics;
    driver of_v, of_w;
    for (int m = 0; driver_of(k, v, m, &of_v); ++m)
        for (int n = 0; driver_of(k, w, n, &of_w); ++n) {
            if (of_v.group < of_w.group) continue;
            int b = pli_pattern_find(&a->pattern, of_v.group, of_w.group);
            PLI_ASSERT(b >= 0);
            add_pulled(k->dim, &of_v, &of_w, block, a->values + a->pattern.block_value[b],
                       a->pattern.column_height[of_w.group]);
        }
}

pli_status pli_sink_curvature(pli_curvature_sink* sink, int stencil, int i, int j,
                              const double* block, pli_error* error) {
    if (!sink || !block) return pli_fail(error, PLI_E_ARGUMENT, "curvature: sink or block is NULL");
    int width =
        stencil >= 0 && stencil < sink->count ? sink->start[stencil + 1] - sink->start[stencil] : 0;
    if (i < 0 || j < 0 || i >= width || j >= width)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "curvature of the places %d and %d of stencil %d: the batch has %d "
                        "stencils, this one %d vertices",
                        i, j, stencil, sink->count, width);
    int dim = sink->a->kinematics->dim;
    const int32_t* vertices = sink->vertices + (sink->start[stencil] - sink->start[0]);
    add_pair(sink->a, vertices[i], vertices[j], block);
    if (i == j) return PLI_OK;
    double turned[9];
    for (int r = 0; r < dim; ++r)
        for (int c = 0; c < dim; ++c) turned[c * dim + r] = block[r * dim + c];
    add_pair(sink->a, vertices[j], vertices[i], turned);
    return PLI_OK;
}

pli_status pli_assembly_add_curvature(pli_assembly* a, const double* x, pli_error* error) {
    PLI_ASSERT(a->expands && !a->multiplies);
    for (int t = 0; t < a->term_count; ++t) {
        const pli_term* term = &a->terms[t];
        const pli_term_layout* layout = &a->layout[t];
        if (!layout->start || !term->ops->curvature || layout->count == 0) continue;
        pli_batch batch = {.dim = a->kinematics->dim,
                           .count = layout->count,
                           .start = layout->start,
                           .vertices = term->ops->vertices(term->self),
                           .x = x,
                           .want = PLI_HESSIAN};
        pli_curvature_sink sink = {a, batch.count, batch.start, batch.vertices};
        pli_status status = term->ops->curvature(term->self, 0, &batch, &sink, error);
        if (status != PLI_OK) {
            pli_error_prefix(error, "energy \"%s\"", term->ops->name);
            return status;
        }
    }
    return PLI_OK;
}
