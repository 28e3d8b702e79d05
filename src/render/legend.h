// The legend: colours and names of bodies.
#ifndef PLI_RENDER_LEGEND_H
#define PLI_RENDER_LEGEND_H

#include "render/canvas.h"

// One row of coloured squares with names, from `at` to `right`; "+ n more" when it is full. Bodies
// "stone 1", "stone 2", ... are one entry "stone" with the colours of all; obstacles are one entry
// at the end, by their name if they have a common one. Letters of `size` [px].
void pli_legend_write(pli_file* file, const pli_snapshot* snapshot, pli_point at, double right,
                      int size);

#endif
