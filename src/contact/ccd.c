// Conservative advancement with a separating direction.
//
// The distance of two convex primitives is the distance of the origin to the hull of the
// differences y_i of their corners (one for point-point, two for point-edge, three for
// point-triangle, four for edge-edge). For any unit n it is at least min_i n.y_i, and n.y_i(t) is
// linear in t. So from t on the distance stays above `floor` for
//   min over approaching corners of (n.y_i - floor) / -(n.y_i'),
// and with n towards the closest point this is never shorter than the step (d - floor) / l of
// additive CCD [Li21] (|n.y_i'| <= l, n.y_i >= d), while sliding past each other costs nothing.
// The certificate holds for every n: an inexact closest point only costs speed. With thickness,
// `floor` contains `apart`: n.y_i - apart loses no digits (both are of one size, so the difference
// is exact), and the rounding of n.y_i itself is below the resolution, which every floor exceeds.
// [Li21] takes (d^2 - apart^2) / (d + apart) because it has d^2. The iteration limit ends at the
// last t that was certified.
//
// Edges that stay close and tilt, as in a sliding contact, rotate n: each step is then as short as
// the distance. In space a second certificate therefore uses the signed volume: with the directions
// u, v of the primitives and V = y . (u x v) for some corner y, their lines (or point and plane)
// are |V| / |u x v| apart, and V(t) is a cubic. While it stays above floor max|u| max|v| they stay
// farther apart than floor. In the plane the same holds for the signed area of a point and an edge.
#include "contact/ccd.h"

#include "contact/closest.h"
#include "contact/distance.h"
#include "math/small.h"
#include "math/vec.h"

#include <float.h>
#include <stddef.h>

enum { MAX_CORNERS = 4, MAX_ITERATIONS = 64 };

// Fraction of the initial distance that is kept; and the smaller one, used where it lets a pair
// move more than twice as far (a pair that slides along closely, or past).
static const double floor_shares[2] = {0.05, 0.005};

// A separation of less than this many floors ends the advancement.
static const double stop_factor = 1.2;

typedef struct hull hull;

struct hull {
    int dim, count;
    double y[MAX_CORNERS][3];             // corners at t = 0 [m]
    double motion[MAX_CORNERS][3];        // over t = 0 .. 1 [m]
    double resolution, motion_resolution; // of positions, and what a whole step adds [m]
    // The unit direction from the point of the hull closest to the origin, at time t: the best
    // separating direction.
    void (*direction)(const hull* h, double t, double n[3]);
};

// Rounding of x + t p moves a vertex by less than 2 eps (|x| + |p|) in each coordinate, and the
// arithmetic here adds less than 8; 32 also covers positions that are combinations of a few
// unknowns. A sum, not a maximum: it is NaN if any coordinate is.
double pli_ccd_resolution(int dim, int vertex_count, const double* const* x,
                          const double* const* p) {
    double size = 0;
    for (int i = 0; i < vertex_count; ++i)
        for (int k = 0; k < dim; ++k) size += fabs(x[i][k]) + (p ? fabs(p[i][k]) : 0);
    return 32 * DBL_EPSILON * size;
}

static void corner_at(const hull* h, int i, double t, double out[3]) {
    for (int k = 0; k < h->dim; ++k) out[k] = h->y[i][k] + t * h->motion[i][k];
}

// The origin against the edge of the negated corners.
static void point_direction(const hull* h, double t, double n[3]) {
    static const double origin[3] = {0};
    double e[2][3] = {{0}};
    for (int i = 0; i < 2; ++i) {
        corner_at(h, i < h->count ? i : 0, t, e[i]); // a single corner is an edge of zero length
        for (int k = 0; k < h->dim; ++k) e[i][k] = -e[i][k];
    }
    pli_point_edge pair;
    pli_point_edge_closest(h->dim, origin, e[0], e[1], &pair);
    for (int k = 0; k < 3; ++k) n[k] = pair.normal[k];
}

// The point of the hull closest to the origin is minus that of the triangle (negated corners) to 0.
static void triangle_direction(const hull* h, double t, double n[3]) {
    double e[4][3] = {{0}};
    const double* x[4] = {e[0], e[1], e[2], e[3]};
    for (int i = 0; i < 3; ++i) {
        corner_at(h, i, t, e[i + 1]);
        for (int k = 0; k < 3; ++k) e[i + 1][k] = -e[i + 1][k];
    }
    pli_closest pair;
    pli_point_triangle_closest(x, &pair);
    for (int k = 0; k < 3; ++k) n[k] = pair.normal[k];
}

// Corners a0 - b0, a0 - b1, a1 - b0, a1 - b1. Relative to b0 the edges are (y0, y2), (0, y0 - y1).
static void edges_direction(const hull* h, double t, double n[3]) {
    double e[4][3] = {{0}}, y1[3];
    const double* x[4] = {e[0], e[1], e[2], e[3]};
    corner_at(h, 0, t, e[0]);
    corner_at(h, 2, t, e[1]);
    corner_at(h, 1, t, y1);
    pli_sub(e[0], y1, e[3], 3);
    pli_closest pair;
    pli_edge_edge_closest(x, &pair);
    for (int k = 0; k < 3; ++k) n[k] = pair.normal[k];
}

// Corners: each of the first a_count vertices minus each of the b_count others.
static void make_hull(int dim, int a_count, int b_count, const double* const* x,
                      const double* const* p, hull* out) {
    out->dim = dim;
    out->count = a_count * b_count;
    out->direction = a_count == 2   ? edges_direction
                     : b_count == 3 ? triangle_direction
                                    : point_direction;
    for (int i = 0; i < out->count; ++i) {
        int a = i / b_count, b = a_count + i % b_count;
        for (int k = 0; k < 3; ++k) {
            out->y[i][k] = k < dim ? x[a][k] - x[b][k] : 0;
            out->motion[i][k] = k < dim && p ? p[a][k] - p[b][k] : 0;
        }
    }
    out->resolution = pli_ccd_resolution(dim, a_count + b_count, x, NULL);
    out->motion_resolution =
        p ? pli_ccd_resolution(dim, a_count + b_count, x, p) - out->resolution : 0;
}

// The corners along a direction n: n.y_i(t) = at + t speed.
typedef struct shadow {
    int count;
    double at[MAX_CORNERS], speed[MAX_CORNERS];
} shadow;

static shadow shadow_along(const hull* h, const double n[3]) {
    shadow out;
    out.count = h->count;
    for (int i = 0; i < h->count; ++i) {
        out.at[i] = pli_dot(n, h->y[i], 3);
        out.speed[i] = pli_dot(n, h->motion[i], 3);
    }
    return out;
}

// Separation along n at time t: a lower bound of the distance.
static double separation(const shadow* s, double t) {
    double smallest = HUGE_VAL;
    for (int i = 0; i < s->count; ++i) {
        double place = s->at[i] + t * s->speed[i];
        if (!(place >= smallest)) smallest = place;
    }
    return smallest;
}

// How much longer than t the separation along n stays above `floor`.
static double free_time(const shadow* s, double t, double floor) {
    double step = HUGE_VAL;
    for (int i = 0; i < s->count; ++i) {
        if (!(s->speed[i] < 0)) continue;
        double time = (s->at[i] + t * s->speed[i] - floor) / -s->speed[i];
        if (time < step) step = time;
    }
    return step;
}

// The longest step, at most t_max, over which rounding cannot close a distance s; 0 if s itself is
// below rounding. A pair that is very close can therefore still separate, in short steps.
static double resolved_step(const hull* h, double s, double t_max) {
    double room = 0.45 * s - h->resolution;
    if (!(room > 0) || !isfinite(h->motion_resolution)) return 0;
    return h->motion_resolution * t_max > room ? room / h->motion_resolution : t_max;
}

static double triple(const double a[3], const double b[3], const double c[3]) {
    double cross[3];
    pli_cross3(b, c, cross);
    return pli_dot(a, cross, 3);
}

// A moving vector: its value at t = 0, its motion, and its largest length up to t_max.
typedef struct moving {
    double at[3], by[3], length;
} moving;

// Corner i, or corner i minus corner j.
static moving moving_corner(const hull* h, int i, int j, double t_max) {
    moving out;
    double end[3];
    for (int k = 0; k < 3; ++k) {
        out.at[k] = h->y[i][k] - (j < 0 ? 0 : h->y[j][k]);
        out.by[k] = t_max * (h->motion[i][k] - (j < 0 ? 0 : h->motion[j][k]));
        end[k] = out.at[k] + out.by[k];
    }
    out.length = fmax(pli_norm(out.at, 3), pli_norm(end, 3));
    return out;
}

// How long c0 + c1 t + c2 t^2 + c3 t^3, t in units of t_max, stays farther from 0 than `least`.
static double polynomial_time(const double c[4], double least, double t_max) {
    double sign = c[0] < 0 ? -1 : 1, room = sign * c[0] - least;
    if (!(room > 0) || !isfinite(c[1]) || !isfinite(c[2]) || !isfinite(c[3])) return 0;
    double root = pli_first_root3(sign * c[3], sign * c[2], sign * c[1], room);
    return root < 1 ? root * t_max : t_max;
}

static double cross2(const double a[3], const double b[3]) { return a[0] * b[1] - a[1] * b[0]; }

// A point and an edge in the plane: y from an end to the point, u along the edge.
static double area_time(const hull* h, double t_max, double floor) {
    moving y = moving_corner(h, 0, -1, t_max), u = moving_corner(h, 1, 0, t_max);
    double c[4] = {cross2(y.at, u.at), cross2(y.by, u.at) + cross2(y.at, u.by), cross2(y.by, u.by),
                   0};
    double rounding = 64 * 9 * DBL_EPSILON * y.length * u.length;
    return polynomial_time(c, floor * u.length + rounding, t_max);
}

// How long the volume certifies a distance above `floor`, at most t_max; 0 if it does not. Allows
// for the rounding of a few dozen operations on vectors no longer than |at| + |by| <= 3 length.
static double volume_time(const hull* h, double t_max, double floor) {
    if (h->dim == 2 && h->count == 2) return area_time(h, t_max, floor);
    if (h->count < 3) return 0;
    moving y = moving_corner(h, 0, -1, t_max);
    moving u = moving_corner(h, h->count == 4 ? 2 : 1, 0, t_max);
    moving v = moving_corner(h, h->count == 4 ? 1 : 2, 0, t_max);
    double c[4] = {triple(y.at, u.at, v.at),
                   triple(y.by, u.at, v.at) + triple(y.at, u.by, v.at) + triple(y.at, u.at, v.by),
                   triple(y.at, u.by, v.by) + triple(y.by, u.at, v.by) + triple(y.by, u.by, v.at),
                   triple(y.by, u.by, v.by)};
    double rounding = 64 * 27 * DBL_EPSILON * y.length * u.length * v.length;
    return polynomial_time(c, floor * u.length * v.length + rounding, t_max);
}

// Takes the direction d, of any length, if it separates better than *best does at time t.
static void try_direction(const hull* h, double t, const double d[3], shadow* best) {
    double length = pli_norm(d, 3), n[3];
    if (!(length > 0)) return;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < 3; ++k) n[k] = side * d[k] / length;
        shadow along = shadow_along(h, n);
        if (separation(&along, t) > separation(best, t)) *best = along;
    }
}

// The best separating direction known at time t. Closest points at a distance s with an error of
// the resolution r give a direction with an error of r / s; corners at a distance l may then appear
// l r / s nearer. Where that is not small against s, directions perpendicular to the sides of the
// hull are tried too: they do not have this error.
static shadow best_shadow(const hull* h, double t) {
    double n[3], sides[3][3], d[3], size = 0;
    h->direction(h, t, n);
    shadow best = shadow_along(h, n);
    int side_count = h->count == 4 ? 2 : h->count * (h->count - 1) / 2; // a parallelogram has 2
    for (int i = 0; i < side_count; ++i) {
        double from[3] = {0}, to[3] = {0}; // in the plane two numbers are set
        corner_at(h, i == 2 ? 1 : 0, t, from);
        corner_at(h, i == 0 ? 1 : 2, t, to);
        pli_sub(to, from, sides[i], 3);
        size = fmax(size, pli_norm(sides[i], 3));
    }
    double s = separation(&best, t), share = 0.01;
    if (s > 0 && size * h->resolution < share * s * s) return best;
    for (int i = 0; i < side_count; ++i) {
        double along = pli_dot(sides[i], sides[i], 3);
        if (!(along > 0)) continue;
        double part = pli_dot(n, sides[i], 3) / along;
        for (int k = 0; k < 3; ++k) d[k] = n[k] - part * sides[i][k];
        try_direction(h, t, d, &best);
    }
    if (h->dim == 3 && side_count >= 2) {
        pli_cross3(sides[0], sides[1], d);
        try_direction(h, t, d, &best);
    }
    return best;
}

static double advance(const hull* h, double t_max, double apart) {
    double t = 0, first_stop = 0, floors[2];
    shadow along = best_shadow(h, t);
    double s = separation(&along, t) - apart;
    t_max = resolved_step(h, s, t_max);
    if (t_max == 0) return 0;
    for (int i = 0; i < 2; ++i)
        floors[i] = fmax(floor_shares[i] * s, h->resolution + t_max * h->motion_resolution);
    double tenth = fmax(0.1 * s, floors[1]); // distance that the volume certificate keeps
    int level = 0;
    for (int iteration = 0; iteration < MAX_ITERATIONS; ++iteration) {
        double step = free_time(&along, t, apart + floors[level]);
        if (t + step >= t_max) return t_max;
        t += step;
        along = best_shadow(h, t);
        s = separation(&along, t) - apart;
        if (level == 0 && !(s >= stop_factor * floors[0])) {
            level = 1;
            first_stop = t;
        }
        if (!(s >= stop_factor * floors[level])) break;
    }
    return fmax(t >= 2 * first_stop ? t : first_stop, volume_time(h, t_max, apart + tenth));
}

static double ccd(int dim, int a_count, int b_count, const double* const* x, const double* const* p,
                  const double limits[2]) {
    hull h;
    make_hull(dim, a_count, b_count, x, p, &h);
    return advance(&h, limits[0], limits[1]);
}

double pli_ccd_point_point(int dim, const double* const* x, const double* const* p, double t_max,
                           double apart) {
    return ccd(dim, 1, 1, x, p, (double[2]){t_max, apart});
}

double pli_ccd_point_edge(int dim, const double* const* x, const double* const* p, double t_max,
                          double apart) {
    return ccd(dim, 1, 2, x, p, (double[2]){t_max, apart});
}

double pli_ccd_point_triangle(int dim, const double* const* x, const double* const* p, double t_max,
                              double apart) {
    return ccd(dim, 1, 3, x, p, (double[2]){t_max, apart});
}

double pli_ccd_edge_edge(int dim, const double* const* x, const double* const* p, double t_max,
                         double apart) {
    return ccd(dim, 2, 2, x, p, (double[2]){t_max, apart});
}

// ---- clearance

enum { MAX_VERTICES = 4 };

// A pair at the start [0] and at the end [1] of its motion; the first `first` vertices are one
// side.
typedef struct ends {
    int first, count;
    double y[2][MAX_VERTICES][3];
    double rounding;
} ends;

// Compiled separately for each kind of pair, with its sizes as constants.
#define INLINE static inline __attribute__((always_inline))

INLINE void put_ends(int dim, const double* const* x, const double* const* p, double t_max,
                     ends* out) {
    double size[3] = {0};
    for (int i = 0; i < out->count; ++i)
        for (int k = 0; k < 3; ++k) {
            double at = k < dim ? x[i][k] : 0, by = p && k < dim ? p[i][k] : 0;
            out->y[0][i][k] = at;
            out->y[1][i][k] = at + t_max * by;
            size[k] += fabs(at) + fabs(by);
        }
    out->rounding = 32 * DBL_EPSILON * (size[0] + size[1] + size[2]); // see pli_ccd_resolution
}

// How far the first side is beyond the other along n, times |n|: the smaller of both times. The
// vertices are linear in t: far enough at both times means far enough in between.
INLINE double beyond(const ends* e, const double n[3]) {
    double least = HUGE_VAL;
    for (int time = 0; time < 2; ++time) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < e->count; ++i) {
            double place = pli_dot(n, e->y[time][i], 3);
            if (i < e->first)
                low = place < low ? place : low;
            else
                high = place > high ? place : high;
        }
        least = low - high < least ? low - high : least;
    }
    return least;
}

// Along the line between the centres.
INLINE double clearance_of_centres(const ends* e) {
    double n[3] = {0};
    for (int i = 0; i < e->count; ++i)
        for (int k = 0; k < 3; ++k) {
            double sum = e->y[0][i][k] + e->y[1][i][k];
            n[k] += i < e->first ? (e->count - e->first) * sum : -e->first * sum;
        }
    double length = pli_norm(n, 3);
    return length > 0 ? beyond(e, n) / length : 0;
}

// Along the axes, in both directions: separation of the bounding boxes.
static double clearance_of_boxes(const ends* e) {
    double best = 0;
    for (int axis = 0; axis < 6; ++axis) {
        double n[3] = {0};
        n[axis / 2] = axis % 2 ? 1 : -1;
        best = fmax(best, beyond(e, n));
    }
    return best;
}

// Along the line between the closest points at the start, then at the end.
static double clearance_of_closest(const hull* h, bool moves, double t_max, double enough) {
    double best = 0;
    for (int end = 0; end < (moves ? 2 : 1) && !(best > enough); ++end) {
        double n[3];
        h->direction(h, end * t_max, n);
        shadow along = shadow_along(h, n);
        best = fmax(best, fmin(separation(&along, 0), separation(&along, t_max)));
    }
    return best;
}

INLINE double clearance(int dim, int a_count, int b_count, const double* const* x,
                        const double* const* p, const double limits[2]) {
    double t_max = limits[0], enough = limits[1];
    ends e = {.first = a_count, .count = a_count + b_count};
    put_ends(dim, x, p, t_max, &e);
    double best = clearance_of_centres(&e);
    if (!(best - e.rounding > enough)) best = fmax(best, clearance_of_boxes(&e));
    if (!(best - e.rounding > enough)) {
        hull h;
        make_hull(dim, a_count, b_count, x, p, &h);
        best = fmax(best, clearance_of_closest(&h, p, t_max, enough + e.rounding));
    }
    return best - e.rounding;
}

double pli_point_point_clearance(int dim, const double* const* x, const double* const* p,
                                 double t_max, double enough) {
    return clearance(dim, 1, 1, x, p, (double[2]){t_max, enough});
}

double pli_point_edge_clearance(int dim, const double* const* x, const double* const* p,
                                double t_max, double enough) {
    return clearance(dim, 1, 2, x, p, (double[2]){t_max, enough});
}

double pli_point_triangle_clearance(int dim, const double* const* x, const double* const* p,
                                    double t_max, double enough) {
    (void)dim;
    return clearance(3, 1, 3, x, p, (double[2]){t_max, enough});
}

double pli_edge_edge_clearance(int dim, const double* const* x, const double* const* p,
                               double t_max, double enough) {
    (void)dim;
    return clearance(3, 2, 2, x, p, (double[2]){t_max, enough});
}
