// The plot under the film strip: every energy and their total over time.
#include "render/strip.h"

#include <math.h>

enum {
    AXIS_WIDTH = 66, // [px], as the following
    AREA_HEIGHT = 150,
    HEADING = 28, // above the area
    FOOTER = 46,  // below the area: time labels and unit
};

// Curve i < energy_count is one part, curve energy_count their total.
static pli_curve curve_of(const pli_preview* preview, int curve) {
    if (preview->samples.count == 0) return (pli_curve){0};
    const double* first = pli_preview_sample(preview, 0);
    int stride = (int)(preview->samples.record_size / sizeof *first);
    return (pli_curve){first, first + 1 + curve, preview->samples.count, stride};
}

static double largest(const pli_curve* curve) {
    double most = 0;
    for (int i = 0; i < curve->count; ++i) {
        double value = fabs(curve->y[(size_t)i * (size_t)curve->stride]);
        if (isfinite(value)) most = fmax(most, value);
    }
    return most;
}

// Only energies that reach 1 % of the largest, and the total, are shown.
static bool is_shown(const pli_preview* preview, int curve) {
    const double least = 0.01;
    double most = 0;
    for (int i = 0; i <= preview->energy_count; ++i) {
        pli_curve other = curve_of(preview, i);
        most = fmax(most, largest(&other));
    }
    pli_curve own = curve_of(preview, curve);
    return largest(&own) > 0 && (curve == preview->energy_count || largest(&own) >= least * most);
}

static void include_curve(const pli_curve* curve, pli_axis* axis) {
    for (int i = 0; i < curve->count; ++i)
        pli_axis_include(axis, curve->y[(size_t)i * (size_t)curve->stride]);
}

static const char* curve_name(const pli_snapshot* s, int curve) {
    return curve < s->energy_count ? s->energy_names[curve] : "total";
}

static void choose_energies(const pli_preview* preview, const pli_snapshot* snapshot,
                            pli_plot* plot, double* legend) {
    const double margin = 0.05;
    pli_axis axis = pli_axis_empty(false, 5);
    pli_axis_include(&axis, 0);
    for (int i = 0; i <= preview->energy_count; ++i) {
        pli_curve curve = curve_of(preview, i);
        include_curve(&curve, &axis);
        if (!is_shown(preview, i)) continue;
        plot->curve_count++;
        *legend = fmax(*legend, pli_legend_width(curve_name(snapshot, i)));
    }
    if (plot->curve_count == 0) axis.high = 1;
    double room = margin * (axis.high - axis.low); // none below (above) zero if there are no values
    if (axis.high > 0) axis.high += room;
    if (axis.low < 0) axis.low -= room;
    plot->energy = axis;
}

pli_plot pli_plot_layout(const pli_preview* preview, const pli_snapshot* snapshot, double width) {
    pli_plot plot = {.time = pli_axis_empty(false, 8)};
    double legend = 0;
    choose_energies(preview, snapshot, &plot, &legend);
    pli_axis_include(&plot.time, pli_preview_frame_at(preview, 0)->time);
    pli_axis_include(&plot.time, pli_preview_frame_at(preview, preview->pictures.count - 1)->time);
    pli_curve curve = curve_of(preview, 0);
    for (int i = 0; i < curve.count; ++i)
        pli_axis_include(&plot.time, curve.x[(size_t)i * (size_t)curve.stride]);
    plot.end = plot.time.high;
    if (!(plot.time.high > plot.time.low)) plot.time.high = plot.time.low + 1;
    plot.width = width - AXIS_WIDTH - legend - 20;
    plot.area_height = fmax(AREA_HEIGHT, PLI_LEGEND_ROW * plot.curve_count);
    plot.height = HEADING + plot.area_height + FOOTER;
    return plot;
}

// The total is black and dashed, so that a part equal to it stays visible.
static void draw_curves(pli_file* file, const pli_axes* axes, const pli_preview* preview,
                        const pli_snapshot* s) {
    pli_point legend = {axes->corner.x + axes->width + 20, axes->corner.y + 10};
    for (int i = 0; i <= preview->energy_count; ++i) {
        pli_curve curve = curve_of(preview, i);
        char style[PLI_STYLE_SIZE];
        if (!is_shown(preview, i)) continue;
        if (i < preview->energy_count)
            pli_curve_style(i, style);
        else
            pli_dashed_style(PLI_INK, style);
        pli_curve_draw(file, axes, &curve, style);
        pli_legend_draw(file, legend, style, curve_name(s, i));
        legend.y += PLI_LEGEND_ROW;
    }
}

void pli_plot_write(pli_file* file, const pli_preview* preview, const pli_snapshot* snapshot,
                    const pli_plot* plot, pli_point at, pli_prefix unit) {
    pli_axes axes = {.x = plot->time,
                     .y = plot->energy,
                     .corner = {at.x + AXIS_WIDTH, at.y + HEADING},
                     .width = plot->width,
                     .height = plot->area_height};
    pli_prefix energy_unit = pli_prefix_for(fmax(plot->energy.high, -plot->energy.low));
    axes.x.factor = unit.factor;
    axes.y.factor = energy_unit.factor;
    char x_label[40], y_label[40];
    pli_format(x_label, sizeof x_label, "Time [%ss]", unit.text);
    pli_format(y_label, sizeof y_label, "Energy [%sJ]", energy_unit.text);
    pli_axes_draw(file, &axes, false, x_label, y_label);
    draw_curves(file, &axes, preview, snapshot);
}
