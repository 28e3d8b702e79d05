// What all barrier terms have in common: the head of their `self`, which friction and reports use.
// To add a kind of contact: a struct that begins with pli_barrier, its pli_barrier_kind and its
// pli_term_ops (see half_space.c); friction, counting and checking then work for it.
#ifndef PLI_CONTACT_BARRIER_TERM_H
#define PLI_CONTACT_BARRIER_TERM_H

#include "contact/contact.h"

typedef struct pli_barrier pli_barrier;

enum { PLI_CONTACT_MAX = 4 }; // vertices of one contact

// One stencil closer than dhat. The relative position of the two sides is sum_i weights_i x_i, with
// the closest points kept on their material.
typedef struct pli_contact {
    double distance;  // [m]
    double force;     // lambda = -db/dd >= 0 [N]
    double normal[3]; // unit, along the relative position
    double weights[PLI_CONTACT_MAX];
} pli_contact;

typedef struct pli_barrier_kind {
    // The contact of a stencil at positions x (3 per vertex), or false: not closer than dhat.
    bool (*contact)(const pli_barrier* self, const int32_t* vertices, const double* x,
                    pli_contact* out);
    // See pli_barrier_check.
    pli_status (*check)(const pli_barrier* self, const pli_view* view, pli_error* error);
} pli_barrier_kind;

struct pli_barrier {
    const pli_barrier_kind* kind;
    pli_term_ops ops; // the table behind the term: its width depends on the instance
    pli_memory* memory;
    int dim, vertex_count;
    double dhat;    // [m]
    double* weight; // per vertex of the world: A kappa [N]
};

// Checks the def and the listed vertices (number, area > 0) and copies the weights.
pli_status pli_barrier_init(pli_barrier* barrier, pli_memory* memory, const pli_barrier_def* def,
                            int count, const int32_t* vertices, pli_error* error);
void pli_barrier_free(pli_barrier* barrier);

#endif
