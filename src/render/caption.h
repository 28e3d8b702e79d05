// Text in exported pictures: title, time, and the colour bar of a field.
#ifndef PLI_RENDER_CAPTION_H
#define PLI_RENDER_CAPTION_H

#include "pliant/replay.h"
#include "render/raster.h"

// Colours of values from 0 to 1: the map "viridis", as in the viewer.
void pli_caption_ramp(float ramp[PLI_RAMP_COUNT][3]);

typedef struct pli_caption {
    int width, height;           // of the picture [px]
    const char* title;           // "" or NULL: none
    double time_step;            // between pictures; determines the number of digits [s]
    const pli_field_info* field; // NULL: colours by body
    double low, high;            // range of the colour bar
    const float (*ramp)[3];
} pli_caption;

// Width of the colour bar at the right [px]; 0: there is none, or no room for it.
double pli_caption_reserve(const pli_caption* caption);
void pli_caption_draw(const pli_caption* caption, unsigned char* rgb, double time);

#endif
