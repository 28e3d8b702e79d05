// Arrays that every analysis refills. They grow without keeping their contents, and new memory is
// uninitialized, so that the threads that fill a large array also touch it first.
#ifndef PLI_SPARSE_RESERVE_H
#define PLI_SPARSE_RESERVE_H

#include "base/memory.h"

// Elements that pli_reserve would add.
static inline size_t pli_reserve_growth(size_t capacity, size_t need) {
    if (need <= capacity) return 0;
    return (capacity > 0 ? need + need / 4 : need) - capacity;
}

// Ensures a capacity of `need` elements. When it has to grow again it adds a quarter, for patterns
// that change a little each time. On failure the array is freed and *capacity is 0.
static inline pli_status pli_reserve(pli_memory* memory, void* block, size_t element_size,
                                     size_t* capacity, size_t need, pli_error* error) {
    if (need <= *capacity) return PLI_OK;
    size_t wanted = *capacity + pli_reserve_growth(*capacity, need);
    (void)pli_resize(memory, block, element_size, *capacity, 0, NULL);
    *capacity = 0;
    PLI_TRY(pli_take(memory, block, element_size, wanted, error));
    *capacity = wanted;
    return PLI_OK;
}

#define PLI_RESERVE(memory, pointer, capacity, need, error)                                        \
    pli_reserve((memory), &(pointer), sizeof *(pointer), &(capacity), (size_t)(need), (error))

#endif
