// Counted memory over the user's allocator.
#include "base/memory.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

// Fill byte of undefined memory; 0: not filled.
#ifdef PLI_ASSERTS
enum { POISON = 0xff };
#else
enum { POISON = 0 };
#endif

static void* malloc_resize(void* context, void* block, size_t old_size, size_t new_size) {
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

void pli_memory_init(pli_memory* memory, const pli_allocator* allocator) {
    *memory = (pli_memory){0};
    if (allocator) memory->allocator = *allocator;
    if (!memory->allocator.resize) memory->allocator.resize = malloc_resize;
}

// Changes the counters from `before` to `after` bytes of a block; fails if the budget is exceeded.
static pli_status count(pli_memory* memory, size_t before, size_t after, pli_error* error) {
    pli_budget* budget = memory->allocator.budget;
    if (budget && after > before && !pli_budget_take(budget, after - before)) {
        char asked[24], used[24], limit[24];
        return pli_fail(error, PLI_E_MEMORY,
                        "out of memory: %s more asked for, %s in use, the limit is %s",
                        pli_bytes_text((double)(after - before), asked, sizeof asked),
                        pli_bytes_text((double)pli_budget_used(budget), used, sizeof used),
                        pli_bytes_text((double)pli_budget_limit(budget), limit, sizeof limit));
    }
    if (budget && after < before) pli_budget_give(budget, before - after);
    memory->bytes += after;
    memory->bytes -= before;
    if (memory->bytes > memory->peak) memory->peak = memory->bytes;
    return PLI_OK;
}

pli_status pli_claim(pli_memory* memory, size_t* claimed, size_t bytes, pli_error* error) {
    PLI_TRY(count(memory, *claimed, bytes, error));
    *claimed = bytes;
    return PLI_OK;
}

ptrdiff_t pli_offset_in(const void* p, const void* array, size_t size) {
    uintptr_t at = (uintptr_t)p, start = (uintptr_t)array;
    return array && at >= start && at - start < size ? (ptrdiff_t)(at - start) : -1;
}

size_t pli_memory_room(const pli_memory* memory) {
    const pli_budget* budget = memory->allocator.budget;
    size_t limit = budget ? pli_budget_limit(budget) : 0;
    if (limit == 0) return SIZE_MAX;
    size_t used = pli_budget_used(budget);
    return used < limit ? limit - used : 0;
}

// The record of a kept block that is in use, or, with `released`, also of one that nobody else
// owns.
static pli_kept_block* find_kept(const pli_memory* memory, const void* block, bool released) {
    for (int i = 0; i < memory->kept_count; ++i)
        if (memory->kept[i].block == block && (released || memory->kept[i].size == 0))
            return &memory->kept[i];
    return NULL;
}

// As the allocator's `resize`, but a kept block stays where it is, and its record owns it then.
static void* resize_block(pli_memory* memory, pli_kept_block* kept, void* old, size_t old_size,
                          size_t new_size) {
    const pli_allocator* a = &memory->allocator;
    if (!kept) return a->resize(a->context, old, old_size, new_size);
    void* fresh = new_size > 0 ? a->resize(a->context, NULL, 0, new_size) : NULL;
    if (new_size > 0 && !fresh) return NULL;
    if (fresh) memcpy(fresh, old, old_size < new_size ? old_size : new_size);
    kept->size = old_size;
    return fresh;
}

pli_status pli_keep_block(pli_memory* memory, const void* block, pli_error* error) {
    pli_kept_block* kept = find_kept(memory, block, true);
    if (kept) {
        kept->count++;
        return PLI_OK;
    }
    PLI_TRY(PLI_GROW(memory, memory->kept, memory->kept_capacity, memory->kept_count + 1, error));
    void* writable;
    memcpy(&writable, &block, sizeof writable); // to free it, never to write to it
    memory->kept[memory->kept_count++] = (pli_kept_block){.block = writable, .count = 1};
    return PLI_OK;
}

static void free_kept(pli_memory* memory, pli_kept_block* kept) {
    if (kept->size == 0) return;
    (void)memory->allocator.resize(memory->allocator.context, kept->block, kept->size, 0);
    memory->calls++;
    (void)count(memory, kept->size, 0, NULL);
}

void pli_drop_block(pli_memory* memory, const void* block) {
    pli_kept_block* kept = find_kept(memory, block, true);
    if (!kept || --kept->count > 0) return;
    free_kept(memory, kept);
    *kept = memory->kept[--memory->kept_count];
}

void pli_drop_all_blocks(pli_memory* memory) {
    for (int i = 0; i < memory->kept_count; ++i) free_kept(memory, &memory->kept[i]);
    memory->kept_count = 0;
    PLI_FREE(memory, memory->kept, memory->kept_capacity);
    memory->kept_capacity = 0;
}

// The same for pli_resize and pli_take.
static pli_status resize(pli_memory* memory, void* block, size_t element_size, size_t old_count,
                         size_t new_count, bool clear, pli_error* error) {
    void* old = NULL;
    memcpy(&old, block, sizeof old); // block points to a T* of unknown T
    if (old_count == new_count || (old == NULL && new_count == 0)) return PLI_OK;
    if (new_count > SIZE_MAX / 2 / element_size)
        return pli_fail(error, PLI_E_MEMORY, "out of memory: %zu elements of %zu bytes asked for",
                        new_count, element_size);
    size_t old_size = old ? old_count * element_size : 0, new_size = new_count * element_size;
    size_t peak = memory->peak;
    pli_kept_block* kept = old && memory->kept_count > 0 ? find_kept(memory, old, false) : NULL;
    size_t given = kept ? 0 : old_size; // back to the allocator
    PLI_TRY(count(memory, given, new_size, error));
    void* fresh = resize_block(memory, kept, old, old_size, new_size);
    memory->calls++;
    if (!fresh && new_size > 0) {
        (void)count(memory, new_size, given, NULL);
        memory->peak = peak;
        return pli_fail(error, PLI_E_MEMORY, "out of memory: %zu bytes asked for, %zu in use",
                        new_size, memory->bytes);
    }
    if (new_size > old_size && (clear || POISON != 0))
        memset((char*)fresh + old_size, clear ? 0 : POISON, new_size - old_size);
    memcpy(block, &fresh, sizeof fresh);
    return PLI_OK;
}

pli_status pli_resize(pli_memory* memory, void* block, size_t element_size, size_t old_count,
                      size_t new_count, pli_error* error) {
    return resize(memory, block, element_size, old_count, new_count, true, error);
}

pli_status pli_take(pli_memory* memory, void* block, size_t element_size, size_t count,
                    pli_error* error) {
    return resize(memory, block, element_size, 0, count, false, error);
}

pli_status pli_grow(pli_memory* memory, void* block, size_t element_size, int* capacity,
                    int64_t need, pli_error* error) {
    if (need < 0 || need > INT32_MAX)
        return pli_fail(error, PLI_E_MEMORY, "out of memory: more than %d elements of %zu bytes",
                        INT32_MAX, element_size);
    if (need <= *capacity) return PLI_OK;
    int wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < need) wanted = wanted > INT32_MAX / 2 ? (int)need : 2 * wanted;
    PLI_TRY(pli_resize(memory, block, element_size, (size_t)*capacity, (size_t)wanted, error));
    *capacity = wanted;
    return PLI_OK;
}

pli_status pli_copy_text(pli_memory* memory, const char* text, char** copy, pli_error* error) {
    size_t size = strlen(text) + 1;
    char* fresh;
    PLI_TRY(PLI_ALLOC(memory, fresh, size, error));
    memcpy(fresh, text, size);
    *copy = fresh;
    return PLI_OK;
}

void pli_free_text(pli_memory* memory, char** text) {
    if (*text) PLI_FREE(memory, *text, strlen(*text) + 1);
}
