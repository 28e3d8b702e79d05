// The box tree: Morton order, then boxes merged upwards level by level. Queries are in box_query.c.
#include "spatial/broad_phase.h"

enum { GRAIN = 512 };

void pli_bvh_init(pli_bvh* tree, pli_memory* memory) {
    *tree = (pli_bvh){.memory = memory};
    pli_morton_init(&tree->curve, memory);
}

void pli_bvh_free(pli_bvh* tree) {
    pli_morton_free(&tree->curve);
    PLI_FREE(tree->memory, tree->nodes, tree->node_capacity);
    PLI_FREE(tree->memory, tree->end_nodes, tree->end_node_capacity);
    pli_bvh_init(tree, tree->memory);
}

typedef struct build {
    pli_bvh* tree;
    const pli_box* boxes; // or the boxes at the end of the motion
    pli_bvh_node* nodes;
    int level; // the level being merged
} build;

// Overlaps nothing: coordinates are between -0.5 and 1.5.
static const pli_bvh_node empty_node = {
    {{2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}}};

// Level 0 from the boxes.
static void leaf_block(void* context, int first, int end) {
    const build* b = context;
    const pli_bvh* tree = b->tree;
    for (int i = first; i < end; ++i) {
        pli_bvh_node node = empty_node;
        int n = pli_min_int(PLI_BVH_WIDTH, tree->count - i * PLI_BVH_WIDTH);
        for (int c = 0; c < n; ++c) {
            int j = i * PLI_BVH_WIDTH + c;
            const pli_box* box = &b->boxes[tree->curve.order[j]];
            for (int k = 0; k < 3; ++k) {
                node.face[2 * k][c] = (float)pli_frame_place(&tree->frame, k, box->min[k]);
                node.face[2 * k + 1][c] = -(float)pli_frame_place(&tree->frame, k, box->max[k]);
            }
        }
        b->nodes[i] = node;
    }
}

// Sets child c of `node` to the box around all children of `below`.
static void merge_child(pli_bvh_node* node, int c, const pli_bvh_node* below) {
    for (int h = 0; h < PLI_HALF_AXES; ++h)
        for (int lane = 0; lane < PLI_BVH_WIDTH; ++lane)
            if (below->face[h][lane] < node->face[h][c]) node->face[h][c] = below->face[h][lane];
}

static void merge_block(void* context, int first, int end) {
    const build* b = context;
    const pli_bvh* tree = b->tree;
    const pli_bvh_node* below = b->nodes + tree->first[b->level - 1];
    int below_count = tree->first[b->level] - tree->first[b->level - 1];
    for (int i = first; i < end; ++i) {
        pli_bvh_node node = empty_node;
        int n = pli_min_int(PLI_BVH_WIDTH, below_count - i * PLI_BVH_WIDTH);
        for (int c = 0; c < n; ++c) merge_child(&node, c, &below[i * PLI_BVH_WIDTH + c]);
        b->nodes[tree->first[b->level] + i] = node;
    }
}

// The first node of each level; returns the number of nodes.
static int lay_out(pli_bvh* tree, int count) {
    int nodes = 0, size = count;
    tree->level_count = 0;
    while (size > 1 || (size == 1 && tree->level_count == 0)) {
        size = (size - 1) / PLI_BVH_WIDTH + 1;
        tree->first[tree->level_count++] = nodes;
        nodes += size;
    }
    return nodes;
}

static void add_all(pli_box* all, int count, const pli_box* boxes) {
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            if (boxes[i].min[k] < all->min[k]) all->min[k] = boxes[i].min[k];
            if (boxes[i].max[k] > all->max[k]) all->max[k] = boxes[i].max[k];
        }
}

static void fill(build* b, pli_pool* pool, int node_count) {
    const pli_bvh* tree = b->tree;
    for (b->level = 0; b->level < tree->level_count; ++b->level) {
        int end = b->level + 1 < tree->level_count ? tree->first[b->level + 1] : node_count;
        pli_parallel_for(pool, end - tree->first[b->level], GRAIN,
                         b->level == 0 ? leaf_block : merge_block, b);
    }
}

pli_status pli_bvh_build(pli_bvh* tree, pli_pool* pool, int count, const pli_box* boxes,
                         pli_error* error) {
    return pli_bvh_build_moving(tree, pool, count, boxes, NULL, error);
}

pli_status pli_bvh_build_moving(pli_bvh* tree, pli_pool* pool, int count, const pli_box* boxes,
                                const pli_box* ends, pli_error* error) {
    tree->count = 0;
    tree->boxes = boxes;
    tree->ends = ends;
    int node_count = lay_out(tree, count);
    PLI_TRY(PLI_GROW(tree->memory, tree->nodes, tree->node_capacity, node_count, error));
    if (ends)
        PLI_TRY(
            PLI_GROW(tree->memory, tree->end_nodes, tree->end_node_capacity, node_count, error));
    if (count == 0) return PLI_OK;
    tree->all = boxes[0];
    add_all(&tree->all, count, boxes);
    if (ends) add_all(&tree->all, count, ends);
    tree->frame = pli_frame_of(&tree->all);
    PLI_TRY(pli_morton_sort(&tree->curve, pool, &tree->frame, count, boxes, error));
    tree->count = count;
    build b = {.tree = tree, .boxes = boxes, .nodes = tree->nodes};
    fill(&b, pool, node_count);
    build e = {.tree = tree, .boxes = ends, .nodes = tree->end_nodes};
    if (ends) fill(&e, pool, node_count);
    return PLI_OK;
}

// ---- Morton order
//
// A radix sort by keys of 63 bits, 8 at a time: stable, and parallel over fixed blocks.

enum { SORT_GRAIN = 4096, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 63 };

void pli_morton_init(pli_morton_order* curve, pli_memory* memory) {
    *curve = (pli_morton_order){.memory = memory};
}

void pli_morton_free(pli_morton_order* curve) {
    PLI_FREE(curve->memory, curve->order, curve->order_capacity);
    PLI_FREE(curve->memory, curve->keys, curve->key_capacity);
    PLI_FREE(curve->memory, curve->other_keys, curve->other_key_capacity);
    PLI_FREE(curve->memory, curve->other_order, curve->other_order_capacity);
    PLI_FREE(curve->memory, curve->digits, curve->digit_capacity);
    pli_morton_init(curve, curve->memory);
}

pli_frame pli_frame_of(const pli_box* box) {
    pli_frame frame = {{box->min[0], box->min[1], box->min[2]}, 0};
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
        double half = 0.5 * box->max[k] - 0.5 * box->min[k];
        if (half > longest) longest = half;
    }
    if (longest > 1e-300) frame.scale = 1 / longest;
    return frame;
}

// Inserts two zero bits before each of the lowest 21 bits.
static uint64_t spread_bits(uint64_t v) {
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    v = (v | v << 2) & 0x1249249249249249;
    return v;
}

// The position of the box's centre on the curve, with 2^21 cells from -0.5 to 1.5 along each axis.
static uint64_t morton_key(const pli_frame* frame, const pli_box* box) {
    static const double cells = 2097151;
    uint64_t key = 0;
    for (int k = 0; k < 3; ++k) {
        double sum =
            pli_frame_place(frame, k, box->min[k]) + pli_frame_place(frame, k, box->max[k]);
        key |= spread_bits((uint64_t)((0.25 * sum + 0.25) * cells)) << k;
    }
    return key;
}

typedef struct sort {
    pli_morton_order* curve;
    const pli_frame* frame;
    const pli_box* boxes;
    int count;
    int shift; // of the current digit
} sort;

static int block_count(int count) { return (count + SORT_GRAIN - 1) / SORT_GRAIN; }

static void key_block(void* context, int first, int end) {
    const sort* s = context;
    for (int i = first; i < end; ++i) {
        s->curve->keys[i] = morton_key(s->frame, &s->boxes[i]);
        s->curve->order[i] = i;
    }
}

static int digit(const sort* s, int i) {
    return (int)(s->curve->keys[i] >> s->shift & (DIGITS - 1));
}

static void count_digits(void* context, int first, int end) {
    const sort* s = context;
    int32_t* count = s->curve->digits + first / SORT_GRAIN * DIGITS;
    for (int d = 0; d < DIGITS; ++d) count[d] = 0;
    for (int i = first; i < end; ++i) count[digit(s, i)]++;
}

static void move_by_digit(void* context, int first, int end) {
    const sort* s = context;
    int32_t* start = s->curve->digits + first / SORT_GRAIN * DIGITS;
    for (int i = first; i < end; ++i) {
        int to = start[digit(s, i)]++;
        s->curve->other_keys[to] = s->curve->keys[i];
        s->curve->other_order[to] = s->curve->order[i];
    }
}

// Converts counts per block and digit to positions: digits first, blocks in order within. False if
// all keys have the same digit.
static bool place_digits(const sort* s) {
    int at = 0, blocks = block_count(s->count);
    for (int d = 0; d < DIGITS; ++d) {
        int before = at;
        for (int block = 0; block < blocks; ++block) {
            int32_t* entry = &s->curve->digits[block * DIGITS + d];
            int count = *entry;
            *entry = at;
            at += count;
        }
        if (at - before == s->count) return false;
    }
    return true;
}

static void swap_buffers(pli_morton_order* c) {
    pli_morton_order old = *c;
    c->keys = old.other_keys;
    c->key_capacity = old.other_key_capacity;
    c->order = old.other_order;
    c->order_capacity = old.other_order_capacity;
    c->other_keys = old.keys;
    c->other_key_capacity = old.key_capacity;
    c->other_order = old.order;
    c->other_order_capacity = old.order_capacity;
}

pli_status pli_morton_sort(pli_morton_order* curve, pli_pool* pool, const pli_frame* frame,
                           int count, const pli_box* boxes, pli_error* error) {
    pli_memory* memory = curve->memory;
    int digits = block_count(count) * DIGITS;
    PLI_TRY(PLI_GROW(memory, curve->order, curve->order_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, curve->keys, curve->key_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, curve->other_keys, curve->other_key_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, curve->other_order, curve->other_order_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, curve->digits, curve->digit_capacity, digits, error));
    sort s = {.curve = curve, .frame = frame, .boxes = boxes, .count = count};
    pli_parallel_for(pool, count, SORT_GRAIN, key_block, &s);
    for (s.shift = 0; s.shift < KEY_BITS; s.shift += DIGIT_BITS) {
        pli_parallel_for(pool, count, SORT_GRAIN, count_digits, &s);
        if (!place_digits(&s)) continue;
        pli_parallel_for(pool, count, SORT_GRAIN, move_by_digit, &s);
        swap_buffers(curve);
    }
    return PLI_OK;
}
