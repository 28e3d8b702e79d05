// Small pieces of SVG shared by all pictures: page, colours, text, compact paths, ticks.
#ifndef PLI_RENDER_SVG_H
#define PLI_RENDER_SVG_H

#include "base/file.h"

// Lengths in pictures are in pixels, y downward.
typedef struct pli_point {
    double x, y;
} pli_point;

// Colours for readers with red-green colour blindness [Okabe and Ito 2008].
typedef struct pli_colour {
    const char* line; // readable as a thin line on white
    const char* fill; // light partner for areas
    const char* edge; // dark partner for edges of areas
} pli_colour;
enum { PLI_COLOUR_COUNT = 7 };
const pli_colour* pli_colour_of(int i);   // repeats after PLI_COLOUR_COUNT
const pli_colour* pli_colour_plain(void); // the grey of rigid bodies
// "#rrggbb" interpolated between two of them.
void pli_colour_mix(const char* dark, const char* light, double t, char out[8]);

#define PLI_INK "#1f2933"   // titles, axes
#define PLI_GREY "#5f6b7a"  // labels
#define PLI_FAINT "#dfe3e8" // frames, grid

// Opens a white page with a title for assistive technology; "</svg>" closes it.
void pli_svg_begin(pli_file* file, int width, int height, const char* title);
// The same inside another file.
void pli_svg_open(pli_file* file, int width, int height, const char* title);
void pli_svg_end(pli_file* file);

// Text of at most `max_chars` characters (then an ellipsis), anchored "start", "middle" or "end".
typedef struct pli_text_style {
    int size; // [px]
    const char *anchor, *colour;
    bool bold;
    int max_chars;
} pli_text_style;
void pli_svg_text(pli_file* file, pli_point at, pli_text_style style, const char* text);
// Upper bound of the width of `text`, cut to max_chars, in common sans-serif fonts [px].
double pli_svg_text_width(const char* text, int size, int max_chars);

// A path in steps of 1/10 pixel, relative from point to point. Points that are not finite are
// skipped; points far outside are clamped, so that every number stays short.
typedef struct pli_pen {
    pli_file* file;
    int x, y;  // position of the pen, in 1/10 px
    bool down; // a sub-path has begun
} pli_pen;
// Opens <path ATTRIBUTES d="...
pli_pen pli_pen_begin(pli_file* file, const char* attributes);
void pli_pen_lift(pli_pen* pen); // the next point starts a new sub-path
void pli_pen_to(pli_pen* pen, double x, double y);
void pli_pen_close(pli_pen* pen);                   // back to the start of the sub-path, and lifts
void pli_pen_dot(pli_pen* pen, double x, double y); // needs round line caps
void pli_pen_end(pli_pen* pen);

// The power of 1000 for which `largest` is readable: values times factor, prefix before the unit.
typedef struct pli_prefix {
    double factor;
    const char* text; // "m", "k", ...
} pli_prefix;
pli_prefix pli_prefix_for(double largest);

// Round tick values within [low, high], `count` of them.
typedef struct pli_ticks {
    double first, step; // values, or on a logarithmic axis numbers of the series below
    int count, decimals;
    int per_decade; // 0: first, first + step, ...; 1: powers of ten; 3: ..., 1, 2, 5, 10, ...
} pli_ticks;
pli_ticks pli_ticks_for(double low, double high, int wanted);
// Powers of ten; if fewer than two decades are shown, 1, 2, 5, 10; if that is too coarse, as above.
pli_ticks pli_log_ticks_for(double low, double high, int wanted);
double pli_tick_value(const pli_ticks* ticks, int i);
// The i-th tick as text.
const char* pli_tick_text(const pli_ticks* ticks, int i, char buffer[PLI_NUMBER_SIZE]);

#endif
