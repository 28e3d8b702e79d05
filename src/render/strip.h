// The film strip: pictures of the run with one common range, with the time under each.
#ifndef PLI_RENDER_STRIP_H
#define PLI_RENDER_STRIP_H

#include "render/axes.h"
#include "render/picture.h"
#include "render/plane.h"
#include "render/preview.h"

typedef struct pli_film_strip {
    int count;                         // pictures shown
    int picks[PLI_PREVIEW_MAX_FRAMES]; // indices into the stored ones
    pli_point low, high;               // visible range, relative to the preview's origin [m]
    double near, far;                  // in space: range towards the viewer [m]
    // Of each picture, how far what the camera follows has moved [m]
    double shift[PLI_PREVIEW_MAX_FRAMES][3];
    int columns, rows;
    double scale;                                 // [px/m]
    double picture_width, picture_height, height; // of one, of the whole strip [px]
} pli_film_strip;

// Chooses pictures, range and layout for a strip of this width [px]. There must be a picture.
pli_status pli_strip_layout(const pli_preview* preview, const pli_snapshot* snapshot, double width,
                            pli_film_strip* strip, pli_error* error);

// Data for drawing, created once.
typedef struct pli_scenery {
    pli_outline outline; // of plane scenes, drawn as paths
    pli_result bodies;   // of scenes in space, drawn as pixels
    pli_picture picture;
} pli_scenery;
pli_status pli_scenery_init(pli_scenery* scenery, const pli_preview* preview,
                            const pli_snapshot* snapshot, const pli_film_strip* strip,
                            pli_error* error);
void pli_scenery_free(pli_scenery* scenery);

// Draws it with its upper left corner at `at`; times are shown in `unit`.
pli_status pli_strip_write(pli_file* file, const pli_preview* preview, const pli_snapshot* snapshot,
                           pli_scenery* scenery, const pli_film_strip* strip, pli_point at,
                           pli_prefix unit, pli_error* error);

// ---- the plot of energies

typedef struct pli_plot {
    pli_axis energy;            // of all curves, zero included [J]
    pli_axis time;              // [s]
    double end;                 // last time [s]
    double width;               // of the area with the curves [px]
    double area_height, height; // of that area, of everything with labels [px]
    int curve_count;            // curves that are not zero throughout, the total included
} pli_plot;

pli_plot pli_plot_layout(const pli_preview* preview, const pli_snapshot* snapshot, double width);

// Draws it with its upper left corner at `at`; times are shown in `unit`.
void pli_plot_write(pli_file* file, const pli_preview* preview, const pli_snapshot* snapshot,
                    const pli_plot* plot, pli_point at, pli_prefix unit);

#endif
