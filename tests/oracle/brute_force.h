// Slow and obvious answers to what the contact module answers fast.
#ifndef TESTS_ORACLE_BRUTE_FORCE_H
#define TESTS_ORACLE_BRUTE_FORCE_H

#include "spatial/broad_phase.h"

// Whether the closed boxes overlap, written for itself.
bool pli_brute_overlap(const pli_box* a, const pli_box* b);

// Squared distance of a point and an edge from `samples` + 1 points along it (too large by at most
// half the squared spacing).
double pli_brute_point_edge_distance2(int dim, const double* p, const double* e0, const double* e1,
                                      int samples);

// Do the closed segments ab and cd meet? By a solve in long double; wrong only at round-off.
bool pli_brute_segments_meet(const double* a, const double* b, const double* c, const double* d);

#endif
