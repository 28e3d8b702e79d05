// zlib with counted memory: zlib frees without passing the size, so it is stored in front of each
// block.
#include "mesh/inflate.h"

#include <limits.h>

typedef union header {
    size_t count; // of headers, this one included
    max_align_t align;
} header;

static voidpf take(voidpf context, uInt items, uInt size) {
    header* block;
    size_t count = 1 + ((size_t)items * size + sizeof *block - 1) / sizeof *block;
    if (PLI_ALLOC((pli_memory*)context, block, count, NULL) != PLI_OK) return Z_NULL;
    block->count = count;
    return block + 1;
}

static void give_back(voidpf context, voidpf address) {
    header* block = (header*)address - 1;
    size_t count = block->count;
    PLI_FREE((pli_memory*)context, block, count);
}

void pli_zlib_use(z_stream* stream, pli_memory* memory) {
    stream->zalloc = take;
    stream->zfree = give_back;
    stream->opaque = memory;
}

pli_status pli_inflate(pli_memory* memory, const void* from, size_t from_size, void* to,
                       size_t size, pli_error* error) {
    z_stream stream = {0};
    if (from_size > UINT_MAX || size > UINT_MAX)
        return pli_fail(error, PLI_E_SCENE, "compressed block of 4 GB or more, must be smaller");
    pli_zlib_use(&stream, memory);
    int result = inflateInit(&stream);
    stream.next_in = (z_const Bytef*)from;
    stream.avail_in = (uInt)from_size;
    stream.next_out = to;
    stream.avail_out = (uInt)size;
    if (result == Z_OK) {
        result = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
    }
    if (result == Z_STREAM_END && stream.avail_out == 0) return PLI_OK;
    if (result == Z_MEM_ERROR) return pli_fail(error, PLI_E_MEMORY, "out of memory: zlib");
    return pli_fail(error, PLI_E_SCENE, "corrupt zlib block");
}
