// Numbers as text, the same in every locale: the thread's locale is swapped for "C" around the
// call (glibc keeps that locale as a constant, so this costs no allocation).
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
