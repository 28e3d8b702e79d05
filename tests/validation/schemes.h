// Time schemes on x'' = -omega^2 x with z = omega h: what a world does and what the formulas say.
#ifndef TESTS_VALIDATION_SCHEMES_H
#define TESTS_VALIDATION_SCHEMES_H

#include "validation/trial.h"

// A vertex of 1 kg on an anchor at the origin.
typedef struct oscillator {
    const char* scheme;
    double omega, h;   // [1/s], [s]
    double x[2], v[2]; // at the start [m], [m/s]
} oscillator;
pli_status pli_trial_oscillator(trial* t, const oscillator* o);

// The schemes bdf2 to bdf6 have no matrix on (x, v) alone: their order; 0 for all others.
int pli_bdf_steps(const char* scheme);

// Matrix of one step on (x, v / omega) by formula, for schemes of one step.
void pli_formula_matrix(const char* scheme, double z, double A[4]);
double pli_matrix_radius(const double A[4]);

// Spectral radius, by formula and as a world has it.
double pli_formula_radius(const char* scheme, double z);
pli_status pli_measured_matrix(trial* t, const char* scheme, double z, double A[4]);
pli_status pli_measured_radius(trial* t, const char* scheme, double z, double* radius);

#endif
