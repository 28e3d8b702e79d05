// A spring that somebody holds a vertex by.
#ifndef PLI_DYNAMICS_HAND_H
#define PLI_DYNAMICS_HAND_H

#include "energy/term.h"

typedef struct pli_hand {
    int32_t vertex;   // -1: none
    double target[3]; // [m]
    double k;         // [N/m]
    uint64_t epoch;
} pli_hand;

// The term; `hand` must outlive it.
pli_term pli_hand_term(pli_hand* hand);

#endif
