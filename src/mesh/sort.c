// Counting sorts, the last column first: stable ones, so the earlier columns win.
#include "mesh/sort.h"

#include <string.h>

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
