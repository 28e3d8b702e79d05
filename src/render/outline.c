// Border loops of triangles. A directed edge and its reverse cancel; what is left has as many edges
// into each vertex as out of it, because each triangle is a cycle, so every walk along left edges
// closes. That holds for any set of triangles, also flipped or overlapping ones.
#include "render/plane.h"

#include <stdlib.h>

typedef struct directed {
    int32_t from, to;
} directed;

static int32_t low(const directed* e) { return e->from < e->to ? e->from : e->to; }
static int32_t high(const directed* e) { return e->from < e->to ? e->to : e->from; }

static int compare(int32_t a, int32_t b) { return (a > b) - (a < b); }

// Same undirected edges together, upward ones first.
static int by_edge(const void* a, const void* b) {
    const directed *p = a, *q = b;
    int order = compare(low(p), low(q));
    if (order == 0) order = compare(high(p), high(q));
    return order ? order : compare(p->from, q->from);
}

static int by_start(const void* a, const void* b) {
    const directed *p = a, *q = b;
    int order = compare(p->from, q->from);
    return order ? order : compare(p->to, q->to);
}

// Splits sorted edges: pairs go to outline->edges, the rest stays in `edges`; returns how many.
static int cancel(pli_outline* outline, directed* edges, int count) {
    int left = 0;
    for (int i = 0, end; i < count; i = end) {
        int up = 0;
        for (end = i; end < count && low(&edges[end]) == low(&edges[i]) &&
                      high(&edges[end]) == high(&edges[i]);
             ++end)
            up += edges[end].from == low(&edges[i]);
        int down = end - i - up, pairs = pli_min_int(up, down);
        if (pairs > 0) {
            outline->edges[2 * outline->edge_count] = low(&edges[i]);
            outline->edges[2 * outline->edge_count++ + 1] = high(&edges[i]);
        }
        // Upward edges are [i, i + up), downward ones follow.
        for (int k = pairs; k < up; ++k) edges[left++] = edges[i + k];
        for (int k = up + pairs; k < end - i; ++k) edges[left++] = edges[i + k];
    }
    return left;
}

// First edge that starts at `vertex`, by bisection of edges sorted by start.
static int find_start(const directed* edges, int count, int32_t vertex) {
    int first = 0;
    while (count > 0) {
        int half = count / 2;
        if (edges[first + half].from < vertex) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

// Walks from every unused edge until back at its start. A used edge has to == -1.
static void chain(pli_outline* outline, directed* edges, int count) {
    int used = 0;
    for (int i = 0; i < count; ++i) {
        if (edges[i].to < 0) continue;
        outline->loop_start[outline->loop_count++] = used;
        int32_t vertex = edges[i].from;
        do {
            int k = find_start(edges, count, vertex);
            while (edges[k].to < 0) ++k;
            outline->loop_vertices[used++] = vertex;
            vertex = edges[k].to;
            edges[k].to = -1;
        } while (vertex != edges[i].from);
    }
    outline->loop_start[outline->loop_count] = used;
}

// The sides of polygons whose corners are given in the order `around`.
static directed* add_sides(const int32_t* vertices, int count, int corners, const int* around,
                           directed* out) {
    for (int t = 0; t < count; ++t, vertices += corners)
        for (int k = 0; k < corners; ++k)
            *out++ = (directed){vertices[around[k]], vertices[around[(k + 1) % corners]]};
    return out;
}

pli_status pli_outline_init(pli_outline* outline, pli_memory* memory, const pli_faces* faces,
                            pli_error* error) {
    static const int linear[3] = {0, 1, 2}, quadratic[6] = {0, 3, 1, 4, 2, 5};
    int64_t sides = 3 * (int64_t)faces->triangle_count + 6 * (int64_t)faces->quadratic_count;
    if (sides > INT32_MAX / 2)
        return pli_fail(error, PLI_E_MEMORY, "%lld triangles are too many to draw",
                        (long long)faces->triangle_count + faces->quadratic_count);
    pli_outline fresh = {.memory = memory, .capacity = (int)sides};
    size_t count = (size_t)sides;
    directed* edges = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, edges, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.loop_start, count + 1, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.loop_vertices, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.edges, 2 * count, error));
    directed* next = add_sides(faces->triangles, faces->triangle_count, 3, linear, edges);
    add_sides(faces->quadratics, faces->quadratic_count, 6, quadratic, next);
    if (count > 0) {
        qsort(edges, count, sizeof *edges, by_edge);
        int left = cancel(&fresh, edges, (int)count);
        qsort(edges, (size_t)left, sizeof *edges, by_start);
        chain(&fresh, edges, left);
    }
    *outline = fresh;
cleanup:
    PLI_FREE(memory, edges, count);
    if (status != PLI_OK) pli_outline_free(&fresh);
    return status;
}

void pli_outline_free(pli_outline* outline) {
    pli_memory* memory = outline->memory;
    if (!memory) return;
    size_t count = (size_t)outline->capacity;
    PLI_FREE(memory, outline->loop_start, count + 1);
    PLI_FREE(memory, outline->loop_vertices, count);
    PLI_FREE(memory, outline->edges, 2 * count);
}
