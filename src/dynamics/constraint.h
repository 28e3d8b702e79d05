// Constraints: vertices moved by a rule instead of by forces.
//
// A constraint adds a term of role PLI_PULL to E, which pulls its vertices to targets, and drives
// it through a step: the pull becomes stiffer until the targets are reached, then the unknowns are
// held as identity rows. Vertices move along certified segments like any other, so contact may
// block them; a blocked constraint takes back its targets. The step calls every constraint through
// the operations below and knows nothing else about it. Prescribed motion (prescribe.h) is one;
// joints, motors and obstacles that move as one affine body can be others.
#ifndef PLI_DYNAMICS_CONSTRAINT_H
#define PLI_DYNAMICS_CONSTRAINT_H

#include "base/pack.h"
#include "dynamics/scheme.h"
#include "energy/term.h"
#include "kinematics/kinematics.h"

// The present step as seen by constraints, on unknowns.
typedef struct pli_drive {
    const pli_kinematics* kinematics;
    double h;          // [s]
    const double* v_n; // of the unknowns at the start of the step [m/s]
    bool mean;         // v and a of the scheme are means over the step
} pli_drive;

// All may be NULL except `count`, `term` and `free`. NULL means: nothing to do, nothing
// constrained, nothing blocked.
typedef struct pli_constraint_ops {
    // ---- set-up
    int (*count)(const void* self); // number of vertices it acts on
    // Its term; it points to `self`, which must outlive it. `mass`: for vertices without mass [kg].
    pli_status (*term)(void* self, double mass, pli_term* term, pli_error* error);
    void (*free)(void* self);
    // Hash of what it does to vertices first .. end - 1, continued from `hash`.
    uint64_t (*hash)(const void* self, int first, int end, uint64_t hash);
    // Whether it leaves some axes of a vertex free.
    bool (*partial)(const void* self);
    // Adds its mass at unknowns whose diagonal is 0: vertices of obstacles [kg].
    void (*fill_mass)(const void* self, const pli_kinematics* k, double* diagonal);

    // ---- targets
    // Number of stages for the present step, such that straight lines between stages follow the
    // paths of its vertices.
    int (*stages)(const void* self, const pli_step* step);
    // Sets the targets of the part (from, to] of the step, in [0, 1]; resets arrival.
    pli_status (*retarget)(void* self, const pli_step* step, double from, double to,
                           pli_error* error);
    // Sets the scheme's aim for its unknowns: at the targets, their velocity and acceleration are
    // differences of positions. Needed by schemes that remember jumps of velocity.
    void (*aim)(void* self, const pli_drive* drive, pli_aim* aim);
    // Puts unknowns that nothing can block at the targets of the present stage.
    void (*jump)(const void* self, const pli_kinematics* k, double* q);
    // Moves its unknowns in q to their targets. False: a target cannot be reached from q.
    bool (*predict)(const void* self, const pli_kinematics* k, double* q);

    // ---- while E is minimized; x: 3 per vertex [m]
    // Marks vertices within `distance` of their target (less if the path is short); returns the
    // number of vertices that have not arrived.
    int (*arrive)(void* self, const double* x, double distance);
    bool (*arrived)(const void* self); // all vertices have arrived
    // Sets for each of its groups whether its rows are the identity now; `all`: as if it had
    // arrived.
    void (*hold)(const void* self, const pli_kinematics* k, bool all, uint8_t* frozen);
    // Raises the weight of corrections of vertices that have not arrived, so that a correction of
    // length `correction` [m] with weight 1 counts like the arrival distance.
    void (*weigh)(const void* self, double correction, double distance, double* weight);
    // Makes the pull of vertices that have not arrived stiffer. False: it has no effect, they are
    // blocked.
    bool (*stiffen)(void* self, const double* x, double distance);
    // Gives vertices blocked at x reachable targets for the rest of this step; `stay`: their
    // position.
    void (*retreat)(void* self, const pli_step* step, const double* x, bool stay);
    int (*behind)(const void* self); // number of vertices with such targets

    // ---- the end of the step
    // Sets v and a of its unknowns, which are now at q, to what `aim` intended.
    void (*finish)(const void* self, const pli_drive* drive, const double* q, double* v, double* a);
    void (*commit)(void* self, double h, const double* x); // the step is accepted
    // Sets 1 for vertices that are not where they should be.
    void (*mark_behind)(const void* self, uint8_t* behind);

    // ---- forces
    // Turns the total force on each of its vertices, at x, into the force it exerts there: removes
    // its own pull and the components along free axes. 3 per vertex [N].
    void (*reaction)(const void* self, const double* x, double* force);
    // Returns g . dq along its axes, where g is set to 0 [J].
    double (*take_work)(const void* self, const pli_kinematics* k, const double* dq, double* g);
    // *work += factor g . dq over its unknowns; vertices with a free axis are excluded [J].
    void (*add_work)(const void* self, const pli_kinematics* k, double factor, const double* g,
                     const double* dq, double* work);
    void (*clear)(const void* self, const pli_kinematics* k,
                  double* values); // sets 0 at its unknowns

    // ---- explicit steps, in which nothing blocks it
    // Accelerations at the present state, by its path over a step of size h from `time` on.
    void (*bend)(void* self, double time, double h);
    // Accelerations of a step to the targets: constant, from v_n to the velocity at the end.
    void (*guide)(void* self, const pli_drive* drive);
    // Arrival: q and v of its unknowns, and accelerations at the end of the step.
    void (*place)(void* self, const pli_drive* drive, double* q, double* v);
    // Writes these accelerations to its unknowns [m/s^2].
    void (*accelerate)(const void* self, const pli_kinematics* k, double* a);

    // ---- state: everything that a step starts from, as one section of bytes
    uint32_t section;
    int version;
    void (*save)(const void* self, pli_pack* out);
    void (*read)(void* self, int version, pli_unpack* in);
    void (*restart)(void* self, const double* x); // a new state begins, with vertices at x
} pli_constraint_ops;

typedef struct pli_constraint {
    const pli_constraint_ops* ops;
    void* self;
} pli_constraint;

enum { PLI_CONSTRAINT_KINDS = 2 };

// One for each kind, even if it acts on nothing.
typedef struct pli_constraints {
    pli_constraint kind[PLI_CONSTRAINT_KINDS];
} pli_constraints;

// The operations over all kinds: sums of counts, conjunctions of conditions, the maximum of stages.
void pli_constraints_free(pli_constraints* all);
uint64_t pli_constraints_hash(const pli_constraints* all, int first, int end, uint64_t hash);
int pli_constraints_count(const pli_constraints* all);
bool pli_constraints_partial(const pli_constraints* all);
void pli_constraints_fill_mass(const pli_constraints* all, const pli_kinematics* k,
                               double* diagonal);
int pli_constraints_stages(const pli_constraints* all, const pli_step* step);
pli_status pli_constraints_retarget(pli_constraints* all, const pli_step* step, double from,
                                    double to, pli_error* error);
void pli_constraints_aim(pli_constraints* all, const pli_drive* drive, pli_aim* aim);
void pli_constraints_jump(const pli_constraints* all, const pli_kinematics* k, double* q);
bool pli_constraints_predict(const pli_constraints* all, const pli_kinematics* k, double* q);
int pli_constraints_arrive(pli_constraints* all, const double* x, double distance);
bool pli_constraints_arrived(const pli_constraints* all);
void pli_constraints_hold(const pli_constraints* all, const pli_kinematics* k, bool whole,
                          uint8_t* frozen);
void pli_constraints_weigh(const pli_constraints* all, double correction, double distance,
                           double* weight);
bool pli_constraints_stiffen(pli_constraints* all, const double* x, double distance);
void pli_constraints_retreat(pli_constraints* all, const pli_step* step, const double* x,
                             bool stay);
int pli_constraints_behind(const pli_constraints* all);
void pli_constraints_finish(const pli_constraints* all, const pli_drive* drive, const double* q,
                            double* v, double* a);
void pli_constraints_commit(pli_constraints* all, double h, const double* x);
void pli_constraints_mark_behind(const pli_constraints* all, uint8_t* behind);
void pli_constraints_reaction(const pli_constraints* all, const double* x, double* force);
double pli_constraints_take_work(const pli_constraints* all, const pli_kinematics* k,
                                 const double* dq, double* g);
void pli_constraints_add_work(const pli_constraints* all, const pli_kinematics* k, double factor,
                              const double* g, const double* dq, double* work);
void pli_constraints_clear(const pli_constraints* all, const pli_kinematics* k, double* values);
void pli_constraints_bend(pli_constraints* all, double time, double h);
void pli_constraints_guide(pli_constraints* all, const pli_drive* drive);
void pli_constraints_place(pli_constraints* all, const pli_drive* drive, double* q, double* v);
void pli_constraints_accelerate(const pli_constraints* all, const pli_kinematics* k, double* a);
void pli_constraints_restart(pli_constraints* all, const double* x);

#endif
