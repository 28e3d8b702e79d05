// Border loops of triangles. A directed edge and its reverse cancel; what is left has as many edges
// into each vertex as out of it, because each triangle is a cycle, so every walk along left edges
// closes. That holds for any set of triangles, also flipped or overlapping ones.
#include "io/outline.h"

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

pli_status pli_outline_init(pli_outline* outline, pli_memory* memory, const int32_t* triangles,
                            int triangle_count, pli_error* error) {
    pli_outline fresh = {.memory = memory, .capacity = 3 * triangle_count};
    size_t count = 3 * (size_t)triangle_count;
    directed* edges = NULL;
    pli_status status;
    if (triangle_count > INT32_MAX / 6)
        return pli_fail(error, PLI_E_MEMORY, "%d triangles are too many to draw", triangle_count);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, edges, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.loop_start, count + 1, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.loop_vertices, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.edges, 2 * count, error));
    for (int t = 0; t < triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            edges[3 * t + k] = (directed){triangles[3 * t + k], triangles[3 * t + (k + 1) % 3]};
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
