// Loops without ideas.
#include "oracle/brute_force.h"

#include <math.h>

bool pli_brute_overlap(const pli_box* a, const pli_box* b) {
    for (int k = 0; k < 3; ++k)
        if (a->max[k] < b->min[k] || b->max[k] < a->min[k]) return false;
    return true;
}

double pli_brute_point_edge_distance2(int dim, const double* p, const double* e0, const double* e1,
                                      int samples) {
    double best = HUGE_VAL;
    for (int i = 0; i <= samples; ++i) {
        double r = (double)i / samples, sum = 0;
        for (int k = 0; k < dim; ++k) {
            double w = p[k] - (1 - r) * e0[k] - r * e1[k];
            sum += w * w;
        }
        best = fmin(best, sum);
    }
    return best;
}

bool pli_brute_segments_meet(const double* a, const double* b, const double* c, const double* d) {
    long double u[2], v[2], w[2];
    for (int k = 0; k < 2; ++k) {
        u[k] = (long double)b[k] - a[k];
        v[k] = (long double)d[k] - c[k];
        w[k] = (long double)c[k] - a[k];
    }
    long double det = u[0] * v[1] - u[1] * v[0];
    if (det == 0) return false;
    long double s = (w[0] * v[1] - w[1] * v[0]) / det, t = (w[0] * u[1] - w[1] * u[0]) / det;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}
