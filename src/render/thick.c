// Balls and rods as layers over each other, each smaller, brighter and nearer to the light than the
// one below: without perspective the outline of a ball is a circle, that of a rod two lines.
#include "render/thick.h"

#include <math.h>

// Where the light is seen from, on the page (y downward); see shade_of in space.c.
static const pli_point light = {-0.42, -0.69};
static const double reach = 0.8; // way of the brightest layer to it, in radii

// How far a layer is from the outline, 0 to 1; the two lowest ones fill it.
static double part_of(const pli_thick* style, int layer) {
    return layer == 0 ? 0 : (double)(layer - 1) / (style->layers - 1);
}

static pli_pen begin_layer(pli_file* file, const pli_thick* style, int layer, const char* more) {
    const double rim = 0.9; // of the lowest layer, in the colour of edges [px]
    double part = part_of(style, layer), width = 2 * style->radius;
    char colour[8], attributes[120];
    pli_colour_mix(style->colour->edge, style->colour->fill, layer == 0 ? 0 : 0.3 + 0.7 * part,
                   colour);
    if (layer > 0) width = (width - 2 * rim) * (1 - part);
    pli_format(attributes, sizeof attributes, "fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"%s",
               colour, width, more);
    return pli_pen_begin(file, attributes);
}

void pli_draw_ball(pli_file* file, pli_point at, const pli_thick* style) {
    for (int i = 0; i < style->layers; ++i) {
        double shift = reach * style->radius * part_of(style, i);
        pli_pen pen = begin_layer(file, style, i, "");
        pli_pen_dot(&pen, at.x + shift * light.x, at.y + shift * light.y);
        pli_pen_end(&pen);
    }
}

void pli_draw_rod(pli_file* file, pli_point from, pli_point to, const pli_thick* style) {
    const double overlap = 0.4; // no gaps between the parts of a rod [px]
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    if (!(length > 0) || !isfinite(length)) return;
    x /= length;
    y /= length;
    double across = light.y * x - light.x * y; // of the light, along (-y, x)
    for (int i = 0; i < style->layers; ++i) {
        double shift = reach * style->radius * part_of(style, i) * across;
        pli_pen pen = begin_layer(file, style, i, " stroke-linecap=\"butt\"");
        pli_pen_to(&pen, from.x - overlap * x - shift * y, from.y - overlap * y + shift * x);
        pli_pen_to(&pen, to.x + overlap * x - shift * y, to.y + overlap * y + shift * x);
        pli_pen_end(&pen);
    }
}
