// Contacts for readers. Before a state is published pli_collision_find_contacts counts the pairs
// closer than dhat and allocates; after that pli_collision_publish_contacts cannot fail, so a step
// that runs out of memory keeps the previous published contacts. All loops run by term, then by
// stencil: the order is that of the pairs and depends on nothing else.
//
// The net force of a barrier on the first side of a pair is lambda n: the mollifier of two edges
// adds opposite forces to the ends of each. Friction of a step acts on the pairs that were close
// when it was lagged. The sums and the forces per vertex contain all of it; a contact has only that
// of its pair, and none if the pair was not close then.
#include "collision/collision.h"

#include "contact/barrier_term.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

pli_status pli_collision_make_contacts(pli_collision* c, pli_error* error) {
    if (c->term_count == 0) return PLI_OK;
    pli_contacts* found = &c->contacts;
    found->vertex_count = c->model->vertex_count;
    PLI_TRY(PLI_ALLOC(c->memory, found->forces, 3 * c->model->vertex_count, error));
    return PLI_ALLOC(c->memory, found->friction, 3 * c->model->vertex_count, error);
}

void pli_contacts_free(pli_contacts* found, pli_memory* memory) {
    PLI_FREE(memory, found->list, found->capacity);
    PLI_FREE(memory, found->pairs, found->pair_capacity);
    PLI_FREE(memory, found->keys, found->key_capacity);
    PLI_FREE(memory, found->forces, 3 * found->vertex_count);
    PLI_FREE(memory, found->friction, 3 * found->vertex_count);
    *found = (pli_contacts){0};
}

// ---- bodies

// The two bodies of a stencil of barrier term t; the second is -1 - i for half-space i.
static void bodies_of(const pli_collision* c, int t, const int32_t* vertices, int body[2]) {
    const pli_collision_term* term = &c->terms[t];
    const pli_barrier* barrier = term->barrier.self;
    body[0] = c->surfaces.body[vertices[0]];
    body[1] = term->half_space >= 0 ? -1 - term->half_space
                                    : c->surfaces.body[vertices[barrier->sides[0]]];
}

// Order of pairs of bodies: the lower one first; half-spaces sort before bodies.
static uint64_t key_of(const pli_collision* c, const int body[2]) {
    if (body[1] < 0) return (uint64_t)body[0] << 32 | (uint64_t)(-1 - body[1]);
    int low = pli_min_int(body[0], body[1]), high = pli_max_int(body[0], body[1]);
    return (uint64_t)low << 32 | (uint64_t)(c->model->half_space_count + high);
}

static void bodies_of_key(const pli_collision* c, uint64_t key, int body[2]) {
    int second = (int)(key & UINT32_MAX);
    body[0] = (int)(key >> 32);
    body[1] =
        second < c->model->half_space_count ? -1 - second : second - c->model->half_space_count;
}

// Index of the key, or its insertion place. Neighbours in the contact list often have the same
// bodies.
static int place_of(pli_contacts* found, uint64_t key) {
    if (found->last_key < found->key_count && found->keys[found->last_key] == key)
        return found->last_key;
    int first = 0, end = found->key_count;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (found->keys[middle] < key)
            first = middle + 1;
        else
            end = middle;
    }
    found->last_key = first;
    return first;
}

static pli_status note_bodies(pli_collision* c, int t, const int32_t* vertices, pli_error* error) {
    pli_contacts* found = &c->contacts;
    int body[2];
    bodies_of(c, t, vertices, body);
    uint64_t key = key_of(c, body);
    int at = place_of(found, key);
    if (at < found->key_count && found->keys[at] == key) return PLI_OK;
    PLI_TRY(PLI_GROW(c->memory, found->keys, found->key_capacity, found->key_count + 1, error));
    memmove(found->keys + at + 1, found->keys + at,
            (size_t)(found->key_count - at) * sizeof *found->keys);
    found->keys[at] = key;
    found->key_count++;
    return PLI_OK;
}

// ---- before the state is published

static int stencil_count(const pli_term* term) {
    return term->ops ? term->ops->count(term->self) : 0;
}

static const int32_t* stencil(const pli_term* term, int i) {
    return term->ops->vertices(term->self) + (size_t)i * (size_t)term->ops->width;
}

static pli_status find_contacts_of(pli_collision* c, int t, const double* x, pli_error* error) {
    const pli_term *term = &c->terms[t].barrier, *friction = &c->terms[t].friction;
    const pli_barrier* barrier = term->self;
    for (int i = 0; i < stencil_count(term); ++i) {
        pli_contact contact;
        if (!barrier->kind->contact(barrier, i, x, &contact)) continue;
        c->contacts.next_count++;
        PLI_TRY(note_bodies(c, t, stencil(term, i), error));
    }
    for (int i = 0; i < stencil_count(friction); ++i)
        PLI_TRY(note_bodies(c, t, stencil(friction, i), error));
    return PLI_OK;
}

pli_status pli_collision_find_contacts(pli_collision* c, const double* x, pli_error* error) {
    pli_contacts* found = &c->contacts;
    found->next_count = found->key_count = 0;
    if (found->vertex_count == 0) return PLI_OK;
    for (int t = 0; t < c->term_count; ++t) PLI_TRY(find_contacts_of(c, t, x, error));
    PLI_TRY(PLI_GROW(c->memory, found->list, found->capacity, found->next_count, error));
    return PLI_GROW(c->memory, found->pairs, found->pair_capacity, found->key_count, error);
}

// ---- publishing

// The force on each vertex of stencil i at the published state: -d/dx of the term, times the share
// that acts.
static void stencil_forces(const pli_collision* c, const pli_term* term, int i,
                           double out[3 * PLI_CONTACT_MAX]) {
    int dim = c->model->def.dimension, width = term->ops->width;
    double g[3 * PLI_CONTACT_MAX] = {0};
    pli_batch in = {.dim = dim,
                    .count = 1,
                    .width = width,
                    .vertices = stencil(term, i),
                    .x = c->model->positions,
                    .want = PLI_GRADIENT};
    term->ops->eval(term->self, i, &in, &(pli_local){.g = g});
    double share = c->contacts.share;
    for (int k = 0; k < width; ++k)
        for (int d = 0; d < 3; ++d) out[3 * k + d] = d < dim ? -share * g[k * dim + d] : 0;
}

// Adds the forces of stencil i to the vertices; `net` is their sum over the first side.
static void add_to_vertices(const pli_collision* c, const pli_term* term, int i, int side,
                            double* forces, double net[3]) {
    double f[3 * PLI_CONTACT_MAX];
    const int32_t* vertices = stencil(term, i);
    stencil_forces(c, term, i, f);
    net[0] = net[1] = net[2] = 0;
    for (int k = 0; k < term->ops->width; ++k) {
        pli_axpy(1, f + 3 * k, forces + 3 * (size_t)vertices[k], 3);
        if (k < side) pli_axpy(1, f + 3 * k, net, 3);
    }
}

// The pair of bodies; *sign is 1 if its first body is the first of the stencil, -1 if not; 0 if
// both are the same body, whose forces on itself cancel.
static pli_body_contact_info* pair_of(pli_collision* c, const int body[2], double* sign) {
    pli_contacts* found = &c->contacts;
    pli_body_contact_info* pair = &found->pairs[place_of(found, key_of(c, body))];
    *sign = body[0] == body[1] ? 0 : pair->body[0] == body[0] ? 1 : -1;
    return pair;
}

// a = sum of c_k x_k over the first side - radius n, b = a - d n.
static void fill_contact(const pli_collision* c, const pli_barrier* barrier,
                         const pli_contact* from, const int32_t* vertices, pli_contact_info* out) {
    out->distance = from->distance;
    out->force = c->contacts.share * from->force;
    for (int k = 0; k < barrier->dim; ++k) out->normal[k] = from->normal[k];
    for (int side = 0; side < 2; ++side) {
        out->vertex_count[side] = barrier->sides[side];
        for (int k = 0; k < barrier->sides[side]; ++k) out->vertices[side][k] = *vertices++;
    }
    for (int k = 0; k < barrier->sides[0]; ++k)
        pli_axpy(from->weights[k], c->model->positions + 3 * (size_t)out->vertices[0][k],
                 out->point[0], 3);
    pli_axpy(-from->radius, out->normal, out->point[0], 3);
    memcpy(out->point[1], out->point[0], sizeof out->point[1]);
    pli_axpy(-from->distance, out->normal, out->point[1], 3);
}

static void publish_barrier(pli_collision* c, int t) {
    const pli_term *term = &c->terms[t].barrier, *friction = &c->terms[t].friction;
    const pli_barrier* barrier = term->self;
    for (int i = 0; i < stencil_count(term); ++i) {
        pli_contact contact;
        if (!barrier->kind->contact(barrier, i, c->model->positions, &contact)) continue;
        pli_contact_info* out = &c->contacts.list[c->contacts.count++];
        *out = (pli_contact_info){.force = 0};
        bodies_of(c, t, stencil(term, i), out->body);
        fill_contact(c, barrier, &contact, stencil(term, i), out);
        double net[3], sign, f[3 * PLI_CONTACT_MAX];
        add_to_vertices(c, term, i, barrier->sides[0], c->contacts.forces, net);
        pli_body_contact_info* pair = pair_of(c, out->body, &sign);
        pair->count++;
        pair->min_distance = fmin(pair->min_distance, out->distance);
        pli_axpy(sign * out->force, out->normal, pair->force, 3);
        int lagged = friction->ops ? pli_friction_find(friction, contact.key) : -1;
        if (lagged < 0) continue;
        stencil_forces(c, friction, lagged, f);
        for (int k = 0; k < barrier->sides[0]; ++k) pli_axpy(1, f + 3 * k, out->friction, 3);
    }
}

static void publish_friction(pli_collision* c, int t) {
    const pli_term* friction = &c->terms[t].friction;
    int side = ((const pli_barrier*)c->terms[t].barrier.self)->sides[0];
    for (int i = 0; i < stencil_count(friction); ++i) {
        double net[3], sign;
        int body[2];
        bodies_of(c, t, stencil(friction, i), body);
        add_to_vertices(c, friction, i, side, c->contacts.friction, net);
        pli_body_contact_info* pair = pair_of(c, body, &sign);
        pli_axpy(sign, net, pair->friction, 3);
    }
}

void pli_collision_publish_contacts(pli_collision* c, double share) {
    pli_contacts* found = &c->contacts;
    if (found->vertex_count == 0) return;
    found->share = share;
    memset(found->forces, 0, 3 * (size_t)found->vertex_count * sizeof *found->forces);
    memset(found->friction, 0, 3 * (size_t)found->vertex_count * sizeof *found->friction);
    found->count = 0;
    found->pair_count = found->key_count;
    for (int i = 0; i < found->pair_count; ++i) {
        found->pairs[i] = (pli_body_contact_info){.min_distance = HUGE_VAL};
        bodies_of_key(c, found->keys[i], found->pairs[i].body);
    }
    for (int t = 0; t < c->term_count; ++t) {
        publish_barrier(c, t);
        publish_friction(c, t);
    }
    PLI_ASSERT(found->count == found->next_count);
}
