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

// b(d2) = (dhat / 16) (s - 1) ln s, s = d2 / dhat^2: pairs of simulated primitives. The factor 1/16
// = 1/8 * 1/2 gives the same stiffness at dhat as the half-space (1/8); each contact is counted
// once from each side (1/2).
pli_barrier_values pli_barrier_squared(double d2, double dhat);

// Barriers of pairs as functions of the distance d itself, for primitives with a thickness: dmin is
// the smallest distance allowed, contact acts below dmin + dhat. With s = d^2 - dmin^2 and
// shat = 2 dmin dhat + dhat^2 [Li21]:
//   "area"  b = (dhat / 16) (z - 1) ln z, z = s / shat, as above [m]; weight A kappa [N]
//   "ipc"   b = -(s - shat)^2 ln(s / shat) [m^4], as in [Li20]; weight kappa [N/m^3]
// Both have first <= 0 and second >= 0 on (dmin, dmin + dhat).
pli_barrier_values pli_barrier_area(double d, double dhat, double dmin);
pli_barrier_values pli_barrier_log(double d, double dhat, double dmin);

// b = -(s - shat)^2 ln(s / shat) as a function of s: the factor of [Li20] in squared distances.
pli_barrier_values pli_barrier_clamped_log(double s, double shat);

typedef struct pli_barrier_form {
    const char *name, *help;
    pli_barrier_values (*at)(double d, double dhat, double dmin);
} pli_barrier_form;

enum { PLI_BARRIER_FORM_COUNT = 2 };
extern const pli_barrier_form pli_barrier_forms[PLI_BARRIER_FORM_COUNT];

#endif
