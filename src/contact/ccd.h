// Continuous collision detection: how far may two primitives move before they touch?
//
// Vertex i moves from x[i] along p[i]; t runs from 0 to t_max <= 1. The answer t is certified: on
// all of [0, t] the distance stays above `apart`, with enough margin that the positions x[i] + t'
// p[i] rounded to double, for any t' in [0, t], are farther apart too (with apart = 0: they have
// neither touched nor crossed). No contact is missed. The answer is conservative: 1/20 of the
// initial distance (less `apart`) is kept, or 1/200 where that lets the pair move more than twice
// as far; and if the iteration limit is reached, the last certified t is returned. A pair that
// touches, or whose distance is below rounding, gets 0.
#ifndef PLI_CONTACT_CCD_H
#define PLI_CONTACT_CCD_H

// Order of vertices: two points; point, e0, e1; point, t0, t1, t2; a0, a1, b0, b1. `dim` components
// each; triangles and pairs of edges need dim = 3. `apart` >= 0: smallest distance allowed [m].
double pli_ccd_point_point(int dim, const double* const* x, const double* const* p, double t_max,
                           double apart);
double pli_ccd_point_edge(int dim, const double* const* x, const double* const* p, double t_max,
                          double apart);
double pli_ccd_point_triangle(int dim, const double* const* x, const double* const* p, double t_max,
                              double apart);
double pli_ccd_edge_edge(int dim, const double* const* x, const double* const* p, double t_max,
                         double apart);

// A lower bound of the distance on all of [0, t_max], for positions rounded to double. Candidate
// separating directions are tried, cheap ones first, until one certifies more than `enough`: a
// smaller result may only mean that no direction was found. p NULL: no motion.
double pli_point_point_clearance(int dim, const double* const* x, const double* const* p,
                                 double t_max, double enough);
double pli_point_edge_clearance(int dim, const double* const* x, const double* const* p,
                                double t_max, double enough);
double pli_point_triangle_clearance(int dim, const double* const* x, const double* const* p,
                                    double t_max, double enough);
double pli_edge_edge_clearance(int dim, const double* const* x, const double* const* p,
                               double t_max, double enough);

// The resolution of distances between primitives with these vertices, from the rounding of
// positions: smaller distances count as touching [m]. p NULL: no motion.
double pli_ccd_resolution(int dim, int vertex_count, const double* const* x,
                          const double* const* p);

#endif
