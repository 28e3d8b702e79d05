// Charts: title, axes, curves with marks, legend. The area uses the room left by labels and legend.

#include "render/axes.h"

#include <math.h>

enum {
    MARGIN = 16, // [px], as the following
    TITLE_SIZE = 16,
    TITLE_HEIGHT = 26,
    HEADING = 30, // with the label of the vertical axis
    FOOTER = 52,  // with values and label of the horizontal axis
    BESIDE = 16,  // between area and legend
    PIXELS_PER_COLUMN = 75,
    PIXELS_PER_ROW = 50,
};

pli_chart_def pli_default_chart_def(void) { return (pli_chart_def){.width = 640, .height = 420}; }

static const char* text_of(const char* text) { return text ? text : ""; }

static pli_status check(const pli_chart_def* def, pli_error* error) {
    if (def->width < 200 || def->width > 4000 || def->height < 200 || def->height > 4000)
        return pli_fail(error, PLI_E_ARGUMENT, "chart: %d x %d pixels, must be 200 to 4000 each",
                        def->width, def->height);
    if (def->series_count < 0 || (def->series_count > 0 && !def->series))
        return pli_fail(error, PLI_E_ARGUMENT, "chart: series_count = %d, but series is NULL",
                        def->series_count);
    for (int i = 0; i < def->series_count; ++i) {
        const pli_series* s = &def->series[i];
        if (s->count < 0 || (s->count > 0 && (!s->x || !s->y)))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "chart: series %d has count = %d, but x or y is NULL", i, s->count);
    }
    return PLI_OK;
}

static void choose_ranges(const pli_chart_def* def, pli_axes* axes) {
    const double margin = 0.05;
    bool marks = false;
    axes->x = pli_axis_empty(def->log_x, 0);
    axes->y = pli_axis_empty(def->log_y, 0);
    for (int i = 0; i < def->series_count; ++i) {
        const pli_series* s = &def->series[i];
        for (int k = 0; k < s->count; ++k) {
            if (!pli_axis_shows(&axes->x, s->x[k]) || !pli_axis_shows(&axes->y, s->y[k])) continue;
            pli_axis_include(&axes->x, s->x[k]);
            pli_axis_include(&axes->y, s->y[k]);
        }
        marks |= s->marks && s->count > 0;
    }
    pli_axis_finish(&axes->x, marks ? margin : 0);
    pli_axis_finish(&axes->y, margin);
}

static pli_axes layout(const pli_chart_def* def) {
    pli_axes axes = {.corner = {0, MARGIN + (*text_of(def->title) ? TITLE_HEIGHT : 0) +
                                       (*text_of(def->y_label) ? HEADING : 0)}};
    double legend = 0;
    for (int i = 0; i < def->series_count; ++i)
        if (*text_of(def->series[i].name))
            legend = fmax(legend, BESIDE + pli_legend_width(def->series[i].name));
    choose_ranges(def, &axes);
    axes.height = fmax(def->height - axes.corner.y - FOOTER, 40);
    axes.y.wanted = pli_max_int(3, (int)axes.height / PIXELS_PER_ROW);
    axes.corner.x = MARGIN + 9 + pli_axes_label_width(&axes);
    axes.width = fmax(def->width - axes.corner.x - MARGIN - legend, 40);
    axes.x.wanted = pli_max_int(2, (int)axes.width / PIXELS_PER_COLUMN);
    return axes;
}

// Only results advance colours and marks; references are drawn first, so that results lie above
// them.
static void draw_series(pli_file* file, const pli_chart_def* def, const pli_axes* axes,
                        bool dashed) {
    pli_point legend = {axes->corner.x + axes->width + BESIDE, axes->corner.y + 8};
    for (int i = 0, result = 0; i < def->series_count; ++i) {
        const pli_series* s = &def->series[i];
        pli_point at = legend;
        int colour = result;
        if (*text_of(s->name)) legend.y += PLI_LEGEND_ROW;
        result += !s->dashed;
        if (s->dashed != dashed) continue;
        char style[PLI_STYLE_SIZE];
        if (dashed)
            pli_dashed_style(PLI_GREY, style);
        else
            pli_curve_style(colour, style);
        const char* fill = dashed ? PLI_GREY : pli_colour_of(colour)->line;
        pli_curve curve = {s->x, s->y, s->count, 1};
        pli_curve_draw(file, axes, &curve, style);
        if (s->marks) pli_marks_draw(file, axes, &curve, colour, fill);
        if (*text_of(s->name)) pli_legend_draw(file, at, style, s->name);
        if (s->marks && *text_of(s->name))
            pli_mark_draw(file, (pli_point){at.x + 0.5 * PLI_LEGEND_LINE, at.y}, colour, fill);
    }
}

static void draw(pli_file* file, const pli_chart_def* def) {
    pli_axes axes = layout(def);
    const char* title = text_of(def->title);
    if (*title)
        pli_svg_text(file, (pli_point){MARGIN, MARGIN + TITLE_SIZE - 2},
                     (pli_text_style){TITLE_SIZE, "start", PLI_INK, true, def->width / 10}, title);
    pli_axes_draw(file, &axes, true, text_of(def->x_label), text_of(def->y_label));
    draw_series(file, def, &axes, true);
    draw_series(file, def, &axes, false);
    pli_svg_end(file);
}

pli_status pli_chart_write(const pli_chart_def* def, const char* path, pli_error* error) {
    if (!def || !path || !*path)
        return pli_fail(error, PLI_E_ARGUMENT, "chart: def or path is NULL or empty");
    PLI_TRY(check(def, error));
    pli_file file;
    PLI_TRY(pli_file_create(&file, "", path, error));
    pli_svg_begin(&file, def->width, def->height, text_of(def->title));
    draw(&file, def);
    return pli_file_commit(&file, error);
}

pli_status pli_chart_embed(const pli_chart_def* def, pli_file* file, pli_error* error) {
    PLI_TRY(check(def, error));
    pli_svg_open(file, def->width, def->height, text_of(def->title));
    draw(file, def);
    return PLI_OK;
}
