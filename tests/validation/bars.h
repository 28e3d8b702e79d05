// Bars whose shape the report draws as well.
#ifndef TESTS_VALIDATION_BARS_H
#define TESTS_VALIDATION_BARS_H

#include "validation/trial.h"

// A thin strip clamped at x = 0, bent far by a force P at its end or by its own weight.
typedef struct bending {
    double tip;        // P L^2 / (E I)
    double weight;     // Gamma = rho A g L^3 / (E I)
    int along, across; // cells
    bool quadratic;
    const char* law; // of the material; NULL: neo-Hookean
} bending;

// Drop and shortening of the end, as parts of the length, of the strip in a world.
pli_status pli_measured_bending(trial* t, const bending* b, double* drop, double* shorter);

// The same of the elastica that does not stretch, by shooting.
void pli_formula_bending(const bending* b, double* drop, double* shorter);

#endif
