// A table from 64-bit numbers of a file (node ids, pairs of vertices) to numbers from 0: open
// addressing with doubling, so lookups take constant time and memory stays within the entries.
#ifndef PLI_MESH_IDS_H
#define PLI_MESH_IDS_H

#include "base/memory.h"

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

// The value of `key`, -1 if it is not there.
int32_t pli_ids_find(const pli_ids* ids, int64_t key);
// Adds a key that is not there, with a value >= 0.
pli_status pli_ids_add(pli_ids* ids, int64_t key, int32_t value, pli_error* error);

#endif
