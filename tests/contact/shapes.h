// Surfaces in space for tests of contact: triangles, loose edges and points are added one after the
// other, then all edges and points are listed.
#ifndef TESTS_CONTACT_SHAPES_H
#define TESTS_CONTACT_SHAPES_H

#include "contact/pair_set.h"

#include <math.h>
#include <stdlib.h>

typedef struct shapes {
    int body_count;
    double *x, *p; // 3 per vertex
    int32_t* body; // per vertex
    int vertex_count;
    pli_primitives points, edges, triangles;
} shapes;

static inline void* grown(void* block, int count, size_t size) {
    return realloc(block, (size_t)(count + 1) * size);
}

// Vertices belong to the body that was begun last.
static inline int add_vertex(shapes* s, double x, double y, double z) {
    int v = s->vertex_count++;
    s->x = grown(s->x, 3 * v + 3, sizeof *s->x);
    s->p = grown(s->p, 3 * v + 3, sizeof *s->p);
    s->body = grown(s->body, v, sizeof *s->body);
    s->x[3 * v] = x;
    s->x[3 * v + 1] = y;
    s->x[3 * v + 2] = z;
    for (int k = 0; k < 3; ++k) s->p[3 * v + k] = 0;
    s->body[v] = s->body_count > 0 ? s->body_count - 1 : 0;
    return v;
}

static inline void add_primitive(pli_primitives* list, int width, const int* vertices) {
    list->width = width;
    list->vertices = grown(list->vertices, width * (list->count + 1), sizeof *list->vertices);
    for (int i = 0; i < width; ++i) list->vertices[width * list->count + i] = vertices[i];
    list->count++;
}

static inline void add_triangle(shapes* s, int a, int b, int c) {
    add_primitive(&s->triangles, 3, (int[3]){a, b, c});
}

static inline void add_edge(shapes* s, int a, int b) {
    add_primitive(&s->edges, 2, (int[2]){a, b});
}

static inline int compare_edges(const void* a, const void* b) {
    const int32_t *e = a, *f = b;
    return e[0] != f[0] ? (e[0] > f[0]) - (e[0] < f[0]) : (e[1] > f[1]) - (e[1] < f[1]);
}

// Adds the edges of the triangles to the loose ones, each once, and all vertices as points.
static inline void list_parts(shapes* s) {
    for (int i = 0; i < 3 * s->triangles.count; ++i)
        add_edge(s, s->triangles.vertices[i], s->triangles.vertices[i - i % 3 + (i + 1) % 3]);
    int32_t* e = s->edges.vertices;
    for (int i = 0; i < s->edges.count; ++i)
        if (e[2 * i] > e[2 * i + 1]) {
            int32_t low = e[2 * i + 1];
            e[2 * i + 1] = e[2 * i];
            e[2 * i] = low;
        }
    if (s->edges.count > 0) qsort(e, (size_t)s->edges.count, 2 * sizeof *e, compare_edges);
    int kept = 0;
    for (int i = 0; i < s->edges.count; ++i) {
        if (kept > 0 && compare_edges(e + 2 * i, e + 2 * (kept - 1)) == 0) continue;
        e[2 * kept] = e[2 * i];
        e[2 * kept + 1] = e[2 * i + 1];
        kept++;
    }
    s->edges.count = kept;
    s->points.width = 1;
    s->edges.width = 2;
    s->triangles.width = 3;
    for (int v = 0; v < s->vertex_count; ++v) add_primitive(&s->points, 1, &v);
}

// A torus of m x n quads around `axis` with radii R and r.
static inline void add_torus(shapes* s, int m, int n, const double centre[3], int axis, double R,
                             double r) {
    int first = s->vertex_count;
    s->body_count++;
    for (int i = 0; i < m * n; ++i) {
        double u = 6.283185307179586 * (i / n) / m, v = 6.283185307179586 * (i % n) / n;
        double y[3] = {(R + r * cos(v)) * cos(u), (R + r * cos(v)) * sin(u), r * sin(v)}, x[3];
        for (int k = 0; k < 3; ++k) x[(axis + 1 + k) % 3] = y[k] + centre[(axis + 1 + k) % 3];
        add_vertex(s, x[0], x[1], x[2]);
    }
    for (int i = 0; i < m * n; ++i) {
        int up = (i / n + 1) % m * n, here = i / n * n, next = (i % n + 1) % n;
        add_triangle(s, first + i, first + up + i % n, first + up + next);
        add_triangle(s, first + i, first + up + next, first + here + next);
    }
}

// A box of 12 triangles.
static inline void add_box(shapes* s, const double low[3], const double high[3]) {
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int first = s->vertex_count;
    s->body_count++;
    for (int i = 0; i < 8; ++i)
        add_vertex(s, i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
    for (int f = 0; f < 6; ++f) {
        const int* v = faces[f];
        add_triangle(s, first + v[0], first + v[1], first + v[2]);
        add_triangle(s, first + v[0], first + v[2], first + v[3]);
    }
}

static inline void free_shapes(shapes* s) {
    free(s->x);
    free(s->p);
    free(s->body);
    free(s->points.vertices);
    free(s->edges.vertices);
    free(s->triangles.vertices);
    *s = (shapes){0};
}

#endif
