// Prescribed motion as a term of E: each pin pulls its vertex to a target with
//
//     (k/2) (m / (c h^2)) |x - target|^2
//
// k grows until the vertex has arrived; from then on (for the rest of the step) its unknowns are
// frozen: an identity row. Contact may hold a pin back, because the vertex moves along certified
// segments like any other. State that is kept from step to step: k, how far each pin has come, and
// its last places, of which its velocity and acceleration are differences.
#ifndef PLI_DYNAMICS_PRESCRIBE_H
#define PLI_DYNAMICS_PRESCRIBE_H

#include "base/memory.h"
#include "base/pack.h"
#include "energy/term.h"
#include "kinematics/kinematics.h"
#include "model/model.h"

// One motion, shared by the pins of one pli_prescribe_def; keys are copied.
typedef struct pli_motion {
    double velocity[3], travel;
    bool free[3]; // axes along which nothing is prescribed: offsets and distances are 0 there
    bool partial; // there are some: its pins are pulled, and never frozen
    int key_count;
    int first;               // its first pin
    int width;               // offsets per key: 1, or 1 for each of its pins
    double *times, *offsets; // 3 width offsets per key [m]
    pli_field_fn* field;
    void* context;
    double stiffness; // k of the present step, grows
    double given;     // k of the def
    double kept;      // k at the start of the step
    // Of its way in the present step, how much it may go: 1, or less since it was held back; what
    // the next step begins with.
    double part, next_part;
    double held[3]; // where its first pin wanted to go when it was held back [m]
    // A motion whose pins go different ways (a rotation) is held back in time, by a clock of its
    // own: so it keeps its shape and stays on its path.
    double late;             // how far its clock is behind at the start of the step [s]
    bool clocked;            // in the present step it goes by its clock
    double begin, goal, due; // its time at the start of the present step, where it may get to, and
                             // what that would be if it were not late [s]
    double farthest;         // what remained when k last grew [m]; 0: it has not grown yet
    int poor;                // times in a row that growth hardly helped
} pli_motion;

typedef struct pli_pin {
    int32_t vertex, motion;
    double start[3];   // position at t = 0 [m]
    double gone, next; // way along the velocity at the start and at the end of the present step [m]
    double last[3];    // where it should have been at the end of the step before [m]
    double end[3];     // where it should be at the end of the present step [m]
    double target[3];  // where its unknown should be in the present step [m]
    double base[3];    // the same in the stage before, at first where it is [m]
    double way;        // from the last end to this one [m]
    double mass;       // [kg]
    bool moved;        // the three of `was` are known
    // At the start of the present step: its place without what it missed [m], mean velocity of the
    // last step and of the one before [m/s].
    struct pli_pin_past {
        double place[3], rate[3], older[3];
    } was;
    double from[3];  // `was.place`, or where it is if that is not known [m]
    double bend[3];  // of its path, if nothing is known: second derivative over the step [m/s^2]
    double aimed[3]; // acceleration that the step gives it [m/s^2]
    bool arrived;    // in the present step
} pli_pin;

// Of a pin at the end of a step.
typedef struct pli_pin_rates {
    double mean[3];         // velocity over the step [m/s]
    double velocity[3];     // [m/s]
    double acceleration[3]; // [m/s^2]
    double jump[3]; // acceleration over the step that takes it from another velocity [m/s^2]
} pli_pin_rates;

typedef struct pli_pins {
    pli_memory* memory;
    int dim;
    int motion_count, motion_capacity, count, capacity;
    pli_motion* motions;
    pli_pin* pins;
    int32_t* vertices; // of the pins, made by pli_pins_term
    int vertices_count;
    double inertia;  // 1 / (c h^2) of the present step [1/s^2]
    double size[2];  // of the last step and of the one before [s]
    double stage[2]; // the part of the step that targets are of: from, to
} pli_pins;

void pli_pins_init(pli_pins* pins, pli_memory* memory, int dim);
void pli_pins_free(pli_pins* pins);

// `count` pins are to be added to it next, in the order of their keys.
pli_status pli_pins_add_motion(pli_pins* pins, const pli_prescribe_def* def, int count,
                               int32_t* motion, pli_error* error);
// Room for `count` more pins; then so many can be added without fail.
pli_status pli_pins_reserve(pli_pins* pins, int count, pli_error* error);
void pli_pins_add(pli_pins* pins, int vertex, int motion, const double start[3], double mass);

// Adds a support with a prescribed motion to a model, and its pins. On failure nothing is added.
pli_status pli_pins_add_support(pli_pins* pins, pli_model* model, pli_body_id id,
                                const pli_prescribe_def* def, pli_error* error);
// A motion goes with its pins; numbers of motions and pins behind it move up.
void pli_pins_remove_motion(pli_pins* pins, int32_t motion);
// From now on the motion stays at this offset from the start; what it was given as is forgotten.
pli_status pli_pins_set_target(pli_pins* pins, int32_t motion, const double offset[3],
                               pli_error* error);
// Numbers of vertices from `from` on fall by `by`.
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

// The term; it points to `pins`, which must outlive it. Call again after adding or removing.
pli_status pli_pins_term(pli_pins* pins, pli_term* term, pli_error* error);

// In how many stages the pins should go through the present step: the path of each bends by at most
// 45 degrees in a stage, so that straight ways from stage to stage follow it. 1 if they go
// straight.
int pli_pins_stages(const pli_pins* pins, const pli_step* step);
// Sets the targets of the first `part` of the step, in (0, 1]; those of the first `from` were the
// last, 0: none.
pli_status pli_pins_aim(pli_pins* pins, const pli_step* step, double from, double part,
                        pli_error* error);

// How near a pin must come to its target: `distance`, or less if its way is short.
double pli_pin_arrival(const pli_pins* pins, const pli_pin* pin, double distance);
// Marks pins that are within `distance` of their target, and within a thousandth of the way of the
// step, as arrived; returns how many are not.
int pli_pins_arrive(pli_pins* pins, const double* x, double distance);

bool pli_pins_all_arrived(const pli_pins* pins);

// Makes the motions of pins that have not arrived stiffer, by what their remaining way suggests.
// Returns false if that is of no use: the last time it hardly helped, so something is in the way.
bool pli_pins_stiffen(pli_pins* pins, const double* x, double distance);

// The vertices were put elsewhere, to x: they go on from there.
void pli_pins_move(pli_pins* pins, const double* x);

// All that a step starts from, as bytes; for as many pins and motions as there were.
void pli_pins_write(const pli_pins* pins, pli_pack* out);
// 2: places and sizes of steps instead of rates alone; 3: motions may be late.
enum { PLI_PINS_VERSION = 3 };
void pli_pins_read(pli_pins* pins, int version, pli_unpack* in);

// Of the keys, which may come from files: goes on from `hash`.
uint64_t pli_motion_hash(const pli_motion* motion, uint64_t hash);

// Motions of which pins have not arrived at x go, from now on in this step, only as far as the one
// that came least, or (`stay`) stay where they are: the pins of a motion stay behind together. If
// all of them go the same way they do so on the straight line to where they should be, and soon
// come there once nothing is in the way; else on their path, which they go on later, at most twice
// as fast, or from where it comes back to them.
void pli_pins_hold_back(pli_pins* pins, const pli_step* step, const double* x, bool stay);
// Whether a pin does not go all of its way in this step, or has not arrived.
bool pli_pin_is_behind(const pli_pins* pins, int i);
// How many do not go all of their way.
int pli_pins_behind(const pli_pins* pins);

// What pin i does in a step of size h that takes it to `end` (3), by differences of its last places
// of any distance in time, with an error of order 2; v_n is its velocity at the start of the step.
// In its first step there are no places before: the path itself tells how it bends, and what v_n
// has to do with it is a jump.
void pli_pin_find_rates(const pli_pins* pins, int i, double h, const double* end, const double* v_n,
                        pli_pin_rates* rates);
// Where pin i counts as being if it is at x: where it should be if it has arrived.
const double* pli_pin_place(const pli_pins* pins, int i, const double* x);
// Second derivative of the path of pin i, over a step of size h from now on [m/s^2].
void pli_pin_bend(const pli_pins* pins, int i, double time, double h, double bend[3]);

// After a step of size h that is kept: pins go on from where they are; what was blocked is pulled
// as gently as at first.
void pli_pins_commit(pli_pins* pins, double h, const double* x);

// ---- on unknowns (prescribe_unknowns.c): what the rest of the world asks

// Whether some motion leaves an axis free.
bool pli_pins_partial(const pli_pins* pins);
// Of the motions of vertices first .. end - 1: goes on from `hash`.
uint64_t pli_pins_hash(const pli_pins* pins, int first, int end, uint64_t hash);

// Sets for the group of each pin whether its rows are the identity: all, or those of pins that have
// arrived and have no free axis.
void pli_pins_hold(const pli_pins* pins, const pli_kinematics* k, bool all, uint8_t* frozen);
// 0 at all prescribed unknowns.
void pli_pins_clear(const pli_pins* pins, const pli_kinematics* k, double* values);
// The mass of pins where the diagonal is 0: vertices of obstacles.
void pli_pins_fill_mass(const pli_pins* pins, const pli_kinematics* k, double* diagonal);
// How near pin i must still come to its target, see pli_pin_arrival; HUGE_VAL: it has arrived [m].
double pli_pin_lack(const pli_pins* pins, int i, double distance);

// Turns the sum of all forces on the vertex of pin i, at x (3), into what moves it: the pull itself
// is taken out, and what acts along free axes [N].
void pli_pin_reaction(const pli_pins* pins, int i, const double* x, double* force);
// g . dq along prescribed axes, where g becomes 0 [J].
double pli_pins_take_work(const pli_pins* pins, const pli_kinematics* k, const double* dq,
                          double* g);
// *work += factor g . dq over prescribed unknowns, none with a free axis.
void pli_pins_add_work(const pli_pins* pins, const pli_kinematics* k, double factor,
                       const double* g, const double* dq, double* work);

// Explicit steps: nothing blocks pins, and their velocities are differences of their places.
// Accelerations at the present state, by the path of each over a step of size h from `time` on.
void pli_pins_bend(pli_pins* pins, double time, double h);
// Accelerations of a step of size h to the targets: even, from v_n to the velocity at the end.
void pli_pins_guide(pli_pins* pins, const pli_kinematics* k, double h, const double* v_n);
// The pins arrive: their q and v, and accelerations at the end of the step.
void pli_pins_place(pli_pins* pins, const pli_kinematics* k, double h, const double* v_n, double* q,
                    double* v);
// These accelerations, on unknowns or on vertices (3 each) [m/s^2].
void pli_pins_accelerate(const pli_pins* pins, const pli_kinematics* k, double* a);
void pli_pins_accelerate_vertices(const pli_pins* pins, double* a);

#endif
