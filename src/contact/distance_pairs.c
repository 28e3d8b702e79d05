// Closest points of the four pairs of primitives in space.
//
// A pair of two parameters is first split by the plane of its directions. If the closest points of
// plane or lines lie inside, they are the answer. If not, only the sides that they are beyond can
// hold it: a minimum of a convex function over a convex set lies on a constraint that the minimum
// without constraints breaks. What rounding does to that choice, it could have done by moving the
// vertices by a few roundings.
#include "contact/closest.h"
#include "contact/distance.h"
#include "math/vec.h"

static pli_closest unknown(int width) {
    return (pli_closest){.width = width, .distance = HUGE_VAL};
}

void pli_point_point_closest(const double* const* x, pli_closest* out) {
    const double* as_edge[3] = {x[0], x[1], x[1]};
    pli_point_segment_closest(as_edge, out);
    out->width = 2;
}

void pli_point_segment_closest(const double* const* x, pli_closest* out) {
    static const int vertices[3] = {0, 1, 2};
    *out = unknown(3);
    pli_closest_take_point_edge(x, vertices, 1, out);
}

// q = p - t0 = alpha (t1 - t0) + beta (t2 - t0) + height n.
void pli_point_triangle_closest(const double* const* x, pli_closest* out) {
    static const int sides[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    static const double along[2][PLI_CLOSEST_MAX] = {{0, 1, -1, 0}, {0, 1, 0, -1}};
    double u[3], v[3], q[3];
    pli_sub(x[2], x[1], u, 3);
    pli_sub(x[3], x[1], v, 3);
    pli_sub(x[0], x[1], q, 3);
    *out = unknown(4);
    pli_plane_split split;
    bool beyond[3] = {true, true, true};
    if (pli_split_by_plane(u, v, q, &split)) {
        double alpha = split.coordinates[0], beta = split.coordinates[1], rest = 1 - alpha - beta;
        beyond[0] = !(beta > 0);
        beyond[1] = !(rest > 0);
        beyond[2] = !(alpha > 0);
        if (!beyond[0] && !beyond[1] && !beyond[2]) {
            *out = (pli_closest){.width = 4, .active = 15, .c = {1, -rest, -alpha, -beta}};
            pli_closest_inside(u, &split, v, along, out);
            return;
        }
    }
    for (int side = 0; side < 3; ++side)
        if (beyond[side]) pli_closest_take_point_edge(x, sides[side], 1, out);
}

// w = q + s u - r v with q = a0 - b0 is along n where s = -coordinates[0], r = coordinates[1].
void pli_edge_edge_closest(const double* const* x, pli_closest* out) {
    static const int sides[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
    static const double along[2][PLI_CLOSEST_MAX] = {{1, -1, 0, 0}, {0, 0, 1, -1}};
    double u[3], v[3], q[3];
    pli_sub(x[1], x[0], u, 3);
    pli_sub(x[3], x[2], v, 3);
    pli_sub(x[0], x[2], q, 3);
    *out = unknown(4);
    pli_plane_split split;
    bool beyond[4] = {true, true, true, true};
    if (pli_split_by_plane(u, v, q, &split)) {
        double s = -split.coordinates[0], r = split.coordinates[1];
        beyond[0] = !(s > 0);
        beyond[1] = !(s < 1);
        beyond[2] = !(r > 0);
        beyond[3] = !(r < 1);
        if (!beyond[0] && !beyond[1] && !beyond[2] && !beyond[3]) {
            *out = (pli_closest){.width = 4, .active = 15, .c = {1 - s, s, r - 1, -r}};
            pli_closest_inside(u, &split, v, along, out);
            return;
        }
    }
    for (int side = 0; side < 4; ++side)
        if (beyond[side]) pli_closest_take_point_edge(x, sides[side], side < 2 ? 1 : -1, out);
}
