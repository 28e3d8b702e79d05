// The table of problems with known answers. The tests run its rows at the fast resolutions, the
// program pliant_validate at all of them. A row is one line of the report; rows that measure the
// same thing on different schemes, materials or elements make a family.
#ifndef TESTS_VALIDATION_PROBLEMS_H
#define TESTS_VALIDATION_PROBLEMS_H

#include "validation/trial.h"

enum { PLI_RESOLUTIONS = 6 };

// A measured curve beside its reference, point by point: displacements over a load, or a load over
// a displacement.
enum { PLI_TRACK_POINTS = 40, PLI_TRACK_LINES = 3 };
typedef struct track {
    int count, lines; // 0: the row has no curve
    const char* names[PLI_TRACK_LINES];
    const char *x_label, *y_label; // with units
    double x[PLI_TRACK_POINTS];
    double y[PLI_TRACK_LINES][PLI_TRACK_POINTS]; // NaN: not reached
    double exact[PLI_TRACK_LINES][PLI_TRACK_POINTS];
} track;

typedef struct outcome {
    double computed, exact; // in the unit of the family
    double
        error; // what the tolerance is about; unless the run sets it, |computed - exact| / |exact|
    double largest, mean; // deviations of the curve from its reference
    track curve;
} outcome;

// Deviations of the points from number `from` on, each as a part of the largest value of its line.
void pli_track_deviate(const track* k, int from, outcome* out);
// Distances of these points from the reference as a curve in the plane, which may be steep or have
// folds, with both axes scaled by their largest values.
void pli_track_distance(const track* k, int from, outcome* out);

typedef struct problem problem;

// `outcome` comes with the exact value of the row and error NaN.
typedef pli_status problem_fn(const problem* row, double resolution, trial* t, outcome* out);

struct problem {
    const char* name; // within its family
    problem_fn* run;
    const char* picture;                // of its curve: name of the file without .svg; NULL: none
    const char* word;                   // what `run` makes of these: a scheme, an energy
    double number[4];                   // parameters of the run
    double exact;                       // NaN: `run` tells
    double tolerance;                   // of the error, at the last fast resolution
    double fine_tolerance;              // at the last of all; 0: the same
    double resolution[PLI_RESOLUTIONS]; // coarse to fine; 0 ends the list
    int fast;     // number of resolutions that the tests run; 0: only `make validate` does
    double order; // error ~ resolution^-order, measured on the last two; 0: none expected
    double order_tolerance;
    bool from_below; // computed < exact, and closer at each resolution
};

typedef struct family {
    const char *section, *title; // "B", "Order of the schemes"
    const char* about;           // what is measured and what is exact, in sentences
    const char *quantity, *unit; // of `computed` and `exact`
    const char* axis;            // what a resolution counts
    const char* picture;         // over resolution: name of the file without .svg; NULL: none
    bool curves;                 // of its rows: the table has their deviations
    bool ratio;                  // the picture shows computed / exact, not the error
    const problem* rows;
    int count;
} family;

// All families of one part.
typedef struct part {
    const char* title;
    const family* families;
    int count;
} part;

extern const part pli_problems_schemes, pli_problems_motion, pli_problems_materials,
    pli_problems_bars, pli_problems_shapes, pli_problems_plates, pli_problems_sze,
    pli_problems_shells, pli_problems_modes, pli_problems_rods, pli_problems_contact,
    pli_problems_friction, pli_problems_rigid, pli_problems_joints;

#define PLI_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// What a row has come to.
typedef struct verdict {
    int count; // resolutions run
    outcome at[PLI_RESOLUTIONS];
    double order;     // measured; NaN: with fewer than two resolutions
    double tolerance; // that holds for the last one
    bool pass;
    char message[512]; // why not; "" if it passes
} verdict;

int pli_problem_resolutions(const problem* row);

// Runs the first `count` resolutions.
void pli_problem_judge(const problem* row, int count, verdict* v);

#endif
