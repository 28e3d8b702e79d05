// Symbolic elimination of the groups in a given order: its tree and the column lengths of the
// factor. Positions refer to the order. The parent of position k is the first group that its column
// couples to: parent[k] > k.
#ifndef PLI_SPARSE_ELIMINATION_H
#define PLI_SPARSE_ELIMINATION_H

#include "sparse/pattern.h"

typedef struct pli_elimination {
    int group_count;
    int32_t* width;         // unknowns of the group at each position
    int32_t* parent;        // -1: a root
    int32_t* below;         // unknowns below the group in its column of the factor
    int32_t* below_groups;  // same, in groups
    int32_t* earlier_start; // group_count + 1
    int32_t* earlier;       // positions before k that are neighbours of k, by k
    int32_t* position;      // of every group of the pattern
    pli_memory* memory;
    int32_t *by_group, *by_block; // storage of the arrays above
    size_t group_capacity, block_capacity;
} pli_elimination;

void pli_elimination_init(pli_elimination* elimination, pli_memory* memory);
void pli_elimination_free(pli_elimination* elimination);

// Reuses the memory of an earlier build.
pli_status pli_elimination_build(pli_elimination* elimination, const pli_pattern* pattern,
                                 const int32_t* order, pli_error* error);

#endif
