// Shared by the files of a step: one step of a given size (step.c), its loop of lagging and
// minimizing (lag.c), step sizes and failed steps (policy.c).
#ifndef PLI_DYNAMICS_STEP_H
#define PLI_DYNAMICS_STEP_H

#include "dynamics/world.h"

// Results other than convergence with which a step is accepted.
typedef struct pli_permitted {
    bool failure; // any certified state
    bool blocked; // blocked constraints
} pli_permitted;

// step.c: one step of size h from the newest state. If it is accepted (info->kept) its end becomes
// the newest state; otherwise the newest state stays.
pli_status pli_world_advance(pli_world* world, double h, pli_permitted permitted,
                             pli_step_info* info, pli_error* error);

// policy.c: the next step, in parts or shorter as required by the step size control, the start of
// the scheme and solver.on_failure.
pli_status pli_world_advance_by_policy(pli_world* world, pli_step_info* info, pli_error* error);
// After an accepted step: a starting scheme of high order stores its states at full steps.
void pli_world_keep_full_step(pli_world* world);

// The passes of a step: lag, then minimize.
typedef struct pli_lag_loop {
    bool more;      // another pass is needed
    bool loads;     // some loads are lagged: until nothing changes, because the lag is not physical
    int friction;   // passes in which friction is lagged
    int most;       // maximum number of passes
    int iterations; // of the last minimization
} pli_lag_loop;

// lag.c
// Constraints with strongly curved paths in this step follow them in stages; the last is left to
// do. No pass is needed if they did not get so far.
pli_status pli_lag_begin(pli_world* world, pli_lag_loop* loop, pli_step_info* info,
                         pli_error* error);
// Freezes lagged quantities at world->q: friction forces, the boundary terms of a pressure.
pli_status pli_lag_freeze(pli_world* world, const pli_lag_loop* loop, int pass, pli_error* error);
// In the first pass, a better initial guess for the minimizer: see lag.c.
pli_status pli_lag_predict(pli_world* world, int pass, pli_error* error);
// Minimizes E with frozen quantities, from world->q. While constraints have not arrived their pull
// is made stiffer; info->blocked is the number of vertices that did not arrive.
pli_status pli_lag_minimize(pli_world* world, pli_lag_loop* loop, pli_step_info* info,
                            pli_error* error);
// After a pass: is another one needed?
pli_status pli_lag_judge(pli_world* world, pli_lag_loop* loop, int pass, pli_step_info* info,
                         pli_error* error);
// Blocked constraints take back their targets and the step is repeated.
pli_status pli_lag_retreat(pli_world* world, pli_step_info* info, pli_error* error);

#endif
