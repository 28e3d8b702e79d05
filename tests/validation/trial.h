// One run of a problem with a known answer: the world it steps, the mesh it is made of, room for
// numbers. Whoever starts the run closes the trial, so a run that fails just returns. Only the
// public headers are used: the same files are tests and the program that writes the report.
#ifndef TESTS_VALIDATION_TRIAL_H
#define TESTS_VALIDATION_TRIAL_H

#include "pliant/pliant.h"

#include <math.h>
#include <string.h>

#define PLI_PI 3.14159265358979323846

// Hands a failure on; what failed has filled t->error.
#define TRY(expression)                                                                            \
    do {                                                                                           \
        pli_status try_status_ = (expression);                                                     \
        if (try_status_ != PLI_OK) return try_status_;                                             \
    } while (0)

typedef struct trial {
    pli_world* world;
    pli_mesh mesh;
    double* room; // 3 per vertex of the mesh, zero at first; free to use for starting states
    pli_error error;
} trial;

typedef struct material {
    const char* type;      // of the energy
    double young, poisson; // [Pa], -
    bool plane_stress;
} material;

void pli_trial_init(trial* t);
void pli_trial_close(trial* t); // ready for pli_trial_init

// Sets the message of the failure; returns what is to be returned.
pli_status pli_trial_wrong(trial* t, const char* format, ...) PLI_PRINTF(2, 3);

// No gravity, no contact; steps are solved to 1e-11 m/s, a balance to 1e-11 of the forces present.
pli_world_def pli_trial_def(int dim, const char* scheme);

// A new world, and an empty mesh, in place of those before.
pli_status pli_trial_world(trial* t, const pli_world_def* def);
pli_status pli_trial_empty_mesh(trial* t);

// Makes room for starting states of the mesh as it is now; `room` begins as its positions.
pli_status pli_trial_room(trial* t);

// Steps that must converge.
pli_status pli_trial_steps(trial* t, int count);

// A body of the trial's mesh: 1000 kg/m^3, one material; `initial` as in pli_body_def.
pli_status pli_trial_solid(trial* t, const material* m, const double* initial, pli_body_id* id);

// Supports: `axes` tells by the rest position which axes are held, as bits 1 (x), 2 (y), 4 (z).
enum { FIX_X = 1, FIX_Y = 2, FIX_Z = 4, FIX_ALL = 7 };
typedef unsigned support_fn(const double X[3]);
pli_status pli_trial_fix(trial* t, pli_body_id id, support_fn* axes);
unsigned pli_fix_all_at_x_0(const double X[3]);

// A uniform shear along y on the end at x = `place` [Pa].
pli_status pli_trial_end_shear(trial* t, pli_body_id id, double place, double traction);

// Mean displacement along `axis` of all vertices that rest at x = `place` [m].
double pli_trial_mean(const trial* t, double place, int axis);
// Sum of the forces of all supports along `axis` [N].
double pli_trial_held(const trial* t, int axis);
// Energy of the state: motion and potentials [J].
double pli_trial_stored(const trial* t);

// Where the barrier A kappa (dhat / 2) (s - 1) ln s of a half-space carries `weight` [N], with
// `stiffness` = A kappa [N]: s = d / dhat.
double pli_trial_resting_gap(double stiffness, double weight);

// Largest difference of any Cauchy stress (xx yy zz yz zx xy) of any element of the solid from
// `expected` [Pa].
pli_status pli_trial_stress_away(trial* t, const double expected[6], double* away);
// Cauchy stress of the first element.
pli_status pli_trial_first_stress(trial* t, double stress[6]);

// The trial's mesh: a bar along x from 0, 1 m long, of tetrahedra; or a strip of the plane, the
// same, its middle line on y = 0.
pli_status pli_trial_bar(trial* t, double side, int along, int across, bool quadratic);
pli_status pli_trial_strip(trial* t, double height, int along, int across, bool quadratic);

// Lame's parameters [Pa].
static inline double shear_modulus(const material* m) { return m->young / (2 * (1 + m->poisson)); }
static inline double lame_lambda(const material* m) {
    return m->young * m->poisson / ((1 + m->poisson) * (1 - 2 * m->poisson));
}

#endif
