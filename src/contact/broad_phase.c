// The tree of boxes: Morton order by a radix sort, boxes merged upwards, queries twice over (count,
// then write) so that every query knows its place in the result before any thread writes.
#include "contact/broad_phase.h"

#include <math.h>

enum { LEAF_SIZE = 4, QUERY_GRAIN = 64, MAX_DEPTH = 32 };

void pli_bvh_init(pli_bvh* tree, pli_memory* memory) { *tree = (pli_bvh){.memory = memory}; }

void pli_bvh_free(pli_bvh* tree) {
    PLI_FREE(tree->memory, tree->order, tree->order_capacity);
    PLI_FREE(tree->memory, tree->sorted, tree->sorted_capacity);
    PLI_FREE(tree->memory, tree->nodes, tree->node_capacity);
    PLI_FREE(tree->memory, tree->keys, tree->key_capacity);
    PLI_FREE(tree->memory, tree->other_keys, tree->other_key_capacity);
    PLI_FREE(tree->memory, tree->other_order, tree->other_order_capacity);
    pli_bvh_init(tree, tree->memory);
}

static const pli_box empty_box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                  {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void grow_box(pli_box* box, const pli_box* other) {
    for (int k = 0; k < 3; ++k) {
        if (other->min[k] < box->min[k]) box->min[k] = other->min[k];
        if (other->max[k] > box->max[k]) box->max[k] = other->max[k];
    }
}

// Two zero bits before each of the lowest 21 bits.
static uint64_t spread_bits(uint64_t v) {
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    v = (v | v << 2) & 0x1249249249249249;
    return v;
}

// Place of the box's centre on the Morton curve through `all`, with 2^21 cells along each axis.
static uint64_t morton_key(const pli_box* box, const pli_box* all) {
    static const double cells = 2097151;
    uint64_t key = 0;
    for (int k = 0; k < 3; ++k) {
        double extent = all->max[k] - all->min[k];
        double place = 0.5 * (box->min[k] - all->min[k]) + 0.5 * (box->max[k] - all->min[k]);
        double share = extent > 0 ? place / extent : 0;
        if (!(share > 0)) share = 0;
        if (share > 1) share = 1;
        key |= spread_bits((uint64_t)(share * cells)) << k;
    }
    return key;
}

// Stable sort of `order` by `keys`, 8 bits at a time; equal digits of all keys cost no copy.
static void sort_by_key(pli_bvh* tree) {
    for (int shift = 0; shift < 64; shift += 8) {
        int start[257] = {0};
        for (int i = 0; i < tree->count; ++i) start[(tree->keys[i] >> shift & 255) + 1]++;
        if (start[(tree->keys[0] >> shift & 255) + 1] == tree->count) continue;
        for (int digit = 0; digit < 256; ++digit) start[digit + 1] += start[digit];
        for (int i = 0; i < tree->count; ++i) {
            int to = start[tree->keys[i] >> shift & 255]++;
            tree->other_keys[to] = tree->keys[i];
            tree->other_order[to] = tree->order[i];
        }
        for (int i = 0; i < tree->count; ++i) {
            tree->keys[i] = tree->other_keys[i];
            tree->order[i] = tree->other_order[i];
        }
    }
}

static pli_status reserve_tree(pli_bvh* tree, int count, int leaf_count, pli_error* error) {
    pli_memory* memory = tree->memory;
    PLI_TRY(PLI_GROW(memory, tree->order, tree->order_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, tree->sorted, tree->sorted_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, tree->nodes, tree->node_capacity, 2 * leaf_count - 1, error));
    PLI_TRY(PLI_GROW(memory, tree->keys, tree->key_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, tree->other_keys, tree->other_key_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, tree->other_order, tree->other_order_capacity, count, error));
    return PLI_OK;
}

pli_status pli_bvh_build(pli_bvh* tree, int count, const pli_box* boxes, pli_error* error) {
    int leaf_count = 1;
    while (leaf_count < (count + LEAF_SIZE - 1) / LEAF_SIZE) leaf_count *= 2;
    PLI_TRY(reserve_tree(tree, count, leaf_count, error));
    tree->count = count;
    tree->leaf_count = leaf_count;
    if (count == 0) return PLI_OK;
    pli_box all = empty_box;
    for (int i = 0; i < count; ++i) grow_box(&all, &boxes[i]);
    for (int i = 0; i < count; ++i) {
        tree->keys[i] = morton_key(&boxes[i], &all);
        tree->order[i] = i;
    }
    sort_by_key(tree);
    for (int i = 0; i < count; ++i) tree->sorted[i] = boxes[tree->order[i]];
    pli_box* leaves = tree->nodes + leaf_count - 1;
    for (int i = 0; i < leaf_count; ++i) leaves[i] = empty_box;
    for (int i = 0; i < count; ++i) grow_box(&leaves[i / LEAF_SIZE], &tree->sorted[i]);
    for (int i = leaf_count - 2; i >= 0; --i) {
        tree->nodes[i] = tree->nodes[2 * i + 1];
        grow_box(&tree->nodes[i], &tree->nodes[2 * i + 2]);
    }
    return PLI_OK;
}

void pli_box_pairs_init(pli_box_pairs* pairs, pli_memory* memory) {
    *pairs = (pli_box_pairs){.memory = memory};
}

void pli_box_pairs_free(pli_box_pairs* pairs) {
    PLI_FREE(pairs->memory, pairs->pairs, pairs->capacity);
    PLI_FREE(pairs->memory, pairs->start, pairs->start_capacity);
    pli_box_pairs_init(pairs, pairs->memory);
}

typedef struct query_context {
    const pli_bvh* tree;
    const pli_box_query* query;
    pli_box_pairs* out;
} query_context;

// Counts what overlaps query i; writes the pairs to `out` unless it is NULL.
static int visit(const pli_bvh* tree, const pli_box_query* query, int i, pli_box_pair* out) {
    const pli_box* box = &query->boxes[i];
    int stack[MAX_DEPTH + 1], depth = 0, found = 0;
    if (tree->count > 0) stack[depth++] = 0;
    while (depth > 0) {
        int node = stack[--depth];
        if (!pli_boxes_overlap(box, &tree->nodes[node])) continue;
        if (node < tree->leaf_count - 1) {
            stack[depth++] = 2 * node + 2;
            stack[depth++] = 2 * node + 1;
            continue;
        }
        int first = (node - (tree->leaf_count - 1)) * LEAF_SIZE;
        for (int j = first; j < pli_min_int(first + LEAF_SIZE, tree->count); ++j) {
            if (!pli_boxes_overlap(box, &tree->sorted[j])) continue;
            if (query->keep && !query->keep(query->context, i, tree->order[j])) continue;
            if (out) out[found] = (pli_box_pair){i, tree->order[j]};
            found++;
        }
    }
    return found;
}

static void count_block(void* context, int first, int end) {
    const query_context* c = context;
    for (int i = first; i < end; ++i) c->out->start[i + 1] = visit(c->tree, c->query, i, NULL);
}

// Shell sort: the runs are short, but must not become quadratic when everything overlaps.
static void sort_pairs(pli_box_pair* pairs, int count) {
    int gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (int i = gap; i < count; ++i) {
            pli_box_pair moved = pairs[i];
            int j = i;
            for (; j >= gap && pairs[j - gap].primitive > moved.primitive; j -= gap)
                pairs[j] = pairs[j - gap];
            pairs[j] = moved;
        }
    }
}

static void write_block(void* context, int first, int end) {
    const query_context* c = context;
    for (int i = first; i < end; ++i) {
        pli_box_pair* out = c->out->pairs + c->out->start[i];
        int count = c->out->start[i + 1] - c->out->start[i];
        if (count == 0) continue;
        visit(c->tree, c->query, i, out);
        sort_pairs(out, count);
    }
}

pli_status pli_bvh_query(const pli_bvh* tree, pli_pool* pool, const pli_box_query* query,
                         pli_box_pairs* out, pli_error* error) {
    PLI_TRY(PLI_GROW(out->memory, out->start, out->start_capacity, query->count + 1, error));
    query_context context = {tree, query, out};
    pli_parallel_for(pool, query->count, QUERY_GRAIN, count_block, &context);
    out->count = 0;
    out->found = 0;
    for (int i = 0; i < query->count; ++i) out->found += out->start[i + 1];
    if (out->found > query->max_pairs) return PLI_OK;
    PLI_TRY(PLI_GROW(out->memory, out->pairs, out->capacity, (int)out->found, error));
    out->start[0] = 0;
    for (int i = 0; i < query->count; ++i) out->start[i + 1] += out->start[i];
    pli_parallel_for(pool, query->count, QUERY_GRAIN, write_block, &context);
    out->count = (int)out->found;
    return PLI_OK;
}
