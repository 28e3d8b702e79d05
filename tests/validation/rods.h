// Rods of the problems: straight and curved ones, their stability and their frequencies.
#ifndef TESTS_VALIDATION_RODS_H
#define TESTS_VALIDATION_RODS_H

#include "validation/trial.h"

// How an end is held. A clamp holds an edge: it acts in the middle of it.
enum { FREE, PINNED, SLIDING, CLAMPED, GUIDED }; // sliding, guided: free along x

typedef struct rod_spec {
    int edges;
    double length; // [m]
    int start, end;
    double axial, bending1, bending2, torsion; // EA, EI1, EI2, GJ
    double twist;                              // natural [rad/m]
    double weight;                             // mass per length [kg/m]
    double normal[3];
    bool straight; // naturally
} rod_spec;

// EI = GJ = 1 over a length of 1, stretched by 1e-7 of the force that bends it.
rod_spec pli_rod_default(int edges);

// A rod along x from 0 to the length, in a new world. Its first and last vertices may be outside:
// clamps act at 0 and at the length.
pli_status pli_rod_straight(trial* t, const pli_world_def* def, const rod_spec* spec,
                            pli_body_id* id);
// A rod whose rest shape is the trial's mesh; ends are held as the spec has it, if it is open.
pli_status pli_rod_of_mesh(trial* t, const rod_spec* spec, pli_body_id* id);
// Adds points and the segments between them to the trial's mesh; `closed`: also from the last to
// the first.
typedef void curve_fn(const void* context, int i, double x[3]);
pli_status pli_rod_curve(trial* t, int points, bool closed, curve_fn* curve, const void* context);

// A force on the last vertex.
pli_status pli_rod_pull(trial* t, pli_body_id id, const double force[3]);

// Negative eigenvalues of K + shift I - square M at the present state.
pli_status pli_rod_negatives(trial* t, double shift, double square, int* count);

// Where more eigenvalues are negative than at `low`, between `low` and `high`, by bisection.
// `count`: of a state that it makes for a value.
typedef pli_status count_fn(trial* t, const void* context, double value, int* count);
pli_status pli_rod_threshold(trial* t, count_fn* count, const void* context, double low,
                             double high, double* value);

#endif
