// Contact by barriers: what the world asks of this module. Each function makes one term.
//
// Half-space: every listed vertex against a plane, b = A dhat (kappa/2) (s - 1) ln s, s = d / dhat.
// Point-edge in the plane: boundary vertex against boundary segment that does not contain it,
// b = (1/2) A dhat (kappa/8) (s - 1) ln s, s = d^2 / dhat^2. Both are 0 for s >= 1.
// Friction belongs to a barrier term: it freezes that term's forces in `lag`.
#ifndef PLI_CONTACT_CONTACT_H
#define PLI_CONTACT_CONTACT_H

#include "base/memory.h"
#include "energy/term.h"

typedef struct pli_barrier_def {
    int dim;
    int vertex_count;   // of the world
    const double* area; // per vertex of the world: weight A [m^2], > 0 where contact acts; copied
    double dhat;        // [m]
    double stiffness;   // kappa [Pa]
} pli_barrier_def;

typedef struct pli_friction_def {
    double coefficient;
    double speed; // eps_v [m/s]
} pli_friction_def;

// The surface of all bodies that touch each other: vertex numbers, 2 per edge. Every end of an edge
// must be among the points.
typedef struct pli_surface {
    int point_count, edge_count;
    const int32_t *points, *edges;
} pli_surface;

// A plane that may move: `carrier` >= 0 is the vertex it moves with (then point = x[carrier]).
typedef struct pli_plane {
    double point[3], normal[3]; // normal of length 1
    int32_t carrier;            // -1: at rest
} pli_plane;

// `vertices`: which vertices it acts on (the carrier must not be among them). Stencil: vertex, and
// the carrier if there is one.
pli_status pli_half_space_barrier_create(pli_memory* memory, const pli_barrier_def* def,
                                         const pli_plane* plane, int count, const int32_t* vertices,
                                         pli_term* term, pli_error* error);

// Every point against every edge that does not contain it. Plane problems only. `refresh` keeps the
// set of pairs and bounds the step by continuous collision detection; without a first refresh there
// are no stencils. With p = NULL the set is a function of x alone: begin each step so.
pli_status pli_point_edge_barrier_create(pli_memory* memory, const pli_barrier_def* def,
                                         const pli_surface* surface, pli_term* term,
                                         pli_error* error);

// Friction for a barrier term made by one of the functions above; `barrier` must outlive it.
// D = sum mu lambda h f0(|v|), v the sliding velocity (x - x_n) / h of the pair. `begin_step` takes
// h and x_n, `lag` freezes lambda, closest points and normals of all pairs closer than dhat at x:
// the barrier's stencils must be valid there (refresh it first). No stencils before the first
// `lag`.
pli_status pli_friction_create(pli_memory* memory, const pli_term* barrier,
                               const pli_friction_def* def, pli_term* term, pli_error* error);

// Pairs of a barrier term that are closer than dhat at x, and their smallest distance.
void pli_barrier_contacts(const pli_term* barrier, const double* x, int* count,
                          double* min_distance);

// First place where the state x is not allowed (a distance that is not positive, or too small for
// the rounding of positions; edges that cross, by exact predicates): PLI_E_SCENE with a message
// that names the vertices and the place or depth, or PLI_OK.
pli_status pli_barrier_check(const pli_term* barrier, const pli_view* view, pli_error* error);

#endif
