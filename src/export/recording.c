// Messages: u32 size, u8 0 (text) or 1 (binary), bytes. All numbers have the lowest byte first.
#include "export/recording.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 32, MAGIC = 0x31494C50, DIGITS = 9 };

pli_status pli_recording_begin(pli_recording* r, pli_memory* memory, pli_file* file,
                               pli_error* error) {
    const int gzip = 16, window = 15, level = 6, memory_level = 8;
    r->text = (pli_base64){.file = file};
    r->zlib = (z_stream){0};
    pli_zlib_use(&r->zlib, memory);
    if (deflateInit2(&r->zlib, level, Z_DEFLATED, window + gzip, memory_level,
                     Z_DEFAULT_STRATEGY) == Z_OK)
        return PLI_OK;
    return pli_fail(error, PLI_E_MEMORY, "out of memory: zlib could not start");
}

// Compresses what is waiting at next_in.
static void pass_on(pli_recording* r, int flush) {
    do {
        r->zlib.next_out = r->packed;
        r->zlib.avail_out = sizeof r->packed;
        deflate(&r->zlib, flush);
        pli_base64_write(&r->text, r->packed, sizeof r->packed - r->zlib.avail_out);
    } while (r->zlib.avail_out == 0);
}

void pli_recording_end(pli_recording* r) {
    r->zlib.avail_in = 0;
    pass_on(r, Z_FINISH);
    deflateEnd(&r->zlib);
    pli_base64_end(&r->text);
}

void pli_recording_bytes(pli_recording* r, const void* bytes, size_t size) {
    const size_t most = 1u << 30; // zlib counts in 32 bits
    for (const unsigned char* from = bytes; size > 0;) {
        size_t part = size < most ? size : most;
        r->zlib.next_in = (z_const Bytef*)from;
        r->zlib.avail_in = (uInt)part;
        pass_on(r, Z_NO_FLUSH);
        from += part;
        size -= part;
    }
}

static void put_number(unsigned char* at, uint64_t value, int size) {
    for (int i = 0; i < size; ++i) at[i] = (unsigned char)(value >> 8 * i & 255u);
}

void pli_recording_word(pli_recording* r, uint32_t word) {
    unsigned char bytes[4];
    put_number(bytes, word, sizeof bytes);
    pli_recording_bytes(r, bytes, sizeof bytes);
}

void pli_recording_float(pli_recording* r, float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    pli_recording_word(r, word);
}

static void begin_message(pli_recording* r, size_t size, bool binary) {
    unsigned char kind = binary;
    pli_recording_word(r, (uint32_t)size);
    pli_recording_bytes(r, &kind, 1);
}

pli_status pli_recording_json(pli_recording* r, json_t* message, pli_error* error) {
    char* text = message ? json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;
    json_decref(message);
    if (!text) return pli_fail(error, PLI_E_MEMORY, "out of memory: a message of the recording");
    begin_message(r, strlen(text), false);
    pli_recording_bytes(r, text, strlen(text));
    free(text);
    return PLI_OK;
}

void pli_recording_binary(pli_recording* r, const pli_recording_header* header, size_t size) {
    unsigned char bytes[HEADER] = {0};
    uint64_t time;
    memcpy(&time, &header->time, sizeof time);
    put_number(bytes, MAGIC, 4);
    put_number(bytes + 4, (uint64_t)header->kind, 2);
    put_number(bytes + 6, (uint64_t)header->flags, 2);
    put_number(bytes + 12, header->step, 4); // the sequence before it is the reader's
    put_number(bytes + 16, time, 8);
    put_number(bytes + 24, header->count, 4);
    put_number(bytes + 28, header->extra, 4);
    begin_message(r, HEADER + size, true);
    pli_recording_bytes(r, bytes, HEADER);
}
