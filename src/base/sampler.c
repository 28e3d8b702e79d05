// A bounded sample of an unlimited sequence of records.
#include "base/sampler.h"

#include <string.h>

void pli_sampler_init(pli_sampler* sampler, pli_memory* memory, size_t record_size, int limit) {
    PLI_ASSERT(limit >= 3 && record_size > 0);
    *sampler =
        (pli_sampler){.memory = memory, .record_size = record_size, .limit = limit, .stride = 1};
}

void pli_sampler_free(pli_sampler* sampler) {
    if (sampler->records)
        (void)pli_resize(sampler->memory, &sampler->records, sampler->record_size,
                         (size_t)sampler->capacity, 0, NULL);
}

static unsigned char* at(const pli_sampler* sampler, int i) {
    return sampler->records + (size_t)i * sampler->record_size;
}

const void* pli_sampler_get(const pli_sampler* sampler, int i) { return at(sampler, i); }

// Keeps records 0, 2, 4 ... that lie on the stride.
static void drop_every_second(pli_sampler* sampler) {
    int kept = (sampler->count + 1) / 2;
    for (int i = 1; i < kept; ++i) memcpy(at(sampler, i), at(sampler, 2 * i), sampler->record_size);
    sampler->count = kept;
    sampler->stride *= 2;
}

pli_status pli_sampler_add(pli_sampler* sampler, void** record, pli_error* error) {
    // The newest record is replaced by the next one unless it is on the stride.
    bool replaces = sampler->count > 0 && (sampler->seen - 1) % sampler->stride != 0;
    if (!replaces && sampler->count == sampler->limit) drop_every_second(sampler);
    int slot = replaces ? sampler->count - 1 : sampler->count;
    PLI_TRY(pli_grow(sampler->memory, &sampler->records, sampler->record_size, &sampler->capacity,
                     slot + 1, error));
    sampler->count = slot + 1;
    sampler->seen++;
    *record = at(sampler, slot);
    return PLI_OK;
}

int pli_sampler_pick(const pli_sampler* sampler, int i, int wanted) {
    if (i >= wanted - 1) return sampler->count - 1;
    double number = (double)i * (double)(sampler->seen - 1) / (wanted - 1);
    int nearest = (int)(number / (double)sampler->stride + 0.5);
    return pli_min_int(nearest, sampler->count - 1);
}
