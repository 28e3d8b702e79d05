// Shared by the tests of contact: an allocator that fails on request.
#ifndef TESTS_CONTACT_SUPPORT_H
#define TESTS_CONTACT_SUPPORT_H

#include "base/memory.h"

#include <stdlib.h>

// Serves `left` requests for more memory, then none; < 0: all.
typedef struct failing_allocator {
    int left;
} failing_allocator;

static inline void* failing_resize(void* context, void* block, size_t old_size, size_t new_size) {
    failing_allocator* self = context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (self->left == 0) return NULL;
    if (self->left > 0) self->left--;
    return realloc(block, new_size);
}

#endif
