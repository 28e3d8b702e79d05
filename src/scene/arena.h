// Memory in pieces that are freed all at once.
#ifndef PLI_SCENE_ARENA_H
#define PLI_SCENE_ARENA_H

#include "base/memory.h"

typedef struct pli_arena {
    pli_memory* memory;
    struct pli_arena_block* last;
} pli_arena;

void pli_arena_init(pli_arena* arena, pli_memory* memory);
void pli_arena_free(pli_arena* arena);

// Sets the pointer at `out` to `count` elements, zeroed, aligned for any type.
pli_status pli_arena_take(pli_arena* arena, void* out, size_t element_size, size_t count,
                          pli_error* error);

// Sets *copy to a copy of `text`.
pli_status pli_arena_text(pli_arena* arena, const char* text, const char** copy, pli_error* error);

// Typed version. `pointer` is an lvalue of type T*.
#define PLI_TAKE(arena, pointer, count, error)                                                     \
    pli_arena_take((arena), &(pointer), sizeof *(pointer), (size_t)(count), (error))

#endif
