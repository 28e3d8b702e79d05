// A bounded sample of an unlimited sequence of records. Invariant: record i < count - 1 is number i
// * stride of the sequence, the last one is the newest; so first and last are always present and
// the rest is evenly spaced. When more than `limit` are kept, every second one is dropped.
#ifndef PLI_BASE_SAMPLER_H
#define PLI_BASE_SAMPLER_H

#include "base/memory.h"

typedef struct pli_sampler {
    pli_memory* memory;
    size_t record_size; // bytes
    int limit;          // maximum of kept records, >= 3
    int count, capacity;
    int64_t stride, seen;
    unsigned char* records;
} pli_sampler;

void pli_sampler_init(pli_sampler* sampler, pli_memory* memory, size_t record_size, int limit);
void pli_sampler_free(pli_sampler* sampler); // zeroed is valid

// Adds a record; *record is set to the address of its bytes.
pli_status pli_sampler_add(pli_sampler* sampler, void** record, pli_error* error);
const void* pli_sampler_get(const pli_sampler* sampler, int i);
// Of `wanted` records distributed evenly over the whole sequence, the kept record nearest to the
// i-th.
int pli_sampler_pick(const pli_sampler* sampler, int i, int wanted);

#endif
