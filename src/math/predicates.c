// Exact signs: floating point with an error bound first, exact expansions only if that cannot
// decide [Shewchuk97]. The expansions begin with differences, which seldom have two entries: for
// coordinates with few digits all later expansions are short.
#include "math/predicates.h"

#include <float.h>
#include <stddef.h>

#include "math/expansion.h"

typedef struct difference {
    int count;
    double entries[2];
} difference;

static difference subtract(double a, double b) {
    difference d;
    d.count = pli_expansion_difference(a, b, d.entries);
    return d;
}

static int sign(double x) { return (x > 0) - (x < 0); }

// h (16) = p s - q r
static int minor(const difference* p, const difference* q, const difference* r, const difference* s,
                 double h[16]) {
    double room[8], left[8], right[8];
    int m = pli_expansion_product(p->count, p->entries, s->count, s->entries, room, left);
    int n = pli_expansion_product(q->count, q->entries, r->count, r->entries, room, right);
    pli_expansion_negate(n, right);
    return pli_expansion_sum(m, left, n, right, h);
}

static int orient2d_exact(const double a[2], const double b[2], const double c[2]) {
    difference ax = subtract(a[0], c[0]), ay = subtract(a[1], c[1]);
    difference bx = subtract(b[0], c[0]), by = subtract(b[1], c[1]);
    double h[16];
    return pli_expansion_sign(minor(&ax, &ay, &bx, &by, h), h);
}

// det = (a - c) x (b - c). Six roundings, of which the differences and the products enter relative
// to |left| + |right|: the error is below (3 + 16 u) u (|left| + |right|), u = 2^-53 [Shewchuk97].
int pli_orient2d(const double a[2], const double b[2], const double c[2]) {
    const double u = 0.5 * DBL_EPSILON;
    double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    double det = left - right, bound = (3 + 16 * u) * u * (fabs(left) + fabs(right));
    if (fabs(det) > bound) return sign(det);
    return orient2d_exact(a, b, c);
}

// By the third column: det = sum over cyclic (a, b, c) of (a - d)_z ((b - d) x (c - d))_z.
static int orient3d_exact(const double* const v[3], const double d[3]) {
    difference x[3], y[3], z[3];
    for (int i = 0; i < 3; ++i) {
        x[i] = subtract(v[i][0], d[0]);
        y[i] = subtract(v[i][1], d[1]);
        z[i] = subtract(v[i][2], d[2]);
    }
    double parts[3][64], two[128], all[192], m[16], room[64];
    int count[3];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int n = minor(&x[j], &y[j], &x[k], &y[k], m);
        count[i] = pli_expansion_product(n, m, z[i].count, z[i].entries, room, parts[i]);
    }
    int n = pli_expansion_sum(count[0], parts[0], count[1], parts[1], two);
    n = pli_expansion_sum(n, two, count[2], parts[2], all);
    return pli_expansion_sign(n, all);
}

// The same sum in doubles: its error is below (7 + 56 u) u times the sum of the absolute values of
// the six products [Shewchuk97].
int pli_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]) {
    const double u = 0.5 * DBL_EPSILON;
    double ax = a[0] - d[0], bx = b[0] - d[0], cx = c[0] - d[0];
    double ay = a[1] - d[1], by = b[1] - d[1], cy = c[1] - d[1];
    double az = a[2] - d[2], bz = b[2] - d[2], cz = c[2] - d[2];
    double bc = bx * cy, cb = cx * by, ca = cx * ay, ac = ax * cy, ab = ax * by, ba = bx * ay;
    double det = az * (bc - cb) + bz * (ca - ac) + cz * (ab - ba);
    double size = (fabs(bc) + fabs(cb)) * fabs(az) + (fabs(ca) + fabs(ac)) * fabs(bz) +
                  (fabs(ab) + fabs(ba)) * fabs(cz);
    if (fabs(det) > (7 + 56 * u) * u * size) return sign(det);
    return orient3d_exact((const double* const[3]){a, b, c}, d);
}

// ---- common points
//
// Uses orientation tests only. Coplanar points are projected along a coordinate axis that is not
// parallel to the plane: three of the points then stay non-collinear, and the projection is one to
// one.

// Projections along x, y, z: the remaining coordinates.
static const int views[3][2] = {{1, 2}, {2, 0}, {0, 1}};

static int orient(const int view[2], const double* a, const double* b, const double* c) {
    double p[3][2] = {{a[view[0]], a[view[1]]}, {b[view[0]], b[view[1]]}, {c[view[0]], c[view[1]]}};
    return pli_orient2d(p[0], p[1], p[2]);
}

// A projection in which a, b, c are not collinear; NULL: they are collinear in space.
static const int* open_view(const double* a, const double* b, const double* c) {
    for (int k = 0; k < 3; ++k)
        if (orient(views[k], a, b, c) != 0) return views[k];
    return NULL;
}

// Whether it is in the box of a and b.
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

// p in the plane of a, b, c, which the projection preserves: on no outer side of an edge.
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

// Four points in a plane that the projection preserves: the ends of each segment lie on both sides
// of the other's line, or an end lies on the other segment.
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
    // All collinear.
    return within(c, a, b) || within(d, a, b) || within(a, c, d) || within(b, c, d);
}

// All five points coplanar.
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
