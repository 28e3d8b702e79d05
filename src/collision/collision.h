// Contact between bodies and with half-spaces: the contact state of a world.
//
// The model gives the surfaces of all bodies (surfaces.h) and the rules between them (rules.h).
// From these follow barrier terms, each with its friction, which the world adds to E. State that
// evolves from step to step: the stiffness of the barriers, the last two gaps, the exempt pairs of
// bodies. Nothing here depends on steps or unknowns.
#ifndef PLI_COLLISION_COLLISION_H
#define PLI_COLLISION_COLLISION_H

#include "base/memory.h"
#include "base/pack.h"
#include "collision/rules.h"
#include "collision/surfaces.h"
#include "contact/contact.h"
#include "energy/assembly.h"
#include "model/model.h"
#include "pliant/world.h"

// Contacts at the published state: every contact, sums per pair of bodies, forces per vertex.
typedef struct pli_contacts {
    int vertex_count; // of the world; 0: nothing can touch
    int count, capacity;
    pli_contact_info* list; // by term, then by stencil
    int pair_count, pair_capacity;
    pli_body_contact_info* pairs; // sorted by the first body; then half-spaces before bodies
    double *forces, *friction;    // 3 per vertex [N]
    double share;                 // fraction of the contact forces that acts over a step
    // Scratch: the pairs of bodies of the next list.
    int next_count, key_count, key_capacity, last_key;
    uint64_t* keys; // sorted
} pli_contacts;

void pli_contacts_free(pli_contacts* contacts, pli_memory* memory);

// A barrier and the friction on its pairs.
typedef struct pli_collision_term {
    pli_term barrier;
    pli_term friction; // ops NULL: none
    int half_space;    // that the barrier acts against; -1: between bodies
} pli_collision_term;

enum { PLI_CLEAR_CROSSINGS = 1, PLI_CLEAR_INSIDE = 2 };

typedef struct pli_collision {
    pli_memory* memory;
    const pli_model* model;
    double dhat;           // [m]
    pli_surfaces surfaces; // surfaces.memory NULL: not built yet
    pli_rules rules;       // of the bodies, then of the half-spaces
    int term_count, term_capacity;
    pli_collision_term* terms; // of half-spaces, then between bodies
    bool has_friction;         // in at least one term
    double* friction_forces;   // if so: 2 per body, see pli_collision_friction_is_stale [N]
    double largest_stiffness;  // upper limit of `stiffness`
    bool started;              // steps have moved the bodies: see survey.c
    unsigned clear;            // results of the search at the start, before any step: PLI_CLEAR_*

    // State.
    double stiffness;      // kappa of the barriers [Pa] or [J/m^4]
    double gap[2];         // smallest distances in contact now and a step before [m]
    pli_body_pairs exempt; // bodies that have intersected since t = 0 and do not touch yet

    pli_contacts contacts; // at the published state
} pli_collision;

// Starts with the model only, which may still grow.
void pli_collision_init(pli_collision* collision, const pli_model* model);
void pli_collision_free(pli_collision* collision);
// Frees everything derived from the model, which is about to change; keeps the state if there is
// one.
void pli_collision_reset(pli_collision* collision);
// A body is about to be removed from the model.
void pli_collision_remove_body(pli_collision* collision, int body);

// dhat and surfaces, unless they exist; rules. `survey`: words of rules that match no body or
// half-space are no error, and bodies that may intersect at t = 0 do not touch at all.
double pli_collision_dhat(const pli_collision* collision); // also before the surfaces are made [m]
pli_status pli_collision_make_surfaces(pli_collision* collision, bool survey, pli_error* error);
// The friction coefficients of the model have changed. *done is set if the terms can stay.
pli_status pli_collision_update_rules(pli_collision* collision, bool* done, pli_error* error);
// The same, and the terms, which the collision owns.
pli_status pli_collision_make_terms(pli_collision* collision, pli_error* error);
// pairs.c: a term for every two lists of primitives that can touch; collision.c: one of them, with
// its friction, b NULL: the parts of `a` against each other.
pli_status pli_collision_add_pairs(pli_collision* collision, const pli_barrier_def* def,
                                   pli_error* error);
pli_status pli_collision_add_pair_term(pli_collision* collision, const pli_barrier_def* def,
                                       const pli_side* a, const pli_side* b, pli_error* error);

// Whether some barrier has stencils.
bool pli_collision_is_near(const pli_collision* collision);
// Forces the barriers to search for pairs in the next refresh, after the filter has changed.
void pli_collision_forget_pairs(pli_collision* collision);
// Lagged friction is not part of the state: there is none until the next `lag`.
void pli_collision_forget_friction(pli_collision* collision);
// Whether the lagged friction is far below that at x: a body that had (almost) no contact now has
// some.
bool pli_collision_friction_is_stale(pli_collision* collision, const double* x);
// The gradient of all barriers and friction at x, 3 per vertex [N]; false: it is 0.
bool pli_collision_gradient(const pli_collision* collision, const double* x, double* gradient);

// exempt.c: bodies that may intersect at t = 0 and do are exempt from contact until they are apart.
// The stencils must be refreshed after each of these functions.
bool pli_collision_may_exempt(const pli_collision* collision); // some pair may intersect at t = 0
// Those that cross or lie inside each other; then, with stencils of x, those that are too close.
pli_status pli_collision_exempt_joined(pli_collision* collision, const double* x, pli_error* error);
pli_status pli_collision_exempt_near(pli_collision* collision, const double* x, pli_error* error);
// Pairs that are apart at x can touch from now on. First all that neither cross nor lie inside each
// other: if there are any, *before (empty) receives the previous list, which the caller frees;
// then, with stencils of x, those of them that are too close become exempt again.
pli_status pli_collision_drop_exempt(pli_collision* collision, const double* x,
                                     pli_body_pairs* before, pli_error* error);
pli_status pli_collision_keep_exempt(pli_collision* collision, const double* x,
                                     const pli_body_pairs* before, pli_error* error);
void pli_collision_save_exempt(const pli_collision* collision, pli_pack* out);
pli_status pli_collision_restore_exempt(pli_collision* collision, pli_unpack* in, pli_error* error);

// stiffness.c: kappa of the barriers, if it is not specified.
// Input of the first choice: the start, with valid stencils.
typedef struct pli_stiffness_source {
    pli_assembly* assembly;
    const double* x;               // 3 per vertex [m]
    double h;                      // [s]; 0: statics
    double *gradient, *scratch[2]; // 3 per vertex, overwritten
    const double* velocities;      // 3 per vertex [m/s]
    // Modulus of a body whose deformation has one, within a step of size h [Pa]; 0: it follows from
    // the matrix. NULL: always.
    double (*modulus)(const void* context, int body, double h);
    const void* context;
} pli_stiffness_source;
void pli_collision_choose_stiffness(pli_collision* collision, const pli_stiffness_source* at);
void pli_collision_set_stiffness(pli_collision* collision, double stiffness);
void pli_collision_note_gap(pli_collision* collision, double gap); // at the end of a step
// Before a step: increases kappa if the last gaps require it and returns the factor, at least 1.
// `present`: kinetic, elastic and contact energy, `barriers`: contact energy alone [J].
double pli_collision_adapt_stiffness(pli_collision* collision, double present, double barriers);
void pli_collision_save_stiffness(const pli_collision* collision, pli_pack* out);
void pli_collision_restore_stiffness(pli_collision* collision, pli_unpack* in);

// contacts.c: allocates the arrays, once; then room for the contacts at x, whose pairs must be
// valid; then the contacts of model->positions. `share` of their forces acts over a step.
pli_status pli_collision_make_contacts(pli_collision* collision, pli_error* error);
pli_status pli_collision_find_contacts(pli_collision* collision, const double* x, pli_error* error);
void pli_collision_publish_contacts(pli_collision* collision, double share);

#endif
