// From orientation tests alone. Points in one plane are looked at along a coordinate axis that is
// not parallel to the plane: three of the points then stay off a line, and the view is one to one.
#include "math/meet.h"

#include "math/predicates.h"

#include <stddef.h>

// Views along x, y, z: which coordinates are left.
static const int views[3][2] = {{1, 2}, {2, 0}, {0, 1}};

static int orient(const int view[2], const double* a, const double* b, const double* c) {
    double p[3][2] = {{a[view[0]], a[view[1]]}, {b[view[0]], b[view[1]]}, {c[view[0]], c[view[1]]}};
    return pli_orient2d(p[0], p[1], p[2]);
}

// A view in which a, b, c are not on a line; NULL: they are on a line in space.
static const int* open_view(const double* a, const double* b, const double* c) {
    for (int k = 0; k < 3; ++k)
        if (orient(views[k], a, b, c) != 0) return views[k];
    return NULL;
}

// In the box of a and b.
static bool within(const double* p, const double* a, const double* b) {
    for (int k = 0; k < 3; ++k) {
        if (p[k] < a[k] && p[k] < b[k]) return false;
        if (p[k] > a[k] && p[k] > b[k]) return false;
    }
    return true;
}

bool pli_points_meet(const double p[3], const double q[3]) {
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

bool pli_point_meets_segment(const double p[3], const double a[3], const double b[3]) {
    return within(p, a, b) && !open_view(a, b, p);
}

// p in the plane of a, b, c, which is open in the view: on no outer side of an edge.
static bool in_triangle(const int view[2], const double* p, const double* a, const double* b,
                        const double* c) {
    int ab = orient(view, a, b, p), bc = orient(view, b, c, p), ca = orient(view, c, a, p);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

bool pli_point_meets_triangle(const double p[3], const double a[3], const double b[3],
                              const double c[3]) {
    if (pli_orient3d(a, b, c, p) != 0) return false;
    const int* view = open_view(a, b, c);
    if (view) return in_triangle(view, p, a, b, c);
    return pli_point_meets_segment(p, a, b) || pli_point_meets_segment(p, b, c) ||
           pli_point_meets_segment(p, c, a);
}

// Four points in a plane that is open in the view: each segment's ends lie on both sides of the
// other's line, or an end lies on the other segment.
static bool meet_in_plane(const int view[2], const double* a, const double* b, const double* c,
                          const double* d) {
    int abc = orient(view, a, b, c), abd = orient(view, a, b, d);
    int cda = orient(view, c, d, a), cdb = orient(view, c, d, b);
    if (abc * abd < 0 && cda * cdb < 0) return true;
    return (abc == 0 && within(c, a, b)) || (abd == 0 && within(d, a, b)) ||
           (cda == 0 && within(a, c, d)) || (cdb == 0 && within(b, c, d));
}

bool pli_segments_meet(const double a[3], const double b[3], const double c[3], const double d[3]) {
    if (pli_orient3d(a, b, c, d) != 0) return false;
    if (pli_points_meet(a, b)) return pli_point_meets_segment(a, c, d);
    const int* view = open_view(a, b, c);
    if (!view) view = open_view(a, b, d);
    if (view) return meet_in_plane(view, a, b, c, d);
    // All on one line.
    return within(c, a, b) || within(d, a, b) || within(a, c, d) || within(b, c, d);
}

// All five points in one plane.
static bool segment_meets_flat(const double* p, const double* q, const double* a, const double* b,
                               const double* c) {
    const int* view = open_view(a, b, c);
    if (!view)
        return pli_segments_meet(p, q, a, b) || pli_segments_meet(p, q, b, c) ||
               pli_segments_meet(p, q, c, a);
    return in_triangle(view, p, a, b, c) || meet_in_plane(view, p, q, a, b) ||
           meet_in_plane(view, p, q, b, c) || meet_in_plane(view, p, q, c, a);
}

bool pli_segment_meets_triangle(const double p[3], const double q[3], const double a[3],
                                const double b[3], const double c[3]) {
    int from = pli_orient3d(a, b, c, p), to = pli_orient3d(a, b, c, q);
    if (from * to > 0) return false;
    if (from == 0 && to == 0) return segment_meets_flat(p, q, a, b, c);
    // The segment meets the plane in one point; it is in the triangle if the segment's line passes
    // all edges on the same side.
    int ab = pli_orient3d(p, q, a, b), bc = pli_orient3d(p, q, b, c), ca = pli_orient3d(p, q, c, a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}
