// Exact collision of a moving point and a moving edge in the plane, on integer coordinates.
#ifndef TESTS_ORACLE_RATIONAL_H
#define TESTS_ORACLE_RATIONAL_H

#include <stdbool.h>

typedef struct pli_exact_hit {
    bool hit;    // exact
    double time; // of the first touch in [0, 1], to about 1e-15
} pli_exact_hit;

// Point, e0, e1 at x move along p over t in [0, 1]. |x|, |p| <= 60, so that nothing overflows 128
// bits; the point must not touch the edge at t = 0.
pli_exact_hit pli_exact_point_edge(int x[3][2], int p[3][2]);

#endif
