// A fill-reducing elimination order, found on the graph of groups. The graph of unknowns would be
// slower and no better.
#ifndef PLI_SPARSE_ORDERING_H
#define PLI_SPARSE_ORDERING_H

#include "sparse/pattern.h"

// Work space, kept between calls.
typedef struct pli_ordering {
    pli_memory* memory;
    int32_t* work;
    size_t capacity;
} pli_ordering;

void pli_ordering_init(pli_ordering* ordering, pli_memory* memory);
void pli_ordering_free(pli_ordering* ordering);

// Sets order[k] to the k-th group to eliminate; group_count entries. The same pattern gives the
// same order. METIS allocates with malloc; about the same amount is claimed from our memory budget.
pli_status pli_order_groups(pli_ordering* ordering, const pli_pattern* pattern, int32_t* order,
                            pli_error* error);

#endif
