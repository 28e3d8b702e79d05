// See ray.h.
//
// A part with a radius is convex: the neighbourhood of a triangle is the union of a prism (the
// triangle moved along its normal) and the capsules around its three sides; that of a segment is
// the union of a cylinder and two balls. A line enters a union of convex sets where it first enters
// one of them.
#include "contact/ray.h"

#include "contact/closest.h"
#include "math/predicates.h"
#include "math/vec.h"

#include <stdbool.h>
#include <string.h>

static void along(const pli_line* line, double t, double out[3]) {
    for (int c = 0; c < 3; ++c) out[c] = line->origin[c] + t * line->direction[c];
}

// ---- closest points

// The normal of the part itself: of a triangle, or of a segment in the plane, whose right side is
// outside. False: it has none.
static bool own_normal(const pli_part* part, double normal[3]) {
    double u[3], v[3];
    if (part->count == 3) {
        pli_sub(part->x[1], part->x[0], u, 3);
        pli_sub(part->x[2], part->x[0], v, 3);
        pli_cross3(u, v, normal);
    } else if (part->count == 2 && part->dim == 2) {
        pli_sub(part->x[1], part->x[0], u, 3);
        normal[0] = u[1];
        normal[1] = -u[0];
        normal[2] = 0;
    } else {
        return false;
    }
    double length = pli_norm(normal, 3);
    for (int c = 0; c < 3 && length > 0; ++c) normal[c] /= length;
    return length > 0;
}

double pli_part_closest(const pli_part* part, const double place[3], pli_meeting* out) {
    const double* x[4] = {place, part->x[0], part->x[1], part->x[2]};
    pli_closest pair;
    if (part->count == 1)
        pli_point_point_closest(x, &pair);
    else if (part->count == 2)
        pli_point_segment_closest(x, &pair);
    else
        pli_point_triangle_closest(x, &pair);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < part->count; ++i) {
        out->weights[i] = -pair.c[i + 1];
        pli_axpy(out->weights[i], part->x[i], out->point, 3);
    }
    out->distance = pair.distance - part->radius;
    bool own = own_normal(part, out->normal), away = pair.distance > 0;
    if (away && (part->radius > 0 || !own)) memcpy(out->normal, pair.normal, sizeof pair.normal);
    if (!away && !own && part->radius > 0) out->normal[0] = 1; // the centre of a ball or capsule
    if (part->radius > 0) pli_axpy(part->radius, out->normal, out->point, 3);
    return out->distance;
}

// ---- lines

// The ball around c. Its centre is at `nearest` along the line, at the distance `off` from it.
static double meet_ball(const pli_line* line, const double* c, double radius) {
    double to[3], off[3];
    pli_sub(c, line->origin, to, 3);
    double nearest = pli_dot(to, line->direction, 3);
    for (int k = 0; k < 3; ++k) off[k] = to[k] - nearest * line->direction[k];
    double half2 = radius * radius - pli_dot(off, off, 3);
    return nearest >= 0 && half2 >= 0 ? nearest - sqrt(half2) : HUGE_VAL;
}

// The cylinder around a segment, without its ends: m + t n is the component perpendicular to the
// axis u.
static double meet_cylinder(const pli_line* line, const double* a, const double* b, double radius) {
    double u[3], m[3], n[3], cross[3];
    pli_sub(b, a, u, 3);
    double length = pli_norm(u, 3);
    if (!(length > 0)) return HUGE_VAL;
    for (int k = 0; k < 3; ++k) u[k] /= length;
    pli_sub(line->origin, a, m, 3);
    double start = pli_dot(m, u, 3), slope = pli_dot(line->direction, u, 3);
    for (int k = 0; k < 3; ++k) {
        m[k] -= start * u[k];
        n[k] = line->direction[k] - slope * u[k];
    }
    pli_cross3(m, n, cross);
    double square = pli_dot(n, n, 3), left = square * radius * radius - pli_dot(cross, cross, 3);
    if (!(square > 0) || left < 0) return HUGE_VAL;
    double t = (-pli_dot(m, n, 3) - sqrt(left)) / square, at = start + t * slope;
    return t >= 0 && at >= 0 && at <= length ? t : HUGE_VAL;
}

static double meet_round(const pli_line* line, const double* a, const double* b, double radius) {
    double t = fmin(meet_ball(line, a, radius), meet_ball(line, b, radius));
    return fmin(t, meet_cylinder(line, a, b, radius));
}

// The side of the prism that faces the origin.
static double meet_prism(const pli_line* line, const pli_part* part) {
    double n[3], to[3], p[3];
    if (!own_normal(part, n)) return HUGE_VAL;
    pli_sub(line->origin, part->x[0], to, 3);
    double height = pli_dot(to, n, 3), slope = pli_dot(line->direction, n, 3);
    double side = height > 0 ? 1 : -1, t = (side * height - part->radius) / (-side * slope);
    if (!(side * slope < 0) || !(t >= 0)) return HUGE_VAL;
    along(line, t, p);
    for (int i = 0; i < 3; ++i) {
        double edge[3], from[3], inward[3];
        pli_sub(part->x[(i + 1) % 3], part->x[i], edge, 3);
        pli_sub(p, part->x[i], from, 3);
        pli_cross3(n, edge, inward);
        if (pli_dot(inward, from, 3) < 0) return HUGE_VAL;
    }
    return t;
}

static double meet_thick(const pli_line* line, const pli_part* part, pli_meeting* out) {
    double t = HUGE_VAL, p[3];
    if (pli_part_closest(part, line->origin, out) <= 0) {
        memcpy(out->point, line->origin, sizeof out->point);
        return out->distance = 0;
    }
    if (part->count == 1) t = meet_ball(line, part->x[0], part->radius);
    if (part->count == 2) t = meet_round(line, part->x[0], part->x[1], part->radius);
    for (int i = 0; i < 3 && part->count == 3; ++i)
        t = fmin(t, meet_round(line, part->x[i], part->x[(i + 1) % 3], part->radius));
    if (part->count == 3) t = fmin(t, meet_prism(line, part));
    if (t == HUGE_VAL) return t;
    along(line, t, p);
    pli_part_closest(part, p, out);
    return out->distance = t;
}

// Point and distance from weights that are not normalized yet.
static double meet_at(const pli_line* line, const pli_part* part, pli_meeting* out) {
    double sum = 0, to[3];
    for (int i = 0; i < part->count; ++i) sum += out->weights[i];
    if (!(sum > 0)) return HUGE_VAL;
    for (int i = 0; i < part->count; ++i) {
        out->weights[i] /= sum;
        pli_axpy(out->weights[i], part->x[i], out->point, 3);
    }
    own_normal(part, out->normal);
    pli_sub(out->point, line->origin, to, 3);
    double t = pli_dot(to, line->direction, 3);
    return t >= 0 ? out->distance = t : HUGE_VAL;
}

// Each side of the triangle must pass the line on the same side; a line through a side counts.
static double meet_triangle(const pli_line* line, const pli_part* part, pli_meeting* out) {
    int most = 0, least = 0;
    double to[3][3];
    for (int i = 0; i < 3; ++i) {
        int side =
            pli_orient3d(line->origin, line->far, part->x[(i + 1) % 3], part->x[(i + 2) % 3]);
        most = side > most ? side : most;
        least = side < least ? side : least;
        pli_sub(part->x[i], line->origin, to[i], 3);
    }
    if (most - least != 1) return HUGE_VAL; // outside, or coplanar with the line
    for (int i = 0; i < 3; ++i) {
        double normal[3];
        pli_cross3(to[(i + 1) % 3], to[(i + 2) % 3], normal);
        double volume = pli_dot(normal, line->direction, 3);
        int side =
            pli_orient3d(line->origin, line->far, part->x[(i + 1) % 3], part->x[(i + 2) % 3]);
        out->weights[i] = side == 0 ? 0 : fabs(volume);
    }
    return meet_at(line, part, out);
}

// A segment along the line is met at its first point.
static double meet_segment(const pli_line* line, const pli_part* part, pli_meeting* out) {
    int side[2];
    double to[3], t[2];
    for (int i = 0; i < 2; ++i) {
        side[i] = pli_orient2d(line->origin, line->far, part->x[i]);
        pli_sub(part->x[i], line->origin, to, 3);
        t[i] = pli_dot(to, line->direction, 2);
        out->weights[1 - i] = side[i] == 0 ? 0 : fabs(pli_cross2(line->direction, to));
    }
    if (side[0] * side[1] > 0) return HUGE_VAL;
    if (side[0] == 0 && side[1] == 0) {
        bool within = (t[0] < 0) != (t[1] < 0);
        int first = t[0] < t[1] ? 0 : 1;
        out->weights[first] = within ? fabs(t[1 - first]) : 1;
        out->weights[1 - first] = within ? fabs(t[first]) : 0;
    }
    return meet_at(line, part, out);
}

double pli_line_meets(const pli_line* line, const pli_part* part, pli_meeting* out) {
    memset(out, 0, sizeof *out);
    if (part->radius > 0) return meet_thick(line, part, out);
    if (part->count == 3) return meet_triangle(line, part, out);
    if (part->count == 2 && part->dim == 2) return meet_segment(line, part, out);
    return HUGE_VAL;
}
