// The state of a world while its prepared data are rebuilt: taken before the model changes, kept in
// terms of vertices and stencils, which survive, and put back on the new unknowns.
//
// Each state of the history is two columns, places and velocities, with 3 numbers per vertex of the
// model; rows follow the model's vertices as bodies come and go. Nodes have columns of their own and are
// found again by body and key. Energies with state keep it per stencil. What lives elsewhere (prescribed motion, the stiffness of contact, exempt pairs, time and
// balance) is not touched by rebuilding.
#ifndef PLI_DYNAMICS_CARRY_H
#define PLI_DYNAMICS_CARRY_H

#include "dynamics/scheme.h"
#include "energy/nodes.h"
#include "model/model.h"

typedef struct pli_world pli_world;
typedef struct pli_conversion pli_conversion; // convert.c

// How the vertices and elements of a body come from those that it had, numbers within the body.
typedef struct pli_carry_map {
    int body;
    int vertex_count;
    const int32_t* parent;                                 // per vertex: the one it was, or -1
    const int32_t* element_parent[PLI_ELEMENT_KIND_COUNT]; // NULL: found by their vertices
} pli_carry_map;

// Of one energy.
typedef struct pli_carried_energy {
    int32_t slot; // of the energy
    pli_element_kind kind;
    int count, width, room; // stencils; vertices of each; stencils when it was taken
    int first;              // vertex of the body then; 0: listed
    size_t state_size;       // bytes per stencil
    char* state;
    int32_t* vertices; // count * width, numbers within the body, -2: a node; of listed stencils as in
                       // the model
} pli_carried_energy;

// A node: of which body, and its key with numbers within the body.
typedef struct pli_carried_node {
    int32_t slot; // of the body
    pli_node_key key;
} pli_carried_node;

enum { PLI_CARRY_COLUMNS = 2 * (2 * PLI_HISTORY_MAX + 1) };

typedef struct pli_carry {
    bool on;
    bool grown; // bodies were added since
    int vertex_count;
    int count[2];                     // states of history and of coarse
    double time[2][PLI_HISTORY_MAX];  // [s]
    double* columns[PLI_CARRY_COLUMNS];
    int capacity[PLI_CARRY_COLUMNS];
    int node_count;
    pli_carried_node* nodes;
    double* node_columns[PLI_CARRY_COLUMNS]; // 1 per node: value, rate, rate of the rate
    int energy_count, energy_capacity;
    pli_carried_energy* energies;
    double kinetic, stored; // [J]
} pli_carry;

// Takes the state of a prepared world. On failure nothing has changed.
pli_status pli_carry_take(pli_world* world, pli_error* error);
void pli_carry_free(pli_world* world);

// The model has got vertices at its end; they have moved with their present velocity. Room for them
// must be reserved before.
pli_status pli_carry_reserve(pli_world* world, int more, pli_error* error);
void pli_carry_append(pli_world* world);
// A vertex is at x, and has moved with this velocity.
void pli_carry_place(pli_world* world, int vertex, const double x[3], const double velocity[3]);
// The model has got new velocities of `count` vertices: those of earlier states do not go on in these.
void pli_carry_velocities(pli_world* world, int first, int count);
// The model is about to lose vertices first .. first + count - 1, and listed stencils with them.
void pli_carry_remove(pli_world* world, int first, int count);
// The model is about to lose the listed stencils of pli_stencil_is_lost.
void pli_carry_stencils(pli_world* world, int first, int end, const int32_t* child);

// Puts the state back into a world whose histories and terms are new. `map`: of a body whose mesh
// was replaced, or NULL; stencils that have no parent start with the state of `init`.
pli_status pli_carry_histories(pli_world* world, const pli_carry_map* map, pli_error* error);
// Gives a body whose kinematics has changed its centre of mass and its momentum again, in all states
// of the histories.
void pli_conversion_finish(pli_world* world, const pli_conversion* conversion);
pli_status pli_carry_states(pli_world* world, const pli_carry_map* map, pli_error* error);

#endif
