// Candidates from the box tree, decisions by exact orientation tests.
#include "contact/intersect.h"

#include "contact/ccd.h"
#include "contact/distance.h"
#include "math/predicates.h"

#include <math.h>

// Queries per chunk: limits the memory for pairs.
enum { CHUNK = 4096 };

typedef struct search {
    const pli_view* view;
    const pli_primitives *points, *edges;
    const pli_filter* filter;
    int first;     // first query of the current chunk
    double margin; // how far outside the box of an edge a touching point may be [m]
    pli_bvh tree;
    pli_box_pairs pairs;
    pli_box* boxes; // of all edges
} search;

static const double* position(const search* s, int32_t vertex) { return s->view->x + 3 * vertex; }

static const double* edge_end(const search* s, int edge, int end) {
    return position(s, s->edges->vertices[2 * edge + end]);
}

static pli_box box_of(const search* s, const pli_primitives* list, int i) {
    pli_box box = {{0}, {0}};
    for (int k = 0; k < 2; ++k) {
        double a = position(s, list->vertices[i * list->width])[k];
        double b = position(s, list->vertices[(i + 1) * list->width - 1])[k];
        box.min[k] = fmin(a, b);
        box.max[k] = fmax(a, b);
    }
    return box;
}

static bool within(double a, double b, double x) { return fmin(a, b) <= x && x <= fmax(a, b); }

// Exactly on the closed edge.
static bool lies_on(const double* p, const double* a, const double* b) {
    return within(a[0], b[0], p[0]) && within(a[1], b[1], p[1]) && pli_orient2d(a, b, p) == 0;
}

static bool point_touches(const void* context, int query, int edge) {
    const search* s = context;
    int32_t vertex = s->points->vertices[s->first + query];
    const int32_t* ends = s->edges->vertices + 2 * edge;
    if (vertex == ends[0] || vertex == ends[1]) return false;
    if (!pli_may_touch(s->filter, vertex, ends[0])) return false;
    const double* x[3] = {position(s, vertex), edge_end(s, edge, 0), edge_end(s, edge, 1)};
    if (lies_on(x[0], x[1], x[2])) return true;
    pli_point_edge pair;
    pli_point_edge_closest(2, x[0], x[1], x[2], &pair);
    return !(pair.distance > pli_ccd_resolution(2, 3, x, NULL));
}

static bool edges_cross(const void* context, int query, int edge) {
    const search* s = context;
    int other = s->first + query;
    if (other >= edge) return false; // each pair once
    const int32_t* all = s->edges->vertices;
    if (!pli_may_touch(s->filter, all[2 * other], all[2 * edge])) return false;
    if (!pli_edges_may_touch(s->filter, all + 2 * other, all + 2 * edge)) return false;
    const double *a = edge_end(s, other, 0), *b = edge_end(s, other, 1);
    const double *c = edge_end(s, edge, 0), *d = edge_end(s, edge, 1);
    return pli_orient2d(a, b, c) * pli_orient2d(a, b, d) < 0 &&
           pli_orient2d(c, d, a) * pli_orient2d(c, d, b) < 0;
}

// Runs `found` over all (query, edge) pairs with overlapping boxes, chunk by chunk, until one is.
static pli_status search_chunks(search* s, const pli_primitives* queries, pli_box* chunk,
                                bool (*found)(const void*, int, int), pli_error* error) {
    s->pairs.count = 0;
    for (s->first = 0; s->first < queries->count; s->first += CHUNK) {
        int count = pli_min_int(CHUNK, queries->count - s->first);
        for (int i = 0; i < count; ++i) {
            chunk[i] = box_of(s, queries, s->first + i);
            for (int k = 0; k < 2; ++k) {
                chunk[i].min[k] -= s->margin;
                chunk[i].max[k] += s->margin;
            }
        }
        pli_box_query query = {
            .count = count, .boxes = chunk, .keep = found, .context = s, .max_pairs = INT32_MAX};
        PLI_TRY(pli_bvh_query(&s->tree, s->view->pool, &query, &s->pairs, error));
        if (s->pairs.count > 0) break;
    }
    return PLI_OK;
}

static void report_touch(const search* s, const pli_box_pair* pair, pli_intersection* out) {
    int32_t vertex = s->points->vertices[s->first + pair->query];
    const int32_t* ends = s->edges->vertices + 2 * pair->primitive;
    const double* p = position(s, vertex);
    pli_point_edge closest;
    pli_point_edge_closest(2, p, position(s, ends[0]), position(s, ends[1]), &closest);
    *out = (pli_intersection){.kind = PLI_POINT_TOUCHES,
                              .vertices = {vertex, ends[0], ends[1], -1},
                              .point = {p[0], p[1]},
                              .distance = closest.distance};
}

static void report_crossing(const search* s, const pli_box_pair* pair, pli_intersection* out) {
    const int32_t* e = s->edges->vertices + 2 * (s->first + pair->query);
    const int32_t* f = s->edges->vertices + 2 * pair->primitive;
    *out = (pli_intersection){.kind = PLI_EDGES_CROSS, .vertices = {e[0], e[1], f[0], f[1]}};
    const double *a = position(s, e[0]), *b = position(s, e[1]);
    const double *c = position(s, f[0]), *d = position(s, f[1]);
    double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {d[0] - c[0], d[1] - c[1]};
    double det = u[0] * v[1] - u[1] * v[0];
    double t = ((c[0] - a[0]) * v[1] - (c[1] - a[1]) * v[0]) / det;
    if (!(t >= 0)) t = 0; // rounding: the edges are almost parallel
    if (t > 1) t = 1;
    for (int k = 0; k < 2; ++k) out->point[k] = a[k] + t * u[k];
}

// An upper bound of the resolution of any point and edge near the box of all edges: each of three
// vertices adds at most as much as the two corners of the box.
static double box_margin(const pli_box* all) {
    const double* corners[2] = {all->min, all->max};
    return 4 * pli_ccd_resolution(2, 2, corners, NULL);
}

pli_status pli_find_intersection(pli_memory* memory, const pli_view* view,
                                 const pli_primitives* points, const pli_primitives* edges,
                                 const pli_filter* filter, pli_intersection* out,
                                 pli_error* error) {
    search s = {.view = view, .points = points, .edges = edges, .filter = filter};
    pli_box* chunk = NULL;
    pli_bvh_init(&s.tree, memory);
    pli_box_pairs_init(&s.pairs, memory);
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, s.boxes, edges->count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, chunk, CHUNK, error));
    for (int i = 0; i < edges->count; ++i) s.boxes[i] = box_of(&s, edges, i);
    PLI_TRY_CLEANUP(status, pli_bvh_build(&s.tree, view->pool, edges->count, s.boxes, error));
    if (edges->count > 0) s.margin = box_margin(&s.tree.all);
    PLI_TRY_CLEANUP(status, search_chunks(&s, points, chunk, point_touches, error));
    if (s.pairs.count > 0) {
        report_touch(&s, &s.pairs.pairs[0], out);
        goto cleanup;
    }
    PLI_TRY_CLEANUP(status, search_chunks(&s, edges, chunk, edges_cross, error));
    *out = (pli_intersection){.kind = PLI_NO_INTERSECTION};
    if (s.pairs.count > 0) report_crossing(&s, &s.pairs.pairs[0], out);
cleanup:
    PLI_FREE(memory, s.boxes, edges->count);
    PLI_FREE(memory, chunk, CHUNK);
    pli_bvh_free(&s.tree);
    pli_box_pairs_free(&s.pairs);
    return status;
}
