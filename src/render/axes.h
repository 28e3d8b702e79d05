// Axes with round ticks, curves and their legend: shared by the plot under the film strip and the
// charts.
#ifndef PLI_RENDER_AXES_H
#define PLI_RENDER_AXES_H

#include "base/file.h"
#include "render/chart.h"
#include "render/svg.h"

typedef struct pli_axis {
    double low, high; // shown values, low < high; both > 0 if `log`
    bool log;
    double factor; // labels show values times this, for units with a prefix
    int wanted;    // approximate number of ticks
} pli_axis;

typedef struct pli_axes {
    pli_axis x, y;
    pli_point corner;     // upper left of the area with the curves [px]
    double width, height; // of that area [px]
} pli_axes;

// An empty range, and its extension by the values that the axis can show.
pli_axis pli_axis_empty(bool log, int wanted);
void pli_axis_include(pli_axis* axis, double value);
bool pli_axis_shows(const pli_axis* axis, double value); // below 1e290; above 1e-290 if `log`
// Adds `margin` of the range at both ends; an empty range or a single value becomes a proper range.
void pli_axis_finish(pli_axis* axis, double margin);

pli_ticks pli_axis_ticks(const pli_axis* axis);

// Width of the widest label at the vertical axis [px].
double pli_axes_label_width(const pli_axes* axes);
// Grid with labels at the left, ticks (grid lines if `columns`) with labels below, `x_label` and,
// above the upper left corner, `y_label`.
void pli_axes_draw(pli_file* file, const pli_axes* axes, bool columns, const char* x_label,
                   const char* y_label);

// Points x[i * stride], y[i * stride].
typedef struct pli_curve {
    const double *x, *y;
    int count, stride;
} pli_curve;
// A line through the points, interrupted at points that an axis cannot show. A point less than a
// pixel from the previous one is left out.
void pli_curve_draw(pli_file* file, const pli_axes* axes, const pli_curve* curve,
                    const char* style);
// A mark of one of several shapes at each point.
void pli_marks_draw(pli_file* file, const pli_axes* axes, const pli_curve* curve, int shape,
                    const char* colour);
void pli_mark_draw(pli_file* file, pli_point at, int shape, const char* colour); // a single one

// Solid colours first, then the same colours dashed.
enum { PLI_STYLE_SIZE = 200 };
const char* pli_curve_style(int i, char style[PLI_STYLE_SIZE]);
// Thin and dashed: a sum or a reference.
const char* pli_dashed_style(const char* colour, char style[PLI_STYLE_SIZE]);

// The legend: rows of a short line and a name, PLI_LEGEND_ROW apart.
enum { PLI_LEGEND_ROW = 21, PLI_LEGEND_LINE = 26 };
double pli_legend_width(const char* name); // [px]
void pli_legend_draw(pli_file* file, pli_point at, const char* style, const char* name);

// ---- charts inside other files

// The chart as an <svg> element.
pli_status pli_chart_embed(const pli_chart_def* def, pli_file* file, pli_error* error);

#endif
