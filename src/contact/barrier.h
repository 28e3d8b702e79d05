// The barrier as a function of one number. Times the weight A kappa [N] it is an energy [J].
//
// C1 only: the second derivative jumps to 0 at dhat. A distance that is not positive (or not a
// number) has the value HUGE_VAL and derivatives 0.
#ifndef PLI_CONTACT_BARRIER_H
#define PLI_CONTACT_BARRIER_H

typedef struct pli_barrier_values {
    double value;  // [m]
    double first;  // derivative
    double second; // second derivative
} pli_barrier_values;

// b(d) = (dhat / 2) (s - 1) ln s, s = d / dhat: half-spaces.
pli_barrier_values pli_barrier_linear(double d, double dhat);

// b(d2) = (dhat / 16) (s - 1) ln s, s = d2 / dhat^2: pairs of primitives that are both points of
// the simulation. The 1/16 = 1/8 * 1/2 makes it as stiff at dhat as the half-space (1/8), and each
// contact is seen from both sides (1/2).
pli_barrier_values pli_barrier_squared(double d2, double dhat);

#endif
