// Charts inside other files.
#ifndef PLI_RENDER_CHART_H
#define PLI_RENDER_CHART_H

#include "base/file.h"
#include "pliant/chart.h"

// The chart as an <svg> element.
pli_status pli_chart_embed(const pli_chart_def* def, pli_file* file, pli_error* error);

#endif
