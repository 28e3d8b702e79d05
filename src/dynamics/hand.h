// Springs that somebody holds a vertex or a whole body by.
#ifndef PLI_DYNAMICS_HAND_H
#define PLI_DYNAMICS_HAND_H

#include "base/memory.h"
#include "base/pack.h"
#include "energy/term.h"
#include "pliant/world.h"

typedef struct pli_grip {
    double anchor[3]; // the target less `move` [m]
    double k;         // [N/m]
} pli_grip;

typedef struct pli_hand {
    int count; // vertices held
    int32_t* vertices;
    pli_grip* grips; // one each
    int vertex_room, grip_room;
    double move[3]; // of all anchors [m]
    int body;       // held as a whole; -1: none
    uint64_t epoch; // of the list of vertices
} pli_hand;

// The term; `hand` is zero before and must outlive it.
pli_term pli_hand_term(pli_hand* hand);
void pli_hand_free(pli_hand* hand, pli_memory* memory);

// Who is held, as bytes.
void pli_hand_save(const pli_hand* hand, pli_pack* out);
pli_status pli_hand_restore(pli_world* world, pli_unpack* in, pli_error* error);

#endif
