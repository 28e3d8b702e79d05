// PNG [ISO/IEC 15948, "Portable Network Graphics"]: a signature, then chunks of length, name,
// bytes, checksum of name and bytes. Each row of the picture uses the filter that minimizes its
// bytes (the sum of their absolute values as signed numbers); the rows go through zlib into IDAT
// chunks.
#include "render/raster.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIXEL = 3, FILTERS = 5, CHUNK = 1 << 15 };

static void put_word(unsigned char out[4], uint32_t value) {
    for (int i = 0; i < 4; ++i) out[i] = (unsigned char)(value >> (24 - 8 * i));
}

// The destination: raw bytes to the file, or text.
typedef struct sink {
    pli_file* file;
    bool text;
    pli_base64 base64;
} sink;

static void put(sink* out, const void* bytes, size_t size) {
    if (out->text)
        pli_base64_write(&out->base64, bytes, size);
    else
        pli_file_write(out->file, bytes, size);
}

static void write_chunk(sink* out, const char name[5], const unsigned char* bytes, size_t size) {
    unsigned char word[4];
    uLong sum = crc32(crc32(0, Z_NULL, 0), (const unsigned char*)name, 4);
    if (size > 0) sum = crc32(sum, bytes, (uInt)size);
    put_word(word, (uint32_t)size);
    put(out, word, 4);
    put(out, name, 4);
    if (size > 0) put(out, bytes, size);
    put_word(word, (uint32_t)sum);
    put(out, word, 4);
}

// ---- filters

// Of the bytes to the left, above, and above left, the one nearest to left + above - corner.
static inline int paeth(int left, int above, int corner) {
    int a = abs(above - corner), b = abs(left - corner), c = abs(left + above - 2 * corner);
    return a <= b && a <= c ? left : b <= c ? above : corner;
}

// The residual of the row for each filter, after the filter's number, concatenated in `rows`;
// returns the best of them.
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

// The same with one filter, what is above, for pictures that are written often.
static const unsigned char* filter_quickly(const unsigned char* row, const unsigned char* above,
                                           size_t size, unsigned char* out) {
    out[0] = above ? 2 : 0;
    for (size_t i = 0; i < size; ++i)
        out[1 + i] = (unsigned char)(row[i] - (above ? above[i] : 0));
    return out;
}

// ---- the file

typedef struct writer {
    sink out;
    z_stream stream;
    unsigned char chunk[CHUNK];
} writer;

// Passes bytes to zlib and writes its output; with `flush` Z_FINISH all of it.
static bool compress_bytes(writer* w, const unsigned char* bytes, size_t size, int flush) {
    int code;
    w->stream.next_in = (z_const Bytef*)(uintptr_t)bytes;
    w->stream.avail_in = (uInt)size;
    do {
        code = deflate(&w->stream, flush);
        if (w->stream.avail_out == 0 || (code == Z_STREAM_END && w->stream.avail_out < CHUNK)) {
            write_chunk(&w->out, "IDAT", w->chunk, CHUNK - w->stream.avail_out);
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
        const unsigned char *row = rgb + size * (size_t)j, *above = j > 0 ? row - size : NULL;
        const unsigned char* best = w->out.text ? filter_quickly(row, above, size, rows)
                                                : filter_row(row, above, size, rows);
        if (!compress_bytes(w, best, size + 1, Z_NO_FLUSH)) return false;
    }
    return compress_bytes(w, NULL, 0, Z_FINISH);
}

static void write_head(sink* out, int width, int height) {
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[13] = {0};
    put_word(head, (uint32_t)width);
    put_word(head + 4, (uint32_t)height);
    head[8] = 8; // bits per colour
    head[9] = 2; // red, green, blue
    put(out, signature, sizeof signature);
    write_chunk(out, "IHDR", head, sizeof head);
}

static pli_status write_image(sink out, pli_memory* memory, const pli_image* image,
                              pli_error* error) {
    PLI_ASSERT(image->width >= 1 && image->height >= 1);
    size_t size = PIXEL * (size_t)image->width;
    unsigned char* rows = NULL;
    writer* w = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, rows, FILTERS * (size + 1), error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, w, 1, error));
    w->out = out;
    w->stream.next_out = w->chunk;
    w->stream.avail_out = CHUNK;
    if (deflateInit(&w->stream, out.text ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION) != Z_OK) {
        status = pli_fail(error, PLI_E_MEMORY, "out of memory while compressing a picture");
        goto cleanup;
    }
    write_head(&w->out, image->width, image->height);
    if (!write_rows(w, image->rgb, size, image->height, rows))
        status = pli_fail(error, PLI_E_IO, "zlib failed to compress a picture");
    deflateEnd(&w->stream);
    write_chunk(&w->out, "IEND", NULL, 0);
    if (out.text) pli_base64_end(&w->out.base64);
cleanup:
    PLI_FREE(memory, w, 1);
    PLI_FREE(memory, rows, FILTERS * (size + 1));
    return status;
}

pli_status pli_png_write(pli_file* file, pli_memory* memory, const pli_image* image,
                         pli_error* error) {
    return write_image((sink){.file = file}, memory, image, error);
}

pli_status pli_png_write_text(pli_file* file, pli_memory* memory, const pli_image* image,
                              pli_error* error) {
    return write_image((sink){.text = true, .base64 = {.file = file}}, memory, image, error);
}
