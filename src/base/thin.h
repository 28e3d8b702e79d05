// A bounded sample of an endless row of records. Invariant: record i < count - 1 is number
// i * stride of the row, the last one is the newest; so first and last are always there and the
// rest is evenly spaced. When more than `limit` are kept, every second is dropped.
#ifndef PLI_BASE_THIN_H
#define PLI_BASE_THIN_H

#include "base/memory.h"

typedef struct pli_thin {
    pli_memory* memory;
    size_t record_size; // bytes
    int limit;          // records kept at most, >= 3
    int count, capacity;
    int64_t stride, seen;
    unsigned char* records;
} pli_thin;

void pli_thin_init(pli_thin* thin, pli_memory* memory, size_t record_size, int limit);
void pli_thin_free(pli_thin* thin); // zeroed is fine

// Adds a record; *record is where its bytes go.
pli_status pli_thin_add(pli_thin* thin, void** record, pli_error* error);
const void* pli_thin_get(const pli_thin* thin, int i);
// Of `wanted` records spread evenly over the whole row, the kept record nearest to the i-th.
int pli_thin_pick(const pli_thin* thin, int i, int wanted);

#endif
