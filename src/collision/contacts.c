// Contacts for readers. Before a state is published pli_world_find_contacts counts what is closer
// than dhat there and makes room; after that pli_world_publish_contacts cannot fail, so a step that
// runs out of memory leaves what was published before. All loops go by term, then by stencil: the
// order is that of the pairs and depends on nothing else.
//
// The net force of a barrier on the first side of a pair is lambda n: the mollifier of two edges
// adds opposite forces to the ends of each. Friction of a step acts on the pairs that were close
// when it was lagged. The sums and the forces per vertex have all of it; a contact has that of its
// own pair, and none if the pair was not close then.
#include "dynamics/world.h"

#include "contact/barrier_term.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

pli_status pli_world_make_contacts(pli_world* w, pli_error* error) {
    bool any = false;
    for (int t = 0; t < w->term_count; ++t) any = any || w->terms[t].barrier;
    if (!any) return PLI_OK;
    pli_contacts* c = &w->contacts;
    c->vertex_count = w->model.vertex_count;
    PLI_TRY(PLI_ALLOC(&w->memory, c->forces, 3 * w->model.vertex_count, error));
    return PLI_ALLOC(&w->memory, c->friction, 3 * w->model.vertex_count, error);
}

void pli_contacts_free(pli_contacts* c, pli_memory* memory) {
    PLI_FREE(memory, c->list, c->capacity);
    PLI_FREE(memory, c->pairs, c->pair_capacity);
    PLI_FREE(memory, c->keys, c->key_capacity);
    PLI_FREE(memory, c->forces, 3 * c->vertex_count);
    PLI_FREE(memory, c->friction, 3 * c->vertex_count);
    *c = (pli_contacts){0};
}

// ---- bodies

// The two bodies of a stencil of barrier term t; the second is -1 - i if it is half-space i.
static void bodies_of(const pli_world* w, int t, const int32_t* vertices, int body[2]) {
    const pli_world_term* term = &w->terms[t];
    const pli_barrier* barrier = term->term.self;
    body[0] = w->collision.body[vertices[0]];
    body[1] = term->half_space >= 0 ? -1 - term->half_space
                                    : w->collision.body[vertices[barrier->sides[0]]];
}

// Pairs of bodies in their order: the lower one first, half-spaces as if they came before bodies.
static uint64_t key_of(const pli_world* w, const int body[2]) {
    if (body[1] < 0) return (uint64_t)body[0] << 32 | (uint64_t)(-1 - body[1]);
    int low = pli_min_int(body[0], body[1]), high = pli_max_int(body[0], body[1]);
    return (uint64_t)low << 32 | (uint64_t)(w->model.half_space_count + high);
}

static void bodies_of_key(const pli_world* w, uint64_t key, int body[2]) {
    int second = (int)(key & UINT32_MAX);
    body[0] = (int)(key >> 32);
    body[1] = second < w->model.half_space_count ? -1 - second : second - w->model.half_space_count;
}

// Where the key is or belongs. Neighbours in the list of contacts are often of the same bodies.
static int place_of(pli_contacts* c, uint64_t key) {
    if (c->last_key < c->key_count && c->keys[c->last_key] == key) return c->last_key;
    int first = 0, end = c->key_count;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (c->keys[middle] < key)
            first = middle + 1;
        else
            end = middle;
    }
    c->last_key = first;
    return first;
}

static pli_status note_bodies(pli_world* w, int t, const int32_t* vertices, pli_error* error) {
    pli_contacts* c = &w->contacts;
    int body[2];
    bodies_of(w, t, vertices, body);
    uint64_t key = key_of(w, body);
    int at = place_of(c, key);
    if (at < c->key_count && c->keys[at] == key) return PLI_OK;
    PLI_TRY(PLI_GROW(&w->memory, c->keys, c->key_capacity, c->key_count + 1, error));
    memmove(c->keys + at + 1, c->keys + at, (size_t)(c->key_count - at) * sizeof *c->keys);
    c->keys[at] = key;
    c->key_count++;
    return PLI_OK;
}

// ---- before the state is published

static int stencil_count(const pli_term* term) {
    return term->ops ? term->ops->count(term->self) : 0;
}

static const int32_t* stencil(const pli_term* term, int i) {
    return term->ops->vertices(term->self) + (size_t)i * (size_t)term->ops->width;
}

static pli_status find_contacts_of(pli_world* w, int t, const double* x, pli_error* error) {
    const pli_term *term = &w->terms[t].term, *friction = &w->terms[t].friction;
    const pli_barrier* barrier = term->self;
    for (int i = 0; i < stencil_count(term); ++i) {
        pli_contact contact;
        if (!barrier->kind->contact(barrier, i, x, &contact)) continue;
        w->contacts.next_count++;
        PLI_TRY(note_bodies(w, t, stencil(term, i), error));
    }
    for (int i = 0; i < stencil_count(friction); ++i)
        PLI_TRY(note_bodies(w, t, stencil(friction, i), error));
    return PLI_OK;
}

pli_status pli_world_find_contacts(pli_world* w, pli_error* error) {
    pli_contacts* c = &w->contacts;
    c->next_count = c->key_count = 0;
    if (c->vertex_count == 0) return PLI_OK;
    double* x = w->dx;
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], x);
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].barrier) PLI_TRY(find_contacts_of(w, t, x, error));
    PLI_TRY(PLI_GROW(&w->memory, c->list, c->capacity, c->next_count, error));
    return PLI_GROW(&w->memory, c->pairs, c->pair_capacity, c->key_count, error);
}

// ---- publishing

// The force on each vertex of stencil i at the published state: -d/dx of the term, as far as it
// acts.
static void stencil_forces(const pli_world* w, const pli_term* term, int i,
                           double out[3 * PLI_CONTACT_MAX]) {
    int dim = w->model.def.dimension, width = term->ops->width;
    double g[3 * PLI_CONTACT_MAX] = {0};
    pli_batch in = {.dim = dim,
                    .count = 1,
                    .width = width,
                    .vertices = stencil(term, i),
                    .x = w->model.positions,
                    .want = PLI_GRADIENT};
    term->ops->eval(term->self, i, &in, &(pli_local){.g = g});
    double share = pli_world_contact_share(w);
    for (int k = 0; k < width; ++k)
        for (int c = 0; c < 3; ++c) out[3 * k + c] = c < dim ? -share * g[k * dim + c] : 0;
}

// Adds the forces of stencil i to the vertices; `net` is their sum over the first side.
static void add_to_vertices(const pli_world* w, const pli_term* term, int i, int side,
                            double* forces, double net[3]) {
    double f[3 * PLI_CONTACT_MAX];
    const int32_t* vertices = stencil(term, i);
    stencil_forces(w, term, i, f);
    net[0] = net[1] = net[2] = 0;
    for (int k = 0; k < term->ops->width; ++k) {
        pli_axpy(1, f + 3 * k, forces + 3 * (size_t)vertices[k], 3);
        if (k < side) pli_axpy(1, f + 3 * k, net, 3);
    }
}

// The pair of bodies, and in *sign whether its first is the first of the stencil: 1 or -1; 0 if
// they are the same, whose forces on itself cancel.
static pli_body_contact_info* pair_of(pli_world* w, const int body[2], double* sign) {
    pli_contacts* c = &w->contacts;
    pli_body_contact_info* pair = &c->pairs[place_of(c, key_of(w, body))];
    *sign = body[0] == body[1] ? 0 : pair->body[0] == body[0] ? 1 : -1;
    return pair;
}

// a = sum of c_k x_k over the first side - radius n, b = a - d n.
static void fill_contact(const pli_world* w, const pli_barrier* barrier, const pli_contact* from,
                         const int32_t* vertices, pli_contact_info* out) {
    out->distance = from->distance;
    out->force = pli_world_contact_share(w) * from->force;
    for (int k = 0; k < barrier->dim; ++k) out->normal[k] = from->normal[k];
    for (int side = 0; side < 2; ++side) {
        out->vertex_count[side] = barrier->sides[side];
        for (int k = 0; k < barrier->sides[side]; ++k) out->vertices[side][k] = *vertices++;
    }
    for (int k = 0; k < barrier->sides[0]; ++k)
        pli_axpy(from->weights[k], w->model.positions + 3 * (size_t)out->vertices[0][k],
                 out->point[0], 3);
    pli_axpy(-from->radius, out->normal, out->point[0], 3);
    memcpy(out->point[1], out->point[0], sizeof out->point[1]);
    pli_axpy(-from->distance, out->normal, out->point[1], 3);
}

static void publish_barrier(pli_world* w, int t) {
    const pli_term *term = &w->terms[t].term, *friction = &w->terms[t].friction;
    const pli_barrier* barrier = term->self;
    for (int i = 0; i < stencil_count(term); ++i) {
        pli_contact contact;
        if (!barrier->kind->contact(barrier, i, w->model.positions, &contact)) continue;
        pli_contact_info* out = &w->contacts.list[w->contacts.count++];
        *out = (pli_contact_info){.force = 0};
        bodies_of(w, t, stencil(term, i), out->body);
        fill_contact(w, barrier, &contact, stencil(term, i), out);
        double net[3], sign, f[3 * PLI_CONTACT_MAX];
        add_to_vertices(w, term, i, barrier->sides[0], w->contacts.forces, net);
        pli_body_contact_info* pair = pair_of(w, out->body, &sign);
        pair->count++;
        pair->min_distance = fmin(pair->min_distance, out->distance);
        pli_axpy(sign * out->force, out->normal, pair->force, 3);
        int lagged = friction->ops ? pli_friction_find(friction, contact.key) : -1;
        if (lagged < 0) continue;
        stencil_forces(w, friction, lagged, f);
        for (int k = 0; k < barrier->sides[0]; ++k) pli_axpy(1, f + 3 * k, out->friction, 3);
    }
}

static void publish_friction(pli_world* w, int t) {
    const pli_term* friction = &w->terms[t].friction;
    int side = ((const pli_barrier*)w->terms[t].term.self)->sides[0];
    for (int i = 0; i < stencil_count(friction); ++i) {
        double net[3], sign;
        int body[2];
        bodies_of(w, t, stencil(friction, i), body);
        add_to_vertices(w, friction, i, side, w->contacts.friction, net);
        pli_body_contact_info* pair = pair_of(w, body, &sign);
        pli_axpy(sign, net, pair->friction, 3);
    }
}

void pli_world_publish_contacts(pli_world* w) {
    pli_contacts* c = &w->contacts;
    if (c->vertex_count == 0) return;
    memset(c->forces, 0, 3 * (size_t)c->vertex_count * sizeof *c->forces);
    memset(c->friction, 0, 3 * (size_t)c->vertex_count * sizeof *c->friction);
    c->count = 0;
    c->pair_count = c->key_count;
    for (int i = 0; i < c->pair_count; ++i) {
        c->pairs[i] = (pli_body_contact_info){.min_distance = HUGE_VAL};
        bodies_of_key(w, c->keys[i], c->pairs[i].body);
    }
    for (int t = 0; t < w->term_count; ++t) {
        if (!w->terms[t].barrier) continue;
        publish_barrier(w, t);
        publish_friction(w, t);
    }
    PLI_ASSERT(c->count == c->next_count);
}

// ---- reading

int pli_world_contact_count(const pli_world* world) { return world ? world->contacts.count : 0; }

const pli_contact_info* pli_world_contacts(const pli_world* world) {
    return world && world->contacts.count > 0 ? world->contacts.list : NULL;
}

int pli_world_body_contact_count(const pli_world* world) {
    return world ? world->contacts.pair_count : 0;
}

pli_body_contact_info pli_world_body_contact(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->contacts.pair_count)
        return (pli_body_contact_info){.count = 0};
    return world->contacts.pairs[i];
}

const double* pli_world_contact_forces(const pli_world* world) {
    return world ? world->contacts.forces : NULL;
}

const double* pli_world_friction_forces(const pli_world* world) {
    return world ? world->contacts.friction : NULL;
}

void pli_world_contact_force(const pli_world* world, int body, int other, double force[3]) {
    if (!force) return;
    force[0] = force[1] = force[2] = 0;
    if (!world) return;
    const pli_contacts* c = &world->contacts;
    for (int i = 0; i < c->pair_count && body >= 0; ++i) {
        const pli_body_contact_info* pair = &c->pairs[i];
        int second = pli_max_int(pair->body[1], -1); // all half-spaces alike
        if (pair->body[0] == body && second == other) pli_axpy(1, pair->force, force, 3);
        if (pair->body[0] == other && second == body) pli_axpy(-1, pair->force, force, 3);
    }
}
