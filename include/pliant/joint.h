// Joints: places of two bodies, or of a body and the world, that stay together.
//
// Where it can be, a joint is a few linear equations A q = b(t) on the unknowns, which every step
// keeps to rounding. The others are measures, functions of the positions (an angle, a distance, how
// far a place is off a line) that every step keeps to a tolerance. There is no stiffness to choose
// and forces are results. What a joint leaves free, an angle or a travel, can have limits, friction,
// a spring, a damper and a motor. Joints take implicit schemes, Newton's methods and direct linear
// solvers; contact between the bodies that a joint connects is as that of any other two
// (pli_world_add_contact_rule).
#ifndef PLIANT_JOINT_H
#define PLIANT_JOINT_H

#include "pliant/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Handle to a joint.
typedef struct pli_joint_id {
    int32_t index;
    uint32_t generation;
} pli_joint_id;

// One side of a joint. A place of an affine or rigid body moves with its frame. A place of any other
// body is the combination of its listed vertices that lies there, with weights that reproduce every
// affine motion: one vertex is that vertex, several are their mean if the place is in the middle.
typedef struct pli_joint_end {
    pli_body_id body;        // generation 0: the world, which does not move
    const int32_t* vertices; // numbers within the body, each once; NULL: of an affine or rigid body
    int vertex_count;        // the body itself, of others the vertex nearest to `at`
} pli_joint_end;

// What a joint leaves free, by number.
typedef enum pli_joint_value {
    PLI_JOINT_ANGLE,  // turn of the first side against the second, about the axis [rad]
    PLI_JOINT_TRAVEL, // way of the first side along the axis of the second, or a length [m]
    PLI_JOINT_VALUE_COUNT
} pli_joint_value;

// What acts on an angle [rad] or travel [m]. It counts over many turns. Forces are torques [N m] of
// an angle and forces [N] of a travel.
typedef struct pli_joint_freedom {
    double start;            // its value at present; of a length: not used, it is the distance
    double low, high;        // limits, never passed; -HUGE_VAL, HUGE_VAL: none
    double friction;         // the largest force of dry friction
    double damping;          // force per speed
    double stiffness, rest;  // of a spring, and where it has no force
    const char* motor;       // "none", "position", "velocity", "force"
    double target;           // of the motor, in its unit
    pli_field_fn* target_of; // not NULL: out[0] is the target at a time, the place is 0
    void* target_context;    // must outlive the world
    double cap;              // the largest force of the motor; HUGE_VAL: none
    double delay;            // time in which a motor closes most of the distance to its target [s]
    // Of a position: above 0, the motor is a spring and damper instead, which it tracks less exactly.
    double motor_stiffness, motor_damping;
} pli_joint_freedom;

// Types, see pli_joint_type_name:
//   "ball"       one place stays together
//   "hinge"      two places on the axis do, so only the angle about it is left; in the plane as "ball"
//   "weld"       all relative motion is excluded; listed vertices of a deformable body are each held
//                to the other side
//   "slider"     travel along the axis is left
//   "cylinder"   travel along the axis and the angle about it are left; in space
//   "screw"      same, but travel = pitch * turns
//   "universal"  one place stays together and axis of the first side at right angles to axis2 of the
//                second; in space
//   "planar"     motion in the plane normal to the axis and the angle about it are left; in space
//   "line"       the place of the first side stays on a line of the second, along the axis
//   "distance"   the place `at` of the first side stays as far from `to` of the second as at present
//   "rope"       same, but it may be nearer, and `slack` farther
//   "spring"     nothing is held; the distance is a travel on which a spring or a motor can act
//   "pulley"     the rope from `at` over places of the world to `to` gets no longer
//   "gear"       second value = ratio times first value, of two joints
//   "rack"       same, of an angle and a travel
typedef struct pli_joint_def {
    size_t size;      // set by pli_default_joint_def()
    const char* name; // for results; "": "joint 0", ...; copied
    const char* type; // one of the above
    pli_joint_end ends[2];
    double at[3];   // its place at present [m]
    double axis[3]; // of types that have one; any length above 0
    // How the place of the world moves, as displacement [m] by time and place; NULL: it rests.
    // `context` must outlive the world.
    pli_field_fn* motion;
    void* context;
    double axis2[3];                                 // of a universal joint
    double to[3];                                    // place on the second side [m]
    pli_joint_freedom freedom[PLI_JOINT_VALUE_COUNT]; // of types that leave it
    double pitch;        // of a screw [m per turn]; above 0: right-handed
    double ratio;        // of a gear; of a rack [m/rad]; of a pulley, of the length at `to`
    double slack;        // of a rope or pulley [m]
    const double* over;  // of a pulley: places of the world, 3 each [m]; copied
    int over_count;
    pli_joint_id of[2];  // of a gear or rack: the joints, which were added before
    // How far a measure may be off: lengths [m], 0: 1e-5 of the size of the smaller body; angles
    // [rad], 0: 1e-3.
    double tolerance, angle_tolerance;
    // Above one of them, at the end of a step, the joint opens for good; HUGE_VAL: never [N, N m].
    double break_force, break_torque;
} pli_joint_def;

PLI_API void pli_joint_def_init(pli_joint_def* def); // a ball between the world and itself: set ends
PLI_DEFAULT_DEF(joint)

// Adds a joint; `id` may be NULL. The bodies must meet there at present, within 1e-6 of their size.
PLI_API pli_status pli_world_add_joint(pli_world* world, const pli_joint_def* def, pli_joint_id* id,
                                       pli_error* error);
PLI_API pli_status pli_world_remove_joint(pli_world* world, pli_joint_id id, pli_error* error);

PLI_API int pli_world_joint_count(const pli_world* world);
// The number that reading functions take, -1: removed, or of another world; and the reverse.
PLI_API int pli_world_joint_number(const pli_world* world, pli_joint_id id);
PLI_API pli_joint_id pli_world_joint_id(const pli_world* world, int joint);

typedef struct pli_joint_info {
    const char* name;
    const char* type;
    int bodies[2];    // numbers; -1: the world
    double place[3];  // now, on the second side [m]
    double force[3];  // that the joint exerts on the first side [N]; on the second the opposite acts
    double torque[3]; // same, about `place` [N m]
    double gap;       // largest violation of one of its equations [m]
    int row_count;    // equations
    int dropped;      // those of them that follow from others
    double off;       // largest violation of one of its measures, as part of its tolerance
    double value[PLI_JOINT_VALUE_COUNT]; // angle [rad] and travel [m]; NaN: it has none
    double rate[PLI_JOINT_VALUE_COUNT];  // [rad/s], [m/s]
    double motor[PLI_JOINT_VALUE_COUNT]; // force of the motor [N m], [N]
    double work;                        // of its motors so far [J]
    bool broken;
} pli_joint_info;

// Of a prepared world: the state and forces of the last step. False: there is no such joint.
PLI_API bool pli_world_joint(const pli_world* world, int joint, pli_joint_info* info);

// The target of a motor from now on, in place of its `target_of`; NaN: as it is. And its cap;
// HUGE_VAL: none. `motor` is its kind; NULL: as it is.
PLI_API pli_status pli_world_set_joint_motor(pli_world* world, pli_joint_id id, pli_joint_value of,
                                             const char* motor, double target, double cap,
                                             pli_error* error);

// The i-th kind of motor, NULL after the last.
PLI_API const char* pli_joint_motor_name(int i);

// The i-th type and what it does, NULL after the last.
PLI_API const char* pli_joint_type_name(int i);
PLI_API const char* pli_joint_type_help(int i);

#ifdef __cplusplus
}
#endif

#endif
