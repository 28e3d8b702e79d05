// Domains: parts of a matrix that are not coupled with each other, so threads can eliminate them in
// parallel. The separators between them come last.
//
// The groups are cut into ranges of equal length. Of every coupling between two ranges the later
// group becomes a separator. If the numbering follows the bodies, as for meshes, these are few. If
// they are many, fewer domains are used, down to one, in the order of the pattern. All this depends
// only on the pattern, so results do not depend on the number of threads.
#ifndef PLI_SPARSE_DOMAINS_H
#define PLI_SPARSE_DOMAINS_H

#include "sparse/pattern.h"

enum { PLI_MAX_DOMAINS = 8 };

typedef struct pli_domains {
    pli_memory* memory;
    int count;                          // domains; 1: only `first` is set below
    int32_t first[PLI_MAX_DOMAINS + 2]; // in the new order: starts of domains, of separators, end
    int32_t *order, *place;             // old number of new groups, and the inverse
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
