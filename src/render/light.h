// The light of all pictures [Lambert: brightness by the cosine between normal and light], from the
// upper left on the viewer's side; some of it reaches around.
#ifndef PLI_RENDER_LIGHT_H
#define PLI_RENDER_LIGHT_H

#include <math.h>

// 0 dark to 1 bright for a unit normal as the camera sees it (right, up, towards the viewer). The
// side that is seen counts; `sheet`: if that is the back, it is darker.
static inline double pli_lit(const double n[3], int sheet) {
    static const double light[3] = {-0.42, 0.69, 0.59};
    const double ambient = 0.18, wrap = 0.4, behind = 0.75;
    double side = n[2] < 0 ? -1 : 1;
    double cosine = side * (n[0] * light[0] + n[1] * light[1] + n[2] * light[2]);
    double lit = ambient + (1 - ambient) * fmax(0, (cosine + wrap) / (1 + wrap));
    if (side < 0 && sheet) lit *= behind;
    return fmin(lit, 1);
}

#endif
