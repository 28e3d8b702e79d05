// Measures of joints in a world: angles, travels, distances and how far places are off, as
// functions of the positions, and what acts on them.
//
// A measure is c = offset + sum of weight times a piece, a piece a function of a few arrows, an
// arrow linear in the vertices of its stencil (model/joints.h). What acts on it is a function of c
// alone:
//
//   to hold   an equation, or a motor that follows its target exactly: lambda e + k/2 e^2 with
//             e = c - target, an augmented Lagrangian. Where lambda + k e, its force, would leave
//             the range that it may have, the function goes on as a line. After a minimization that
//             leaves |e| above the tolerance lambda becomes lambda + k e, and E is minimized again.
//   to store  springs, and limits: barriers -kappa (d - r)^2 ln(d / r) within the distance r.
//   to lose   dampers, and friction: as holding, to where it is at rest, with a force of at most
//             the friction.
//
// Each class is one term of E. An angle is unwrapped from the last certified segment, on which it
// changes by less than a radian.
#ifndef PLI_DYNAMICS_MEASURES_H
#define PLI_DYNAMICS_MEASURES_H

#include "base/memory.h"
#include "energy/term.h"
#include "model/joints.h"

enum { PLI_MEASURE_WIDTH = 12 }; // vertices of a measure: three frames

typedef enum pli_measure_class {
    PLI_MEASURE_HOLDS,
    PLI_MEASURE_STORES,
    PLI_MEASURE_LOSES,
    PLI_MEASURE_CLASSES
} pli_measure_class;

// sum of weight times vertex + fixed
typedef struct pli_measure_arrow {
    double weight[PLI_MEASURE_WIDTH], fixed[3];
} pli_measure_arrow;

typedef struct pli_measure_piece {
    pli_piece_kind kind;
    double weight, lever;
    int state; // of the angle, unwrapped; -1: not an angle
    pli_measure_arrow arrow[PLI_PIECE_ARROWS];
} pli_measure_piece;

// lambda e + k/2 e^2, e = c - target, with the force lambda + k e kept in [low, high].
typedef struct pli_holder {
    double target, k, lambda, low, high;
} pli_holder;

// What acts on a measure within a step, and what the next one starts from: numbers only, saved and
// undone as one block.
typedef struct pli_measure_state {
    pli_holder hold, friction;
    double spring[2], damper[2]; // k, target
    double gain;                 // how far k of `hold` was raised
    double rate;                 // dc/dt
    double force;                // of what holds it, at the end of the step
} pli_measure_state;

enum { PLI_MEASURE_STATES = sizeof(pli_measure_state) / sizeof(double) };
// State of each joint, before those of its measures, which come before the angles of its pieces.
enum { PLI_JOINT_BROKEN, PLI_JOINT_WORK, PLI_JOINT_STATES };

typedef struct pli_world_measure {
    int joint, number; // in the model; of its measures
    int state;         // where its pli_measure_state is
    int32_t vertices[PLI_MEASURE_WIDTH], vertex_count;
    int first, count; // pieces
    double offset, tolerance;
    double low, high, range, barrier; // limits; where they begin to act; kappa
    double at_start;                  // c at x_n
    double stiffness;                 // of inertia against its motion
    double last;                      // |e| after the last minimization
    bool exact;                       // lambda of `hold` is found; else it is a spring or a force
} pli_world_measure;

typedef struct pli_measure_term {
    struct pli_measures* all;
    pli_term_ops ops;
    pli_measure_class which;
    int count;
    int32_t* list;     // measures
    int32_t* vertices; // of each
} pli_measure_term;

typedef struct pli_measures {
    int dim, count, piece_count, state_count, joint_count, unknown_count;
    int room[2]; // measures, pieces
    pli_world_measure* list;
    pli_measure_piece* pieces;
    int32_t* joint_state; // per joint where its state begins; joint_count + 1
    double *state, *initial;
    pli_measure_term term[PLI_MEASURE_CLASSES];
    double* along; // work space, per unknown, 0
    bool moving;   // the world's side of a joint moves
} pli_measures;

// Part of prepare, once unknowns are numbered: makes measures and terms.
pli_status pli_measures_make(pli_world* world, pli_error* error);
void pli_measures_free(pli_world* world);
// Before the prepared world is freed: keeps the state with the joints of the model.
pli_status pli_measures_keep(pli_world* world, pli_error* error);
// Once q is known: checks that the scheme can keep them.
pli_status pli_measures_check(const pli_world* world, pli_error* error);

// At the start of a step, once it is known where the scheme has no velocity.
void pli_measures_begin(pli_world* world);
// After a minimization, at world->x: true if one is off by more than its tolerance; then it is held
// more.
bool pli_measures_tighten(pli_world* world);
// An accepted step ends at world->x_n.
void pli_measures_end(pli_world* world);

// measure_energy.c. Where c is at x (3 per vertex), its angles unwrapped; with `keep` they are from
// now on those from which it is unwrapped. `gradient` (may be NULL): 3 for each vertex.
double pli_measure_value(pli_measures* all, const pli_world_measure* m, const double* x, bool keep,
                         double* gradient);
// The force lambda + k e within its range.
double pli_holder_force(const pli_holder* holder, double c);
// The energy of a class and its first two derivatives by c; false: c is forbidden.
bool pli_measure_act(const pli_measures* all, const pli_world_measure* m, pli_measure_class which,
                     double c, double out[3]);
pli_term pli_measure_make_term(pli_measure_term* term);

static inline pli_measure_state* pli_measure_state_of(const pli_measures* all,
                                                      const pli_world_measure* m) {
    return (pli_measure_state*)(void*)(all->state + m->state);
}

static inline bool pli_measure_is_off(const pli_measures* all, const pli_world_measure* m) {
    return all->state[all->joint_state[m->joint] + PLI_JOINT_BROKEN] != 0;
}

// ---- reading, at published positions

bool pli_joint_is_broken(const pli_world* world, int joint);
double pli_joint_break(pli_world* world, int joint); // returns the energy that it had stored
// Adds values, rates, motors and violation, and forces and torques about info->place.
void pli_measures_read(const pli_world* world, int joint, pli_joint_info* info);

#endif
