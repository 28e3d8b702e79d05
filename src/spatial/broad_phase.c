// The tree of boxes: Morton order, then boxes merged upwards level by level. Queries are in
// box_query.c.
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
    const pli_box* boxes; // or where they end
    pli_bvh_node* nodes;
    int level; // that is merged
} build;

// Overlaps nothing: places are between -0.5 and 1.5.
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

// Child c of `node` gets the box around all children of `below`.
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

// Where levels begin; returns the number of nodes.
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
