// Small pieces of SVG that the film strip and the plot share.
#include "io/svg.h"

#include <math.h>
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
    if (size >= 10 || size == 0)
        n += pli_format(text + n, sizeof text - (size_t)n, "%d", size / 10);
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
    if (!(rough > 0) || !isfinite(rough)) return (pli_ticks){low, 1, 1, 0};
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;
    double step = power * (lead < 1.5 ? 1 : lead < 3 ? 2 : lead < 7 ? 5 : 10);
    double slack = 1e-9 * (high - low);
    double first = ceil((low - slack) / step) * step;
    int count = (int)floor((high + slack - first) / step) + 1;
    int decimals = pli_max_int(0, (int)-floor(log10(step) + 1e-9));
    return (pli_ticks){first, step, pli_max_int(0, count), pli_min_int(decimals, 12)};
}

const char* pli_tick_text(const pli_ticks* ticks, int i, char buffer[PLI_NUMBER_SIZE]) {
    double value = ticks->first + i * ticks->step;
    if (fabs(value) < 1e-9 * ticks->step) value = 0; // no "-0"
    bool wide = fabs(value) >= 1e6 || ticks->decimals > 5;
    if (wide)
        pli_format(buffer, PLI_NUMBER_SIZE, "%.4g", value);
    else
        pli_format(buffer, PLI_NUMBER_SIZE, "%.*f", ticks->decimals, value);
    return buffer;
}
