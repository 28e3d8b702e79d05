// Scanning mesh files. The text ends with a NUL, so that reading one byte ahead is always allowed.
#include "mesh/scan.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

// ---- the file

pli_status pli_scan_open(pli_scan* scan, pli_memory* memory, const char* path, pli_error* error) {
    char* text = NULL;
    size_t size = 0; // including the NUL
    PLI_TRY(pli_read_file(memory, path, INT_MAX - 1, &text, &size, error));
    *scan =
        (pli_scan){.path = path, .text = text, .size = size - 1, .at = text, .line_start = text};
    scan->line = 1;
    scan->error = error;
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) scan->at = scan->line_start = text + 3;
    return PLI_OK;
}

void pli_scan_unify_lines(pli_scan* scan) {
    char *text = (char*)scan->text, *end = text + scan->size, *run;
    for (char* c = text; (c = memchr(c, '\r', (size_t)(end - c))) != NULL;) {
        for (run = c; *c == '\r';) ++c; // the NUL after the text ends it
        if (*c != '\n') memset(run, '\n', (size_t)(c - run));
    }
}

void pli_scan_close(pli_scan* scan, pli_memory* memory) {
    char* text = (char*)scan->text;
    if (text) PLI_FREE(memory, text, scan->size + 1);
    scan->text = NULL;
}

// ---- places

int32_t pli_scan_place(const pli_scan* scan) {
    if (scan->inside) return 0;
    return scan->bytes ? (int32_t)(-1 - (scan->at - scan->text)) : scan->line;
}

void pli_scan_place_error(const pli_scan* scan) {
    if (!scan->error) return;
    size_t byte = (size_t)(scan->at - scan->text);
    if (scan->inside) {
        pli_error_prefix(scan->error, "%s: %s: byte %zu", scan->path, scan->inside, byte);
    } else if (scan->bytes) {
        pli_error_prefix(scan->error, "%s: byte %zu", scan->path, byte);
    } else {
        scan->error->line = scan->line;
        scan->error->column = (int)(scan->at - scan->line_start) + 1;
        pli_error_prefix(scan->error, "%s:%d:%d", scan->path, scan->line, scan->error->column);
    }
}

size_t pli_scan_left(const pli_scan* scan) { return scan->size - (size_t)(scan->at - scan->text); }

bool pli_scan_ended(const pli_scan* scan) { return pli_scan_left(scan) == 0; }

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_line_end(char c) { return c == '\n' || c == '\0'; }

bool pli_scan_line_ended(const pli_scan* scan) { return is_line_end(*scan->at); }

// ---- moving

void pli_scan_skip_blanks(pli_scan* scan) {
    for (;;) {
        while (is_blank(*scan->at)) ++scan->at;
        if (!scan->continued || *scan->at != '\\') return;
        const char* next = scan->at + 1;
        if (*next == '\r') ++next;
        if (*next != '\n') return;
        scan->at = scan->line_start = next + 1;
        ++scan->line;
    }
}

void pli_scan_skip_line(pli_scan* scan) {
    const char* end = memchr(scan->at, '\n', pli_scan_left(scan));
    scan->at = end ? end + 1 : scan->text + scan->size;
    scan->line_start = scan->at;
    ++scan->line;
}

void pli_scan_skip_space(pli_scan* scan) {
    for (;;) {
        pli_scan_skip_blanks(scan);
        bool comment = scan->comment && *scan->at == scan->comment;
        if (scan->one_line || (*scan->at != '\n' && !comment)) return;
        pli_scan_skip_line(scan);
    }
}

void pli_scan_move(pli_scan* scan, const char* to) {
    for (const char* next; (next = memchr(scan->at, '\n', (size_t)(to - scan->at))) != NULL;) {
        scan->at = scan->line_start = next + 1;
        ++scan->line;
    }
    scan->at = to;
}

pli_status pli_scan_skip_bytes(pli_scan* scan, size_t count, const char* what) {
    if (count > pli_scan_left(scan))
        return PLI_SCAN_FAIL(scan, "the file ends in %s: %zu bytes more are needed, %zu are left",
                             what, count, pli_scan_left(scan));
    scan->at += count;
    return PLI_OK;
}

// ---- words

static bool ends_word(const pli_scan* scan, char c) {
    return is_blank(c) || is_line_end(c) || (scan->stop && c == scan->stop);
}

static size_t word_length(const pli_scan* scan) {
    size_t n = 0;
    while (!is_blank(scan->at[n]) && !is_line_end(scan->at[n])) ++n;
    return n;
}

pli_word pli_scan_peek(const pli_scan* scan) {
    pli_word word = {{0}};
    size_t n = 0;
    while (n < sizeof word.text - 1 && !is_blank(scan->at[n]) && !is_line_end(scan->at[n])) ++n;
    memcpy(word.text, scan->at, n);
    return word;
}

static pli_status missing(const pli_scan* scan, const char* what) {
    if (pli_scan_ended(scan)) return PLI_SCAN_FAIL(scan, "the file ends, %s is missing", what);
    return PLI_SCAN_FAIL(scan, "%s, %s is missing",
                         *scan->at ? "the line ends" : "a zero byte in a text", what);
}

pli_status pli_scan_word(pli_scan* scan, const char* what, pli_word* word) {
    pli_scan_skip_space(scan);
    if (pli_scan_line_ended(scan)) return missing(scan, what);
    *word = pli_scan_peek(scan);
    scan->at += word_length(scan);
    return PLI_OK;
}

static char small_letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool pli_same_word(const char* a, const char* b) {
    while (*a && small_letter(*a) == small_letter(*b)) ++a, ++b;
    return *a == *b;
}

bool pli_scan_take(pli_scan* scan, const char* word) {
    pli_scan_skip_space(scan);
    if (!pli_same_word(pli_scan_peek(scan).text, word)) return false;
    scan->at += word_length(scan);
    return true;
}

pli_status pli_scan_expect(pli_scan* scan, const char* word) {
    if (pli_scan_take(scan, word)) return PLI_OK;
    if (pli_scan_line_ended(scan)) return missing(scan, word);
    return PLI_SCAN_FAIL(scan, "\"%.23s\", must be \"%s\"", pli_scan_peek(scan).text, word);
}

// ---- numbers

static pli_status text_real(pli_scan* scan, const char* what, double* value) {
    pli_scan_skip_space(scan);
    if (pli_scan_line_ended(scan)) return missing(scan, what);
    const char* end;
    *value = pli_parse_double(scan->at, &end);
    if (end == scan->at || !ends_word(scan, *end) || !isfinite(*value))
        return PLI_SCAN_FAIL(scan, "%s \"%.23s\", must be a finite number", what,
                             pli_scan_peek(scan).text);
    scan->at = end;
    return PLI_OK;
}

bool pli_parse_integer(const char** at, int64_t* value) {
    const char* c = *at;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+') ++c;
    if (*c < '0' || *c > '9') return false;
    int64_t n = 0;
    for (; *c >= '0' && *c <= '9'; ++c)
        n = n > (INT64_MAX - 9) / 10 ? INT64_MAX : 10 * n + (*c - '0');
    *value = negative ? -n : n;
    *at = c;
    return true;
}

static pli_status text_integer(pli_scan* scan, const char* what, int64_t* value) {
    pli_scan_skip_space(scan);
    if (pli_scan_line_ended(scan)) return missing(scan, what);
    const char* c = scan->at;
    if (!pli_parse_integer(&c, value) || !ends_word(scan, *c))
        return PLI_SCAN_FAIL(scan, "%s \"%.23s\", must be an integer", what,
                             pli_scan_peek(scan).text);
    scan->at = c;
    return PLI_OK;
}

// The bytes of a number; moves past them.
static pli_status take_bytes(pli_scan* scan, pli_number_type type, const char* what,
                             const char** bytes) {
    *bytes = scan->at;
    if (pli_scan_left(scan) < (size_t)type.size)
        return PLI_SCAN_FAIL(scan, "the %s ends, %s is missing", scan->inside ? "array" : "file",
                             what);
    scan->at += type.size;
    return PLI_OK;
}

pli_status pli_scan_real(pli_scan* scan, pli_number_type type, const char* what, double* value) {
    if (!scan->binary) return text_real(scan, what, value);
    const char* bytes;
    PLI_TRY(take_bytes(scan, type, what, &bytes));
    *value = pli_number_real(type, scan->swap, bytes);
    if (isfinite(*value)) return PLI_OK;
    scan->at = bytes;
    return PLI_SCAN_FAIL(scan, "%s is %g, must be a finite number", what, *value);
}

pli_status pli_scan_integer(pli_scan* scan, pli_number_type type, const char* what,
                            int64_t* value) {
    if (!scan->binary) return text_integer(scan, what, value);
    const char* bytes;
    PLI_TRY(take_bytes(scan, type, what, &bytes));
    if (pli_number_integer(type, scan->swap, bytes, value)) return PLI_OK;
    scan->at = bytes;
    return PLI_SCAN_FAIL(scan, "%s must be an integer of at most 63 bits", what);
}

pli_status pli_scan_check_count(const pli_scan* scan, const char* what, int64_t count,
                                size_t bytes_each) {
    if (count < 0) return PLI_SCAN_FAIL(scan, "%lld %s, must be >= 0", (long long)count, what);
    // The last one may lack its separator.
    if ((uint64_t)count > (pli_scan_left(scan) + 1) / bytes_each || count > INT_MAX)
        return PLI_SCAN_FAIL(scan, "%lld %s cannot be in the %zu bytes that are left",
                             (long long)count, what, pli_scan_left(scan));
    return PLI_OK;
}

pli_status pli_scan_count(pli_scan* scan, pli_number_type type, const char* what, size_t bytes_each,
                          int* count) {
    char name[64];
    int64_t value;
    pli_format(name, sizeof name, "number of %s", what);
    PLI_TRY(pli_scan_integer(scan, type, name, &value));
    PLI_TRY(pli_scan_check_count(scan, what, value, bytes_each));
    *count = (int)value;
    return PLI_OK;
}

// ---- numbers in bytes of either order

bool pli_number_named(const char* name, pli_number_type* type) {
    static const struct {
        const char* name;
        pli_number_type type;
    } names[] = {
        {"int8", {'i', 1}},           {"char", {'i', 1}},          {"uint8", {'u', 1}},
        {"uchar", {'u', 1}},          {"unsigned_char", {'u', 1}}, {"int16", {'i', 2}},
        {"short", {'i', 2}},          {"uint16", {'u', 2}},        {"ushort", {'u', 2}},
        {"unsigned_short", {'u', 2}}, {"int32", {'i', 4}},         {"int", {'i', 4}},
        {"vtkidtype", {'i', 4}},      {"uint32", {'u', 4}},        {"uint", {'u', 4}},
        {"unsigned_int", {'u', 4}},   {"int64", {'i', 8}},         {"long", {'i', 8}},
        {"vtktypeint64", {'i', 8}},   {"vtktypeint32", {'i', 4}},  {"uint64", {'u', 8}},
        {"unsigned_long", {'u', 8}},  {"float32", {'f', 4}},       {"float", {'f', 4}},
        {"float64", {'f', 8}},        {"double", {'f', 8}},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (pli_same_word(names[i].name, name)) {
            *type = names[i].type;
            return true;
        }
    return false;
}

bool pli_little_endian(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

// The bits of the number, the lowest byte in the lowest place.
static uint64_t gather(int size, bool swap, const unsigned char* bytes) {
    uint64_t bits = 0;
    bool lowest_first = pli_little_endian() != swap;
    for (int i = 0; i < size; ++i)
        bits |= (uint64_t)bytes[lowest_first ? i : size - 1 - i] << (8 * i);
    return bits;
}

double pli_number_real(pli_number_type type, bool swap, const void* bytes) {
    uint64_t bits = gather(type.size, swap, bytes);
    if (type.kind == 'f' && type.size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type.kind == 'f') {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (type.kind == 'u') return (double)bits;
    int64_t value = 0;
    pli_number_integer(type, swap, bytes, &value);
    return (double)value;
}

bool pli_number_integer(pli_number_type type, bool swap, const void* bytes, int64_t* value) {
    if (type.kind == 'f') {
        double real = pli_number_real(type, swap, bytes);
        if (!(fabs(real) <= 9e15) || real != floor(real)) return false;
        *value = (int64_t)real;
        return true;
    }
    uint64_t bits = gather(type.size, swap, bytes), sign = (uint64_t)1 << (8 * type.size - 1);
    if (type.kind == 'u') {
        *value = (int64_t)bits;
        return bits <= INT64_MAX;
    }
    // Two's complement: a set sign bit means -2^(bits - 1).
    *value = bits & sign ? (int64_t)(bits ^ sign) - (int64_t)(sign - 1) - 1 : (int64_t)bits;
    return true;
}
