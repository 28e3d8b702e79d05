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

// Of a point from the line through a and b, between the parts `low` and `high` of the way.
static double from_segment(const double p[2], const double a[2], const double b[2], double low,
                           double high) {
    double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {p[0] - a[0], p[1] - a[1]};
    double square = u[0] * u[0] + u[1] * u[1];
    double way = square > 0 ? (u[0] * v[0] + u[1] * v[1]) / square : 0;
    way = fmin(fmax(way, low), high);
    return hypot(v[0] - way * u[0], v[1] - way * u[1]);
}

// Of point i of a line from its reference, which goes on straight at both ends.
static double from_reference(const track* k, int line, int i, double wide, double tall) {
    const double p[2] = {k->x[i] / wide, k->y[line][i] / tall};
    double least = HUGE_VAL;
    for (int j = 0; j + 1 < k->count; ++j) {
        const double a[2] = {k->x[j] / wide, k->exact[line][j] / tall};
        const double b[2] = {k->x[j + 1] / wide, k->exact[line][j + 1] / tall};
        double low = j > 0 ? 0 : -1, high = j + 2 < k->count ? 1 : 2;
        least = fmin(least, from_segment(p, a, b, low, high));
    }
    return least;
}

void pli_track_distance(const track* k, int from, outcome* out) {
    double wide = 0, sum = 0;
    int count = 0;
    for (int i = 0; i < k->count; ++i) wide = fmax(wide, fabs(k->x[i]));
    out->largest = 0;
    for (int l = 0; l < k->lines; ++l) {
        double high = 0;
        for (int i = 0; i < k->count; ++i) high = fmax(high, fabs(k->exact[l][i]));
        for (int i = from; i < k->count; ++i) {
            if (isnan(k->y[l][i])) continue;
            double away = from_reference(k, l, i, wide, high);
            out->largest = fmax(out->largest, away);
            sum += away;
            ++count;
        }
    }
    out->mean = sum / count;
}
