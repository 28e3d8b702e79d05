// Continuous collision detection: how far may two primitives move before they touch?
//
// Vertex i moves from x[i] along p[i]; t counts from 0 to t_max <= 1. The answer t is certified: on
// all of [0, t] the distance stays above `apart`, by so much that the positions x[i] + t' p[i] as
// rounded to double, for any t' in [0, t], are farther apart too (with apart = 0: they have neither
// touched nor crossed). It never misses a contact. It is conservative: a twentieth of the first
// distance (less `apart`) is left, a 200th where that lets the pair go more than twice as far; and
// the last certified t is returned if the bounded number of iterations does not reach the end. A
// pair that touches, or is closer to it than rounding can tell, gets 0.
#ifndef PLI_CONTACT_CCD_H
#define PLI_CONTACT_CCD_H

// Order of vertices: two points; point, e0, e1; point, t0, t1, t2; a0, a1, b0, b1. `dim` components
// each; triangles and pairs of edges are for space. `apart` >= 0: smallest distance allowed [m].
double pli_ccd_point_point(int dim, const double* const* x, const double* const* p, double t_max,
                           double apart);
double pli_ccd_point_edge(int dim, const double* const* x, const double* const* p, double t_max,
                          double apart);
double pli_ccd_point_triangle(int dim, const double* const* x, const double* const* p, double t_max,
                              double apart);
double pli_ccd_edge_edge(int dim, const double* const* x, const double* const* p, double t_max,
                         double apart);

// A lower bound of the distance on all of [0, t_max], of positions as rounded to double. Directions
// that may separate the pair are tried, quick ones first, until one shows more than `enough`: less
// than that may mean "not seen". p NULL: no motion.
double pli_point_point_clearance(int dim, const double* const* x, const double* const* p,
                                 double t_max, double enough);
double pli_point_edge_clearance(int dim, const double* const* x, const double* const* p,
                                double t_max, double enough);
double pli_point_triangle_clearance(int dim, const double* const* x, const double* const* p,
                                    double t_max, double enough);
double pli_edge_edge_clearance(int dim, const double* const* x, const double* const* p,
                               double t_max, double enough);

// A distance of primitives with these vertices that rounding of the positions cannot fake: smaller
// ones count as touching [m]. p NULL: no motion.
double pli_ccd_resolution(int dim, int vertex_count, const double* const* x,
                          const double* const* p);

#endif
