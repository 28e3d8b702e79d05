// Sines, cosines and their inverses. Angles are brought below an eighth of a turn exactly, by
// integer arithmetic with as many bits of 2/pi as it takes [PayneHanek83].
#include "math/elementary.h"

#include "math/double_double.h"

#include <stdbool.h>
#include <stdint.h>

static const pli_double_double half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const pli_double_double whole_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

enum { WORDS = 6, WORD = 32, LEADING = 64 };

// Bits of 2/pi behind the point, after LEADING zeros.
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

// The angle x less *quadrant quarter turns (modulo 4), |result| <= pi/4. For finite x.
static pli_double_double reduced(double x, int* quadrant) {
    *quadrant = 0;
    if (fabs(x) <= half_pi.high / 2) return (pli_double_double){x, 0};
    uint32_t turns[WORDS];
    quarter_turns(fabs(x), turns);
    int q = (int)(turns[0] >> 30);
    bool over = turns[0] >> 29 & 1; // the fraction is 1/2 or more: the next multiple is nearer
    if (over) {                     // the fraction less 1 is minus its complement, but for one unit
        q++;
        for (int i = 0; i < WORDS; ++i) turns[i] = ~turns[i];
    }
    turns[0] &= 0x3fffffff;
    pli_double_double fraction = {0, 0};
    for (int i = 0; i < WORDS; ++i)
        fraction = pli_dd_sum(fraction, (pli_double_double){ldexp(turns[i], -30 - WORD * i), 0});
    pli_double_double angle = pli_dd_product(fraction, half_pi);
    if (over != (x < 0)) angle = pli_dd_negative(angle);
    *quadrant = (x < 0 ? -q : q) & 3;
    return angle;
}

// sin r = r + r^3 (-1/6 + r^2/120 - ...), |r| <= pi/4
static pli_double_double sine_of(pli_double_double r) {
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
    return pli_dd_of(r.high, r.low * (1 - 0.5 * z) + r.high * z * sum);
}

// cos r = 1 - r^2/2 + r^4 (1/24 - r^2/720 + ...)
static pli_double_double cosine_of(pli_double_double r) {
    static const double c[] = {
        1. / 24,        -1. / 720,         1. / 40320,          -1. / 3628800,
        1. / 479001600, -1. / 87178291200, 1. / 20922789888000, -1. / 6402373705728000};
    pli_double_double square = pli_dd_product(r, (pli_double_double){-0.5 * r.high, -0.5 * r.low});
    double z = r.high * r.high, sum = 0;
    for (int i = 7; i >= 0; --i) sum = sum * z + c[i];
    pli_double_double cosine = pli_dd_sum((pli_double_double){1, 0}, square);
    return pli_dd_of(cosine.high, cosine.low + z * z * sum);
}

// Sine of the angle and `more` quarter turns.
static pli_double_double sine_from(pli_double_double angle, int more) {
    pli_double_double value = more & 1 ? cosine_of(angle) : sine_of(angle);
    return more & 2 ? pli_dd_negative(value) : value;
}

static bool is_tiny(double x) { return fabs(x) < 0x1p-27; }

double pli_sin(double x) {
    int quadrant;
    if (is_tiny(x)) return x;
    if (!isfinite(x)) return x - x;
    pli_double_double angle = reduced(x, &quadrant);
    return pli_dd_rounded(sine_from(angle, quadrant));
}

double pli_cos(double x) {
    int quadrant;
    if (!isfinite(x)) return x - x;
    pli_double_double angle = reduced(x, &quadrant);
    return pli_dd_rounded(sine_from(angle, quadrant + 1));
}

double pli_tan(double x) {
    int quadrant;
    if (is_tiny(x)) return x;
    if (!isfinite(x)) return x - x;
    pli_double_double angle = reduced(x, &quadrant);
    pli_double_double sine = sine_from(angle, quadrant), cosine = sine_from(angle, quadrant + 1);
    return pli_dd_rounded(pli_dd_quotient(sine, cosine));
}

// The angle of (x, y), 0 <= y <= x, x > 0. With c the multiple of 1/8 next to t = y / x
//     atan t = atan c + atan s,   s = (t - c) / (1 + c t),   |s| <= 1/16
static pli_double_double angle_of(pli_double_double y, pli_double_double x) {
    static const pli_double_double of_eighths[] = {{0, 0},
                                                   {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                                   {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                                   {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                                   {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                                   {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                                   {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                                   {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                                   {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    pli_double_double s = pli_dd_quotient(y, x);
    int i = (int)floor(8 * s.high + 0.5);
    if (i > 0) {
        pli_double_double c = {i / 8., 0}, one = {1, 0};
        pli_double_double below = pli_dd_sum(one, pli_dd_product(c, s));
        s = pli_dd_quotient(pli_dd_sum(s, pli_dd_negative(c)), below);
    }
    // atan s = s + s^3 (-1/3 + s^2/5 - ...)
    double z = s.high * s.high, sum = 0;
    for (int k = 17; k >= 3; k -= 2) sum = sum * z + (k % 4 == 3 ? -1. : 1.) / k;
    return pli_dd_sum(of_eighths[i], pli_dd_of(s.high, s.low + s.high * z * sum));
}

// The same for any x, y >= 0, not both 0; `left`: of (-x, y).
static double half_plane_angle(pli_double_double y, pli_double_double x, bool left) {
    pli_double_double angle;
    if (y.high <= x.high)
        angle = angle_of(y, x);
    else
        angle = pli_dd_sum(half_pi, pli_dd_negative(angle_of(x, y)));
    if (left) angle = pli_dd_sum(whole_pi, pli_dd_negative(angle));
    return pli_dd_rounded(angle);
}

// Both are scaled so that the larger one is near 1; where the other gets tiny the ratio is enough.
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
    double angle =
        half_plane_angle((pli_double_double){up, 0}, (pli_double_double){across, 0}, signbit(x));
    return copysign(angle, y);
}

double pli_atan(double x) { return isnan(x) ? x : pli_atan2(x, 1); }

// The other leg of a right triangle: sqrt((1 - x) (1 + x))
static pli_double_double other_leg(double x) {
    return pli_dd_root(pli_dd_product(pli_dd_of(1, -x), pli_dd_of(1, x)));
}

double pli_asin(double x) {
    if (!(fabs(x) <= 1)) return (double)NAN;
    if (is_tiny(x)) return x;
    return copysign(half_plane_angle((pli_double_double){fabs(x), 0}, other_leg(x), false), x);
}

double pli_acos(double x) {
    if (!(fabs(x) <= 1)) return (double)NAN;
    return half_plane_angle(other_leg(x), (pli_double_double){fabs(x), 0}, x < 0);
}
