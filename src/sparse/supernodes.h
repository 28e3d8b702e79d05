// Supernodes: sets of groups that are eliminated together in one dense front.
//
// The tree of groups is cut into nodes that are connected in it; a node's groups are its pivots,
// its rows are what the column of its last group couples to. Nodes are in postorder (children
// before parents, the descendants of a node next to it), pivots in the order of elimination.
#ifndef PLI_SPARSE_SUPERNODES_H
#define PLI_SPARSE_SUPERNODES_H

#include "sparse/elimination.h"

typedef struct pli_supernodes {
    int count;
    int32_t* first;      // count + 1: its first pivot
    int32_t* parent;     // -1: a root
    int32_t* descendant; // the first of its descendants; itself, if it has none
    int32_t* group;      // group_count: groups of the pattern as the nodes eliminate them
    int32_t* node;       // group_count: the node that eliminates this place of `group`
    int32_t* row_start;  // count + 1
    int32_t* row;        // places in `group`, ascending, that come under the pivots
    pli_memory* memory;
    int32_t *by_group, *rows; // what the arrays above are cut from
    size_t group_capacity, row_capacity;
} pli_supernodes;

void pli_supernodes_init(pli_supernodes* supernodes, pli_memory* memory);
void pli_supernodes_free(pli_supernodes* supernodes);

// `order` is the one that the elimination was built with. *too_large: there are more rows than can
// be numbered, and nothing was built.
pli_status pli_supernodes_build(pli_supernodes* supernodes, const pli_elimination* elimination,
                                const int32_t* order, bool* too_large, pli_error* error);

#endif
