// Boundary of triangles: all directed edges are sorted by their vertices (stable counting sorts, so
// the result depends on nothing but the set), then equal ones are neighbours.
#include "mesh/topology.h"

#include <string.h>

#include "mesh/measure.h"

typedef struct edge {
    int32_t from, to;
} edge;

typedef int32_t edge_key(const edge* e);

static int32_t key_from(const edge* e) { return e->from; }
static int32_t key_to(const edge* e) { return e->to; }
static int32_t key_low(const edge* e) { return e->from < e->to ? e->from : e->to; }
static int32_t key_high(const edge* e) { return e->from < e->to ? e->to : e->from; }

typedef struct workspace {
    pli_memory* memory;
    int edge_count, vertex_count;
    edge *edges, *other;
    int32_t* start; // vertex_count + 1
} workspace;

static void sort_by(workspace* w, int count, edge_key* key) {
    memset(w->start, 0, ((size_t)w->vertex_count + 1) * sizeof *w->start);
    for (int i = 0; i < count; ++i) w->start[key(&w->edges[i]) + 1]++;
    for (int v = 0; v < w->vertex_count; ++v) w->start[v + 1] += w->start[v];
    for (int i = 0; i < count; ++i) w->other[w->start[key(&w->edges[i])]++] = w->edges[i];
    edge* swap = w->edges;
    w->edges = w->other;
    w->other = swap;
}

static bool same_edge(const edge* a, const edge* b) {
    return key_low(a) == key_low(b) && key_high(a) == key_high(b);
}

// Keeps the edges that occur once, in the order of the result; returns their number.
static int keep_single_edges(workspace* w) {
    sort_by(w, w->edge_count, key_high);
    sort_by(w, w->edge_count, key_low);
    int kept = 0;
    for (int i = 0, end; i < w->edge_count; i = end) {
        for (end = i + 1; end < w->edge_count && same_edge(&w->edges[i], &w->edges[end]);) ++end;
        if (end == i + 1) w->edges[kept++] = w->edges[i];
    }
    sort_by(w, kept, key_to);
    sort_by(w, kept, key_from);
    return kept;
}

// Marks the vertices of the edges in `start` and returns how many there are.
static int mark_vertices(workspace* w, int count) {
    memset(w->start, 0, ((size_t)w->vertex_count + 1) * sizeof *w->start);
    for (int i = 0; i < count; ++i) w->start[w->edges[i].from] = w->start[w->edges[i].to] = 1;
    int marked = 0;
    for (int v = 0; v < w->vertex_count; ++v) marked += w->start[v];
    return marked;
}

static void fill_boundary(const workspace* w, pli_boundary* boundary) {
    for (int i = 0; i < boundary->segment_count; ++i) {
        boundary->segments[2 * i] = w->edges[i].from;
        boundary->segments[2 * i + 1] = w->edges[i].to;
    }
    for (int v = 0, next = 0; v < w->vertex_count; ++v)
        if (w->start[v]) boundary->vertices[next++] = v;
}

// The directed edges of polygons whose corners are given by `order`.
static edge* put_edges(edge* out, int count, int width, const int32_t* polygons, const int* order) {
    for (int p = 0; p < count; ++p)
        for (int i = 0; i < width; ++i) {
            const int32_t* polygon = polygons + (size_t)p * (size_t)width;
            *out++ = (edge){polygon[order[i]], polygon[order[(i + 1) % width]]};
        }
    return out;
}

pli_status pli_boundary_of_faces(pli_memory* memory, int world_vertex_count, const pli_faces* faces,
                                 pli_boundary* out, pli_error* error) {
    static const int straight[] = {0, 1, 2}, curved[] = {0, 3, 1, 4, 2, 5};
    workspace w = {.memory = memory,
                   .edge_count = 3 * faces->triangle_count + 6 * faces->quadratic_count,
                   .vertex_count = world_vertex_count};
    pli_boundary boundary = {.memory = memory};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, w.edges, w.edge_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, w.other, w.edge_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, w.start, w.vertex_count + 1, error));
    put_edges(put_edges(w.edges, faces->triangle_count, 3, faces->triangles, straight),
              faces->quadratic_count, 6, faces->quadratics, curved);
    for (int i = 0; i < w.edge_count; ++i)
        PLI_ASSERT(w.edges[i].from >= 0 && w.edges[i].from < world_vertex_count);
    int segment_count = keep_single_edges(&w), vertex_count = mark_vertices(&w, segment_count);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, boundary.segments, 2 * segment_count, error));
    boundary.segment_count = segment_count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, boundary.vertices, vertex_count, error));
    boundary.vertex_count = vertex_count;
    fill_boundary(&w, &boundary);
    *out = boundary;
    boundary = (pli_boundary){.memory = memory};
cleanup:
    pli_boundary_free(&boundary);
    PLI_FREE(memory, w.edges, w.edge_count);
    PLI_FREE(memory, w.other, w.edge_count);
    PLI_FREE(memory, w.start, w.vertex_count + 1);
    return status;
}

pli_status pli_boundary_create(pli_memory* memory, int world_vertex_count, int triangle_count,
                               const int32_t* triangles, pli_boundary* out, pli_error* error) {
    pli_faces faces = {.triangle_count = triangle_count, .triangles = triangles};
    return pli_boundary_of_faces(memory, world_vertex_count, &faces, out, error);
}

void pli_boundary_free(pli_boundary* boundary) {
    if (!boundary->memory) return;
    PLI_FREE(boundary->memory, boundary->segments, 2 * boundary->segment_count);
    PLI_FREE(boundary->memory, boundary->vertices, boundary->vertex_count);
    *boundary = (pli_boundary){0};
}

void pli_boundary_lengths(const pli_boundary* boundary, int dim, const double* x, double* length) {
    for (int i = 0; i < boundary->segment_count; ++i) {
        const int32_t* segment = boundary->segments + 2 * (size_t)i;
        double half = 0.5 * pli_element_measure(dim, PLI_SEGMENT, segment, x);
        length[segment[0]] += half;
        length[segment[1]] += half;
    }
}
