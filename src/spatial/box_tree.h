// A static tree of boxes for neighbour search. The order of visits depends only on the boxes.
#ifndef PLI_SPATIAL_BOX_TREE_H
#define PLI_SPATIAL_BOX_TREE_H

#include "base/memory.h"

// Nodes are in depth-first order: the first child of an inner node is the next node, and `skip` is
// the node after its subtree. A leaf has skip = its index + 1.
typedef struct pli_tree_node {
    double low[3], high[3];
    int32_t first, end; // its items are items[first .. end - 1]
    int32_t skip;
} pli_tree_node;

typedef struct pli_tree {
    pli_memory* memory;
    int node_count, node_capacity;
    pli_tree_node* nodes;
    int item_count;
    int32_t* items; // item indices; items close in space are close in the list
} pli_tree;

// `boxes` has low[3] and high[3] of each item and is not stored. Zero-initialize or free `tree`
// before.
pli_status pli_tree_create(pli_memory* memory, int count, const double* boxes, pli_tree* tree,
                           pli_error* error);
void pli_tree_free(pli_tree* tree);

// Calls `visit` for items whose leaf overlaps the box low .. high; some of them may be outside of
// it. Ends when `visit` returns false.
typedef bool pli_tree_visit_fn(void* context, int32_t item);
void pli_tree_visit(const pli_tree* tree, const double low[3], const double high[3],
                    pli_tree_visit_fn* visit, void* context);

#endif
