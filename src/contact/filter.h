// Who may touch whom: rules between bodies, asked for every pair the broad phase finds.
//
// Two bodies may touch if each meets a group the other is in and the pair is not excluded; a body
// may touch itself if it says so. Primitives belong to the body of their first vertex.
#ifndef PLI_CONTACT_FILTER_H
#define PLI_CONTACT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Nothing is copied: the arrays must live as long as what uses the filter. Every array but `body`
// may be NULL. After a change see pli_pair_set_forget.
typedef struct pli_filter {
    const int32_t* body;      // per vertex of the world: the number of its body, >= 0
    const uint32_t* groups;   // per body: bits of the groups it is in; NULL: all in one
    const uint32_t* meets;    // per body: bits of the groups it meets; NULL: all
    const uint8_t* self;      // per body: it may touch itself; NULL: all may
    int excluded_count;       // pairs of bodies that do not touch:
    const uint64_t* excluded; // their pli_body_pair_key, sorted
} pli_filter;

static inline uint64_t pli_body_pair_key(int32_t a, int32_t b) {
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

// Whether bodies a and b (or a itself, if they are the same) may touch.
bool pli_bodies_may_touch(const pli_filter* filter, int32_t a, int32_t b);

// The same for the bodies of two vertices. filter NULL: yes.
static inline bool pli_may_touch(const pli_filter* filter, int32_t v, int32_t w) {
    return !filter || pli_bodies_may_touch(filter, filter->body[v], filter->body[w]);
}

#endif
