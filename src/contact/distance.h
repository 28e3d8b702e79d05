// Distances of points and edges, with derivatives, in the plane and in space.
//
// The distance d of a point p and an edge (e0, e1) is |w|, w = p - (1-r) e0 - r e1 with the r in
// [0, 1] that minimizes it. Derivatives are available for any function psi(d): d^2 itself, a
// barrier. All of them are built from one frame: weights c, normal, tangent.
#ifndef PLI_CONTACT_DISTANCE_H
#define PLI_CONTACT_DISTANCE_H

#include <stdbool.h>

typedef enum pli_edge_feature {
    PLI_NEAR_E0,   // the end e0 is closest
    PLI_NEAR_E1,   // the end e1 is closest
    PLI_NEAR_LINE, // a point between the ends is closest
} pli_edge_feature;

typedef struct pli_point_edge {
    pli_edge_feature feature;
    double r;          // parameter of the closest point, in [0, 1]
    double distance;   // [m]
    double c[3];       // weights of p, e0, e1 in w: 1, -(1-r), -r
    double normal[3];  // unit, from the edge to the point; any perpendicular one if d = 0
    double tangent[3]; // unit, along the edge; only for PLI_NEAR_LINE
    double slope;      // d / |e1 - e0| for PLI_NEAR_LINE, else 0
} pli_point_edge;

double pli_point_point_distance2(int dim, const double* p, const double* q); // [m^2]

// Closest points. A zero-length edge counts as its end e0.
void pli_point_edge_closest(int dim, const double* p, const double* e0, const double* e1,
                            pli_point_edge* out);

// g (3 dim) += d psi / d(p, e0, e1), given psi'(d).
void pli_point_edge_gradient(const pli_point_edge* pair, int dim, double first, double* g);

// H (3 dim x 3 dim) += the second derivatives, given psi''(d) and psi'(d) / d.
void pli_point_edge_hessian(const pli_point_edge* pair, int dim, double second, double first_over_d,
                            double* H);

// The same, but += the nearest positive semi-definite matrix. For barriers: requires psi'' >= 0 and
// psi' <= 0.
void pli_point_edge_hessian_psd(const pli_point_edge* pair, int dim, double second,
                                double first_over_d, double* H);

#endif
