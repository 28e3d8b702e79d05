// State as bytes: see pack.h.
#include "base/pack.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Arrays are copied as stored in memory.
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers are stored in little endian: big-endian machines are not supported"
#endif

enum { SECTION_HEAD = 16 }; // name, version, length

// ---- writing

void pli_pack_init(pli_pack* pack, pli_memory* memory) { *pack = (pli_pack){.memory = memory}; }

void pli_pack_free(pli_pack* pack) {
    PLI_FREE(pack->memory, pack->bytes, pack->capacity);
    pack->size = pack->capacity = 0;
}

pli_status pli_pack_reserve(pli_pack* pack, size_t size, pli_error* error) {
    if (size <= pack->capacity) return PLI_OK;
    PLI_TRY(pli_resize(pack->memory, &pack->bytes, 1, pack->capacity, size, error));
    pack->capacity = size;
    return PLI_OK;
}

pli_status pli_pack_end(const pli_pack* pack, pli_error* error) {
    if (pack->status != PLI_OK && error) *error = pack->error;
    return pack->status;
}

static bool make_room(pli_pack* pack, size_t size) {
    if (pack->status != PLI_OK) return false;
    if (size <= pack->capacity - pack->size) return true;
    size_t wanted = pack->size + size, twice = 2 * pack->capacity;
    if (wanted < twice) wanted = twice;
    pack->status = pli_resize(pack->memory, &pack->bytes, 1, pack->capacity, wanted, &pack->error);
    if (pack->status == PLI_OK) pack->capacity = wanted;
    return pack->status == PLI_OK;
}

void pli_pack_bytes(pli_pack* pack, const void* bytes, size_t size) {
    if (size == 0 || !make_room(pack, size)) return;
    memcpy(pack->bytes + pack->size, bytes, size);
    pack->size += size;
}

void pli_pack_int(pli_pack* pack, int value) {
    int32_t number = value;
    pli_pack_bytes(pack, &number, sizeof number);
}

void pli_pack_long(pli_pack* pack, uint64_t value) { pli_pack_bytes(pack, &value, sizeof value); }

void pli_pack_number(pli_pack* pack, double value) { pli_pack_bytes(pack, &value, sizeof value); }

void pli_pack_numbers(pli_pack* pack, const double* values, size_t count) {
    pli_pack_bytes(pack, values, count * sizeof *values);
}

void pli_pack_ints(pli_pack* pack, const int32_t* values, size_t count) {
    pli_pack_bytes(pack, values, count * sizeof *values);
}

void pli_pack_text(pli_pack* pack, const char* text) {
    size_t length = strlen(text);
    pli_pack_long(pack, length);
    pli_pack_bytes(pack, text, length);
}

size_t pli_pack_open(pli_pack* pack, uint32_t name, int version) {
    pli_pack_bytes(pack, &name, sizeof name);
    pli_pack_int(pack, version);
    pli_pack_long(pack, 0); // filled in by pli_pack_close
    return pack->size;
}

void pli_pack_close(pli_pack* pack, size_t place) {
    if (pack->status != PLI_OK) return;
    uint64_t length = pack->size - place;
    memcpy(pack->bytes + place - sizeof length, &length, sizeof length);
}

// ---- reading

pli_unpack pli_unpack_from(const void* bytes, size_t size) {
    const unsigned char* at = bytes;
    return (pli_unpack){.at = at, .end = at ? at + size : at};
}

void pli_unpack_fail(pli_unpack* in, const char* format, ...) {
    char text[400];
    if (in->status != PLI_OK) return;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    in->status = pli_fail(&in->error, PLI_E_SCENE, "%s%s%s%s", *in->name ? "section \"" : "",
                          in->name, *in->name ? "\": " : "", text);
}

pli_status pli_unpack_end(const pli_unpack* in, pli_error* error) {
    pli_unpack last = *in;
    if (last.at != last.end)
        pli_unpack_fail(&last, "%zu bytes too many", (size_t)(last.end - last.at));
    if (last.status != PLI_OK && error) *error = last.error;
    return last.status;
}

const void* pli_unpack_bytes(pli_unpack* in, size_t size) {
    if (in->status != PLI_OK) return NULL;
    size_t left = (size_t)(in->end - in->at);
    if (size > left) {
        pli_unpack_fail(in, "it ends too early: %zu bytes are missing", size - left);
        return NULL;
    }
    const void* at = in->at;
    in->at += size;
    return at;
}

// Copies `size` bytes to `to`; zeros if they are missing.
static void take(pli_unpack* in, void* to, size_t size) {
    const void* from = pli_unpack_bytes(in, size);
    if (from)
        memcpy(to, from, size);
    else
        memset(to, 0, size);
}

int pli_unpack_int(pli_unpack* in, int least, int most, const char* what) {
    int32_t value;
    take(in, &value, sizeof value);
    if (value >= least && value <= most) return value;
    pli_unpack_fail(in, "%s = %d, must be %d to %d", what, (int)value, least, most);
    return least;
}

uint64_t pli_unpack_long(pli_unpack* in) {
    uint64_t value;
    take(in, &value, sizeof value);
    return value;
}

double pli_unpack_number(pli_unpack* in, double least, double most, const char* what) {
    double value;
    take(in, &value, sizeof value);
    if (value >= least && value <= most) return value;
    pli_unpack_fail(in, "%s = %g, must be %g to %g", what, value, least, most);
    return least;
}

void pli_unpack_numbers(pli_unpack* in, double* to, size_t count, const char* what) {
    size_t left = (size_t)(in->end - in->at);
    if (count > left / sizeof *to) count = left / sizeof *to + 1; // too many: the next line fails
    const unsigned char* from = pli_unpack_bytes(in, count * sizeof *to);
    for (size_t i = 0; from && i < count; ++i) {
        double value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        if (isfinite(value)) continue;
        pli_unpack_fail(in, "%s %zu is not finite", what, i);
        return;
    }
    if (from && in->apply && count > 0) memcpy(to, from, count * sizeof *to);
}

void pli_unpack_ints(pli_unpack* in, int32_t* to, size_t count, int least, int most,
                     const char* what) {
    size_t left = (size_t)(in->end - in->at);
    if (count > left / sizeof *to) count = left / sizeof *to + 1;
    const unsigned char* from = pli_unpack_bytes(in, count * sizeof *to);
    for (size_t i = 0; from && i < count; ++i) {
        int32_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        if (value >= least && value <= most) continue;
        pli_unpack_fail(in, "%s %zu = %d, must be %d to %d", what, i, (int)value, least, most);
        return;
    }
    if (from && in->apply && count > 0) memcpy(to, from, count * sizeof *to);
}

const char* pli_unpack_text(pli_unpack* in, size_t most, size_t* length, const char* what) {
    uint64_t size = pli_unpack_long(in);
    *length = 0;
    if (size > most) pli_unpack_fail(in, "%s is too long", what);
    const char* text = pli_unpack_bytes(in, (size_t)size);
    if (!text) return "";
    if (size > 0 && memchr(text, 0, (size_t)size)) {
        pli_unpack_fail(in, "%s contains a NUL", what);
        return "";
    }
    *length = (size_t)size;
    return text;
}

// ---- sections

static void name_text(uint32_t name, char text[5]) {
    for (int i = 0; i < 4; ++i) {
        char c = (char)(name >> 8 * i & 127u);
        text[i] = c >= ' ' && c < 127 ? c : '?';
    }
    text[4] = '\0';
}

static pli_unpack inside(pli_unpack* in, uint32_t* name, int* version) {
    pli_unpack section = {.apply = in->apply};
    uint64_t length;
    take(in, name, sizeof *name);
    *version = pli_unpack_int(in, 1, INT32_MAX, "version");
    take(in, &length, sizeof length);
    name_text(*name, section.name);
    section.at = section.end = pli_unpack_bytes(in, (size_t)length);
    if (section.at) section.end += length;
    return section;
}

bool pli_unpack_is_next(const pli_unpack* in, uint32_t name) {
    pli_unpack look = *in;
    uint32_t found = 0;
    int version;
    (void)inside(&look, &found, &version);
    return look.status == PLI_OK && found == name;
}

pli_unpack pli_unpack_enter(pli_unpack* in, uint32_t name, int* version) {
    uint32_t found;
    int known = *version;
    pli_unpack section = inside(in, &found, version);
    char wanted[5];
    name_text(name, wanted);
    if (found != name)
        pli_unpack_fail(in, "section \"%s\" found, must be \"%s\"", section.name, wanted);
    else if (*version > known)
        pli_unpack_fail(in, "section \"%s\" has version %d, this program reads up to %d", wanted,
                        *version, known);
    if (in->status != PLI_OK) {
        section.status = in->status;
        section.error = in->error;
        section.at = section.end = NULL;
    }
    return section;
}

void pli_unpack_leave(pli_unpack* in, pli_unpack* section) {
    if (in->status == PLI_OK) in->status = pli_unpack_end(section, &in->error);
}
