// What benchmarks make of their readings: medians, spreads, means and fitted exponents, against
// numbers worked out by hand. No time is measured.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure.h"

static void median_of_odd_even_one_none(void** state) {
    (void)state;
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    assert_true(bench_median(odd, 3) == 3);
    assert_true(bench_median(even, 4) == 2.5);
    assert_true(bench_median(one, 1) == 7);
    assert_true(bench_median(one, 0) == 0);
}

static void spread_ignores_outliers(void** state) {
    (void)state;
    double values[] = {1000, 9, 10, 11, 10}; // the quartiles are 10 and 11
    assert_true(bench_median(values, 5) == 10);
    assert_true(fabs(bench_spread(values, 5) - 0.05) < 1e-15);
    assert_true(bench_spread(values, 2) == 0);
}

static void geometric_mean(void** state) {
    (void)state;
    double values[] = {2, 4, 8};
    assert_true(fabs(bench_geometric_mean(values, 3) - 4) <
                1e-14); // a few roundings of log and exp
    assert_true(bench_geometric_mean(values, 0) == 1);
}

static void exponent_of_a_power(void** state) {
    (void)state;
    double x[] = {3e3, 1e4, 3e4, 1e5, 3e5}, y[5];
    for (int i = 0; i < 5; ++i) y[i] = 7e-6 * pow(x[i], 1.25);
    assert_true(fabs(bench_fit_exponent(5, x, y) - 1.25) < 1e-12); // roundings of pow and log
}

// Noise that is even in log x leaves the slope: factors k, 1/k^2, k at x = 1, 10, 100.
static void exponent_under_noise(void** state) {
    (void)state;
    double x[] = {1, 10, 100}, y[] = {1 * 1.2, 100 / (1.2 * 1.2), 10000 * 1.2};
    assert_true(fabs(bench_fit_exponent(3, x, y) - 2) < 1e-12);
}

static void exponent_needs_two_sizes(void** state) {
    (void)state;
    double x[] = {5, 5}, y[] = {1, 2};
    assert_true(bench_fit_exponent(2, x, y) == 0);
    assert_true(bench_fit_exponent(0, x, y) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_of_odd_even_one_none),
        cmocka_unit_test(spread_ignores_outliers),
        cmocka_unit_test(geometric_mean),
        cmocka_unit_test(exponent_of_a_power),
        cmocka_unit_test(exponent_under_noise),
        cmocka_unit_test(exponent_needs_two_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
