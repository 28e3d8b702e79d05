// Cutting side by side [Sutherland and Hodgman 1974, "Reentrant polygon clipping"].
#include "result/polygon.h"

#include <string.h>

#include "math/vec.h"

void pli_polygon_cut(pli_polygon* p, const double point[3], const double normal[3]) {
    pli_polygon in = *p;
    p->count = 0;
    for (int i = 0; i < in.count; ++i) {
        const double *a = in.corner[i], *b = in.corner[(i + 1) % in.count];
        double da = pli_dot(a, normal, 3) - pli_dot(point, normal, 3);
        double db = pli_dot(b, normal, 3) - pli_dot(point, normal, 3);
        if (da >= 0 && p->count < PLI_POLYGON_CORNERS)
            memcpy(p->corner[p->count++], a, 3 * sizeof *a);
        if ((da >= 0) == (db >= 0) || p->count == PLI_POLYGON_CORNERS) continue;
        double* at = p->corner[p->count++];
        for (int c = 0; c < 3; ++c) at[c] = a[c] + da / (da - db) * (b[c] - a[c]);
    }
}
