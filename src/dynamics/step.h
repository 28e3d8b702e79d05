// Between the files of a step: one step of a given size (step.c), the loop in which it freezes what
// lags and minimizes (lag.c), sizes of steps and what becomes of steps that fail (policy.c).
#ifndef PLI_DYNAMICS_STEP_H
#define PLI_DYNAMICS_STEP_H

#include "dynamics/world.h"

// With what a step may end, other than convergence, and still be kept.
typedef struct pli_permitted {
    bool failure; // any certified state
    bool blocked; // constraints that were blocked
} pli_permitted;

// step.c: one step of size h from the newest state. If it is kept (info->kept) its end becomes the
// newest state; otherwise the newest state stays.
pli_status pli_world_advance(pli_world* world, double h, pli_permitted permitted,
                             pli_step_info* info, pli_error* error);

// policy.c: the next step, in parts or shorter as the control of the step size, the start of the
// scheme and solver.on_failure require.
pli_status pli_world_advance_by_policy(pli_world* world, pli_step_info* info, pli_error* error);
// After a step that was kept: a scheme of high order that starts keeps its states at full steps.
void pli_world_keep_full_step(pli_world* world);

// The passes of a step: lag, then minimize.
typedef struct pli_lag_loop {
    bool more;      // another pass is wanted
    bool loads;     // some loads lag: until that changes nothing, because it is no physics
    int friction;   // passes in which friction lags
    int most;       // passes
    int iterations; // of the last minimization
} pli_lag_loop;

// lag.c
// Constraints whose paths bend much in this step follow them in stages; the last is left to do. No
// pass is wanted if they did not come so far.
pli_status pli_lag_begin(pli_world* world, pli_lag_loop* loop, pli_step_info* info,
                         pli_error* error);
// Freezes what terms lag at world->q: friction forces, the rim of a pressure.
pli_status pli_lag_freeze(pli_world* world, const pli_lag_loop* loop, int pass, pli_error* error);
// In the first pass, a better start for the minimizer: see lag.c.
pli_status pli_lag_predict(pli_world* world, int pass, pli_error* error);
// Minimizes E at what is frozen, from world->q. While constraints have not arrived their pull is
// made stiffer; info->blocked tells how many vertices did not.
pli_status pli_lag_minimize(pli_world* world, pli_lag_loop* loop, pli_step_info* info,
                            pli_error* error);
// After a pass: is another one wanted?
pli_status pli_lag_judge(pli_world* world, pli_lag_loop* loop, int pass, pli_step_info* info,
                         pli_error* error);
// Constraints that are blocked take back their targets and the step is made again.
pli_status pli_lag_retreat(pli_world* world, pli_step_info* info, pli_error* error);

#endif
