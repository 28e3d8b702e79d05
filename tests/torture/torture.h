// Torture of contact: worlds that are built to break it, and what is asked after every step of
// every one of them (watch.c):
//   - the step has converged, or is blocked where the row says so,
//   - no surfaces intersect, by the exact test,
//   - no tetrahedron is inside out; rows of materials that allow it count them instead,
//   - every part of the energy is finite,
//   - E at fixed lag and stiffness is not above what it was where Newton's method began (energy.c).
// Beside that each row has questions of its own. The tests run the rows small, the program
// pliant_torture runs them at full size and length.
#ifndef TESTS_TORTURE_TORTURE_H
#define TESTS_TORTURE_TORTURE_H

#include "validation/trial.h"

typedef struct torture torture;

// One run of a row.
typedef struct bout {
    const torture* row;
    bool full;
    trial t;      // world, mesh that is being made, error
    bool skipped; // a file is missing: the error says which
    int body_count;
    double mark[8];   // free to use by the row
    int tally[4];     // free to use by the row
    char figure[200]; // what the row has measured, in words

    // What was seen on the way.
    pli_step_info info; // of the last step
    int steps, iterations, most_iterations, lag_passes, most_pairs;
    int blocked;  // steps that ended so
    int inverted; // tetrahedra inside out, the most at one time
    double min_distance, seconds;
    double rise; // the largest rise of E in a minimization, in parts of what rounding may hide
} bout;

enum { MAY_BLOCK = 1, MAY_INVERT = 2 };

struct torture {
    const char *section, *name;   // "A1", "slope, mu 0.49"
    pli_status (*build)(bout* b); // makes the world
    pli_status (*each)(bout* b);  // after each step; NULL: nothing more is asked
    pli_status (*end)(bout* b);   // after the last one; NULL
    int steps, full_steps;        // 0: not at this size
    unsigned may;
    double number[5]; // parameters of the row
    const char* word;
};

// All rows of one kind.
typedef struct ordeal {
    const char* title;
    const torture* rows;
    int count;
} ordeal;
extern const ordeal pli_torture_friction, pli_torture_masonry, pli_torture_erleben,
    pli_torture_tight, pli_torture_speed, pli_torture_twist;

#define PLI_ROWS(array) ((int)(sizeof(array) / sizeof *(array)))

// Runs a row. PLI_OK: it holds, or was skipped. Close it afterwards in any case.
pli_status pli_bout_run(bout* b, const torture* row, bool full);
void pli_bout_close(bout* b);

// ---- watch.c

// One step and all that must hold after it.
pli_status pli_bout_step(bout* b);

// ---- energy.c

// The largest rise of E in the minimizations since the last call, over what rounding may hide.
double pli_energy_rise(void);

// ---- build.c

// Space, gravity 9.81 down y, two threads, stiffness of contact chosen by the world.
pli_world_def pli_torture_def(double h);

// What a solid is made of. A young of 0: an obstacle, nothing of it moves.
typedef struct stuff {
    const char* energy; // NULL: "neo-hookean"
    double young, poisson, density;
    double velocity[3];
} stuff;

// The mesh that is being made: `size` or `file` into the empty mesh; turned and moved, angles about
// x, y, z, z first [degrees].
pli_status pli_bout_box(bout* b, double x, double y, double z, int nx, int ny, int nz);
pli_status pli_bout_sheet(bout* b, double size, int cells); // in the plane y = 0, normal y
pli_status pli_bout_file(bout* b, const char* name); // of the data folder; skips the row if missing
void pli_bout_scale(bout* b, double x, double y, double z);
void pli_bout_turn(bout* b, double x, double y, double z);
void pli_bout_move(bout* b, double x, double y, double z);

// Adds the mesh as a body; the mesh is empty then.
pli_status pli_bout_add(bout* b, const char* name, const stuff* s, pli_body_id* id);
pli_status pli_bout_ground(bout* b, double y, double friction);

// The vertices of the mesh with low <= x[axis] <= high; to be freed.
int32_t* pli_bout_between(const bout* b, int axis, double low, double high, int* count);

// Of the vertices of a body: mean of an array with 3 per vertex, weighted by mass; extremes.
void pli_bout_mean(const bout* b, int body, const double* values, double out[3]);
double pli_bout_lowest(const bout* b, int body, int axis);
double pli_bout_highest(const bout* b, int body, int axis);
double pli_bout_mass(const bout* b, int body);
double pli_bout_speed(const bout* b, int body); // of the fastest vertex

#endif
