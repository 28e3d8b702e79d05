// Scenes for tests of contact: many small triangles that do not touch, as loops of edges.
#ifndef TESTS_CONTACT_SCENE_H
#define TESTS_CONTACT_SCENE_H

#include "contact/contact.h"
#include "oracle/random.h"

#include <math.h>
#include <stdlib.h>

typedef struct contact_scene {
    int vertex_count, edge_count;
    double *x, *p, *area;
    int32_t *points, *edges;
} contact_scene;

// side * side triangles, one in each cell of a unit grid; p moves vertices at random, up to `speed`
// cells, half of it with its triangle.
static inline contact_scene make_scene(pli_random* random, int side, double speed) {
    int count = 3 * side * side;
    contact_scene s = {.vertex_count = count, .edge_count = count};
    s.x = calloc((size_t)(3 * count), sizeof *s.x);
    s.p = calloc((size_t)(3 * count), sizeof *s.p);
    s.area = calloc((size_t)count, sizeof *s.area);
    s.points = calloc((size_t)count, sizeof *s.points);
    s.edges = calloc((size_t)(2 * count), sizeof *s.edges);
    for (int t = 0; t < side * side; ++t) {
        double centre[2] = {t % side, (double)(t / side)}, common[2];
        for (int k = 0; k < 2; ++k) common[k] = pli_random_in(random, -0.5, 0.5) * speed;
        double turn = pli_random_in(random, 0, 2), size = pli_random_in(random, 0.3, 0.49);
        for (int i = 0; i < 3; ++i) {
            int v = 3 * t + i;
            double angle = turn + 2.0943951023931953 * i;
            s.x[3 * v] = centre[0] + size * cos(angle);
            s.x[3 * v + 1] = centre[1] + size * sin(angle);
            s.x[3 * v + 2] = pli_random_in(random, -9, 9); // z must not matter in the plane
            for (int k = 0; k < 2; ++k)
                s.p[3 * v + k] = common[k] + 0.5 * speed * pli_random_in(random, -0.5, 0.5);
            s.area[v] = 1 + 0.1 * i;
            s.points[v] = v;
            s.edges[2 * v] = v;
            s.edges[2 * v + 1] = 3 * t + (i + 1) % 3;
        }
    }
    return s;
}

static inline void free_scene(contact_scene* s) {
    free(s->x);
    free(s->p);
    free(s->area);
    free(s->points);
    free(s->edges);
}

static inline pli_status make_barrier(pli_memory* memory, const contact_scene* s, double dhat,
                                      pli_term* term, pli_error* error) {
    pli_barrier_def def = {
        .dim = 2, .vertex_count = s->vertex_count, .dhat = dhat, .stiffness = 1e5};
    pli_side points = {
        .count = s->vertex_count, .width = 1, .vertices = s->points, .weight = s->area};
    pli_side edges = {.count = s->edge_count, .width = 2, .vertices = s->edges};
    return pli_pair_barrier_create(memory, &def, &points, &edges, term, error);
}

#endif
