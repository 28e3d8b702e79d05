// Continuous collision detection: how far may two primitives move before they touch?
//
// Vertex i moves from x[i] along p[i]; t counts from 0 to t_max <= 1. The answer t is certified: on
// all of [0, t] the distance stays positive, by so much that the positions x[i] + t' p[i] as
// rounded to double, for any t' in [0, t], have neither touched nor crossed. It never misses a
// contact. It is conservative: it stops when a tenth of the first distance is left, and it returns
// the last certified t if the bounded number of iterations did not reach the end. A pair that
// touches, or is closer than rounding can tell, gets 0.
#ifndef PLI_CONTACT_CCD_H
#define PLI_CONTACT_CCD_H

#include <stdbool.h>

// Order of vertices: two points; point, e0, e1. `dim` components each.
double pli_ccd_point_point(int dim, const double* const* x, const double* const* p, double t_max);
double pli_ccd_point_edge(int dim, const double* const* x, const double* const* p, double t_max);

// True only if point and edge stay farther apart than `distance` on all of [0, t_max]. A quick
// sufficient test: false may mean "not seen". p NULL: no motion.
bool pli_point_edge_stays_apart(int dim, const double* const* x, const double* const* p,
                                double t_max, double distance);

// A distance of primitives with these vertices that rounding of the positions cannot fake: smaller
// ones count as touching [m]. p NULL: no motion.
double pli_ccd_resolution(int dim, int vertex_count, const double* const* x,
                          const double* const* p);

#endif
