// Border loops of triangles. A directed edge and its reverse cancel; what is left has as many edges
// into each vertex as out of it, because each triangle is a cycle, so every walk along left edges
// closes. That holds for any set of triangles, also flipped or overlapping ones.
#include "render/plane.h"

#include "base/collections.h"

typedef struct directed {
    int32_t from, to;
} directed;

// Edges with both directions go to outline->edges; what does not cancel goes to `left`, which has
// room for all uses. Returns how many are left.
static int cancel(pli_outline* outline, const pli_elements* all, const pli_sides* sides,
                  directed* left) {
    int count = 0;
    for (int i = 0; i < sides->count; ++i) {
        int32_t low = sides->vertices[2 * (size_t)i], high = sides->vertices[2 * (size_t)i + 1];
        int up = 0, uses = pli_side_uses(sides, i);
        for (int k = 0; k < uses; ++k)
            up += pli_side_at(all, PLI_SPLIT_EDGES, sides->uses[sides->start[i] + k]).v[0] == low;
        int down = uses - up;
        if (pli_min_int(up, down) > 0) {
            outline->edges[2 * outline->edge_count] = low;
            outline->edges[2 * outline->edge_count++ + 1] = high;
        }
        for (int k = down; k < up; ++k) left[count++] = (directed){low, high};
        for (int k = up; k < down; ++k) left[count++] = (directed){high, low};
    }
    return count;
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

pli_status pli_outline_init(pli_outline* outline, pli_memory* memory, const pli_elements* all,
                            pli_error* error) {
    pli_sides sides = {0};
    pli_outline fresh = {.memory = memory};
    size_t count = 0;
    directed* edges = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(memory, all, PLI_SPLIT_EDGES, &sides, error));
    fresh.capacity = sides.use_count;
    count = (size_t)sides.use_count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, edges, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.loop_start, count + 1, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.loop_vertices, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.edges, 2 * count, error));
    int left = cancel(&fresh, all, &sides, edges);
    PLI_TRY_CLEANUP(status,
                    pli_sort_rows(memory, (int32_t*)edges, left, 2, 2, all->vertex_limit, error));
    chain(&fresh, edges, left);
    *outline = fresh;
cleanup:
    pli_sides_free(&sides);
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
