// The picture being drawn: its contents and its mapping to the page.
#ifndef PLI_RENDER_CANVAS_H
#define PLI_RENDER_CANVAS_H

#include "render/svg.h"
#include "result/snapshot.h"
#include <math.h>

typedef struct pli_canvas {
    pli_file* file;
    const pli_snapshot* snapshot; // elements and bodies
    int dim;                      // numbers per point: right, up, and in space towards the viewer
    const float* points;          // of all vertices, from the origin of the preview [m]
    int plane_count;              // half-spaces
    const float* planes;          // 2 dim numbers each: a point [m], the normal
    pli_point low, high;          // what the picture shows [m]
    double near, far;             // of all pictures, in space: towards the viewer [m]
    double scale;                 // [px/m]
    double width, height;         // [px]
    // Perspective: `points` have been mapped by pli_canvas_map, planes have not. distance 0: none.
    double eye[3], distance; // from the plane in which `scale` holds, in camera coordinates [m]
} pli_canvas;

// The projective map of perspective: (x, y, z) from the point below the eye in the plane of the
// scale, times distance / (distance - z). It keeps lines, planes and the order of depths, so that
// everything behind it may draw as without perspective. A point behind the eye becomes NaN.
static inline void pli_canvas_map(const pli_canvas* c, double p[3]) {
    if (!(c->distance > 0)) return;
    const double nearest = 0.02;
    double away = (c->eye[2] - p[2]) / c->distance, plane = c->eye[2] - c->distance;
    double part = away > nearest ? 1 / away : (double)NAN;
    p[0] = c->eye[0] + part * (p[0] - c->eye[0]);
    p[1] = c->eye[1] + part * (p[1] - c->eye[1]);
    p[2] = plane + part * (p[2] - plane);
}

// How much larger than in the plane of the scale something at a mapped depth is.
static inline double pli_canvas_closer(const pli_canvas* c, double z) {
    return c->distance > 0 ? 1 + (z - (c->eye[2] - c->distance)) / c->distance : 1;
}

// The point that was mapped to p.
static inline void pli_canvas_unmap(const pli_canvas* c, double p[3]) {
    if (!(c->distance > 0)) return;
    double part = 1 / pli_canvas_closer(c, p[2]), plane = c->eye[2] - c->distance;
    p[0] = c->eye[0] + part * (p[0] - c->eye[0]);
    p[1] = c->eye[1] + part * (p[1] - c->eye[1]);
    p[2] = plane + part * (p[2] - plane);
}

static inline pli_point pli_canvas_place(const pli_canvas* c, double x, double y) {
    return (pli_point){(x - c->low.x) * c->scale, (c->high.y - y) * c->scale};
}

static inline const float* pli_canvas_point(const pli_canvas* c, int32_t v) {
    return c->points + (size_t)c->dim * (size_t)v;
}

static inline pli_point pli_canvas_vertex(const pli_canvas* c, int32_t v) {
    const float* p = pli_canvas_point(c, v);
    return pli_canvas_place(c, (double)p[0], (double)p[1]);
}

static inline void pli_pen_to_vertex(pli_pen* pen, const pli_canvas* c, int32_t v) {
    pli_point p = pli_canvas_vertex(c, v);
    pli_pen_to(pen, p.x, p.y);
}

static inline bool pli_is_obstacle(const pli_snapshot* s, int body) {
    return s->body_obstacle && s->body_obstacle[body];
}

static inline const pli_colour* pli_body_colour(const pli_snapshot* s, int body) {
    return pli_is_obstacle(s, body) ? pli_colour_plain() : pli_colour_of(body);
}

#endif
