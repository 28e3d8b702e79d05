// Do two closed simplices in space have a point in common? Answered exactly, for points in general
// position, in one plane, on one line or in one place, and for simplices without extent: a triangle
// on a line counts as its longest edge, a segment without length as a point. Range of coordinates:
// see pli_orient3d.
#ifndef PLI_MATH_MEET_H
#define PLI_MATH_MEET_H

#include <stdbool.h>

bool pli_points_meet(const double p[3], const double q[3]);
bool pli_point_meets_segment(const double p[3], const double a[3], const double b[3]);
bool pli_point_meets_triangle(const double p[3], const double a[3], const double b[3],
                              const double c[3]);
bool pli_segments_meet(const double a[3], const double b[3], const double c[3], const double d[3]);
bool pli_segment_meets_triangle(const double p[3], const double q[3], const double a[3],
                                const double b[3], const double c[3]);

#endif
