// Joints in a world: the equations A q = b(t) that its steps keep (model/joints.h, sparse/schur.h).
//
// A row is direction . (point on side 0 - point on side 1) = 0, where a point is a sum of weights
// times vertices, so that the row on unknowns follows from the kinematics. What the world's side
// contributes is b.
#ifndef PLI_DYNAMICS_JOINTS_H
#define PLI_DYNAMICS_JOINTS_H

#include "base/memory.h"
#include "pliant/world.h"
#include "sparse/augmented.h"

typedef struct pli_joint_mass pli_joint_mass; // joint_mass.c

// A vertex of a point, with its weight; negative on side 1.
typedef struct pli_joint_term {
    int32_t vertex;
    double weight;
} pli_joint_term;

typedef struct pli_joints {
    pli_equations equations;
    int row_capacity, entry_count, unknown_capacity, weight_capacity, unknown_count;
    int32_t* joint; // per row: number of the joint, and of its row
    int32_t* row;
    uint8_t* open;       // per row: its joint is broken
    int32_t* term_start; // row_capacity + 1
    int term_count, term_capacity;
    pli_joint_term* terms;
    double size;     // of the smallest body [m]
    bool moving;     // some b changes with time
    double* targets; // b: per row, twice; the second is work space
    double* net;     // per unknown: a gradient with the forces of joints
    // With many equations the pairs of groups that they couple: see sparse/augmented.h.
    int pair_count, pair_capacity;
    pli_pair* pairs;
    pli_joint_mass* mass; // for velocities and accelerations; NULL: statics
} pli_joints;

// Part of prepare: checks what the world is solved with; makes the rows, once unknowns are
// numbered.
pli_status pli_joints_check(const pli_world* world, pli_error* error);
pli_status pli_joints_make(pli_world* world, pli_error* error);
void pli_joints_free(pli_world* world);
// Once q is known: checks that both sides meet; prepares for velocities.
pli_status pli_joints_start(pli_world* world, pli_error* error);

// After a step: joints whose force or torque is above what they bear break. Before the next one:
// their rows are left out, or come back with an earlier state.
void pli_joints_break(pli_world* world, pli_balance* balance);
pli_status pli_joints_follow(pli_world* world, pli_error* error);

// Makes velocities, or accelerations, at a time those that the joints allow, by impulses.
void pli_joints_project(pli_world* world, double time, bool accelerations, double* v);

// What projects velocities onto the equations in the metric of the mass: they become those nearest
// to v with A v = rates, by impulses. Held unknowns keep theirs. NULL may be destroyed.
pli_status pli_joint_mass_create(pli_world* world, pli_joint_mass** out, pli_error* error);
void pli_joint_mass_destroy(pli_joint_mass* mass);
void pli_joint_mass_project(pli_joint_mass* mass, const double* rates, double* v);

// b - A q at the end of the present step, or in its middle, and the rounding of it.
void pli_joints_gaps(pli_world* world, double* gaps, double* rounding); // at world->x
// Which unknowns are held now.
void pli_joints_hold(pli_world* world);
// The gradient with the forces that the joints had last.
const double* pli_joints_net(pli_world* world, const double* g);
// Adds A^T lambda to a gradient on vertices.
void pli_joints_push(const pli_world* world, double* gx);
// The work of the joints over the motion dq, which is that of the moving world [J]; adds their
// forces to g.
double pli_joints_take_work(const pli_world* world, const double* dq, double* g);

#endif
