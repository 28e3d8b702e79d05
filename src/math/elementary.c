// Exponentials and logarithms. Series of Taylor after the argument was made small; the first terms
// are pairs, so that what is rounded in the later ones stays below the last bit of the result.
#include "math/elementary.h"

#include "math/double_double.h"
#include "math/lanes.h"

// 1 / n! from n on, `count` of them
static double series_of_exp(double x, int n, int count) {
    static const double one_by_factorial[] = {1.,
                                              1.,
                                              1. / 2,
                                              1. / 6,
                                              1. / 24,
                                              1. / 120,
                                              1. / 720,
                                              1. / 5040,
                                              1. / 40320,
                                              1. / 362880,
                                              1. / 3628800,
                                              1. / 39916800,
                                              1. / 479001600,
                                              1. / 6227020800,
                                              1. / 87178291200};
    double sum = 0;
    for (int i = n + count - 1; i >= n; --i) sum = sum * x + one_by_factorial[i];
    return sum;
}

// e^x = result 2^k for |x| < 2000. With r = x - k ln 2, |r| < 0.35:
//     e^r = 1 + r + r^2/2 + r^3 (1/6 + r/24 + ...)
static pli_double_double exp_of(pli_double_double x, int* k) {
    static const double first = 0x1.62e42fefa3000p-1; // k times it is exact
    static const pli_double_double rest = {0x1.3de6af278ece6p-42, 0x1.f97b57a079a19p-103};
    double n = floor(x.high * 0x1.71547652b82fep+0 + 0.5);
    pli_double_double r = pli_dd_sum(x, (pli_double_double){-n * first, 0});
    r = pli_dd_sum(r, pli_dd_product((pli_double_double){-n, 0}, rest));
    pli_double_double square = pli_dd_product(r, (pli_double_double){0.5 * r.high, 0.5 * r.low});
    double high = r.high, cube = high * high * high * series_of_exp(high, 3, 12);
    *k = (int)n;
    pli_double_double sum = pli_dd_sum(pli_dd_sum((pli_double_double){1, 0}, r), square);
    return pli_dd_of(sum.high, sum.low + cube);
}

static double exp_of_pair(pli_double_double x) {
    if (!(fabs(x.high) < 1000)) return x.high > 0 ? HUGE_VAL : x.high < 0 ? 0 : x.high;
    int k;
    pli_double_double e = exp_of(x, &k);
    return ldexp(pli_dd_rounded(e), k);
}

double pli_exp(double x) { return exp_of_pair((pli_double_double){x, 0}); }

// ln x for finite x > 0, as high + *low before the last rounding.
static double log_parts(double x, double x1, double* low) {
    pli_lanes small, large = pli_lanes_log_parts(pli_lanes_all(x), pli_lanes_all(x1), &small);
    *low = small[0];
    return large[0];
}

double pli_log(double x) {
    if (!(x > 0)) return x == 0 ? -HUGE_VAL : x < 0 ? (double)NAN : x;
    if (x > 0x1.fffffffffffffp+1023) return x;
    double low, high = log_parts(x, x - 1, &low);
    return high + low;
}

// ln (s + e) = ln s + e / s, where s + e = 1 + x exactly; near 1 the logarithm takes x itself.
double pli_log1p(double x) {
    if (!(x > -1)) return x == -1 ? -HUGE_VAL : x < -1 ? (double)NAN : x;
    if (x > 0x1.fffffffffffffp+1023 || fabs(x) < 0x1p-60) return x;
    double e, s = pli_two_sum(1, x, &e), low, high = log_parts(s, x, &low);
    bool near = s >= 0x1.6a09e667f3bcdp-1 && s < 0x1.6a09e667f3bcdp+0;
    return high + (near ? low : low + e / s);
}

// ln x in twice the precision, for finite x > 0. With x = 2^k m, s = (m - 1) / (m + 1) and z = s^2:
//     ln x = k ln 2 + 2 s + s z (2/3 + 2 z/5 + ...),    z < 0.0295
static pli_double_double log_of(double x) {
    static const pli_double_double ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    static const pli_double_double two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
    static const pli_double_double two_fifths = {0x1.999999999999ap-2, -0x1.999999999999ap-56};
    int k;
    double m = frexp(x, &k), tail = 2. / 27;
    if (m < 0x1.6a09e667f3bcdp-1) m *= 2, k--;
    pli_double_double s = pli_dd_quotient((pli_double_double){m - 1, 0}, pli_dd_of(m, 1));
    pli_double_double z = pli_dd_product(s, s);
    for (int i = 25; i >= 7; i -= 2) tail = tail * z.high + 2. / i;
    pli_double_double series = pli_dd_sum(two_fifths, (pli_double_double){tail * z.high, 0});
    series = pli_dd_sum(two_thirds, pli_dd_product(z, series));
    series = pli_dd_product(pli_dd_product(s, z), series);
    pli_double_double sum = pli_dd_product((pli_double_double){k, 0}, ln2);
    sum = pli_dd_sum(sum, (pli_double_double){2 * s.high, 2 * s.low});
    return pli_dd_sum(sum, series);
}

static bool is_integer(double y) { return floor(y) == y; }

static bool is_odd(double y) {
    return fabs(y) < 0x1p53 && is_integer(y) && floor(0.5 * y) != 0.5 * y;
}

// |x|^y where no formula is needed: x is 0 or infinite, or y is.
static double power_at_the_border(double size, double y) {
    if (isnan(size) || isnan(y)) return size + y;
    if (isinf(y) && size == 1) return 1;
    bool large = isinf(y) ? (size > 1) == (y > 0) : (size > 0) == (y > 0);
    return large ? HUGE_VAL : 0;
}

// x^y = e^(y ln x)
double pli_pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    double size = fabs(x), sign = signbit(x) && is_odd(y) ? -1 : 1;
    if (!(size > 0) || isinf(size) || !isfinite(y)) return sign * power_at_the_border(size, y);
    if (x < 0 && !is_integer(y)) return (double)NAN;
    if (fabs(y) > 0x1p64) return sign * power_at_the_border(size, y > 0 ? HUGE_VAL : -HUGE_VAL);
    return sign * exp_of_pair(pli_dd_product((pli_double_double){y, 0}, log_of(size)));
}

// Squares that would over- or underflow are scaled.
double pli_hypot(double x, double y) {
    double large = fabs(x), small = fabs(y);
    if (large < small) large = fabs(y), small = fabs(x);
    if (large > 0x1p-500 && large < 0x1p500) return sqrt(large * large + small * small);
    if (isinf(x) || isinf(y)) return HUGE_VAL;
    double scale = large > 1 ? 0x1p-600 : 0x1p600;
    large *= scale;
    small *= scale;
    return sqrt(large * large + small * small) / scale;
}

// e^|x| / 2 and e^-|x| / 2, |x| < 1000
static void halves(double x, pli_double_double* growing, pli_double_double* falling) {
    int k;
    pli_double_double e = exp_of((pli_double_double){fabs(x), 0}, &k), one = {1, 0};
    pli_double_double inverse = pli_dd_quotient(one, e);
    *growing = (pli_double_double){ldexp(e.high, k - 1), ldexp(e.low, k - 1)};
    *falling = (pli_double_double){ldexp(inverse.high, -k - 1), ldexp(inverse.low, -k - 1)};
}

// Below it the halves of sinh cancel: x + x^3/6 + ... there.
static const double small_argument = 0.3;

static pli_double_double small_sinh(double x) {
    static const double one_by_factorial[] = {1. / 6,      1. / 120,      1. / 5040,
                                              1. / 362880, 1. / 39916800, 1. / 6227020800};
    double z = x * x, sum = 0;
    for (int i = 5; i >= 0; --i) sum = sum * z + one_by_factorial[i];
    return pli_dd_of(x, x * z * sum);
}

double pli_sinh(double x) {
    if (!(fabs(x) < 1000)) return isnan(x) ? x : copysign(HUGE_VAL, x);
    if (fabs(x) < 0x1p-27) return x;
    if (fabs(x) < small_argument) return pli_dd_rounded(small_sinh(x));
    pli_double_double growing, falling;
    halves(x, &growing, &falling);
    return copysign(pli_dd_rounded(pli_dd_sum(growing, pli_dd_negative(falling))), x);
}

double pli_cosh(double x) {
    if (!(fabs(x) < 1000)) return isnan(x) ? x : HUGE_VAL;
    pli_double_double growing, falling;
    halves(x, &growing, &falling);
    return pli_dd_rounded(pli_dd_sum(growing, falling));
}

double pli_tanh(double x) {
    if (fabs(x) < 0x1p-27 || isnan(x)) return x;
    if (fabs(x) > 25) return copysign(1, x);
    pli_double_double growing, falling;
    halves(x, &growing, &falling);
    pli_double_double sinh = fabs(x) < small_argument
                                 ? small_sinh(fabs(x))
                                 : pli_dd_sum(growing, pli_dd_negative(falling));
    double ratio = pli_dd_rounded(pli_dd_quotient(sinh, pli_dd_sum(growing, falling)));
    return copysign(ratio, x);
}
