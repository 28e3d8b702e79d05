// Pairs of vertices along two boundaries: each selection is a chain of boundary edges, open or closed.
#include "scene/stencils.h"

#include "math/vec.h"

#include <math.h>
#include <stdlib.h>

typedef struct chain {
    int count;
    bool closed;
    int32_t* vertices; // in order
    double length;     // [m]
} chain;

typedef struct edge {
    int32_t a, b; // a < b
} edge;

static int compare_edges(const void* x, const void* y) {
    const edge *e = x, *f = y;
    if (e->a != f->a) return e->a < f->a ? -1 : 1;
    return (e->b > f->b) - (e->b < f->b);
}

static void add_edge(const bool* marks, int32_t a, int32_t b, edge* edges, int* count) {
    if (marks[a] && marks[b]) edges[(*count)++] = (edge){a < b ? a : b, a < b ? b : a};
}

// Edges between selected vertices that belong to one triangle only, and segments.
static pli_status find_edges(pli_builder* b, const pli_mesh* mesh, const bool* marks, edge** edges,
                             int* count, pli_error* error) {
    const int32_t *t = mesh->elements[PLI_TRIANGLE], *s = mesh->elements[PLI_SEGMENT];
    int triangles = mesh->element_count[PLI_TRIANGLE], segments = mesh->element_count[PLI_SEGMENT];
    int all = 0;
    PLI_TRY(PLI_TAKE(b->arena, *edges, 3 * (size_t)triangles + (size_t)segments, error));
    for (int i = 0; i < 3 * triangles; ++i)
        add_edge(marks, t[i], t[i % 3 == 2 ? i - 2 : i + 1], *edges, &all);
    if (triangles == 0)
        for (int i = 0; i < segments; ++i) add_edge(marks, s[2 * i], s[2 * i + 1], *edges, &all);
    if (all > 0) qsort(*edges, (size_t)all, sizeof **edges, compare_edges);
    *count = 0;
    for (int i = 0, next; i < all; i = next) {
        for (next = i + 1; next < all && compare_edges(&(*edges)[i], &(*edges)[next]) == 0;) ++next;
        if (next == i + 1) (*edges)[(*count)++] = (*edges)[i];
    }
    return PLI_OK;
}

// The neighbours of each vertex, two each, -1: none. *bad: a vertex with none or more than two, -1: none.
static void join(const edge* edges, int count, const pli_chosen* chosen, int32_t* neighbours,
                 int* bad) {
    *bad = -1;
    for (int i = 0; i < 2 * count; ++i) {
        int32_t v = i % 2 ? edges[i / 2].b : edges[i / 2].a, w = i % 2 ? edges[i / 2].a : edges[i / 2].b;
        int place = neighbours[2 * v] < 0 ? 0 : 1;
        if (neighbours[2 * v + place] >= 0) *bad = v;
        neighbours[2 * v + place] = w;
    }
    for (int i = 0; i < chosen->count; ++i) {
        int v = chosen->vertices ? chosen->vertices[i] : i;
        if (neighbours[2 * v] < 0) *bad = v;
    }
}

static void walk(const pli_mesh* mesh, const int32_t* neighbours, int start, int most, chain* out) {
    int before = -1, v = start;
    do {
        int32_t next = neighbours[2 * v] != before ? neighbours[2 * v] : neighbours[2 * v + 1];
        out->vertices[out->count++] = v;
        if (next >= 0) {
            double d[3];
            pli_sub(mesh->positions + 3 * (size_t)next, mesh->positions + 3 * (size_t)v, d, 3);
            out->length += pli_norm(d, 3);
        }
        before = v;
        v = next;
    } while (v >= 0 && v != start && out->count < most);
    out->closed = v == start;
}

static pli_status find_chain(pli_builder* b, const pli_shape* shape, const pli_chosen* chosen,
                             const pli_path* at, chain* out, pli_error* error) {
    const pli_mesh* mesh = &shape->mesh;
    bool* marks;
    edge* edges;
    int32_t* neighbours;
    int count = 0, bad, start = chosen->vertices ? chosen->vertices[0] : 0;
    PLI_TRY(PLI_TAKE(b->arena, marks, mesh->vertex_count, error));
    PLI_TRY(PLI_TAKE(b->arena, neighbours, 2 * (size_t)mesh->vertex_count, error));
    PLI_TRY(PLI_TAKE(b->arena, out->vertices, chosen->count, error));
    for (int i = 0; i < chosen->count; ++i) marks[chosen->vertices ? chosen->vertices[i] : i] = true;
    for (int i = 0; i < 2 * mesh->vertex_count; ++i) neighbours[i] = -1;
    PLI_TRY(find_edges(b, mesh, marks, &edges, &count, error));
    join(edges, count, chosen, neighbours, &bad);
    for (int i = chosen->count - 1; i >= 0 && bad < 0; --i) { // begin at an end, if there is one
        int v = chosen->vertices ? chosen->vertices[i] : i;
        if (neighbours[2 * v + 1] < 0) start = v;
    }
    if (bad < 0) walk(mesh, neighbours, start, chosen->count, out);
    if (bad >= 0 || out->count < chosen->count)
        return PLI_FIND(b->findings, at, error,
                        bad >= 0 ? "vertex %d of the selection has not one or two neighbours along the "
                                   "boundary: pairing \"along\" needs one chain of boundary edges"
                                 : "the selection has several chains of boundary edges, the first with "
                                   "%d vertices: select one of them",
                        bad >= 0 ? bad : out->count);
    return PLI_OK;
}

// Sum of squared distances, with the second chain from `start` on, forwards or backwards.
static int place_in(const chain* c, int start, bool back, int i) {
    return ((back ? start - i : start + i) % c->count + c->count) % c->count;
}
static double cost(const pli_shape* const s[2], const chain c[2], int start, bool back) {
    double sum = 0, d[3];
    for (int i = 0; i < c[0].count; ++i) {
        pli_sub(s[0]->mesh.positions + 3 * (size_t)c[0].vertices[i],
                s[1]->mesh.positions + 3 * (size_t)c[1].vertices[place_in(&c[1], start, back, i)], d, 3);
        sum += pli_dot(d, d, 3);
    }
    return sum;
}

static void align(const pli_shape* const s[2], const chain c[2], int* start, bool* back) {
    double least = HUGE_VAL;
    for (int way = 0; way < 2; ++way) {
        int first = way && !c[1].closed ? c[1].count - 1 : 0, last = c[1].closed ? c[1].count - 1 : first;
        for (int k = first; k <= last; ++k) {
            double sum = cost(s, c, k, way);
            if (!(sum < least)) continue;
            least = sum;
            *start = k;
            *back = way;
        }
    }
}

pli_status pli_pair_along(pli_builder* b, const pli_shape* const shapes[2], const pli_chosen chosen[2],
                          const pli_path* at, pli_stencil_pairs* out, pli_error* error) {
    chain c[2] = {{0}};
    int errors = b->findings->error_count, start = 0;
    bool back = false;
    pli_path between = pli_path_key(at, "between");
    for (int k = 0; k < 2; ++k)
        PLI_TRY(find_chain(b, shapes[k], &chosen[k], PLI_INDEX(&between, k), &c[k], error));
    if (b->findings->error_count > errors) return PLI_OK;
    if (c[0].count != c[1].count || c[0].closed != c[1].closed)
        return PLI_FIND(b->findings, &between, error,
                        "the boundaries are %s with %d vertices (%.4g m) and %s with %d (%.4g m): "
                        "pairing \"along\" needs the same kind and count",
                        c[0].closed ? "closed" : "open", c[0].count, c[0].length,
                        c[1].closed ? "closed" : "open", c[1].count, c[1].length);
    double ratio = c[1].length / c[0].length;
    if (ratio > 1.25 || ratio < 0.8)
        PLI_TRY(PLI_WARN(b->findings, &between, error,
                         "the boundaries are %.4g and %.4g m long: one of them will wrinkle or stretch",
                         c[0].length, c[1].length));
    align(shapes, c, &start, &back);
    PLI_TRY(PLI_TAKE(b->arena, out->vertices, 2 * (size_t)c[0].count, error));
    for (int i = 0; i < c[0].count; ++i) {
        out->vertices[2 * i] = c[0].vertices[i];
        out->vertices[2 * i + 1] = c[1].vertices[place_in(&c[1], start, back, i)];
    }
    out->count = c[0].count;
    return PLI_OK;
}
