// Bodies that may intersect at t = 0 (pli_contact_rule_def.allow_initial): pairs that do are exempt
// from contact until they are apart.
//
// Apart are bodies whose surfaces do not cross by the exact test, of which none lies inside the
// other, and which are so far from each other that the barrier can start there.
#include "dynamics/survey.h"

#include "contact/barrier_term.h"
#include "contact/ccd.h"
#include "contact/intersect.h"

#include <math.h>
#include <string.h>

// Crossings that are asked for at a time.
enum { CROSSINGS_AT_ONCE = 4096 };

// Surfaces closer than this part of dhat are not apart yet: the barrier would start with a blow.
static const double SMALL_GAP = 1e-2;

// Nor are those closer than so many times what rounding can tell: collision detection could not
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

// ---- what crosses or lies inside

// A search for pairs of bodies among those that the filter of the collision lets touch. Those found
// are its exempt pairs meanwhile, so that each is looked at once.
typedef struct search {
    pli_world* world;
    pli_body_pairs found;
    pli_primitive_lists parts; // of the bodies that are looked at
    double* x;                 // positions, in the plane with z = 0
    pli_status status;
    pli_error* error;
} search;

static void note(search* s, int32_t body, int32_t other) {
    if (s->status != PLI_OK) return;
    uint64_t key = pli_body_pair_key(body, other);
    s->status = add_pair(&s->world->memory, &s->found, key, s->error);
}

// The primitives of the bodies that are looked at.
static pli_status choose(pli_world* w, const pli_primitives* from, const uint8_t* looked_at,
                         pli_primitives* to, pli_error* error) {
    const int32_t* body = w->collision.body;
    *to = (pli_primitives){.width = from->width};
    PLI_TRY(PLI_ALLOC(&w->memory, to->vertices, from->count * from->width, error));
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
    pli_world* w = s->world;
    const pli_collision* c = &w->collision;
    uint8_t* looked_at;
    PLI_TRY(PLI_ALLOC(&w->memory, looked_at, w->model.body_count, s->error));
    memset(looked_at, only == NULL, (size_t)w->model.body_count);
    for (int i = 0; only && i < only->count; ++i)
        looked_at[only->keys[i] >> 32] = looked_at[only->keys[i] & UINT32_MAX] = 1;
    pli_status status;
    PLI_TRY_CLEANUP(status, choose(w, &c->points, looked_at, &s->parts.points, s->error));
    PLI_TRY_CLEANUP(status, choose(w, &c->edges, looked_at, &s->parts.edges, s->error));
    PLI_TRY_CLEANUP(status, choose(w, &c->triangles, looked_at, &s->parts.triangles, s->error));
cleanup:
    PLI_FREE(&w->memory, looked_at, w->model.body_count);
    return status;
}

static pli_status find_crossing(search* s, const pli_body_pairs* only) {
    pli_world* w = s->world;
    pli_crossing* list;
    PLI_TRY(choose_parts(s, only));
    PLI_TRY(PLI_ALLOC(&w->memory, list, CROSSINGS_AT_ONCE, s->error));
    pli_view view = pli_world_view(w);
    view.x = s->x;
    s->parts.filter = &w->collision.filter;
    for (int count = CROSSINGS_AT_ONCE; s->status == PLI_OK && count == CROSSINGS_AT_ONCE;) {
        s->status = pli_find_crossings(&w->memory, &view, &s->parts, CROSSINGS_AT_ONCE, list,
                                       &count, s->error);
        for (int i = 0; s->status == PLI_OK && i < count; ++i) {
            const int32_t *v = list[i].vertices, *body = w->collision.body;
            note(s, body[v[0]], body[v[list[i].width[0]]]);
        }
    }
    PLI_FREE(&w->memory, list, CROSSINGS_AT_ONCE);
    return s->status;
}

static void note_inside(void* context, const pli_inside* inside) {
    search* s = context;
    note(s, s->world->collision.body[inside->vertex], inside->body);
}

// Pairs that cross or lie inside each other at world->x: of the listed ones, or (only NULL) of
// those that the relations let touch. *found is freed by the caller.
static pli_status find_joined(pli_world* w, const pli_relation* relations,
                              const pli_body_pairs* only, pli_body_pairs* found, pli_error* error) {
    pli_memory* m = &w->memory;
    const pli_collision* c = &w->collision;
    pli_filter* filter = &w->collision.filter;
    const pli_filter saved = *filter;
    search s = {.world = w, .error = error};
    filter->relations = relations;
    filter->only = only;
    filter->exempt = &s.found;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, s.x, 3 * w->model.vertex_count, error));
    for (int i = 0; i < 3 * w->model.vertex_count; ++i)
        s.x[i] = w->model.def.dimension == 2 && i % 3 == 2 ? 0 : w->x[i];
    PLI_TRY_CLEANUP(status, find_crossing(&s, only));
    if (only && s.found.count == only->count) goto cleanup;
    PLI_TRY_CLEANUP(status, pli_surfaces_inside(w, s.x, note_inside, &s, error));
    status = s.status;
cleanup:
    *filter = saved;
    *found = s.found;
    PLI_FREE(m, s.parts.points.vertices, c->points.count * c->points.width);
    PLI_FREE(m, s.parts.edges.vertices, c->edges.count * c->edges.width);
    PLI_FREE(m, s.parts.triangles.vertices, c->triangles.count * c->triangles.width);
    PLI_FREE(m, s.x, 3 * w->model.vertex_count);
    return status;
}

// ---- distances

// The distance of stencil i at world->x, less the one below which it is too small.
static double room_of(const pli_world* w, const pli_term* term, int i, double gap) {
    const pli_barrier* barrier = term->self;
    int width = term->ops->width;
    const int32_t* v = term->ops->vertices(barrier) + (size_t)i * (size_t)width;
    const double* corners[PLI_CONTACT_MAX];
    pli_contact contact;
    if (!barrier->kind->contact(barrier, i, w->x, &contact)) return HUGE_VAL;
    for (int k = 0; k < width; ++k) corners[k] = w->x + 3 * (size_t)v[k];
    double resolution = pli_ccd_resolution(w->model.def.dimension, width, corners, NULL);
    return contact.distance - fmax(gap, RESOLUTIONS * resolution);
}

// Adds pairs of bodies that are not farther apart than `gap`, with thickness: of the listed ones,
// or (listed NULL) of those that may intersect at t = 0. Stencils must be right at world->x.
static pli_status add_close_pairs(pli_world* w, double gap, const pli_body_pairs* listed,
                                  pli_body_pairs* to, pli_error* error) {
    const pli_filter* f = &w->collision.filter;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        if (!w->terms[t].barrier || w->terms[t].half_space >= 0) continue;
        const int32_t* v = term->ops->vertices(term->self);
        for (int i = 0; i < term->ops->count(term->self); ++i, v += term->ops->width) {
            int32_t one = f->body[v[0]], other = f->body[v[term->ops->width - 1]];
            uint64_t key = pli_body_pair_key(one, other);
            bool meant =
                listed ? pli_body_pairs_has(listed, key)
                       : pli_relation_of(f, f->classes[one], f->classes[other])->allow_initial;
            if (meant && !(room_of(w, term, i, gap) > 0))
                PLI_TRY(add_pair(&w->memory, to, key, error));
        }
    }
    return PLI_OK;
}

// Stencils of world->x, after the filter has changed.
static pli_status refresh(pli_world* w, pli_error* error) {
    double alpha = 1;
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].barrier) pli_barrier_forget(&w->terms[t].term);
    return pli_world_refresh(w, NULL, &alpha, error);
}

// ---- when

pli_status pli_world_exempt(pli_world* w, pli_error* error) {
    pli_memory* m = &w->memory;
    const pli_rules* rules = &w->rules;
    if (!w->model.def.contact.bodies || !pli_rules_allow_initial(rules)) return PLI_OK;
    pli_relation* allowed; // the others pass
    PLI_TRY(PLI_ALLOC(m, allowed, rules->relation_count, error));
    for (int i = 0; i < rules->relation_count; ++i) {
        allowed[i] = rules->relations[i];
        allowed[i].pass = allowed[i].pass || !allowed[i].allow_initial;
    }
    pli_status status = find_joined(w, allowed, NULL, &w->exempt, error);
    PLI_FREE(m, allowed, rules->relation_count);
    PLI_TRY(status);
    PLI_TRY(refresh(w, error));
    PLI_TRY(add_close_pairs(w, 0, NULL, &w->exempt, error));
    return refresh(w, error);
}

void pli_world_save_exempt(const pli_world* w, pli_pack* out) {
    pli_pack_int(out, w->exempt.count);
    for (int i = 0; i < w->exempt.count; ++i) pli_pack_long(out, w->exempt.keys[i]);
}

pli_status pli_world_restore_exempt(pli_world* w, pli_unpack* in, pli_error* error) {
    int count = pli_unpack_int(in, 0, INT32_MAX, "exempt pairs");
    bool changed = count != w->exempt.count; // pairs of bodies only ever leave the list
    if (in->apply && pli_unpack_good(in)) w->exempt.count = 0;
    for (int i = 0; i < count && pli_unpack_good(in); ++i) {
        uint64_t key = pli_unpack_long(in), low = key >> 32, high = key & UINT32_MAX;
        if (low > high || high >= (uint64_t)w->model.body_count)
            pli_unpack_fail(in, "exempt pair %d: there are no such bodies", i);
        else if (in->apply)
            PLI_TRY(add_pair(&w->memory, &w->exempt, key, error));
    }
    for (int t = 0; t < w->term_count && in->apply && changed; ++t)
        if (w->terms[t].barrier) pli_barrier_forget(&w->terms[t].term);
    return PLI_OK;
}

// The barriers have new pairs: their energy at the newest state is another one.
static void account_barriers(pli_world* w) {
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].barrier) w->energy_values[t] = w->term_values[t];
    w->stored = pli_world_stored(w, w->energy_values);
}

pli_status pli_world_end_exemptions(pli_world* w, pli_error* error) {
    if (w->exempt.count == 0) return PLI_OK;
    pli_body_pairs before = w->exempt, unused = {0};
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->x);
    pli_status status;
    PLI_TRY_CLEANUP(status, find_joined(w, w->rules.relations, &before, &unused, error));
    if (unused.count == before.count) goto cleanup;
    w->exempt = unused;
    unused = before;
    PLI_TRY_CLEANUP(status, refresh(w, error));
    PLI_TRY_CLEANUP(status, add_close_pairs(w, SMALL_GAP * w->dhat, &before, &w->exempt, error));
    PLI_TRY_CLEANUP(status, refresh(w, error));
    account_barriers(w);
cleanup:
    if (status != PLI_OK && w->exempt.keys != before.keys) {
        unused = w->exempt;
        w->exempt = before;
    }
    PLI_FREE(&w->memory, unused.keys, unused.capacity);
    return status;
}
