// Numbers and colours as exported files have them.
#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/scan.h"
#include "render/svg.h"

// `value` = digits / 10^places as text, without a point if there are no places.
static const char* write_decimal(bool negative, int64_t digits, int places,
                                 char buffer[PLI_NUMBER_SIZE]) {
    char* at = buffer + PLI_NUMBER_SIZE - 1;
    *at = 0;
    for (; places > 0 && digits % 10 == 0; --places) digits /= 10;
    for (int i = 0; digits > 0 || i <= places; ++i) {
        if (i == places && places > 0) *--at = '.';
        *--at = (char)('0' + digits % 10);
        digits /= 10;
    }
    if (negative) *--at = '-';
    return memmove(buffer, at, (size_t)(buffer + PLI_NUMBER_SIZE - at));
}

// Numbers of usual size are n / 10^places with the least places for which that is the float: n and
// the power are exact, so the quotient is what a reader gets from the text. Nine digits are always
// enough for a float.
const char* pli_format_float(float value, char buffer[PLI_NUMBER_SIZE]) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
    double size = fabs((double)value);
    if (size == 0) return strcpy(buffer, "0");
    if (size >= 1e-3 && size < 1e6) {
        int whole = 0; // digits before the point; below 1 those after it that are 0, negative
        while (size >= powers[whole]) ++whole;
        for (int k = 1; whole == 0 && size * powers[k] < 1; ++k) --whole;
        for (int places = pli_max_int(0, 6 - whole); places <= 9 - whole && places < 12; ++places) {
            double digits = nearbyint(size * powers[places]);
            if ((float)(digits / powers[places]) == (float)size)
                return write_decimal(value < 0, (int64_t)digits, places, buffer);
        }
    }
    for (int digits = 6; digits <= 9; ++digits) {
        pli_format(buffer, PLI_NUMBER_SIZE, "%.*g", digits, (double)value);
        if ((float)pli_parse_double(buffer, NULL) == value) break;
    }
    return buffer;
}

void pli_file_float(pli_file* file, float value) {
    char buffer[PLI_NUMBER_SIZE];
    pli_file_text(file, pli_format_float(value, buffer));
}

void pli_file_words(pli_file* file, const void* words, size_t count, bool big) {
    if (big != pli_little_endian()) {
        pli_file_write(file, words, 4 * count);
        return;
    }
    const unsigned char* from = words;
    for (size_t i = 0; i < count; ++i, from += 4) {
        const unsigned char swapped[4] = {from[3], from[2], from[1], from[0]};
        pli_file_write(file, swapped, sizeof swapped);
    }
}

void pli_export_points(const pli_result_body* body, const double* positions, float* out) {
    for (int i = 0; i < body->vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            *out++ = (float)positions[3 * (size_t)body->vertices[i] + (size_t)k];
}

// sRGB to linear [IEC 61966-2-1].
void pli_export_colour(const pli_result_body* body, double rgb[3]) {
    const pli_colour* colour = body->obstacle ? pli_colour_plain() : pli_colour_of(body->number);
    // Large grounds are light, as in pictures.
    long bits = strtol((body->ground ? colour->fill : colour->line) + 1, NULL, 16);
    for (int k = 0; k < 3; ++k) {
        double s = (double)(bits >> (16 - 8 * k) & 255) / 255;
        double linear = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
        rgb[k] = nearbyint(1e4 * linear) / 1e4;
    }
}
