// The film strip: pictures of the run in one common frame, with the time under each.
#ifndef PLI_IO_STRIP_H
#define PLI_IO_STRIP_H

#include "io/outline.h"
#include "io/preview.h"
#include "io/svg.h"

typedef struct pli_strip {
    int count;                         // pictures shown
    int picks[PLI_PREVIEW_MAX_FRAMES]; // which of the stored ones
    pli_point low, high;               // what a picture shows, from the preview's origin [m]
    int columns, rows;
    double scale;                                 // [px/m]
    double picture_width, picture_height, height; // of one, of the whole strip [px]
} pli_strip;

// Chooses pictures, frame and arrangement for a strip of this width [px]. There must be a picture.
pli_strip pli_strip_layout(const pli_preview* preview, double width);

// Draws it with its upper left corner at `at`; times are shown in `unit`.
void pli_strip_write(pli_file* file, const pli_preview* preview, const pli_snapshot* snapshot,
                     const pli_outline* outline, const pli_strip* strip, pli_point at,
                     pli_prefix unit);

#endif
