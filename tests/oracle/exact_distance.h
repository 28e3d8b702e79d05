// Squared distances of primitives in space, by rational arithmetic on the coordinates as they are.
#ifndef TESTS_ORACLE_EXACT_DISTANCE_H
#define TESTS_ORACLE_EXACT_DISTANCE_H

// Of point, t0, t1, t2 and of a0, a1, b0, b1. Exact, then rounded once.
double pli_exact_point_triangle_distance2(const double* const* x);
double pli_exact_edge_edge_distance2(const double* const* x);

#endif
