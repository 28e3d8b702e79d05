// The bar against the wall, which the report draws as well.
#ifndef TESTS_VALIDATION_IMPACT_H
#define TESTS_VALIDATION_IMPACT_H

#include "validation/trial.h"

// A bar of 1 m, E = 1e6 Pa, 1000 kg/m^3, nu = 0, hits a wall with 0.1 m/s. Exact: pressure rho c v
// for the time 2 L / c, then it leaves with the same speed; c = sqrt(E / rho).
typedef struct impact {
    int steps;        // made
    double* time;     // end of each step, from where the wall is first felt [s]; may be NULL
    double* pressure; // on the wall during each step [Pa]; may be NULL
    double contact_time, plateau, rebound; // [s], [Pa], [m/s]
} impact;
enum { PLI_IMPACT_STEPS = 6 }; // times the cells: no impact makes more steps

pli_status pli_measured_impact(trial* t, int cells, impact* out);

#endif
