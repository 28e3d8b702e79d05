// A number that tells bytes apart: FNV-1a of 64 bits. One changed byte always changes it; it is no
// protection against people who want two files to have the same.
#ifndef PLI_BASE_HASH_H
#define PLI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PLI_HASH_START UINT64_C(0xcbf29ce484222325)

// Goes on from the hash of what comes before.
static inline uint64_t pli_hash(uint64_t hash, const void* bytes, size_t size) {
    const unsigned char* at = bytes;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
