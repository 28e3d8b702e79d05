// Exact geometric predicates.
#ifndef PLI_MATH_PREDICATES_H
#define PLI_MATH_PREDICATES_H

#include <stdbool.h>

// Sign of the area of the triangle a, b, c in the plane: 1 counter-clockwise, -1 clockwise, 0
// collinear. Exact for coordinates that are 0 or of magnitude 1e-140 to 1e150 (no product under- or
// overflows).
int pli_orient2d(const double a[2], const double b[2], const double c[2]);

// Sign of the volume of the tetrahedron a, b, c, d in space, (a - d) . ((b - d) x (c - d)): 1 if a,
// b, c turn clockwise when seen from d, 0 if coplanar. Exact for coordinates that are 0 or of
// magnitude 1e-90 to 1e100.
int pli_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

// ---- common points
//
// Whether two closed simplices in space share a point. Exact for points in general position,
// coplanar, collinear or coincident, and for degenerate simplices: a collinear triangle counts as
// its longest edge, a zero-length segment as a point. Range of coordinates: see pli_orient3d.

bool pli_points_meet(const double p[3], const double q[3]);
bool pli_point_meets_segment(const double p[3], const double a[3], const double b[3]);
bool pli_point_meets_triangle(const double p[3], const double a[3], const double b[3],
                              const double c[3]);
bool pli_segments_meet(const double a[3], const double b[3], const double c[3], const double d[3]);
bool pli_segment_meets_triangle(const double p[3], const double q[3], const double a[3],
                                const double b[3], const double c[3]);

#endif
