// Collections of numbers: a hash table, sorted rows, disjoint sets.
#ifndef PLI_BASE_COLLECTIONS_H
#define PLI_BASE_COLLECTIONS_H

#include "base/memory.h"

// ---- hash table
//
// Maps 64-bit numbers (node ids of a file, pairs of vertices) to indices from 0: open addressing
// with doubling, so lookups take constant time and memory is proportional to the entries.

typedef struct pli_id_entry {
    int64_t key;
    int32_t value; // + 1; 0: empty
} pli_id_entry;

typedef struct pli_ids {
    pli_memory* memory;
    int count, capacity; // the capacity is 0 or a power of two
    pli_id_entry* entries;
} pli_ids;

void pli_ids_init(pli_ids* ids, pli_memory* memory);
void pli_ids_free(pli_ids* ids);

// The value of `key`, -1 if it is missing.
int32_t pli_ids_find(const pli_ids* ids, int64_t key);
// Adds a key that is not present, with a value >= 0.
pli_status pli_ids_add(pli_ids* ids, int64_t key, int32_t value, pli_error* error);

// ---- sorted rows
//
// Sorts `count` rows of `width` numbers by the columns 0 .. columns - 1, the first one first; rows
// that are equal there keep their order. Linear time. Columns hold numbers from 0 to below `limit`.
pli_status pli_sort_rows(pli_memory* memory, int32_t* rows, int count, int width, int columns,
                         int limit, pli_error* error);

// ---- disjoint sets
//
// Disjoint sets of the numbers 0 .. n - 1 as trees in an array; the root is the lowest number of
// its set. Initially every number is its own root: root[i] = i.

static inline int32_t pli_disjoint_root(int32_t* root, int32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
}

static inline void pli_disjoint_join(int32_t* root, int32_t a, int32_t b) {
    a = pli_disjoint_root(root, a);
    b = pli_disjoint_root(root, b);
    root[a > b ? a : b] = a > b ? b : a;
}

#endif
