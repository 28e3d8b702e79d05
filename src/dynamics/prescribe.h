// Prescribed motion as a term of E: each pin pulls its vertex to a target with
//
//     (k/2) (m / (c h^2)) |x - target|^2
//
// k grows until the vertex has arrived; from then on (for the rest of the step) its unknowns are
// frozen: an identity row. Contact may hold a pin back, because the vertex moves along certified
// segments like any other. k is state: it is kept from step to step.
#ifndef PLI_DYNAMICS_PRESCRIBE_H
#define PLI_DYNAMICS_PRESCRIBE_H

#include "base/memory.h"
#include "energy/term.h"
#include "pliant/world.h"

// One motion, shared by the pins of one pli_prescribe_def; keys are copied.
typedef struct pli_motion {
    double velocity[3], travel;
    int key_count;
    double *times, *offsets;
    double stiffness; // k, grows
} pli_motion;

typedef struct pli_pin {
    int32_t vertex, motion;
    double start[3];  // position at t = 0 [m]
    double target[3]; // at the end of the present step [m]
    double mass;      // [kg]
    bool arrived;     // in the present step
} pli_pin;

typedef struct pli_pins {
    pli_memory* memory;
    int dim;
    int motion_count, motion_capacity, count, capacity;
    pli_motion* motions;
    pli_pin* pins;
    int32_t* vertices; // of the pins, made by pli_pins_term
    int vertices_count;
    double inertia; // 1 / (c h^2) of the present step [1/s^2]
} pli_pins;

void pli_pins_init(pli_pins* pins, pli_memory* memory, int dim);
void pli_pins_free(pli_pins* pins);

pli_status pli_pins_add_motion(pli_pins* pins, const pli_prescribe_def* def, int32_t* motion,
                               pli_error* error);
pli_status pli_pins_add(pli_pins* pins, int vertex, int motion, const double start[3], double mass,
                        pli_error* error);

// The term; it points to `pins`, which must outlive it. Call after the last pli_pins_add.
pli_status pli_pins_term(pli_pins* pins, pli_term* term, pli_error* error);

// Marks pins that are within `distance` of their target as arrived; returns how many are not.
int pli_pins_arrive(pli_pins* pins, const double* x, double distance);

// Makes the motions of pins that have not arrived stiffer, by what their remaining way suggests.
// Returns false if they are as stiff as they may get.
bool pli_pins_stiffen(pli_pins* pins, const double* x, double distance);

#endif
