// A bounded sample of an endless row of records.
#include "base/thin.h"

#include <string.h>

void pli_thin_init(pli_thin* thin, pli_memory* memory, size_t record_size, int limit) {
    PLI_ASSERT(limit >= 3 && record_size > 0);
    *thin = (pli_thin){.memory = memory, .record_size = record_size, .limit = limit, .stride = 1};
}

void pli_thin_free(pli_thin* thin) {
    if (thin->records)
        (void)pli_resize(thin->memory, &thin->records, thin->record_size, (size_t)thin->capacity, 0,
                         NULL);
}

static unsigned char* at(const pli_thin* thin, int i) {
    return thin->records + (size_t)i * thin->record_size;
}

const void* pli_thin_get(const pli_thin* thin, int i) { return at(thin, i); }

// Keeps records 0, 2, 4 ... that lie on the stride.
static void drop_every_second(pli_thin* thin) {
    int kept = (thin->count + 1) / 2;
    for (int i = 1; i < kept; ++i) memcpy(at(thin, i), at(thin, 2 * i), thin->record_size);
    thin->count = kept;
    thin->stride *= 2;
}

pli_status pli_thin_add(pli_thin* thin, void** record, pli_error* error) {
    // The newest record makes room for the next one unless it lies on the stride.
    bool replaces = thin->count > 0 && (thin->seen - 1) % thin->stride != 0;
    if (!replaces && thin->count == thin->limit) drop_every_second(thin);
    int slot = replaces ? thin->count - 1 : thin->count;
    PLI_TRY(pli_grow(thin->memory, &thin->records, thin->record_size, &thin->capacity, slot + 1,
                     error));
    thin->count = slot + 1;
    thin->seen++;
    *record = at(thin, slot);
    return PLI_OK;
}

int pli_thin_pick(const pli_thin* thin, int i, int wanted) {
    if (i >= wanted - 1) return thin->count - 1;
    double number = (double)i * (double)(thin->seen - 1) / (wanted - 1);
    int nearest = (int)(number / (double)thin->stride + 0.5);
    return pli_min_int(nearest, thin->count - 1);
}
