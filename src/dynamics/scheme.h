// Time schemes: one table row each.
//
// An implicit scheme defines the target q_hat of the step and the weight of inertia; the step then
// minimizes 1/2 inertia |q - q_hat|^2_M + P + D, and the velocity is linear in the result:
//
//     v = v_base + rate (q - q_hat),    a = inertia (q - q_hat)
//
// An explicit scheme computes the new state from accelerations. No other file depends on h^2.
#ifndef PLI_DYNAMICS_SCHEME_H
#define PLI_DYNAMICS_SCHEME_H

#include "base/memory.h"
#include "base/pack.h"
#include "model/params.h"
#include "pliant/world.h"

extern const pli_params pli_time_params; // rows of pli_world_def: step, scheme

enum { PLI_HISTORY_MAX = 6 };

// States on unknowns, newest first; [0] is the start of the step. Steps may have different sizes.
typedef struct pli_history {
    pli_memory* memory;
    int n;     // unknowns
    int depth; // number of states kept
    int count; // number of known states, at most `depth`
    double time[PLI_HISTORY_MAX];
    double *q[PLI_HISTORY_MAX], *v[PLI_HISTORY_MAX];
    double* a; // acceleration at [0]
} pli_history;

typedef struct pli_scheme_def {
    double beta, gamma; // of newmark
} pli_scheme_def;

// Target of a step. The caller owns the arrays.
typedef struct pli_aim {
    double inertia;         // 1 / (c h^2) [1/s^2]; 0: statics
    double rate;            // dv/dq [1/s]
    double *q_hat, *v_base; // [m], [m/s]
} pli_aim;

// Accelerations for explicit schemes.
typedef struct pli_forces {
    void* self;
    // a = M^-1 f(time, q, v)
    pli_status (*acceleration)(void* self, double time, const double* q, const double* v, double* a,
                               pli_error* error);
    // y = -M^-1 (K x + C w), with stiffness K and damping C at the start of the step
    pli_status (*jacobian)(void* self, const double* x, const double* w, double* y,
                           pli_error* error);
    bool drift;     // f also changes in other ways than by K and C: with time, or C with q
    void* work;     // of the scheme's work_size bytes
    bool* diverged; // set if the scheme does not find the end of the step
} pli_forces;

typedef struct pli_scheme {
    const char* name;
    const char* help;
    int depth;        // number of states it uses, at least 1
    bool accelerates; // uses history->a
    bool stiffness;   // uses forces->jacobian
    bool still;       // velocities are always 0
    bool statics;     // no inertia: stops by forces, not by speed
    bool keeps_jumps; // its velocity recursion never damps out a jump
    bool middle;      // the unknown is the midpoint of the step
    bool mean;        // a step balances mean forces: v and a are means, loads are at the midpoint
    bool averages;    // averages forces between start and end, see energy/averaged.h
    int order;        // of the error estimate: 1, 2; 0: none
    double error;     // local error [m] = error * h |dv| (order 1) or error * h^2 |da| (order 2)
    const char* refusal; // why it cannot be used with contact; NULL: it can
    // Implicit schemes.
    void (*aim)(const pli_history* at, double h, const pli_scheme_def* def, pli_aim* aim);
    // Turns the result of the minimizer into the end of the step; NULL: it is the end of the step.
    void (*finish)(const pli_history* at, double* q, double* v);
    size_t (*work_size)(int n); // bytes of scratch that `step` needs; NULL: none
    // Explicit schemes: q, v at the end of the step, from at->a at its start.
    pli_status (*step)(const pli_history* at, double h, const pli_forces* forces, double* q,
                       double* v, pli_error* error);
} pli_scheme;

// exponential.c
size_t pli_exponential_work_size(int n);
pli_status pli_exponential_step(const pli_history* at, double h, const pli_forces* forces,
                                double* q, double* v, pli_error* error);

const pli_scheme* pli_scheme_find(const char* name);
// Checks whether a dissipation, a function of the velocity, can be used: in statics nothing moves.
pli_status pli_scheme_check_damping(const pli_scheme* scheme, const char* name, pli_error* error);

pli_status pli_history_init(pli_history* history, pli_memory* memory, int n, int depth,
                            pli_error* error);
void pli_history_free(pli_history* history);
// Adds the state at `time` as the newest; the oldest is dropped.
void pli_history_push(pli_history* history, double time, const double* q, const double* v);
// Both have the same size and depth.
void pli_history_copy(const pli_history* from, pli_history* to);
// Drops all but this state.
void pli_history_restart(pli_history* history, double time, const double* q, const double* v);

// All known states, at least `least` of them. `restart`: only the newest is used.
void pli_history_save(const pli_history* history, pli_pack* out);
void pli_history_restore(pli_history* history, int least, bool restart, pli_unpack* in);

#endif
