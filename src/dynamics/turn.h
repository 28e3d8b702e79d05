// Nodes that follow prescribed motion (pli_node_def.follows), as a constraint: the angle of a
// director about an edge turns as the motion of both ends of the edge does.
//
// Parallel transport of the edge from the start of the step to its end does not turn the director.
// The motion moves a place beside the edge too, and with it the director; the angle between both is
// added to the angle at the start of the step. Nodes with a director `across` x t of their own count
// from that one instead. Nothing blocks an angle: it is put at its target
// when a stage begins, and its row is the identity. It has no state of its own.
#ifndef PLI_DYNAMICS_TURN_H
#define PLI_DYNAMICS_TURN_H

#include "dynamics/prescribe.h"
#include "energy/nodes.h"

typedef struct pli_turn {
    int32_t vertex; // of the kinematics: the node
    int node;       // its number
    int pins[2]; // of the ends of the edge, the lower vertex first; -1: the motion does not turn it
    double beside[3]; // a place beside the first end, at t = 0 [m]
    double before;    // at the start of the step [rad]
    double target;    // of the present stage, at its end [rad]
    double end;       // of the present stage [rad]
} pli_turn;

typedef struct pli_turns {
    pli_memory* memory;
    const pli_nodes* nodes;
    const pli_pins* pins;
    int count, capacity;
    pli_turn* list;
    int32_t* vertices;
} pli_turns;

void pli_turns_init(pli_turns* turns, pli_memory* memory, const pli_nodes* nodes,
                    const pli_pins* pins);
pli_constraint pli_turns_constraint(pli_turns* turns);
// Finds the nodes that follow, and the pins of their edges.
pli_status pli_turns_find(pli_turns* turns, pli_error* error);
void pli_turns_free(void* turns);

#endif
