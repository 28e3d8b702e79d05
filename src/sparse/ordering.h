// An order of elimination that keeps the factor sparse, found on the graph of groups, not of
// unknowns, which is faster and just as good.
#ifndef PLI_SPARSE_ORDERING_H
#define PLI_SPARSE_ORDERING_H

#include "sparse/pattern.h"

// Work space, kept from one search to the next.
typedef struct pli_ordering {
    pli_memory* memory;
    int32_t* work;
    size_t capacity;
} pli_ordering;

void pli_ordering_init(pli_ordering* ordering, pli_memory* memory);
void pli_ordering_free(pli_ordering* ordering);

// order[k] becomes the group to eliminate as number k; group_count entries. The same pattern gives
// the same order. METIS takes memory from malloc; about as much of ours is claimed for it.
pli_status pli_order_groups(pli_ordering* ordering, const pli_pattern* pattern, int32_t* order,
                            pli_error* error);

#endif
