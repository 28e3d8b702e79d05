// The common part of all barrier terms: the first member of their `self`, used by friction and
// reports. To add a kind of contact: write a struct that begins with pli_barrier, its
// pli_barrier_kind and its pli_term_ops (see half_space.c). Friction, counting and checking then
// work for it.
#ifndef PLI_CONTACT_BARRIER_TERM_H
#define PLI_CONTACT_BARRIER_TERM_H

#include "contact/contact.h"

typedef struct pli_barrier pli_barrier;

enum { PLI_CONTACT_MAX = 4 }; // vertices of one contact

// One stencil closer than dhat. The relative position of the two sides is sum_i weights_i x_i; the
// closest points are fixed in the material.
typedef struct pli_contact {
    double distance;  // between the surfaces [m]
    double force;     // lambda = -db/dd >= 0 [N]
    double normal[3]; // unit, along the relative position
    double weights[PLI_CONTACT_MAX];
    double radius; // thickness around the first side [m]
    uint64_t key;  // identifies the two primitives, whatever else is in the set; increases with i
} pli_contact;

typedef struct pli_barrier_kind {
    // The contact of stencil i at positions x (3 per vertex); false if it is not closer than dhat.
    bool (*contact)(const pli_barrier* self, int i, const double* x, pli_contact* out);
    // See pli_barrier_check. NULL: nothing to check.
    pli_status (*check)(const pli_barrier* self, const pli_view* view, pli_error* error);
    // See pli_barrier_forget. NULL: nothing to forget.
    void (*forget)(pli_barrier* self);
} pli_barrier_kind;

struct pli_barrier {
    const pli_barrier_kind* kind;
    pli_term_ops ops; // the function table of the term: its width depends on the instance
    pli_memory* memory;
    int dim, vertex_count;
    int sides[2]; // vertices of the two sides, those of the first come first; 0: a half-space
    const pli_barrier_form* form;
    double dhat;      // [m]
    double stiffness; // kappa [Pa] or [J/m^4]
};

// Checks the def and fills the common part, except kind, ops and sides.
pli_status pli_barrier_init(pli_barrier* barrier, pli_memory* memory, const pli_barrier_def* def,
                            pli_error* error);

// The stencil of a friction term that `lag` froze from the contact with this key; -1: none.
int pli_friction_find(const pli_term* friction, uint64_t key);

// Whether the form of the barrier is weighted by area.
bool pli_barrier_by_area(const pli_barrier* barrier);

#endif
