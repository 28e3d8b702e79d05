// Bodies that may intersect at t = 0 (pli_contact_rule_def.allow_initial): intersecting pairs are
// exempt from contact until they are apart.
//
// Two bodies are apart if their surfaces do not cross by the exact test, neither lies inside the
// other, and their distance is large enough for the barrier to start.
#include "collision/survey.h"

#include <math.h>
#include <string.h>

#include "collision/surfaces.h"
#include "contact/barrier_term.h"
#include "contact/ccd.h"
#include "contact/closest.h"
#include "contact/intersect.h"
#include "math/vec.h"
#include "base/collections.h"
#include "spatial/box_tree.h"

// Crossings per query.
enum { CROSSINGS_AT_ONCE = 4096 };

// Surfaces closer than this fraction of dhat are not apart yet: the barrier would start with a
// large force.
static const double SMALL_GAP = 1e-2;

// The same as a multiple of the resolution of positions, below which collision detection cannot
// move them.
static const double RESOLUTIONS = 3;

static pli_status add_pair(pli_memory* memory, pli_body_pairs* pairs, uint64_t key,
                           pli_error* error) {
    int place = pli_body_pairs_place(pairs, key);
    if (place < pairs->count && pairs->keys[place] == key) return PLI_OK;
    PLI_TRY(PLI_GROW(memory, pairs->keys, pairs->capacity, pairs->count + 1, error));
    memmove(pairs->keys + place + 1, pairs->keys + place,
            (size_t)(pairs->count - place) * sizeof *pairs->keys);
    pairs->keys[place] = key;
    pairs->count++;
    return PLI_OK;
}

// ---- crossing and containment

// A search for pairs of bodies among those that the filter allows to touch. Pairs already found are
// exempt in the filter during the search, so that each is found once.
typedef struct search {
    pli_collision* collision;
    pli_body_pairs found;
    pli_primitive_lists parts; // of the searched bodies
    double* x;                 // positions, in the plane with z = 0
    pli_status status;
    pli_error* error;
} search;

static void note(search* s, int32_t body, int32_t other) {
    if (s->status != PLI_OK) return;
    uint64_t key = pli_body_pair_key(body, other);
    s->status = add_pair(s->collision->memory, &s->found, key, s->error);
}

// The primitives of the searched bodies.
static pli_status choose(pli_collision* c, const pli_primitives* from, const uint8_t* looked_at,
                         pli_primitives* to, pli_error* error) {
    const int32_t* body = c->surfaces.body;
    *to = (pli_primitives){.width = from->width};
    PLI_TRY(PLI_ALLOC(c->memory, to->vertices, from->count * from->width, error));
    for (int i = 0; i < from->count; ++i) {
        const int32_t* vertices = from->vertices + i * from->width;
        if (!looked_at[body[vertices[0]]]) continue;
        for (int k = 0; k < from->width; ++k)
            to->vertices[to->count * from->width + k] = vertices[k];
        to->count++;
    }
    return PLI_OK;
}

static pli_status choose_parts(search* s, const pli_body_pairs* only) {
    pli_collision* c = s->collision;
    const pli_surfaces* surfaces = &c->surfaces;
    uint8_t* looked_at;
    PLI_TRY(PLI_ALLOC(c->memory, looked_at, c->model->body_count, s->error));
    memset(looked_at, only == NULL, (size_t)c->model->body_count);
    for (int i = 0; only && i < only->count; ++i)
        looked_at[only->keys[i] >> 32] = looked_at[only->keys[i] & UINT32_MAX] = 1;
    pli_status status;
    PLI_TRY_CLEANUP(status, choose(c, &surfaces->points, looked_at, &s->parts.points, s->error));
    PLI_TRY_CLEANUP(status, choose(c, &surfaces->edges, looked_at, &s->parts.edges, s->error));
    PLI_TRY_CLEANUP(status,
                    choose(c, &surfaces->triangles, looked_at, &s->parts.triangles, s->error));
cleanup:
    PLI_FREE(c->memory, looked_at, c->model->body_count);
    return status;
}

static pli_status find_crossing(search* s, const pli_body_pairs* only) {
    pli_collision* c = s->collision;
    pli_crossing* list;
    PLI_TRY(choose_parts(s, only));
    PLI_TRY(PLI_ALLOC(c->memory, list, CROSSINGS_AT_ONCE, s->error));
    pli_view view = {.dim = c->model->def.dimension,
                     .vertex_count = c->model->vertex_count,
                     .x = s->x,
                     .pool = c->model->pool};
    s->parts.filter = &c->surfaces.filter;
    for (int count = CROSSINGS_AT_ONCE; s->status == PLI_OK && count == CROSSINGS_AT_ONCE;) {
        s->status = pli_find_crossings(c->memory, &view, &s->parts, CROSSINGS_AT_ONCE, list, &count,
                                       s->error);
        for (int i = 0; s->status == PLI_OK && i < count; ++i) {
            const int32_t *v = list[i].vertices, *body = c->surfaces.body;
            note(s, body[v[0]], body[v[list[i].width[0]]]);
        }
    }
    PLI_FREE(c->memory, list, CROSSINGS_AT_ONCE);
    return s->status;
}

static void note_inside(void* context, const pli_inside* inside) {
    search* s = context;
    note(s, s->collision->surfaces.body[inside->vertex], inside->body);
}

// Pairs that cross or lie inside each other at x: among the listed ones, or (only NULL) among those
// that the relations allow to touch. *found is freed by the caller.
static pli_status find_joined(pli_collision* c, const double* x, const pli_relation* relations,
                              const pli_body_pairs* only, pli_body_pairs* found, pli_error* error) {
    pli_memory* m = c->memory;
    const pli_surfaces* surfaces = &c->surfaces;
    pli_filter* filter = &c->surfaces.filter;
    const pli_filter saved = *filter;
    search s = {.collision = c, .error = error};
    filter->relations = relations;
    filter->only = only;
    filter->exempt = &s.found;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s.x, 3 * c->model->vertex_count, error));
    for (int i = 0; i < 3 * c->model->vertex_count; ++i)
        s.x[i] = c->model->def.dimension == 2 && i % 3 == 2 ? 0 : x[i];
    PLI_TRY_CLEANUP(status, find_crossing(&s, only));
    if (only && s.found.count == only->count) goto cleanup;
    PLI_TRY_CLEANUP(status, pli_collision_inside(c, s.x, note_inside, &s, error));
    status = s.status;
cleanup:
    *filter = saved;
    *found = s.found;
    PLI_FREE(m, s.parts.points.vertices, surfaces->points.count * surfaces->points.width);
    PLI_FREE(m, s.parts.edges.vertices, surfaces->edges.count * surfaces->edges.width);
    PLI_FREE(m, s.parts.triangles.vertices, surfaces->triangles.count * surfaces->triangles.width);
    PLI_FREE(m, s.x, 3 * c->model->vertex_count);
    return status;
}

// ---- distances

// The distance of stencil i at x, minus the smallest valid distance.
static double room_of(const pli_collision* c, const pli_term* term, const double* x, int i,
                      double gap) {
    const pli_barrier* barrier = term->self;
    int width = term->ops->width;
    const int32_t* v = term->ops->vertices(barrier) + (size_t)i * (size_t)width;
    const double* corners[PLI_CONTACT_MAX];
    pli_contact contact;
    if (!barrier->kind->contact(barrier, i, x, &contact)) return HUGE_VAL;
    for (int k = 0; k < width; ++k) corners[k] = x + 3 * (size_t)v[k];
    double resolution = pli_ccd_resolution(c->model->def.dimension, width, corners, NULL);
    return contact.distance - fmax(gap, RESOLUTIONS * resolution);
}

// Adds pairs of bodies that are at most `gap` apart, including thickness: among the listed ones, or
// (listed NULL) among those that may intersect at t = 0. Stencils must be those of x.
static pli_status add_close_pairs(pli_collision* c, const double* x, double gap,
                                  const pli_body_pairs* listed, pli_error* error) {
    const pli_filter* f = &c->surfaces.filter;
    for (int t = 0; t < c->term_count; ++t) {
        const pli_term* term = &c->terms[t].barrier;
        if (c->terms[t].half_space >= 0) continue;
        const int32_t* v = term->ops->vertices(term->self);
        for (int i = 0; i < term->ops->count(term->self); ++i, v += term->ops->width) {
            int32_t one = f->body[v[0]], other = f->body[v[term->ops->width - 1]];
            uint64_t key = pli_body_pair_key(one, other);
            bool listed_pair =
                listed ? pli_body_pairs_has(listed, key)
                       : pli_relation_of(f, f->classes[one], f->classes[other])->allow_initial;
            if (listed_pair && !(room_of(c, term, x, i, gap) > 0))
                PLI_TRY(add_pair(c->memory, &c->exempt, key, error));
        }
    }
    return PLI_OK;
}

// ---- updates

bool pli_collision_may_exempt(const pli_collision* c) {
    return c->model->def.contact.bodies && pli_rules_allow_initial(&c->rules);
}

pli_status pli_collision_exempt_joined(pli_collision* c, const double* x, pli_error* error) {
    const pli_rules* rules = &c->rules;
    pli_relation* allowed; // all others pass
    PLI_TRY(PLI_ALLOC(c->memory, allowed, rules->relation_count, error));
    for (int i = 0; i < rules->relation_count; ++i) {
        allowed[i] = rules->relations[i];
        allowed[i].pass = allowed[i].pass || !allowed[i].allow_initial;
    }
    pli_body_pairs joined = {0}; // beside those that are exempt already
    pli_status status = find_joined(c, x, allowed, NULL, &joined, error);
    for (int i = 0; i < joined.count && status == PLI_OK; ++i)
        status = add_pair(c->memory, &c->exempt, joined.keys[i], error);
    PLI_FREE(c->memory, joined.keys, joined.capacity);
    PLI_FREE(c->memory, allowed, rules->relation_count);
    pli_collision_forget_pairs(c);
    return status;
}

pli_status pli_collision_exempt_near(pli_collision* c, const double* x, pli_error* error) {
    pli_status status = add_close_pairs(c, x, 0, NULL, error);
    pli_collision_forget_pairs(c);
    return status;
}

pli_status pli_collision_drop_exempt(pli_collision* c, const double* x, pli_body_pairs* before,
                                     pli_error* error) {
    pli_body_pairs joined = {0};
    pli_status status = find_joined(c, x, c->rules.relations, &c->exempt, &joined, error);
    if (status != PLI_OK || joined.count == c->exempt.count) {
        PLI_FREE(c->memory, joined.keys, joined.capacity);
        return status;
    }
    *before = c->exempt;
    c->exempt = joined;
    pli_collision_forget_pairs(c);
    return PLI_OK;
}

pli_status pli_collision_keep_exempt(pli_collision* c, const double* x,
                                     const pli_body_pairs* before, pli_error* error) {
    pli_status status = add_close_pairs(c, x, SMALL_GAP * c->dhat, before, error);
    pli_collision_forget_pairs(c);
    return status;
}

// ---- checkpoint

void pli_collision_save_exempt(const pli_collision* c, pli_pack* out) {
    pli_pack_int(out, c->exempt.count);
    for (int i = 0; i < c->exempt.count; ++i) pli_pack_long(out, c->exempt.keys[i]);
}

pli_status pli_collision_restore_exempt(pli_collision* c, pli_unpack* in, pli_error* error) {
    int count = pli_unpack_int(in, 0, INT32_MAX, "exempt pairs");
    bool changed = count != c->exempt.count;
    if (in->apply && pli_unpack_good(in)) c->exempt.count = 0;
    for (int i = 0; i < count && pli_unpack_good(in); ++i) {
        uint64_t key = pli_unpack_long(in), low = key >> 32, high = key & UINT32_MAX;
        changed = changed || key != c->exempt.keys[i]; // as it was: only equal keys are written over
        if (low > high || high >= (uint64_t)c->model->body_count)
            pli_unpack_fail(in, "exempt pair %d: invalid body index", i);
        else if (in->apply)
            PLI_TRY(add_pair(c->memory, &c->exempt, key, error));
    }
    if (in->apply && changed) pli_collision_forget_pairs(c);
    return PLI_OK;
}

// ---- cross-springs

// Cross-springs: segments of one body that cross at rest, as the two diagonals of a cell of a
// spring net do. Such pairs never touch; all other pairs may.

// Segments cross if their distance is less than this fraction of their lengths (0 up to the
// rounding of a rotated plane net) and the crossing is this far from their ends: a segment that
// ends on another is no cross-spring.
static const double CLOSE = 1e-9, ENDS = 1e-6;

typedef struct cross_search {
    int dim;
    const double* rest;
    const pli_surfaces* surfaces;
    const int32_t* edge; // whose partners are searched
    int number;
    pli_memory* memory;
    int count, capacity;
    int32_t* rows;
    pli_status status;
    pli_error* error;
} cross_search;

static bool cross(int dim, const double* rest, const int32_t* a, const int32_t* b) {
    double ends[4][3] = {{0}}, u[3], v[3];
    const double* x[4] = {ends[0], ends[1], ends[2], ends[3]};
    pli_closest pair;
    for (int i = 0; i < 4; ++i) {
        if (a[i / 2] == b[i % 2]) return false;
        pli_copy(rest + 3 * (size_t)(i < 2 ? a[i] : b[i - 2]), ends[i], dim);
    }
    pli_edge_edge_closest(x, &pair);
    pli_sub(x[1], x[0], u, 3);
    pli_sub(x[3], x[2], v, 3);
    for (int i = 0; i < 4; ++i)
        if (!(fabs(pair.c[i]) > ENDS)) return false;
    return pair.distance <= CLOSE * (pli_norm(u, 3) + pli_norm(v, 3));
}

static bool look_at(void* context, int32_t item) {
    cross_search* s = context;
    const pli_surfaces* c = s->surfaces;
    int number = c->loose_edge + item;
    const int32_t* other = c->edges.vertices + 2 * (size_t)number;
    if (number <= s->number || c->body[other[0]] != c->body[s->edge[0]] ||
        !cross(s->dim, s->rest, s->edge, other))
        return true;
    s->status = PLI_GROW(s->memory, s->rows, s->capacity, 4 * s->count + 4, s->error);
    if (s->status != PLI_OK) return false;
    pli_edge_pair_row(s->edge, other, s->rows + 4 * (size_t)s->count++);
    return true;
}

static void box_of(int dim, const double* rest, const int32_t* edge, double box[6]) {
    double a[3] = {0}, b[3] = {0}, d[3];
    pli_copy(rest + 3 * (size_t)edge[0], a, dim);
    pli_copy(rest + 3 * (size_t)edge[1], b, dim);
    pli_sub(b, a, d, 3);
    double room = CLOSE * pli_norm(d, 3);
    for (int k = 0; k < 3; ++k) {
        box[k] = fmin(a[k], b[k]) - room;
        box[3 + k] = fmax(a[k], b[k]) + room;
    }
}

pli_status pli_surfaces_find_crossed(pli_surfaces* c, int dim, const double* rest,
                                     pli_error* error) {
    int loose = c->edges.count - c->loose_edge;
    if (loose == 0) return PLI_OK;
    double* boxes = NULL;
    pli_tree tree = {0};
    cross_search s = {.dim = dim, .rest = rest, .surfaces = c, .memory = c->memory, .error = error};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(c->memory, boxes, 6 * (size_t)loose, error));
    for (int i = 0; i < loose; ++i)
        box_of(dim, rest, c->edges.vertices + 2 * (size_t)(c->loose_edge + i),
               boxes + 6 * (size_t)i);
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
