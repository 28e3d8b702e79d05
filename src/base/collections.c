// Hash table of numbers, and a stable sort of rows.
#include "base/collections.h"

#include <string.h>

void pli_ids_init(pli_ids* ids, pli_memory* memory) { *ids = (pli_ids){.memory = memory}; }

void pli_ids_free(pli_ids* ids) {
    PLI_FREE(ids->memory, ids->entries, ids->capacity);
    pli_ids_init(ids, ids->memory);
}

// Mixes all bits into the upper ones (the finalizer of a linear congruential generator).
static size_t slot_of(const pli_ids* ids, int64_t key) {
    uint64_t h = (uint64_t)key;
    h ^= h >> 32;
    h *= 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    return (size_t)h & ((size_t)ids->capacity - 1);
}

// The entry of the key, or the empty entry for it.
static pli_id_entry* place_of(const pli_ids* ids, int64_t key) {
    size_t slot = slot_of(ids, key), mask = (size_t)ids->capacity - 1;
    while (ids->entries[slot].value && ids->entries[slot].key != key) slot = (slot + 1) & mask;
    return &ids->entries[slot];
}

int32_t pli_ids_find(const pli_ids* ids, int64_t key) {
    return ids->capacity ? place_of(ids, key)->value - 1 : -1;
}

static pli_status grow(pli_ids* ids, pli_error* error) {
    pli_ids larger = {.memory = ids->memory, .count = ids->count};
    larger.capacity = ids->capacity ? 2 * ids->capacity : 64;
    PLI_TRY(PLI_ALLOC(ids->memory, larger.entries, larger.capacity, error));
    for (int i = 0; i < ids->capacity; ++i)
        if (ids->entries[i].value) *place_of(&larger, ids->entries[i].key) = ids->entries[i];
    PLI_FREE(ids->memory, ids->entries, ids->capacity);
    *ids = larger;
    return PLI_OK;
}

pli_status pli_ids_add(pli_ids* ids, int64_t key, int32_t value, pli_error* error) {
    if (ids->count >= ids->capacity / 2) PLI_TRY(grow(ids, error)); // at most half full
    *place_of(ids, key) = (pli_id_entry){key, value + 1};
    ids->count++;
    return PLI_OK;
}

// ---- sorted rows
//
// Counting sorts, the last column first: they are stable, so earlier columns take precedence.

pli_status pli_sort_rows(pli_memory* memory, int32_t* rows, int count, int width, int columns,
                         int limit, pli_error* error) {
    int32_t *other = NULL, *start = NULL, *from = rows;
    size_t w = (size_t)width, size = (size_t)count * w;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, other, size, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, start, limit + 1, error));
    int32_t* to = other;
    for (int c = columns - 1; c >= 0; --c) {
        memset(start, 0, ((size_t)limit + 1) * sizeof *start);
        for (int i = 0; i < count; ++i) start[from[(size_t)i * w + (size_t)c] + 1]++;
        for (int v = 0; v < limit; ++v) start[v + 1] += start[v];
        for (int i = 0; i < count; ++i) {
            const int32_t* row = from + (size_t)i * w;
            memcpy(to + (size_t)start[row[c]]++ * w, row, w * sizeof *row);
        }
        int32_t* swap = from;
        from = to;
        to = swap;
    }
    if (from != rows && size > 0) memcpy(rows, from, size * sizeof *rows);
cleanup:
    PLI_FREE(memory, other, size);
    PLI_FREE(memory, start, limit + 1);
    return status;
}
