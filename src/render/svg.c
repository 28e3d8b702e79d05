// Small pieces of SVG shared by all pictures.
#include "render/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const pli_colour* pli_colour_of(int i) {
    static const pli_colour colours[PLI_COLOUR_COUNT] = {
        {"#0072b2", "#8ec6ea", "#0b5a8c"}, // blue
        {"#d55e00", "#f2b48a", "#a34700"}, // vermilion
        {"#009e73", "#8ad1bb", "#00694d"}, // green
        {"#cc79a7", "#e8bfd5", "#94446f"}, // purple
        {"#e69f00", "#f6d48a", "#9a6a00"}, // orange
        {"#56b4e9", "#c3e3f7", "#2a7eae"}, // sky
        {"#7f7f7f", "#cfcfcf", "#555555"}, // grey
    };
    return &colours[i % PLI_COLOUR_COUNT];
}

const pli_colour* pli_colour_plain(void) {
    static const pli_colour plain = {"#6b7683", "#d9dee4", "#76818d"};
    return &plain;
}

void pli_colour_mix(const char* dark, const char* light, double t, char out[8]) {
    long a = strtol(dark + 1, NULL, 16), b = strtol(light + 1, NULL, 16), sum = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double from = (double)(a >> shift & 255), to = (double)(b >> shift & 255);
        sum = sum << 8 | lround(from + t * (to - from));
    }
    pli_format(out, 8, "#%06lx", (unsigned long)sum);
}

void pli_svg_begin(pli_file* file, int width, int height, const char* title) {
    pli_file_text(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    pli_svg_open(file, width, height, title);
}

void pli_svg_open(pli_file* file, int width, int height, const char* title) {
    PLI_FILE_PRINT(file,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                   "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
                   "sans-serif\">\n<title>",
                   width, height, width, height);
    pli_file_xml(file, *title ? title : "Pliant");
    pli_file_text(file, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

void pli_svg_end(pli_file* file) { pli_file_text(file, "</svg>\n"); }

// Bytes of the first max_chars characters.
static size_t prefix_bytes(const char* text, int max_chars) {
    size_t bytes = 0;
    for (int i = 0; i < max_chars && text[bytes]; ++i) {
        int length = pli_utf8_length(text + bytes);
        bytes += length > 0 ? (size_t)length : 1;
    }
    return bytes;
}

void pli_svg_text(pli_file* file, pli_point at, pli_text_style style, const char* text) {
    PLI_FILE_PRINT(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" fill=\"%s\"%s%s%s%s>", at.x,
                   at.y, style.size, style.colour, style.bold ? " font-weight=\"600\"" : "",
                   strcmp(style.anchor, "start") == 0 ? "" : " text-anchor=\"",
                   strcmp(style.anchor, "start") == 0 ? "" : style.anchor,
                   strcmp(style.anchor, "start") == 0 ? "" : "\"");
    char cut[512];
    size_t all = strlen(text), bytes = prefix_bytes(text, style.max_chars);
    if (bytes == all && bytes < sizeof cut) {
        pli_file_xml(file, text);
    } else {
        bytes = prefix_bytes(text, pli_min_int(style.max_chars - 1, 120)); // 4 bytes each at most
        memcpy(cut, text, bytes);
        cut[bytes] = 0;
        pli_file_xml(file, cut);
        pli_file_text(file, "\u2026");
    }
    pli_file_text(file, "</text>\n");
}

double pli_svg_text_width(const char* text, int size, int max_chars) {
    int chars = 0;
    for (size_t i = 0; text[i] && chars < max_chars; ++chars) i += prefix_bytes(text + i, 1);
    return 0.6 * size * chars;
}

// Tenths of a pixel as a decimal number, as short as SVG allows; a separator if needed.
static void put_tenths(pli_pen* pen, int tenths, bool separate) {
    char text[16];
    int n = 0, size = tenths < 0 ? -tenths : tenths;
    if (tenths < 0)
        text[n++] = '-';
    else if (separate)
        text[n++] = ' ';
    int whole = size / 10, place = 1;
    while (place <= whole / 10) place *= 10;
    for (; place > 0 && (whole > 0 || size == 0); place /= 10)
        text[n++] = (char)('0' + whole / place % 10);
    if (size % 10) {
        text[n++] = '.';
        text[n++] = (char)('0' + size % 10);
    }
    pli_file_write(pen->file, text, (size_t)n);
}

static int quantize(double pixels) {
    const double far = 4000; // beyond every picture
    return (int)lround(10 * fmax(-far, fmin(pixels, far)));
}

pli_pen pli_pen_begin(pli_file* file, const char* attributes) {
    PLI_FILE_PRINT(file, "<path %s d=\"", attributes);
    return (pli_pen){.file = file};
}

void pli_pen_lift(pli_pen* pen) { pen->down = false; }

void pli_pen_to(pli_pen* pen, double x, double y) {
    if (!isfinite(x) || !isfinite(y)) return;
    int qx = quantize(x), qy = quantize(y);
    bool first = !pen->down;
    if (!first && qx == pen->x && qy == pen->y) return;
    pli_file_text(pen->file, first ? "M" : "l");
    put_tenths(pen, first ? qx : qx - pen->x, false);
    put_tenths(pen, first ? qy : qy - pen->y, true);
    pen->x = qx;
    pen->y = qy;
    pen->down = true;
}

void pli_pen_close(pli_pen* pen) {
    if (pen->down) pli_file_text(pen->file, "z");
    pen->down = false;
}

void pli_pen_dot(pli_pen* pen, double x, double y) {
    pli_pen_lift(pen);
    pli_pen_to(pen, x, y);
    if (pen->down) pli_file_text(pen->file, "h0");
    pli_pen_lift(pen);
}

void pli_pen_end(pli_pen* pen) { pli_file_text(pen->file, "\"/>\n"); }

pli_prefix pli_prefix_for(double largest) {
    static const char* const prefixes[] = {"p", "n", "\u00b5", "m", "", "k", "M", "G", "T"};
    if (!(largest > 0) || !isfinite(largest)) return (pli_prefix){1, ""};
    if (largest >= 0.1 && largest < 1000) return (pli_prefix){1, ""};
    int power = (int)floor(log10(largest) / 3 + 1e-9);
    power = pli_max_int(-4, pli_min_int(power, 4));
    return (pli_prefix){pow(10, -3 * power), prefixes[power + 4]};
}

// Steps are 1, 2 or 5 times a power of ten [Heckbert 1990, "Nice numbers for graph labels"].
pli_ticks pli_ticks_for(double low, double high, int wanted) {
    double rough = (high - low) / wanted;
    if (!(rough > 0) || !isfinite(rough)) return (pli_ticks){low, 1, 1, 0, 0};
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;
    double step = power * (lead < 1.5 ? 1 : lead < 3 ? 2 : lead < 7 ? 5 : 10);
    double slack = 1e-9 * (high - low);
    double first = ceil((low - slack) / step) * step;
    int count = (int)floor((high + slack - first) / step) + 1;
    int decimals = pli_max_int(0, (int)-floor(log10(step) + 1e-9));
    return (pli_ticks){first, step, pli_max_int(0, count), pli_min_int(decimals, 12), 0};
}

// The k-th number of the series: 10^k, or ..., 1, 2, 5, 10, ... with 1 at k = 0.
static double log_value(int per_decade, int k) {
    static const double lead[3] = {1, 2, 5};
    int decade = (int)floor((double)k / per_decade);
    return lead[k - decade * per_decade] * pow(10, decade);
}

pli_ticks pli_log_ticks_for(double low, double high, int wanted) {
    const double slack = 1e-9;
    double decades = log10(high) - log10(low);
    pli_ticks ticks = {.per_decade = decades < 2 ? 3 : 1};
    ticks.step = fmax(1, ceil(decades / (1.5 * wanted) - slack));
    int k = ticks.per_decade * (int)floor(log10(low));
    while (log_value(ticks.per_decade, k) < low * (1 - slack)) ++k;
    if (ticks.per_decade == 1) k = (int)(ceil(k / ticks.step) * ticks.step); // 0 is one of them
    ticks.first = k;
    for (; log_value(ticks.per_decade, k) <= high * (1 + slack); k += (int)ticks.step)
        ++ticks.count;
    return ticks.count < 2 ? pli_ticks_for(low, high, wanted) : ticks;
}

double pli_tick_value(const pli_ticks* ticks, int i) {
    double number = ticks->first + i * ticks->step;
    return ticks->per_decade > 0 ? log_value(ticks->per_decade, (int)number) : number;
}

// "0.05", "200"; far from 1 "5\u00b710\u207b\u2076".
static const char* log_tick_text(double value, char buffer[PLI_NUMBER_SIZE]) {
    static const char* const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    if (value > 0.9e-3 && value < 1.1e4) {
        pli_format(buffer, PLI_NUMBER_SIZE, "%.6g", value);
        return buffer;
    }
    int power = (int)floor(log10(value) + 1e-9), size = power < 0 ? -power : power;
    int lead = (int)lround(value / pow(10, power)), n = 0;
    if (lead != 1) n = pli_format(buffer, PLI_NUMBER_SIZE, "%d\u00b7", lead);
    n += pli_format(buffer + n, PLI_NUMBER_SIZE - (size_t)n, "10%s", power < 0 ? "\u207b" : "");
    for (int place = size >= 100 ? 100 : size >= 10 ? 10 : 1; place > 0; place /= 10)
        n += pli_format(buffer + n, PLI_NUMBER_SIZE - (size_t)n, "%s", digits[size / place % 10]);
    return buffer;
}

const char* pli_tick_text(const pli_ticks* ticks, int i, char buffer[PLI_NUMBER_SIZE]) {
    double value = pli_tick_value(ticks, i);
    if (ticks->per_decade > 0) return log_tick_text(value, buffer);
    if (fabs(value) < 1e-9 * ticks->step) value = 0; // no "-0"
    bool wide = fabs(value) >= 1e6 || ticks->decimals > 5;
    if (wide)
        pli_format(buffer, PLI_NUMBER_SIZE, "%.4g", value);
    else
        pli_format(buffer, PLI_NUMBER_SIZE, "%.*f", ticks->decimals, value);
    return buffer;
}
