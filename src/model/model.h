// The model: what was added to a world. Steps never change it.
//
// Vertices and elements of all bodies are in one list each, body after body. `positions` and
// `velocities` are those that readers see: as given at first, then of the newest state.
#ifndef PLI_MODEL_MODEL_H
#define PLI_MODEL_MODEL_H

#include "base/parallel.h"
#include "mesh/skin.h"
#include "pliant/world.h"

typedef struct pli_body {
    char* name;
    int first_vertex;
    int first_element[PLI_ELEMENT_KIND_COUNT];
    pli_body_def def; // words point to the parameter tables, not to the caller's memory
    double* modes;    // copy of def.modes or NULL
    char** tags;      // def.tag_count copies of def.tags
} pli_body;

// How a vertex is held.
typedef enum pli_support_kind {
    PLI_SUPPORT_NONE,
    PLI_SUPPORT_AXES,     // `axes` cannot move
    PLI_SUPPORT_INCLINED, // slides on the plane with `normal`
    PLI_SUPPORT_PRESCRIBED,
} pli_support_kind;

typedef struct pli_support {
    pli_support_kind kind;
    bool axes[3];
    double normal[3]; // of length 1
    int32_t pin;
    int32_t set;         // the support set that holds it
    int32_t axis_set[3]; // of an axis that is fixed: the first set that did so
} pli_support;

// What one call of pli_world_fix or pli_world_prescribe made.
typedef struct pli_support_set {
    pli_support_kind kind;
    int body;
    bool each; // prescribed: each vertex has offsets of its own
} pli_support_set;

// An energy of a body, or over stencils that the caller has listed.
typedef struct pli_body_energy {
    const pli_energy_type* type;
    double* params;
    int body;              // -1: listed
    pli_element_kind kind; // of listed stencils
    int stencil_count, entry_count;
    int32_t* vertices; // of listed stencils, world numbers; entry_count of them
} pli_body_energy;

// A load on a body.
typedef struct pli_body_load {
    int body;
    pli_load_def def; // its vertices are not used
    int vertex_count;
    int32_t* vertices; // world numbers
    pli_skin skin;     // the faces with all corners among them, if the kind acts on faces
} pli_body_load;

typedef struct pli_model {
    pli_memory* memory;
    pli_pool* pool;
    pli_world_def def;
    // Each array grows by itself: it has its own capacity, in numbers.
    int body_count, body_capacity;
    pli_body* bodies;
    int vertex_count;
    int rest_capacity, position_capacity, velocity_capacity, mass_capacity, support_capacity;
    double *rest, *positions, *velocities; // 3 per vertex [m], [m], [m/s]
    double* masses;                        // 1 per vertex [kg]
    pli_support* supports;                 // 1 per vertex
    int support_set_count, support_set_capacity;
    pli_support_set* support_sets;
    int element_count[PLI_ELEMENT_KIND_COUNT], element_capacity[PLI_ELEMENT_KIND_COUNT];
    int32_t* elements[PLI_ELEMENT_KIND_COUNT]; // world numbers of vertices
    int energy_count, energy_capacity;
    pli_body_energy* energies;
    int load_count, load_capacity;
    pli_body_load* loads;
    int half_space_count, half_space_capacity;
    pli_half_space_def* half_spaces; // their names are copies
    int rule_count, rule_capacity;
    pli_contact_rule_def* rule_defs; // their words are copies
} pli_model;

static inline int pli_body_end_vertex(const pli_model* model, int body) {
    return body + 1 < model->body_count ? model->bodies[body + 1].first_vertex
                                        : model->vertex_count;
}

static inline int pli_body_end_element(const pli_model* model, int body, pli_element_kind kind) {
    if (kind == PLI_VERTEX) return pli_body_end_vertex(model, body);
    return body + 1 < model->body_count ? model->bodies[body + 1].first_element[kind]
                                        : model->element_count[kind];
}

static inline int pli_body_element_count(const pli_model* model, int body, pli_element_kind kind) {
    return pli_body_end_element(model, body, kind) - model->bodies[body].first_element[kind];
}

// Embedded bodies move with the tetrahedra of the body before them, their cage, which then touches
// nothing itself.
bool pli_body_is_embedded(const pli_body_def* def);
bool pli_body_is_cage(const pli_model* model, int body);

// The elements of a body; its surface in so many dimensions, freed by the caller.
pli_skin_source pli_model_skin_source(const pli_model* model, int body, int dim);
pli_status pli_model_skin(const pli_model* model, int body, int dim, pli_skin* skin,
                          pli_error* error);
// Triangles of the surface of a body in space, sheets included; quadratic faces are cut into four.
// 3 vertices each go to `out` (NULL: they are only counted). A cage has none: its skin has them.
pli_status pli_model_skin_triangles(const pli_model* model, int body, int32_t* out, int* count,
                                    pli_error* error);

// Diagonal of the box around those of the bodies first .. end - 1 that can deform, at the present
// positions; 0 if there are none [m].
double pli_model_diagonal(const pli_model* model, int first, int end);
// The same of the smallest body that has one; 1 m if there are only points.
double pli_model_smallest_diagonal(const pli_model* model);
// Mean mass of a vertex of all bodies that can deform; 1 if there are none [kg].
double pli_model_mean_mass(const pli_model* model);

#endif
