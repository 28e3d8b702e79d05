// A term of E: anything that adds stencils. An adapter turns element energies (pli_energy_type)
// into terms; contact, friction and prescribed motion are terms of their own. The core (assembly.h)
// owns loops, threads, scatter and sums and knows nothing else about a term.
#ifndef PLI_ENERGY_TERM_H
#define PLI_ENERGY_TERM_H

#include "base/parallel.h"
#include "pliant/energy.h"

// Data of the current step that a term may use.
typedef struct pli_step {
    double h;             // [s]
    double time;          // at the end of the step [s]
    double share;         // the unknowns are at x_n + share (x_end - x_n): 1, or 1/2
    double force_time;    // time at which forces are balanced [s]
    double inertia;       // 1 / (c h^2): what multiplies the mass in the Hessian [1/s^2]
    double velocity_rate; // dv/dx of the scheme [1/s]; 0: explicit
    const double* x_n;    // positions at the start of the step, 3 per vertex [m]
    const double*
        x_still; // positions at which the scheme's velocity is 0: v = velocity_rate (x - x_still)
} pli_step;

// The present state of all vertices.
typedef struct pli_view {
    int dim;
    int vertex_count;
    const double* x; // 3 per vertex [m]
    pli_pool* pool;
} pli_view;

// The role of a term in the energy balance.
typedef enum pli_role {
    PLI_POTENTIAL,   // stored: a function of the state
    PLI_DISSIPATION, // a function of the motion in a step: friction, viscosity, damping
    PLI_LOAD,        // external forces: they do work, nothing is stored
    PLI_PULL,        // on prescribed vertices: internal to the minimizer
} pli_role;

// Options of a Hessian evaluation.
typedef struct pli_hessian_wish {
    bool project; // positive semi-definite, stencil by stencil
    bool settle;  // converged islands may be skipped from now on
    // Fraction of the matrix that may be wrong because Hessians are kept from the last one
    // (kept.h), which must be unchanged. 0: all are evaluated.
    double keep;
    // For the first matrix of a step: all Hessians that can be kept are kept, or none. Then the
    // matrix depends only on the positions of one earlier such matrix, which a saved state can
    // hold.
    bool whole;
} pli_hessian_wish;

typedef struct pli_term_ops {
    const char* name;
    int width;      // vertices per stencil, at most PLI_STENCIL_MAX; 0: wide, see `start`
    bool dynamic;   // the stencils change: `epoch` counts the changes
    bool linear;    // no Hessian at all (gravity)
    bool simplices; // triangles in the plane or tetrahedra in space, without state
    pli_role role;
    int (*count)(const void* self);               // stencils now
    const int32_t* (*vertices)(const void* self); // count * width, -1: absent
    // Wide stencils: count + 1 entries; the vertices of stencil i are [start[i], start[i + 1]),
    // none absent. Their Hessians are factors. Wide stencils never change, and are not kept,
    // corrected (assembly.h), averaged or damped by stiffness. NULL: all have `width` vertices.
    const int32_t* (*start)(const void* self);
    int rank;    // of wide stencils, as in pli_energy_type
    bool global; // as in pli_energy_type
    // Evaluates stencils [first, first + in->count). Pure. in->vertices starts at the first one.
    void (*eval)(const void* self, int first, const pli_batch* in, pli_local* out);
    // Gradient and Hessian as `blocks` of pli_energy_type gives them. Pure. NULL: falls back to
    // `eval`.
    void (*blocks)(const void* self, int first, const pli_batch* in, const uint64_t* turned,
                   pli_local* out);
    // What factors leave out of the Hessian, as pli_energy_type's `curvature` gives it. NULL: nothing.
    pli_status (*curvature)(const void* self, int first, const pli_batch* in,
                            pli_curvature_sink* sink, pli_error* error);
    // Largest step in (0, 1] along p that stays in allowed states. Pure. NULL: 1.
    double (*max_step)(const void* self, const pli_view* view, const double* p);
    // Lowers limit[island[v]] of its vertices v to about the step along p that max_step or refresh
    // would allow if only that island moved (island -1: v never moves). NULL: no limit.
    pli_status (*limit)(void* self, const pli_view* view, const double* p, const int32_t* island,
                        double* limit, pli_error* error);
    // Updates the stencils to a superset of those active anywhere on x .. x + *alpha p, and
    // shortens *alpha so that the segment is certified collision-free. p NULL: only for the point
    // x. NULL: nothing to do.
    pli_status (*refresh)(void* self, const pli_view* view, const double* p, double* alpha,
                          pli_error* error);
    // Freezes lagged quantities (friction forces and frames) at x. NULL: nothing.
    pli_status (*lag)(void* self, const pli_view* view, pli_error* error);
    pli_status (*begin_step)(void* self, const pli_step* step, pli_error* error); // NULL: nothing
    // State that steps change: a block of doubles, which the core saves, rolls back and restores,
    // and its initial value. NULL: none. `commit` updates it at the end of an accepted step, at
    // positions x.
    void* (*state)(void* self, size_t* size, const void** initial);
    void (*commit)(void* self, const double* x);
    // Of terms with state: between steps (true) what takes time has stopped, so the value is what is
    // stored; false: as within the last step. NULL: no difference.
    void (*between)(void* self, bool between);
    double (*spent)(const void* self); // dissipated so far, by the state [J]. NULL: not known
    uint64_t (*epoch)(const void* self); // increases when stencils change; NULL: they never do
    void (*destroy)(void* self);
} pli_term_ops;

enum { PLI_STENCIL_MAX = 12, PLI_LOCAL_MAX = 3 * PLI_STENCIL_MAX };
enum { PLI_PACKED_MAX = 10 }; // width of terms with `blocks`: a bit for each of their 55 pairs

typedef struct pli_term {
    const pli_term_ops* ops;
    void* self;
} pli_term;

// The first vertex of stencil i in the vertex list.
static inline size_t pli_term_vertex(const pli_term* term, int i) {
    return term->ops->start ? (size_t)term->ops->start(term->self)[i]
                            : (size_t)i * (size_t)term->ops->width;
}

#endif
