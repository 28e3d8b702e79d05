// Numbers of about 106 bits: high + low, where |low| is at most half an ulp of high. For elementary
// functions, whose results shall be right in nearly all of a double's bits.
// Invariant: operations give such pairs, with relative errors of some 2^-100, as long as nothing
// over- or underflows. Needs round-to-nearest and no contraction [Dekker71].
#ifndef PLI_MATH_DOUBLE_DOUBLE_H
#define PLI_MATH_DOUBLE_DOUBLE_H

#include "math/expansion.h"

typedef struct pli_double_double {
    double high, low;
} pli_double_double;

static inline pli_double_double pli_dd_of(double a, double b) {
    pli_double_double p;
    p.high = pli_two_sum(a, b, &p.low);
    return p;
}

static inline pli_double_double pli_dd_negative(pli_double_double a) {
    return (pli_double_double){-a.high, -a.low};
}

static inline pli_double_double pli_dd_sum(pli_double_double a, pli_double_double b) {
    pli_double_double high = pli_dd_of(a.high, b.high), low = pli_dd_of(a.low, b.low);
    high = pli_dd_of(high.high, high.low + low.high);
    return pli_dd_of(high.high, high.low + low.low);
}

static inline pli_double_double pli_dd_product(pli_double_double a, pli_double_double b) {
    double low, high = pli_two_product(a.high, b.high, &low);
    return pli_dd_of(high, low + (a.high * b.low + a.low * b.high));
}

// a / b: a quotient, and what it leaves over divided once more
static inline pli_double_double pli_dd_quotient(pli_double_double a, pli_double_double b) {
    double q = a.high / b.high;
    pli_double_double part = pli_dd_product((pli_double_double){q, 0}, b);
    pli_double_double rest = pli_dd_sum(a, pli_dd_negative(part));
    return pli_dd_of(q, rest.high / b.high);
}

// The root of a >= 0, and one step of Newton
static inline pli_double_double pli_dd_root(pli_double_double a) {
    double root = sqrt(a.high), low;
    if (!(root > 0)) return (pli_double_double){root, 0};
    double high = pli_two_product(root, root, &low);
    return pli_dd_of(root, ((a.high - high) - low + a.low) / (2 * root));
}

static inline double pli_dd_rounded(pli_double_double a) { return a.high + a.low; }

#endif
