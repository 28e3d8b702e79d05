// Supernodes: sets of groups that are eliminated together in one dense front.
//
// The tree of groups is split into connected nodes. A node's groups are its pivots; its rows are
// the groups that the column of its last group couples to. Nodes are in postorder (children before
// parents, descendants of a node contiguous), pivots in elimination order.
#ifndef PLI_SPARSE_SUPERNODES_H
#define PLI_SPARSE_SUPERNODES_H

#include "sparse/elimination.h"

typedef struct pli_supernodes {
    int count;
    int32_t* first;      // count + 1: its first pivot
    int32_t* parent;     // -1: a root
    int32_t* descendant; // the first of its descendants; itself if it has none
    int32_t* group;      // group_count: groups of the pattern in elimination order of the nodes
    int32_t* node;       // group_count: the node that eliminates this entry of `group`
    int32_t* row_start;  // count + 1
    int32_t* row;        // indices into `group`, ascending, of the rows below the pivots
    pli_memory* memory;
    int32_t *by_group, *rows; // storage of the arrays above
    size_t group_capacity, row_capacity;
} pli_supernodes;

void pli_supernodes_init(pli_supernodes* supernodes, pli_memory* memory);
void pli_supernodes_free(pli_supernodes* supernodes);

// `order` is the one that the elimination was built with. *too_large: the rows exceed the index
// range, and nothing was built.
pli_status pli_supernodes_build(pli_supernodes* supernodes, const pli_elimination* elimination,
                                const int32_t* order, bool* too_large, pli_error* error);

#endif
