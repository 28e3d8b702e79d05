// An allocator that counts, checks the sizes it is told and fails at a chosen call.
#ifndef TESTS_ORACLE_ALLOCATOR_H
#define TESTS_ORACLE_ALLOCATOR_H

#include <stdlib.h>
#include <string.h>

#include "pliant/base.h"

// Zero-initialize; `fail_at` > 0: that request (from 1) for memory fails and all after it, or that
// one alone.
typedef struct pli_test_allocator {
    int fail_at;
    bool once;
    int requests;
    size_t bytes;    // in use
    bool wrong_size; // a block was given back with another size than it has
} pli_test_allocator;

enum { PLI_TEST_HEADER = 32 }; // keeps the block aligned; its size is in front

static inline void* pli_test_resize(void* context, void* block, size_t old_size, size_t new_size) {
    pli_test_allocator* a = context;
    char* raw = block ? (char*)block - PLI_TEST_HEADER : NULL;
    size_t size = 0;
    if (raw) memcpy(&size, raw, sizeof size);
    if (size != old_size) a->wrong_size = true;
    if (new_size > 0) {
        a->requests++;
        bool due = a->once ? a->requests == a->fail_at : a->requests >= a->fail_at;
        if (a->fail_at > 0 && due) return NULL;
    }
    // Always a new place, so that pointers kept over a resize are found by the sanitizer.
    char* fresh = new_size > 0 ? malloc(new_size + PLI_TEST_HEADER) : NULL;
    if (fresh) {
        memcpy(fresh, &new_size, sizeof new_size);
        if (raw) memcpy(fresh + PLI_TEST_HEADER, block, size < new_size ? size : new_size);
    }
    free(raw);
    a->bytes += new_size;
    a->bytes -= size;
    return fresh ? fresh + PLI_TEST_HEADER : NULL;
}

static inline pli_allocator pli_test_hook(pli_test_allocator* a) {
    return (pli_allocator){.resize = pli_test_resize, .context = a};
}

#endif
