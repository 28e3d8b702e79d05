// Domains: parts of a matrix, no two of which couple, that threads can eliminate in parallel, and
// what separates them, which comes last.
//
// The groups are cut into ranges of equal length; of every coupling between two ranges the later
// group becomes a separator. Where matrices are numbered along bodies, as those of meshes are, few
// do. If many would, there are fewer domains, down to one, in the order of the pattern. All this
// follows from the pattern alone, so that results do not depend on the number of threads.
#ifndef PLI_SPARSE_DOMAINS_H
#define PLI_SPARSE_DOMAINS_H

#include "sparse/pattern.h"

enum { PLI_MAX_DOMAINS = 8 };

typedef struct pli_domains {
    pli_memory* memory;
    int count;                          // domains; 1: nothing below is set but `first`
    int32_t first[PLI_MAX_DOMAINS + 2]; // in the new order: of domains, of separators, their end
    int32_t *order, *place;             // old number of new groups, and back
    pli_pattern pattern;                // in the new order
    int32_t* source;                    // of its blocks: see pli_pattern_reorder
    size_t order_capacity, place_capacity, source_capacity;
} pli_domains;

void pli_domains_init(pli_domains* d, pli_memory* memory);
void pli_domains_free(pli_domains* d);

// At most PLI_MAX_DOMAINS domains of at least `least` groups (with separators).
pli_status pli_domains_cut(pli_domains* d, const pli_pattern* pattern, int least, pli_pool* pool,
                           pli_error* error);

#endif
