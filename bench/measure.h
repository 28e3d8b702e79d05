// What all benchmark programs share: clocks, and what is made of many readings.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

double bench_now(void);        // wall [s]
double bench_thread_cpu(void); // of the calling thread [s]
double bench_cpu(void);        // of this process, all threads [s]

// Order of the values does not matter; they are sorted. 0 values give 0. Of an even number the mean
// of the two in the middle.
double bench_median(double* values, int count);
// Half the distance between the quartiles over the median, of sorted values: 0 for fewer than 3.
double bench_spread(const double* sorted, int count);
double bench_geometric_mean(const double* values, int count); // of positive values; 0 values give 1

// The exponent e of y = c x^e through points with x, y > 0, by least squares of the logarithms; 0
// unless two x differ.
double bench_fit_exponent(int count, const double* x, const double* y);

#endif
