// Charts: curves over common axes, written as one SVG file.
#ifndef PLI_RENDER_CHART_H
#define PLI_RENDER_CHART_H

#include "base/base.h"

typedef struct pli_series {
    const char* name;    // in the legend; NULL or "": not listed
    int count;           // points
    const double *x, *y; // points that are not finite, or not positive on a logarithmic axis, are
                         // left out, and the line is broken there
    bool marks;          // a mark at each point
    bool dashed;         // a reference rather than a result: thin, grey, below the others
} pli_series;

typedef struct pli_chart_def {
    const char* title;             // NULL: none; likewise the labels
    const char *x_label, *y_label; // with units: "time step [s]"
    bool log_x, log_y;
    const pli_series* series;
    int series_count;
    int width, height; // [px], 200 to 4000
} pli_chart_def;

pli_chart_def pli_default_chart_def(void); // 640 x 420, linear axes

// Written under a temporary name and renamed when complete. The same def gives the same bytes.
pli_status pli_chart_write(const pli_chart_def* def, const char* path, pli_error* error);

#endif
