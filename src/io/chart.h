// Charts inside other files.
#ifndef PLI_IO_CHART_H
#define PLI_IO_CHART_H

#include "io/file.h"
#include "pliant/chart.h"

// The chart as an <svg> element.
pli_status pli_chart_embed(const pli_chart_def* def, pli_file* file, pli_error* error);

#endif
