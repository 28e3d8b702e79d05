// Parts of bodies that lie inside elements of others, by exact orientation tests.
//
// A part is what hangs together by elements. Where surfaces do not intersect a part lies inside
// another with all its vertices or with none, so one of them is enough.
#include "dynamics/survey.h"

#include "contact/broad_phase.h"
#include "math/predicates.h"

typedef struct solid_kind {
    pli_element_kind kind;
    int piece_count;
    uint8_t pieces[8][4]; // flat simplices; their corners in the element
} solid_kind;

// Middles of a triangle: 01 12 20; of a tetrahedron: 01 12 20 03 13 23.
static const solid_kind plane_kinds[2] = {
    {PLI_TRIANGLE, 1, {{0, 1, 2}}},
    {PLI_TRIANGLE6, 4, {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}},
};
static const solid_kind space_kinds[2] = {
    {PLI_TETRAHEDRON, 1, {{0, 1, 2, 3}}},
    {PLI_TETRAHEDRON10,
     8,
     {{0, 4, 6, 7},
      {4, 1, 5, 8},
      {6, 5, 2, 9},
      {7, 8, 9, 3},
      {4, 9, 5, 6},
      {4, 9, 6, 7},
      {4, 9, 7, 8},
      {4, 9, 8, 5}}},
};

typedef struct search {
    pli_world* world;
    const double* x;
    int dim;
    const solid_kind* kinds; // two
    int piece_count;
    int32_t* part;    // per vertex: the one that stands for all that hang together
    int32_t* queries; // a vertex of the surface of each part
    int query_count;
    pli_box *boxes, *points;
    pli_bvh tree;
    pli_box_pairs pairs;
} search;

// The i-th piece of all: its corners and its element.
typedef struct piece {
    int32_t corners[4];
    const solid_kind* kind;
    int element; // in the world
} piece;

static piece piece_at(const search* s, int i) {
    const pli_world* w = s->world;
    const solid_kind* kind = s->kinds;
    int first = w->element_count[kind->kind] * kind->piece_count;
    if (i >= first) {
        i -= first;
        kind++;
    }
    piece p = {.kind = kind, .element = i / kind->piece_count};
    const int32_t* v =
        w->elements[kind->kind] + (size_t)p.element * (size_t)pli_element_size(kind->kind);
    for (int k = 0; k <= s->dim; ++k) p.corners[k] = v[kind->pieces[i % kind->piece_count][k]];
    return p;
}

// ---- parts

static int32_t part_of(const search* s, int32_t v) {
    while (s->part[v] != v) v = s->part[v] = s->part[s->part[v]];
    return v;
}

static void find_parts(search* s) {
    const pli_world* w = s->world;
    for (int v = 0; v < w->vertex_count; ++v) s->part[v] = v;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int size = pli_element_size((pli_element_kind)k);
        for (int64_t i = 0; i < (int64_t)w->element_count[k] * size; ++i) {
            int32_t one = part_of(s, w->elements[k][i / size * size]);
            int32_t other = part_of(s, w->elements[k][i]);
            s->part[one > other ? one : other] = one > other ? other : one;
        }
    }
    for (int v = 0; v < w->vertex_count; ++v) s->part[v] = part_of(s, v);
}

// Of bodies that touch others.
static pli_status find_queries(search* s, pli_error* error) {
    const pli_primitives* points = &s->world->collision.points;
    uint8_t* taken;
    PLI_TRY(PLI_ALLOC(&s->world->memory, taken, s->world->vertex_count, error));
    for (int i = 0; i < points->count; ++i) {
        int32_t part = s->part[points->vertices[i]];
        if (!taken[part]) s->queries[s->query_count++] = points->vertices[i];
        taken[part] = 1;
    }
    PLI_FREE(&s->world->memory, taken, s->world->vertex_count);
    return PLI_OK;
}

// ---- in which element

static bool is_inside(const search* s, const double* p, const int32_t* corners) {
    const double* x[4];
    for (int k = 0; k <= s->dim; ++k) x[k] = s->x + 3 * (size_t)corners[k];
    int turn = s->dim == 2 ? pli_orient2d(x[0], x[1], x[2]) : pli_orient3d(x[0], x[1], x[2], x[3]);
    for (int k = 0; k <= s->dim; ++k) { // on the side of each face where the corner opposite is
        const double* y[4] = {x[0], x[1], x[2], x[3]};
        y[k] = p;
        int side =
            s->dim == 2 ? pli_orient2d(y[0], y[1], y[2]) : pli_orient3d(y[0], y[1], y[2], y[3]);
        if (turn * side < 0) return false;
    }
    return turn != 0;
}

static bool may_contain(const void* context, int query, int number) {
    const search* s = context;
    int32_t v = s->queries[query];
    piece p = piece_at(s, number);
    if (s->part[p.corners[0]] == s->part[v]) return false;
    if (!s->world->bodies[s->world->collision.body[p.corners[0]]].def.contact_bodies) return false;
    return pli_may_touch(&s->world->collision.filter, v, p.corners[0]) &&
           is_inside(s, s->x + 3 * (size_t)v, p.corners);
}

static pli_box box_of(const search* s, const int32_t* vertices, int count) {
    pli_box box = {{0}, {0}};
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < s->dim; ++k) {
            double x = s->x[3 * (size_t)vertices[i] + (size_t)k];
            if (i == 0 || x < box.min[k]) box.min[k] = x;
            if (i == 0 || x > box.max[k]) box.max[k] = x;
        }
    return box;
}

// One element for each part and body around it.
static void report(const search* s, pli_inside_fn* found, void* context) {
    const pli_world* w = s->world;
    int last_query = -1, last_body = -1;
    for (int i = 0; i < s->pairs.count; ++i) {
        piece p = piece_at(s, s->pairs.pairs[i].primitive);
        int query = s->pairs.pairs[i].query, body = w->collision.body[p.corners[0]];
        if (query == last_query && body == last_body) continue;
        pli_inside inside = {.vertex = s->queries[query],
                             .body = body,
                             .kind = p.kind->kind,
                             .element = p.element - w->bodies[body].first_element[p.kind->kind]};
        found(context, &inside);
        last_query = query;
        last_body = body;
    }
}

static pli_status make_tree(search* s, pli_error* error) {
    pli_memory* m = &s->world->memory;
    PLI_TRY(PLI_ALLOC(m, s->boxes, s->piece_count, error));
    PLI_TRY(PLI_ALLOC(m, s->points, s->query_count, error));
    for (int i = 0; i < s->piece_count; ++i) {
        piece p = piece_at(s, i);
        s->boxes[i] = box_of(s, p.corners, s->dim + 1);
    }
    for (int i = 0; i < s->query_count; ++i) s->points[i] = box_of(s, &s->queries[i], 1);
    return pli_bvh_build(&s->tree, s->world->pool, s->piece_count, s->boxes, error);
}

pli_status pli_survey_inside(pli_world* world, const double* x, pli_inside_fn* found, void* context,
                             pli_error* error) {
    pli_memory* m = &world->memory;
    int n = world->vertex_count;
    search s = {.world = world, .x = x, .dim = world->def.dimension};
    s.kinds = s.dim == 2 ? plane_kinds : space_kinds;
    for (int i = 0; i < 2; ++i)
        s.piece_count += world->element_count[s.kinds[i].kind] * s.kinds[i].piece_count;
    if (!world->def.contact.bodies || s.piece_count == 0) return PLI_OK;
    pli_bvh_init(&s.tree, m);
    pli_box_pairs_init(&s.pairs, m);
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s.part, n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s.queries, n, error));
    find_parts(&s);
    PLI_TRY_CLEANUP(status, find_queries(&s, error));
    if (s.query_count < 2) goto cleanup;
    PLI_TRY_CLEANUP(status, make_tree(&s, error));
    pli_box_query query = {.count = s.query_count,
                           .boxes = s.points,
                           .keep = may_contain,
                           .context = &s,
                           .max_pairs = INT32_MAX};
    PLI_TRY_CLEANUP(status, pli_bvh_query(&s.tree, world->pool, &query, &s.pairs, error));
    report(&s, found, context);
cleanup:
    PLI_FREE(m, s.boxes, s.piece_count);
    PLI_FREE(m, s.points, s.query_count);
    PLI_FREE(m, s.part, n);
    PLI_FREE(m, s.queries, n);
    pli_bvh_free(&s.tree);
    pli_box_pairs_free(&s.pairs);
    return status;
}
