// Numbers of at least 113 bits: formulas that cancel 15 digits still have more of them than a
// double. Four operations come from the compiler; square root and logarithm are here.
#ifndef TESTS_ORACLE_QUAD_H
#define TESTS_ORACLE_QUAD_H

#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG >= 113
typedef long double pli_quad;
#else
__extension__ typedef __float128 pli_quad;
#endif

#ifdef __clang__ // mixing doubles in is the purpose
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif

static inline pli_quad pli_quad_abs(pli_quad a) { return a < 0 ? -a : a; }

// Newton's method doubles the 53 bits of the first guess twice.
static inline pli_quad pli_quad_sqrt(pli_quad a) {
    if (!(a > 0)) return 0;
    pli_quad root = sqrt((double)a);
    for (int i = 0; i < 2; ++i) root = (root + a / root) / 2;
    return root;
}

// ln a = 16 ln m = 32 (t + t^3/3 + ...) with m = a^(1/16), t = (m - 1) / (m + 1); 1e-4 < a < 1e4,
// so that t^2 < 0.08 and 40 terms suffice. The absolute error is some 1e-32.
static inline pli_quad pli_quad_log(pli_quad a) {
    for (int i = 0; i < 4; ++i) a = pli_quad_sqrt(a);
    pli_quad t = (a - 1) / (a + 1), square = t * t, sum = 0;
    int terms = pli_quad_abs(t) < 0.01 ? 10 : 40;
    for (int k = 2 * terms + 1; k > 0; k -= 2) sum = sum * square + (pli_quad)1 / k;
    return 32 * t * sum;
}

#endif
