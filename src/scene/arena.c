// Blocks in a list, newest first; small pieces share a block.
#include "scene/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK_SIZE = 8192, ALIGNMENT = alignof(max_align_t) };

typedef struct pli_arena_block {
    struct pli_arena_block* before;
    size_t size, used; // bytes, this header included
} pli_arena_block;

static size_t aligned(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

void pli_arena_init(pli_arena* arena, pli_memory* memory) { *arena = (pli_arena){memory, NULL}; }

void pli_arena_free(pli_arena* arena) {
    while (arena->last) {
        pli_arena_block* block = arena->last;
        arena->last = block->before;
        char* bytes = (char*)block;
        PLI_FREE(arena->memory, bytes, block->size);
    }
}

pli_status pli_arena_take(pli_arena* arena, void* out, size_t element_size, size_t count,
                          pli_error* error) {
    const size_t header = aligned(sizeof(pli_arena_block));
    if (count > SIZE_MAX / 4 / element_size)
        return pli_fail(error, PLI_E_MEMORY, "out of memory: %zu elements of %zu bytes requested",
                        count, element_size);
    const size_t size = aligned(element_size * count);
    pli_arena_block* block = arena->last;
    if (!block || block->size - block->used < size) {
        size_t bytes = header + size > BLOCK_SIZE ? header + size : BLOCK_SIZE;
        char* fresh;
        PLI_TRY(PLI_ALLOC(arena->memory, fresh, bytes, error));
        block = (pli_arena_block*)(void*)fresh;
        *block = (pli_arena_block){.before = arena->last, .size = bytes, .used = header};
        arena->last = block;
    }
    void* piece = (char*)block + block->used;
    memcpy(out, &piece, sizeof piece); // out points to a T* of unknown T
    block->used += size;
    return PLI_OK;
}

pli_status pli_arena_text(pli_arena* arena, const char* text, const char** copy, pli_error* error) {
    char* bytes;
    size_t size = strlen(text) + 1;
    PLI_TRY(PLI_TAKE(arena, bytes, size, error));
    memcpy(bytes, text, size);
    *copy = bytes;
    return PLI_OK;
}
