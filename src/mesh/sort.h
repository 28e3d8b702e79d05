// Sorting rows of vertex numbers by columns, in linear time and always the same way.
#ifndef PLI_MESH_SORT_H
#define PLI_MESH_SORT_H

#include "base/memory.h"

// Sorts `count` rows of `width` numbers by the columns 0 .. columns - 1, the first one first; rows
// that agree there keep their order. Columns hold numbers from 0 to below `limit`.
pli_status pli_sort_rows(pli_memory* memory, int32_t* rows, int count, int width, int columns,
                         int limit, pli_error* error);

#endif
