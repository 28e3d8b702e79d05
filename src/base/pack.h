// State as bytes: sections with a name, a version and a length, little-endian numbers.
//
// Errors are deferred. Writing keeps the first failure, so writers stay simple. After the first
// failure of reading every call returns the smallest allowed value and does not advance, so readers
// check once, at the end. Counts are checked against the remaining bytes before anything is
// allocated or copied: any input is safe. Values are stored only if `apply` is set, so that the
// input can be checked as a whole before anything changes.
#ifndef PLI_BASE_PACK_H
#define PLI_BASE_PACK_H

#include "base/memory.h"

typedef struct pli_pack {
    pli_memory* memory;
    unsigned char* bytes;
    size_t size, capacity;
    pli_status status; // the first failure
    pli_error error;   // of it
} pli_pack;

// PLI_SECTION('q', 'v', ' ', ' ')
#define PLI_SECTION(a, b, c, d)                                                                    \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

void pli_pack_init(pli_pack* pack, pli_memory* memory);
void pli_pack_free(pli_pack* pack);
pli_status pli_pack_reserve(pli_pack* pack, size_t size, pli_error* error); // in total
pli_status pli_pack_end(const pli_pack* pack, pli_error* error); // whether everything was written

// Opens a section that lasts until pli_pack_close(place). Sections may be nested.
size_t pli_pack_open(pli_pack* pack, uint32_t name, int version);
void pli_pack_close(pli_pack* pack, size_t place);

void pli_pack_bytes(pli_pack* pack, const void* bytes, size_t size);
void pli_pack_int(pli_pack* pack, int value);
void pli_pack_long(pli_pack* pack, uint64_t value);
void pli_pack_number(pli_pack* pack, double value);
void pli_pack_numbers(pli_pack* pack, const double* values, size_t count);
void pli_pack_ints(pli_pack* pack, const int32_t* values, size_t count);
void pli_pack_text(pli_pack* pack, const char* text); // preceded by its length

typedef struct pli_unpack {
    const unsigned char *at, *end;
    bool apply;        // otherwise only checked
    pli_status status; // the first failure
    pli_error error;   // of it
    char name[5];      // of the section, for messages
} pli_unpack;

pli_unpack pli_unpack_from(const void* bytes, size_t size);
// Whether everything was read without failure; `error` (may be NULL) is filled if not.
pli_status pli_unpack_end(const pli_unpack* in, pli_error* error);
// Records a failure, if it is the first.
void pli_unpack_fail(pli_unpack* in, const char* format, ...) PLI_PRINTF(2, 3);
static inline bool pli_unpack_good(const pli_unpack* in) { return in->status == PLI_OK; }

// Whether a section with this name comes next.
bool pli_unpack_is_next(const pli_unpack* in, uint32_t name);
// Enters the next section, which must have this name and a version from 1 to *version; *version is
// set to its version. Read it to its end (pli_unpack_leave), then continue after it.
pli_unpack pli_unpack_enter(pli_unpack* in, uint32_t name, int* version);
// All of the section must have been read: otherwise both fail.
void pli_unpack_leave(pli_unpack* in, pli_unpack* section);

const void* pli_unpack_bytes(pli_unpack* in, size_t size); // their address; NULL: fewer are left
int pli_unpack_int(pli_unpack* in, int least, int most, const char* what);
uint64_t pli_unpack_long(pli_unpack* in);
double pli_unpack_number(pli_unpack* in, double least, double most, const char* what); // not NaN
// All must be finite. `to` is filled if `apply` is set.
void pli_unpack_numbers(pli_unpack* in, double* to, size_t count, const char* what);
void pli_unpack_ints(pli_unpack* in, int32_t* to, size_t count, int least, int most,
                     const char* what);
// A text without NUL of at most `most` bytes: its address (not zero-terminated); *length.
const char* pli_unpack_text(pli_unpack* in, size_t most, size_t* length, const char* what);

// ---- hash
//
// FNV-1a of 64 bits. One changed byte always changes it; it is not cryptographic.

#define PLI_HASH_START UINT64_C(0xcbf29ce484222325)

// Continues from the hash of the preceding bytes.
static inline uint64_t pli_hash(uint64_t hash, const void* bytes, size_t size) {
    const unsigned char* at = bytes;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
