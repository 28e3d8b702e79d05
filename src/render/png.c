// PNG [ISO/IEC 15948, "Portable Network Graphics"]: a signature, then chunks of length, name,
// bytes, checksum of name and bytes. The rows of the picture, each filtered as makes its bytes
// smallest (the sum of their sizes as signed numbers), go through zlib into IDAT chunks.
#include "render/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIXEL = 3, FILTERS = 5, CHUNK = 1 << 15 };

static void put_word(unsigned char out[4], uint32_t value) {
    for (int i = 0; i < 4; ++i) out[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void write_chunk(pli_file* file, const char name[5], const unsigned char* bytes,
                        size_t size) {
    unsigned char word[4];
    uLong sum = crc32(crc32(0, Z_NULL, 0), (const unsigned char*)name, 4);
    if (size > 0) sum = crc32(sum, bytes, (uInt)size);
    put_word(word, (uint32_t)size);
    pli_file_write(file, word, 4);
    pli_file_write(file, name, 4);
    if (size > 0) pli_file_write(file, bytes, size);
    put_word(word, (uint32_t)sum);
    pli_file_write(file, word, 4);
}

// ---- filters

// Of the bytes to the left, above, and above to the left the one nearest to left + above - corner.
static inline int paeth(int left, int above, int corner) {
    int a = abs(above - corner), b = abs(left - corner), c = abs(left + above - 2 * corner);
    return a <= b && a <= c ? left : b <= c ? above : corner;
}

// The row less what each filter expects, behind the number of the filter, one behind the other in
// `rows`; returns the best of them.
static const unsigned char* filter_row(const unsigned char* row, const unsigned char* above,
                                       size_t size, unsigned char* rows) {
    int64_t sums[FILTERS] = {0};
    int best = 0;
    for (int f = 0; f < FILTERS; ++f) rows[(size_t)f * (size + 1)] = (unsigned char)f;
    for (size_t i = 0; i < size; ++i) {
        int left = i >= PIXEL ? row[i - PIXEL] : 0, up = above ? above[i] : 0;
        int corner = above && i >= PIXEL ? above[i - PIXEL] : 0;
        const int expected[FILTERS] = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
        for (int f = 0; f < FILTERS; ++f) {
            unsigned char rest = (unsigned char)(row[i] - expected[f]);
            rows[(size_t)f * (size + 1) + 1 + i] = rest;
            sums[f] += rest < 128 ? rest : 256 - rest;
        }
    }
    for (int f = 1; f < FILTERS; ++f)
        if (sums[f] < sums[best]) best = f;
    return rows + (size_t)best * (size + 1);
}

// ---- the file

typedef struct writer {
    pli_file* file;
    z_stream stream;
    unsigned char chunk[CHUNK];
} writer;

// Hands bytes to zlib and writes what comes out, with `flush` Z_FINISH all of it.
static bool compress_bytes(writer* w, const unsigned char* bytes, size_t size, int flush) {
    int code;
    w->stream.next_in = (z_const Bytef*)(uintptr_t)bytes;
    w->stream.avail_in = (uInt)size;
    do {
        code = deflate(&w->stream, flush);
        if (w->stream.avail_out == 0 || (code == Z_STREAM_END && w->stream.avail_out < CHUNK)) {
            write_chunk(w->file, "IDAT", w->chunk, CHUNK - w->stream.avail_out);
            w->stream.next_out = w->chunk;
            w->stream.avail_out = CHUNK;
        } else if (code != Z_STREAM_END) {
            break;
        }
    } while (code != Z_STREAM_END);
    return code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END;
}

// `rows` has room for a filtered row of each filter.
static bool write_rows(writer* w, const unsigned char* rgb, size_t size, int height,
                       unsigned char* rows) {
    for (int j = 0; j < height; ++j) {
        const unsigned char* row = rgb + size * (size_t)j;
        const unsigned char* best = filter_row(row, j > 0 ? row - size : NULL, size, rows);
        if (!compress_bytes(w, best, size + 1, Z_NO_FLUSH)) return false;
    }
    return compress_bytes(w, NULL, 0, Z_FINISH);
}

static void write_head(pli_file* file, int width, int height) {
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[13] = {0};
    put_word(head, (uint32_t)width);
    put_word(head + 4, (uint32_t)height);
    head[8] = 8; // bits per colour
    head[9] = 2; // red, green, blue
    pli_file_write(file, signature, sizeof signature);
    write_chunk(file, "IHDR", head, sizeof head);
}

pli_status pli_png_write(pli_file* file, pli_memory* memory, const unsigned char* rgb, int width,
                         int height, pli_error* error) {
    PLI_ASSERT(width >= 1 && height >= 1);
    size_t size = PIXEL * (size_t)width;
    unsigned char* rows = NULL;
    writer* w = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, rows, FILTERS * (size + 1), error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, w, 1, error));
    w->file = file;
    w->stream.next_out = w->chunk;
    w->stream.avail_out = CHUNK;
    if (deflateInit(&w->stream, Z_DEFAULT_COMPRESSION) != Z_OK) {
        status = pli_fail(error, PLI_E_MEMORY, "no memory to compress a picture");
        goto cleanup;
    }
    write_head(file, width, height);
    if (!write_rows(w, rgb, size, height, rows))
        status = pli_fail(error, PLI_E_IO, "a picture cannot be compressed");
    deflateEnd(&w->stream);
    write_chunk(file, "IEND", NULL, 0);
cleanup:
    PLI_FREE(memory, w, 1);
    PLI_FREE(memory, rows, FILTERS * (size + 1));
    return status;
}
