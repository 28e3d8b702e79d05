// Several numbers at once, one per lane of a vector register, for source that is compiled once for
// each instruction set. A file that includes it may define before
//   PLI_LANE_COUNT   lanes: 2, 4 or 8
//   PLI_LANE_TARGET  attribute that allows the instructions
// Every operation works on each lane separately and rounds according to IEEE 754, so the result of
// a lane depends neither on its neighbours nor on the number of lanes. Arithmetic is written as for
// doubles; selections use masks.
#ifndef PLI_MATH_LANES_H
#define PLI_MATH_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef PLI_LANE_COUNT // 128-bit registers, which nearly every machine has
#define PLI_LANE_COUNT 2
#define PLI_LANE_TARGET
#endif

#define PLI_LANE_INLINE PLI_LANE_TARGET static inline __attribute__((always_inline))
#define PLI_LANE_FUNCTION PLI_LANE_TARGET __attribute__((unused)) static

typedef double pli_lanes __attribute__((vector_size(PLI_LANE_COUNT * sizeof(double))));
typedef uint64_t pli_lane_bits __attribute__((vector_size(PLI_LANE_COUNT * sizeof(double))));
// All bits of a lane or none: the result of comparisons.
typedef int64_t pli_lane_mask __attribute__((vector_size(PLI_LANE_COUNT * sizeof(double))));

// The same without alignment.
typedef double pli_lanes_anywhere
    __attribute__((vector_size(PLI_LANE_COUNT * sizeof(double)), aligned(8), may_alias));

PLI_LANE_INLINE pli_lanes pli_lanes_all(double value) {
    pli_lanes all = {0};
    return all + value;
}

PLI_LANE_INLINE bool pli_lanes_any(pli_lane_mask mask) {
    int64_t any = 0;
    for (int l = 0; l < PLI_LANE_COUNT; ++l) any |= mask[l];
    return any != 0;
}

// mask ? a : b
PLI_LANE_INLINE pli_lanes pli_lanes_select(pli_lane_mask mask, pli_lanes a, pli_lanes b) {
    return (pli_lanes)((mask & (pli_lane_mask)a) | (~mask & (pli_lane_mask)b));
}

// mask ? a : 0
PLI_LANE_INLINE pli_lanes pli_lanes_where(pli_lane_mask mask, pli_lanes a) {
    return (pli_lanes)(mask & (pli_lane_mask)a);
}

PLI_LANE_INLINE pli_lanes pli_lanes_abs(pli_lanes a) {
    return (pli_lanes)((pli_lane_mask)a & INT64_MAX);
}

// |a| with the sign of b
PLI_LANE_INLINE pli_lanes pli_lanes_copysign(pli_lanes a, pli_lanes b) {
    return (pli_lanes)(((pli_lane_mask)a & INT64_MAX) | ((pli_lane_mask)b & INT64_MIN));
}

PLI_LANE_INLINE pli_lanes pli_lanes_sqrt(pli_lanes a) {
    pli_lanes root;
    for (int l = 0; l < PLI_LANE_COUNT; ++l) root[l] = sqrt(a[l]);
    return root;
}

PLI_LANE_INLINE pli_lanes pli_lanes_dot3(const pli_lanes a[3], const pli_lanes b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

PLI_LANE_INLINE void pli_lanes_cross3(const pli_lanes a[3], const pli_lanes b[3],
                                      pli_lanes out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// ln x for x > 0 (undefined otherwise), where x1 = x - 1 is more accurate than x near 1; returned
// as result + *low before the last rounding. With x = 2^k m, m in [sqrt 1/2, sqrt 2), f = m - 1 and
// s = f / (2 + f):
//     ln m = 2 artanh s = f - f^2/2 + s (f^2/2 + r),   r = 2 s^2/3 + 2 s^4/5 + ...
// s^2 < 0.0295, so the series is truncated below 0.1 ulp.
PLI_LANE_INLINE pli_lanes pli_lanes_log_parts(pli_lanes x, pli_lanes x1, pli_lanes* low) {
    const pli_lane_mask tiny = x < 0x1p-1022;
    const pli_lane_bits root_half = (pli_lane_bits)pli_lanes_all(0x1.6a09e667f3bcdp-1);
    const pli_lane_bits one = (pli_lane_bits)pli_lanes_all(1);
    pli_lane_bits bits = (pli_lane_bits)pli_lanes_select(tiny, x * 0x1p54, x) + (one - root_half);
    // k + 1023 is in the upper 12 bits; shifted below 2^52 it becomes a double without conversion.
    pli_lanes k = (pli_lanes)((bits >> 52) | (pli_lane_bits)pli_lanes_all(0x1p52));
    k -= 0x1p52 + 1023 + pli_lanes_where(tiny, pli_lanes_all(54));
    pli_lanes m = (pli_lanes)((bits & 0xfffffffffffff) + root_half);
    pli_lanes f = pli_lanes_select(k == 0, x1, m - 1), s = f / (2 + f), z = s * s;
    pli_lanes half = 0.5 * (f * f), w = z * z; // separate even and odd powers: shorter chains
    pli_lanes even = ((((2. / 23 * w + 2. / 19) * w + 2. / 15) * w + 2. / 11) * w + 2. / 7) * w;
    pli_lanes odd = (((2. / 21 * w + 2. / 17) * w + 2. / 13) * w + 2. / 9) * w + 2. / 5;
    pli_lanes series = 2. / 3 + even + z * odd;
    // ln 2 in two parts: k times the first is exact, and larger than f unless it is 0.
    pli_lanes multiple = k * 0x1.62e42fee00000p-1, high = multiple + f;
    pli_lanes lost = (multiple - high) + f;
    *low = (lost + k * 0x1.a39ef35793c76p-33) - (half - s * (half + z * series));
    return high;
}

// Errors stay below one ulp.
PLI_LANE_INLINE pli_lanes pli_lanes_log(pli_lanes x, pli_lanes x1) {
    pli_lanes low, high = pli_lanes_log_parts(x, x1, &low);
    return high + low;
}

// e^x, errors below two ulps; 0 below -708, infinite above 709. With x = k ln 2 + r, |r| <= ln 2 /
// 2, the series of e^r is truncated below 0.1 ulp.
PLI_LANE_INLINE pli_lanes pli_lanes_exp(pli_lanes x) {
    pli_lane_mask low = x<-708, high = x> 709;
    pli_lanes y = pli_lanes_select(low | high, pli_lanes_all(0), x);
    pli_lanes k = (y * 0x1.71547652b82fep0 + 0x1.8p52) - 0x1.8p52;
    pli_lanes r = (y - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33,
              sum = r * (1.0 / 14) + 1;
    for (int i = 13; i >= 2; --i) sum = sum * (r * (1.0 / i)) + 1;
    sum = sum * r;
    // 2^k as 2^(k - 1) * 2: k may be 1024. The exponent is added as in pli_lanes_log_parts.
    pli_lane_bits power = (pli_lane_bits)(k - 1 + (0x1.8p52 + 1023)) << 52;
    pli_lanes half = (pli_lanes)power, value = (half + half * sum) * 2;
    value = pli_lanes_where(~low, value);
    return pli_lanes_select(high, pli_lanes_all(HUGE_VAL), value);
}

// Transposes a square of lanes: out[i][l] = in[l][i].
#ifdef __clang__
#define PLI_LANE_MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PLI_LANE_MIX(a, b, ...) __builtin_shuffle(a, b, (pli_lane_mask){__VA_ARGS__})
#endif

PLI_LANE_INLINE void pli_lanes_transpose(pli_lanes t[PLI_LANE_COUNT]) {
    for (int i = 0; i < PLI_LANE_COUNT; i += 2) {
        pli_lanes a = t[i], b = t[i + 1];
#if PLI_LANE_COUNT == 2
        t[i] = PLI_LANE_MIX(a, b, 0, 2);
        t[i + 1] = PLI_LANE_MIX(a, b, 1, 3);
#elif PLI_LANE_COUNT == 4
        t[i] = PLI_LANE_MIX(a, b, 0, 4, 2, 6);
        t[i + 1] = PLI_LANE_MIX(a, b, 1, 5, 3, 7);
#else
        t[i] = PLI_LANE_MIX(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        t[i + 1] = PLI_LANE_MIX(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
#endif
    }
#if PLI_LANE_COUNT == 4
    for (int i = 0; i < 2; ++i) {
        pli_lanes a = t[i], b = t[i + 2];
        t[i] = PLI_LANE_MIX(a, b, 0, 1, 4, 5);
        t[i + 2] = PLI_LANE_MIX(a, b, 2, 3, 6, 7);
    }
#elif PLI_LANE_COUNT == 8
    for (int k = 0; k < 4; ++k) {
        int i = k / 2 * 4 + k % 2; // 0 1 4 5
        pli_lanes a = t[i], b = t[i + 2];
        t[i] = PLI_LANE_MIX(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        t[i + 2] = PLI_LANE_MIX(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) {
        pli_lanes a = t[i], b = t[i + 4];
        t[i] = PLI_LANE_MIX(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
        t[i + 4] = PLI_LANE_MIX(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
#endif
}

#endif
