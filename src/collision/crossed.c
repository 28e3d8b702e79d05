// Cross-springs: segments of one body that cross each other at rest, as the two diagonals of a cell
// of a spring net do. Such pairs never touch; all other pairs may.
#include "collision/surfaces.h"

#include "contact/closest.h"
#include "math/vec.h"
#include "base/collections.h"
#include "spatial/box_tree.h"

// Segments cross if they come closer than this part of their lengths, which rotating a plane net
// makes of 0, and so far from their ends: one that ends on another is no cross-spring.
static const double CLOSE = 1e-9, ENDS = 1e-6;

typedef struct search {
    const double* rest;
    const pli_surfaces* surfaces;
    const int32_t* edge; // whose partners are looked for
    int number;
    pli_memory* memory;
    int count, capacity;
    int32_t* rows;
    pli_status status;
    pli_error* error;
} search;

static bool cross(const double* rest, const int32_t* a, const int32_t* b) {
    const double* x[4] = {rest + 3 * (size_t)a[0], rest + 3 * (size_t)a[1], rest + 3 * (size_t)b[0],
                          rest + 3 * (size_t)b[1]};
    double u[3], v[3];
    pli_closest pair;
    for (int i = 0; i < 4; ++i)
        if (a[i / 2] == b[i % 2]) return false;
    pli_edge_edge_closest(x, &pair);
    pli_sub(x[1], x[0], u, 3);
    pli_sub(x[3], x[2], v, 3);
    for (int i = 0; i < 4; ++i)
        if (!(fabs(pair.c[i]) > ENDS)) return false;
    return pair.distance <= CLOSE * (pli_norm(u, 3) + pli_norm(v, 3));
}

static bool look_at(void* context, int32_t item) {
    search* s = context;
    const pli_surfaces* c = s->surfaces;
    int number = c->loose_edge + item;
    const int32_t* other = c->edges.vertices + 2 * (size_t)number;
    if (number <= s->number || c->body[other[0]] != c->body[s->edge[0]] ||
        !cross(s->rest, s->edge, other))
        return true;
    s->status = PLI_GROW(s->memory, s->rows, s->capacity, 4 * s->count + 4, s->error);
    if (s->status != PLI_OK) return false;
    int32_t* row = s->rows + 4 * (size_t)s->count++; // edges are sorted, so this is a sorted pair
    row[0] = s->edge[0], row[1] = s->edge[1], row[2] = other[0], row[3] = other[1];
    return true;
}

static void box_of(const double* rest, const int32_t* edge, double box[6]) {
    const double *a = rest + 3 * (size_t)edge[0], *b = rest + 3 * (size_t)edge[1];
    double d[3];
    pli_sub(b, a, d, 3);
    double room = CLOSE * pli_norm(d, 3);
    for (int k = 0; k < 3; ++k) {
        box[k] = fmin(a[k], b[k]) - room;
        box[3 + k] = fmax(a[k], b[k]) + room;
    }
}

pli_status pli_surfaces_find_crossed(pli_surfaces* c, const double* rest, pli_error* error) {
    int loose = c->edges.count - c->loose_edge;
    if (loose == 0) return PLI_OK;
    double* boxes = NULL;
    pli_tree tree = {0};
    search s = {.rest = rest, .surfaces = c, .memory = c->memory, .error = error};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(c->memory, boxes, 6 * (size_t)loose, error));
    for (int i = 0; i < loose; ++i)
        box_of(rest, c->edges.vertices + 2 * (size_t)(c->loose_edge + i), boxes + 6 * (size_t)i);
    PLI_TRY_CLEANUP(status, pli_tree_create(c->memory, loose, boxes, &tree, error));
    for (int i = 0; i < loose && s.status == PLI_OK; ++i) {
        const double* box = boxes + 6 * (size_t)i;
        s.number = c->loose_edge + i;
        s.edge = c->edges.vertices + 2 * (size_t)s.number;
        pli_tree_visit(&tree, box, box + 3, look_at, &s);
    }
    status = s.status;
    if (status == PLI_OK)
        status = pli_sort_rows(c->memory, s.rows, s.count, 4, 4, c->vertex_count, error);
cleanup:
    pli_tree_free(&tree);
    PLI_FREE(c->memory, boxes, 6 * (size_t)loose);
    c->crossed = (pli_edge_pairs){s.count, s.capacity, s.rows};
    c->filter.crossed = &c->crossed;
    return status;
}
