// External forces as terms of E: -f . x for dead loads (forces, tractions), p V for pressure.
// Values come from a constant or from a field of time and position, sampled at the start of a step.
// Loads do work and store nothing: role PLI_LOAD.
#ifndef PLI_ENERGY_LOAD_H
#define PLI_ENERGY_LOAD_H

#include "energy/nodes.h"
#include "energy/term.h"
#include "mesh/skin.h"
#include "mesh/topology.h"
#include "pliant/world.h"

// The table of kinds: name and help of the i-th, NULL after the last; whether a kind acts on faces
// (otherwise on vertices).
const char* pli_load_kind_name(int i);
const char* pli_load_kind_help(int i);
bool pli_load_on_faces(const char* kind);
bool pli_load_on_edges(const char* kind); // of shells: a moment

// Input of a load; everything is copied except the field's context.
typedef struct pli_load_source {
    int dim;
    double thickness;   // [m]
    const double* rest; // 3 per vertex of the world [m]
    const char* body;   // its name, for messages; outlives the terms
    pli_load_def def;   // kind, value, field; its vertices are not used
    int vertex_count;   // vertices among which a force is divided, world numbers
    const int32_t* vertices;
    const pli_skin* skin; // faces that tractions and pressure act on
    int edge_count;       // edges that a moment acts on: the third corner of its triangle, both ends
    const int32_t* edges; // in the direction of the triangle, its node
} pli_load_source;

// The edges of one triangle each whose ends are both among `vertices`, for pli_load_source: 4 numbers
// each, with room for `capacity` numbers, freed by the caller. Fails if there are none, or if one has
// no node: the body has no shell, or the edge is clamped.
typedef struct pli_edge_search {
    pli_elements triangles;
    int body; // its number in the nodes
    const pli_nodes* nodes;
    int vertex_count;
    const int32_t* vertices;
} pli_edge_search;
typedef struct pli_edge_list {
    int count, capacity;
    int32_t* edges;
} pli_edge_list;
pli_status pli_load_edges(pli_memory* memory, const pli_edge_search* search, pli_edge_list* out,
                          pli_error* error);

// Creates one term per stencil width, at most two. Dead loads are
//     E = - sum_v f_v . x_v,  f_v = sum over points w_q A_q N_v t_q
// (consistent with the shape functions; a force has one point per vertex). Pressure p acts along -n
// of the deformed surface:
//     E = p V + c . x
// with the volume V (in the plane: area times thickness) of the cones over the faces from the mean
// of their vertices, exact also for quadratic faces. On a closed surface under constant pressure c
// cancels and p V suffices. At the boundary of an open surface, and where p varies, c corrects the
// force at the start of the step (and wherever `lag` is called), so it is accurate to first order
// in h. A moment M per length about an edge is
//     E = -M L (angle of the normal of the shell at the edge),
// the angle turned since the start of the step, about the present direction of the edge, positive if
// its outer side rises to the side of the normal. It follows the edge; where this keeps its direction
// it is conservative.
pli_status pli_load_terms(pli_memory* memory, const pli_load_source* source, pli_term terms[2],
                          int* term_count, pli_error* error);
// Sets a new constant value of one of its terms, at positions x (3 per vertex).
void pli_load_set_value(const pli_term* term, const double value[3], const double* x);

#endif
