// Contact by barriers: the interface to the world. Each function creates one term.
//
// Half-space: every listed vertex against a plane. Pairs: points, edges and triangles against each
// other, in the plane points and edges. Two forms of the barrier (barrier.h), with s = d / dhat or
// its square, 0 for s >= 1:
//   "area"  half-space A dhat (kappa/2) (s - 1) ln s; pairs (1/2) w dhat (kappa/8) (s - 1) ln s;
//           A and w are areas, kappa is a pressure [Pa]
//   "ipc"   kappa times the clamped log of squared distances, without area [Li20]; kappa [J/m^4]
// Friction belongs to a barrier term: it freezes that term's forces in `lag`.
#ifndef PLI_CONTACT_CONTACT_H
#define PLI_CONTACT_CONTACT_H

#include "base/memory.h"
#include "contact/barrier.h"
#include "contact/filter.h"
#include "contact/pair_set.h"
#include "energy/term.h"

// The form of that name, or the first.
const pli_barrier_form* pli_barrier_form_of(const char* name);

typedef struct pli_barrier_def {
    int dim;
    int vertex_count;             // of the world
    const pli_barrier_form* form; // NULL: the first, "area"
    double dhat;                  // [m]
    double stiffness;             // kappa [Pa] or, without area, [J/m^4]
    const double* area;           // half-spaces, per vertex of the world: A [m^2], > 0 where listed
    const double* radius;     // per vertex of the world: thickness of what is there, the surface
                              // lies at this distance from it [m]; NULL: 0
    const pli_filter* filter; // pairs: which bodies may touch; NULL: all. Must outlive the term
    const pli_rest* rest;     // pairs: neighbours at rest, whose thickness counts less; NULL: none.
                              // Must outlive the term
} pli_barrier_def;

typedef struct pli_friction_def {
    double coefficient;        // kinetic friction
    double coefficient_static; // static friction, not smaller; 0: the same
    double speed;              // eps_v [m/s]
    // Not NULL: coefficients by the bodies of the first and the last vertex of a stencil instead,
    // or by the first and this class. Must outlive the term.
    const pli_filter* filter;
    int32_t half_space_class; // -1: the class of the last vertex' body
} pli_friction_def;

// A plane that may move. `carrier` >= 0: the vertex it moves with (then point = x[carrier]).
typedef struct pli_plane {
    double point[3], normal[3]; // normal of length 1
    int32_t carrier;            // -1: at rest
} pli_plane;

// `vertices`: the vertices it acts on (the carrier must not be one of them). Stencil: vertex, and
// the carrier if there is one.
pli_status pli_half_space_barrier_create(pli_memory* memory, const pli_barrier_def* def,
                                         const pli_plane* plane, int count, const int32_t* vertices,
                                         pli_term* term, pli_error* error);

// ---- pairs

// The primitives of one kind on one side of the pairs; all is copied.
typedef struct pli_side {
    int count;
    int width; // vertices per primitive: 1 point, 2 edge, 3 triangle
    const int32_t* vertices;
    const double* weight; // the weight w of a pair is the product of both sides'; NULL: 1
    const double* rest;   // lengths of edges at rest [m], of pairs of edges in space only
} pli_side;

// Every primitive of `a` against every primitive of `b` that shares no vertex with it. b NULL:
// those of `a` against each other, each pair once. In the plane: points and edges, points and
// points. Crossing edges first pass through an end of one of them, so nothing is missed if, over
// all terms, every end of an edge is a point against the edges it may meet. In space: points and
// triangles, edges and edges, points and edges, points and points. `refresh` maintains the set of
// pairs and limits the step by continuous collision detection; there are no stencils before the
// first refresh. With p = NULL the set is a function of x alone: begin each step this way.
//
// Weights that make the pressure of a flat contact independent of the meshes: with A_p the share of
// a point in its surface, A_e that of an edge (each triangle shared equally) and |U| its length at
// rest,
//   plane  points A_p against edges 1
//   space  points A_p / 2 against triangles 1; edges sqrt(pi/2) A_e / |U| against each other
// The points of each surface contribute half of the pressure in the plane and a quarter in space,
// where edges contribute the other half: an edge represents a strip of width A_e / |U|; two that
// cross at the angle theta share the area (A_a / |U|) (A_b / |V|) / sin(theta), and the mean of 1 /
// sin(theta) over crossings of lines in random directions is pi/2.
pli_status pli_pair_barrier_create(pli_memory* memory, const pli_barrier_def* def,
                                   const pli_side* a, const pli_side* b, pli_term* term,
                                   pli_error* error);

// Friction for a barrier term made by one of the functions above; `barrier` must outlive it.
// D = sum mu lambda h f0(|v|), v the sliding velocity (x - x_n) / h of the pair; the force rises to
// its static value at speed eps_v and falls to the kinetic one until 2 eps_v. `begin_step` takes h
// and x_n, `lag` freezes lambda, closest points and normals of all pairs closer than dhat at x:
// the barrier's stencils must be valid there (refresh it first). No stencils before the first
// `lag`.
pli_status pli_friction_create(pli_memory* memory, const pli_term* barrier,
                               const pli_friction_def* def, pli_term* term, pli_error* error);

// Friction has no stencils until the next `lag`: those of a completed step must not affect the next
// one.
void pli_friction_forget(const pli_term* friction);

// Adds the largest friction (mu lambda [N]) of all contacts to both bodies of each: to `lagged` the
// values frozen by the last `lag`, to `now` those it would freeze at x. `body`: per vertex.
void pli_friction_forces(const pli_term* friction, const double* x, const int32_t* body,
                         double* lagged, double* now);

// ---- any barrier term

// Pairs of a barrier term that are closer than dhat at x, and their smallest distance (between the
// surfaces: radii are subtracted).
void pli_barrier_contacts(const pli_term* barrier, const double* x, int* count,
                          double* min_distance);

// The filter has changed: the next refresh must search.
void pli_barrier_forget(const pli_term* barrier);

// Sets kappa: between minimizations only, so that values of E are compared at fixed stiffness.
void pli_barrier_set_stiffness(const pli_term* barrier, double stiffness);

// The first place where the state x is invalid (a distance that is not positive, or below the
// rounding of positions; crossing edges, by exact predicates): PLI_E_SCENE with a message that
// names the vertices and the place or depth, or PLI_OK. Pairs in space are not checked: see
// intersect.h for whole surfaces.
pli_status pli_barrier_check(const pli_term* barrier, const pli_view* view, pli_error* error);

#endif
