// Exact collision of primitives that move in space, by integer arithmetic (GMP).
#ifndef TESTS_ORACLE_EXACT_MOTION_H
#define TESTS_ORACLE_EXACT_MOTION_H

#include <stdbool.h>

typedef struct pli_exact_contact {
    bool hit;    // exact
    double time; // of the first touch in (0, 1], to about 1e-15
} pli_exact_contact;

// Vertices in the order of the library: two points; point, e0, e1; point, t0, t1, t2; a0, a1, b0,
// b1. They move from x to x + p over t in [0, 1]; they must not touch at t = 0. Coordinates must be
// multiples of 2^-80.
pli_exact_contact pli_exact_point_point_contact(const double* const* x, const double* const* p);
pli_exact_contact pli_exact_point_edge_contact(const double* const* x, const double* const* p);
pli_exact_contact pli_exact_point_triangle_contact(const double* const* x, const double* const* p);
pli_exact_contact pli_exact_edge_edge_contact(const double* const* x, const double* const* p);

#endif
