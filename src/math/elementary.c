// Elementary functions: Taylor series after argument reduction. The first terms are pairs of
// doubles, so that rounding in the later ones stays below the last bit of the result.
#include "math/elementary.h"

#include <stdbool.h>
#include <stdint.h>

#include "math/expansion.h"
#include "math/lanes.h"

// ---- pairs
//
// Numbers of about 106 bits: high + low, where |low| is at most half an ulp of high. For elementary
// functions, whose results should be correct in nearly all bits of a double. Invariant: operations
// return such pairs, with relative errors of about 2^-100, as long as nothing over- or underflows.
// Needs round-to-nearest and no contraction [Dekker71].

typedef struct double_double {
    double high, low;
} double_double;

static inline double_double dd_of(double a, double b) {
    double_double p;
    p.high = pli_two_sum(a, b, &p.low);
    return p;
}

static inline double_double dd_negative(double_double a) {
    return (double_double){-a.high, -a.low};
}

static inline double_double dd_sum(double_double a, double_double b) {
    double_double high = dd_of(a.high, b.high), low = dd_of(a.low, b.low);
    high = dd_of(high.high, high.low + low.high);
    return dd_of(high.high, high.low + low.low);
}

static inline double_double dd_product(double_double a, double_double b) {
    double low, high = pli_two_product(a.high, b.high, &low);
    return dd_of(high, low + (a.high * b.low + a.low * b.high));
}

// a / b: a quotient, and the remainder divided once more
static inline double_double dd_quotient(double_double a, double_double b) {
    double q = a.high / b.high;
    double_double part = dd_product((double_double){q, 0}, b);
    double_double rest = dd_sum(a, dd_negative(part));
    return dd_of(q, rest.high / b.high);
}

// The root of a >= 0, and one step of Newton
static inline double_double dd_root(double_double a) {
    double root = sqrt(a.high), low;
    if (!(root > 0)) return (double_double){root, 0};
    double high = pli_two_product(root, root, &low);
    return dd_of(root, ((a.high - high) - low + a.low) / (2 * root));
}

static inline double dd_rounded(double_double a) { return a.high + a.low; }

// ---- exponentials and logarithms

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
static double_double exp_of(double_double x, int* k) {
    static const double first = 0x1.62e42fefa3000p-1; // k times it is exact
    static const double_double rest = {0x1.3de6af278ece6p-42, 0x1.f97b57a079a19p-103};
    double n = floor(x.high * 0x1.71547652b82fep+0 + 0.5);
    double_double r = dd_sum(x, (double_double){-n * first, 0});
    r = dd_sum(r, dd_product((double_double){-n, 0}, rest));
    double_double square = dd_product(r, (double_double){0.5 * r.high, 0.5 * r.low});
    double high = r.high, cube = high * high * high * series_of_exp(high, 3, 12);
    *k = (int)n;
    double_double sum = dd_sum(dd_sum((double_double){1, 0}, r), square);
    return dd_of(sum.high, sum.low + cube);
}

static double exp_of_pair(double_double x) {
    if (!(fabs(x.high) < 1000)) return x.high > 0 ? HUGE_VAL : x.high < 0 ? 0 : x.high;
    int k;
    double_double e = exp_of(x, &k);
    return ldexp(dd_rounded(e), k);
}

double pli_exp(double x) { return exp_of_pair((double_double){x, 0}); }

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
static double_double log_of(double x) {
    static const double_double ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    static const double_double two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
    static const double_double two_fifths = {0x1.999999999999ap-2, -0x1.999999999999ap-56};
    int k;
    double m = frexp(x, &k), tail = 2. / 27;
    if (m < 0x1.6a09e667f3bcdp-1) m *= 2, k--;
    double_double s = dd_quotient((double_double){m - 1, 0}, dd_of(m, 1));
    double_double z = dd_product(s, s);
    for (int i = 25; i >= 7; i -= 2) tail = tail * z.high + 2. / i;
    double_double series = dd_sum(two_fifths, (double_double){tail * z.high, 0});
    series = dd_sum(two_thirds, dd_product(z, series));
    series = dd_product(dd_product(s, z), series);
    double_double sum = dd_product((double_double){k, 0}, ln2);
    sum = dd_sum(sum, (double_double){2 * s.high, 2 * s.low});
    return dd_sum(sum, series);
}

static bool is_integer(double y) { return floor(y) == y; }

static bool is_odd(double y) {
    return fabs(y) < 0x1p53 && is_integer(y) && floor(0.5 * y) != 0.5 * y;
}

// |x|^y where no formula is needed: x or y is 0 or infinite.
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
    return sign * exp_of_pair(dd_product((double_double){y, 0}, log_of(size)));
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
static void halves(double x, double_double* growing, double_double* falling) {
    int k;
    double_double e = exp_of((double_double){fabs(x), 0}, &k), one = {1, 0};
    double_double inverse = dd_quotient(one, e);
    *growing = (double_double){ldexp(e.high, k - 1), ldexp(e.low, k - 1)};
    *falling = (double_double){ldexp(inverse.high, -k - 1), ldexp(inverse.low, -k - 1)};
}

// Below this the halves of sinh cancel: x + x^3/6 + ... is used.
static const double small_argument = 0.3;

static double_double small_sinh(double x) {
    static const double one_by_factorial[] = {1. / 6,      1. / 120,      1. / 5040,
                                              1. / 362880, 1. / 39916800, 1. / 6227020800};
    double z = x * x, sum = 0;
    for (int i = 5; i >= 0; --i) sum = sum * z + one_by_factorial[i];
    return dd_of(x, x * z * sum);
}

double pli_sinh(double x) {
    if (!(fabs(x) < 1000)) return isnan(x) ? x : copysign(HUGE_VAL, x);
    if (fabs(x) < 0x1p-27) return x;
    if (fabs(x) < small_argument) return dd_rounded(small_sinh(x));
    double_double growing, falling;
    halves(x, &growing, &falling);
    return copysign(dd_rounded(dd_sum(growing, dd_negative(falling))), x);
}

double pli_cosh(double x) {
    if (!(fabs(x) < 1000)) return isnan(x) ? x : HUGE_VAL;
    double_double growing, falling;
    halves(x, &growing, &falling);
    return dd_rounded(dd_sum(growing, falling));
}

double pli_tanh(double x) {
    if (fabs(x) < 0x1p-27 || isnan(x)) return x;
    if (fabs(x) > 25) return copysign(1, x);
    double_double growing, falling;
    halves(x, &growing, &falling);
    double_double sinh =
        fabs(x) < small_argument ? small_sinh(fabs(x)) : dd_sum(growing, dd_negative(falling));
    double ratio = dd_rounded(dd_quotient(sinh, dd_sum(growing, falling)));
    return copysign(ratio, x);
}

// ---- trigonometry
//
// Sines, cosines and their inverses. Angles are reduced to at most pi/4 exactly, by integer
// arithmetic with as many bits of 2/pi as necessary [PayneHanek83].

static const double_double half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const double_double whole_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

enum { WORDS = 6, WORD = 32, LEADING = 64 };

// Bits of 2/pi after the binary point, without LEADING zeros.
static const uint32_t two_by_pi[] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

// x 2/pi modulo 4 in units of 2^-190, highest word first, for finite x > 1/2. With x = M 2^e only
// the bits of 2/pi from 2^(1 - e) down matter: those above give multiples of 4.
static void quarter_turns(double x, uint32_t out[WORDS]) {
    int e;
    uint64_t M = (uint64_t)ldexp(frexp(x, &e), 53);
    int bit = LEADING + e - 53 - 2; // the first one, counted from the start of the table
    const uint32_t* word = two_by_pi + bit / WORD;
    int shift = bit % WORD;
    uint64_t carry = 0;
    uint32_t low = (uint32_t)M, high = (uint32_t)(M >> WORD), bits[WORDS];
    for (int i = 0; i < WORDS; ++i)
        bits[i] = (uint32_t)((((uint64_t)word[i] << WORD | word[i + 1]) << shift) >> WORD);
    for (int i = WORDS - 1; i >= 0; --i) {
        uint64_t product = (uint64_t)bits[i] * low + (uint32_t)carry;
        carry >>= WORD;
        if (i + 1 < WORDS) {
            uint64_t upper = (uint64_t)bits[i + 1] * high + (uint32_t)product;
            carry += (product >> WORD) + (upper >> WORD);
            product = upper;
        } else
            carry += product >> WORD;
        out[i] = (uint32_t)product;
    }
}

// The angle x minus *quadrant quarter turns (modulo 4), |result| <= pi/4. For finite x.
static double_double reduced(double x, int* quadrant) {
    *quadrant = 0;
    if (fabs(x) <= half_pi.high / 2) return (double_double){x, 0};
    uint32_t turns[WORDS];
    quarter_turns(fabs(x), turns);
    int q = (int)(turns[0] >> 30);
    bool over = turns[0] >> 29 & 1; // the fraction is 1/2 or more: the next multiple is nearer
    if (over) {                     // the fraction minus 1 is minus its complement, up to one unit
        q++;
        for (int i = 0; i < WORDS; ++i) turns[i] = ~turns[i];
    }
    turns[0] &= 0x3fffffff;
    double_double fraction = {0, 0};
    for (int i = 0; i < WORDS; ++i)
        fraction = dd_sum(fraction, (double_double){ldexp(turns[i], -30 - WORD * i), 0});
    double_double angle = dd_product(fraction, half_pi);
    if (over != (x < 0)) angle = dd_negative(angle);
    *quadrant = (x < 0 ? -q : q) & 3;
    return angle;
}

// sin r = r + r^3 (-1/6 + r^2/120 - ...), |r| <= pi/4
static double_double sine_of(double_double r) {
    static const double c[] = {-1. / 6,
                               1. / 120,
                               -1. / 5040,
                               1. / 362880,
                               -1. / 39916800,
                               1. / 6227020800,
                               -1. / 1307674368000,
                               1. / 355687428096000,
                               -1. / 121645100408832000};
    double z = r.high * r.high, sum = 0;
    for (int i = 8; i >= 0; --i) sum = sum * z + c[i];
    return dd_of(r.high, r.low * (1 - 0.5 * z) + r.high * z * sum);
}

// cos r = 1 - r^2/2 + r^4 (1/24 - r^2/720 + ...)
static double_double cosine_of(double_double r) {
    static const double c[] = {
        1. / 24,        -1. / 720,         1. / 40320,          -1. / 3628800,
        1. / 479001600, -1. / 87178291200, 1. / 20922789888000, -1. / 6402373705728000};
    double_double square = dd_product(r, (double_double){-0.5 * r.high, -0.5 * r.low});
    double z = r.high * r.high, sum = 0;
    for (int i = 7; i >= 0; --i) sum = sum * z + c[i];
    double_double cosine = dd_sum((double_double){1, 0}, square);
    return dd_of(cosine.high, cosine.low + z * z * sum);
}

// Sine of the angle plus `more` quarter turns.
static double_double sine_from(double_double angle, int more) {
    double_double value = more & 1 ? cosine_of(angle) : sine_of(angle);
    return more & 2 ? dd_negative(value) : value;
}

static bool is_tiny(double x) { return fabs(x) < 0x1p-27; }

double pli_sin(double x) {
    int quadrant;
    if (is_tiny(x)) return x;
    if (!isfinite(x)) return x - x;
    double_double angle = reduced(x, &quadrant);
    return dd_rounded(sine_from(angle, quadrant));
}

double pli_cos(double x) {
    int quadrant;
    if (!isfinite(x)) return x - x;
    double_double angle = reduced(x, &quadrant);
    return dd_rounded(sine_from(angle, quadrant + 1));
}

double pli_tan(double x) {
    int quadrant;
    if (is_tiny(x)) return x;
    if (!isfinite(x)) return x - x;
    double_double angle = reduced(x, &quadrant);
    double_double sine = sine_from(angle, quadrant), cosine = sine_from(angle, quadrant + 1);
    return dd_rounded(dd_quotient(sine, cosine));
}

// The angle of (x, y), 0 <= y <= x, x > 0. With c the multiple of 1/8 next to t = y / x
//     atan t = atan c + atan s,   s = (t - c) / (1 + c t),   |s| <= 1/16
static double_double angle_of(double_double y, double_double x) {
    static const double_double of_eighths[] = {{0, 0},
                                               {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                               {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                               {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                               {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                               {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                               {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                               {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                               {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    double_double s = dd_quotient(y, x);
    int i = (int)floor(8 * s.high + 0.5);
    if (i > 0) {
        double_double c = {i / 8., 0}, one = {1, 0};
        double_double below = dd_sum(one, dd_product(c, s));
        s = dd_quotient(dd_sum(s, dd_negative(c)), below);
    }
    // atan s = s + s^3 (-1/3 + s^2/5 - ...)
    double z = s.high * s.high, sum = 0;
    for (int k = 17; k >= 3; k -= 2) sum = sum * z + (k % 4 == 3 ? -1. : 1.) / k;
    return dd_sum(of_eighths[i], dd_of(s.high, s.low + s.high * z * sum));
}

// The same for any x, y >= 0, not both 0; `left`: of (-x, y).
static double half_plane_angle(double_double y, double_double x, bool left) {
    double_double angle;
    if (y.high <= x.high)
        angle = angle_of(y, x);
    else
        angle = dd_sum(half_pi, dd_negative(angle_of(x, y)));
    if (left) angle = dd_sum(whole_pi, dd_negative(angle));
    return dd_rounded(angle);
}

// Both are scaled so that the larger one is near 1; if the other becomes tiny the ratio suffices.
double pli_atan2(double y, double x) {
    if (isnan(x) || isnan(y)) return x + y;
    double across = fabs(x), up = fabs(y), large = fmax(across, up);
    if (up == 0) return copysign(signbit(x) ? whole_pi.high : 0, y);
    if (isinf(large)) {
        across = isinf(across) ? 1 : 0;
        up = isinf(up) ? 1 : 0;
    } else if (up < 0x1p-30 * across && !signbit(x)) {
        return y / x;
    } else {
        int e;
        frexp(large, &e);
        across = ldexp(across, -e);
        up = ldexp(up, -e);
    }
    double angle = half_plane_angle((double_double){up, 0}, (double_double){across, 0}, signbit(x));
    return copysign(angle, y);
}

double pli_atan(double x) { return isnan(x) ? x : pli_atan2(x, 1); }

// The other leg of a right triangle: sqrt((1 - x) (1 + x))
static double_double other_leg(double x) { return dd_root(dd_product(dd_of(1, -x), dd_of(1, x))); }

double pli_asin(double x) {
    if (!(fabs(x) <= 1)) return (double)NAN;
    if (is_tiny(x)) return x;
    return copysign(half_plane_angle((double_double){fabs(x), 0}, other_leg(x), false), x);
}

double pli_acos(double x) {
    if (!(fabs(x) <= 1)) return (double)NAN;
    return half_plane_angle(other_leg(x), (double_double){fabs(x), 0}, x < 0);
}
