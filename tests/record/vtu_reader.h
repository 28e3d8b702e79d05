// A small reader of .vtu files with appended, zlib-compressed data, written against the format's
// description and not against the writer.
#ifndef PLI_TESTS_RECORD_VTU_READER_H
#define PLI_TESTS_RECORD_VTU_READER_H

#include "result/fixture.h"

#include <zlib.h>

// The value of an attribute in the tag that starts at `tag`.
static inline void read_attribute(const char* tag, const char* name, char* value, size_t size) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=\"", name);
    const char* end = strchr(tag, '>');
    const char* at = strstr(tag, pattern);
    assert_non_null(end);
    assert_true(at != NULL && at < end);
    at += strlen(pattern);
    size_t length = strcspn(at, "\"");
    assert_true(length < size);
    memcpy(value, at, length);
    value[length] = 0;
}

static inline void check_attribute(const char* tag, const char* name, const char* expected) {
    char value[64];
    read_attribute(tag, name, value, sizeof value);
    assert_string_equal(value, expected);
}

static inline const char* find_tag(const char* text, const char* name) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "<%s", name);
    const char* tag = strstr(text, pattern);
    assert_non_null(tag);
    return tag;
}

static inline const char* find_array(const char* text, const char* name) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, " Name=\"%s\"", name);
    const char* at = strstr(text, pattern);
    assert_non_null(at);
    while (*at != '<') --at;
    return at;
}

static inline uint64_t read_word(const char* at) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; --i) word = word << 8 | (unsigned char)at[i]; // little endian
    return word;
}

// The decoded bytes of an array; checks its type and number of components. Freed by the caller.
static inline void* read_array(const char* text, size_t size, const char* name, const char* type,
                               const char* components, size_t* bytes) {
    const char* tag = find_array(text, name);
    char offset[32];
    check_attribute(tag, "type", type);
    check_attribute(tag, "NumberOfComponents", components);
    check_attribute(tag, "format", "appended");
    read_attribute(tag, "offset", offset, sizeof offset);
    const char* data = strchr(find_tag(text, "AppendedData"), '_') + 1 + strtoull(offset, NULL, 10);
    uint64_t blocks = read_word(data), block = read_word(data + 8), last = read_word(data + 16);
    *bytes = (size_t)(blocks == 0 ? 0 : last ? (blocks - 1) * block + last : blocks * block);
    unsigned char* out = malloc(*bytes + 1);
    assert_non_null(out);
    const char* in = data + 24 + 8 * blocks;
    for (uint64_t b = 0; b < blocks; ++b) {
        uint64_t packed = read_word(data + 24 + 8 * b);
        uLongf room = (uLongf)(b + 1 == blocks && last ? last : block), expected = room;
        assert_true((size_t)(in - text) + packed <= size);
        int result = uncompress(out + b * block, &room, (const Bytef*)in, (uLong)packed);
        assert_int_equal(result, Z_OK);
        assert_int_equal(room, expected);
        in += packed;
    }
    return out;
}

// The array must consist of exactly these bytes.
static inline void check_array(const char* text, size_t size, const char* name, const char* type,
                               const char* components, const void* expected,
                               size_t expected_bytes) {
    size_t bytes;
    void* got = read_array(text, size, name, type, components, &bytes);
    assert_int_equal(bytes, expected_bytes);
    if (bytes > 0) assert_memory_equal(got, expected, bytes);
    free(got);
}

#endif
