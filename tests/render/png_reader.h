// A decoder for the PNG files that we write; it checks all that the format asks for. Include the
// fixture before.
#ifndef PLI_TESTS_RENDER_PNG_READER_H
#define PLI_TESTS_RENDER_PNG_READER_H

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct test_png {
    int width, height;
    unsigned char* rgb; // to be freed
} test_png;

static inline size_t png_word(const unsigned char* at) {
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

static inline int png_paeth(int a, int b, int c) {
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// Rows with the number of their filter before each become pixels.
static inline void png_unfilter(const unsigned char* rows, test_png* png) {
    size_t size = 3 * (size_t)png->width;
    for (int y = 0; y < png->height; ++y) {
        int filter = *rows++;
        assert_in_range(filter, 0, 4);
        unsigned char* out = png->rgb + size * (size_t)y;
        for (size_t i = 0; i < size; ++i) {
            int a = i >= 3 ? out[i - 3] : 0, b = y > 0 ? out[(ptrdiff_t)i - (ptrdiff_t)size] : 0;
            int c = y > 0 && i >= 3 ? out[(ptrdiff_t)i - (ptrdiff_t)size - 3] : 0;
            const int expected[5] = {0, a, b, (a + b) / 2, png_paeth(a, b, c)};
            out[i] = (unsigned char)(*rows++ + expected[filter]);
        }
    }
}

static inline test_png read_png(const test_folder* folder, const char* name) {
    size_t size = 0, at = 8, packed_size = 0;
    unsigned char* bytes = (unsigned char*)read_whole(folder, name, &size);
    unsigned char* packed = malloc(size);
    test_png png = {0};
    bool ended = false;
    assert_non_null(packed);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    while (!ended) {
        assert_true(at + 12 <= size);
        size_t length = png_word(bytes + at);
        assert_true(length <= size - at - 12);
        const unsigned char* chunk = bytes + at + 4;
        assert_true(crc32(0, chunk, (uInt)length + 4) == png_word(chunk + 4 + length));
        if (memcmp(chunk, "IHDR", 4) == 0) {
            assert_int_equal(at, 8);
            assert_int_equal(length, 13);
            png.width = (int)png_word(chunk + 4);
            png.height = (int)png_word(chunk + 8);
            assert_memory_equal(chunk + 12, "\x08\x02\x00\x00\x00", 5);
        } else if (memcmp(chunk, "IDAT", 4) == 0) {
            memcpy(packed + packed_size, chunk + 4, length);
            packed_size += length;
        } else {
            assert_memory_equal(chunk, "IEND", 4);
            ended = true;
        }
        at += 12 + length;
    }
    assert_int_equal(at, size);
    uLongf raw_size = (3 * (uLongf)png.width + 1) * (uLongf)png.height, expected = raw_size;
    unsigned char* raw = malloc(raw_size);
    png.rgb = malloc(raw_size);
    assert_true(raw && png.rgb);
    assert_int_equal(uncompress(raw, &raw_size, packed, (uLong)packed_size), Z_OK);
    assert_int_equal(raw_size, expected);
    png_unfilter(raw, &png);
    free(raw);
    free(packed);
    free(bytes);
    return png;
}

#endif
