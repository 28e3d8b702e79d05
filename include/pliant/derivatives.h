// Derivatives at the present state, for adjoints, linear analysis and error estimates.
//
// The unknowns q of a world drive its vertices: x = x0 + W q, 3 coordinates per vertex. Nodes of
// energies (pli_sink_node) are vertices behind all points, with the value as first coordinate. Their
// unknowns are in metres: value = start + q / scale. A fixed node has none.
//
// Gradients and Hessians are exact: nothing is projected, shifted, approximated or kept from a step.
// Wide energies (pliant/energy.h) are exact if they give their `curvature` or need none. What a step
// freezes is frozen here too: lagged friction forces and normals, the rim of an open pressure,
// the stiffness of contact, the stiffness that damping was made of. A call leaves the world as it
// is, so that the next step has the same bits.
//
// A step that is kept ends where dE/dq = 0 at all unknowns that are not prescribed,
//
//     E(q) = 1/2 inertia |q - q_hat|^2_M + P(x) + D(x).
//
// With H the Hessian of E there (PLI_OF_STEP), restricted to those unknowns, a change df of dE/dq
// moves the end of the step by dq = -H^-1 df; q_hat enters with df = -inertia M dq_hat, a prescribed
// unknown with its column of H, a parameter of P with the change of dP/dq at fixed q: set it
// (pliant/change.h) after the step and take the difference of two gradients of P.
//
// All functions need a world that is prepared (PLI_E_ARGUMENT) and not at work (PLI_E_BUSY). After a
// change that rebuilds the world, it is prepared again by pli_world_prepare; sizes may then be others.
#ifndef PLIANT_DERIVATIVES_H
#define PLIANT_DERIVATIVES_H

#include "pliant/base.h"
#include "pliant/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// A sparse matrix in compressed columns: column j has the entries start[j] .. start[j + 1] - 1, its
// rows ascend. Of a symmetric matrix only the lower triangle is stored, row >= column, each diagonal
// entry included. An entry may be 0. The arrays come from the allocator of the world, which must
// live until pli_sparse_free; the world need not.
typedef struct pli_sparse {
    int row_count, column_count;
    int count;            // entries
    bool symmetric;       // the lower triangle of a symmetric matrix
    const int32_t* start; // column_count + 1
    const int32_t* row;   // count
    const double* value;  // count
    void* store;          // what owns the arrays
} pli_sparse;

// Zeros are fine. The matrix is empty afterwards.
PLI_API void pli_sparse_free(pli_sparse* matrix);

// What is differentiated.
typedef enum pli_derivative_of {
    // P at the present state: energies, gravity, contact and loads. Loads are those of the last
    // step; before the first step a load that changes with time has the value of its def.
    PLI_OF_POTENTIAL,
    // E of the last step that was kept (of its last part, if it was divided), where it was
    // minimized: the end of the step, or its middle under "implicit-midpoint". Without the pull on
    // prescribed vertices, which is a means of the minimizer. A hand (pli_world_grab) counts as it
    // is now. PLI_E_ARGUMENT if there is none: before the first step, after a step that was not
    // kept, after another state was set or restored, under explicit schemes, and after a change of
    // the world (pliant/change.h) other than of the time step or of a target. A change that fails
    // may end it as well.
    PLI_OF_STEP,
    PLI_DERIVATIVE_COUNT,
} pli_derivative_of;

// What E of the last step is made of; PLI_E_ARGUMENT as for PLI_OF_STEP.
typedef struct pli_step_rule {
    double time_step;     // h of the step, or of its last part [s]
    double inertia;       // 1 / (c h^2) [1/s^2]; 0 in statics
    double velocity_rate; // dv/dq of the scheme, at fixed history [1/s]
    double share;         // E is minimized at q_n + share (q - q_n): 1, or 1/2 in the middle
} pli_step_rule;
PLI_API pli_status pli_world_step_rule(pli_world* world, pli_step_rule* rule, pli_error* error);

// The unknowns and their velocities at the present state, pli_world_unknown_count each; either may
// be NULL.
PLI_API pli_status pli_world_unknowns(pli_world* world, double* q, double* v, pli_error* error);

// 1 for each unknown whose motion is prescribed, else 0: not unknowns of an adjoint.
PLI_API pli_status pli_world_held_unknowns(pli_world* world, uint8_t* held, pli_error* error);

// W: 3 rows per vertex, one column per unknown. In the plane the rows of z are empty. Nodes are the
// last pli_world_node_count vertices; only their first rows have entries.
PLI_API pli_status pli_world_map(pli_world* world, pli_sparse* map, pli_error* error);

// M on unknowns, symmetric: the kinetic energy is 1/2 v M v. [kg] where an unknown is a length, also
// of nodes. The entry of a node without mass is 0.
PLI_API pli_status pli_world_mass_matrix(pli_world* world, pli_sparse* mass, pli_error* error);

// On the pli_world_vertex_count points (3 each, without inertia) [N] and on unknowns; either may be
// NULL. With PLI_OF_STEP the second includes inertia M (q - q_hat). Prescribed unknowns have the force
// that moves them. Nodes are among the unknowns alone.
PLI_API pli_status pli_world_gradient(pli_world* world, pli_derivative_of of, double* on_vertices,
                                      double* on_unknowns, pli_error* error);

// On unknowns, symmetric [N/m]. With PLI_OF_STEP it includes inertia M. Takes about the memory and
// time of one matrix of the minimizer, whatever the linear solver; all of it is given back. Wide
// stencils are expanded, global ones too: over the unknowns of each the matrix is dense. That of gas
// in a surface of n free vertices has 9/2 n^2 entries.
PLI_API pli_status pli_world_hessian(pli_world* world, pli_derivative_of of, pli_sparse* hessian,
                                     pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
