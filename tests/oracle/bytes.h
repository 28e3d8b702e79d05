// The state of a world as pli_world_save writes it.
#ifndef PLI_TESTS_ORACLE_BYTES_H
#define PLI_TESTS_ORACLE_BYTES_H

#include <stdlib.h>
#include <string.h>

#include "oracle/near.h"
#include "pliant/world.h"

typedef struct bytes {
    unsigned char* data; // freed by the caller
    size_t size;
} bytes;

static inline bool append(void* context, const void* data, size_t size) {
    bytes* to = context;
    to->data = realloc(to->data, to->size + size);
    assert_non_null(to->data);
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

static inline bytes save(pli_world* world) {
    bytes out = {0};
    assert_int_equal(pli_world_save(world, append, &out, NULL), PLI_OK);
    return out;
}

// Positions and velocities, to the last bit.
static inline void assert_same_motion(const pli_world* a, const pli_world* b) {
    int n = pli_world_vertex_count(a);
    assert_int_equal(n, pli_world_vertex_count(b));
    size_t size = 3 * sizeof(double) * (size_t)n;
    assert_memory_equal(pli_world_positions(a), pli_world_positions(b), size);
    assert_memory_equal(pli_world_velocities(a), pli_world_velocities(b), size);
}

#endif
