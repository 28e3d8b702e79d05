// Three bytes are four characters of 6 bits, the highest first.
#include "base/base64.h"

static void put(pli_base64* out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned word =
        (unsigned)out->held[0] << 16 | (unsigned)out->held[1] << 8 | (unsigned)out->held[2];
    char text[4];
    for (int i = 0; i < 4; ++i)
        text[i] = i <= out->held_count ? digits[word >> (18 - 6 * i) & 63u] : '=';
    pli_file_write(out->file, text, sizeof text);
    out->held_count = 0;
}

void pli_base64_write(pli_base64* out, const void* bytes, size_t size) {
    const unsigned char* from = bytes;
    for (size_t i = 0; i < size; ++i) {
        out->held[out->held_count++] = from[i];
        if (out->held_count == 3) put(out);
    }
}

void pli_base64_end(pli_base64* out) {
    if (out->held_count == 0) return;
    for (int i = out->held_count; i < 3; ++i) out->held[i] = 0;
    put(out);
}
