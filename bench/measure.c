// Clocks, medians and the fit of a power.
#define _GNU_SOURCE
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_now(void) { return read_clock(CLOCK_MONOTONIC); }

double bench_thread_cpu(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

double bench_cpu(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

static int by_value(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double bench_median(double* values, int count) {
    if (count <= 0) return 0;
    qsort(values, (size_t)count, sizeof *values, by_value);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

double bench_spread(const double* sorted, int count) {
    if (count < 3) return 0;
    double middle = 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
    return 0.5 * (sorted[count - 1 - count / 4] - sorted[count / 4]) / middle;
}

double bench_geometric_mean(const double* values, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += log(values[i]);
    return count > 0 ? exp(sum / count) : 1;
}

// e = cov(log x, log y) / var(log x)
double bench_fit_exponent(int count, const double* x, const double* y) {
    double mean_x = 0, mean_y = 0, covariance = 0, variance = 0;
    for (int i = 0; i < count; ++i) {
        mean_x += log(x[i]) / count;
        mean_y += log(y[i]) / count;
    }
    for (int i = 0; i < count; ++i) {
        covariance += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
        variance += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
    }
    return variance > 1e-20 ? covariance / variance : 0; // rounding of equal logarithms is less
}
