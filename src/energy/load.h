// External forces as terms of E: -f . x for dead loads (forces, tractions), p V for pressure.
// Values come from a constant or from a field of time and position, sampled at the start of a step.
// Loads do work and store nothing: role PLI_LOAD.
#ifndef PLI_ENERGY_LOAD_H
#define PLI_ENERGY_LOAD_H

#include "energy/term.h"
#include "mesh/skin.h"
#include "pliant/world.h"

// The table of kinds: name and help of the i-th, NULL after the last; whether a kind acts on faces
// (otherwise on vertices).
const char* pli_load_kind_name(int i);
const char* pli_load_kind_help(int i);
bool pli_load_on_faces(const char* kind);

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
} pli_load_source;

// Creates one term per stencil width, at most two. Dead loads are
//     E = - sum_v f_v . x_v,  f_v = sum over points w_q A_q N_v t_q
// (consistent with the shape functions; a force has one point per vertex). Pressure p acts along -n
// of the deformed surface:
//     E = p V + c . x
// with the volume V (in the plane: area times thickness) of the cones over the faces from the mean
// of their vertices, exact also for quadratic faces. On a closed surface under constant pressure c
// cancels and p V suffices. At the boundary of an open surface, and where p varies, c corrects the
// force at the start of the step (and wherever `lag` is called), so it is accurate to first order
// in h.
pli_status pli_load_terms(pli_memory* memory, const pli_load_source* source, pli_term terms[2],
                          int* term_count, pli_error* error);
// Sets a new constant value of one of its terms, at positions x (3 per vertex).
void pli_load_set_value(const pli_term* term, const double value[3], const double* x);

#endif
