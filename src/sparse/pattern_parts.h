// Shared by building and changing a pattern.
#ifndef PLI_SPARSE_PATTERN_PARTS_H
#define PLI_SPARSE_PATTERN_PARTS_H

#include "sparse/pattern.h"

// The arrays of a pattern in the order of their capacities.
enum {
    GROUP_OFFSET,
    BLOCK_START,
    BLOCK_ROW,
    BLOCK_VALUE,
    COLUMN_HEIGHT,
    START,
    ROW,
    BY_ROW,
    ROW_END,
    ARRAY_COUNT
};
_Static_assert(sizeof((pli_pattern*)0)->capacity == ARRAY_COUNT * sizeof(int32_t),
               "one capacity per array");

enum { PLI_PATTERN_GRAIN = 1024 }; // column groups

pli_status pli_pattern_too_large(const char* what, pli_error* error);
pli_status pli_pattern_reserve_groups(pli_pattern* pattern, int group_count, int unknown_count,
                                      int pair_count, pli_error* error);
pli_status pli_pattern_reserve_blocks(pli_pattern* pattern, int64_t block_count,
                                      int64_t value_count, pli_error* error);

// Heights, scalar columns and the place of each block in the values.
void pli_pattern_place_values(pli_pattern* pattern, pli_pool* pool);

#endif
