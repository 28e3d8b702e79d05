// Springs with which a user drags a vertex or a whole body, between steps of an interactive world.
#ifndef PLI_DYNAMICS_GRAB_H
#define PLI_DYNAMICS_GRAB_H

#include "base/memory.h"
#include "base/pack.h"
#include "energy/term.h"
#include "pliant/world.h"

typedef struct pli_grab_spring {
    double anchor[3]; // the target less `move` [m]
    double k;         // [N/m]
} pli_grab_spring;

typedef struct pli_grab {
    int count; // grabbed vertices
    int32_t* vertices;
    pli_grab_spring* springs; // one each
    int vertex_capacity, spring_capacity;
    double move[3]; // of all anchors [m]
    int body;       // grabbed as a whole; -1: none
    uint64_t epoch; // of the list of vertices
} pli_grab;

// The term; `held` must be zero-initialized and outlive it.
pli_term pli_grab_term(pli_grab* held);
void pli_grab_free(pli_grab* held, pli_memory* memory);

// State of the grab, as bytes.
void pli_grab_save(const pli_grab* held, pli_pack* out);
pli_status pli_grab_restore(pli_world* world, pli_unpack* in, pli_error* error);

#endif
