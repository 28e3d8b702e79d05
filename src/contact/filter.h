// Which bodies may touch, and with which friction: rules between bodies, evaluated for every pair
// that the broad phase finds.
//
// Bodies are sorted into classes, and a table over pairs of classes gives the relation of two
// bodies, so that a lookup costs the same for any number of bodies and rules. In addition a few
// pairs of bodies are exempt. Primitives belong to the body of their first vertex.
#ifndef PLI_CONTACT_FILTER_H
#define PLI_CONTACT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The relation of two bodies.
typedef struct pli_relation {
    bool pass;              // they do not touch
    bool allow_initial;     // they may intersect at t = 0
    double friction;        // kinetic coefficient
    double friction_static; // static coefficient, not smaller
} pli_relation;

// Pairs of bodies: their pli_body_pair_key, sorted.
typedef struct pli_body_pairs {
    int count, capacity;
    uint64_t* keys;
} pli_body_pairs;

// Pairs of edges: four vertices each; the lower vertex and the lower edge come first; sorted.
typedef struct pli_edge_pairs {
    int count, capacity; // pairs; allocated numbers
    int32_t* vertices;
} pli_edge_pairs;

// Nothing is copied: the arrays must outlive the users of the filter. Every array except `body` may
// be NULL. After a change call pli_pair_set_forget.
typedef struct pli_filter {
    const int32_t* body;           // per vertex of the world: index of its body, >= 0
    const uint8_t* self;           // per body: self-contact; NULL: on for all
    const int32_t* classes;        // per body; NULL: all in class 0
    const uint16_t* table;         // per pair of classes (pli_class_pair): index of the relation
    const pli_relation* relations; // NULL: all touch, without friction
    const pli_body_pairs* exempt;  // these do not touch
    const pli_body_pairs* only;    // only these may touch
    const pli_edge_pairs* crossed; // edges that do not touch
} pli_filter;

// Index of a pair of classes in the table; the class count is limited so that it fits an int.
enum { PLI_CLASS_LIMIT = 46340 };
static inline int pli_class_pair(int32_t a, int32_t b) {
    return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
}

static inline uint64_t pli_body_pair_key(int32_t a, int32_t b) {
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

// Index of the key in the list, or of its insertion place.
int pli_body_pairs_place(const pli_body_pairs* pairs, uint64_t key);
bool pli_body_pairs_has(const pli_body_pairs* pairs, uint64_t key);

// The relation of two classes; filter->relations must not be NULL.
static inline const pli_relation* pli_relation_of(const pli_filter* filter, int32_t a, int32_t b) {
    return &filter->relations[filter->table ? filter->table[pli_class_pair(a, b)] : 0];
}

// Whether bodies a and b may touch (a == b: self-contact).
bool pli_bodies_may_touch(const pli_filter* filter, int32_t a, int32_t b);

// The same for the bodies of two vertices. filter NULL: true.
static inline bool pli_may_touch(const pli_filter* filter, int32_t v, int32_t w) {
    return !filter || pli_bodies_may_touch(filter, filter->body[v], filter->body[w]);
}

// Two edges as a row of pli_edge_pairs.
void pli_edge_pair_row(const int32_t a[2], const int32_t b[2], int32_t row[4]);

// Whether `crossed` allows two edges to touch. filter NULL: true.
bool pli_edges_may_touch(const pli_filter* filter, const int32_t a[2], const int32_t b[2]);

// The complete test for two primitives of these widths; primitives that share a vertex may not
// touch.
bool pli_primitives_may_touch(const pli_filter* filter, int a_width, const int32_t* a, int b_width,
                              const int32_t* b);

#endif
