// zlib with counted memory.
#ifndef PLI_MESH_INFLATE_H
#define PLI_MESH_INFLATE_H

#include <zlib.h>

#include "base/memory.h"

// Makes zlib allocate from `memory`; to be called before inflateInit or deflateInit.
void pli_zlib_use(z_stream* stream, pli_memory* memory);

// No stream grows by more than this factor when it is decompressed (a limit of the format).
enum { PLI_INFLATE_LIMIT = 1032 };

// Decompresses one stream that must have exactly `size` bytes. PLI_E_SCENE: it does not.
pli_status pli_inflate(pli_memory* memory, const void* from, size_t from_size, void* to,
                       size_t size, pli_error* error);

#endif
