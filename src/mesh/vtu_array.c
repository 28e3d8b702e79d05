// Arrays of VTK's XML files [VTK user's guide, "VTK File Formats"]. Uncompressed data is
//     [bytes][data]
// and compressed data
//     [blocks][bytes per block][bytes of the last block if partial, else 0][compressed bytes
//     ...][data]
// with words of 4 or 8 bytes. In base64 the header of compressed data is encoded separately; each
// group of four letters is decoded separately, so padding in the middle of a stream is no problem.
#define _GNU_SOURCE // memmem
#include "mesh/vtu_array.h"

#include <string.h>

#include "base/text.h"
#include "mesh/inflate.h"

// ---- the header

static pli_status read_head(pli_vtu_layout* layout, const pli_scan* scan, const pli_tag* tag) {
    char text[64];
    pli_xml_attribute(tag, "type", text, sizeof text);
    if (strcmp(text, "UnstructuredGrid") != 0)
        return PLI_SCAN_FAIL(scan, "VTKFile of type \"%.30s\", must be UnstructuredGrid", text);
    pli_xml_attribute(tag, "byte_order", text, sizeof text);
    bool big = strcmp(text, "BigEndian") == 0;
    if (!big && text[0] && strcmp(text, "LittleEndian") != 0)
        return PLI_SCAN_FAIL(scan, "byte order \"%.30s\" is not known", text);
    layout->swap = big == pli_little_endian();
    pli_xml_attribute(tag, "header_type", text, sizeof text);
    if (text[0] && strcmp(text, "UInt32") != 0 && strcmp(text, "UInt64") != 0)
        return PLI_SCAN_FAIL(scan, "header type \"%.30s\", must be UInt32 or UInt64", text);
    layout->header_size = strcmp(text, "UInt64") == 0 ? 8 : 4;
    pli_xml_attribute(tag, "compressor", text, sizeof text);
    layout->compressed = text[0] != 0;
    if (text[0] && strcmp(text, "vtkZLibDataCompressor") != 0)
        return PLI_SCAN_FAIL(scan, "compressor \"%.30s\", must be vtkZLibDataCompressor or none",
                             text);
    return PLI_OK;
}

// Appended data is at the end; arrays before it refer to it. Errors in the tags before it are
// reported by the later reading of the tags.
static pli_status find_appended(pli_vtu_layout* layout, pli_scan* whole) {
    pli_scan scan = *whole;
    pli_tag tag;
    char text[16];
    layout->end = scan.text + scan.size;
    scan.error = NULL;
    do
        if (pli_xml_next(&scan, &tag) != PLI_OK || !tag.name[0]) return PLI_OK;
    while (!tag.opens || strcmp(tag.name, "AppendedData") != 0);
    scan.error = whole->error;
    whole->bytes = scan.bytes = true;
    pli_xml_attribute(&tag, "encoding", text, sizeof text);
    layout->appended_base64 = strcmp(text, "base64") == 0;
    if (!layout->appended_base64 && strcmp(text, "raw") != 0)
        return PLI_SCAN_FAIL(&scan, "encoding \"%s\" of AppendedData, must be raw or base64", text);
    pli_scan_skip_space(&scan);
    if (*scan.at != '_') return PLI_SCAN_FAIL(&scan, "AppendedData must start with \"_\"");
    layout->appended = scan.at + 1;
    return PLI_OK;
}

pli_status pli_vtu_layout_read(pli_vtu_layout* layout, pli_scan* scan) {
    pli_tag tag;
    *layout = (pli_vtu_layout){0};
    PLI_TRY(find_appended(layout, scan));
    PLI_TRY(pli_xml_next(scan, &tag));
    if (strcmp(tag.name, "VTKFile") != 0)
        return PLI_SCAN_FAIL(scan, "no tag VTKFile at the start: not a VTK file");
    return read_head(layout, scan, &tag);
}

// ---- an array

pli_status pli_vtu_array_init(pli_vtu_array* array, const pli_tag* tag, const pli_scan* scan) {
    char text[32];
    const char* end;
    *array = (pli_vtu_array){.start = *scan};
    pli_xml_attribute(tag, "Name", array->name, sizeof array->name);
    pli_xml_attribute(tag, "type", text, sizeof text);
    if (!pli_number_named(text, &array->type))
        return PLI_SCAN_FAIL(scan, "array \"%s\": type \"%.23s\" is not known", array->name, text);
    pli_xml_attribute(tag, "NumberOfComponents", text, sizeof text);
    double components = text[0] ? pli_parse_double(text, &end) : 1;
    if (!(components >= 1 && components <= 1000))
        return PLI_SCAN_FAIL(scan, "array \"%s\": %.23s components, must be 1 to 1000", array->name,
                             text);
    array->components = (int)components;
    pli_xml_attribute(tag, "format", text, sizeof text);
    array->format = strcmp(text, "ascii") == 0      ? 't'
                    : strcmp(text, "binary") == 0   ? 'b'
                    : strcmp(text, "appended") == 0 ? 'a'
                                                    : 0;
    if (!array->format)
        return PLI_SCAN_FAIL(scan,
                             "array \"%s\": format \"%.23s\", must be ascii, binary or appended",
                             array->name, text);
    const char* at = pli_xml_attribute(tag, "offset", text, sizeof text);
    int64_t offset = 0;
    if (array->format == 'a' && (!pli_parse_integer(&at, &offset) || offset < 0))
        return PLI_SCAN_FAIL(scan, "array \"%s\": offset \"%.23s\", must be an integer >= 0",
                             array->name, text);
    array->offset = (uint64_t)offset;
    return PLI_OK;
}

// ---- bytes, raw or from base64

typedef struct source {
    const char *at, *end;
    bool base64;
    unsigned char held[3]; // decoded and not yet returned
    int held_count;
} source;

static int letter_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// The next group of four letters, as one to three bytes; false at anything else.
static bool decode_group(source* s) {
    uint32_t bits = 0;
    int letters = 0, padding = 0;
    for (int i = 0; i < 4; ++i) {
        while (s->at < s->end &&
               (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t'))
            ++s->at;
        if (s->at >= s->end) return false;
        char c = *s->at++;
        int value = letter_value(c);
        if (c == '=' && i >= 2)
            ++padding, value = 0;
        else if (value < 0 || padding)
            return false;
        bits = bits << 6 | (uint32_t)value;
        ++letters;
    }
    s->held_count = letters - 1 - padding;
    for (int i = 0; i < 3; ++i) s->held[i] = (unsigned char)(bits >> (16 - 8 * i));
    return true;
}

// Returns `count` bytes, or false if there are fewer.
static bool take(source* s, size_t count, unsigned char* out) {
    if (count == 0) return true;
    if (!s->base64) {
        if ((size_t)(s->end - s->at) < count) return false;
        memcpy(out, s->at, count);
        s->at += count;
        return true;
    }
    while (count > 0) {
        if (s->held_count == 0 && !decode_group(s)) return false;
        while (s->held_count > 0 && count > 0) {
            *out++ = s->held[0];
            memmove(s->held, s->held + 1, 2);
            --s->held_count, --count;
        }
    }
    return true;
}

static size_t bytes_left(const source* s) {
    size_t left = (size_t)(s->end - s->at);
    return s->base64 ? left / 4 * 3 + (size_t)s->held_count : left;
}

static bool take_word(source* s, const pli_vtu_layout* layout, uint64_t* word) {
    unsigned char bytes[8];
    int64_t value;
    pli_number_type type = {'u', layout->header_size};
    if (!take(s, (size_t)layout->header_size, bytes)) return false;
    if (!pli_number_integer(type, layout->swap, bytes, &value)) return false;
    *word = (uint64_t)value;
    return true;
}

// ---- decoding

static pli_status bad(const pli_vtu_array* array, const char* what) {
    return PLI_SCAN_FAIL(&array->start, "array \"%s\" %s", array->name, what);
}

static pli_status wrong_size(const pli_vtu_array* array, uint64_t said, uint64_t needed) {
    return PLI_SCAN_FAIL(&array->start, "array \"%s\" has %llu bytes, must have %llu", array->name,
                         (unsigned long long)said, (unsigned long long)needed);
}

static pli_status read_plain(const pli_vtu_array* array, const pli_vtu_layout* layout, source* s,
                             pli_vtu_numbers* n) {
    uint64_t size;
    if (!take_word(s, layout, &size)) return bad(array, "is cut off");
    if (size != n->bytes) return wrong_size(array, size, n->bytes);
    if (size > bytes_left(s)) return bad(array, "is cut off");
    PLI_TRY(PLI_ALLOC(n->memory, n->data, n->bytes, array->start.error));
    return take(s, n->bytes, n->data) ? PLI_OK : bad(array, "is cut off");
}

typedef struct blocks {
    uint64_t count, size, last;
    uint64_t* compressed; // bytes of each
    unsigned char* buffer;
    size_t buffer_size; // of the largest
} blocks;

static pli_status read_block_sizes(const pli_vtu_array* array, const pli_vtu_layout* layout,
                                   source* s, blocks* b, pli_vtu_numbers* n) {
    if (!take_word(s, layout, &b->count) || !take_word(s, layout, &b->size) ||
        !take_word(s, layout, &b->last))
        return bad(array, "is cut off");
    if (b->count > bytes_left(s) / (size_t)layout->header_size) return bad(array, "is cut off");
    uint64_t whole = b->count == 0 ? 0 : b->count - (b->last != 0);
    if (b->last > b->size || (whole > 0 && b->size > n->bytes / whole))
        return bad(array, "has blocks of impossible size");
    uint64_t size = whole * b->size + (b->count ? b->last : 0);
    if (size != n->bytes) return wrong_size(array, size, n->bytes);
    PLI_TRY(PLI_ALLOC(n->memory, b->compressed, b->count, array->start.error));
    uint64_t total = 0;
    for (uint64_t i = 0; i < b->count; ++i) {
        if (!take_word(s, layout, &b->compressed[i])) return bad(array, "is cut off");
        if (b->compressed[i] > bytes_left(s)) return bad(array, "is cut off");
        total += b->compressed[i];
        if (b->compressed[i] > b->buffer_size) b->buffer_size = (size_t)b->compressed[i];
    }
    if (total > bytes_left(s) || n->bytes / PLI_INFLATE_LIMIT > total + 64)
        return bad(array, "is cut off");
    return PLI_OK;
}

static pli_status read_blocks(const pli_vtu_array* array, source* s, blocks* b,
                              pli_vtu_numbers* n) {
    PLI_TRY(PLI_ALLOC(n->memory, n->data, n->bytes, array->start.error));
    PLI_TRY(PLI_ALLOC(n->memory, b->buffer, b->buffer_size, array->start.error));
    unsigned char* to = n->data;
    s->held_count = 0; // the data starts with a new group
    for (uint64_t i = 0; i < b->count; ++i) {
        size_t size = (size_t)(i + 1 == b->count && b->last ? b->last : b->size);
        if (!take(s, (size_t)b->compressed[i], b->buffer)) return bad(array, "is cut off");
        pli_status status = pli_inflate(n->memory, b->buffer, (size_t)b->compressed[i], to, size,
                                        array->start.error);
        if (status == PLI_E_SCENE) return bad(array, "cannot be decompressed");
        PLI_TRY(status);
        to += size;
    }
    return PLI_OK;
}

static pli_status read_compressed(const pli_vtu_array* array, const pli_vtu_layout* layout,
                                  source* s, pli_vtu_numbers* n) {
    blocks b = {0};
    pli_status status;
    PLI_TRY_CLEANUP(status, read_block_sizes(array, layout, s, &b, n));
    PLI_TRY_CLEANUP(status, read_blocks(array, s, &b, n));
cleanup:
    PLI_FREE(n->memory, b.compressed, b.count);
    PLI_FREE(n->memory, b.buffer, b.buffer_size);
    return status;
}

pli_status pli_vtu_array_open(const pli_vtu_array* array, const pli_vtu_layout* layout,
                              int64_t count, pli_memory* memory, pli_vtu_numbers* n) {
    *n = (pli_vtu_numbers){.scan = array->start, .memory = memory};
    n->scan.stop = '<';
    if (array->format == 't') return pli_scan_check_count(&array->start, array->name, count, 2);
    n->bytes = (size_t)count * (size_t)array->type.size;
    source s = {.at = array->start.at, .end = layout->end, .base64 = true};
    if (array->format == 'a') {
        if (!layout->appended) return bad(array, "is appended, but there is no AppendedData");
        if (array->offset > (uint64_t)(layout->end - layout->appended))
            return bad(array, "is beyond the end of the file");
        s.at = layout->appended + array->offset;
        s.base64 = layout->appended_base64;
    }
    pli_status status = layout->compressed ? read_compressed(array, layout, &s, n)
                                           : read_plain(array, layout, &s, n);
    if (status != PLI_OK) {
        pli_vtu_array_close(n);
        return status;
    }
    pli_format(n->inside, sizeof n->inside, "array \"%s\"", array->name);
    n->scan.text = n->scan.at = (const char*)n->data;
    n->scan.size = n->bytes;
    n->scan.inside = n->inside;
    n->scan.binary = n->scan.bytes = true;
    n->scan.swap = layout->swap;
    return PLI_OK;
}

void pli_vtu_array_close(pli_vtu_numbers* n) { PLI_FREE(n->memory, n->data, n->bytes); }

// ---- tags

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Moves past `text`, which must follow.
static pli_status pass(pli_scan* scan, const char* text) {
    const char* found = memmem(scan->at, pli_scan_left(scan), text, strlen(text));
    if (!found) return PLI_SCAN_FAIL(scan, "unterminated tag, expected \"%s\"", text);
    pli_scan_move(scan, found + strlen(text));
    return PLI_OK;
}

pli_status pli_xml_next(pli_scan* scan, pli_tag* tag) {
    *tag = (pli_tag){.name = ""};
    for (;;) {
        const char* start = memchr(scan->at, '<', pli_scan_left(scan));
        pli_scan_move(scan, start ? start : scan->text + scan->size);
        if (!start) return PLI_OK;
        bool comment = strncmp(start, "<!--", 4) == 0;
        if (start[1] != '?' && start[1] != '!') break;
        PLI_TRY(pass(scan, comment ? "-->" : ">"));
    }
    const char* c = scan->at + 1;
    tag->closes = *c == '/';
    tag->opens = !tag->closes;
    if (tag->closes) ++c;
    size_t n = 0;
    while (c[n] && !is_space(c[n]) && c[n] != '>' && c[n] != '/') ++n;
    if (n == 0 || n >= sizeof tag->name)
        return PLI_SCAN_FAIL(scan, "a tag must have a name of 1 to %zu letters",
                             sizeof tag->name - 1);
    memcpy(tag->name, c, n);
    tag->first = c + n;
    PLI_TRY(pass(scan, ">"));
    tag->end = scan->at - 1;
    if (tag->end > tag->first && tag->end[-1] == '/') {
        tag->closes = true;
        --tag->end;
    }
    return PLI_OK;
}

// Copies from `c` to `end`; the five predefined entities of XML are replaced by their characters.
static void unescape(const char* c, const char* end, char* out, size_t size) {
    static const char* const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    size_t n = 0;
    while (c < end && n + 1 < size) {
        char sign = *c;
        size_t length = 1;
        for (int i = 0; *c == '&' && i < 5; ++i)
            if (strncmp(c, names[i], strlen(names[i])) == 0)
                sign = "&<>\"'"[i], length = strlen(names[i]);
        out[n++] = sign;
        c += length;
    }
    out[n] = 0;
}

const char* pli_xml_attribute(const pli_tag* tag, const char* name, char* value, size_t size) {
    size_t length = strlen(name);
    value[0] = 0;
    for (const char* c = tag->first; c < tag->end; ++c) {
        if (!is_space(*c)) continue;
        const char* word = c + 1;
        if ((size_t)(tag->end - word) <= length || memcmp(word, name, length) != 0) continue;
        const char* q = word + length;
        while (q < tag->end && is_space(*q)) ++q;
        if (q >= tag->end || *q != '=') continue;
        do ++q;
        while (q < tag->end && is_space(*q));
        if (q >= tag->end || (*q != '"' && *q != '\'')) continue;
        const char* close = memchr(q + 1, *q, (size_t)(tag->end - q - 1));
        if (!close) continue;
        unescape(q + 1, close, value, size);
        break;
    }
    return value;
}
