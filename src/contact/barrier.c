// (s - 1) ln s and its derivatives, scaled.
#include "contact/barrier.h"

#include <math.h>

// f = (s - 1) ln s,  f' = ln s + (s - 1) / s,  f'' = (1 + 1/s) / s;  0 from s = 1 on.
// Below the smallest s the second derivative would overflow: as good as touching.
static pli_barrier_values clamped_log(double s) {
    static const double smallest = 1e-150;
    if (s >= 1) return (pli_barrier_values){0};
    if (!(s > smallest)) return (pli_barrier_values){.value = HUGE_VAL};
    double log_s = log(s);
    return (pli_barrier_values){(s - 1) * log_s, log_s + (s - 1) / s, (1 + 1 / s) / s};
}

pli_barrier_values pli_barrier_linear(double d, double dhat) {
    pli_barrier_values f = clamped_log(d / dhat);
    return (pli_barrier_values){0.5 * dhat * f.value, 0.5 * f.first, 0.5 / dhat * f.second};
}

pli_barrier_values pli_barrier_squared(double d2, double dhat) {
    pli_barrier_values f = clamped_log(d2 / (dhat * dhat));
    double scale = 1 / (16 * dhat); // (dhat / 16) (ds/d(d2)), ds/d(d2) = 1 / dhat^2
    return (pli_barrier_values){dhat / 16 * f.value, scale * f.first,
                                scale / (dhat * dhat) * f.second};
}
