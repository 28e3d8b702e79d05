// Exact sums and products of doubles, as expansions: nonoverlapping numbers, smallest first, whose
// sum is the value; zero entries are dropped, so 0 is the empty expansion and the sign is that of
// the last entry [Shewchuk97].
//
// Invariant: entries are strongly nonoverlapping; every function here preserves it. Needs
// round-to-nearest, no contraction, and no over- or underflow of products: after an overflow the
// value is undefined, but the number of entries stays within its bound.
#ifndef PLI_MATH_EXPANSION_H
#define PLI_MATH_EXPANSION_H

#include <math.h>

// sum + *error = a + b exactly
static inline double pli_two_sum(double a, double b, double* error) {
    double sum = a + b, b_part = sum - a, a_part = sum - b_part;
    *error = (a - a_part) + (b - b_part);
    return sum;
}

// product + *error = a b exactly
static inline double pli_two_product(double a, double b, double* error) {
    double product = a * b;
    *error = fma(a, b, -product);
    return product;
}

// Appends x unless it is 0 or NaN; returns the new count.
static inline int pli_expansion_push(double* h, int count, double x) {
    h[count] = x;
    return count + (fabs(x) > 0);
}

// h (2) = a - b
static inline int pli_expansion_difference(double a, double b, double* h) {
    double error, difference = pli_two_sum(a, -b, &error);
    return pli_expansion_push(h, pli_expansion_push(h, 0, error), difference);
}

// h (m + n) = e + f: entries of both merged by size, then summed.
static inline int pli_expansion_sum(int m, const double* e, int n, const double* f, double* h) {
    int i = 0, j = 0, count = 0;
    double carry = 0, error;
    while (i < m || j < n) {
        double next = j == n || (i < m && fabs(e[i]) < fabs(f[j])) ? e[i++] : f[j++];
        carry = pli_two_sum(carry, next, &error);
        count = pli_expansion_push(h, count, error);
    }
    return fabs(carry) > 0 ? pli_expansion_push(h, count, carry) : count;
}

// h (2 m) = b e
static inline int pli_expansion_scale(int m, const double* e, double b, double* h) {
    int count = 0;
    double carry = 0, error;
    for (int i = 0; i < m; ++i) {
        double low, high = pli_two_product(e[i], b, &low);
        carry = pli_two_sum(carry, low, &error);
        count = pli_expansion_push(h, count, error);
        carry = pli_two_sum(high, carry, &error);
        count = pli_expansion_push(h, count, error);
    }
    return fabs(carry) > 0 ? pli_expansion_push(h, count, carry) : count;
}

// h (4 m) = e f, f of at most 2 entries; room (4 m) is scratch.
static inline int pli_expansion_product(int m, const double* e, int n, const double* f,
                                        double* room, double* h) {
    if (n == 0) return 0;
    if (n == 1) return pli_expansion_scale(m, e, f[0], h);
    int low = pli_expansion_scale(m, e, f[0], room);
    int high = pli_expansion_scale(m, e, f[1], room + low);
    return pli_expansion_sum(low, room, high, room + low, h);
}

static inline void pli_expansion_negate(int m, double* e) {
    for (int i = 0; i < m; ++i) e[i] = -e[i];
}

static inline int pli_expansion_sign(int m, const double* e) {
    return m == 0 ? 0 : e[m - 1] > 0 ? 1 : -1;
}

#endif
