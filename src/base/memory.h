// Memory of one world, scene or recorder: the user's allocator with counters, and with a budget if
// it has one. Blocks have no header; the caller passes the size when it frees a block, so arrays
// store their capacity.
#ifndef PLI_BASE_MEMORY_H
#define PLI_BASE_MEMORY_H

#include "base/base.h"

// A block that a reader looks at. While it is kept it is neither moved nor freed: who resizes it
// gets another one, and this one has its last contents.
typedef struct pli_kept_block {
    void* block;
    size_t size; // of a block that nobody else owns any more [bytes]; 0: it is still in use
    int count;   // times it is to be dropped
} pli_kept_block;

typedef struct pli_memory {
    pli_allocator allocator;
    size_t bytes, peak; // including claims
    int64_t calls;
    pli_kept_block* kept;
    int kept_count, kept_capacity;
} pli_memory;

void pli_memory_init(pli_memory* memory, const pli_allocator* allocator); // NULL: malloc

// Resizes *block from old_count to new_count elements; contents kept, new part zeroed. new_count 0
// frees and sets *block to NULL. On failure *block is unchanged.
pli_status pli_resize(pli_memory* memory, void* block, size_t element_size, size_t old_count,
                      size_t new_count, pli_error* error);

// Allocates *block with `count` elements of undefined contents. With assertions all bits are set:
// NaN, -1, true, so that reads before the first write are noticed.
pli_status pli_take(pli_memory* memory, void* block, size_t element_size, size_t count,
                    pli_error* error);

// Grows *block to at least `need` elements, by doubling; updates *capacity. A negative `need` is an
// int that overflowed: out of memory.
pli_status pli_grow(pli_memory* memory, void* block, size_t element_size, int* capacity,
                    int64_t need, pli_error* error);

// Offset of `p` in an array of `size` bytes [bytes], -1: not in it. For arguments that point into
// an array that is about to grow.
ptrdiff_t pli_offset_in(const void* p, const void* array, size_t size);

// Memory that a foreign library allocates by malloc: *claimed bytes of it are counted so far, from
// now on `bytes`. To be called before the library allocates, so that a limit holds; 0 never fails.
pli_status pli_claim(pli_memory* memory, size_t* claimed, size_t bytes, pli_error* error);

// Keeps a block, given by the pointer that it was allocated as, until it is dropped as often.
pli_status pli_keep_block(pli_memory* memory, const void* block, pli_error* error);
void pli_drop_block(pli_memory* memory, const void* block); // others are ignored
// Drops all blocks, before the memory ends.
void pli_drop_all_blocks(pli_memory* memory);

// Bytes that may still be allocated; SIZE_MAX: no limit.
size_t pli_memory_room(const pli_memory* memory);

// Typed versions. `pointer` is an lvalue of type T*.
#define PLI_ALLOC(memory, pointer, count, error)                                                   \
    ((pointer) = NULL,                                                                             \
     pli_resize((memory), &(pointer), sizeof *(pointer), 0, (size_t)(count), (error)))
#define PLI_FREE(memory, pointer, count)                                                           \
    ((void)pli_resize((memory), &(pointer), sizeof *(pointer), (size_t)(count), 0, NULL))
#define PLI_GROW(memory, pointer, capacity, need, error)                                           \
    pli_grow((memory), &(pointer), sizeof *(pointer), &(capacity), (need), (error))

// A copy of a string, freed by pli_free_text.
pli_status pli_copy_text(pli_memory* memory, const char* text, char** copy, pli_error* error);
void pli_free_text(pli_memory* memory, char** text);

#endif
