// Axes with round ticks, curves over them and their legend.
#include "render/axes.h"

#include <math.h>

#define AXIS_STYLE "stroke=\"#8a94a0\""
#define GRID_STYLE "stroke=\"" PLI_FAINT "\""

enum { LABEL_SIZE = 12, LABEL_CHARS = 40, HEADING_CHARS = 90, LEGEND_CHARS = 30 };

// ---- ranges

pli_axis pli_axis_empty(bool log, int wanted) {
    return (pli_axis){
        .low = HUGE_VAL, .high = -HUGE_VAL, .log = log, .factor = 1, .wanted = wanted};
}

// Values beyond these limits could overflow in differences and margins.
bool pli_axis_shows(const pli_axis* axis, double value) {
    const double largest = 1e290;
    return fabs(value) < largest && (!axis->log || value > 1 / largest);
}

void pli_axis_include(pli_axis* axis, double value) {
    if (!pli_axis_shows(axis, value)) return;
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

// The scale on which positions are linear.
static double scaled(const pli_axis* axis, double value) {
    return axis->log ? log10(value) : value;
}
static double unscaled(const pli_axis* axis, double value) {
    return axis->log ? pow(10, value) : value;
}

void pli_axis_finish(pli_axis* axis, double margin) {
    if (axis->low > axis->high) axis->low = axis->high = axis->log ? 1 : 0;
    double low = scaled(axis, axis->low), high = scaled(axis, axis->high);
    double least = axis->log ? 0.3 : 1e-9 * fmax(fabs(low), fabs(high)); // less is one value
    double grow = high - low > least ? margin * (high - low) : axis->log ? 0.5 : fabs(low) / 2;
    if (!(grow > 0) && high - low <= least) grow = 1;
    axis->low = unscaled(axis, low - grow);
    axis->high = unscaled(axis, high + grow);
}

// 0 at the low end, 1 at the high end.
static double part(const pli_axis* axis, double value) {
    double low = scaled(axis, axis->low), high = scaled(axis, axis->high);
    return (scaled(axis, value) - low) / (high - low);
}

static pli_point place(const pli_axes* axes, double x, double y) {
    return (pli_point){axes->corner.x + part(&axes->x, x) * axes->width,
                       axes->corner.y + (1 - part(&axes->y, y)) * axes->height};
}

// ---- axes

pli_ticks pli_axis_ticks(const pli_axis* axis) {
    double low = axis->low * axis->factor, high = axis->high * axis->factor;
    return axis->log ? pli_log_ticks_for(low, high, axis->wanted)
                     : pli_ticks_for(low, high, axis->wanted);
}

double pli_axes_label_width(const pli_axes* axes) {
    pli_ticks ticks = pli_axis_ticks(&axes->y);
    double width = 0;
    for (int i = 0; i < ticks.count; ++i) {
        char text[PLI_NUMBER_SIZE];
        pli_tick_text(&ticks, i, text);
        width = fmax(width, pli_svg_text_width(text, LABEL_SIZE, LABEL_CHARS));
    }
    return width;
}

static void draw_line(pli_file* file, const char* style, pli_point a, pli_point b) {
    pli_pen pen = pli_pen_begin(file, style);
    pli_pen_to(&pen, a.x, a.y);
    pli_pen_to(&pen, b.x, b.y);
    pli_pen_end(&pen);
}

// Horizontal grid with values at the left; zero is darker.
static void draw_rows(pli_file* file, const pli_axes* axes) {
    pli_ticks ticks = pli_axis_ticks(&axes->y);
    double left = axes->corner.x, right = left + axes->width;
    pli_pen pen = pli_pen_begin(file, GRID_STYLE);
    for (int i = 0; i < ticks.count; ++i) {
        double y = place(axes, axes->x.low, pli_tick_value(&ticks, i) / axes->y.factor).y;
        pli_pen_to(&pen, left, y);
        pli_pen_to(&pen, right, y);
        pli_pen_lift(&pen);
    }
    pli_pen_end(&pen);
    for (int i = 0; i < ticks.count; ++i) {
        char text[PLI_NUMBER_SIZE];
        double y = place(axes, axes->x.low, pli_tick_value(&ticks, i) / axes->y.factor).y;
        pli_svg_text(file, (pli_point){left - 9, y + 4},
                     (pli_text_style){LABEL_SIZE, "end", PLI_GREY, false, LABEL_CHARS},
                     pli_tick_text(&ticks, i, text));
    }
    if (axes->y.log || axes->y.low > 0 || axes->y.high < 0) return;
    double zero = place(axes, axes->x.low, 0).y;
    draw_line(file, AXIS_STYLE, (pli_point){left, zero}, (pli_point){right, zero});
}

// Ticks or grid lines with values below the area, and the base line.
static void draw_columns(pli_file* file, const pli_axes* axes, bool grid) {
    pli_ticks ticks = pli_axis_ticks(&axes->x);
    double top = axes->corner.y, bottom = top + axes->height;
    for (int pass = grid ? 0 : 1; pass < 2; ++pass) {
        pli_pen pen = pli_pen_begin(file, pass ? AXIS_STYLE : GRID_STYLE);
        for (int i = 0; i < ticks.count; ++i) {
            double x = place(axes, pli_tick_value(&ticks, i) / axes->x.factor, axes->y.low).x;
            pli_pen_to(&pen, x, pass ? bottom : top);
            pli_pen_to(&pen, x, pass ? bottom + 5 : bottom);
            pli_pen_lift(&pen);
        }
        pli_pen_end(&pen);
    }
    draw_line(file, AXIS_STYLE, (pli_point){axes->corner.x, bottom},
              (pli_point){axes->corner.x + axes->width, bottom});
    for (int i = 0; i < ticks.count; ++i) {
        char text[PLI_NUMBER_SIZE];
        double x = place(axes, pli_tick_value(&ticks, i) / axes->x.factor, axes->y.low).x;
        pli_svg_text(file, (pli_point){x, bottom + 20},
                     (pli_text_style){LABEL_SIZE, "middle", PLI_GREY, false, LABEL_CHARS},
                     pli_tick_text(&ticks, i, text));
    }
}

void pli_axes_draw(pli_file* file, const pli_axes* axes, bool columns, const char* x_label,
                   const char* y_label) {
    draw_columns(file, axes, columns);
    draw_rows(file, axes);
    pli_point below = {axes->corner.x + axes->width / 2, axes->corner.y + axes->height + 40};
    pli_point above = {axes->corner.x - 9 - pli_axes_label_width(axes), axes->corner.y - 16};
    pli_svg_text(file, below, (pli_text_style){LABEL_SIZE, "middle", PLI_INK, false, HEADING_CHARS},
                 x_label);
    pli_svg_text(file, (pli_point){fmax(above.x, 4), above.y},
                 (pli_text_style){LABEL_SIZE + 1, "start", PLI_INK, true, HEADING_CHARS}, y_label);
}

// ---- curves

static bool shown(const pli_axes* axes, const pli_curve* curve, int i, pli_point* at) {
    size_t k = (size_t)i * (size_t)curve->stride;
    if (!pli_axis_shows(&axes->x, curve->x[k]) || !pli_axis_shows(&axes->y, curve->y[k]))
        return false;
    *at = place(axes, curve->x[k], curve->y[k]);
    return true;
}

void pli_curve_draw(pli_file* file, const pli_axes* axes, const pli_curve* curve,
                    const char* style) {
    const double near = 1; // [px]
    pli_pen pen = pli_pen_begin(file, style);
    pli_point at, last = {0, 0}, next;
    for (int i = 0; i < curve->count; ++i) {
        if (!shown(axes, curve, i, &at)) {
            pli_pen_lift(&pen);
            continue;
        }
        bool ends = i + 1 == curve->count || !shown(axes, curve, i + 1, &next);
        if (pen.down && !ends && hypot(at.x - last.x, at.y - last.y) < near) continue;
        pli_pen_to(&pen, at.x, at.y);
        last = at;
    }
    pli_pen_end(&pen);
}

// ---- marks

enum { ROUND, SHAPE_COUNT = 4, CORNER_COUNT = 4 };

static pli_pen begin_marks(pli_file* file, int shape, const char* colour) {
    char style[PLI_STYLE_SIZE];
    if (shape % SHAPE_COUNT == ROUND)
        pli_format(style, sizeof style, "stroke=\"%s\" stroke-width=\"7\" stroke-linecap=\"round\"",
                   colour);
    else
        pli_format(style, sizeof style, "fill=\"%s\"", colour);
    return pli_pen_begin(file, style);
}

static void add_mark(pli_pen* pen, pli_point at, int shape) {
    static const double corners[SHAPE_COUNT][CORNER_COUNT][2] = {
        [1] = {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}},       // square
        [2] = {{0, -4.4}, {4, 3}, {-4, 3}, {-4, 3}},      // triangle
        [3] = {{0, -4.6}, {4.6, 0}, {0, 4.6}, {-4.6, 0}}, // diamond
    };
    if (shape % SHAPE_COUNT == ROUND) {
        pli_pen_dot(pen, at.x, at.y);
        return;
    }
    for (int k = 0; k < CORNER_COUNT; ++k) {
        const double* corner = corners[shape % SHAPE_COUNT][k];
        pli_pen_to(pen, at.x + corner[0], at.y + corner[1]);
    }
    pli_pen_close(pen);
}

void pli_marks_draw(pli_file* file, const pli_axes* axes, const pli_curve* curve, int shape,
                    const char* colour) {
    pli_pen pen = begin_marks(file, shape, colour);
    pli_point at;
    for (int i = 0; i < curve->count; ++i)
        if (shown(axes, curve, i, &at)) add_mark(&pen, at, shape);
    pli_pen_end(&pen);
}

void pli_mark_draw(pli_file* file, pli_point at, int shape, const char* colour) {
    pli_pen pen = begin_marks(file, shape, colour);
    add_mark(&pen, at, shape);
    pli_pen_end(&pen);
}

// ---- styles and legend

static const char* line_style(const char* colour, const char* width, const char* dash,
                              char style[PLI_STYLE_SIZE]) {
    pli_format(style, PLI_STYLE_SIZE,
               "fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"%s",
               colour, width, dash);
    return style;
}

const char* pli_curve_style(int i, char style[PLI_STYLE_SIZE]) {
    static const char* const dashes[] = {"", " stroke-dasharray=\"7 3\"",
                                         " stroke-dasharray=\"2 3\""};
    return line_style(pli_colour_of(i)->line, "1.9", dashes[i / PLI_COLOUR_COUNT % 3], style);
}

const char* pli_dashed_style(const char* colour, char style[PLI_STYLE_SIZE]) {
    return line_style(colour, "1.6", " stroke-dasharray=\"6 4\"", style);
}

double pli_legend_width(const char* name) {
    return PLI_LEGEND_LINE + 8 + pli_svg_text_width(name, LABEL_SIZE + 1, LEGEND_CHARS);
}

void pli_legend_draw(pli_file* file, pli_point at, const char* style, const char* name) {
    draw_line(file, style, at, (pli_point){at.x + PLI_LEGEND_LINE, at.y});
    pli_svg_text(file, (pli_point){at.x + PLI_LEGEND_LINE + 8, at.y + 4.5},
                 (pli_text_style){LABEL_SIZE + 1, "start", PLI_INK, false, LEGEND_CHARS}, name);
}
