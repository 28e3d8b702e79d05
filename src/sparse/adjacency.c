// Counts, then fills. The columns are traversed in order, so the neighbours of every row are
// ascending: those before the row come from their own columns, those after it from the row's
// column.
#include "sparse/adjacency.h"

#include "sparse/reserve.h"

void pli_adjacency_init(pli_adjacency* a, pli_memory* memory) {
    *a = (pli_adjacency){.memory = memory};
}

void pli_adjacency_free(pli_adjacency* a) {
    PLI_FREE(a->memory, a->start, a->start_capacity);
    PLI_FREE(a->memory, a->neighbour, a->neighbour_capacity);
    PLI_FREE(a->memory, a->block, a->block_capacity);
    pli_adjacency_init(a, a->memory);
}

pli_status pli_adjacency_build(pli_adjacency* a, const pli_pattern* pattern, pli_error* error) {
    int n = pattern->group_count;
    size_t entries = 2 * ((size_t)pattern->block_count - (size_t)n);
    if (entries > INT32_MAX)
        return pli_fail(error, PLI_E_MEMORY,
                        "out of memory: the matrix has 2^30 blocks or more; use a smaller mesh");
    PLI_TRY(PLI_RESERVE(a->memory, a->start, a->start_capacity, n + 2, error));
    PLI_TRY(PLI_RESERVE(a->memory, a->neighbour, a->neighbour_capacity, entries, error));
    PLI_TRY(PLI_RESERVE(a->memory, a->block, a->block_capacity, entries, error));
    int32_t* next = a->start + 1; // cursor of each row; at the end, the start of the next
    for (int i = 0; i < n + 2; ++i) a->start[i] = 0;
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < pattern->block_start[j + 1]; ++b) {
            a->start[j + 2]++;
            a->start[pattern->block_row[b] + 2]++;
        }
    for (int i = 2; i < n + 2; ++i) a->start[i] += a->start[i - 1];
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < pattern->block_start[j + 1]; ++b) {
            int i = pattern->block_row[b];
            a->neighbour[next[i]] = j;
            a->block[next[i]++] = b;
            a->neighbour[next[j]] = i;
            a->block[next[j]++] = b;
        }
    a->group_count = n;
    a->entry_count = (int)entries;
    return PLI_OK;
}
