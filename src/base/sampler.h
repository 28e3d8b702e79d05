// A bounded sample of an endless row of records. Invariant: record i < count - 1 is number
// i * stride of the row, the last one is the newest; so first and last are always there and the
// rest is evenly spaced. When more than `limit` are kept, every second is dropped.
#ifndef PLI_BASE_SAMPLER_H
#define PLI_BASE_SAMPLER_H

#include "base/memory.h"

typedef struct pli_sampler {
    pli_memory* memory;
    size_t record_size; // bytes
    int limit;          // records kept at most, >= 3
    int count, capacity;
    int64_t stride, seen;
    unsigned char* records;
} pli_sampler;

void pli_sampler_init(pli_sampler* sampler, pli_memory* memory, size_t record_size, int limit);
void pli_sampler_free(pli_sampler* sampler); // zeroed is fine

// Adds a record; *record is where its bytes go.
pli_status pli_sampler_add(pli_sampler* sampler, void** record, pli_error* error);
const void* pli_sampler_get(const pli_sampler* sampler, int i);
// Of `wanted` records spread evenly over the whole row, the kept record nearest to the i-th.
int pli_sampler_pick(const pli_sampler* sampler, int i, int wanted);

#endif
