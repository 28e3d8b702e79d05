// Polygons are triangulated by ear clipping [ORourke98]: a convex corner forms a triangle with its
// neighbours if no other corner lies in it; removing that corner leaves a polygon again. The plane
// is that of the vector area (Newell's normal), signs in it are exact. Of all ears the one nearest
// to equilateral is clipped next, so that corners on a straight edge give no flat triangle. In the
// end no two triangles may overlap: a polygon must not intersect itself, though it may touch
// itself, like one whose hole is connected to the outline by a cut.
#include "mesh/ngon.h"

#include <math.h>
#include <stddef.h>

#include "math/predicates.h"
#include "math/small.h"
#include "math/vec.h"

// Twice the area over the square of the longest edge; below this it is rounding.
static const double thin = 1e-12;

void pli_ngon_room_free(pli_ngon_room* room) {
    PLI_FREE(room->memory, room->corners, room->corner_capacity);
    PLI_FREE(room->memory, room->triangles, room->triangle_capacity);
    PLI_FREE(room->memory, room->boxes, room->box_capacity);
    *room = (pli_ngon_room){.memory = room->memory};
}

// ---- the plane

// A polygon as a fan, and its plane.
typedef struct polygon {
    const double* x;
    int count;
    const int32_t* fan;
    double scale; // its extent times this is about 1
    double axes[2][3];
} polygon;

static int32_t corner_of(const polygon* p, int i) {
    return i < 2 ? p->fan[i] : p->fan[3 * (i - 2) + 2];
}

// From the first corner to corner i, scaled to at most a quarter: no overflow.
static void offset_of(const polygon* p, int i, double d[3]) {
    const double *a = p->x + 3 * (size_t)p->fan[0], *b = p->x + 3 * (size_t)corner_of(p, i);
    for (int k = 0; k < 3; ++k) d[k] = (0.25 * b[k] - 0.25 * a[k]) * p->scale;
}

static void place_of(const polygon* p, int i, double at[2]) {
    double d[3];
    offset_of(p, i, d);
    for (int k = 0; k < 2; ++k) {
        at[k] = pli_dot(d, p->axes[k], 3);
        if (fabs(at[k]) < 1e-140) at[k] = 0; // the range of pli_orient2d
    }
}

static void set_scale(polygon* p) {
    double extent = 0, d[3];
    p->scale = 1;
    for (int i = 1; i < p->count; ++i) {
        offset_of(p, i, d);
        for (int k = 0; k < 3; ++k) extent = fmax(extent, fabs(d[k]));
    }
    p->scale = pli_power_of_two_scale(1, &extent);
}

typedef enum shape { LINE, PLANE, NEITHER } shape;

// Finds the plane. A collinear polygon has none; neither has one whose parts cancel.
static shape find_plane(polygon* p) {
    double sum[3] = {0}, total = 0, a[3], b[3], c[3];
    set_scale(p);
    offset_of(p, 1, a);
    for (int i = 2; i < p->count; ++i) {
        offset_of(p, i, b);
        pli_cross3(a, b, c);
        pli_axpy(1, c, sum, 3);
        total += pli_norm(c, 3);
        pli_copy(b, a, 3);
    }
    double size = pli_norm(sum, 3);
    if (total <= 1e-15 * p->count) return LINE;
    if (size <= thin * total) return NEITHER;
    for (int k = 0; k < 3; ++k) sum[k] /= size;
    // The first axis is the coordinate axis after the one closest to the normal, projected to the
    // plane: in a coordinate plane these are the coordinate axes, and nothing is rounded.
    int next = fabs(sum[0]) >= fabs(sum[1]) && fabs(sum[0]) >= fabs(sum[2]) ? 1
               : fabs(sum[1]) >= fabs(sum[2])                               ? 2
                                                                            : 0;
    for (int k = 0; k < 3; ++k) p->axes[0][k] = (k == next) - sum[next] * sum[k];
    pli_cross3(sum, p->axes[0], p->axes[1]);
    return PLANE;
}

// ---- triangles in the plane

static bool same_place(const double a[2], const double b[2]) {
    return a[0] == b[0] && a[1] == b[1];
}

// Twice the area over the square of the longest edge.
static double quality(const double a[2], const double b[2], const double c[2]) {
    double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {c[0] - a[0], c[1] - a[1]};
    double w[2] = {v[0] - u[0], v[1] - u[1]};
    double longest = fmax(pli_dot(u, u, 2), fmax(pli_dot(v, v, 2), pli_dot(w, w, 2)));
    return longest > 0 ? fabs(pli_cross2(u, v)) / longest : 0;
}

typedef enum fan_state { FOLDED, THIN, GOOD } fan_state;

// Whether the triangles between the first corner and the other edges are valid. All must turn left,
// and together less than once around: an edge below the first edge cannot return above it.
static fan_state look_at_fan(const polygon* p) {
    double first[2], second[2], a[2], b[2];
    bool below = false;
    fan_state state = GOOD;
    place_of(p, 0, first);
    place_of(p, 1, second);
    for (int i = 2; i < p->count; ++i) {
        place_of(p, i - 1, a);
        place_of(p, i, b);
        if (same_place(a, b)) continue;
        if (pli_orient2d(first, a, b) <= 0) return FOLDED;
        if (quality(first, a, b) < thin) state = THIN;
        int side = pli_orient2d(first, second, b);
        if (below && side >= 0) return FOLDED;
        below |= side < 0;
    }
    return state;
}

// ---- ears

typedef struct cutter {
    pli_ngon_corner* corners;
    int32_t* triangles; // of corners, so far
    int count, left, first;
} cutter;

// Whether the corner p blocks the ear a, b, c. 0: it does; 1: it lies elsewhere, or coincides with
// a corner of the ear. In between: beyond the new edge, but so close that the remaining polygon is
// thin there.
static double clearance(const double a[2], const double b[2], const double c[2],
                        const double p[2]) {
    if (same_place(p, a) || same_place(p, b) || same_place(p, c)) return 1;
    double across[2] = {a[0] - c[0], a[1] - c[1]}, to[2] = {p[0] - c[0], p[1] - c[1]};
    if (pli_cross2(across, to) < -thin * pli_dot(across, across, 2)) return 1;
    if (pli_orient2d(a, b, p) < 0 || pli_orient2d(b, c, p) < 0) return 1;
    return pli_orient2d(c, a, p) < 0 ? 1e-6 : 0;
}

static void find_turn(const cutter* c, int i) {
    pli_ngon_corner* q = &c->corners[i];
    const double *a = c->corners[q->before].p, *b = c->corners[q->after].p;
    q->ear = pli_orient2d(a, q->p, b) > 0 ? fmax(quality(a, q->p, b), 1e-100) : 0;
    q->blocks = q->ear < thin;
}

// The ear at corner i, once the turns of all corners are known.
static void find_ear(const cutter* c, int i) {
    pli_ngon_corner* q = &c->corners[i];
    const pli_ngon_corner *a = &c->corners[q->before], *b = &c->corners[q->after], *other;
    double low[2], high[2], least = 1;
    for (int k = 0; k < 2; ++k) {
        low[k] = fmin(q->p[k], fmin(a->p[k], b->p[k])) - thin;
        high[k] = fmax(q->p[k], fmax(a->p[k], b->p[k])) + thin;
    }
    for (int j = b->after; j != q->before && q->ear > 0 && least > 0; j = other->after) {
        other = &c->corners[j];
        if (!other->blocks || other->p[0] < low[0] || other->p[0] > high[0] ||
            other->p[1] < low[1] || other->p[1] > high[1])
            continue;
        least = fmin(least, clearance(a->p, q->p, b->p, other->p));
    }
    q->ear *= least;
}

// The best ear; -1: none.
static int choose(const cutter* c) {
    int best = -1, i = c->first;
    for (int k = 0; k < c->left; ++k, i = c->corners[i].after)
        if (c->corners[i].ear > (best < 0 ? 0 : c->corners[best].ear)) best = i;
    return best;
}

static void cut_off(cutter* c, int i) {
    const pli_ngon_corner* q = &c->corners[i];
    int32_t* triangle = c->triangles + (ptrdiff_t)3 * (c->count - c->left);
    triangle[0] = q->before, triangle[1] = i, triangle[2] = q->after;
    c->corners[q->before].after = q->after;
    c->corners[q->after].before = q->before;
    if (i == c->first) c->first = q->after;
    --c->left;
}

// First removes corners that coincide with the previous one, and spikes: corners between two
// coincident ones.
static void cut_repeated(cutter* c) {
    int i = c->first;
    for (int passed = 0; passed < c->left && c->left > 2; ++passed) {
        const pli_ngon_corner* q = &c->corners[i];
        const double *a = c->corners[q->before].p, *b = c->corners[q->after].p;
        bool goes = same_place(a, q->p) || same_place(a, b);
        if (goes) cut_off(c, i), passed = -1;
        i = goes ? q->before : q->after;
    }
}

static bool cut(cutter* c) {
    cut_repeated(c);
    int i = c->first;
    for (int k = 0; k < c->left; ++k, i = c->corners[i].after) find_turn(c, i);
    for (int k = 0; k < c->left; ++k, i = c->corners[i].after) find_ear(c, i);
    while (c->left > 2) {
        i = choose(c);
        if (i < 0) return false;
        int a = c->corners[i].before, b = c->corners[i].after;
        cut_off(c, i);
        find_turn(c, a), find_turn(c, b);
        find_ear(c, a), find_ear(c, b);
    }
    return true;
}

// ---- validation

static const double* place_in(const cutter* c, int triangle, int k) {
    return c->corners[c->triangles[3 * triangle + k % 3]].p;
}

// For a triangle without area: a box that overlaps none.
static pli_ngon_box box_of(const cutter* c, int triangle) {
    const double *p = place_in(c, triangle, 0), *q = place_in(c, triangle, 1),
                 *r = place_in(c, triangle, 2);
    pli_ngon_box b = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int k = 0; k < 2 && pli_orient2d(p, q, r) > 0; ++k) {
        b.low[k] = fmin(p[k], fmin(q[k], r[k]));
        b.high[k] = fmax(p[k], fmax(q[k], r[k]));
    }
    return b;
}

// Whether an edge of s has all of t on its outer side.
static bool lies_outside(const cutter* c, int s, int t) {
    for (int k = 0; k < 3; ++k) {
        const double *a = place_in(c, s, k), *b = place_in(c, s, k + 1);
        bool outside = true;
        for (int m = 0; m < 3 && outside; ++m) outside = pli_orient2d(a, b, place_in(c, t, m)) <= 0;
        if (outside) return true;
    }
    return false;
}

static bool overlap_somewhere(const cutter* c, pli_ngon_box* boxes) {
    for (int s = 0; s < c->count - 2; ++s) {
        pli_ngon_box b = boxes[s] = box_of(c, s);
        for (int t = 0; t < s; ++t) {
            const pli_ngon_box* d = &boxes[t];
            bool apart = b.low[0] >= d->high[0] || d->low[0] >= b.high[0] ||
                         b.low[1] >= d->high[1] || d->low[1] >= b.high[1];
            if (!apart && !lies_outside(c, s, t) && !lies_outside(c, t, s)) return true;
        }
    }
    return false;
}

// ---- triangulation

static pli_status make_room(pli_ngon_room* room, const polygon* p, cutter* c, pli_error* error) {
    PLI_TRY(PLI_GROW(room->memory, room->corners, room->corner_capacity, p->count, error));
    PLI_TRY(
        PLI_GROW(room->memory, room->triangles, room->triangle_capacity, 3 * p->count - 6, error));
    PLI_TRY(PLI_GROW(room->memory, room->boxes, room->box_capacity, p->count - 2, error));
    *c = (cutter){room->corners, room->triangles, p->count, p->count, 0};
    for (int i = 0; i < p->count; ++i) {
        pli_ngon_corner* q = &c->corners[i];
        *q = (pli_ngon_corner){.before = i > 0 ? i - 1 : p->count - 1,
                               .after = i + 1 < p->count ? i + 1 : 0,
                               .vertex = corner_of(p, i)};
        place_of(p, i, q->p);
    }
    return PLI_OK;
}

pli_status pli_ngon_cut(pli_ngon_room* room, const double* x, int count, int32_t* triangles,
                        pli_ngon_answer* answer, pli_error* error) {
    polygon p = {.x = x, .count = count, .fan = triangles};
    shape s = find_plane(&p);
    fan_state fan = s == LINE ? GOOD : s == NEITHER ? FOLDED : look_at_fan(&p);
    *answer = fan != FOLDED            ? PLI_NGON_SOUND
              : s == NEITHER           ? PLI_NGON_CROSSES
              : count > PLI_NGON_LIMIT ? PLI_NGON_LARGE
                                       : PLI_NGON_CROSSES;
    if (fan == GOOD || s == NEITHER || count > PLI_NGON_LIMIT) return PLI_OK;
    cutter c;
    PLI_TRY(make_room(room, &p, &c, error));
    if (!cut(&c) || overlap_somewhere(&c, room->boxes)) return PLI_OK;
    *answer = PLI_NGON_SOUND;
    for (int i = 0; i < 3 * count - 6; ++i) triangles[i] = c.corners[c.triangles[i]].vertex;
    return PLI_OK;
}
