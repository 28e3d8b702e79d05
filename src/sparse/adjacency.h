// Full rows of a pattern that stores only the lower triangle: all blocks of a row, those left of
// the diagonal and, transposed, those right of it.
#ifndef PLI_SPARSE_ADJACENCY_H
#define PLI_SPARSE_ADJACENCY_H

#include "sparse/pattern.h"

typedef struct pli_adjacency {
    int group_count;
    int entry_count;
    int32_t* start;     // group_count + 1
    int32_t* neighbour; // groups other than the row's own, ascending
    int32_t* block;     // of the pattern; transposed if the neighbour comes after the row
    pli_memory* memory;
    size_t start_capacity, neighbour_capacity, block_capacity;
} pli_adjacency;

void pli_adjacency_init(pli_adjacency* adjacency, pli_memory* memory);
void pli_adjacency_free(pli_adjacency* adjacency);

// Reuses the memory of an earlier build.
pli_status pli_adjacency_build(pli_adjacency* adjacency, const pli_pattern* pattern,
                               pli_error* error);

#endif
