// Numbers as text, the same in every locale: the thread's locale is switched to "C" around the call
// (glibc has that locale as a constant, so nothing is allocated).
#define _GNU_SOURCE
#include "base/text.h"

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

// Below U+0020, U+007F to U+009F, and the characters that break lines or change their direction:
// U+2028 to U+202E, U+2066 to U+2069.
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

// More edits than a third of the shorter word, or half of the longer one, make a different word.
void pli_nearest_try(pli_nearest* nearest, const char* candidate) {
    enum { LONGEST = 60 }; // no known word is that long
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

// ---- shortest decimals
//
// The shortest of 15, 16 and 17 digits that reads back as the same double, without printf and
// strtod, which take a microsecond.
//
// With a k that leaves 17 digits before the decimal point, value 10^k is an integer multiple of
// 2^-7 with an error of at most MARGIN of them. A number of fewer digits reads back as the same
// double if it is closer than half of its last bit. Where the error could matter (about one number
// in ten), and for very large or small numbers, there is no result: the caller falls back to
// printf, whose text is the same. [Steele and White 1990, "How to print floating-point numbers
// accurately"; Grisu, Loitsch 2010, has the idea of giving up where the error could matter]

enum {
    FRACTION_BITS = 7,
    MARGIN = 8, // [2^-7]: two products and a shift, each truncated, make less than 6
    MOST_DIGITS = 17,
};

// ---- numbers as mantissa 2^exponent, the highest bit of the mantissa set

typedef struct scaled {
    uint64_t mantissa;
    int exponent;
} scaled;

static scaled normalized(uint64_t mantissa, int exponent) {
    for (; !(mantissa >> 63); mantissa <<= 1) exponent--;
    return (scaled){mantissa, exponent};
}

// The upper half of a product of 128 bits.
static uint64_t multiply_high(uint64_t a, uint64_t b) {
    uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    uint64_t one = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (one & 0xffffffffu);
    return a1 * b1 + (one >> 32) + (other >> 32);
}

static scaled product(scaled a, scaled b) {
    return normalized(multiply_high(a.mantissa, b.mantissa), a.exponent + b.exponent + 64);
}

static uint64_t power_of_five(int k) {
    uint64_t power = 1;
    for (int i = 0; i < k; ++i) power *= 5;
    return power;
}

static scaled power_of_ten(int k) {
    const int most = 27; // 5^27 < 2^63
    if (k <= most) return normalized(power_of_five(k), k);
    return product(normalized(power_of_five(most), most),
                   normalized(power_of_five(k - most), k - most));
}

// ---- digits

// value 10^(16 - power) [2^-7], which has 17 digits before the decimal point.
typedef struct digits {
    uint64_t value;
    uint64_t close, far; // closer numbers read back as the double; farther ones do not [2^-7]
    int power;           // of ten of the first digit
} digits;

static bool find_digits(double value, digits* out) {
    const uint64_t end = 100000000000000000u; // 10^17
    int exponent;
    double fraction = frexp(value, &exponent);
    if (!(value > 1e-36 && value < 1e16)) return false;
    uint64_t bits = (uint64_t)ldexp(fraction, 53);
    scaled x = normalized(bits, exponent - 53);
    int power = (int)floor((exponent - 1) * 0.30102999566398120); // exact, or one too small
    for (int i = 0; i < 2; ++i, ++power) {
        scaled y = product(x, power_of_ten(MOST_DIGITS - 1 - power));
        int shift = -(y.exponent + FRACTION_BITS);
        if (shift < 0) continue;
        uint64_t scaled_value = y.mantissa >> shift;
        if (scaled_value >> FRACTION_BITS >= end) continue;
        // Half of the last bit; below a power of two bits are half as large.
        uint64_t half = (uint64_t)((double)scaled_value / (2 * (double)bits));
        *out = (digits){scaled_value, fraction == 0.5 ? half / 2 : half, half, power};
        return (scaled_value + MARGIN) >> FRACTION_BITS >= end / 10; // it was truncated
    }
    return false;
}

// Rounds to `count` digits. +1: they are correct and read back as the double; 0: they are correct
// but do not; -1: the error bound does not decide.
static int round_to(const digits* d, int count, uint64_t* out) {
    uint64_t unit = 1u << FRACTION_BITS;
    for (int i = count; i < MOST_DIGITS; ++i) unit *= 10;
    uint64_t rest = d->value % unit, whole = d->value / unit;
    uint64_t tie = rest < unit / 2 ? unit / 2 - rest : rest - unit / 2;
    if (tie <= MARGIN) return -1;
    bool up = rest > unit / 2;
    *out = whole + up;
    if (count == MOST_DIGITS) return 1;
    uint64_t off = up ? unit - rest : rest;
    return off + MARGIN < d->close ? 1 : off > d->far + MARGIN ? 0 : -1;
}

// ---- text, as %.*g writes it

static char* put_exponent(int power, char* out) {
    int size = power < 0 ? -power : power;
    *out++ = 'e';
    *out++ = power < 0 ? '-' : '+';
    *out++ = (char)('0' + size / 10);
    *out++ = (char)('0' + size % 10);
    return out;
}

static char* put_digits(const char* text, int count, char* out) {
    memcpy(out, text, (size_t)count);
    return out + count;
}

static void put_number(uint64_t number, int count, int power, char* out) {
    char text[MOST_DIGITS + 1];
    int length = count;
    for (int i = count - 1; i >= 0; --i, number /= 10) text[i] = (char)('0' + number % 10);
    while (length > 1 && text[length - 1] == '0') length--;
    if (power < -4 || power >= count) {
        *out++ = text[0];
        if (length > 1) *out++ = '.';
        out = put_exponent(power, put_digits(text + 1, length - 1, out));
    } else if (power < 0) {
        memcpy(out, "0.000", 5);
        out = put_digits(text, length, out + 1 - power);
    } else {
        int before = power + 1; // trailing zeros of integers were not counted
        out = put_digits(text, before, out);
        if (length > before) {
            *out++ = '.';
            out = put_digits(text + before, length - before, out);
        }
    }
    *out = 0;
}

bool pli_shortest_decimal(double value, char* out) {
    digits d;
    if (signbit(value)) *out++ = '-';
    if (value == 0) {
        memcpy(out, "0", 2);
        return true;
    }
    if (!find_digits(fabs(value), &d)) return false;
    for (int count = MOST_DIGITS - 2; count <= MOST_DIGITS; ++count) {
        uint64_t number = 0, end = 1;
        int result = round_to(&d, count, &number);
        if (result < 0) return false;
        if (result == 0) continue;
        for (int i = 0; i < count; ++i) end *= 10;
        if (number == end) // 9.99... has become 10
            put_number(number / 10, count, d.power + 1, out);
        else
            put_number(number, count, d.power, out);
        return true;
    }
    return false;
}
