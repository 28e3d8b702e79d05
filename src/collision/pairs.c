// Which primitives each barrier term keeps apart: a table of pairs of lists.
//
// Deformable bodies touch each other, themselves and obstacles; obstacles touch only deformable
// bodies, so that there is no search between the parts of large obstacles. The extent of a
// primitive tells whether it belongs to a triangle, to a segment only, or is an isolated point.
//
// Weights (see contact.h) come from the shares of both surfaces where both are surfaces. An
// isolated point or segment of an obstacle (a sphere or capsule of any radius) has no meaningful
// share: there the other surface contributes all of the pressure, as against a half-space, by the
// area of its triangles (in the plane: its edges), or of its edges and points if it is thin. An
// obstacle may be much coarser than the bodies that touch it: its points and edges represent at
// most the largest triangle and the longest edge of the others.
#include "collision/collision.h"

#include "mesh/measure.h"

#include <math.h>
#include <string.h>

static const double half_pi = 1.57079632679489661923;

typedef enum list_kind { POINTS, EDGES, TRIANGLES } list_kind;

enum { SOFT = 1, HARD = 2 }; // deformable bodies, obstacles

// The primitives of one side before selection, and scratch.
typedef struct gather {
    int32_t* vertices;
    double *weight, *rest;
} gather;

typedef struct maker {
    const pli_model* model;
    const pli_surfaces* surfaces;
    double largest_area, longest_edge; // of deformable triangles and edges, at rest [m^2], [m]
    size_t room;                       // primitives of the longest list
    gather sides[2];
} maker;

static const pli_primitives* list_of(const maker* m, list_kind kind) {
    const pli_primitives* lists[3] = {&m->surfaces->points, &m->surfaces->edges,
                                      &m->surfaces->triangles};
    return lists[kind];
}

static const int32_t* vertices_of(const maker* m, list_kind kind, int i) {
    const pli_primitives* list = list_of(m, kind);
    return list->vertices + (size_t)i * (size_t)list->width;
}

// ---- weights

typedef double weight_of(const maker* m, int i);

static double point_area(const maker* m, int i) {
    return m->surfaces->area[*vertices_of(m, POINTS, i)];
}
static double point_half(const maker* m, int i) { return 0.5 * point_area(m, i); }
static double point_root(const maker* m, int i) { return sqrt(point_area(m, i)); }
static double point_twice(const maker* m, int i) { return 2 * point_area(m, i); }
static double point_limited(const maker* m, int i) {
    return fmin(point_half(m, i), 2 * m->largest_area);
}

// Ends of segments count half against isolated points: an object along a segment is supported by
// the ends of both, and by the segment itself where it bends away.
static double point_end(const maker* m, int i) {
    return m->surfaces->extent[*vertices_of(m, POINTS, i)] > 1 ? 0.5 : 1;
}
static double point_thin(const maker* m, int i) { return point_end(m, i) * point_area(m, i); }

// 0: a zero-length edge, or an edge of zero-area triangles.
static double strip(const maker* m, int i) {
    double length = m->surfaces->edge_rest[i];
    return length > 0 ? m->surfaces->edge_area[i] / length : 0;
}
static double edge_strip(const maker* m, int i) { return sqrt(half_pi) * strip(m, i); }
// Meshes of obstacles may be poor: an edge without a strip gets the maximum width.
static double edge_limited(const maker* m, int i) {
    double width = strip(m, i);
    return sqrt(half_pi) * (width > 0 ? fmin(width, m->longest_edge) : m->longest_edge);
}
static double edge_twice(const maker* m, int i) { return 2 * m->surfaces->edge_area[i]; }

static double triangle_twice(const maker* m, int i) {
    return 2 * pli_element_measure(3, PLI_TRIANGLE, vertices_of(m, TRIANGLES, i), m->model->rest);
}

static double plane_length(const maker* m, int i) {
    return pli_element_measure(2, PLI_SEGMENT, vertices_of(m, EDGES, i), m->model->rest);
}
static double plane_twice(const maker* m, int i) {
    return 2 * plane_length(m, i) * m->model->def.thickness;
}
static double plane_limited(const maker* m, int i) {
    return fmin(point_area(m, i), 2 * m->longest_edge * m->model->def.thickness);
}

// ---- the table

typedef struct choice {
    list_kind list;
    int who;         // SOFT, HARD or both
    int least, most; // extents: 1 an isolated point, 2 of a segment, 3 of a triangle
    weight_of* weight;
} choice;

typedef struct pair_choice {
    choice a, b; // b.who = 0: the parts of `a` against each other
} pair_choice;

static const pair_choice space_pairs[] = {
    {{POINTS, SOFT, 1, 3, point_half}, {TRIANGLES, SOFT | HARD, 3, 3, NULL}},
    {{POINTS, HARD, 3, 3, point_limited}, {TRIANGLES, SOFT, 3, 3, NULL}},
    {{POINTS, HARD, 1, 2, NULL}, {TRIANGLES, SOFT, 3, 3, triangle_twice}},
    {{EDGES, SOFT, 2, 3, edge_strip}, {0}},
    {{EDGES, HARD, 3, 3, edge_limited}, {EDGES, SOFT, 2, 3, edge_strip}},
    {{EDGES, HARD, 2, 2, NULL}, {EDGES, SOFT, 2, 3, edge_twice}},
    // Single points carry all of their area: nothing else keeps them apart. Where segments are
    // parallel, the edge-edge term fades out, and the end of one is closest to the other; an end of
    // extent 3 has edges in other directions.
    {{POINTS, SOFT, 1, 2, point_thin}, {EDGES, SOFT | HARD, 2, 2, NULL}},
    {{POINTS, HARD, 1, 2, point_end}, {EDGES, SOFT, 2, 2, edge_twice}},
    {{POINTS, SOFT, 1, 1, point_root}, {0}},
    {{POINTS, HARD, 1, 1, NULL}, {POINTS, SOFT, 1, 1, point_twice}},
};

// Points and edges are sufficient, but for isolated points.
static const pair_choice plane_pairs[] = {
    {{POINTS, SOFT, 1, 3, point_area}, {EDGES, SOFT | HARD, 2, 2, NULL}},
    {{POINTS, HARD, 2, 3, plane_limited}, {EDGES, SOFT, 2, 2, NULL}},
    {{POINTS, HARD, 1, 1, NULL}, {EDGES, SOFT, 2, 2, plane_twice}},
    {{POINTS, SOFT, 1, 1, point_root}, {0}},
    {{POINTS, HARD, 1, 1, NULL}, {POINTS, SOFT, 1, 1, point_twice}},
};

// ---- creating the terms

static int extent_of(const maker* m, list_kind kind, int i) {
    const pli_surfaces* c = m->surfaces;
    if (kind == POINTS) return c->extent[*vertices_of(m, POINTS, i)];
    if (kind == EDGES) return m->model->def.dimension == 2 || i >= c->loose_edge ? 2 : 3;
    return 3;
}

static bool can_deform(const maker* m, list_kind kind, int i) {
    return !m->model->bodies[m->surfaces->body[*vertices_of(m, kind, i)]].def.obstacle;
}

// Whether a zero-length edge at rest stays a point: both ends start at the same place and move
// alike. Then they are listed as points, and that is sufficient.
static bool stays_point(const maker* m, const int32_t* v) {
    const pli_model* model = m->model;
    int32_t sets[2] = {-1, -1};
    for (int k = 0; k < 2; ++k)
        if (model->supports[v[k]].kind == PLI_SUPPORT_PRESCRIBED)
            sets[k] = model->supports[v[k]].set;
    bool by_itself = sets[0] >= 0 && model->support_sets[sets[0]].each;
    return sets[0] == sets[1] && !by_itself &&
           memcmp(model->positions + 3 * (size_t)v[0], model->positions + 3 * (size_t)v[1],
                  3 * sizeof(double)) == 0;
}

// The primitives of the choice, in the order of their list.
static pli_side choose(const maker* m, const choice* wish, gather* to) {
    const pli_primitives* list = list_of(m, wish->list);
    bool lengths = wish->list == EDGES && m->model->def.dimension == 3;
    int count = 0, width = list->width;
    for (int i = 0; i < list->count; ++i) {
        int extent = extent_of(m, wish->list, i);
        bool wanted = wish->who & (can_deform(m, wish->list, i) ? SOFT : HARD);
        if (!wanted || extent < wish->least || extent > wish->most) continue;
        // Only obstacles may have zero-length edges.
        bool point = lengths && m->surfaces->edge_rest[i] == 0 && !can_deform(m, EDGES, i);
        if (point && stays_point(m, vertices_of(m, EDGES, i))) continue;
        for (int k = 0; k < width; ++k)
            to->vertices[count * width + k] = vertices_of(m, wish->list, i)[k];
        if (wish->weight) to->weight[count] = wish->weight(m, i);
        if (lengths) to->rest[count] = point ? m->longest_edge : m->surfaces->edge_rest[i];
        count++;
    }
    return (pli_side){.count = count,
                      .width = width,
                      .vertices = to->vertices,
                      .weight = wish->weight ? to->weight : NULL,
                      .rest = lengths ? to->rest : NULL};
}

// Lengths and areas that obstacles must not exceed.
static void find_limits(maker* m) {
    bool plane = m->model->def.dimension == 2;
    for (int i = 0; i < m->surfaces->edges.count; ++i)
        if (can_deform(m, EDGES, i))
            m->longest_edge =
                fmax(m->longest_edge, plane ? plane_length(m, i) : m->surfaces->edge_rest[i]);
    for (int i = 0; i < m->surfaces->triangles.count && !plane; ++i)
        if (can_deform(m, TRIANGLES, i))
            m->largest_area = fmax(m->largest_area, 0.5 * triangle_twice(m, i));
}

static pli_status add_terms(pli_collision* c, const maker* m, const pli_barrier_def* def,
                            pli_error* error) {
    bool plane = m->model->def.dimension == 2;
    const pair_choice* rows = plane ? plane_pairs : space_pairs;
    size_t count =
        plane ? sizeof plane_pairs / sizeof *plane_pairs : sizeof space_pairs / sizeof *space_pairs;
    for (size_t i = 0; i < count; ++i) {
        gather sides[2] = {m->sides[0], m->sides[1]};
        pli_side a = choose(m, &rows[i].a, &sides[0]), b = {0};
        bool same = rows[i].b.who == 0;
        if (!same) b = choose(m, &rows[i].b, &sides[1]);
        if (a.count < (same ? 2 : 1) || (!same && b.count == 0)) continue;
        PLI_TRY(pli_collision_add_pair_term(c, def, &a, same ? NULL : &b, error));
    }
    return PLI_OK;
}

pli_status pli_collision_add_pairs(pli_collision* c, const pli_barrier_def* def, pli_error* error) {
    const pli_surfaces* s = &c->surfaces;
    int longest = pli_max_int(s->points.count, pli_max_int(s->edges.count, s->triangles.count));
    maker m = {.model = c->model, .surfaces = s, .room = (size_t)longest};
    find_limits(&m);
    pli_status status = PLI_OK;
    for (int i = 0; i < 2; ++i) {
        PLI_TRY_CLEANUP(status, PLI_ALLOC(c->memory, m.sides[i].vertices, 3 * m.room, error));
        PLI_TRY_CLEANUP(status, PLI_ALLOC(c->memory, m.sides[i].weight, m.room, error));
        PLI_TRY_CLEANUP(status, PLI_ALLOC(c->memory, m.sides[i].rest, m.room, error));
    }
    status = add_terms(c, &m, def, error);
cleanup:
    for (int i = 0; i < 2; ++i) {
        PLI_FREE(c->memory, m.sides[i].vertices, 3 * m.room);
        PLI_FREE(c->memory, m.sides[i].weight, m.room);
        PLI_FREE(c->memory, m.sides[i].rest, m.room);
    }
    return status;
}
