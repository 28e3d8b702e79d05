// The plot under the film strip: every energy and their total over time.
#include "io/plot.h"

#include <math.h>

enum {
    AXIS_WIDTH = 66, // [px], as the following
    AREA_HEIGHT = 250,
    HEADING = 28, // above the area
    FOOTER = 46,  // below the area: time labels and unit
    LEGEND_ROW = 21,
    LEGEND_LINE = 26,
    LEGEND_CHARS = 26,
    LABEL_SIZE = 12,
};

// Curve i < energy_count is one part, curve energy_count their total.
static double curve_value(const pli_preview* preview, int sample, int curve) {
    return pli_preview_sample(preview, sample)[1 + curve];
}

// Smallest and largest finite value; false if there is nothing but zero.
static bool curve_range(const pli_preview* preview, int curve, double* low, double* high) {
    *low = *high = 0;
    for (int i = 0; i < preview->samples.count; ++i) {
        double value = curve_value(preview, i, curve);
        if (!isfinite(value)) continue;
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
    return *low < 0 || *high > 0;
}

static const char* curve_name(const pli_snapshot* s, int curve) {
    return curve < s->energy_count ? s->energy_names[curve] : "total";
}

pli_plot pli_plot_layout(const pli_preview* preview, const pli_snapshot* snapshot, double width) {
    pli_plot plot = {0};
    double legend = 0;
    for (int i = 0; i <= preview->energy_count; ++i) {
        double low, high;
        if (!curve_range(preview, i, &low, &high)) continue;
        plot.low = fmin(plot.low, low);
        plot.high = fmax(plot.high, high);
        plot.curve_count++;
        double name = pli_svg_text_width(curve_name(snapshot, i), LABEL_SIZE + 1, LEGEND_CHARS);
        legend = fmax(legend, LEGEND_LINE + 8 + name);
    }
    if (plot.curve_count == 0) plot.high = 1;
    double margin = 0.05 * (plot.high - plot.low);
    if (plot.high > 0) plot.high += margin;
    if (plot.low < 0) plot.low -= margin;
    plot.start = pli_preview_picture(preview, 0)->time;
    plot.end = pli_preview_picture(preview, preview->pictures.count - 1)->time;
    if (preview->samples.count > 0) {
        plot.start = fmin(plot.start, pli_preview_sample(preview, 0)[0]);
        plot.end = fmax(plot.end, pli_preview_sample(preview, preview->samples.count - 1)[0]);
    }
    plot.width = width - AXIS_WIDTH - legend - 20;
    plot.area_height = fmax(AREA_HEIGHT, LEGEND_ROW * plot.curve_count);
    plot.height = HEADING + plot.area_height + FOOTER;
    return plot;
}

// The plot being drawn: its area's upper left corner, and the scales.
typedef struct canvas {
    pli_file* file;
    const pli_plot* plot;
    pli_point corner;
    double x_scale, y_scale; // [px/s], [px/J]
} canvas;

static double place_x(const canvas* c, double time) {
    return c->corner.x + (time - c->plot->start) * c->x_scale;
}
static double place_y(const canvas* c, double energy) {
    return c->corner.y + (c->plot->high - energy) * c->y_scale;
}

static void draw_line(const canvas* c, const char* style, pli_point a, pli_point b) {
    pli_pen pen = pli_pen_begin(c->file, style);
    pli_pen_to(&pen, a.x, a.y);
    pli_pen_to(&pen, b.x, b.y);
    pli_pen_end(&pen);
}

// Horizontal grid with energies at the left.
static void draw_energy_axis(const canvas* c, pli_prefix unit) {
    const pli_plot* plot = c->plot;
    pli_ticks ticks = pli_ticks_for(plot->low * unit.factor, plot->high * unit.factor, 5);
    double right = c->corner.x + plot->width;
    for (int i = 0; i < ticks.count; ++i) {
        char text[PLI_NUMBER_SIZE];
        double y = place_y(c, (ticks.first + i * ticks.step) / unit.factor);
        draw_line(c, "stroke=\"" PLI_FAINT "\"", (pli_point){c->corner.x, y},
                  (pli_point){right, y});
        pli_svg_text(c->file, (pli_point){c->corner.x - 9, y + 4},
                     (pli_text_style){LABEL_SIZE, "end", PLI_GREY, false, 40},
                     pli_tick_text(&ticks, i, text));
    }
    double zero = place_y(c, 0);
    draw_line(c, "stroke=\"#8a94a0\"", (pli_point){c->corner.x, zero}, (pli_point){right, zero});
}

// Ticks with times below the area.
static void draw_time_axis(const canvas* c, pli_prefix unit) {
    const pli_plot* plot = c->plot;
    double bottom = c->corner.y + plot->area_height;
    pli_ticks ticks = pli_ticks_for(plot->start * unit.factor, plot->end * unit.factor, 8);
    for (int i = 0; i < ticks.count; ++i) {
        char text[PLI_NUMBER_SIZE];
        double x = place_x(c, (ticks.first + i * ticks.step) / unit.factor);
        draw_line(c, "stroke=\"#8a94a0\"", (pli_point){x, bottom}, (pli_point){x, bottom + 5});
        pli_svg_text(c->file, (pli_point){x, bottom + 20},
                     (pli_text_style){LABEL_SIZE, "middle", PLI_GREY, false, 40},
                     pli_tick_text(&ticks, i, text));
    }
    draw_line(c, "stroke=\"#8a94a0\"", (pli_point){c->corner.x, bottom},
              (pli_point){c->corner.x + plot->width, bottom});
    char text[40];
    pli_format(text, sizeof text, "Time [%ss]", unit.text);
    pli_svg_text(c->file, (pli_point){c->corner.x + plot->width / 2, bottom + 40},
                 (pli_text_style){LABEL_SIZE, "middle", PLI_INK, false, 40}, text);
}

// The total is black and dashed, so that a part which equals it stays visible. After the colours
// are used up they come again with dashes.
static void curve_style(const pli_preview* preview, int curve, char* style, size_t size) {
    static const char* const dashes[] = {"", " stroke-dasharray=\"7 3\"",
                                         " stroke-dasharray=\"2 3\""};
    bool total = curve == preview->energy_count;
    const char* dash = dashes[curve / PLI_COLOUR_COUNT % 3];
    pli_format(style, size,
               "fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"%s",
               total ? PLI_INK : pli_colour_of(curve)->line, total ? "1.6" : "1.9",
               total ? " stroke-dasharray=\"6 4\"" : dash);
}

// Values that are not finite leave a gap.
static void draw_curve(const canvas* c, const pli_preview* preview, int curve, const char* style) {
    pli_pen pen = pli_pen_begin(c->file, style);
    for (int i = 0; i < preview->samples.count; ++i) {
        double value = curve_value(preview, i, curve);
        if (isfinite(value))
            pli_pen_to(&pen, place_x(c, pli_preview_sample(preview, i)[0]), place_y(c, value));
        else
            pli_pen_lift(&pen);
    }
    pli_pen_end(&pen);
}

static void draw_curves(const canvas* c, const pli_preview* preview, const pli_snapshot* s) {
    double x = c->corner.x + c->plot->width + 20, y = c->corner.y + 10;
    for (int i = 0; i <= preview->energy_count; ++i) {
        double low, high;
        char style[200];
        if (!curve_range(preview, i, &low, &high)) continue;
        curve_style(preview, i, style, sizeof style);
        draw_curve(c, preview, i, style);
        draw_line(c, style, (pli_point){x, y}, (pli_point){x + LEGEND_LINE, y});
        pli_svg_text(c->file, (pli_point){x + LEGEND_LINE + 8, y + 4.5},
                     (pli_text_style){LABEL_SIZE + 1, "start", PLI_INK, false, LEGEND_CHARS},
                     curve_name(s, i));
        y += LEGEND_ROW;
    }
}

void pli_plot_write(pli_file* file, const pli_preview* preview, const pli_snapshot* snapshot,
                    const pli_plot* plot, pli_point at, pli_prefix unit) {
    double duration = plot->end > plot->start ? plot->end - plot->start : 1;
    canvas c = {file,
                plot,
                {at.x + AXIS_WIDTH, at.y + HEADING},
                plot->width / duration,
                plot->area_height / (plot->high - plot->low)};
    pli_prefix energy_unit = pli_prefix_for(fmax(plot->high, -plot->low));
    char text[40];
    pli_format(text, sizeof text, "Energy [%sJ]", energy_unit.text);
    pli_svg_text(file, (pli_point){at.x, at.y + 12},
                 (pli_text_style){LABEL_SIZE + 1, "start", PLI_INK, true, 40}, text);
    draw_energy_axis(&c, energy_unit);
    draw_time_axis(&c, unit);
    draw_curves(&c, preview, snapshot);
}
