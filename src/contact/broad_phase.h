// Broad phase: which boxes overlap, by a tree of boxes.
//
// Boxes are closed (touching is overlapping) and have finite corners; in the plane z is 0. The tree
// is complete and implicit over the boxes sorted along a Morton curve, so it needs O(n) memory and
// is a function of the boxes alone. Pairs come out sorted by (query, primitive), whatever the
// number of threads; they are exactly those that comparing all with all would give.
#ifndef PLI_CONTACT_BROAD_PHASE_H
#define PLI_CONTACT_BROAD_PHASE_H

#include "base/parallel.h"

typedef struct pli_box {
    double min[3], max[3]; // [m]
} pli_box;

static inline bool pli_boxes_overlap(const pli_box* a, const pli_box* b) {
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] &&
           b->min[1] <= a->max[1] && a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

typedef struct pli_bvh {
    pli_memory* memory;
    int count;       // primitives
    int leaf_count;  // a power of two; each leaf holds a few primitives
    int32_t* order;  // primitive numbers along the curve
    pli_box* sorted; // their boxes
    pli_box* nodes;  // 2 leaf_count - 1; the children of node i are 2 i + 1 and 2 i + 2
    // scratch of the sort
    uint64_t* keys;
    uint64_t* other_keys;
    int32_t* other_order;
    int order_capacity, sorted_capacity, node_capacity, key_capacity, other_key_capacity,
        other_order_capacity;
} pli_bvh;

void pli_bvh_init(pli_bvh* tree, pli_memory* memory);
void pli_bvh_free(pli_bvh* tree);
// Builds the tree over `count` boxes; memory of an earlier build is used again.
pli_status pli_bvh_build(pli_bvh* tree, int count, const pli_box* boxes, pli_error* error);

typedef struct pli_box_query {
    int count;
    const pli_box* boxes;
    // Which overlapping pairs to keep; called from several threads. NULL: all.
    bool (*keep)(const void* context, int query, int primitive);
    const void* context;
    int max_pairs; // more are not stored: the result is then empty
} pli_box_query;

typedef struct pli_box_pair {
    int32_t query, primitive;
} pli_box_pair;

typedef struct pli_box_pairs {
    pli_memory* memory;
    int count;
    int64_t found; // as many overlap; greater than max_pairs: overflow, count is 0
    pli_box_pair* pairs;
    int32_t* start; // scratch: where each query's pairs begin
    int capacity, start_capacity;
} pli_box_pairs;

void pli_box_pairs_init(pli_box_pairs* pairs, pli_memory* memory);
void pli_box_pairs_free(pli_box_pairs* pairs);
pli_status pli_bvh_query(const pli_bvh* tree, pli_pool* pool, const pli_box_query* query,
                         pli_box_pairs* out, pli_error* error);

#endif
