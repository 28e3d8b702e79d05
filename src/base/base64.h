// Bytes as base64 text in a file, piece by piece [RFC 4648].
#ifndef PLI_BASE_BASE64_H
#define PLI_BASE_BASE64_H

#include "base/file.h"

typedef struct pli_base64 {
    pli_file* file;
    int held_count; // bytes that wait until there are three
    unsigned char held[3];
} pli_base64; // zero but for the file at the start

void pli_base64_write(pli_base64* out, const void* bytes, size_t size);
void pli_base64_end(pli_base64* out); // what waits, with '=' behind it

#endif
