// What touches at the published state: every contact, their sums by bodies, forces per vertex.
#ifndef PLI_COLLISION_CONTACTS_H
#define PLI_COLLISION_CONTACTS_H

#include "base/memory.h"
#include "pliant/world.h"

typedef struct pli_contacts {
    int vertex_count; // of the world; 0: nothing can touch
    int count, capacity;
    pli_contact_info* list; // by term, then by stencil
    int pair_count, pair_capacity;
    pli_body_contact_info* pairs; // by the first body; then half-spaces before bodies
    double *forces, *friction;    // 3 per vertex [N]
    double share;                 // of the forces of contact, the part that acts over a step
    // Scratch: the pairs of bodies that the next list will have.
    int next_count, key_count, key_capacity, last_key;
    uint64_t* keys; // sorted
} pli_contacts;

void pli_contacts_free(pli_contacts* contacts, pli_memory* memory);

#endif
