// Prescribed motion as a constraint: each pin pulls its vertex to a target with
//
//     (k/2) (m / (c h^2)) |x - target|^2
//
// k grows until the vertex has arrived; then its unknowns are frozen for the rest of the step: an
// identity row. Contact may block a pin, because the vertex moves along certified segments like any
// other. State kept between steps: k, the distance that each pin has traveled, and its last
// positions, whose differences are its velocity and acceleration.
#ifndef PLI_DYNAMICS_PRESCRIBE_H
#define PLI_DYNAMICS_PRESCRIBE_H

#include "base/memory.h"
#include "dynamics/constraint.h"
#include "model/model.h"

// One motion, shared by the pins of one pli_prescribe_def; keys are copied.
typedef struct pli_motion {
    double velocity[3], travel;
    bool free[3]; // axes that are not prescribed: offsets and distances are 0 there
    bool partial; // there are such axes: its pins are pulled and never frozen
    int key_count;
    int first;               // its first pin
    int width;               // offsets per key: 1, or 1 for each of its pins
    double *times, *offsets; // 3 width offsets per key [m]
    pli_field_fn* field;
    void* context;
    double stiffness; // k of the present step, grows
    double given;     // k of the def
    double kept;      // k at the start of the step
    // The fraction of its path in the present step that it may travel: 1, or less after a retreat;
    // and the fraction that the next step starts with.
    double part, next_part;
    double held[3]; // remaining path of its first pin when it retreated [m]
    // A motion whose pins move in different directions (a rotation) retreats in time, with its own
    // clock, so that it keeps its shape and stays on its path.
    double delay;            // of its clock at the start of the step [s]
    bool clocked;            // it follows its clock in the present step
    double begin, goal, due; // its time at the start and at the end of the present step, and at the
                             // end without delay [s]
    double farthest;         // remaining distance when k last grew [m]; 0: not yet
    int weak_growths;        // times in a row that a larger k reduced the distance little
} pli_motion;

typedef struct pli_pin {
    int32_t vertex, motion;
    double start[3]; // position at t = 0 [m]
    double traveled,
        next;         // distance along the velocity at the start and at the end of the step [m]
    double last[3];   // `end` of the previous step [m]
    double end[3];    // intended position at the end of the present step [m]
    double target[3]; // target of its unknown in the present step [m]
    double base[3];   // target of the previous stage; in the first stage its position [m]
    double way;       // distance from the last end to this one [m]
    double mass;      // [kg]
    bool massless;    // of an obstacle: `mass` is that of others, found again with the term
    bool moved;       // `was` is valid
    // At the start of the present step: its position, or its target if it had arrived [m]; mean
    // velocity of the last step and of the one before [m/s].
    struct pli_pin_past {
        double place[3], rate[3], older[3];
    } was;
    double from[3];  // `was.place`, or its position if that is unknown [m]
    double bend[3];  // second derivative of its path over the step, if `was` is unknown [m/s^2]
    double aimed[3]; // its acceleration in the step [m/s^2]
    bool arrived;    // in the present step
} pli_pin;

typedef struct pli_pins {
    pli_memory* memory;
    int dim;
    int motion_count, motion_capacity, count, capacity;
    pli_motion* motions;
    pli_pin* pins;
    int32_t* vertices; // of the pins, created with the term
    int vertex_capacity;
    double inertia;  // 1 / (c h^2) of the present step [1/s^2]
    double size[2];  // of the last step and of the one before [s]
    double stage[2]; // the fraction of the step for which targets are set: from, to
} pli_pins;

// The penalty leaves a distance proportional to 1/k. Beyond this k rounding would be visible.
#define PLI_PIN_MAX_STIFFNESS 1e14

void pli_pins_init(pli_pins* pins, pli_memory* memory, int dim);
void pli_pins_free(void* pins);
pli_constraint pli_pins_constraint(pli_pins* pins);

// Keys must be finite and in the order of their times; `width`: offsets per key.
pli_status pli_motion_check_keys(const pli_prescribe_def* def, int width, pli_error* error);
// With checked keys; `count` pins must be added to it next, in the order of their keys.
pli_status pli_pins_add_motion(pli_pins* pins, const pli_prescribe_def* def, int count,
                               int32_t* motion, pli_error* error);
// Reserves `count` more pins, so that adding them cannot fail.
pli_status pli_pins_reserve(pli_pins* pins, int count, pli_error* error);
void pli_pins_add(pli_pins* pins, int vertex, int motion, const double start[3], double mass);

// Adds a support with a prescribed motion to a model, and its pins. On failure nothing is added.
pli_status pli_pins_add_support(pli_pins* pins, pli_model* model, pli_body_id id,
                                const pli_prescribe_def* def, pli_error* error);
// Removes a motion with its pins; later numbers of motions and pins decrease.
void pli_pins_remove_motion(pli_pins* pins, int32_t motion);
// The motion stays at this offset from the start from now on; its definition is discarded.
pli_status pli_pins_set_target(pli_pins* pins, int32_t motion, const double offset[3],
                               pli_error* error);
// Vertex numbers from `from` on decrease by `by`.
void pli_pins_lower(pli_pins* pins, int from, int by);
// The vertices of a motion are replaced: `count` new ones, each with the pins it comes from.
typedef struct pli_pin_sources {
    int count;
    const int32_t* vertices;       // of the new pins
    const int32_t *start, *from;   // pins start[i] .. start[i + 1] - 1 of `from`
    const double *weight, *masses; // masses: per vertex [kg]
} pli_pin_sources;
pli_status pli_pins_replace(pli_pins* pins, int32_t motion, const pli_pin_sources* sources,
                            pli_error* error);
void pli_motion_free_keys(pli_memory* memory, pli_motion* motion);

// ---- shared by the files of prescribed motion: `self` is a pli_pins, see constraint.h

// Sets components along free axes to 0.
static inline void pli_motion_mask(const pli_motion* motion, double d[3]) {
    for (int c = 0; c < 3 && motion->partial; ++c)
        if (motion->free[c]) d[c] = 0;
}

static inline bool pli_motion_has_path(const pli_motion* motion) {
    return motion->field || motion->key_count > 0;
}

// First unknown of pin i. For the kinematics a prescribed vertex is free: it has its own group of
// dim unknowns.
int pli_pin_unknown(const pli_pins* pins, const pli_kinematics* k, int i);

// prescribe_path.c. The time on its path that a motion should have reached after the fraction `part`
// of the step.
double pli_motion_time(const pli_motion* motion, const pli_step* step, double part);
// The path of each pin turns by at most 45 degrees in a stage.
pli_status pli_pins_begin_step(void* self, const pli_step* step, pli_error* error);
int pli_pins_stages(const void* self, const pli_step* step);
pli_status pli_pins_retarget(void* self, const pli_step* step, double from, double to,
                             pli_error* error);
// A pin has arrived within `distance` of its target and within 1/1000 of its path in the step.
int pli_pins_arrive(void* self, const double* x, double distance);
bool pli_pins_arrived(const void* self);
void pli_pins_weigh(const void* self, double correction, double distance, double* weight);
bool pli_pins_stiffen(void* self, const double* x, double distance);
// The pins of a motion stay behind together: all advance only as far as the slowest one. If all
// move in the same direction they follow the straight line to where they should be and soon get
// there once the path is free. Otherwise they follow their path with a delay, at most twice as
// fast, or wait until it returns to them.
void pli_pins_retreat(void* self, const pli_step* step, const double* x, bool stay);
int pli_pins_behind(const void* self);
void pli_pins_mark_behind(const void* self, uint8_t* behind);
// Second derivative of the path of pin i, over a step of size h from `time` on [m/s^2].
void pli_pin_bend(const pli_pins* pins, int i, double time, double h, double bend[3]);

// prescribe_rates.c
void pli_pins_aim(void* self, const pli_drive* drive, pli_aim* aim);
bool pli_pins_predict(const void* self, const pli_kinematics* k, double* q);
void pli_pins_finish(const void* self, const pli_drive* drive, const double* q, double* v,
                     double* a);
// Pins continue from where they are; blocked ones are pulled with the initial stiffness.
void pli_pins_commit(void* self, double h, const double* x);
void pli_pins_bend(void* self, double time, double h);
void pli_pins_guide(void* self, const pli_drive* drive);
void pli_pins_place(void* self, const pli_drive* drive, double* q, double* v);
void pli_pins_accelerate(const void* self, const pli_kinematics* k, double* a);

#endif
