// Numbers as text, the same in every locale: the thread's locale is swapped for "C" around the
// call (glibc keeps that locale as a constant, so this costs no allocation).
#define _GNU_SOURCE
#include "base/text.h"

#include "base/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t enter_c_locale(void) { return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); }

double pli_parse_double(const char* text, const char** end) {
    locale_t old = enter_c_locale();
    char* stop = NULL;
    double value = strtod(text, &stop);
    uselocale(old);
    if (end) *end = stop;
    return value;
}

const char* pli_format_double(double value, char buffer[PLI_NUMBER_SIZE]) {
    if (!isfinite(value)) return strcpy(buffer, "null");
    if (pli_shortest_decimal(value, buffer)) return buffer;
    locale_t old = enter_c_locale();
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(buffer, PLI_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    uselocale(old);
    return buffer;
}

int pli_format(char* buffer, size_t size, const char* format, ...) {
    locale_t old = enter_c_locale();
    va_list args;
    va_start(args, format);
    int n = vsnprintf(buffer, size, format, args);
    va_end(args);
    uselocale(old);
    return n;
}

const char* pli_bytes_text(double bytes, char* buffer, size_t size) {
    static const char* const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    if (!buffer || size == 0) return buffer;
    while (unit + 1 < sizeof units / sizeof *units && bytes >= 999.5) {
        bytes /= 1000;
        unit++;
    }
    pli_format(buffer, size, "%.3g %s", bytes, units[unit]);
    return buffer;
}

// Lead byte 0xC2..0xF4, then continuation bytes; no overlong forms, no surrogates (RFC 3629).
int pli_utf8_length(const char* text) {
    const unsigned char* s = (const unsigned char*)text;
    if (s[0] == 0) return 0;
    if (s[0] < 0x80) return 1;
    int length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
    for (int i = 1; i < length; ++i)
        if ((s[i] & 0xC0) != 0x80) return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xED && s[1] >= 0xA0, beyond = s[0] == 0xF4 && s[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

// Below U+0020, U+007F to U+009F, and the marks that break lines or turn their direction: U+2028
// to U+202E, U+2066 to U+2069.
static bool is_control(const char* text, int length) {
    const unsigned char* s = (const unsigned char*)text;
    if (length == 1) return s[0] < 0x20 || s[0] == 0x7F;
    if (length == 2) return s[0] == 0xC2 && s[1] < 0xA0;
    if (length != 3 || s[0] != 0xE2) return false;
    return (s[1] == 0x80 && s[2] >= 0xA8 && s[2] <= 0xAE) ||
           (s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9);
}

const char* pli_printable(const char* text, char* buffer, size_t size) {
    size_t used = 0;
    if (!buffer || size == 0) return buffer;
    while (text && *text) {
        int length = pli_utf8_length(text), skipped = length > 0 ? length : 1;
        bool bad = length == 0 || is_control(text, length);
        size_t more = bad ? 1 : (size_t)length;
        if (used + more >= size) break;
        if (bad)
            buffer[used] = '?';
        else
            memmove(buffer + used, text, more);
        text += skipped;
        used += more;
    }
    buffer[used] = 0;
    return buffer;
}

// Optimal string alignment, three rows of the table at a time.
int pli_edit_distance(const char* a, const char* b) {
    enum { LIMIT = 63 };
    int m = (int)strnlen(a, LIMIT), n = (int)strnlen(b, LIMIT);
    int rows[3][LIMIT + 1];
    for (int j = 0; j <= n; ++j) rows[0][j] = j;
    for (int i = 1; i <= m; ++i) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= n; ++j) {
            int best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = pli_min_int(best, pli_min_int(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = pli_min_int(best, two_above[j - 2] + 1);
            row[j] = best;
        }
    }
    return rows[m % 3][n];
}

// More edits than a third of the shorter word, or half of the longer one, make another word.
void pli_nearest_try(pli_nearest* nearest, const char* candidate) {
    enum { LONGEST = 60 }; // no word that we know is as long
    int m = (int)strnlen(nearest->word, LONGEST), n = (int)strnlen(candidate, LONGEST);
    int limit = pli_max_int(1, (pli_min_int(m, n) + 1) / 3);
    int distance = pli_edit_distance(nearest->word, candidate);
    if (distance > limit || 2 * distance > pli_max_int(m, n)) return;
    if (nearest->best && distance >= nearest->distance) return;
    nearest->best = candidate;
    nearest->distance = distance;
}

const char* pli_nearest_word(const char* word, const char* (*candidate)(int i)) {
    pli_nearest nearest = {.word = word};
    for (int i = 0; word && candidate && candidate(i); ++i) pli_nearest_try(&nearest, candidate(i));
    return nearest.best;
}
