// Parts of bodies that lie inside elements of others, by exact orientation tests.
//
// A part is a set of vertices connected by elements. Where surfaces do not intersect, a part lies
// inside another with all its vertices or with none, so one vertex is tested. It is inside if the
// signed count of elements that contain it, inverted ones negative, is not 0: this is the winding
// number of their surface, which does not depend on interior vertices.
#include "collision/survey.h"

#include "math/predicates.h"
#include "spatial/broad_phase.h"

typedef struct solid_kind {
    pli_element_kind kind;
    int piece_count;
    uint8_t pieces[8][4]; // linear simplices: their corners in the element
} solid_kind;

// Mid-edge nodes of a triangle: 01 12 20; of a tetrahedron: 01 12 20 03 13 23.
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
    const pli_collision* collision;
    const pli_model* model;
    const double* x;
    int dim;
    const solid_kind* kinds; // two
    int piece_count;
    int32_t* part;    // per vertex: the representative of its part
    int32_t* queries; // a vertex of the surface of each part
    pli_box* points;  // their boxes
    int query_count;
    int32_t* solids;    // parts that have pieces and touch others
    pli_box* solid_box; // around each
    int solid_count;
    int32_t* near; // pieces of the parts whose box contains a query
    pli_box* boxes;
    int near_count;
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
    const pli_model* model = s->model;
    const solid_kind* kind = s->kinds;
    int first = model->element_count[kind->kind] * kind->piece_count;
    if (i >= first) {
        i -= first;
        kind++;
    }
    piece p = {.kind = kind, .element = i / kind->piece_count};
    const int32_t* v =
        model->elements[kind->kind] + (size_t)p.element * (size_t)pli_element_size(kind->kind);
    for (int k = 0; k <= s->dim; ++k) p.corners[k] = v[kind->pieces[i % kind->piece_count][k]];
    return p;
}

// ---- parts

static void find_parts(search* s) {
    const pli_model* model = s->model;
    pli_elements all = pli_model_elements(model, -1);
    pli_find_components(&all, s->part);
    for (int v = 0; v < model->vertex_count; ++v)
        if (s->part[v] < 0) s->part[v] = v;
}

// Of bodies that touch others.
static pli_status find_queries(search* s, pli_error* error) {
    const pli_primitives* points = &s->collision->surfaces.points;
    uint8_t* taken;
    PLI_TRY(PLI_ALLOC(s->model->memory, taken, s->model->vertex_count, error));
    for (int i = 0; i < points->count; ++i) {
        int32_t part = s->part[points->vertices[i]];
        if (!taken[part]) s->queries[s->query_count++] = points->vertices[i];
        taken[part] = 1;
    }
    PLI_FREE(s->model->memory, taken, s->model->vertex_count);
    return PLI_OK;
}

// ---- in which element

static int turn_of(const search* s, const double* const x[4]) {
    return s->dim == 2 ? pli_orient2d(x[0], x[1], x[2]) : pli_orient3d(x[0], x[1], x[2], x[3]);
}

static void corners_at(const search* s, const double* x, const int32_t* corners,
                       const double* out[4]) {
    for (int k = 0; k <= s->dim; ++k) out[k] = x + 3 * (size_t)corners[k];
}

static bool is_inside(const search* s, const double* p, const int32_t* corners) {
    const double* x[4] = {NULL};
    corners_at(s, s->x, corners, x);
    int turn = turn_of(s, x);
    for (int k = 0; k <= s->dim; ++k) { // on the same side of each face as the opposite corner
        const double* y[4] = {x[0], x[1], x[2], x[3]};
        y[k] = p;
        if (turn * turn_of(s, y) < 0) return false;
    }
    return turn != 0;
}

// 1, or -1 for an inverted piece.
static int sign_of(const search* s, const int32_t* corners) {
    const double *now[4] = {NULL}, *rest[4] = {NULL};
    corners_at(s, s->x, corners, now);
    corners_at(s, s->model->rest, corners, rest);
    int turn = turn_of(s, rest);
    return turn_of(s, now) * (turn ? turn : 1);
}

static bool may_be_in(const search* s, int query, int32_t other) {
    int32_t v = s->queries[query];
    return s->part[other] != s->part[v] && pli_may_touch(&s->collision->surfaces.filter, v, other);
}

static bool may_lie_in(const void* context, int query, int number) {
    const search* s = context;
    return may_be_in(s, query, s->solids[number]);
}

static bool may_contain(const void* context, int query, int number) {
    const search* s = context;
    piece p = piece_at(s, s->near[number]);
    return may_be_in(s, query, p.corners[0]) &&
           is_inside(s, s->x + 3 * (size_t)s->queries[query], p.corners);
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

static void widen(pli_box* box, const pli_box* by) {
    for (int k = 0; k < 3; ++k) {
        if (by->min[k] < box->min[k]) box->min[k] = by->min[k];
        if (by->max[k] > box->max[k]) box->max[k] = by->max[k];
    }
}

// One element for each part and body around it.
static void report(const search* s, pli_inside_fn* found, void* context) {
    const pli_model* model = s->model;
    for (int i = 0, next; i < s->pairs.count; i = next) {
        int query = s->pairs.pairs[i].query, winding = 0;
        piece first = piece_at(s, s->near[s->pairs.pairs[i].primitive]);
        int body = s->collision->surfaces.body[first.corners[0]];
        for (next = i; next < s->pairs.count && s->pairs.pairs[next].query == query; ++next) {
            piece p = piece_at(s, s->near[s->pairs.pairs[next].primitive]);
            if (s->collision->surfaces.body[p.corners[0]] != body) break;
            winding += sign_of(s, p.corners);
        }
        if (winding == 0) continue;
        pli_inside inside = {.vertex = s->queries[query],
                             .body = body,
                             .kind = first.kind->kind,
                             .element = first.element -
                                        model->bodies[body].first_element[first.kind->kind]};
        found(context, &inside);
    }
}

// ---- candidate parts

static pli_status find_pairs(search* s, int count, const pli_box* boxes,
                             bool (*keep)(const void*, int, int), pli_error* error) {
    pli_box_query query = {.count = s->query_count,
                           .boxes = s->points,
                           .keep = keep,
                           .context = s,
                           .max_pairs = INT32_MAX};
    PLI_TRY(pli_bvh_build(&s->tree, s->model->pool, count, boxes, error));
    return pli_bvh_query(&s->tree, s->model->pool, &query, &s->pairs, error);
}

// `number`: per representative 1 + its index among the solids, <= 0: none.
static void find_solids(search* s, int32_t* number) {
    const pli_model* model = s->model;
    for (int v = 0; v < model->vertex_count; ++v) number[v] = -1; // without surface
    for (int i = 0; i < s->query_count; ++i) number[s->part[s->queries[i]]] = 0;
    for (int i = 0; i < s->piece_count; ++i) {
        piece p = piece_at(s, i);
        if (!model->bodies[s->collision->surfaces.body[p.corners[0]]].def.contact_bodies) continue;
        int32_t part = s->part[p.corners[0]];
        if (number[part] < 0) continue;
        pli_box box = box_of(s, p.corners, s->dim + 1);
        if (number[part] == 0) {
            s->solids[s->solid_count] = part;
            s->solid_box[s->solid_count] = box;
            number[part] = ++s->solid_count;
        } else {
            widen(&s->solid_box[number[part] - 1], &box);
        }
    }
}

// Pieces of the solids whose boxes contain queries; `number` of the others becomes 0.
static pli_status find_near(search* s, int32_t* number, pli_error* error) {
    pli_memory* m = s->model->memory;
    PLI_TRY(find_pairs(s, s->solid_count, s->solid_box, may_lie_in, error));
    if (s->pairs.count == 0) return PLI_OK;
    for (int i = 0; i < s->solid_count; ++i) number[s->solids[i]] = 0;
    for (int i = 0; i < s->pairs.count; ++i) number[s->solids[s->pairs.pairs[i].primitive]] = 1;
    int count = 0;
    for (int i = 0; i < s->piece_count; ++i)
        count += number[s->part[piece_at(s, i).corners[0]]] > 0;
    s->near_count = count;
    PLI_TRY(PLI_ALLOC(m, s->near, count, error));
    PLI_TRY(PLI_ALLOC(m, s->boxes, count, error));
    count = 0;
    for (int i = 0; i < s->piece_count; ++i) {
        piece p = piece_at(s, i);
        if (number[s->part[p.corners[0]]] <= 0) continue;
        s->near[count] = i;
        s->boxes[count++] = box_of(s, p.corners, s->dim + 1);
    }
    return PLI_OK;
}

static pli_status look(search* s, pli_inside_fn* found, void* context, pli_error* error) {
    pli_memory* m = s->model->memory;
    int n = s->model->vertex_count;
    int32_t* number = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s->points, s->query_count, error));
    for (int i = 0; i < s->query_count; ++i) s->points[i] = box_of(s, &s->queries[i], 1);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, number, n, error));
    find_solids(s, number);
    status = find_near(s, number, error);
cleanup:
    PLI_FREE(m, number, n);
    PLI_TRY(status);
    if (s->near_count == 0) return PLI_OK;
    PLI_TRY(find_pairs(s, s->near_count, s->boxes, may_contain, error));
    report(s, found, context);
    return PLI_OK;
}

pli_status pli_collision_inside(const pli_collision* collision, const double* x,
                                pli_inside_fn* found, void* context, pli_error* error) {
    const pli_model* model = collision->model;
    pli_memory* m = model->memory;
    int n = model->vertex_count, parts = 0;
    search s = {.collision = collision, .model = model, .x = x, .dim = model->def.dimension};
    s.kinds = s.dim == 2 ? plane_kinds : space_kinds;
    for (int i = 0; i < 2; ++i)
        s.piece_count += model->element_count[s.kinds[i].kind] * s.kinds[i].piece_count;
    if (!model->def.contact.bodies || s.piece_count == 0) return PLI_OK;
    pli_bvh_init(&s.tree, m);
    pli_box_pairs_init(&s.pairs, m);
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s.part, n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s.queries, n, error));
    find_parts(&s);
    PLI_TRY_CLEANUP(status, find_queries(&s, error));
    if (s.query_count < 2) goto cleanup;
    parts = s.query_count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s.solids, parts, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s.solid_box, parts, error));
    status = look(&s, found, context, error);
cleanup:
    PLI_FREE(m, s.boxes, s.near_count);
    PLI_FREE(m, s.near, s.near_count);
    PLI_FREE(m, s.solids, parts);
    PLI_FREE(m, s.solid_box, parts);
    PLI_FREE(m, s.points, s.query_count);
    PLI_FREE(m, s.part, n);
    PLI_FREE(m, s.queries, n);
    pli_bvh_free(&s.tree);
    pli_box_pairs_free(&s.pairs);
    return status;
}
