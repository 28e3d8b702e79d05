// Geometric questions answered exactly.
#ifndef PLI_MATH_PREDICATES_H
#define PLI_MATH_PREDICATES_H

#include <stdbool.h>

// Sign of the area of the triangle a, b, c in the plane: 1 counter-clockwise, -1 clockwise, 0 on
// one line. Exact for coordinates that are 0 or of size 1e-140 to 1e150 (no product under- or
// overflows).
int pli_orient2d(const double a[2], const double b[2], const double c[2]);

// Sign of the volume of the tetrahedron a, b, c, d in space, (a - d) . ((b - d) x (c - d)): 1 if
// a, b, c turn clockwise seen from d, 0 in one plane. Exact for coordinates that are 0 or of size
// 1e-90 to 1e100.
int pli_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

// ---- common points
//
// Do two closed simplices in space have a point in common? Answered exactly, for points in general
// position, in one plane, on one line or in one place, and for simplices without extent: a triangle
// on a line counts as its longest edge, a segment without length as a point. Range of coordinates:
// see pli_orient3d.

bool pli_points_meet(const double p[3], const double q[3]);
bool pli_point_meets_segment(const double p[3], const double a[3], const double b[3]);
bool pli_point_meets_triangle(const double p[3], const double a[3], const double b[3],
                              const double c[3]);
bool pli_segments_meet(const double a[3], const double b[3], const double c[3], const double d[3]);
bool pli_segment_meets_triangle(const double p[3], const double q[3], const double a[3],
                                const double b[3], const double c[3]);

#endif
