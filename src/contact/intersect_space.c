// Candidates from the box tree, decisions by exact tests (math/predicates.h), one table row per
// kind of pair.
#include "contact/intersect.h"

#include "math/predicates.h"
#include "math/vec.h"

enum { CHUNK = 16384, PAIR_GRAIN = 256, PAIRS_AT_ONCE = 1 << 20 };

typedef const double* const* corners; // positions of the first primitive, then of the second

static bool edge_triangle_meet(corners x) {
    return pli_segment_meets_triangle(x[0], x[1], x[2], x[3], x[4]);
}
static bool point_triangle_meet(corners x) {
    return pli_point_meets_triangle(x[0], x[1], x[2], x[3]);
}
static bool edges_meet(corners x) { return pli_segments_meet(x[0], x[1], x[2], x[3]); }
static bool point_edge_meet(corners x) { return pli_point_meets_segment(x[0], x[1], x[2]); }
static bool points_meet(corners x) { return pli_points_meet(x[0], x[1]); }

static void first_corner(corners x, double point[3]) { pli_copy(x[0], point, 3); }

// a + t (b - a), t clamped to the edge; NaN where all points coincide.
static void along(const double* a, const double* b, double t, double point[3]) {
    if (!(t > 0)) t = 0;
    if (t > 1) t = 1;
    for (int k = 0; k < 3; ++k) point[k] = a[k] + t * (b[k] - a[k]);
}

// An end on the other edge, or the intersection of the lines: with u = b - a, v = d - c, n = u x v,
//   t = ((c - a) x v) . n / |n|^2.
static void where_edges_meet(corners x, double point[3]) {
    for (int i = 0; i < 4; ++i) {
        int other = i < 2 ? 2 : 0;
        if (!pli_point_meets_segment(x[i], x[other], x[other + 1])) continue;
        pli_copy(x[i], point, 3);
        return;
    }
    double u[3], v[3], w[3], n[3], m[3];
    pli_sub(x[1], x[0], u, 3);
    pli_sub(x[3], x[2], v, 3);
    pli_sub(x[2], x[0], w, 3);
    pli_cross3(u, v, n);
    pli_cross3(w, v, m);
    along(x[0], x[1], pli_dot(m, n, 3) / pli_dot(n, n, 3), point);
}

// Coplanar: an end in the triangle, or the intersection with the first edge that is crossed.
static void where_flat(corners x, double point[3]) {
    for (int i = 0; i < 2; ++i)
        if (pli_point_meets_triangle(x[i], x[2], x[3], x[4])) {
            pli_copy(x[i], point, 3);
            return;
        }
    for (int i = 0; i < 3; ++i) {
        const double* edges[4] = {x[0], x[1], x[2 + i], x[2 + (i + 1) % 3]};
        if (!edges_meet(edges)) continue;
        where_edges_meet(edges, point);
        return;
    }
}

// Otherwise the intersection with the plane: heights h of the ends, t = h0 / (h0 - h1).
static void where_pierced(corners x, double point[3]) {
    if (pli_orient3d(x[2], x[3], x[4], x[0]) == 0 && pli_orient3d(x[2], x[3], x[4], x[1]) == 0) {
        where_flat(x, point);
        return;
    }
    double u[3], v[3], n[3], h[2];
    pli_sub(x[3], x[2], u, 3);
    pli_sub(x[4], x[2], v, 3);
    pli_cross3(u, v, n);
    for (int i = 0; i < 2; ++i) {
        double w[3];
        pli_sub(x[i], x[2], w, 3);
        h[i] = pli_dot(n, w, 3);
    }
    along(x[0], x[1], h[0] / (h[0] - h[1]), point);
}

typedef struct pair_row {
    int width[2]; // of the querying primitives and of those in the tree
    bool (*meet)(corners x);
    void (*place)(corners x, double point[3]);
} pair_row;

// Rows with the same tree are adjacent.
static const pair_row rows[] = {
    {{2, 3}, edge_triangle_meet, where_pierced}, {{1, 3}, point_triangle_meet, first_corner},
    {{2, 2}, edges_meet, where_edges_meet},      {{1, 2}, point_edge_meet, first_corner},
    {{1, 1}, points_meet, first_corner},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

typedef struct search {
    pli_memory* memory;
    const pli_view* view;
    const pli_filter* filter;
    const pli_primitives* lists[4]; // by width
    const pair_row* row;
    int first, chunk; // queries per chunk
    pli_bvh tree;
    pli_box_pairs pairs;
    pli_box* boxes[4]; // of each list
    uint8_t* meet;     // per pair
    int meet_capacity;
    pli_crossing* out;
    int count, capacity;
} search;

static const int32_t* vertices_of(const search* s, int side, int number) {
    int width = s->row->width[side];
    return s->lists[width]->vertices + number * width;
}

static void corners_of(const search* s, const pli_box_pair* pair, const double* x[5]) {
    const int* width = s->row->width;
    const int32_t* a = vertices_of(s, 0, s->first + pair->query);
    const int32_t* b = vertices_of(s, 1, pair->primitive);
    for (int i = 0; i < width[0]; ++i) x[i] = s->view->x + 3 * a[i];
    for (int i = 0; i < width[1]; ++i) x[width[0] + i] = s->view->x + 3 * b[i];
}

static bool may_pair(const void* context, int query, int primitive) {
    const search* s = context;
    const int* width = s->row->width;
    int number = s->first + query;
    if (width[0] == width[1] && number >= primitive) return false; // each pair once
    const int32_t *a = vertices_of(s, 0, number), *b = vertices_of(s, 1, primitive);
    return pli_primitives_may_touch(s->filter, width[0], a, width[1], b);
}

static void meet_block(void* context, int first, int end) {
    const search* s = context;
    for (int i = first; i < end; ++i) {
        const double* x[5];
        corners_of(s, &s->pairs.pairs[i], x);
        s->meet[i] = s->row->meet(x);
    }
}

static void report(search* s, const pli_box_pair* pair) {
    const int* width = s->row->width;
    int at = s->count++;
    if (!s->out) return;
    pli_crossing* c = &s->out[at];
    *c = (pli_crossing){.width = {width[0], width[1]},
                        .number = {s->first + pair->query, pair->primitive},
                        .vertices = {-1, -1, -1, -1, -1}};
    int32_t* to = c->vertices;
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < width[side]; ++i) *to++ = vertices_of(s, side, c->number[side])[i];
    const double* x[5];
    corners_of(s, pair, x);
    s->row->place(x, c->point);
}

// Queries from s->first on; fewer than a chunk if they have many pairs.
static pli_status search_chunk(search* s, int* done, pli_error* error) {
    int width = s->row->width[0], rest = s->lists[width]->count - s->first;
    int most = pli_max_int(PAIRS_AT_ONCE, s->tree.count); // one query fits
    for (;;) {
        *done = pli_min_int(s->chunk, rest);
        pli_box_query query = {.count = *done,
                               .boxes = s->boxes[width] + s->first,
                               .keep = may_pair,
                               .context = s,
                               .max_pairs = most};
        PLI_TRY(pli_bvh_query(&s->tree, s->view->pool, &query, &s->pairs, error));
        if (s->pairs.found <= most) break;
        s->chunk = (*done + 1) / 2;
    }
    PLI_TRY(PLI_GROW(s->memory, s->meet, s->meet_capacity, s->pairs.count, error));
    pli_parallel_for(s->view->pool, s->pairs.count, PAIR_GRAIN, meet_block, s);
    for (int i = 0; i < s->pairs.count && s->count < s->capacity; ++i)
        if (s->meet[i]) report(s, &s->pairs.pairs[i]);
    return PLI_OK;
}

static pli_status search_row(search* s, const pair_row* row, pli_error* error) {
    int width = row->width[1];
    if (!s->row || s->row->width[1] != width)
        PLI_TRY(
            pli_bvh_build(&s->tree, s->view->pool, s->lists[width]->count, s->boxes[width], error));
    s->row = row;
    s->chunk = CHUNK;
    int count = s->lists[row->width[0]]->count, done;
    for (s->first = 0; s->first < count && s->count < s->capacity; s->first += done)
        PLI_TRY(search_chunk(s, &done, error));
    return PLI_OK;
}

static pli_status make_boxes(search* s, int width, pli_error* error) {
    const pli_primitives* list = s->lists[width];
    PLI_TRY(PLI_ALLOC(s->memory, s->boxes[width], list->count, error));
    for (int i = 0; i < list->count * width; ++i) {
        int32_t v = list->vertices[i];
        pli_box* box = &s->boxes[width][i / width];
        for (int k = 0; k < 3; ++k) {
            double x = s->view->x[3 * v + k];
            if (!isfinite(x))
                return pli_fail(error, PLI_E_ARGUMENT,
                                "contact: vertex %d: position %g, must be "
                                "finite",
                                (int)v, x);
            if (i % width == 0 || x < box->min[k]) box->min[k] = x;
            if (i % width == 0 || x > box->max[k]) box->max[k] = x;
        }
    }
    return PLI_OK;
}

pli_status pli_find_crossings(pli_memory* memory, const pli_view* view,
                              const pli_primitive_lists* parts, int capacity, pli_crossing* out,
                              int* count, pli_error* error) {
    search s = {.memory = memory,
                .view = view,
                .filter = parts->filter,
                .lists = {NULL, &parts->points, &parts->edges, &parts->triangles},
                .out = out,
                .capacity = capacity};
    pli_bvh_init(&s.tree, memory);
    pli_box_pairs_init(&s.pairs, memory);
    pli_status status = PLI_OK;
    for (int width = 1; width <= 3; ++width) PLI_TRY_CLEANUP(status, make_boxes(&s, width, error));
    for (int i = 0; i < ROW_COUNT; ++i) PLI_TRY_CLEANUP(status, search_row(&s, &rows[i], error));
    *count = s.count;
cleanup:
    for (int width = 1; width <= 3; ++width)
        PLI_FREE(memory, s.boxes[width], s.lists[width]->count);
    PLI_FREE(memory, s.meet, s.meet_capacity);
    pli_bvh_free(&s.tree);
    pli_box_pairs_free(&s.pairs);
    return status;
}
