// An order of elimination that keeps the factor sparse, found on the graph of groups, not of
// unknowns, which is faster and just as good.
#ifndef PLI_SPARSE_ORDERING_H
#define PLI_SPARSE_ORDERING_H

#include "sparse/pattern.h"

// order[k] becomes the group to eliminate as number k; group_count entries. The same pattern gives
// the same order. Memory of the search comes from malloc; about as much of ours is claimed for it.
pli_status pli_order_groups(pli_memory* memory, const pli_pattern* pattern, int32_t* order,
                            pli_error* error);

#endif
