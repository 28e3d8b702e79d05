// Exact answers in space by rational arithmetic (GMP), in ways the library does not use.
#ifndef TESTS_ORACLE_EXACT_SPACE_H
#define TESTS_ORACLE_EXACT_SPACE_H

#include <stdbool.h>

// Sign of (a - d) . ((b - d) x (c - d)), multiplied out.
int pli_exact_orient3d(const double* a, const double* b, const double* c, const double* d);

// Do the closed hulls of m and of n points (at most 3 each) meet? A point in both is a solution
// >= 0 of five linear equations; if there is one, there is one with independent columns: all are
// tried.
bool pli_exact_hulls_meet(int m, const double* const* a, int n, const double* const* b);

#endif
