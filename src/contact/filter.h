// Which bodies may touch, and with which friction: rules between bodies, evaluated for every pair
// that the broad phase finds.
//
// Bodies fall into classes; what holds between two bodies is said by a table over pairs of classes,
// so that asking costs the same for any number of bodies and rules. Beside it there are a few pairs
// of bodies that are exempt. Primitives belong to the body of their first vertex.
#ifndef PLI_CONTACT_FILTER_H
#define PLI_CONTACT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What holds between two bodies.
typedef struct pli_relation {
    bool pass;              // they do not touch
    bool allow_initial;     // they may intersect at t = 0
    double friction;        // coefficient while they slide
    double friction_static; // coefficient up to which they stick, not less
} pli_relation;

// Pairs of bodies: their pli_body_pair_key, sorted.
typedef struct pli_body_pairs {
    int count, capacity;
    uint64_t* keys;
} pli_body_pairs;

// Pairs of edges: four vertices each, of each edge the lower first, the lower edge first; sorted.
typedef struct pli_edge_pairs {
    int count, capacity; // pairs; numbers that there is room for
    int32_t* vertices;
} pli_edge_pairs;

// Nothing is copied: the arrays must live as long as what uses the filter. Every array but `body`
// may be NULL. After a change see pli_pair_set_forget.
typedef struct pli_filter {
    const int32_t* body;           // per vertex of the world: the number of its body, >= 0
    const uint8_t* self;           // per body: it may touch itself; NULL: all may
    const int32_t* classes;        // per body; NULL: all in class 0
    const uint16_t* table;         // per pair of classes (pli_class_pair): number of the relation
    const pli_relation* relations; // NULL: all touch, without friction
    const pli_body_pairs* exempt;  // these do not touch
    const pli_body_pairs* only;    // these alone may touch
    const pli_edge_pairs* crossed; // edges that do not touch
} pli_filter;

// Place of a pair of classes in the table; the numbers of classes are so small that it is an int.
enum { PLI_CLASS_LIMIT = 46340 };
static inline int pli_class_pair(int32_t a, int32_t b) {
    return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
}

static inline uint64_t pli_body_pair_key(int32_t a, int32_t b) {
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

// Where the key is in the list, or would be.
int pli_body_pairs_place(const pli_body_pairs* pairs, uint64_t key);
bool pli_body_pairs_has(const pli_body_pairs* pairs, uint64_t key);

// What holds between two classes: filter->relations must be there.
static inline const pli_relation* pli_relation_of(const pli_filter* filter, int32_t a, int32_t b) {
    return &filter->relations[filter->table ? filter->table[pli_class_pair(a, b)] : 0];
}

// Whether bodies a and b (or a itself, if they are the same) may touch.
bool pli_bodies_may_touch(const pli_filter* filter, int32_t a, int32_t b);

// The same for the bodies of two vertices. filter NULL: yes.
static inline bool pli_may_touch(const pli_filter* filter, int32_t v, int32_t w) {
    return !filter || pli_bodies_may_touch(filter, filter->body[v], filter->body[w]);
}

// Whether two edges may, as far as `crossed` says. filter NULL: yes.
bool pli_edges_may_touch(const pli_filter* filter, const int32_t a[2], const int32_t b[2]);

// The complete test for two primitives with these numbers of vertices; those that share a vertex
// may not.
bool pli_primitives_may_touch(const pli_filter* filter, int a_width, const int32_t* a, int b_width,
                              const int32_t* b);

#endif
