// Measuring a picture.
#include "render/canvas.h"

#include <math.h>

double pli_canvas_mean_length(const pli_canvas* c, const int32_t* pairs, int count) {
    double sum = 0;
    int used = 0, stride = count / 500 + 1;
    for (int i = 0; i < count; i += stride) {
        pli_point a = pli_canvas_vertex(c, pairs[2 * i]);
        pli_point b = pli_canvas_vertex(c, pairs[2 * i + 1]);
        double length = hypot(b.x - a.x, b.y - a.y);
        if (!isfinite(length)) continue;
        sum += length;
        used++;
    }
    return used > 0 ? sum / used : 0;
}
