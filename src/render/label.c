// A built-in stroke font. A letter is a few polylines on a grid: columns a to e, rows 0 to 9,
// baseline at row 2, small letters up to row 6, capitals up to row 8; a single point is a dot. The
// coverage of a pixel follows from the distance of its centre to the nearest stroke, so text is
// smooth at any size.
#include "render/raster.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { FIRST = ' ', LAST = '~', COLUMNS = 5, LINE = 2, CAPITAL = 6 };

static const char* const letters[LAST - FIRST + 1] = {
    "",                                 // space
    "a8a4 a2",                          // !
    "a8a6 c8c6",                        // "
    "b2b8 d2d8 a4e4 a6e6",              // #
    "e7d8b8a7a6b5d5e4e3d2b2a3 c9c1",    // $
    "a2e8 a8b8b7a7a8 d3e3e2d2d3",       // %
    "e2a6a7b8c8d7d6a4a3b2c2e4",         // &
    "a8a6",                             // '
    "b9a7a3b1",                         // (
    "a9b7b3a1",                         // )
    "b7b3 a6c4 c6a4",                   // *
    "c3c7 a5e5",                        // +
    "b3b2a1",                           // ,
    "a5d5",                             // -
    "a2",                               // .
    "a1d9",                             // /
    "b2d2e3e7d8b8a7a3b2",               // 0
    "b7c8c2 b2d2",                      // 1
    "a7b8d8e7e6a2e2",                   // 2
    "a7b8d8e7e6d5e4e3d2b2a3 c5d5",      // 3
    "d2d8a4e4",                         // 4
    "e8a8a5b6d6e5e3d2b2a3",             // 5
    "e7d8b8a7a3b2d2e3e4d5b5a4",         // 6
    "a8e8c2",                           // 7
    "b5a6a7b8d8e7e6d5b5a4a3b2d2e3e4d5", // 8
    "a3b2d2e3e7d8b8a7a6b5d5e6",         // 9
    "a6 a3",                            // :
    "b6 b3b2a1",                        // ;
    "d7a5d3",                           // <
    "a6d6 a4d4",                        // =
    "a7d5a3",                           // >
    "a7b8d8e7e6c5c4 c2",                // ?
    "e3d2b2a3a7b8d8e7e5d4c4b5c6e6",     // @
    "a2c8e2 b4d4",                      // A
    "a2a8d8e7e6d5a5 d5e4e3d2a2",        // B
    "e7d8b8a7a3b2d2e3",                 // C
    "a2a8c8e6e4c2a2",                   // D
    "e8a8a2e2 a5d5",                    // E
    "e8a8a2 a5d5",                      // F
    "e7d8b8a7a3b2d2e3e5c5",             // G
    "a2a8 e2e8 a5e5",                   // H
    "a2a8",                             // I
    "d8d3c2b2a3",                       // J
    "a2a8 e8a4 b5e2",                   // K
    "a8a2d2",                           // L
    "a2a8c5e8e2",                       // M
    "a2a8e2e8",                         // N
    "b2d2e3e7d8b8a7a3b2",               // O
    "a2a8d8e7e6d5a5",                   // P
    "b2d2e3e7d8b8a7a3b2 c4e2",          // Q
    "a2a8d8e7e6d5a5 c5e2",              // R
    "e7d8b8a7a6b5d5e4e3d2b2a3",         // S
    "a8e8 c8c2",                        // T
    "a8a3b2d2e3e8",                     // U
    "a8c2e8",                           // V
    "a8b2c6d2e8",                       // W
    "a2e8 a8e2",                        // X
    "a8c5e8 c5c2",                      // Y
    "a8e8a2e2",                         // Z
    "b9a9a1b1",                         // [
    "a9d1",                             // backslash
    "a9b9b1a1",                         // ]
    "a6b8c6",                           // ^
    "a1e1",                             // _
    "a8b7",                             // `
    "a5b6c6d5d2 d4b4a3b2c2d3",          // a
    "a8a2 a5b6c6d5d3c2b2a3",            // b
    "d5c6b6a5a3b2c2d3",                 // c
    "d8d2 d5c6b6a5a3b2c2d3",            // d
    "a4d4d5c6b6a5a3b2c2d3",             // e
    "c8b7b2 a6c6",                      // f
    "d6d1c0b0a1 d5c6b6a5a3b2c2d3",      // g
    "a8a2 a5b6c6d5d2",                  // h
    "a6a2 a8",                          // i
    "b6b1a0 b8",                        // j
    "a8a2 d6a3 b4d2",                   // k
    "a8a3b2",                           // l
    "a6a2 a5b6c5c2 c5d6e5e2",           // m
    "a6a2 a5b6c6d5d2",                  // n
    "b2c2d3d5c6b6a5a3b2",               // o
    "a6a0 a5b6c6d5d3c2b2a3",            // p
    "d6d0 d5c6b6a5a3b2c2d3",            // q
    "a6a2 a5b6c6",                      // r
    "d6b6a5b4c4d3c2a2",                 // s
    "b8b3c2 a6c6",                      // t
    "a6a3b2c2d3 d6d2",                  // u
    "a6c2e6",                           // v
    "a6b2c5d2e6",                       // w
    "a2d6 a6d2",                        // x
    "a6c2 e6c2b0",                      // y
    "a6d6a2d2",                         // z
    "c9b8b6a5b4b2c1",                   // {
    "a9a1",                             // |
    "a9b8b6c5b4b2a1",                   // }
    "a5b6d4e5",                         // ~
};
static const char unknown[] = "a2a6c6c2a2";

typedef struct glyph {
    const char* strokes;
    double advance; // columns to the next one
} glyph;

// The next character: continuation bytes of UTF-8 are skipped. Digits are equally wide, so that
// changing numbers do not move.
static glyph next_glyph(const char** text) {
    const double gap = 1.9, space = 2.6;
    unsigned char c = (unsigned char)*(*text)++;
    while (c >= 0x80 && ((unsigned char)**text & 0xC0u) == 0x80) ++*text;
    glyph g = {c >= FIRST && c <= LAST ? letters[c - FIRST] : unknown, space};
    int last = c >= '0' && c <= '9' ? COLUMNS - 1 : 0;
    for (const char* p = g.strokes; *p; ++p)
        if (*p >= 'a' && *p - 'a' > last) last = *p - 'a';
    if (c != ' ') g.advance = last + gap;
    return g;
}

double pli_label_width(const pli_label* label, const char* text) {
    double columns = 0;
    while (*text) columns += next_glyph(&text).advance;
    return columns * label->size / CAPITAL;
}

// Distance of (x, y) to the segment from a to b.
static double distance_to(const double a[2], const double b[2], double x, double y) {
    double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

// The position of a letter.
typedef struct stand {
    double x, y, unit; // [px]
} stand;

// Distance to the nearest stroke [px].
static double distance_to_strokes(const char* strokes, const stand* at, double x, double y) {
    double best = HUGE_VAL, last[2] = {0};
    bool goes_on = false;
    for (const char* p = strokes; *p; goes_on = *p != ' ', p += *p == ' ' ? 1 : 2) {
        if (*p == ' ') continue;
        double point[2] = {at->x + (*p - 'a') * at->unit, at->y - (p[1] - '0' - LINE) * at->unit};
        best = fmin(best, distance_to(goes_on ? last : point, point, x, y));
        memcpy(last, point, sizeof last);
    }
    return best;
}

static void blend(unsigned char* pixel, const float colour[3], double part) {
    for (int k = 0; k < 3; ++k)
        pixel[k] = (unsigned char)lrint(pixel[k] + part * ((double)colour[k] - pixel[k]));
}

// `radius` of the pen [px].
static void draw_glyph(const char* strokes, const stand* at, double radius, const float colour[3],
                       const pli_image* image) {
    double reach = radius + 1;
    int left = (int)floor(fmax(at->x - reach, 0));
    int right = (int)ceil(fmin(at->x + COLUMNS * at->unit + reach, image->width));
    int top = (int)floor(fmax(at->y - (CAPITAL + 1) * at->unit - reach, 0));
    int bottom = (int)ceil(fmin(at->y + LINE * at->unit + reach, image->height));
    for (int j = top; j < bottom; ++j)
        for (int i = left; i < right; ++i) {
            double part = radius + 0.5 - distance_to_strokes(strokes, at, i + 0.5, j + 0.5);
            if (part <= 0) continue;
            blend(image->rgb + 3 * ((size_t)j * (size_t)image->width + (size_t)i), colour,
                  fmin(part, 1));
        }
}

void pli_label_draw(const pli_label* label, const pli_image* image, double x, double y,
                    const char* text) {
    const double pen = 0.09, around = 0.16; // half of the widths, in sizes
    double inner = fmax(0.5, pen * label->size);
    if (!isfinite(x + y) || fabs(x) > 1e6 || fabs(y) > 1e6) return;
    for (int halo = 1; halo >= 0; --halo) {
        stand at = {x, y, label->size / CAPITAL};
        for (const char* p = text; *p;) {
            glyph g = next_glyph(&p);
            draw_glyph(g.strokes, &at, inner + (halo ? around * label->size : 0),
                       halo ? label->halo : label->ink, image);
            at.x += g.advance * at.unit;
        }
    }
}
