// Numbers of about 106 bits: high + low, where |low| is at most half an ulp of high. For elementary
// functions, whose results shall be right in nearly all of a double's bits.
// Invariant: operations give such pairs, with relative errors of some 2^-100, as long as nothing
// over- or underflows. Needs round-to-nearest and no contraction [Dekker71].
#ifndef PLI_MATH_PAIR_H
#define PLI_MATH_PAIR_H

#include "math/expansion.h"

typedef struct pli_pair {
    double high, low;
} pli_pair;

static inline pli_pair pli_pair_of(double a, double b) {
    pli_pair p;
    p.high = pli_two_sum(a, b, &p.low);
    return p;
}

static inline pli_pair pli_pair_negative(pli_pair a) { return (pli_pair){-a.high, -a.low}; }

static inline pli_pair pli_pair_sum(pli_pair a, pli_pair b) {
    pli_pair high = pli_pair_of(a.high, b.high), low = pli_pair_of(a.low, b.low);
    high = pli_pair_of(high.high, high.low + low.high);
    return pli_pair_of(high.high, high.low + low.low);
}

static inline pli_pair pli_pair_product(pli_pair a, pli_pair b) {
    double low, high = pli_two_product(a.high, b.high, &low);
    return pli_pair_of(high, low + (a.high * b.low + a.low * b.high));
}

// a / b: a quotient, and what it leaves over divided once more
static inline pli_pair pli_pair_quotient(pli_pair a, pli_pair b) {
    double q = a.high / b.high;
    pli_pair part = pli_pair_product((pli_pair){q, 0}, b);
    pli_pair rest = pli_pair_sum(a, pli_pair_negative(part));
    return pli_pair_of(q, rest.high / b.high);
}

// The root of a >= 0, and one step of Newton
static inline pli_pair pli_pair_root(pli_pair a) {
    double root = sqrt(a.high), low;
    if (!(root > 0)) return (pli_pair){root, 0};
    double high = pli_two_product(root, root, &low);
    return pli_pair_of(root, ((a.high - high) - low + a.low) / (2 * root));
}

static inline double pli_pair_rounded(pli_pair a) { return a.high + a.low; }

#endif
