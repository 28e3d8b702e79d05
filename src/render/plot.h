// The plot under the film strip: every energy and their total over time.
#ifndef PLI_RENDER_PLOT_H
#define PLI_RENDER_PLOT_H

#include "render/axes.h"
#include "render/preview.h"

typedef struct pli_plot {
    pli_axis energy;            // of all curves, zero included [J]
    pli_axis time;              // [s]
    double end;                 // last time [s]
    double width;               // of the area with the curves [px]
    double area_height, height; // of that area, of all with labels [px]
    int curve_count;            // curves that are not zero throughout, the total included
} pli_plot;

pli_plot pli_plot_layout(const pli_preview* preview, const pli_snapshot* snapshot, double width);

// Draws it with its upper left corner at `at`; times are shown in `unit`.
void pli_plot_write(pli_file* file, const pli_preview* preview, const pli_snapshot* snapshot,
                    const pli_plot* plot, pli_point at, pli_prefix unit);

#endif
