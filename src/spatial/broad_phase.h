// Broad phase: finds overlapping boxes by a box tree.
//
// Boxes are closed (touching is overlapping) and have finite corners; in the plane z is 0. They may
// move: then each is a box at the start and one at the end of a motion, and its contents move
// linearly from one to the other. Two such boxes overlap unless along some axis one is on the same
// side of the other at both times: bodies that move together do not meet. The tree is implicit over
// the boxes sorted along a Morton curve, four children per node, so it needs O(n) memory and
// depends only on the boxes. Pairs are sorted by (query, primitive), independent of the number of
// threads; they equal those of a brute-force comparison.
#ifndef PLI_SPATIAL_BROAD_PHASE_H
#define PLI_SPATIAL_BROAD_PHASE_H

#include "base/parallel.h"

// ---- Morton order
//
// Boxes in the order of their centres along a Morton curve: neighbours in the order are neighbours
// in space. The order depends only on the boxes and the frame, for any number of threads.

typedef struct pli_box {
    double min[3], max[3]; // [m]
} pli_box;

// Normalized coordinates: 0 to 1 inside a box.
typedef struct pli_frame {
    double min[3]; // [m]
    double scale;  // [1/m]
} pli_frame;

// The frame of a box. Where the scale would overflow it is 0: then all points coincide.
pli_frame pli_frame_of(const pli_box* box);

// Coordinate k in the frame, clamped to -0.5 and 1.5. Monotone in spite of rounding: boxes that
// overlap do so in any frame. Computed from halves, so that nothing finite overflows.
static inline double pli_frame_place(const pli_frame* frame, int k, double x) {
    double place = (0.5 * x - 0.5 * frame->min[k]) * frame->scale;
    return place < -0.5 ? -0.5 : place > 1.5 ? 1.5 : place;
}

typedef struct pli_morton_order {
    pli_memory* memory;
    int32_t* order; // indices of the boxes along the curve
    // scratch of the sort
    uint64_t* keys;
    uint64_t* other_keys;
    int32_t* other_order;
    int32_t* digits; // per block and digit
    int order_capacity, key_capacity, other_key_capacity, other_order_capacity, digit_capacity;
} pli_morton_order;

void pli_morton_init(pli_morton_order* curve, pli_memory* memory);
void pli_morton_free(pli_morton_order* curve);
pli_status pli_morton_sort(pli_morton_order* curve, pli_pool* pool, const pli_frame* frame,
                           int count, const pli_box* boxes, pli_error* error);

// ---- overlapping boxes

static inline bool pli_boxes_overlap(const pli_box* a, const pli_box* b) {
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] &&
           b->min[1] <= a->max[1] && a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

// For moving boxes: [0] at the start, [1] at the end.
static inline bool pli_moving_boxes_overlap(const pli_box* const a[2], const pli_box* const b[2]) {
    for (int k = 0; k < 3; ++k) {
        if (a[0]->min[k] > b[0]->max[k] && a[1]->min[k] > b[1]->max[k]) return false;
        if (b[0]->min[k] > a[0]->max[k] && b[1]->min[k] > a[1]->max[k]) return false;
    }
    return true;
}

enum { PLI_BVH_WIDTH = 4, PLI_BVH_LEVELS = 16 };

// The boxes of four children, in the tree's frame and rounded to float. Both steps are monotone, so
// boxes that overlap still do; the doubles decide about the others at the end. Along half axis h,
// which is +x, -x, +y, -y, +z, -z, a child begins at face[h]: a box that ends at `wall` there is
// before it if face > wall.
enum { PLI_HALF_AXES = 6 };
typedef struct pli_bvh_node {
    float face[PLI_HALF_AXES][PLI_BVH_WIDTH];
} pli_bvh_node;

typedef struct pli_bvh {
    pli_memory* memory;
    int count;                 // primitives
    int level_count;           // 0: no primitives
    int first[PLI_BVH_LEVELS]; // first node of each level; level 0 holds the primitives
    pli_box all;               // around all boxes
    pli_frame frame;
    const pli_box *boxes, *ends; // of the primitives; not owned
    pli_morton_order curve;      // its order: primitive numbers along the curve
    // Child i of node j of level l is node 4 j + i of level l - 1.
    pli_bvh_node *nodes, *end_nodes; // end_nodes: for moving boxes
    int node_capacity, end_node_capacity;
} pli_bvh;

void pli_bvh_init(pli_bvh* tree, pli_memory* memory);
void pli_bvh_free(pli_bvh* tree);
// Builds the tree over `count` boxes, which must stay valid for all queries; memory of an earlier
// build is reused.
pli_status pli_bvh_build(pli_bvh* tree, pli_pool* pool, int count, const pli_box* boxes,
                         pli_error* error);
// The same over boxes that move to `ends`; NULL: they are at rest.
pli_status pli_bvh_build_moving(pli_bvh* tree, pli_pool* pool, int count, const pli_box* boxes,
                                const pli_box* ends, pli_error* error);

typedef struct pli_box_query {
    int count;
    const pli_box* boxes;
    // Which overlapping pairs to keep; called from several threads. NULL: all.
    bool (*keep)(const void* context, int query, int primitive);
    const void* context;
    int max_pairs;       // if exceeded the result is empty
    const pli_box* ends; // the boxes at the end of the motion, if those of the tree move
    bool same; // the queries are the boxes of the tree: each pair once, the lower index first
} pli_box_query;

typedef struct pli_box_pair {
    int32_t query, primitive;
} pli_box_pair;

typedef struct pli_box_pairs {
    pli_memory* memory;
    int count;
    int64_t found; // overlapping pairs; max_pairs + 1: overflow, count is 0
    pli_box_pair* pairs;
    // scratch
    pli_box_pair* mixed;    // same boxes: pairs by the query that found them
    int32_t* start;         // first pair of each query
    pli_box_pair* slots;    // the first few pairs of each query
    pli_morton_order curve; // queries along the curve
    int capacity, mixed_capacity, start_capacity, slot_capacity;
} pli_box_pairs;

void pli_box_pairs_init(pli_box_pairs* pairs, pli_memory* memory);
void pli_box_pairs_free(pli_box_pairs* pairs);
pli_status pli_bvh_query(const pli_bvh* tree, pli_pool* pool, const pli_box_query* query,
                         pli_box_pairs* out, pli_error* error);

#endif
