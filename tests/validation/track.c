// Curves beside their references: see problems.h.
#include "validation/problems.h"

void pli_track_deviate(const track* k, int from, outcome* out) {
    double sum = 0;
    int count = 0;
    out->largest = 0;
    for (int l = 0; l < k->lines; ++l) {
        double scale = 0;
        for (int i = 0; i < k->count; ++i) scale = fmax(scale, fabs(k->exact[l][i]));
        for (int i = from; i < k->count; ++i) {
            double away = fabs(k->y[l][i] - k->exact[l][i]) / scale;
            out->largest = fmax(out->largest, away);
            sum += away;
            ++count;
        }
    }
    out->mean = sum / count;
}

// Of a point from the segment between a and b.
static double from_segment(const double p[2], const double a[2], const double b[2]) {
    double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {p[0] - a[0], p[1] - a[1]};
    double square = u[0] * u[0] + u[1] * u[1];
    double way = square > 0 ? (u[0] * v[0] + u[1] * v[1]) / square : 0;
    way = fmin(fmax(way, 0), 1);
    return hypot(v[0] - way * u[0], v[1] - way * u[1]);
}

void pli_track_distance(const track* k, outcome* out) {
    double wide = 0, high = 0, sum = 0;
    int count = 0;
    for (int i = 0; i < k->count; ++i) {
        wide = fmax(wide, fabs(k->x[i]));
        high = fmax(high, fabs(k->exact[0][i]));
    }
    out->largest = 0;
    for (int i = 0; i < k->count; ++i) {
        const double p[2] = {k->x[i] / wide, k->y[0][i] / high};
        double least = HUGE_VAL;
        if (isnan(p[1])) continue;
        for (int j = 0; j + 1 < k->count; ++j) {
            const double a[2] = {k->x[j] / wide, k->exact[0][j] / high};
            const double b[2] = {k->x[j + 1] / wide, k->exact[0][j + 1] / high};
            least = fmin(least, from_segment(p, a, b));
        }
        out->largest = fmax(out->largest, least);
        sum += least;
        ++count;
    }
    out->mean = sum / count;
}
