// Adapter: an energy type over elements or other stencils, as a term.
//
// A dissipation R(v) [W] enters the step as D(x) = R(v(x)) / rate [J] with the scheme's velocity
// v(x) = rate (x - x_still): its gradient is dR/dv and its Hessian rate d2R/dv2. Where v is unknown
// (before the first step, or rate = 0) it contributes nothing.
#ifndef PLI_ENERGY_ELEMENT_TERM_H
#define PLI_ENERGY_ELEMENT_TERM_H

#include "base/memory.h"
#include "energy/term.h"
#include "pliant/world.h"

// The stencils of an energy.
typedef struct pli_domain {
    int dim;
    pli_element_kind kind; // PLI_STENCIL: not elements; the type gives the width
    int element_count;
    const int32_t* vertices;      // of all stencils, world numbers
    const int32_t* start;         // of wide stencils: as in pli_term_ops; else NULL
    const double* rest;           // 3 per vertex
    const double* mass;           // per vertex
    const double* area;           // of the surface, per vertex; NULL: unknown
    double thickness;             // [m]
    const uint8_t* held;          // PLI_HELD_*, per vertex; NULL: unknown
    const double* offset;         // as in pli_element
    const double* pattern;        // as in pli_element; NULL: none
    int pattern_size;             // numbers of each stencil in it; 0: 6, of a triangle
    int first_vertex, end_vertex; // of the body, for messages; 0, 0: of no body
} pli_domain;

// The element kinds that it supports, for messages: "triangle or 6-node triangle". Returns `text`.
enum { PLI_KINDS_SIZE = 128 };
const char* pli_energy_kinds(const pli_energy_type* type, int dim, char text[PLI_KINDS_SIZE]);

// True for a solid of a plane problem with "plane_stress" set. The parameters are in table order.
bool pli_energy_plane_stress(const pli_energy_type* type, const double* params);

// Can both energies act on the same body of a plane problem? Each law with plane stress solves for
// the stretch across the plane from its own stress alone, so beside another solid both would be
// wrong. Fails if `type` has plane stress and `other` is a solid potential.
pli_status pli_energy_check_beside(const pli_energy_type* type, const double* params,
                                   const pli_energy_type* other, pli_error* error);

// Copies what it needs. On failure the message names the element: "triangle 7: area is 0".
pli_status pli_element_term_create(pli_memory* memory, const pli_energy_type* type,
                                   const double* params, const pli_domain* domain, pli_term* term,
                                   pli_error* error);

// New parameters: prepares all records again. Without `take` they are only checked; with `take` a
// call that was checked before cannot fail. States stay.
pli_status pli_element_term_prepare(const pli_term* term, const double* params,
                                    const pli_domain* domain, bool take, pli_error* error);

// What gives the input of its type from the next step on; NULL: the records as prepared.
void pli_element_term_set_field(const pli_term* term, pli_field_fn* field, void* context);

// At positions x: adds energy (1 per element) and Cauchy stress (6 per element), writes the stretch
// across the plane (1 per element) if the energy knows it; any may be NULL.
typedef struct pli_term_fields {
    double *energy, *stress, *across;
} pli_term_fields;
void pli_element_term_fields(const pli_term* term, const double* x, const pli_term_fields* fields);

// A stencil in words: "triangle 3", "stencil 4 (vertices 0, 1, 2)" in numbers of its body.
enum { PLI_PLACE_SIZE = 160 };
const char* pli_element_term_place(const pli_term* term, int stencil, char text[PLI_PLACE_SIZE]);

// The first stencil whose state at positions x is forbidden, -1: none; `text` describes why.
int pli_element_term_forbidden(const pli_term* term, const double* x, char* text, size_t size);

// Adds the scalar with this name, if the energy shows it, to the vertices of each stencil, and
// counts.
typedef struct pli_term_scalar {
    const char* name;
    const double* x;     // of points, 3 each
    int point_count;     // numbers from here on are nodes
    const double* nodes; // their values
    double* sums;        // per point
    int32_t* shares;
} pli_term_scalar;
void pli_element_term_scalar(const pli_term* term, const pli_term_scalar* scalar);

enum { PLI_ENERGY_NAME_SIZE = 256 }; // maximum length of an energy name [bytes]: states save it

// Parameter values in table order, from defaults and settings. Checks names, ranges and
// combinations. `values` has type->param_count entries.
pli_status pli_energy_params(const pli_energy_type* type, const pli_setting* settings,
                             int setting_count, double* values, pli_error* error);

#endif
