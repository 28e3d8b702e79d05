// Conservative advancement with a separating direction.
//
// The distance of two convex primitives is the distance of the origin to the hull of the
// differences y_i of their corners (one for point-point, two for point-edge, three for
// point-triangle, four for edge-edge). For any unit n it is at least min_i n.y_i, and n.y_i(t) is
// linear in t. So from t on the distance stays above `floor` for
//   min over approaching corners of (n.y_i - floor) / -(n.y_i'),
// and with n towards the closest point this is never shorter than the step (d - floor) / l of
// additive CCD [Li21] (|n.y_i'| <= l, n.y_i >= d), while sliding past each other costs nothing.
// The certificate holds for every n: an inexact closest point only costs speed.
#include "contact/ccd.h"

#include "contact/distance.h"
#include "math/vec.h"

#include <float.h>
#include <stddef.h>

enum { MAX_CORNERS = 2, MAX_ITERATIONS = 64 };

// Share of the first distance that is left.
static const double gap_share = 0.1;

typedef struct hull {
    int dim, count;
    double y[MAX_CORNERS][3];             // corners at t = 0 [m]
    double motion[MAX_CORNERS][3];        // over t = 0 .. 1 [m]
    double resolution, motion_resolution; // of positions, and what a whole step adds [m]
} hull;

// Rounding of x + t p moves a vertex by less than 2 eps (|x| + |p|) in each coordinate, and our own
// arithmetic adds less than 8; 32 leaves room for positions that are blends of a few unknowns.
// A sum, not a maximum: it is NaN if anything is.
double pli_ccd_resolution(int dim, int vertex_count, const double* const* x,
                          const double* const* p) {
    double size = 0;
    for (int i = 0; i < vertex_count; ++i)
        for (int k = 0; k < dim; ++k) size += fabs(x[i][k]) + (p ? fabs(p[i][k]) : 0);
    return 32 * DBL_EPSILON * size;
}

// Corners: the first vertex minus each of the others.
static void point_hull(int dim, int vertex_count, const double* const* x, const double* const* p,
                       hull* out) {
    *out = (hull){.dim = dim, .count = vertex_count - 1};
    for (int i = 0; i < out->count; ++i) {
        pli_sub(x[0], x[i + 1], out->y[i], dim);
        if (p) pli_sub(p[0], p[i + 1], out->motion[i], dim);
    }
    out->resolution = pli_ccd_resolution(dim, vertex_count, x, NULL);
    out->motion_resolution = pli_ccd_resolution(dim, vertex_count, x, p) - out->resolution;
}

// The unit direction from the hull's point closest to the origin, at time t: what separates best.
static void separating_direction(const hull* h, double t, double n[3]) {
    static const double origin[3] = {0};
    double e[2][3] = {{0}};
    for (int i = 0; i < 2; ++i) {
        int corner = i < h->count ? i : 0; // one corner is an edge without length
        for (int k = 0; k < h->dim; ++k) e[i][k] = -h->y[corner][k] - t * h->motion[corner][k];
    }
    pli_point_edge pair;
    pli_point_edge_closest(h->dim, origin, e[0], e[1], &pair);
    for (int k = 0; k < 3; ++k) n[k] = pair.normal[k];
}

static double place(const hull* h, int i, double t, const double n[3]) {
    return pli_dot(n, h->y[i], h->dim) + t * pli_dot(n, h->motion[i], h->dim);
}

// Separation along n at time t: a lower bound of the distance.
static double separation(const hull* h, double t, const double n[3]) {
    double smallest = HUGE_VAL;
    for (int i = 0; i < h->count; ++i) smallest = fmin(smallest, place(h, i, t, n));
    return smallest;
}

// How much longer than t the separation along n stays above `floor`.
static double free_time(const hull* h, double t, const double n[3], double floor) {
    double step = HUGE_VAL;
    for (int i = 0; i < h->count; ++i) {
        double speed = pli_dot(n, h->motion[i], h->dim);
        if (speed < 0) step = fmin(step, (place(h, i, t, n) - floor) / -speed);
    }
    return step;
}

// The longest step over which rounding cannot close a distance s, at most t_max; 0 if s itself is
// lost in rounding. A pair that is very close can so still be pulled apart, by short steps.
static double resolved_step(const hull* h, double s, double t_max) {
    double room = 0.45 * s - h->resolution;
    if (!(room > 0) || !isfinite(h->motion_resolution)) return 0;
    return h->motion_resolution * t_max > room ? room / h->motion_resolution : t_max;
}

static double advance(const hull* h, double t_max) {
    double t = 0, gap = 0, n[3];
    for (int iteration = 0; iteration < MAX_ITERATIONS; ++iteration) {
        separating_direction(h, t, n);
        double s = separation(h, t, n);
        if (iteration == 0) {
            t_max = resolved_step(h, s, t_max);
            if (t_max == 0) return 0;
            gap = fmax(gap_share * s, 2 * (h->resolution + t_max * h->motion_resolution));
        } else if (!(s >= gap)) {
            break;
        }
        double step = free_time(h, t, n, 0.5 * gap);
        if (t + step >= t_max) return t_max;
        t += step;
    }
    return t;
}

double pli_ccd_point_point(int dim, const double* const* x, const double* const* p, double t_max) {
    hull h;
    point_hull(dim, 2, x, p, &h);
    return advance(&h, t_max);
}

double pli_ccd_point_edge(int dim, const double* const* x, const double* const* p, double t_max) {
    hull h;
    point_hull(dim, 3, x, p, &h);
    return advance(&h, t_max);
}

bool pli_point_edge_stays_apart(int dim, const double* const* x, const double* const* p,
                                double t_max, double distance) {
    hull h;
    point_hull(dim, 3, x, p, &h);
    double enough = distance + h.resolution + h.motion_resolution;
    for (int end = 0; end < (p ? 2 : 1); ++end) { // the direction at the start, then at the end
        double n[3];
        separating_direction(&h, end * t_max, n);
        // The corners are linear in t: far enough at both times means far enough in between.
        if (separation(&h, 0, n) > enough && separation(&h, t_max, n) > enough) return true;
    }
    return false;
}
